"""Dates, clock times and time zones that a text states in words."""

import re
from collections.abc import Sequence
from datetime import date, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import available_timezones

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_MONTH = r"(?P<{0}>" + "|".join([*MONTHS, *(f"{month[:3]}\\.?" for month in MONTHS), "Sept\\.?"]) + r")"
_WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+)?"
_DATE = re.compile(
    rf"\b(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})\b"
    rf"|{_WEEKDAY}(?:the\s+)?\b(?P<day_a>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format('month_a')}\b"
    rf"(?:,?\s+(?P<year_a>\d{{4}})\b)?"
    rf"|{_WEEKDAY}\b{_MONTH.format('month_b')}\s+(?P<day_b>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year_b>\d{{4}})\b)?"
)
_LONE_WEEKDAY = re.compile(r"\b(?:on|next|this|last)\s+(?P<name>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b")
_ZONE_NAME = re.compile(r"\b[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_\-]+)+\b|\bUTC\b|\bGMT\b")
_PLACE_TIME = re.compile(
    r"\b(?P<place>[A-Z]\w+(?: [A-Z]\w+)?) (?:time|Time)\b|\b(?P<short>Eastern|Pacific|ET|CET|CEST)\b"
)
_CLOCK = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?::[0-5]\d)?\s*(?P<half>[ap]\.?m\b\.?)?"
    r"|\b(?P<hour_b>1[0-2]|[1-9])\s*(?P<half_b>[ap]\.?m\b\.?)"
    r"|\b(?P<word>noon|midday)\b",
    re.IGNORECASE,
)
_CITY_ZONES = {
    "Amsterdam": "Europe/Amsterdam", "Athens": "Europe/Athens", "Beijing": "Asia/Shanghai", "Berlin": "Europe/Berlin",
    "Brasilia": "America/Sao_Paulo", "Brussels": "Europe/Brussels", "Cairo": "Africa/Cairo",
    "Canberra": "Australia/Sydney", "Central European": "Europe/Paris", "Chicago": "America/Chicago",
    "Copenhagen": "Europe/Copenhagen", "Delhi": "Asia/Kolkata", "Dublin": "Europe/Dublin",
    "Eastern": "America/New_York",
    "Frankfurt": "Europe/Berlin", "Geneva": "Europe/Zurich", "Greenwich": "UTC", "Helsinki": "Europe/Helsinki",
    "Istanbul": "Europe/Istanbul", "Jerusalem": "Asia/Jerusalem", "Kyiv": "Europe/Kyiv", "Lisbon": "Europe/Lisbon",
    "London": "Europe/London", "Luxembourg": "Europe/Luxembourg", "Madrid": "Europe/Madrid",
    "Mexico City": "America/Mexico_City", "Moscow": "Europe/Moscow", "New York": "America/New_York",
    "Oslo": "Europe/Oslo",
    "Ottawa": "America/Toronto", "Pacific": "America/Los_Angeles", "Paris": "Europe/Paris", "Prague": "Europe/Prague",
    "Rome": "Europe/Rome", "Seoul": "Asia/Seoul", "Singapore": "Asia/Singapore", "Stockholm": "Europe/Stockholm",
    "Sydney": "Australia/Sydney", "Tokyo": "Asia/Tokyo", "Toronto": "America/Toronto", "Vienna": "Europe/Vienna",
    "Warsaw": "Europe/Warsaw", "Washington": "America/New_York", "Zurich": "Europe/Zurich",
    "ET": "America/New_York", "CET": "Europe/Paris", "CEST": "Europe/Paris",
}  # fmt: skip


class DateMention(NamedTuple):
    """A calendar day that a text states, and where it stands in the text."""

    day: date
    start: int
    end: int


class ClockMention(NamedTuple):
    """A wall-clock time that a text states, the IANA zone named right after it (or None), and where it stands."""

    clock: time
    zone: str | None
    start: int
    end: int


def date_mentions(text: str, reference: date) -> list[DateMention]:
    """The calendar days that a text states.

    Args:
        text: Any text.
        reference: The day on which it was written; a day without a year means the one nearest to it.
    """
    found: list[DateMention] = []
    for match in _DATE.finditer(text):
        day = _day(match, reference)
        if day is not None:
            found.append(DateMention(day, match.start(), match.end()))
    return found


def weekday_mentions(text: str, reference: date, future: bool) -> list[DateMention]:
    """The days meant by weekdays without a date ("on Thursday").

    Args:
        text: Any text.
        reference: The day on which it was written.
        future: Whether the text looks ahead (the first such day after the reference) or back (the last one up to it).
    """
    found: list[DateMention] = []
    for match in _LONE_WEEKDAY.finditer(text):
        if _DATE.match(text, match.start("name")):
            continue
        wanted = WEEKDAYS.index(match["name"])
        day = next_weekday(reference, wanted) if future else reference - timedelta((reference.weekday() - wanted) % 7)
        found.append(DateMention(day, match.start(), match.end()))
    return found


def next_weekday(after: date, weekday: int) -> date:
    """The first day strictly after `after` that is the given weekday (Monday is 0)."""
    return after + timedelta((weekday - after.weekday() - 1) % 7 + 1)


def clock_mentions(text: str) -> list[ClockMention]:
    """The clock times that a text states; a bare decimal number such as 3.40 is none."""
    found: list[ClockMention] = []
    matches = [match for match in _CLOCK.finditer(text) if _is_clock(match, text)]
    for number, match in enumerate(matches):
        following = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        zones = zone_mentions(text[match.end() : min(following, match.end() + 60)])
        found.append(ClockMention(_clock(match), zones[0] if zones else None, match.start(), match.end()))
    return found


def zone_mentions(text: str) -> list[str]:
    """The IANA zones that a text names: explicit ones ("Europe/Vienna", "UTC"), then those of cities ("Paris time")."""
    explicit = [_plain_zone(name) for name in _ZONE_NAME.findall(text)]
    cities = [_CITY_ZONES.get(match["place"] or match["short"]) for match in _PLACE_TIME.finditer(text)]
    known = [zone for zone in explicit if zone in _zones()] + [zone for zone in cities if zone is not None]
    return list(dict.fromkeys(known))


def in_words(day: date) -> str:
    """A day as "9 June 2025"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def without_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text with the given stretches blanked out; positions stay the same."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _plain_zone(name: str) -> str:
    return "UTC" if name == "GMT" else name


def _day(match: re.Match[str], reference: date) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        month = match["month_a"] or match["month_b"]
        number = next(i for i, name in enumerate(MONTHS, 1) if name[:3] == month[:3])
        day = int(match["day_a"] or match["day_b"])
        year = match["year_a"] or match["year_b"]
        if year:
            return date(int(year), number, day)
    except ValueError:
        return None
    return _nearest(number, day, reference)


def _nearest(month: int, day: int, reference: date) -> date | None:
    candidates: list[date] = []
    for year in (reference.year - 1, reference.year, reference.year + 1):
        try:
            candidates.append(date(year, month, day))
        except ValueError:
            continue
    return min(candidates, key=lambda candidate: abs(candidate - reference), default=None)


def _is_clock(match: re.Match[str], text: str) -> bool:
    if match["word"] or match["half"] or match["half_b"] or ":" in match.group():
        return True
    # "15.00" is a clock time only where a zone or the word "time" follows it.
    following = text[match.end() : match.end() + 30]
    return bool(re.match(r"\s*(?:local\b|[A-Z][\w/ ]*time\b|UTC|GMT|\()", following))


def _clock(match: re.Match[str]) -> time:
    if match["word"]:
        return time(12, 0)
    hour = int(match["hour"] or match["hour_b"])
    minute = int(match["minute"] or 0)
    half = (match["half"] or match["half_b"] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return time(hour, minute)
