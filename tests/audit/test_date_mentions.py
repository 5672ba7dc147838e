"""Dates in texts, with the first instant that they may stand for."""

import time
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.utc import format_utc, parse_utc

REFERENCE = parse_utc("2026-01-10T00:00:00Z")


def earliest(text: str) -> list[str]:
    return [format_utc(mention.earliest) for mention in date_mentions(text, REFERENCE)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A date begins in UTC+14.
        ("2026-01-15", "2026-01-14T10:00:00Z"),
        ("2026/1/15", "2026-01-14T10:00:00Z"),
        ("January 15, 2026", "2026-01-14T10:00:00Z"),
        ("JANUARY 15 2026", "2026-01-14T10:00:00Z"),
        ("the 15th of January 2026", "2026-01-14T10:00:00Z"),
        ("15-Jan-2026", "2026-01-14T10:00:00Z"),
        ("Sept. 5, 2026", "2026-09-04T10:00:00Z"),
        ("15.01.2026", "2026-01-14T10:00:00Z"),
        ("01/15/2026", "2026-01-14T10:00:00Z"),
        # Read in two ways: the earlier one.
        ("03/04/2026", "2026-03-03T10:00:00Z"),
        ("04/03/2026", "2026-03-03T10:00:00Z"),
        # Without a year: the nearest.
        ("Jan. 15", "2026-01-14T10:00:00Z"),
        ("20 December", "2025-12-19T10:00:00Z"),
        # Of a stretch the last day.
        ("January 15-17, 2026", "2026-01-16T10:00:00Z"),
        ("15–17 January 2026", "2026-01-16T10:00:00Z"),
        ("30 and 31 January 2026", "2026-01-30T10:00:00Z"),
        # Times with and without a zone.
        ("2026-01-15T10:00:00Z", "2026-01-15T10:00:00Z"),
        ("2026-01-15T10:00:00-05:00", "2026-01-15T15:00:00Z"),
        ("2026-01-15 10:15 UTC", "2026-01-15T10:15:00Z"),
        ("15 January 2026, 14:05", "2026-01-15T00:05:00Z"),
        ("14:05 GMT, 15 January 2026", "2026-01-15T14:05:00Z"),
        ("10:15 a.m. ET on Jan. 15, 2026", "2026-01-15T14:15:00Z"),
        ("3:04 PM EST, Thu January 15, 2026", "2026-01-15T20:04:00Z"),
        ("12:30 AM UTC, January 15, 2026", "2026-01-15T00:30:00Z"),
        ("January 15, 2026 at 3 p.m. UTC+2", "2026-01-15T13:00:00Z"),
        ("15 January 2026, 10:00 (America/Halifax)", "2026-01-15T14:00:00Z"),
        ("Thu, 15 Jan 2026 15:04:05 +0530", "2026-01-15T09:34:00Z"),
        ("in March 2026", "2026-02-28T10:00:00Z"),
        ("In 2027, it did", "2026-12-31T10:00:00Z"),
        ("© 2019-2027", "2026-12-31T10:00:00Z"),
    ],
)
def test_a_mention_has_its_first_instant(text: str, expected: str) -> None:
    assert earliest(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "12 of 15 votes", "3-2", "1,203.45", "may 5 people", "march 12 miles", "May 20,000 people", "version 3.12.2026",
        "10.12.20.26", "2026-118", "+49 30 2026 1150", "30 February 2026", "32 January 2026", "13/13/2026",
        "the 2028 election", "2030 target", "flight 2031", "16/9", "24/7", "1.75 percent", "$2027", "2,027",
    ],
)  # fmt: skip
def test_numbers_are_no_dates(text: str) -> None:
    assert earliest(text) == []


def test_a_day_without_a_year_goes_on_with_an_earlier_story() -> None:
    found = earliest("On March 14, 2019, workers walked out. On March 20, they returned.")
    assert found == ["2019-03-13T10:00:00Z", "2019-03-19T10:00:00Z"]
    assert earliest("Police arrested him on 2 June 2025. On 14 January, he was freed.")[1] == "2026-01-13T10:00:00Z"


@given(
    st.dates(date(1990, 1, 1), date(2089, 12, 31)),
    st.sampled_from(["%-d %B %Y", "%B %-d, %Y", "%Y-%m-%d", "%b %-d, %Y"]),
)
def test_every_day_is_read_back(day: date, form: str) -> None:
    start = datetime.combine(day, datetime.min.time(), UTC) - timedelta(hours=14)
    assert earliest(f"It was on {day.strftime(form)}, they say.") == [format_utc(start)]


@given(st.text(st.sampled_from("0123456789 -/.,:TZJanMayofthto&–\n"), max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    last = 0
    for mention in date_mentions(text, REFERENCE):
        assert last <= mention.end <= len(text)
        assert mention.start < mention.end
        last = mention.end


@pytest.mark.parametrize(
    "part", ["1", "Jan ", "2026-", " ", "1 1 ", "in ", "15-", "12:", "Jan 15, ", "January 15, 2030 "]
)
def test_time_is_linear_in_the_text(part: str) -> None:
    def seconds(size: int) -> float:
        text = part * (size // len(part))
        started = time.process_time()
        date_mentions(text, REFERENCE)
        return time.process_time() - started

    # Four times the text takes about four times as long; a quadratic search would take sixteen times.
    longest = 9 * max(seconds(40_000), 0.02)
    assert any(seconds(160_000) < longest for _ in range(3))
