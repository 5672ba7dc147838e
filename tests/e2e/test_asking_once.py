"""An answered judge call is not paid for again."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval_set
from inspect_ai.log import read_eval_log

from tasks.cruxbench import cruxbench
from tests.evaluating import all_values, evaluate, judge_events, samples_of
from tests.scripted_model import Answer, Call, Script, crux_json, generator, judge, scripted, silent
from tests.small_set import question, write_set


def roles(script: Script) -> list[str]:
    return [call.role for call in script.calls]


ONCE = ["resolver", "resolver", "verifier"]


def test_a_second_run_with_the_same_answers_asks_no_judge(tmp_path: Path) -> None:
    judges, model = scripted(judge()), scripted(generator())
    questions = write_set(tmp_path / "small", judge=judges.name)
    first = evaluate(questions, model.name, tmp_path / "logs")
    judges.play = silent
    second = evaluate(questions, model.name, tmp_path / "logs")
    assert all_values(first) == all_values(second)
    assert roles(judges) == ONCE and len(model.calls) == 2


def test_equal_cruxes_of_epochs_and_models_are_judged_once(tmp_path: Path) -> None:
    judges = scripted(judge())
    models = [scripted(generator(crux_json(rationale=f"Reason {number}."))) for number in (1, 2)]
    questions = write_set(tmp_path / "small", [question("harbour"), question("pier")], judge=judges.name)
    for model in models:
        log = evaluate(questions, model.name, tmp_path / "logs", epochs=3, max_samples=6)
        # Each sample holds the whole transcript, whoever paid for it.
        assert [len(judge_events(sample)) for sample in samples_of(log)] == [6] * 6
        assert len({str(values) for values in all_values(log)}) == 1
    assert roles(judges) == ONCE


@pytest.mark.parametrize("changes", [{"question": "Another one?"}, {"end_date": "2025-03-06"}, {"background": "More."}])
def test_what_a_judge_sees_of_a_crux_makes_it_another_one(tmp_path: Path, changes: dict[str, str]) -> None:
    judges = scripted(judge())
    questions = write_set(tmp_path / "small", judge=judges.name)
    for answer in (crux_json(), crux_json(**changes)):
        evaluate(questions, scripted(generator(answer)).name, tmp_path / "logs")
    assert roles(judges) == ONCE * 2


def test_a_run_that_was_interrupted_while_judging_goes_on_where_it_was(tmp_path: Path) -> None:
    def interrupted(call: Call) -> Answer:
        return KeyError("lost") if call.role == "verifier" else judge()(call)

    judges, model = scripted(interrupted), scripted(generator())
    questions = write_set(tmp_path / "small", judge=judges.name)
    evaluate(questions, model.name, tmp_path / "logs")
    judges.play = judge()
    evaluate(questions, model.name, tmp_path / "logs")
    assert roles(judges) == [*ONCE, "verifier"]


def test_an_eval_set_that_is_complete_does_nothing_when_it_is_run_again(tmp_path: Path) -> None:
    judges, model = scripted(judge()), scripted(generator())
    questions = write_set(tmp_path / "small", [question("harbour"), question("pier")], judge=judges.name)

    def run() -> list[Any]:
        success, logs = eval_set(
            cruxbench(questions=str(questions)), log_dir=str(tmp_path / "set"), model=model.name, display="log"
        )
        assert success
        return [all_values(read_eval_log(log.location)) for log in logs]

    first = run()
    calls = len(model.calls), len(judges.calls)
    assert calls == (2, 3)
    assert run() == first
    assert (len(model.calls), len(judges.calls)) == calls
