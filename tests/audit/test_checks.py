"""The mechanical checks of single items."""

import time
from dataclasses import replace

import pytest

from cruxbench_inspect.audit.blocks import evidence_blocks
from cruxbench_inspect.audit.checks import findings_of
from cruxbench_inspect.audit.items import Item, Ultimate
from cruxbench_inspect.utc import parse_utc

CUTOFF = parse_utc("2026-01-10T00:00:00Z")
ULTIMATE = Ultimate(
    "Will Orvella Foods complete its purchase of Brightmill Bakeries by 28 February 2026?",
    CUTOFF,
    "Yes",
    parse_utc("2026-02-03T12:00:00Z"),
)
ITEM = Item("log", "sample", "judge", "document", CUTOFF, "Prices rose.", title="Prices", document_id="doc-1")


def kinds(item: Item, ultimate: Ultimate = ULTIMATE) -> list[str]:
    return [finding.kind for finding in findings_of(item, ultimate)]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"published": "2026-01-09T23:59:59Z"}, []),
        ({"published": "2026-01-10T00:00:00Z"}, ["dated_after"]),
        ({"published": "2026-01-08"}, []),
        # The 9th ends at noon of the 10th in UTC-12.
        ({"published": "2026-01-09"}, ["date_not_provable"]),
        ({"published": "2026-01-10"}, ["dated_after"]),
        ({"published": "2026-01-09T20:00:00"}, ["date_not_provable"]),
        ({"published": "2026-01-08", "modified": "2026-01-12T08:00:00Z"}, ["dated_after"]),
        # As in admission, an early capture makes an unsure date harmless, and a late one is a leak itself.
        ({"published": "2026-01-09", "captured": "2026-01-09T22:00:00Z"}, []),
        ({"published": "2026-01-08", "captured": "2026-01-10T22:00:00Z"}, ["dated_after"]),
        ({"published": "Jan 12, 2026"}, ["dated_after"]),
        ({"published": "recently"}, []),
        ({}, []),
    ],
)
def test_stated_dates(stated: dict[str, str], expected: list[str]) -> None:
    assert kinds(replace(ITEM, stated=tuple(stated.items()))) == expected


def test_an_unsure_date_of_a_stored_copy_does_no_harm() -> None:
    assert kinds(replace(ITEM, stated=(("published", "2026-01-09"),), proof="A")) == []
    assert kinds(replace(ITEM, stated=(("published", "2026-01-11"),), proof="A")) == ["dated_after"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://courier.example/2026/02/03/prices-rise", ["address_after"]),
        ("https://courier.example/2026/1/12/prices", ["address_after"]),
        ("https://courier.example/2026-02-03-prices", ["address_after"]),
        ("https://courier.example/20260203/prices", ["address_after"]),
        ("https://courier.example/2026/02/", ["address_after"]),
        ("https://web.archive.org/web/20260112080000id_/https://courier.example/prices", ["address_after"]),
        ("https://web.archive.org/web/20260109235959/https://courier.example/prices", []),
        ("https://courier.example/2026/01/10/prices", []),
        ("https://courier.example/2026/01/prices", []),
        ("https://courier.example/2026/13/45/prices", []),
        ("https://courier.example/20268812", []),
        ("https://courier.example/events/2026/02/03/fair", []),
        ("https://courier.example/?from=/2026/02/03/", []),
    ],
)
def test_addresses(url: str, expected: list[str]) -> None:
    assert kinds(replace(ITEM, url=url)) == expected
    assert kinds(replace(ITEM, text=f"Read more: {url} (today)")) == expected


def test_dates_at_the_cutoff_leak_only_if_they_are_provably_later() -> None:
    noon = replace(ITEM, cutoff=parse_utc("2026-01-10T12:00:00Z"))
    assert kinds(replace(noon, text="Updated 10 January 2026")) == []
    assert kinds(replace(noon, text="Updated 10 January 2026, 12:00 UTC")) == ["text_after"]
    assert kinds(replace(noon, text="Updated 10 January 2026, 11:59 UTC")) == []
    assert kinds(replace(noon, text="Updated 10 January 2026, 8:00 a.m. EST")) == ["text_after"]
    # 14:05 of the 10th may be just after midnight UTC.
    assert kinds(replace(noon, text="Updated 10 January 2026, 14:05")) == []
    assert kinds(replace(noon, text="Updated 11 January 2026")) == []  # begins at 10:00Z of the 10th in UTC+14
    assert kinds(replace(noon, text="Updated 12 January 2026")) == ["text_after"]


def test_a_title_is_read_like_the_text() -> None:
    assert kinds(replace(ITEM, title="Minister resigned on 20 January 2026")) == ["text_after"]


def test_both_readings_of_digits_have_to_be_late() -> None:
    assert kinds(replace(ITEM, text="The bridge was closed on 03/04/2026.")) == ["text_after"]
    assert kinds(replace(ITEM, text="The bridge was closed on 01/12/2026.")) == ["text_after"]
    assert kinds(replace(ITEM, text="The bridge was closed on 02/01/2026.")) == []


def test_the_end_of_the_question_counts_only_after_the_cutoff() -> None:
    told = replace(ITEM, text="The market resolved Yes.")
    assert kinds(told) == ["resolution_told"]
    assert kinds(told, replace(ULTIMATE, resolved=parse_utc("2026-01-09T00:00:00Z"))) == []
    # Without a time, the question was open when it was asked, and later nobody knows.
    assert kinds(told, replace(ULTIMATE, resolved=None)) == ["resolution_told"]
    assert kinds(told, replace(ULTIMATE, resolved=None, asked=parse_utc("2025-12-01T00:00:00Z"))) == []


@pytest.mark.parametrize(
    ("text", "outcome", "expected"),
    [
        ("In the end, Orvella Foods completed its purchase of Brightmill Bakeries.", "Yes", ["outcome_told"]),
        ("Orvella Foods completed its purchase of Brightmill Bakeries by 3 February 2026.", "Yes", ["outcome_told"]),
        ("Orvella Foods never completed its purchase of Brightmill Bakeries by 3 March 2026.", "No", ["outcome_told"]),
        ("Orvella Foods never completed its purchase of Brightmill Bakeries by 3 March 2026.", "Yes", []),
        ("Orvella Foods wanted to complete its purchase of Brightmill Bakeries by 3 March 2026.", "Yes", []),
        ("Orvella Foods said that it will complete its purchase of Brightmill Bakeries by 3 March 2026.", "Yes", []),
        ("Orvella Foods announced its purchase of Brightmill Bakeries on 3 January 2026.", "Yes", []),
        ("A rival firm completed a purchase by 3 February 2026.", "Yes", []),
    ],
)
def test_the_outcome_as_having_happened(text: str, outcome: str, expected: list[str]) -> None:
    ultimate = Ultimate(ULTIMATE.question, CUTOFF, "Yes" if outcome == "Yes" else "No", ULTIMATE.resolved)
    assert kinds(replace(ITEM, text=text), ultimate) == expected


def test_without_an_outcome_nothing_is_taken_for_it() -> None:
    told = replace(ITEM, text="In the end, Orvella Foods completed its purchase of Brightmill Bakeries.")
    assert kinds(told, Ultimate(ULTIMATE.question, CUTOFF)) == []


def test_a_finding_shows_the_words() -> None:
    (found,) = findings_of(
        replace(ITEM, text=f"{'Quiet. ' * 40}On 20 January 2026, he resigned. {'Calm. ' * 40}"), ULTIMATE
    )
    assert "20 January 2026, he resigned" in found.excerpt
    assert len(found.excerpt) < 250


HOSTILE = (
    "January 15, 2030 ", "On 15 January 2030, it was said to be to to to ", "market resolved ", "the ", "A. ", "No. ",
    "https://a.example/2030/01/01/", "/2030/01", '<result id="', "<document>\n", "if ", "was not not not ",
    "by ", "(", "- ",
    "Orvella Foods complete purchase Brightmill Bakeries ", "\n", "Updated ", "to ", "a-", "ed", "1.", "in 2030 ",
    "from ", "between ", "before the the the vote on ", "AAAA ", "\u00a0", "10:15 ",
)  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_time_is_linear_in_hostile_texts(part: str) -> None:
    def seconds(size: int) -> float:
        text = part * (size // len(part))
        started = time.process_time()
        findings_of(replace(ITEM, text=text), ULTIMATE)
        evidence_blocks(text)
        return time.process_time() - started

    # Four times the text takes about four times as long; a quadratic search would take sixteen times.
    longest = 9 * max(seconds(5_000), 0.02)
    assert any(seconds(20_000) < longest for _ in range(3))
