"""What price figures show of sets with raw prices, and of those that have trusted ones alone."""

from pathlib import Path
from typing import Literal

import pytest

from cruxbench_inspect.report.case_samples import read_case_samples
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.price_figures import price_figures
from tests.synthetic_study import Subject, SyntheticStudy


@pytest.mark.parametrize(("prices", "lines"), [("raw", {"Raw", "Trusted"}), ("trusted", {"Trusted"})])
def test_only_prices_that_a_set_has_are_drawn(
    tmp_path: Path, prices: Literal["raw", "trusted"], lines: set[str]
) -> None:
    made = SyntheticStudy(tmp_path, 2, prices=prices)
    study = make_study([str(path) for path in made.write([Subject("lab/one")])], {}, Options())
    samples = read_case_samples(study, study.labels, "q000")
    (figure,) = price_figures(study, study.labels, "q000", samples, "price")
    rows = [row for rows in figure.spec["datasets"].values() for row in rows]
    assert {row["series"] for row in rows if "series" in row} == lines
    assert ("has no raw ones" in figure.caption) == (prices == "trusted")
