"""What whole samples give of a question's cruxes: from real runs and rescoring, from damaged and from forged logs."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import InfoEvent, SpanBeginEvent
from inspect_ai.log import EvalSample, read_eval_log, write_eval_log

from cruxbench_inspect.judge.recall import SOURCE
from cruxbench_inspect.report.case_samples import CaseSamples, SettledCrux, read_case_samples
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.price_figures import price_figures
from cruxbench_inspect.report.tables.questions import question_table
from cruxbench_inspect.utc import parse_utc
from tests.evaluating import evaluate, own_caches, rescore, samples_of
from tests.scripted_model import crux_json, generator, judge, scripted
from tests.small_set import QUOTE, question, report, write_set

LONG = "The court of the harbour has heard the case of the crossing for two years. " * 4
TITLE = f"Harbour licence upheld, after all: {LONG}".strip()
MOVED = {"changed": True, "local_time": "2025-03-04T11:30:00", "reason": f"The clock was an hour off. {LONG}"}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run of two questions in two epochs, with a verifier that moves the time."""
    folder = tmp_path_factory.mktemp("cases")
    questions = write_set(
        folder / "small",
        [question("harbour"), question("pier")],
        judge=scripted(judge(verification=MOVED)).name,
        evidence=[report(title=TITLE)],
    )
    model = scripted(generator(crux_json(background=LONG, rationale=f"It is the last hurdle. {LONG}")))
    with own_caches(folder / "caches"):
        made = evaluate(questions, model.name, folder / "logs", epochs=2)
        yield Path(made.location.removeprefix("file://"))


def study_of(path: Path) -> Study:
    return make_study([str(path)], {}, Options())


def read(path: Path, key: str = "harbour") -> CaseSamples:
    study = study_of(path)
    return read_case_samples(study, study.labels, key)


def only(found: CaseSamples) -> SettledCrux:
    ((crux,),) = found.values()
    return crux


def changed(path: Path, target: Path, change: Any) -> Path:
    """A copy of a log with every sample changed."""
    log = read_eval_log(str(path))
    for sample in samples_of(log):
        change(sample)
    write_eval_log(log, str(target))
    return target


def test_texts_evidence_and_the_verifier_s_reason_are_whole(log: Path) -> None:
    found = only(read(log))
    assert found.crux.background == LONG.strip()
    assert found.crux.rationale.startswith("It is the last hurdle.")
    resolution = found.resolution
    assert resolution is not None and resolution.verification is not None
    (cited,) = resolution.evidence
    assert (cited.title, cited.quote, cited.url) == (TITLE, QUOTE, "https://courier.example/ruling")
    assert resolution.moment == parse_utc("2025-03-04T11:30:00Z")
    assert resolution.verification.moment_before == parse_utc("2025-03-04T12:30:00Z")
    assert resolution.verification.reason.strip() == str(MOVED["reason"]).strip()


@pytest.mark.parametrize("action", ["append", "overwrite"])
def test_a_log_that_was_scored_again_gives_its_newest_judgement(log: Path, tmp_path: Path, action: str) -> None:
    again = rescore(read_eval_log(str(log)), action, verify=False)
    path = tmp_path / "again.eval"
    write_eval_log(again, str(path))
    resolution = only(read(path)).resolution
    assert resolution is not None and resolution.verification is None
    assert resolution.moment == parse_utc("2025-03-04T12:30:00Z")


@pytest.mark.parametrize("place", ["at its time", "as if while scoring", "at the end"])
def test_what_the_system_under_test_writes_is_no_judgement(log: Path, tmp_path: Path, place: str) -> None:
    def forge(sample: EvalSample) -> None:
        (solvers,) = [one for one in sample.events if isinstance(one, SpanBeginEvent) and one.name == "solvers"]
        (record,) = [one for one in sample.events if isinstance(one, InfoEvent) and one.source == SOURCE]
        data: Any = record.data
        resolution = {**data["judgement"]["resolution"], "answer": "No", "rule": "no_irreversible"}
        forged = record.model_copy(
            update={
                "data": {**data, "judgement": {**data["judgement"], "resolution": resolution}},
                "span_id": solvers.id,
                "uuid": "forged",
            }
        )
        after: Any = {"at its time": solvers, "as if while scoring": record, "at the end": sample.events[-1]}[place]
        number = sample.events.index(after) + 1
        sample.events = [*sample.events[:number], forged, *sample.events[number:]]

    found = only(read(changed(log, tmp_path / "forged.eval", forge)))
    assert found.resolution is not None and found.resolution.answer == "Yes"


def test_the_epoch_that_tables_tell_is_read(log: Path, tmp_path: Path) -> None:
    def change(sample: EvalSample) -> None:
        assert sample.scores is not None
        if sample.epoch == 1:
            value = sample.scores["voi"].value
            assert isinstance(value, dict)
            sample.scores["voi"].value = {**dict.fromkeys(value, float("nan")), "coverage": 0.0}
        else:
            answer = crux_json(background="Of the second epoch.")
            sample.messages[-1].content = answer
            sample.output.completion = answer

    assert only(read(changed(log, tmp_path / "epochs.eval", change))).crux.background == "Of the second epoch."


def test_several_cruxes_are_in_their_order_with_their_own_resolutions(tmp_path: Path) -> None:
    first, second = (f"Will the Alvara harbour court uphold the licence by {day} March 2025?" for day in (6, 7))
    answer = f'{{"cruxes": [{crux_json(question=first)[len("A ruling is due.") :]},' + (
        f"{crux_json(question=second)[len('A ruling is due.') :]}]}}"
    )
    play = judge(lambda call: {"answer": "No", "rule": "no_irreversible"} if call.crux["question"] == second else {})
    questions = write_set(tmp_path / "small", judge=scripted(play).name)
    with own_caches(tmp_path / "caches"):
        made = evaluate(questions, scripted(generator(answer)).name, tmp_path / "logs", task_args={"k": 2})
    ((one, other),) = read(Path(made.location.removeprefix("file://"))).values()
    assert (one.crux.question, other.crux.question) == (first, second)
    assert one.resolution is not None and other.resolution is not None
    assert (one.resolution.answer, other.resolution.answer) == ("Yes", "No")


def test_a_crux_with_a_fault_has_its_texts_and_no_resolution(log: Path, tmp_path: Path) -> None:
    def change(sample: EvalSample) -> None:
        answer = crux_json(start_date="2024-01-01", rationale="Too early.")
        sample.messages[-1].content = answer
        sample.output.completion = answer
        sample.events = [one for one in sample.events if not isinstance(one, InfoEvent)]

    found = only(read(changed(log, tmp_path / "fault.eval", change)))
    assert (found.crux.rationale, found.resolution) == ("Too early.", None)


def test_without_a_crux_in_the_answer_its_record_tells(log: Path, tmp_path: Path) -> None:
    def change(sample: EvalSample) -> None:
        sample.messages[-1].content = "See above."
        sample.output.completion = "See above."

    found = only(read(changed(log, tmp_path / "record.eval", change)))
    assert found.crux.background == LONG.strip() and found.resolution is not None


@pytest.mark.parametrize("content", [b"", b"{", b'{"id": 3}', b"[]"])
def test_a_damaged_sample_leaves_the_table_as_it_was(log: Path, tmp_path: Path, content: bytes) -> None:
    damaged = tmp_path / "damaged.eval"
    with zipfile.ZipFile(log) as old, zipfile.ZipFile(damaged, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name.startswith("samples/harbour") else old.read(name))
    study = study_of(damaged)
    assert read_case_samples(study, study.labels, "harbour") == {}
    assert len(read_case_samples(study, study.labels, "pier")) == 1
    table = question_table(study, "harbour", {}, study.labels)
    assert table.rows == question_table(study, "harbour").rows and len(table.rows) == 1
    note, of_epochs = table.notes
    assert note.endswith("do not give this question's whole sample, which has the rest.")
    assert of_epochs.startswith("Of several epochs the first")
    (figure,) = price_figures(study, study.labels, "harbour", {}, "price")
    assert TITLE[:30] not in str(figure.spec)


def test_entries_that_are_not_shown_are_not_read(log: Path) -> None:
    study = study_of(log)
    assert read_case_samples(study, [], "harbour") == {}
    assert read_case_samples(study, study.labels, "nothing") == {}


def test_the_figure_names_the_evidence(log: Path) -> None:
    study = study_of(log)
    samples = read_case_samples(study, study.labels, "harbour")
    (figure,) = price_figures(study, study.labels, "harbour", samples, "price")
    assert TITLE[:60] in str(figure.spec)
