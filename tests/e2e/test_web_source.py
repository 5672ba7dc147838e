"""Evaluations whose judge searches the web, which is on loopback here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from tests.evaluating import all_values, evaluate, judge_events, samples_of, score_of, values_of
from tests.evidence.fake_source import FakeSource, make_document
from tests.loopback.faults import Fault
from tests.loopback.mediawiki import WikiPage
from tests.loopback.world import DAY, QUOTE, RULING_PAGE, World, harbour_world
from tests.scripted_model import Answer, Call, Play, generator, judge, ruled, scripted, tool_call
from tests.small_set import write_set


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = harbour_world()
    with world.served() as settings:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        yield world


def reading(answer: str = "Yes") -> Play:
    """A judge that searches, reads the second document (the first one's report), and submits from that; or a No."""

    def play(call: Call) -> Answer:
        if call.role == "verifier" or call.turn == 0:
            return judge()(call)
        if call.turn == 1 and call.found:
            return tool_call("fetch", document_id=call.found[:2][-1])
        if answer == "Yes":
            evidence = [{"document_id": call.found[-1], "quote": QUOTE}] if call.found else []
            return tool_call("submit_resolution", **{**ruled(call), "evidence": evidence})
        return tool_call("submit_resolution", **deadline(call))

    return play


def deadline(call: Call) -> dict[str, Any]:
    """A No at the deadline, from the title of the first document or from nothing."""
    title = re.search(r'title="([^"]{12,})"', call.text.replace('\\"', '"'))
    evidence = [{"document_id": call.found[0], "quote": title[1]}] if call.found and title else []
    return {
        **ruled(call),
        "answer": "No",
        "rule": "no_deadline",
        "precision": "deadline",
        "local_time": None,
        "zone": None,
        "evidence": evidence,
    }


def run(tmp_path: Path, play: Play, **task_args: str) -> EvalLog:
    questions = write_set(tmp_path / "small", judge=scripted(play).name, evidence=())
    arguments = {"evidence": "web", **task_args}
    return evaluate(questions, scripted(generator()).name, tmp_path / "logs", task_args=arguments)


def test_a_crux_is_settled_from_the_web_and_replayed_without_it(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = tmp_path / "web.sqlite"
    judges, model = scripted(reading()), scripted(generator())
    questions = write_set(tmp_path / "small", judge=judges.name, evidence=())
    first = evaluate(
        questions, model.name, tmp_path / "logs", task_args={"evidence": "web", "record": str(recording)}, cache=True
    )
    (sample,) = samples_of(first)
    assert values_of(sample)["coverage"] == values_of(sample)["resolved"] == 1.0
    assert values_of(sample)["voi_kl"] > 0
    asked = len(judges.calls), len(model.calls)
    requests = len(world.gdelt.requests) + len(world.wiki.requests) + len(world.wayback.requests)
    monkeypatch.setenv("CRUXBENCH_CACHE_DIR", str(tmp_path / "another cache"))
    second = evaluate(
        questions, model.name, tmp_path / "logs", task_args={"evidence": f"replay:{recording}"}, cache=True
    )
    assert all_values(second) == all_values(first)
    assert (len(judges.calls), len(model.calls)) == asked
    assert len(world.gdelt.requests) + len(world.wiki.requests) + len(world.wayback.requests) == requests
    assert len(judge_events(samples_of(second)[0])) == len(judge_events(sample))


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_an_outage_of_everything_scores_nothing(tmp_path: Path, world: World, answer: str) -> None:
    """Every search fails: no 0 and no No by the deadline."""
    world.wiki.faults.extend([Fault(200, b"{}")] * 500)
    (sample,) = samples_of(run(tmp_path, reading(answer)))
    assert values_of(sample)["coverage"] == 0.0 and score_of(sample).reason == "search_outage"


def test_a_silent_outage_scores_nothing(tmp_path: Path, world: World) -> None:
    """Every search is empty."""
    for page in (DAY, "Alvara crossing"):
        world.wiki.add(WikiPage(page, []))
    (sample,) = samples_of(run(tmp_path, reading("No")))
    assert values_of(sample)["coverage"] == 0.0 and score_of(sample).reason == "no_evidence"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(404, b"Not Found"),
        Fault(451, b""),
        Fault(200, b""),
        Fault(302, b"", {"location": "https://login.example/"}),
        Fault(302, b"", {"location": "/"}),
        Fault(403, b"Access denied: too many requests"),
    ],
    ids=lambda fault: f"{fault.status} {fault.headers.get('location', '')}",
)
def test_an_archive_that_answers_no_fetch_scores_nothing(tmp_path: Path, world: World, fault: Fault) -> None:
    """Searches show a line of news each, and every copy that was listed is not to be had."""
    world.wayback.replay_faults.extend([fault] * 500)
    (sample,) = samples_of(run(tmp_path, reading("No")))
    assert values_of(sample)["coverage"] == 0.0
    assert score_of(sample).reason in ("no_evidence", "search_outage")


def test_titles_alone_score_nothing(tmp_path: Path, world: World) -> None:
    """Searches give titles, and every fetch is refused."""
    source = FakeSource(
        [make_document("2025-03-03", url=RULING_PAGE, title="Harbour licence before the court", text="")]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scorers.voi.open_source", lambda *_: source)
        (sample,) = samples_of(run(tmp_path, reading("No"), record=str(tmp_path / "kept")))
    assert source.fetches
    assert values_of(sample)["coverage"] == 0.0 and score_of(sample).reason == "no_evidence"
