"""Whole cruxes as notes and data: all that a reader needs, and nothing that a text from outside could do to a page."""

import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.report.case_samples import SettledCrux
from cruxbench_inspect.report.page.prose import fold, prose, sentence
from cruxbench_inspect.report.tables.crux_texts import MOST_CHARACTERS, MOST_CITED, crux_data, crux_note
from cruxbench_inspect.resolution import Evidence, Resolution, Verification
from cruxbench_inspect.utc import parse_utc

NASTY = (
    "<script>alert(1)</script>",
    "</div><img src=x onerror=alert(1)>",
    "[here](javascript:alert(1))",
    "[here](<https://evil.example/>)",
    "**bold** _it_ `code` ~~no~~ &lt;b&gt; \\",
    "first\n\n# second\n- third\n\n---\n> fourth",
    "\x00\x1b[31m \u2028 end",
)
ADDRESSES = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//evil.example/",
    "https://a b.example/",
    "https://a.example/\nx",
    "https://a.example/>)<b>",
    "https://",
    "http://[::1",
    "file:///etc/passwd",
    "\x01https://a.example/",
    "",
)


def settled(
    text: str = "Text.", url: str = "https://a.example/1", title: str = "Title", cited: int = 1, **changes: Any
) -> SettledCrux:
    crux = Crux(
        question="Will it?", background=text, resolution_criteria=text or "A report.", rationale=text,
        start_date=date(2025, 3, 1), end_date=date(2025, 3, 7),
    )  # fmt: skip
    document = Evidence(
        document_id="doc-1", url=url, title=title, published="2025-03-04T12:30:00Z", quote=text, proof="A"
    )
    resolution = Resolution(
        resolvable=True, answer="Yes", moment=parse_utc("2025-03-04T12:30:00Z"), precision="stated", rule="yes_event",
        evidence=(document,) * cited, **changes,
    )  # fmt: skip
    return SettledCrux(crux, resolution)


def moved(reason: str) -> Verification:
    return Verification(changed=True, reason=reason, moment_before=parse_utc("2025-03-04T11:00:00Z"))


def page(note: str) -> Any:
    """A note as the page has it."""
    first, others = fold(note)
    return html.fragment_fromstring(f"<div><p>{sentence(first)}</p>{prose(others)}</div>")


def lines(note: str) -> list[str]:
    return [item.text_content() for item in page(note).iter("li")]


def test_a_note_has_the_whole_crux_and_what_settled_it() -> None:
    one = settled("Some text.", verification=moved("The clock was wrong."))
    assert crux_note("model", [one]).split("\n\n")[0] == "**model**: the whole crux and what settled it"
    assert lines(crux_note("model", [one])) == [
        "Background: Some text.",
        "Resolution criteria: Some text.",
        "Days that count: 2025-03-01 to 2025-03-07",
        "Rationale: Some text.",
        "Time moved by the verifier: from 2025-03-04 11:00 UTC to 2025-03-04 12:30 UTC. The clock was wrong.",
        "Evidence: Title, 2025-03-04: “Some text.”",
    ]
    (link,) = page(crux_note("model", [one])).iter("a")
    assert (link.get("href"), link.text) == ("https://a.example/1", "Title")
    assert crux_data([one]) == {
        "background": "Some text.",
        "resolution_criteria": "Some text.",
        "rationale": "Some text.",
        "evidence": "Title, 2025-03-04T12:30:00Z, https://a.example/1, “Some text.”",
        "time_moved": "from 2025-03-04 11:00 UTC to 2025-03-04 12:30 UTC. The clock was wrong.",
    }


def test_what_is_empty_is_left_out() -> None:
    one = SettledCrux(settled("").crux, None)
    assert lines(crux_note("m", [one])) == [
        "Resolution criteria: A report.",
        "Days that count: 2025-03-01 to 2025-03-07",
    ]
    assert crux_data([one]) == {"resolution_criteria": "A report."}
    assert crux_data([]) == {}
    kept = settled(verification=Verification(changed=False, reason="It stands there."))
    assert not any("verifier" in line for line in lines(crux_note("m", [kept])))


def test_several_cruxes_are_numbered() -> None:
    note = crux_note("m", [settled("One."), settled("Two.")])
    assert note.split("\n\n")[1] == "Crux 1 of 2: Will it?" and note.split("\n\n")[3] == "Crux 2 of 2: Will it?"
    assert crux_data([settled("One."), settled("Two.")])["background"] == "One.\n\nTwo."


def test_long_texts_are_cut_on_the_page_alone() -> None:
    long = "word " * 10_000
    note = crux_note("m", [settled(long, title=long, cited=40)])
    assert len(note) < (MOST_CITED * 2 + 6) * (MOST_CHARACTERS + 100)
    assert lines(note)[0] == f"Background: {long[:MOST_CHARACTERS]}…"
    assert lines(note)[-1] == f"Evidence: {40 - MOST_CITED} more documents"
    data = crux_data([settled(long, cited=40)])
    assert data["background"] == long.strip() and str(data["evidence"]).count("https://a.example/1") == 40


@pytest.mark.parametrize("text", NASTY)
def test_texts_from_outside_are_only_text_on_the_page(text: str) -> None:
    shown = page(crux_note(text, [settled(text, title=text, verification=moved(text))]))
    assert {element.tag for element in shown.iter()} <= {"div", "p", "strong", "em", "ul", "li", "a"}
    assert {(name, value) for element in shown.iter() for name, value in element.items()} == {
        ("href", "https://a.example/1")
    }
    visible = re.sub("[\x00-\x1f]", "\ufffd", " ".join(text.split()))
    assert shown.text_content().count(visible) == 7


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_addresses_of_the_web_are_links(address: str) -> None:
    shown = page(crux_note("m", [settled(url=address)]))
    assert not list(shown.iter("a"))
    assert "Evidence: Title, 2025-03-04" in shown.text_content()
    assert not list(page(crux_note("m", [settled(url=address, title="")])).iter("a"))


@given(st.text(), st.text())
def test_no_text_makes_an_element_or_another_address(text: str, address: str) -> None:
    one = settled(f"x{text}", url=f"https://a.example/{address}", title=text)
    shown = page(crux_note(f"x{text}", [one]))
    assert {element.tag for element in shown.iter()} <= {"div", "p", "strong", "em", "ul", "li", "a"}
    assert all(link.get("href") == f"https://a.example/{address}" for link in shown.iter("a"))


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"])))
def test_other_readers_of_markdown_show_the_same(text: str) -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["strikethrough", "table"])
    note = crux_note(f"x{text}", [settled(f"x{text}", title=f"x{text}")])
    shown = html.fragment_fromstring(f"<div>{reader.render(note)}</div>")
    assert {element.tag for element in shown.iter()} <= {"div", "p", "strong", "em", "ul", "li", "a"}
    assert shown.text_content().count(" ".join(f"x{text}".split())) >= 6
