"""The model that reads items: what it is shown, and what becomes of its answers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest
from inspect_ai.model import get_model

from cruxbench_inspect.audit.auditor import PIECE, Auditor, open_auditor
from cruxbench_inspect.audit.findings import Finding
from cruxbench_inspect.audit.items import Item
from cruxbench_inspect.audit.results import Audit, AuditorUse, CheckedItem
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.utc import parse_utc
from tests.scripted_model import Answer, Call, Script, scripted, tool_call

TEXT = "The minister has gone & <b>nobody</b> knows where. He “resigned” on Monday."
ITEM = Item(
    "log", "sample", "judge", "document", parse_utc("2026-01-10T12:00:00Z"), TEXT, title="Gone", document_id="doc-1",
    stated=(("published", "2026-01-09T10:00:00Z"),),
)  # fmt: skip


def verdict(leak: bool = False, quote: str = "", reason: str = "So it says.", **more: Any) -> Answer:
    return tool_call("submit_verdict", leak=leak, quote=quote, reason=reason, **more)


def reviewed(script: Script, *items: CheckedItem) -> tuple[list[CheckedItem], AuditorUse]:
    return anyio.run(Auditor(get_model(script.name)).review, items or (CheckedItem(ITEM, ()),))


def test_it_sees_cutoff_and_text_as_data() -> None:
    script = scripted(lambda call: verdict())
    (checked,), use = reviewed(script)
    (call,) = script.calls
    prompt = call.messages[1].text
    assert "<cutoff>\n2026-01-10T12:00:00Z\n</cutoff>" in prompt
    assert "published: 2026-01-09T10:00:00Z" in prompt
    assert "Gone\nThe minister has gone &amp; &lt;b&gt;nobody&lt;/b&gt;" in prompt
    assert prompt.count("<text>") == prompt.count("</text>") == 1
    assert (checked.findings, checked.unjudged, use.judged, use.unjudged, use.tokens) == ((), False, 1, 0, 100)


@pytest.mark.parametrize("quote", ["He “resigned” on Monday", 'He "resigned"  on monday', "&lt;b&gt;nobody&lt;/b&gt;"])
def test_a_leak_is_a_finding_with_its_quote(quote: str) -> None:
    (checked,), _ = reviewed(scripted(lambda call: verdict(True, quote)))
    assert checked.findings == (Finding(kind="auditor", excerpt=quote, reason="So it says."),)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: verdict(True, "words that are not there"),
        lambda: verdict(True, ""),
        lambda: tool_call("submit_verdict", leak=True),
        lambda: tool_call("submit_verdict", leak="perhaps", quote="", reason=""),
        lambda: tool_call("another_tool"),
        lambda: "There is a leak.",
    ],
)
def test_an_unusable_answer_is_asked_for_once_more(bad: Callable[[], Answer]) -> None:
    script = scripted(lambda call: bad() if call.turn == 0 else verdict(True, "The minister has gone"))
    (checked,), use = reviewed(script)
    assert [finding.excerpt for finding in checked.findings] == ["The minister has gone"]
    assert "cannot be used" in script.calls[1].messages[-1].text
    assert use.judged == 1

    hopeless = scripted(lambda call: bad())
    (checked,), use = reviewed(hopeless)
    assert (checked.findings, checked.unjudged, use.judged, use.unjudged) == ((), True, 0, 1)
    assert len(hopeless.calls) == 2
    assert use.troubles[0].startswith("no verdict: ")


def test_failures_of_the_auditor_change_no_rate() -> None:
    broken = scripted(lambda call: ValueError("the service is down"))
    flagged = CheckedItem(replace(ITEM, document_id="doc-2"), (Finding(kind="text_after", excerpt="x"),))
    checked, use = reviewed(broken, CheckedItem(ITEM, ()), flagged)
    found = Audit.of(["log"], 1, checked, [], use)
    assert (found.everything.items, found.everything.flagged) == (2, 1)
    assert use.unjudged == 2
    assert "the service is down" in use.troubles[0]


def test_nothing_is_paid_twice() -> None:
    script = scripted(lambda call: verdict(True, "The minister has gone"))
    first = reviewed(script)
    assert reviewed(script) == first
    assert len(script.calls) == 1


def test_long_texts_are_read_in_pieces_to_the_end() -> None:
    end = "He has been out of office since the spring."
    long = replace(ITEM, text="Calm. " * (PIECE // 5) + end)

    def play(call: Call) -> Answer:
        return verdict(True, end) if end in call.messages[1].text else verdict()

    script = scripted(play)
    (checked,), _ = reviewed(script, CheckedItem(long, ()))
    assert [finding.excerpt for finding in checked.findings] == [end]
    assert len(script.calls) == 2


def test_many_items_keep_their_order() -> None:
    items = [CheckedItem(replace(ITEM, text=f"Text number {number}."), ()) for number in range(30)]

    def play(call: Call) -> Answer:
        quote = call.messages[1].text.partition("Gone\n")[2].partition("\n")[0]
        return verdict(True, quote)

    checked, _ = reviewed(scripted(play), *items)
    assert [one.findings[0].excerpt for one in checked] == [f"Text number {number}." for number in range(30)]


def test_a_model_without_its_key_is_one_message() -> None:
    script = scripted(lambda call: verdict())
    assert str(open_auditor(script.name)) == script.name
    keyless = scripted(lambda call: verdict())
    keyless.has_key = False
    with pytest.raises(InputError, match="cannot be used: .*has no key"):
        open_auditor(keyless.name)
