"""The offline model as generator, resolver and verifier, through the interface of an Inspect model."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput, get_model
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo, ToolParam, ToolParams

from cruxbench_inspect.crux import Crux, CruxFault, read_crux, read_cruxes, restates
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.keyword_model import KeywordModel
from tests.keyword.conversations import (
    RESOLVER_TOOLS,
    VERIFIER_TOOLS,
    Judge,
    crux_prompt,
    document,
    generator_prompt,
    verifier_prompt,
)

U = "Will Amberly Foods complete its purchase of Corran Mills by 30 August 2025?"
ARTICLES = [
    {
        "title": "Ruling set",
        "source": "Gazette",
        "published": "2025-05-20T08:00:00Z",
        "summary": "The Trade Court of Hallin will rule on the purchase of Corran Mills by Amberly Foods "
        "on 9 June 2025 at 15:00 local time. Lawyers & bankers wait.",
    },
    {
        "title": "Traffic in the port",
        "source": "Gazette",
        "published": "2025-05-21T08:00:00Z",
        "summary": "The Hallin Port Office publishes the weekly grain count every Thursday. "
        "The last ones were 410 and 432.",
    },
]
RULING: dict[str, Any] = {
    "question": "Will the Trade Court of Hallin approve the purchase of Corran Mills by 10 June 2025?",
    "background": "The Trade Court of Hallin will rule on the purchase on 9 June 2025.",
    "resolution_criteria": "Yes if it is approved.",
    "start_date": "2025-05-22",
    "end_date": "2025-06-10",
}
AVAILABLE = "2025-06-22T11:59:59Z"


def ask(prompt: str, *more: str, tools: list[ToolInfo] | None = None, choice: ToolChoice = "auto") -> ModelOutput:
    messages: list[ChatMessage] = [ChatMessageUser(content=prompt)]
    for text in more:
        messages += [ChatMessageAssistant(content="-"), ChatMessageUser(content=text)]
    return anyio.run(KeywordModel("keyword").generate, messages, tools or [], choice, GenerateConfig())


def judged(crux: dict[str, Any], *documents: dict[str, str], refusals: int = 0) -> tuple[dict[str, Any], Judge]:
    judge = Judge(crux_prompt(crux, AVAILABLE), documents, refusals)
    return anyio.run(judge.submission), judge


def test_it_is_found_by_name_and_other_names_are_refused() -> None:
    assert isinstance(get_model("cruxbench/keyword").api, KeywordModel)
    with pytest.raises(InputError, match="cruxbench/other"):
        KeywordModel("other")
    with pytest.raises(InputError, match="temper"):
        KeywordModel("keyword", temper=1)


def test_a_scheduled_ruling_becomes_a_question_about_its_outcome() -> None:
    output = ask(generator_prompt(U, ARTICLES, "2025-05-22", "2025-06-21"))
    crux = read_crux(output.completion)
    assert isinstance(crux, Crux)
    assert crux.question == (
        "Will the Trade Court of Hallin approve the purchase of Corran Mills by Amberly Foods "
        "(decision due on 9 June 2025)?"
    )
    assert (crux.start_date.isoformat(), crux.end_date.isoformat()) == ("2025-05-22", "2025-06-10")
    assert crux.yes_makes_u == "more likely"
    assert "Gazette, 20 May 2025" in crux.background
    assert output.model == "cruxbench/keyword"
    assert output.usage is not None and output.usage.input_tokens > 100 and output.usage.output_tokens > 50


def test_several_different_cruxes_where_several_are_asked_for() -> None:
    prompt = generator_prompt(
        U, ARTICLES, "2025-05-22", "2025-06-21", 'a JSON object {"cruxes": [...]} of 2 different cruxes'
    )
    cruxes = read_cruxes(ask(prompt).completion, 2)
    assert not isinstance(cruxes, CruxFault)
    assert len(cruxes) == 2
    assert isinstance(cruxes[1], Crux)
    assert "weekly grain count" in cruxes[1].question and "above 432" in cruxes[1].question


def test_a_repair_turn_gets_the_json_alone() -> None:
    prompt = generator_prompt(U, ARTICLES, "2025-05-22", "2025-06-21")
    repaired = ask(prompt, "That cannot be used.").completion
    assert json.loads(repaired)["question"] in ask(prompt).completion


def test_an_agent_with_a_submit_tool_gets_a_call_of_it() -> None:
    submit = ToolInfo(
        name="submit", description="end", parameters=ToolParams(properties={"answer": ToolParam(type="string")})
    )
    calls = ask(generator_prompt(U, ARTICLES, "2025-05-22", "2025-06-21"), tools=[submit]).message.tool_calls
    assert calls is not None
    assert isinstance(read_crux(calls[0].arguments["answer"]), Crux)


def test_a_prompt_without_a_question_gets_no_crux() -> None:
    assert isinstance(read_crux(ask("Good morning.").completion), CruxFault)


@pytest.mark.parametrize("articles", [[], [{**ARTICLES[0], "summary": "Nothing is planned."}]])
def test_without_an_announced_event_there_is_still_a_crux(articles: list[dict[str, str]]) -> None:
    crux = read_crux(ask(generator_prompt(U, articles, "2025-05-22", "2025-06-21")).completion)
    assert isinstance(crux, Crux)
    assert restates(crux, U) is None


def test_a_stated_time_of_a_yes() -> None:
    hearing = "The Trade Court of Hallin may approve the purchase of Corran Mills."
    ruling = (
        "The Trade Court of Hallin cleared the purchase of Corran Mills & its silos. "
        "The ruling was read at 15:00 Hallin time (Europe/Vienna) on 9 June 2025."
    )
    submission, judge = judged(
        RULING,
        document("a", "2025-05-23T10:00:00Z", "Court hears Corran Mills", hearing),
        document("b", "2025-06-09T13:20:00Z", "Corran Mills can be sold", ruling),
    )
    assert submission["answer"] == "Yes" and submission["rule"] == "yes_event"
    assert (submission["local_time"], submission["zone"], submission["precision"]) == (
        "2025-06-09T15:00:00",
        "Europe/Vienna",
        "stated",
    )
    assert submission["evidence"] == [
        {"document_id": "doc-b", "quote": "The Trade Court of Hallin cleared the purchase of Corran Mills & its silos."}
    ]
    assert judge.calls == ["search", "search", "fetch", "fetch", "submit_resolution"]


def test_a_rejection_is_an_irreversible_no() -> None:
    text = "The Trade Court of Hallin blocked the purchase of Corran Mills on 9 June 2025."
    submission, _ = judged(RULING, document("a", "2025-06-10", "Ruling", text))
    assert (submission["answer"], submission["rule"], submission["precision"]) == ("No", "no_irreversible", "date_only")
    assert submission["local_time"] == "2025-06-09"


def test_an_open_matter_is_a_no_by_the_deadline() -> None:
    text = "The Trade Court of Hallin has not ruled on the purchase of Corran Mills; it took more time."
    submission, _ = judged(RULING, document("a", "2025-06-10T12:00:00Z", "Corran Mills still waits", text))
    assert (submission["answer"], submission["rule"], submission["precision"]) == ("No", "no_deadline", "deadline")
    assert submission["evidence"][0]["quote"] in text


def test_a_due_event_that_no_document_reports_is_unresolvable() -> None:
    text = "The Trade Court of Hallin prepares its ruling on the purchase of Corran Mills."
    submission, _ = judged(RULING, document("a", "2025-06-01T12:00:00Z", "Corran Mills", text))
    assert (submission["resolvable"], submission["failure_mode"]) == (False, "data_availability")


def test_an_undated_report_is_unresolvable_in_time() -> None:
    text = "The Trade Court of Hallin has by now approved the purchase of Corran Mills."
    submission, _ = judged(RULING, document("a", "2025-06-10T12:00:00Z", "Corran Mills", text))
    assert (submission["resolvable"], submission["failure_mode"]) == (False, "temporal")


def test_nothing_found_after_three_searches_is_unresolvable() -> None:
    submission, judge = judged(RULING)
    assert judge.calls == ["search", "search", "search", "submit_resolution"]
    assert len({str(call.arguments["query"]) for call in _calls(judge)[:3]}) == 3
    assert submission["failure_mode"] == "data_availability"


@pytest.mark.parametrize(("count", "answer"), [("441", "Yes"), ("432", "No"), ("1,002", "Yes"), ("97.5", "No")])
def test_a_figure_is_compared_with_the_threshold(count: str, answer: str) -> None:
    crux = {
        **RULING,
        "question": "Will the next weekly grain count from the Hallin Port Office, due on 29 May 2025, be above 432?",
    }
    text = (
        f"The Hallin Port Office reported a weekly grain count of {count} on 29 May 2025, after 432 in the week before."
    )
    submission, _ = judged(crux, document("a", "2025-05-29T12:00:00Z", "Grain count", text))
    assert (submission["answer"], submission["local_time"]) == (answer, "2025-05-29")


def test_a_refused_submission_is_mended_and_then_given_up() -> None:
    text = "The Trade Court of Hallin approved the purchase of Corran Mills at 15:00 (Europe/Vienna) on 9 June 2025."
    found = document("a", "2025-06-09T14:00:00Z", "Ruling", text)
    once, _ = judged(RULING, found, refusals=1)
    assert (once["answer"], once["precision"], once["local_time"]) == ("Yes", "date_only", "2025-06-09")
    twice, judge = judged(RULING, found, refusals=2)
    assert twice["resolvable"] is False
    assert len(judge.calls) <= 8


def test_a_forced_submission_comes_at_once() -> None:
    output = ask(crux_prompt(RULING, AVAILABLE), tools=RESOLVER_TOOLS, choice=ToolFunction("submit_resolution"))
    assert output.message.tool_calls is not None
    assert output.message.tool_calls[0].function == "submit_resolution"


def test_the_same_conversation_gets_the_same_calls() -> None:
    found = document("a", "2025-06-10", "Ruling", "The Trade Court of Hallin blocked the purchase of Corran Mills.")
    first, second = (_calls(judged(RULING, found)[1]) for _ in range(2))
    assert first == second
    assert len({call.id for call in first}) == len(first)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=200), max_size=4), st.text(max_size=200))
def test_it_always_ends_with_a_submission(texts: list[str], question: str) -> None:
    documents = [document(str(number), "2025-06-01", "T", f"{question} {text}") for number, text in enumerate(texts)]
    submission, judge = judged({**RULING, "question": question}, *documents)
    assert len(judge.calls) <= 8
    for citation in submission["evidence"]:
        cited = next(found for found in documents if found["id"] == citation["document_id"])
        assert citation["quote"] in cited["text"]


YES = {"answer": "Yes", "rule": "yes_event", "precision": "date_only", "zone": "UTC", "local_time": "2025-06-09"}
APPROVED = "The Trade Court of Hallin approved the purchase of Corran Mills on 9 June 2025."
REPORT = document("a", "2025-06-09T14:00:00Z", "Ruling", APPROVED)


def verified(resolution: dict[str, Any]) -> dict[str, Any]:
    calls = ask(verifier_prompt(RULING, resolution, [REPORT]), tools=VERIFIER_TOOLS).message.tool_calls
    assert calls is not None and calls[0].function == "submit_verification"
    assert "answer" not in calls[0].arguments
    return dict(calls[0].arguments)


def test_the_verifier_confirms_a_time_that_the_documents_bear_out() -> None:
    assert verified(YES)["changed"] is False
    stated = {**YES, "local_time": "2025-06-09T15:00:00", "zone": "Europe/Vienna", "precision": "stated"}
    assert verified(stated) | {"reason": ""} == {
        "local_time": "2025-06-09T15:00:00",
        "zone": "Europe/Vienna",
        "precision": "stated",
        "rule": "yes_event",
        "changed": False,
        "reason": "",
    }


def test_the_verifier_moves_a_late_or_impossible_time() -> None:
    for wrong in ("2025-06-10", "2025-07-20", "2025-01-01"):
        moved = verified({**YES, "local_time": wrong})
        assert (moved["changed"], moved["local_time"], moved["rule"]) == (True, "2025-06-09", "yes_event")


def test_the_verifier_falls_back_to_the_deadline_for_a_no_outside_the_window() -> None:
    moved = verified({**YES, "answer": "No", "rule": "no_irreversible", "local_time": "2025-01-01"})
    assert (moved["changed"], moved["rule"], moved["precision"]) == (True, "no_deadline", "deadline")
    deadline = {"answer": "No", "rule": "no_deadline", "precision": "deadline", "local_time": None, "zone": None}
    assert verified(deadline)["changed"] is False


def test_the_louvre_market_asks_for_an_arrest_and_finds_its_day(reference_data: Path) -> None:
    folder = reference_data / "sets" / "louvre"
    question = json.loads((folder / "questions.jsonl").read_text(encoding="utf-8"))
    lines = (folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()
    documents = [
        document(str(number), found["published"], found["title"], found["text"])
        for number, found in enumerate(json.loads(line) for line in lines)
    ]
    crux = read_crux(
        ask(generator_prompt(question["question"], question["articles"], "2025-10-21", "2025-11-20")).completion
    )
    assert isinstance(crux, Crux)
    assert "arrest" in crux.question and "Louvre" in crux.question
    assert restates(crux, question["question"]) is None
    judge = Judge(crux_prompt(crux.model_dump(mode="json"), "2025-11-21T12:00:00Z"), documents)
    submission = anyio.run(judge.submission)
    assert (submission["answer"], submission["local_time"], submission["precision"]) == (
        "Yes",
        "2025-10-26",
        "date_only",
    )


def _calls(judge: Judge) -> list[Any]:
    return [
        call
        for message in judge.messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    ]
