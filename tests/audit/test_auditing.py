"""Audits of whole logs: what is collected, with which cutoffs, and what is said of logs that cannot be read."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import anyio
import pytest
from inspect_ai import Task, task_with
from inspect_ai import eval as evaluate_task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_samples, write_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, Model
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver, use_tools
from inspect_ai.tool import Tool, tool

from cruxbench_inspect.audit.auditing import audit
from cruxbench_inspect.audit.checks import findings_of
from cruxbench_inspect.audit.exposure import exposure_of
from cruxbench_inspect.audit.items import Item
from cruxbench_inspect.audit.rendering import render
from cruxbench_inspect.audit.results import Audit
from cruxbench_inspect.audit.ultimates import Ultimates
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import format_utc
from tasks.cruxbench import cruxbench
from tests.evaluating import evaluate, own_caches, samples_of
from tests.scripted_model import Answer, Call, crux_json, generator, judge, scripted, tool_call
from tests.small_set import QUOTE, outcome, question, report, write_set

NEWS = "The court upheld the licence on 4 March 2025, its clerk said."
EVIDENCE = (
    report(),
    # Its claimed date is fine, its text is from later.
    report(url="https://courier.example/edited", title="Harbour licence: the ruling explained",
           text="What the Alvara harbour court ruling on the licence means. Updated 14 March 2025."),
    report(url="https://courier.example/told", title="Harbour court",
           text="The Alvara harbour court ruling on the licence was right: the market resolved Yes."),
    report(url="https://courier.example/2025/04/02/harbour", title="Harbour licence ruling, a look back",
           text="The Alvara harbour court and its ruling on the licence."),
    report(url="https://courier.example/plans", title="Harbour licence: what comes next",
           text="After the ruling of the Alvara harbour court on the licence, the crossing will open on 20 May 2025."),
)  # fmt: skip


@tool
def news() -> Tool:
    async def execute() -> str:
        """Read the news."""
        return NEWS

    return execute


def researcher(call: Call) -> Answer:
    return tool_call("news") if call.turn == 0 else crux_json()


def thorough(call: Call) -> Answer:
    """Searches, reads everything that was found, and submits."""
    if call.role == "resolver" and 0 < call.turn <= len(call.found):
        return tool_call("fetch", document_id=call.found[call.turn - 1])
    return judge(lambda call: {"evidence": [{"document_id": ruling(call), "quote": QUOTE}]})(call)


def ruling(call: Call) -> str:
    found = re.search(r'<result id="([^"]+)"[^>]* title="Harbour licence upheld">', call.messages[3].text)
    assert found is not None
    return found[1]


class Run(NamedTuple):
    logs: Path
    log: EvalLog
    questions: Path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("audited")
    rules = question(description="Resolves Yes if the crossing carries paying traffic by 30 June 2025.")
    questions = write_set(folder / "small", [rules], judge=scripted(thorough).name, evidence=EVIDENCE)
    task = task_with(cruxbench(questions=str(questions)), solver=[use_tools(news()), generate()])
    with own_caches(folder / "caches"):
        yield Run(folder / "logs", evaluate(questions, scripted(researcher).name, folder / "logs", task), questions)


def sample_of(run: Run) -> EvalSample:
    (sample,) = read_eval_log_samples(run.log.location, resolve_attachments=True)
    return sample


def shown(run: Run) -> list[Item]:
    return exposure_of(sample_of(run), "log").items


def audited(*logs: Path | str, questions: QuestionSet | None = None, auditor: Model | None = None) -> Audit:
    return anyio.run(audit, logs, questions, auditor)


def test_planted_leaks_are_found_and_nothing_else(run: Run) -> None:
    found = audited(run.logs)
    kinds = {(item.role, item.kind, item.url or item.tool, finding.kind)
             for item in found.flagged for finding in item.findings if item.kind != "result"}  # fmt: skip
    assert kinds == {
        ("generator", "tool output", "news", "text_after"),
        ("judge", "document", "https://courier.example/edited", "text_after"),
        ("judge", "document", "https://courier.example/told", "resolution_told"),
        ("judge", "document", "https://courier.example/2025/04/02/harbour", "address_after"),
    }
    # Results show their snippets without an address.
    assert {item.title for item in found.flagged if item.kind == "result"} == {
        "Harbour licence: the ruling explained", "Harbour court",
    }  # fmt: skip
    assert found.problems == ()
    assert found.exit_code == 1


def test_each_part_has_its_cutoff(run: Run) -> None:
    items = shown(run)
    assert {(item.role, format_utc(item.cutoff)) for item in items} == {
        ("generator", "2025-03-01T00:00:00Z"),
        ("judge", "2025-03-09T12:00:00Z"),
    }
    assert sorted(item.kind for item in items if item.role == "generator") == ["article", "question", "tool output"]
    assert (
        sum(item.kind == "result" for item in items) == sum(item.kind == "document" for item in items) == len(EVIDENCE)
    )


def test_what_the_verifier_is_shown_counts_as_well(run: Run) -> None:
    items = shown(run)
    (cited,) = [item for item in items if item.kind == "document" and item.title == "Harbour licence upheld"]
    assert (cited.count, cited.tool, cited.proof) == (2, "fetch", "B")


def test_rates_add_up(run: Run) -> None:
    found = audited(run.logs)
    assert found.everything.items == sum(share.items for share in found.by_role.values())
    assert found.everything.flagged == len(found.flagged) == 6
    assert found.everything.rate == pytest.approx(6 / 13)
    low, high = found.everything.interval or (0, 0)
    assert low < 6 / 13 < high
    assert set(found.by_class) == {"B", "unknown"}


def test_the_result_is_printed_and_kept_as_json(run: Run) -> None:
    found = audited(run.logs)
    assert Audit.model_validate_json(found.model_dump_json()) == found
    text = render(found)
    assert "Updated 14 March 2025" in text
    assert "tool output shown to the generator by news, cutoff 2025-03-01T00:00:00Z" in text
    assert "46.15%" in text


def test_outcomes_come_from_the_set_that_is_named(run: Run, tmp_path: Path) -> None:
    # A set that is newer than the log: the market closed before the judges' cutoff, so that its end was public.
    earlier = write_set(tmp_path / "newer", judge=None, outcomes=[outcome(resolved_at="2025-03-05T00:00:00Z")])
    found = audited(run.logs, questions=QuestionSet.load(earlier))
    assert "resolution_told" not in {finding.kind for item in found.flagged for finding in item.findings}
    other = write_set(tmp_path / "other", [question(question="Will it rain?")], judge=None)
    (problem,) = audited(run.logs, questions=QuestionSet.load(other)).problems
    assert "'harbour': their outcomes are not looked for" in problem


def test_a_set_that_is_gone_is_said(run: Run, tmp_path: Path) -> None:
    log = run.log.model_copy(deep=True)
    for sample in samples_of(log):
        sample.metadata["set_path"] = str(tmp_path / "gone")
    write_eval_log(log, str(tmp_path / "moved.eval"))
    (problem,) = audited(tmp_path / "moved.eval").problems
    assert "gone" in problem and "--questions" in problem


def test_repeats_are_one_item(run: Run, tmp_path: Path) -> None:
    one = audited(run.logs)
    assert one.shown == one.everything.items + 1  # the verifier is shown again what the resolver fetched
    copied = tmp_path / "copied.eval"
    copied.write_bytes(Path(run.log.location).read_bytes())
    both = audited(run.logs, copied, copied)
    assert (both.samples, both.shown, both.everything) == (2, 2 * one.shown, one.everything)


def test_a_sample_with_odd_metadata_is_a_problem(run: Run, tmp_path: Path) -> None:
    log = run.log.model_copy(deep=True)
    (sample,) = samples_of(log)
    sample.metadata["window_start"] = "in March"
    write_eval_log(log, str(tmp_path / "odd.eval"))
    del sample.metadata["set_path"]
    write_eval_log(log, str(tmp_path / "without.eval"))
    problems = audited(tmp_path / "odd.eval", tmp_path / "without.eval").problems
    assert "window_start that is no ISO 8601 date and time" in problems[0]
    assert "has no set_path in its metadata" in problems[1]


def test_outputs_without_a_judgement_are_said_to_be_left_out(run: Run, tmp_path: Path) -> None:
    log = run.log.model_copy(deep=True)
    for sample in samples_of(log):
        sample.events = [event for event in sample.events if event.event != "info"]
    write_eval_log(log, str(tmp_path / "cut.eval"))
    found = audited(tmp_path / "cut.eval")
    assert set(found.by_role) == {"generator"}
    assert any("outside of any judgement" in problem for problem in found.problems)


@solver
def with_tools_of_its_own() -> Solver:
    """An agent whose tool calls leave no event, and that puts words into the model's mouth."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        told = f"On {LATER} the clerk said that the court upheld the licence."
        state.messages += [
            ChatMessageAssistant(content=f"I remember: on {LATER} the port was closed.", tool_calls=[]),
            ChatMessageTool(content=told, function="newswire", tool_call_id="1"),
        ]
        return await generate(state)

    return solve


LATER = "4 April 2025"


def test_what_has_no_event_of_its_own_is_looked_at_too(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", judge=None)
    evaluate(folder, scripted(generator()).name, tmp_path / "logs", solver=with_tools_of_its_own(), score=False)
    found = audited(tmp_path / "logs")
    assert {(item.kind, item.tool) for item in found.flagged} == {("message", None), ("tool output", "newswire")}


def test_logs_that_cannot_be_audited_are_problems(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.eval").write_bytes(b"no log")
    other = Task([Sample("hello")], solver=generate(), name="greeting")
    evaluate_task(other, model=scripted(lambda call: "hello").name, log_dir=str(tmp_path / "other"), display="log")
    header = read_eval_log(run.log.location, header_only=True)
    write_eval_log(header, str(tmp_path / "header.eval"))
    paths = ("missing.eval", "empty", "broken.eval", "other", "header.eval")
    found = audited(*(tmp_path / name for name in paths))
    assert [problem.rpartition("/")[2] for problem in found.problems[:2]] == [
        "missing.eval: there is no such file or folder",
        "empty: there is no log in it",
    ]
    assert "broken.eval: cannot be read" in found.problems[2]
    assert "not of 'cruxbench'" in found.problems[3]
    assert found.problems[4].endswith("header.eval: has no samples")
    assert (found.everything.rate, found.everything.interval, found.exit_code) == (None, None, 1)
    assert "Nothing was checked: the rate is not defined." in render(found)
    assert json.loads(found.model_dump_json())["everything"]["rate"] is None


def test_the_demo_set_leaks_nothing(tmp_path: Path) -> None:
    evaluate("demo", "cruxbench/keyword", tmp_path / "logs", limit=8)
    found = audited(tmp_path / "logs")
    assert found.samples == 8
    assert found.everything.items > 80
    assert render(found).count("shown to the") == 0, render(found)
    shutil.rmtree(tmp_path / "logs")
    assert audited(tmp_path / "logs").everything.items == 0


def test_long_logs_take_seconds(run: Run) -> None:
    sample = sample_of(run)
    (output,) = [event for event in sample.events if event.event == "tool" and event.function == "news"]
    paragraph = "The bank kept its rate on 3 January 2025, and a vote is due on 4 June 2026, 12:30 CET. "
    output.result = paragraph * (100_000 // len(paragraph))
    started = time.process_time()
    ultimate = Ultimates().of(sample.metadata)
    found = [finding for item in exposure_of(sample, "log").items for finding in findings_of(item, ultimate)]
    # A hundred such samples take seconds; the bound is wide, as machines differ.
    assert time.process_time() - started < 2
    assert not any(finding.excerpt.startswith("The bank") for finding in found)
