"""Deadlines that the rules of a market state."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.markets.deadlines import EARLIEST_BEFORE_CLOSE, LATEST_AFTER_CLOSE, stated_deadline
from cruxbench_inspect.utc import format_utc, parse_utc

OPENED = parse_utc("2025-09-01T00:00:00Z")


def read(text: str, closes: str | None, question: str = "") -> str | None:
    found = stated_deadline(text, question, OPENED, parse_utc(closes) if closes else None)
    return format_utc(found) if found else None


def test_case_6_the_record_is_29_hours_early() -> None:
    rules = "This market will resolve to “Yes” if it opens by December 31, 2027, 11:59 PM ET. Otherwise “No”."
    assert read(rules, "2027-12-31T00:00:00Z") == "2028-01-01T04:59:00Z"


@pytest.mark.parametrize("closes", [None, "2027-12-31T12:00:00Z", "2028-01-01T05:00:00Z", "2028-01-02T00:00:00Z"])
def test_case_6_with_other_records_of_the_same_deadline(closes: str | None) -> None:
    assert read("Opens by December 31, 2027, 11:59 PM ET.", closes) == "2028-01-01T04:59:00Z"


@pytest.mark.parametrize("year", ["2500", "9999"])
def test_case_6_a_nonsense_year_is_no_deadline(year: str) -> None:
    assert read(f"Opens by December 31, {year}, 11:59 PM ET.", None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by October 31, 2026, 11:59 PM ET", "2026-11-01T03:59:00Z"),
        ("by November 2, 2026, 11:59 PM ET", "2026-11-03T04:59:00Z"),
        ("by November 1, 2026, 1:30 AM ET", "2026-11-01T06:30:00Z"),
        ("by March 8, 2026, 2:30 AM ET", "2026-03-08T07:30:00Z"),
    ],
)
def test_case_7_daylight_saving_time(text: str, expected: str) -> None:
    assert read(text, None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by 11:59 PM ET on June 30, 2026", "2026-07-01T03:59:00Z"),
        ("by 11:59 p.m. Eastern Time on June 30, 2026", "2026-07-01T03:59:00Z"),
        ("by June 30, 2026 at 11:59 PM (ET)", "2026-07-01T03:59:00Z"),
        ("by June 30, 2026 (11:59 PM ET)", "2026-07-01T03:59:00Z"),
        ("by June 30, 2026, 11:59PM EST", "2026-07-01T03:59:00Z"),
        ("by Jun. 30th 2026, 23:59 New York time", "2026-07-01T03:59:00Z"),
        ("by 30 June 2026, 23:59 UTC", "2026-06-30T23:59:00Z"),
        ("by the 30th of June 2026, 23:59 GMT", "2026-06-30T23:59:00Z"),
        ("by June 30, 2026, 11:59 PM CEST", "2026-06-30T21:59:00Z"),
        ("by June 30, 2026, 11:59 PM CET", "2026-06-30T21:59:00Z"),
        ("by June 30, 2026, 8 PM PT", "2026-07-01T03:00:00Z"),
        ("by June 30, 2026, 8:00 PM CT", "2026-07-01T01:00:00Z"),
        ("by 2026-06-30, 23:59 UTC", "2026-06-30T23:59:00Z"),
        ("by 6/30/2026 noon ET", "2026-06-30T16:00:00Z"),
        ("by midnight ET on June 30, 2026", "2026-07-01T04:00:00Z"),
        ("by June 30, 2026, 12:00 AM ET", "2026-06-30T04:00:00Z"),
        ("by June 30, 2026, 12:00 PM ET", "2026-06-30T16:00:00Z"),
        ("by June 30, 2026 ET", "2026-07-01T03:59:00Z"),
        ("by June 30, 2026 UTC", "2026-06-30T23:59:00Z"),
        ("by the end of the day on June 30, 2026", "2026-07-01T03:59:00Z"),
        ("by end of June 2026", "2026-07-01T03:59:00Z"),
        ("by June 30", "2026-07-01T03:59:00Z"),
        ("by June 30, 23:59 UTC", "2026-06-30T23:59:00Z"),
        ("by Tuesday, June 30", "2026-07-01T03:59:00Z"),
        ("on or before June 30, 2026", "2026-07-01T03:59:00Z"),
        ("no later than June 30, 2026", "2026-07-01T03:59:00Z"),
        ("before July 1, 2026", "2026-07-01T04:00:00Z"),
        ("before July 1, 2026, 12:00 AM UTC", "2026-07-01T00:00:00Z"),
        ("between March 1 and June 30, 2026, 11:59 PM ET", "2026-07-01T03:59:00Z"),
        ("between March 1, 12:00 PM ET, and June 30, 2026, 11:59 PM ET", "2026-07-01T03:59:00Z"),
        ("between market creation and June 30, 2026, 11:59 PM ET", "2026-07-01T03:59:00Z"),
        ("at any time from market creation to June 30, 2026 (ET)", "2026-07-01T03:59:00Z"),
        ("from March 1, 2026 through June 30, 2026", "2026-07-01T03:59:00Z"),
        ("(March 1, 2026 – June 30, 2026)", "2026-07-01T03:59:00Z"),
        ("This market ends on June 30, 2026.", "2026-07-01T03:59:00Z"),
        ("by\u00a0June\u00a030,\u00a02026,\u00a011:59\u00a0PM\u00a0ET", "2026-07-01T03:59:00Z"),
    ],
)
def test_wordings(text: str, expected: str) -> None:
    assert read(f"It resolves to Yes if the crossing opens {text}. Otherwise No.", "2026-06-30T12:00:00Z") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The vote of June 30, 2026 is not the subject.",
        "by March 31, 2026",
        "by June 31, 2026, 11:59 PM ET",
        "by June 30, 2026, 25:00 UTC",
        "by June 30, 2026, 13:00 PM ET",
        "by June 30, 2026, 11:59 PM IST",
        "by the end of the year",
        "signed by May 30 delegates",
    ],
)
def test_what_states_no_deadline_near_the_scheduled_close(text: str) -> None:
    assert read(text, "2026-06-30T12:00:00Z") is None


def test_of_several_deadlines_the_latest_that_fits_counts() -> None:
    rules = "by June 29, 2026 for the first stage, by June 30, 2026 for the second, paid by August 1, 2026"
    assert read(rules, "2026-06-30T00:00:00Z") == "2026-07-01T03:59:00Z"


def test_a_deadline_before_the_opening_is_none() -> None:
    assert read("by August 30, 2025", None) is None


def test_the_question_is_read_where_the_rules_say_nothing() -> None:
    assert read("See the title.", "2026-06-30T12:00:00Z", "Open by June 30?") == "2026-07-01T03:59:00Z"
    assert read("by June 29, 2026", "2026-06-30T12:00:00Z", "Open by June 30?") == "2026-06-30T03:59:00Z"


@pytest.mark.parametrize(
    ("closes", "expected"), [("2026-12-31T12:00:00Z", "2027-01-01T04:59:00Z"), ("2027-01-01T04:59:00Z",) * 2]
)
def test_a_day_without_a_year_is_the_one_next_to_the_close(closes: str, expected: str) -> None:
    assert read("by December 31", closes) == expected


def test_without_any_close_a_day_without_a_year_is_the_first_after_the_opening() -> None:
    assert read("by December 31", None) == "2026-01-01T04:59:00Z"
    assert read("by June 30", None) == "2026-07-01T03:59:00Z"


MINUTES = st.integers(0, 3 * 366 * 1440).map(lambda minutes: datetime(2025, 9, 3) + timedelta(minutes=minutes))  # noqa: DTZ001


@settings(deadline=None)
@given(MINUTES, st.sampled_from([("ET", "America/New_York"), ("UTC", "UTC"), ("PST", "America/Los_Angeles")]))
def test_written_times_are_read_as_the_later_instant(local: datetime, zone: tuple[str, str]) -> None:
    name, place = zone
    written = f"by {local:%B} {local.day}, {local.year}, {local:%I:%M %p} {name}"
    expected = max(local.replace(tzinfo=ZoneInfo(place), fold=fold).astimezone(UTC) for fold in (0, 1))
    assert read(written, None) == format_utc(expected)
    assert stated_deadline(written, "", OPENED, expected + LATEST_AFTER_CLOSE) is None
    assert stated_deadline(written, "", OPENED, expected + EARLIEST_BEFORE_CLOSE) == expected


PIECES = st.sampled_from(
    "by before June 30 31 2026 , 11:59 PM ET UTC end of 0001 99/99/9999 0000-00-00 – noon 24:00".split()
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=12).map(" ".join), st.none() | st.just(parse_utc("2026-06-30T12:00:00Z")))
def test_any_text_gives_a_fitting_deadline_or_none(text: str, closes: datetime | None) -> None:
    found = stated_deadline(text, text, OPENED, closes)
    if found is not None:
        assert found > OPENED and found.utcoffset() == timedelta(0)
        assert closes is None or -EARLIEST_BEFORE_CLOSE <= found - closes <= LATEST_AFTER_CLOSE
