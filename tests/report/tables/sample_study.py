"""A synthetic study with everything that logs can have: unscored samples, faults, shared events, days, epochs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ModelUsage

from cruxbench_inspect.report.gathering.facts import ModelFacts
from cruxbench_inspect.report.gathering.price_list import ModelPrice, PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.table import Cell, Table
from cruxbench_inspect.report.widths import WidthScores, width_scores
from tests.report.tables.direct_prices import DirectPrices, read_prices
from tests.report.tables.logged import Logged, logged, samples_of
from tests.synthetic_study import Subject, SyntheticStudy

SUBJECTS = (
    Subject("lab/keen", skill=0.8, informative=0.5, date_only=0.4, late=0.2),
    Subject("lab/plain", unscored=0.15),
    Subject("lab/twice", skill=0.3, unscored=0.15, date_only=0.3, epochs=2),
    Subject("lab/weak", resolvable=0.6, faulty=0.15, late=0.5),
)
LABELS = [subject.name.removeprefix("lab/") for subject in SUBJECTS]
FACTS = {
    "keen": ModelFacts("keen", knowledge_cutoff=date(2025, 11, 1), capability=150.0),
    "plain": ModelFacts("plain", knowledge_cutoff=date(2026, 1, 1), capability=120.0),
    "twice": ModelFacts("twice", released=date(2025, 3, 4), capability=131.0),
}
PRICES = PriceList({"lab/keen": ModelPrice(2.0, 0.5, 8.0), "twice": ModelPrice(1.0, 1.0, 3.0)}, search=0.01)


@dataclass(frozen=True, eq=False)
class Sample:
    """The study and its sources.

    Attributes:
        made: The question set.
        paths: The logs by label.
        study: What reports are made of.
    """

    made: SyntheticStudy
    paths: dict[str, Path]
    study: Study

    @cached_property
    def widths(self) -> WidthScores:
        """Scores at all widths."""
        return width_scores(self.study)

    @cached_property
    def material(self) -> Material:
        """What tables and figures are made of."""
        return Material(self.study, self.widths, PRICES, 3)

    @cached_property
    def logged(self) -> dict[str, dict[str, Logged]]:
        """What the logs say, by label and question."""
        return {label: logged(path) for label, path in self.paths.items()}

    @cached_property
    def direct(self) -> dict[str, DirectPrices]:
        """Prices by question, treated by loops."""
        return read_prices(self.made.set.folder)


def write_sample(folder: Path) -> Sample:
    """Write the set and the logs, and read them."""
    made = SyntheticStudy(folder, questions=30, seed=3, early=6)
    paths = dict(zip(LABELS, made.write(SUBJECTS), strict=True))
    for label in ("keen", "twice", "plain"):
        _add_usage(paths[label])
    study = make_study([str(path) for path in paths.values()], FACTS, Options(rank_all=True))
    return Sample(made, paths, study)


def with_rows(study: Study, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Study:
    """A study whose rows are changed, those of questions and those of samples."""
    return replace(study, scores=change(study.scores), samples=change(study.samples))


def rows_of(table: Table) -> dict[str, dict[str, Cell]]:
    """A table's rows by model."""
    found = {str(row["model"]): dict(row) for row in table.rows}
    assert len(found) == len(table.rows)
    return found


def bounds_of(row: Mapping[str, Cell], key: str = "interval") -> tuple[float, float]:
    """An interval in a row."""
    cell = row[key]
    assert isinstance(cell, tuple)
    return cell


def close(expected: Any) -> Any:
    """Equal to 1e-9; NaN to NaN."""
    return pytest.approx(expected, abs=1e-9, rel=0, nan_ok=True)


def _add_usage(path: Path) -> None:
    """Say what each sample used, and how long it took."""
    log = read_eval_log(str(path))
    for number, sample in enumerate(samples_of(log)):
        own = ModelUsage(
            input_tokens=100 + number, output_tokens=10 + number % 7, input_tokens_cache_read=number % 5,
            total_cost=0.001 * number if "plain" in log.eval.model else None,
        )  # fmt: skip
        judge = ModelUsage(input_tokens=1000, output_tokens=50 + number)
        sample.model_usage = {log.eval.model: own, "judge/resolver": judge}
        sample.role_usage = {"resolver": judge}
        sample.total_time = 2.0 + number
    write_eval_log(log, str(path))
