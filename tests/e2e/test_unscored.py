"""Trouble of ours is no score, and is settled by scoring again."""

import re
from pathlib import Path
from typing import Any

import click
import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.solver import Generate, Solver, TaskState, solver

import scorers.voi
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import parse_utc
from tasks.cruxbench import cruxbench
from tests.evaluating import (
    ROOT,
    aggregate,
    all_values,
    evaluate,
    judge_events,
    rescore,
    samples_of,
    score_of,
    values_of,
)
from tests.evidence.fake_source import FakeSource, make_document
from tests.scripted_model import Answer, Call, crux_json, judge, scripted, tool_call
from tests.small_set import QUOTE, jump, question, write_set

NAMES = ("harbour", "pier", "quay")


def propose_by_name(call: Call) -> Answer:
    name = re.search(r"Alvara (\w+) crossing", call.messages[0].text)
    assert name is not None
    return crux_json(question=f"Will the {name[1]} licence be upheld by 7 March 2025?")


def failing_for(name: str, error: Exception, role: str = "resolver") -> Any:
    def play(call: Call) -> Answer:
        return error if name in call.crux["question"] and call.role == role else judge()(call)

    return play


def reasons(log: EvalLog) -> list[str | None]:
    return [score_of(sample).reason for sample in samples_of(log)]


class SlowDown(Exception):
    status_code = 429


@pytest.mark.parametrize(
    ("error", "role", "reason"),
    [
        (RuntimeError("broken"), "resolver", "judge_failed"),
        (RuntimeError("broken"), "verifier", "judge_failed"),
        (SlowDown("too many"), "resolver", "rate_limit"),
    ],
)
def test_a_judge_that_raises(tmp_path: Path, error: Exception, role: str, reason: str) -> None:
    judges, generator = scripted(failing_for("pier", error, role)), scripted(propose_by_name)
    questions = write_set(tmp_path / "small", [question(name) for name in NAMES], judge=judges.name)
    log = evaluate(questions, generator.name, tmp_path / "logs", max_retries=0)
    assert reasons(log) == [None, reason, None]
    assert values_of(samples_of(log)[1])["coverage"] == 0.0
    assert aggregate(log, "coverage") == pytest.approx(2 / 3)
    assert aggregate(log, "voi_kl") == values_of(samples_of(log)[0])["voi_kl"]
    assert str(error) in (score_of(samples_of(log)[1]).explanation or "")

    answered = [(call.role, call.crux["question"]) for call in judges.calls]
    judges.calls.clear()
    judges.play = judge()
    settled = rescore(log)
    assert reasons(settled) == [None, None, None]
    assert aggregate(settled, "coverage") == 1.0
    asked = {call.crux["question"] for call in judges.calls}
    assert asked == {"Will the pier licence be upheld by 7 March 2025?"}
    if role == "verifier":
        assert [call.role for call in judges.calls] == ["verifier"], answered
    # Every sample has the same scores as an undisturbed run, and its judges' work is in the log once.
    judges.calls.clear()
    assert all_values(settled) == all_values(evaluate(questions, generator.name, tmp_path / "undisturbed"))
    assert [len(judge_events(sample)) for sample in samples_of(settled)] == [6, 6, 6]
    assert judges.calls == []


def test_an_outage_of_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruling = make_document("2025-03-04T12:30:00Z", text=f"On Tuesday {QUOTE}.")
    source = FakeSource([ruling], fetched=ruling, failure=SourceFailure("fake", "network", "no route to it"))
    monkeypatch.setattr(scorers.voi, "open_source", lambda *_: source)

    def play(call: Call) -> Answer:
        return judge({} if call.found else {"resolvable": False, "failure_mode": "data_availability", "answer": None})(
            call
        )

    judges, generator = scripted(play), scripted(propose_by_name)
    questions = write_set(tmp_path / "small", [question()], judge=judges.name)
    log = evaluate(questions, generator.name, tmp_path / "logs")
    assert reasons(log) == ["search_outage"]
    assert "no route to it" in (score_of(samples_of(log)[0]).explanation or "")
    source.failure = None
    settled = rescore(log)
    assert reasons(settled) == [None]
    assert values_of(samples_of(settled)[0])["resolved"] == 1.0


def test_no_admissible_document(tmp_path: Path) -> None:
    nothing = {"resolvable": False, "failure_mode": "data_availability", "answer": None, "evidence": []}
    judges, generator = scripted(judge(nothing)), scripted(propose_by_name)
    late = {"url": "https://courier.example/late", "title": "Licence", "source": "courier", "text": f"{QUOTE}."}
    evidence = [{**late, "published": "2025-03-09T12:00:00Z"}]
    questions = write_set(tmp_path / "small", [question()], judge=judges.name, evidence=evidence)
    log = evaluate(questions, generator.name, tmp_path / "logs")
    assert reasons(log) == ["no_evidence"]
    assert aggregate(log, "coverage") == 0.0


def test_a_judge_that_submits_nothing_is_asked_anew_when_it_is_scored_again(tmp_path: Path) -> None:
    judges, generator = scripted(lambda call: "Hm."), scripted(propose_by_name)
    questions = write_set(tmp_path / "small", [question()], judge=judges.name)
    log = evaluate(questions, generator.name, tmp_path / "logs")
    assert reasons(log) == ["judge_failed"]
    metadata = score_of(samples_of(log)[0]).metadata
    assert metadata is not None and metadata["judge_attempts"] == 2
    number = len(judges.calls)
    judges.play = judge()
    settled = rescore(log)
    assert reasons(settled) == [None]
    assert len(judges.calls) == number + 3


def test_prices_that_are_missing_or_pending_and_a_window_that_is_open(tmp_path: Path) -> None:
    judges, generator = scripted(judge()), scripted(propose_by_name)
    future = question(
        "quay",
        opened="2998-12-01T00:00:00Z",
        closes="2999-12-01T00:00:00Z",
        window={"start": "2999-01-01T00:00:00Z", "end": "2999-01-08T00:00:00Z"},
    )
    questions = write_set(
        tmp_path / "small",
        [question("harbour"), question("pier"), future],
        judge=judges.name,
        prices={"harbour": jump(), "pier": None, "quay": None},
        outcomes=[],
        last_price=parse_utc("2025-03-08T22:00:00Z"),
    )
    log = evaluate(questions, generator.name, tmp_path / "logs")
    assert reasons(log) == ["prices_pending", "prices_missing", "window_open"]
    assert aggregate(log, "coverage") == 0.0
    assert judges.calls == []


@pytest.mark.parametrize("answer_before", [None, crux_json()])
def test_a_run_of_the_generator_that_ended_in_an_error(tmp_path: Path, answer_before: str | None) -> None:
    def play(call: Call) -> Answer:
        if "pier" in call.messages[0].text and (call.turn or answer_before is None):
            return ConnectionError("the provider is down")
        return propose_by_name(call)

    @solver
    def twice() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return await generate(await generate(state))

        return solve

    questions = write_set(tmp_path / "small", [question("harbour"), question("pier")], judge=scripted(judge()).name)
    log = evaluate(questions, scripted(play).name, tmp_path / "logs", solver=twice(), fail_on_error=False)
    harbour, pier = samples_of(log)
    assert pier.error is not None
    for scored in (log, rescore(log)):
        harbour, pier = samples_of(scored)
        assert pier.scores is not None
        score = pier.scores["voi"]
        assert score.reason == "generation_failed" and "the provider is down" in (score.explanation or "")
        assert isinstance(score.value, dict) and score.value["coverage"] == 0.0
        assert aggregate(scored, "voi_kl") == values_of(harbour)["voi_kl"]
        assert aggregate(scored, "coverage") == 0.5


def test_an_error_of_the_scorer_is_none_of_the_generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = write_set(tmp_path / "small", [question()], judge=scripted(judge()).name)
    with monkeypatch.context() as broken:
        broken.setattr(scorers.voi, "explain", lambda *arguments: 1 / 0)
        log = evaluate(questions, scripted(propose_by_name).name, tmp_path / "logs", fail_on_error=False)
    assert samples_of(log)[0].error is not None
    (sample,) = samples_of(rescore(log))
    assert sample.scores is not None and sample.scores["voi"].reason is None


def test_a_judge_that_does_not_search_is_trouble_of_ours(tmp_path: Path) -> None:
    nothing = {"resolvable": False, "failure_mode": "data_availability", "reasoning": "I cannot know."}
    judges = scripted(lambda call: tool_call("submit_resolution", **nothing))
    questions = write_set(tmp_path / "small", [question()], judge=judges.name)
    (sample,) = samples_of(evaluate(questions, scripted(propose_by_name).name, tmp_path / "logs"))
    assert values_of(sample)["coverage"] == 0.0
    assert score_of(sample).reason == "judge_failed"
    assert "searched nothing" in (score_of(sample).explanation or "")


def test_no_judge_is_named(tmp_path: Path) -> None:
    questions = write_set(tmp_path / "small", [question()], judge=None)
    message = "names no resolver, and this run names none either: add --model-role"
    with click.Context(click.Command("inspect")), pytest.raises(InputError, match=message):
        cruxbench(questions=str(questions))
    (log,) = eval(cruxbench(questions=str(questions)), model="cruxbench/keyword", display="log")
    assert log.status == "error" and log.samples is not None
    assert log.samples[0].error is not None and "names no resolver" in log.samples[0].error.message


def test_judges_that_a_run_names_for_a_set_without_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    judges, questions = scripted(judge()), write_set(tmp_path / "small", [question()], judge=None)
    roles: dict[str, Any] = {"resolver": judges.name, "verifier": judges.name}
    (log,) = eval(
        "tasks/cruxbench.py",
        task_args={"questions": str(questions)},
        model=scripted(propose_by_name).name,
        model_roles=roles,
        log_dir=str(tmp_path / "logs"),
        display="log",
    )
    assert reasons(log) == [None]
    assert judges.count("resolver", "verifier") == 3


def test_judges_that_a_run_names_for_a_task_that_is_made_in_python(tmp_path: Path) -> None:
    judges, questions = scripted(judge()), write_set(tmp_path / "small", [question()], judge=None)
    roles: dict[str, Any] = {"resolver": judges.name, "verifier": judges.name}
    log = evaluate(questions, scripted(propose_by_name).name, tmp_path / "logs", model_roles=roles)
    assert reasons(log) == [None]


def test_a_judge_without_its_key_leaves_the_log_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    generator = scripted(propose_by_name)
    questions = write_set(tmp_path / "small", [question()], judge="anthropic/claude-sonnet-4-6")
    log = evaluate(questions, generator.name, tmp_path / "logs")
    assert reasons(log) == ["judge_failed"]
    assert "ANTHROPIC_API_KEY" in (score_of(samples_of(log)[0]).explanation or "")
