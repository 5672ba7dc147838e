"""Scoring that is deferred or repeated, against scoring as part of an evaluation."""

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import score
from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.scorer import Score
from inspect_ai.solver import Generate, Solver, TaskState, solver

from cruxbench_inspect.crux import Crux, read_crux
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.judge.judgement import Judgement, Terms, prompt_versions
from cruxbench_inspect.judge.recall import SOURCE, record
from cruxbench_inspect.resolution import GRACE, Resolution
from scorers.voi import voi
from tests.evaluating import aggregate, all_values, evaluate, judge_events, own_caches, rescore, samples_of, score_of
from tests.scripted_model import Answer, Call, Script, crux_json, generator, judge, scripted, silent
from tests.small_set import RULING, WINDOW_END, question, report, write_set

ANSWERS = {
    "harbour": crux_json(),
    "quay": crux_json(question="Will the Alvara quay be dry by 5 March 2025?", end_date="2025-03-05"),
    "pier": "I would rather not.",
}


def propose_by_name(call: Call) -> Answer:
    name = re.search(r"Alvara (\w+) crossing", call.messages[0].text)
    assert name is not None
    return ANSWERS[name[1]]


def settle_by_question(call: Call) -> dict[str, Any]:
    if "quay" not in call.crux["question"]:
        return {}
    return {"resolvable": False, "failure_mode": "temporal", "evidence": [], "answer": None}


class Run(NamedTuple):
    folder: Path
    generator: Script
    judge: Script
    log: EvalLog


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """An evaluation of three questions: scored, zero because unresolvable, zero without a crux."""
    folder = tmp_path_factory.mktemp("rescoring")
    with own_caches(folder / "caches"):
        judges, generator = scripted(judge(settle_by_question)), scripted(propose_by_name)
        questions = write_set(folder / "small", [question(name) for name in ANSWERS], judge=judges.name)
        yield Run(questions, generator, judges, evaluate(questions, generator.name, folder / "logs"))


@pytest.fixture
def asked(run: Run) -> Iterator[Script]:
    """The judge, which must not be asked again."""
    before, run.judge.play = run.judge.play, silent
    number = len(run.judge.calls)
    yield run.judge
    run.judge.play = before
    assert len(run.judge.calls) == number


def test_the_evaluation_itself(run: Run) -> None:
    reasons = {str(sample.id): score_of(sample).reason for sample in samples_of(run.log)}
    assert reasons == {"harbour": None, "pier": "no_crux", "quay": "unresolvable"}
    assert aggregate(run.log, "coverage") == 1.0
    assert aggregate(run.log, "resolved") == pytest.approx(1 / 3)
    assert aggregate(run.log, "voi_kl") == pytest.approx(sum(values["voi_kl"] for values in all_values(run.log)) / 3)
    assert run.log.results is not None and run.log.results.headline is not None
    assert run.judge.count("resolver") == 4


def test_deferred_scoring_gives_the_scores_of_the_direct_run(run: Run, tmp_path: Path) -> None:
    calls = len(run.judge.calls)
    unscored = evaluate(run.folder, run.generator.name, tmp_path, score=False)
    assert all(not sample.scores for sample in samples_of(unscored)) and len(run.judge.calls) == calls
    log = rescore(read_eval_log(unscored.location))
    assert all_values(log) == all_values(run.log)
    assert log.results is not None and run.log.results is not None
    metrics = [
        {score.name: {name: metric.value for name, metric in score.metrics.items()} for score in results.scores}
        for results in (log.results, run.log.results)
    ]
    assert json.dumps(metrics[0]) == json.dumps(metrics[1])
    for ours, theirs in zip(samples_of(log), samples_of(run.log), strict=True):
        assert _without_the_time(score_of(ours)) == _without_the_time(score_of(theirs))
        assert score_of(ours).explanation == score_of(theirs).explanation
        assert len(judge_events(ours)) == len(judge_events(theirs))


@pytest.mark.usefixtures("asked")
def test_another_width_asks_no_model_and_it_can_be_undone(run: Run) -> None:
    wide = rescore(run.log, width=48)
    for sample in samples_of(wide):
        metadata = score_of(sample).metadata
        assert metadata is not None and metadata["width"] == 48
    assert all_values(wide) != all_values(run.log)
    assert all_values(rescore(wide, width=24)) == all_values(run.log)


def test_another_width_gives_the_scores_of_a_run_at_that_width(run: Run, tmp_path: Path) -> None:
    fresh = evaluate(run.folder, run.generator.name, tmp_path, task_args={"width": 48})
    assert all_values(rescore(run.log, width=48)) == all_values(fresh)


@pytest.mark.usefixtures("asked")
def test_rescoring_from_another_folder_with_the_set_at_another_place(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = shutil.copytree(run.folder, tmp_path / "colleague" / "set")
    log = read_eval_log(run.log.location)
    for sample in samples_of(log):
        sample.metadata["set_path"] = "/nowhere/small"
    monkeypatch.chdir(tmp_path)
    assert all_values(rescore(log, questions=str(moved))) == all_values(run.log)
    with pytest.raises(InputError, match="there is no question set '/nowhere/small'"):
        rescore(log)


@pytest.mark.usefixtures("asked")
def test_a_set_that_is_not_the_log_s_is_refused(run: Run, tmp_path: Path) -> None:
    names = [question(name) for name in ANSWERS]
    other = write_set(tmp_path / "small", names, judge=run.judge.name, evidence=[report(title="Changed")])
    with pytest.raises(InputError) as refused:
        rescore(run.log, questions=str(other))
    digest = samples_of(run.log)[0].metadata["set_digest"]
    assert f"is not the one that this log was made with (digest {digest[:12]})" in str(refused.value)
    assert "-S questions=FOLDER" in str(refused.value)


@pytest.mark.usefixtures("asked")
def test_the_judges_transcripts_are_kept_exactly_once(run: Run) -> None:
    before = {sample.id: judge_events(sample) for sample in samples_of(run.log)}
    assert {name: len(events) for name, events in before.items()} == {"harbour": 6, "pier": 0, "quay": 4}
    log = run.log
    for width in (12, 36, 24):
        log = rescore(log, width=width)
        for sample in samples_of(log):
            kept = judge_events(sample)
            assert [_shown(event) for event in kept] == [_shown(event) for event in before[sample.id]]
            assert len({event.uuid for event in sample.events}) == len(sample.events)
            judgements = [event for event in sample.events if isinstance(event, InfoEvent) and event.source == SOURCE]
            assert len(judgements) == bool(before[sample.id])


def test_the_transcripts_of_equal_cruxes_do_not_multiply(tmp_path: Path) -> None:
    judges = scripted(judge())
    crux = json.loads(crux_json().split("\n")[1])
    both = scripted(generator(json.dumps({"cruxes": [crux, crux]})))
    log = evaluate(write_set(tmp_path / "small", judge=judges.name), both.name, tmp_path, task_args={"k": 2})
    assert len(judges.calls) == 3
    for _ in range(3):
        (sample,) = samples_of(log)
        assert [event.event for event in judge_events(sample)].count("model") == 6
        log = rescore(log)


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("change", [{}, {"judgement": 7}, {"judgement": {"unheard": "of"}}, None])
def test_a_record_in_another_form_is_passed_over(tmp_path: Path, change: Any) -> None:
    questions = write_set(tmp_path / "small", [question()], judge=scripted(judge()).name)
    log = evaluate(questions, scripted(generator()).name, tmp_path / "logs")
    values = all_values(log)
    for event in samples_of(log)[0].events:
        if isinstance(event, InfoEvent) and event.source == SOURCE:
            event.data = change
    assert all_values(rescore(log)) == values


def test_a_solver_cannot_leave_a_judgement_for_itself(tmp_path: Path) -> None:
    unresolvable = {"resolvable": False, "failure_mode": "temporal", "evidence": [], "answer": None}
    judges = scripted(judge(unresolvable))
    questions = write_set(tmp_path / "small", [question()], judge=judges.name)
    crux = read_crux(crux_json())
    assert isinstance(crux, Crux)
    terms = Terms(
        resolver=judges.name,
        verifier=judges.name,
        prompts=prompt_versions(True),
        cutoff=WINDOW_END + GRACE,
        evidence="archive",
    )
    claimed = Resolution(
        resolvable=True, answer="Yes", moment=RULING, precision="stated", rule="yes_event", reasoning="Trust me."
    )

    @solver
    def cheat() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            record(crux, Judgement(crux_key=crux.key, terms=terms, resolution=claimed))
            return await generate(state)

        return solve

    log = evaluate(questions, scripted(generator()).name, tmp_path / "logs", solver=cheat())
    assert score_of(samples_of(log)[0]).reason == "unresolvable"
    assert judges.count("resolver") > 0


def test_two_scorers_at_once(run: Run) -> None:
    log = run.log
    for _ in range(3):
        log = score(log, [voi(width=12), voi(width=48)], action="overwrite", model="none", display="log")
    for sample in samples_of(log):
        assert sample.scores is not None and len(sample.scores) == 2
        assert len(judge_events(sample)) == {"harbour": 6, "pier": 0, "quay": 4}[str(sample.id)]


@pytest.mark.usefixtures("asked")
def test_a_score_beside_the_first_one(run: Run) -> None:
    log = rescore(run.log, action="append", width=48)
    for sample in samples_of(log):
        assert sample.scores is not None and len(sample.scores) == 2
        assert len(judge_events(sample)) == {"harbour": 6, "pier": 0, "quay": 4}[str(sample.id)]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    "actions",
    [
        ("append", "append", "overwrite"),
        ("overwrite", "append", "overwrite"),
        ("append", "overwrite", "append", "append"),
    ],
)
def test_judgements_are_found_again_however_scores_were_added(run: Run, tmp_path: Path, actions: Sequence[str]) -> None:
    log = run.log
    for number, action in enumerate(actions):
        file = tmp_path / f"{number}.eval"
        write_eval_log(rescore(log, action=action, width=12 * (number + 1)), str(file))
        log = read_eval_log(str(file))
    assert all_values(rescore(log, width=24)) == all_values(run.log)


@pytest.mark.usefixtures("asked")
def test_the_log_survives_being_written_and_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "scored.eval"
    write_eval_log(rescore(run.log, width=48), str(file))
    assert all_values(rescore(read_eval_log(str(file)), width=24)) == all_values(run.log)


@pytest.mark.parametrize("parameters", [{"width": 0}, {"width": 49}, {"evidence": "the stars"}])
def test_a_wrong_parameter_is_told(run: Run, parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"width is|unknown evidence source"):
        rescore(run.log, **parameters)


def _bound(run: Run, tmp_path: Path) -> tuple[Script, EvalLog]:
    """An evaluation that names its judges itself."""
    bound = scripted(judge(settle_by_question))
    roles: dict[str, Any] = {"resolver": bound.name, "verifier": bound.name}
    return bound, evaluate(run.folder, run.generator.name, tmp_path, model_roles=roles)


def test_judges_that_a_run_names_are_not_asked_again_either(run: Run, tmp_path: Path) -> None:
    bound, log = _bound(run, tmp_path)
    assert bound.count("resolver") == 4
    bound.play = silent
    calls = len(bound.calls)
    assert all_values(rescore(log)) == all_values(run.log)
    assert len(bound.calls) == calls


@pytest.mark.xfail(strict=True, reason="Inspect makes the models of a log's roles before it scores; they want a key")
def test_judges_that_a_run_names_need_no_key_for_rescoring(run: Run, tmp_path: Path) -> None:
    bound, log = _bound(run, tmp_path)
    bound.has_key = False
    assert all_values(rescore(log)) == all_values(run.log)


def test_without_the_verifier_the_judgement_is_another_one(run: Run) -> None:
    verified = run.judge.count("verifier")
    log = rescore(run.log, verify=False)
    assert run.judge.count("verifier") == verified
    (harbour,) = [sample for sample in samples_of(log) if sample.id == "harbour"]
    metadata = score_of(harbour).metadata
    assert metadata is not None and "verifier" not in metadata
    assert "verifier" not in metadata["judge_prompts"]


def _without_the_time(score: Score) -> dict[str, Any]:
    assert score.metadata is not None and "made_at" in score.metadata
    return {**score.metadata, "made_at": None, "judge_seconds": None}


def _shown(event: Any) -> tuple[Any, ...]:
    if event.event == "model":
        return event.event, event.role, event.timestamp, len(event.input), event.output.message.tool_calls
    return event.event, event.function, event.timestamp, event.result
