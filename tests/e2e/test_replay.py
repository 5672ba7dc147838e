"""An evaluation is repeated from its recording: without its evidence source, its network and its models."""

import socket
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog

import cruxbench_inspect.evidence.sources as sources
from cruxbench_inspect.errors import InputError
from tasks.cruxbench import cruxbench
from tests.evaluating import all_values, evaluate, rescore, samples_of, score_of
from tests.extent import cases
from tests.scripted_model import Answer, Call, generator, judge, scripted, tool_call
from tests.small_set import write_set


def model_calls(log: EvalLog) -> list[ModelEvent]:
    return [event for sample in samples_of(log) for event in sample.events if isinstance(event, ModelEvent)]


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: socket.socket, address: Any) -> None:
        raise AssertionError(f"a replay connects to {address}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_the_demo_set_is_replayed_without_its_archive_and_without_a_model(
    tmp_path: Path, no_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = tmp_path / "recorded" / "demo.sqlite"
    arguments = {"record": str(recording)}
    logs, limit = tmp_path / "logs", cases(8, 1_000)
    first = evaluate("demo", "cruxbench/keyword", logs, task_args=arguments, cache=True, limit=limit)
    assert any(event.cache != "read" for event in model_calls(first))

    def no_archive(*_: Any) -> None:
        raise AssertionError("a replay opens the archive")

    monkeypatch.setattr(sources, "Archive", no_archive)
    arguments = {"evidence": f"replay:{recording}"}
    second = evaluate("demo", "cruxbench/keyword", logs, task_args=arguments, cache=True, limit=limit)
    assert all_values(second) == all_values(first)
    assert len(model_calls(second)) == len(model_calls(first)) > 0
    assert [event.cache for event in model_calls(second)] == ["read"] * len(model_calls(second))
    assert [score_of(sample).answer for sample in samples_of(second)] == [
        score_of(sample).answer for sample in samples_of(first)
    ]


def test_a_log_is_rescored_from_a_recording_from_wherever_the_user_stands(tmp_path: Path) -> None:
    judges, model = scripted(judge()), scripted(generator())
    questions = write_set(tmp_path / "small", judge=judges.name)
    recording = tmp_path / "small.sqlite"
    log = evaluate(questions, model.name, tmp_path / "logs", task_args={"record": str(recording)})
    asked = len(judges.calls)
    again = rescore(log, evidence=f"replay:{recording}")
    assert all_values(again) == all_values(log)
    assert len(judges.calls) == asked


def test_a_request_that_was_not_recorded_leaves_the_sample_unscored_and_is_named(tmp_path: Path) -> None:
    def curious(call: Call) -> Answer:
        return tool_call("search", query="other words") if len(call.messages) == 2 else judge()(call)

    judges, model = scripted(judge()), scripted(generator())
    questions = write_set(tmp_path / "small", judge=judges.name)
    recording = tmp_path / "small.sqlite"
    evaluate(questions, model.name, tmp_path / "logs", task_args={"record": str(recording)})
    others = scripted(curious)
    roles = {"resolver": others.name, "verifier": others.name}
    arguments = {"evidence": f"replay:{recording}"}
    log = evaluate(questions, model.name, tmp_path / "logs", task_args=arguments, model_roles=roles)
    (sample,) = samples_of(log)
    assert score_of(sample).reason == "search_outage"
    assert 'has no answer to ["search", "other words", 8]' in str(score_of(sample).explanation)


def test_a_recording_that_is_not_there_is_told_before_anything_is_paid(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recording that can be read"):
        cruxbench(evidence=f"replay:{tmp_path}/missing.sqlite")
