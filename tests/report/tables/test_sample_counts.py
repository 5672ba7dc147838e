"""What tables 1 and 9 count of several epochs and of a run that was ended early, by hand."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample, read_eval_log, write_eval_log

from cruxbench_inspect.crux import Crux, CruxFault
from cruxbench_inspect.markets.release.log_files import write_log
from cruxbench_inspect.questions import Question
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.failure_modes import failure_modes
from cruxbench_inspect.report.tables.value_of_information import value_of_information
from cruxbench_inspect.resolution import Resolution
from cruxbench_inspect.settlement import VALUES, Settlement, unscored
from tests.report.tables.sample_study import close, rows_of
from tests.synthetic_study import SyntheticStudy, judged_sample, log_header

THRICE = {
    "q000": ["resolved", "resolved", "temporal"],
    "q001": ["search_outage", "resolved", "no_crux"],
    "q002": ["after_settlement", "out_of_dates", "observability"],
    "q003": ["judge_failed"],
}
"""What becomes of the samples of a run of five questions in three epochs, which was ended in the midst of it."""

ONCE = {"q000": ["resolved"], "q001": ["resolved"], "q002": ["temporal"], "q003": ["judge_failed"]}
"""The same of a run in one epoch."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return study_of(tmp_path_factory.mktemp("counts"), {"lab/thrice": THRICE, "lab/once": ONCE})


def study_of(folder: Path, runs: dict[str, dict[str, list[str]]], **told: Any) -> Study:
    made = SyntheticStudy(folder, questions=5)
    return make_study([str(write_run(made, model, fates, **told)) for model, fates in runs.items()], {}, Options())


def write_run(made: SyntheticStudy, model: str, fates: dict[str, list[str]], k: int = 1) -> Path:
    header = log_header(made.set, model)
    samples = []
    for key, of_question in fates.items():
        for epoch, fate in enumerate(of_question, start=1):
            sample = sample_of(header, made.set.question(key), fate)
            samples.append(sample.model_copy(update={"epoch": epoch, "uuid": f"{sample.uuid}{epoch}"}))
    path = write_log(header, samples, made.folder / "logs")
    log = read_eval_log(str(path))
    log.status = "cancelled"
    log.eval.config.epochs = max(map(len, fates.values()))
    log.eval.dataset.samples = len(made.set.questions)
    log.eval.dataset.sample_ids = [question.id for question in made.set.questions]
    assert log.eval.metadata is not None
    log.eval.metadata["k"] = k
    write_eval_log(log, str(path))
    return path


def sample_of(header: Any, question: Question, fate: str) -> EvalSample:
    """A sample of which became what is said."""
    crux = Crux(
        question="Will it?", resolution_criteria="A report.",
        start_date=question.window.start.date(), end_date=question.window.end.date(),
    )  # fmt: skip
    moment = question.window.end
    settled = Resolution(resolvable=True, answer="Yes", moment=moment, rule="yes_event", precision="stated")
    zero = dict.fromkeys(VALUES, 0.0) | {"coverage": 1.0}
    if fate in ("search_outage", "judge_failed"):
        return judged_sample(header, question, crux, None, unscored(fate))  # type: ignore[arg-type]
    if fate in ("resolved", "after_settlement"):
        reason = fate if fate == "after_settlement" else None
        return judged_sample(header, question, crux, settled, Settlement({**zero, "resolved": 1.0}, reason))
    if fate in ("temporal", "observability"):
        unresolvable = Resolution.unresolvable(fate, "")  # type: ignore[arg-type]
        return judged_sample(header, question, crux, unresolvable, Settlement(zero, "unresolvable"))
    return judged_sample(header, question, CruxFault(kind=fate, detail=""), None, Settlement(zero, fate))


def test_table_9_counts_every_sample_and_those_that_were_never_run(study: Study) -> None:
    rows = rows_of(failure_modes(study))
    assert rows["thrice"] == {
        "model": "thrice",
        "epochs": 3,
        "questions": 15,
        "resolved": 4,
        "temporal": 1,
        "observability": 1,
        "no_crux": 1,
        "out_of_dates": 1,
        "unscored: judge_failed": 1,
        "unscored: search_outage": 1,
        # Two epochs of q003, and all of q004.
        "unscored: not run": 5,
    }
    assert {key: count for key, count in rows["once"].items() if count} == {
        "model": "once",
        "epochs": 1,
        "questions": 5,
        "resolved": 2,
        "temporal": 1,
        "unscored: judge_failed": 1,
        "unscored: not run": 1,
    }


def test_table_9_names_what_it_counts(study: Study) -> None:
    table = failure_modes(study)
    titles = [column.title for column in table.columns]
    assert titles[:4] == ["Model", "Epochs", "Samples", "Resolved"]
    assert titles[-1] == "Unscored: not run"
    assert len(table.notes) == 2


@pytest.mark.parametrize("label", ["thrice", "once"])
def test_a_row_of_table_9_adds_up(study: Study, label: str) -> None:
    row = rows_of(failure_modes(study))[label]
    counts = [count for key, count in row.items() if key not in ("model", "epochs", "questions")]
    assert sum(counts) == row["questions"]  # type: ignore[arg-type]
    assert row["questions"] == len(study.questions) * row["epochs"]  # type: ignore[operator]


def test_table_1_has_the_mean_over_epochs(study: Study) -> None:
    table = value_of_information(study)
    rows = rows_of(table)
    assert rows["thrice"]["resolved"] == close(4 / 3)
    assert rows["thrice"]["rate"] == close(4 / 8)
    assert rows["thrice"]["questions"] == 3
    assert (rows["once"]["resolved"], rows["once"]["rate"], rows["once"]["questions"]) == (2.0, close(2 / 3), 3)
    places = {column.key: number for number, column in enumerate(table.columns)}
    shown = {cells[places["model"]].removeprefix("† "): cells[places["resolved"]] for cells in table.shown()}
    assert (shown["thrice"], shown["once"]) == ("1.3", "2.0")


@pytest.mark.parametrize("label", ["thrice", "once"])
def test_tables_1_and_9_agree(study: Study, label: str) -> None:
    one, nine = rows_of(value_of_information(study))[label], rows_of(failure_modes(study))[label]
    assert one["resolved"] * nine["epochs"] == close(nine["resolved"])  # type: ignore[operator]
    unscored_samples = sum(count for key, count in nine.items() if key.startswith("unscored"))  # type: ignore[misc]
    assert one["rate"] == close(nine["resolved"] / (nine["questions"] - unscored_samples))  # type: ignore[operator]


def test_with_one_epoch_the_tables_are_of_questions(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"lab/once": ONCE})
    nine = failure_modes(study)
    assert [column.title for column in nine.columns][:3] == ["Model", "Questions", "Resolved"]
    assert rows_of(nine)["once"]["questions"] == 5 and len(nine.notes) == 1
    one = value_of_information(study)
    assert rows_of(one)["once"]["resolved"] == 2
    (kind,) = [column.kind for column in one.columns if column.key == "resolved"]
    assert kind == "integer"


def test_a_model_without_any_score_has_no_rate(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"lab/once": ONCE, "lab/none": {"q000": ["judge_failed"]}})
    row = rows_of(value_of_information(study))["none"]
    assert row["resolved"] == 0 and math.isnan(row["rate"])  # type: ignore[arg-type]
    assert rows_of(failure_modes(study))["none"]["unscored: not run"] == 4


def test_several_cruxes_for_a_question_are_told_of(tmp_path: Path) -> None:
    made = SyntheticStudy(tmp_path, questions=5)
    study = make_study([str(write_run(made, "lab/two", ONCE, k=2))], {}, Options())
    assert "one that was resolved is enough" in failure_modes(study).notes[-1]
