"""Dates, months and years that a text mentions, each with the first instant that it may stand for."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from cruxbench_inspect.audit.month_names import FOREIGN_MONTH, MONTH_NUMBERS
from cruxbench_inspect.audit.zones import ZONE, earliest_utc

Unit = Literal["time", "day", "month", "year"]


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text.

    Attributes:
        start: Where it begins in the text.
        end: Where it ends.
        earliest: The first instant, in UTC, that it may stand for: where it can be read in several ways the first of
            them, where no zone is named that of the eastmost one, and of a stretch of days its last day.
        unit: How fine it is.
        assumed_year: Whether the text leaves out the year.
        foreign: Whether it is in words of another language than English.
    """

    start: int
    end: int
    earliest: datetime
    unit: Unit
    assumed_year: bool = False
    foreign: bool = False


def date_mentions(text: str, reference: datetime) -> list[DateMention]:
    """The dates that a text mentions, in words or in digits, in the order of the text.

    A day without a year is taken as the one nearest to the reference, unless it goes on with a story of an earlier
    year. Years alone count only after ``in``, ``since`` or ``during`` and in copyright notices.

    Args:
        text: Any text; the time is linear in its length.
        reference: When it was written, or the cutoff, in UTC.
    """
    found: list[DateMention] = []
    end, last = 0, None
    for match in _ANY.finditer(text):
        if match.start() < end:
            continue
        kind = match.lastgroup or ""
        days = [day for day in _readings(kind, match, reference) if day is not None]
        if not days:
            continue
        start, end, clock, zone = match.start(), match.end(), None, None
        if kind not in ("month", "year"):
            start, end, clock, zone = _with_clock(text, start, end)
        without_year = kind in ("day_first", "month_first") and _year_of(kind, match) is None
        if without_year and last is not None and _same_paragraph(text, last[0], match.start()):
            days = [_in_story(days[0], last[1], reference)]
        elif not without_year:
            last = (match.end(), min(days))
        unit: Unit = "month" if kind == "month" else "year" if kind == "year" else "time" if clock else "day"
        first = min(days) + (clock or timedelta())
        found.append(DateMention(start, end, earliest_utc(first, zone), unit, without_year, kind in _FOREIGN))
    return found


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|JAN|FEB|MAR|APR|JUN|JUL|AUG|SEPT|SEP|OCT|NOV|DEC)\b\.?)"
)
_TH = r"(?:st|nd|rd|th)?"
_TO = r"\s{0,2}(?:[-–—]|to|and|&)\s{0,2}"
_SPACE = r"[\s\u00a0]{1,3}"
_NO_DIGIT = r"(?!\d|[.,:]\d|%)"
_ANY = re.compile(
    # 2026-01-15, 2026/1/15
    rf"(?<![\w/.,-])(?P<iso>(?P<iso_y>(?:19|20)\d\d)(?P<iso_s>[-/])(?P<iso_m>\d\d?)(?P=iso_s)"
    r"(?P<iso_d>\d\d?)(?![\d/]|-\d))"
    # 15 January 2026, 15th of January, 15-17 Jan. 2026, 15-Jan-2026
    rf"|(?<![\w.,/:$€£+])(?P<day_first>(?:\d\d?{_TH}{_TO})?(?P<df_d>\d\d?){_TH}(?:{_SPACE}|-)"
    rf"(?:of{_SPACE})?(?P<df_m>{_MONTH})\b"
    rf"(?:(?:,?{_SPACE}|-)(?P<df_y>(?:19|20)\d\d){_NO_DIGIT})?)"
    # January 15, 2026, Jan. 15th, January 15-17, 2026
    rf"|(?<!\w)(?P<month_first>(?P<mf_m>{_MONTH}){_SPACE}(?:\d\d?{_TH}{_TO}(?=\d))?(?P<mf_d>\d\d?){_TH}"
    r"(?!\w|[.:]\d|,\d\d\d\b|-\d|%)"
    rf"(?:(?:,\s{{0,3}}|{_SPACE})(?P<mf_y>(?:19|20)\d\d){_NO_DIGIT})?)"
    # 15 janvier 2026, 15. Januar 2026, 15 de enero de 2026
    rf"|(?<![\w.,/:$€£+])(?P<foreign>(?P<f_d>\d\d?)(?:er|º"
    rf"|\.)?{_SPACE}(?:de{_SPACE})?(?P<f_m>(?i:{FOREIGN_MONTH}))\b\.?,?"
    rf"{_SPACE}(?:del?{_SPACE})?(?P<f_y>(?:19|20)\d\d){_NO_DIGIT})"
    # 2026年1月15日, 2026년 1월 15일
    r"|(?<!\d)(?P<east>(?P<e_y>20\d\d)\s?[年년]\s?(?P<e_m>\d\d?)\s?[月월]\s?(?P<e_d>\d\d?)\s?[日일])"
    # January 2026
    rf"|(?<!\w)(?P<month>(?:(?P<m_part>[Ll]ate|[Mm]id|[Ee]nd of)[\s-])?(?P<m_m>{_MONTH})(?:,?{_SPACE}"
    rf"|-)(?:of{_SPACE})?(?P<m_y>(?:19|20)\d\d){_NO_DIGIT})"
    # 15/01/2026, 15.01.2026, 01-15-2026
    r"|(?<![\w/.,:$€£-])(?<!version )(?<!Version )(?<!firmware )(?<!build )(?<!elease )"
    r"(?P<numeric>(?P<n_a>\d\d?)(?P<n_s>[/.-])(?P<n_b>\d\d?)(?P=n_s)(?P<n_y>20\d\d)(?![\d/]|[.,-]\d))"
    # in 2026, (c) 2019-2026
    r"|(?<!\w)(?P<year>(?:[Ii]n|[Ss]ince|[Dd]uring|[Tt]hroughout|©|\([Cc]\)|[Cc]opyright)\s{1,3}(?:©\s?)?"
    rf"(?:(?:19|20)\d\d\s?[-–]\s?)?(?P<y_y>20\d\d){_NO_DIGIT}(?![\w/-]))"
)
_CLOCK = (
    r"(?P<h>[01]?\d|2[0-4])(?:[:.](?P<min>[0-5]\d)(?::[0-5]\d(?:\.\d{1,6})?)?(?:\s?(?P<half>[AaPp]\.?[Mm]\b\.?))?"
    r"|(?P<min_b>[0-5]\d)?\s?(?P<half_b>[AaPp]\.?[Mm]\b\.?))"
    rf"(?:\s{{0,2}}\(?(?P<zone>{ZONE})\)?)?"
)
_AFTER = re.compile(rf"(?:T|\s{{0,2}},?\s{{0,2}}(?:at|[-–|·])?\s{{0,2}}){_CLOCK}")
_BEFORE = re.compile(
    rf"(?<![\d.,:]){_CLOCK}(?:\s(?:local|[A-Z][a-z]{{2,20}})\stime)?(?:\s?[,|·–-])?\s{{0,2}}(?:on\s)?(?:the\s)?"
    r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?[,.]?\s)?$"
)
_PARTS = {"mid": 10, "late": 20, "end of": 25}
_FOREIGN = frozenset(["foreign", "east"])
_NEAR = 60  # characters before a date in which its clock time may stand
_NARRATIVE = 1000  # characters over which a story goes on
_EPISODE = timedelta(days=60)
_CALENDAR_YEAR_OFFSETS = (-1, 0, 1)


def _year_of(kind: str, match: re.Match[str]) -> str | None:
    return match["df_y"] if kind == "day_first" else match["mf_y"]


def _same_paragraph(text: str, start: int, end: int) -> bool:
    return end - start <= _NARRATIVE and "\n" not in text[start:end]


def _in_story(day: datetime, before: datetime, reference: datetime) -> datetime:
    """A day without a year after a full date in the same paragraph: a story of an earlier year goes on in that year."""
    told = _day(before.year, day.month, day.day)
    if told is None or before.year >= reference.year:
        return day
    goes_on = before <= told <= before + _EPISODE
    return told if goes_on or before.year < reference.year - 1 else day


def _readings(kind: str, match: re.Match[str], reference: datetime) -> Iterable[datetime | None]:
    """The days that a match may mean, None for one that is not in the calendar."""
    if kind == "iso":
        return [_day(match["iso_y"], match["iso_m"], match["iso_d"])]
    if kind == "foreign":
        return [_day(match["f_y"], MONTH_NUMBERS[match["f_m"].lower()], match["f_d"])]
    if kind == "east":
        return [_day(match["e_y"], match["e_m"], match["e_d"])]
    if kind == "numeric":
        return [_day(match["n_y"], match["n_b"], match["n_a"]), _day(match["n_y"], match["n_a"], match["n_b"])]
    if kind == "month":
        return [_day(match["m_y"], _number(match["m_m"]), _PARTS.get((match["m_part"] or "").lower(), 1))]
    if kind == "year":
        return [_day(match["y_y"], 1, 1)]
    month, day = (match["df_m"], match["df_d"]) if kind == "day_first" else (match["mf_m"], match["mf_d"])
    year = _year_of(kind, match)
    if year is not None:
        return [_day(year, _number(month), day)]
    return [_nearest(_number(month), day, reference)]


def _number(month: str) -> int:
    return _MONTHS.index(month[:3].lower()) + 1


def _day(year: str | int, month: str | int, day: str | int) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day))  # noqa: DTZ001  # local: the zone is applied with the time
    except ValueError:
        return None


def _nearest(month: int, day: str, reference: datetime) -> datetime | None:
    local = reference.replace(tzinfo=None)
    candidates: Iterator[datetime | None] = (_day(local.year + offset, month, day) for offset in _CALENDAR_YEAR_OFFSETS)
    return min((found for found in candidates if found), key=lambda found: abs(found - local), default=None)


def _with_clock(text: str, start: int, end: int) -> tuple[int, int, timedelta | None, str | None]:
    """A date's extent together with the clock time beside it, that time, and its zone."""
    after = _AFTER.match(text, end)
    if after is not None:
        return start, after.end(), _time(after), after["zone"]
    offset = max(0, start - _NEAR)
    before = _BEFORE.search(text[offset:start])
    if before is not None:
        return offset + before.start(), end, _time(before), before["zone"]
    return start, end, None, None


def _time(match: re.Match[str]) -> timedelta:
    hour, half = int(match["h"]), (match["half"] or match["half_b"] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return timedelta(hours=hour, minutes=int(match["min"] or match["min_b"] or 0))
