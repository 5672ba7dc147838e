"""Studies with next to nothing in them: every table and figure is made, or says in a sentence why not."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from cruxbench_inspect.report import drawings
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.gathering.price_list import ModelPrice, PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.sections import PLANS, Part, Plan
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.widths import width_scores
from tests.report.tables.logged import samples_of
from tests.report.tables.sample_study import FACTS, with_rows
from tests.synthetic_study import Subject, SyntheticStudy

KEEN, PLAIN, TWICE = (Subject(f"lab/{name}") for name in ("keen", "plain", "twice"))


def _study(folder: Path, questions: int, *subjects: Subject) -> Study:
    paths = SyntheticStudy(folder, questions=questions, seed=5).write(subjects)
    return make_study([str(path) for path in paths], FACTS, Options(rank_all=True))


def _with_an_error(folder: Path) -> Study:
    """One model's samples ended in errors, without a score."""
    made = SyntheticStudy(folder, questions=4, seed=5)
    paths = made.write([KEEN, PLAIN, TWICE])
    log = read_eval_log(str(paths[1]))
    for sample in samples_of(log)[1:]:
        sample.scores = None
    write_eval_log(log, str(paths[1]))
    return make_study([str(path) for path in paths], FACTS, Options())


STUDIES: dict[str, Callable[[Path], Study]] = {
    "one model": lambda folder: _study(folder, 6, KEEN),
    "one question": lambda folder: _study(folder, 1, KEEN, PLAIN, TWICE),
    "one model and question": lambda folder: _study(folder, 1, KEEN),
    "two questions": lambda folder: _study(folder, 2, KEEN, PLAIN),
    "nothing resolved": lambda folder: _study(
        folder, 6, *(replace(one, resolvable=-1.0) for one in (KEEN, PLAIN, TWICE))
    ),
    "no crux": lambda folder: _study(folder, 6, *(replace(one, faulty=1.0) for one in (KEEN, PLAIN, TWICE))),
    "one model unscored": lambda folder: _study(folder, 6, KEEN, replace(PLAIN, unscored=1.0), TWICE, Subject("lab/d")),
    "nothing scored": lambda folder: _study(folder, 6, *(replace(one, unscored=1.0) for one in (KEEN, PLAIN, TWICE))),
    "errors": _with_an_error,
    "no question set": lambda folder: replace(_study(folder, 6, KEEN, PLAIN, TWICE), sets={}),
    "no scores": lambda folder: with_rows(_study(folder, 2, KEEN, PLAIN, TWICE), pl.DataFrame.clear),
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_part_is_made_or_says_why_not(name: str, tmp_path: Path) -> None:
    study = STUDIES[name](tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        prices = PriceList({"keen": ModelPrice(1.0, 1.0, 1.0)}, search=0.01)
        material = Material(study, width_scores(study), prices, 3)
        for plan in PLANS:
            # The simulation is the same whatever the study is.
            for part in _parts(plan) if plan.name != "estimators" else ():
                try:
                    made = part(material)
                except ValueError as error:
                    assert _is_sentence(str(error)), f"{plan.name}: {error}"
                else:
                    for one in made:
                        _check(one)


def _parts(plan: Plan) -> list[Part]:
    return [*plan.tables, *(getattr(drawings, name) for name in plan.figures)]


def _check(one: Table | Figure) -> None:
    if isinstance(one, Figure):
        assert any(one.spec["datasets"].values())
        return
    shown = one.shown()
    assert all(len(row) == len(one.columns) for row in shown)
    assert not [cell for row in shown for cell in row if "nan" in cell.lower() or "inf" in cell.lower().split()]


def _is_sentence(text: str) -> bool:
    return text[0].isupper() and text.endswith(".") and " " in text
