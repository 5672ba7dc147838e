"""What is built into synthetic models is found again: no skill where there is none, and J as it was made."""

import pytest

from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.table import Cell, Table
from cruxbench_inspect.report.tables.informativeness import informativeness_of_cruxes
from cruxbench_inspect.report.tables.nulls import NULLS, matched_nulls
from cruxbench_inspect.report.tables.value_of_information import value_of_information
from cruxbench_inspect.report.widths import width_scores
from tests.report.tables.logged import mean
from tests.report.tables.sample_study import bounds_of, rows_of
from tests.synthetic_study import Subject, SyntheticStudy

SEEDS = 20
J = 0.5
SKILLED = "skilled"

MOST = 4
"""How often 20 tests at 5%, or 20 intervals of 95%, may be wrong: more has a probability under 0.3%."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Models without skill that differ in their seeds alone, and one with skill."""
    made = SyntheticStudy(tmp_path_factory.mktemp("truths"), questions=24, seed=11)
    unskilled = [Subject(f"lab/seed-{seed}", informative=J, resolvable=0.95) for seed in range(SEEDS)]
    paths = made.write([*unskilled, Subject(f"lab/{SKILLED}", skill=0.8)])
    return make_study([str(path) for path in paths], {}, Options(rank_all=True))


def test_only_skill_is_above_random_timing(study: Study) -> None:
    table = value_of_information(study)
    assert _rejections(table, "p") <= MOST
    skilled = rows_of(table)[SKILLED]
    assert float(str(skilled["p"])) < 0.01
    assert skilled["rank"] == 1
    percentiles = [float(str(row["percentile"])) for row in _unskilled(table)]
    assert mean(percentiles) == pytest.approx(0.5, abs=0.04)
    assert float(str(skilled["percentile"])) > 0.7
    assert mean(float(str(row["skill"])) for row in _unskilled(table)) == pytest.approx(0.0, abs=0.02)


def test_only_skill_is_above_matched_nulls(study: Study) -> None:
    table = matched_nulls(study, width_scores(study))
    for null in NULLS:
        assert _rejections(table, f"{null}_p") <= MOST
        assert float(str(rows_of(table)[SKILLED][f"{null}_p"])) < 0.05
        above = mean(float(str(row[null])) for row in _unskilled(table))
        assert abs(above) < 0.25 * float(str(rows_of(table)[SKILLED][null]))


def test_j_is_the_informativeness_that_was_built_in(study: Study) -> None:
    rows = _unskilled(informativeness_of_cruxes(study))
    assert mean(float(str(row["j"])) for row in rows) == pytest.approx(J, abs=0.09)
    # With so few events the bootstrap's interval is somewhat too narrow, as it says.
    for interval, missed in (("interval", MOST), ("clustered", MOST + 1)):
        covered = sum(low <= J <= high for low, high in (bounds_of(row, interval) for row in rows))
        assert covered >= SEEDS - missed


def _unskilled(table: Table) -> list[dict[str, Cell]]:
    rows = [row for label, row in rows_of(table).items() if label.startswith("seed-")]
    assert len(rows) == SEEDS
    return rows


def _rejections(table: Table, key: str) -> int:
    return sum(float(str(row[key])) < 0.05 for row in _unskilled(table))
