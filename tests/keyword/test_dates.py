"""Dates, clock times and zones in prose."""

from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.keyword.dates import (
    WEEKDAYS,
    clock_mentions,
    date_mentions,
    in_words,
    next_weekday,
    weekday_mentions,
    zone_mentions,
)

REFERENCE = date(2025, 12, 20)
DAYS = st.dates(min_value=date(1990, 1, 1), max_value=date(2060, 12, 31))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("due on 9 June 2025.", date(2025, 6, 9)),
        ("Monday, 9th of June 2025", date(2025, 6, 9)),
        ("on June 9, 2025", date(2025, 6, 9)),
        ("by Sept. 3rd, 2025", date(2025, 9, 3)),
        ("on 2025-06-09", date(2025, 6, 9)),
        ("on 4 January", date(2026, 1, 4)),
        ("on 30 November", date(2025, 11, 30)),
    ],
)
def test_a_date_is_read(text: str, day: date) -> None:
    assert [mention.day for mention in date_mentions(text, REFERENCE)] == [day]


@pytest.mark.parametrize("text", ["it may 5 times", "30 February 2025", "2025-13-40", "version 3.4", "in May"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert date_mentions(text, REFERENCE) == []


@given(DAYS)
def test_a_date_in_words_is_read_back(day: date) -> None:
    text = f"It came on {in_words(day)} at last."
    (mention,) = date_mentions(text, REFERENCE)
    assert mention.day == day
    assert text[mention.start : mention.end] == in_words(day)


@given(DAYS, st.integers(0, 6))
def test_the_next_weekday_is_the_first_after_the_day(day: date, weekday: int) -> None:
    following = next_weekday(day, weekday)
    assert following.weekday() == weekday
    assert timedelta(0) < following - day <= timedelta(7)


@given(DAYS, st.sampled_from(WEEKDAYS))
def test_a_lone_weekday_looks_ahead_or_back(day: date, name: str) -> None:
    (ahead,) = weekday_mentions(f"The vote is on {name}.", day, future=True)
    (back,) = weekday_mentions(f"The vote was on {name}.", day, future=False)
    assert ahead.day > day >= back.day
    assert ahead.day - back.day == timedelta(7)


def test_a_weekday_with_a_date_is_no_lone_weekday() -> None:
    assert weekday_mentions("on Monday 9 June 2025", REFERENCE, future=True) == []


@pytest.mark.parametrize(
    ("text", "clock", "zone"),
    [
        ("at 15:00 Velmar time (Europe/Vienna) on 9 June", time(15), "Europe/Vienna"),
        ("at 17:00 Paris time", time(17), "Europe/Paris"),
        ("at 3:53 p.m. Eastern", time(15, 53), "America/New_York"),
        ("at 12 a.m. UTC", time(0), "UTC"),
        ("at noon London time", time(12), "Europe/London"),
        ("at 08.30 GMT", time(8, 30), "UTC"),
        ("at 15:00 local time", time(15), None),
        ("at 15:00 (Nowhere/Atall)", time(15), None),
    ],
)
def test_a_clock_time_is_read_with_its_zone(text: str, clock: time, zone: str | None) -> None:
    assert [(mention.clock, mention.zone) for mention in clock_mentions(text)] == [(clock, zone)]


@pytest.mark.parametrize("text", ["rose to 3.40 percent", "between 10 and 12", "a score of 25:10", "10 times"])
def test_what_is_no_clock_time_is_none(text: str) -> None:
    assert clock_mentions(text) == []


def test_explicit_zones_come_first() -> None:
    assert zone_mentions("Paris time, which is Europe/Paris, or Asia/Tokyo") == ["Europe/Paris", "Asia/Tokyo"]


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    spans = [(mention.start, mention.end) for mention in date_mentions(text, REFERENCE)]
    spans += [(mention.start, mention.end) for mention in clock_mentions(text)]
    assert all(0 <= start < end <= len(text) for start, end in spans)
