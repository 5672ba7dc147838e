"""The binding deadline of a market, which its rules state in words and its record often gets wrong by a day."""

import calendar
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

EARLIEST_BEFORE_CLOSE = timedelta(hours=36)
"""How long before the scheduled close a stated deadline is still believed to be the one that is meant."""

LATEST_AFTER_CLOSE = timedelta(hours=48)
"""The same after it. A record says 2027-12-31T00:00Z for 31 December, 11:59 PM in New York, which is 29 hours later."""

LAST_YEAR = 2100
"""Later years stand for "no deadline"."""

DEFAULT_ZONE = "America/New_York"
"""The zone of a time or a day that names none: the exchange's own."""


def stated_deadline(description: str, question: str, opened: datetime, closes: datetime | None) -> datetime | None:
    """Read the deadline that the rules state, such as "by December 31, 2027, 11:59 PM ET".

    A day without a time lasts until 23:59, and "before" a day means its midnight. A local time that occurs twice, or
    never, because clocks change, is taken as the later of its two readings (2:30 AM on a day on which clocks go from
    2 to 3 is 3:30 AM). Abbreviations name places: who writes EST in summer means New York. A time in a zone that is
    not known, or that has several meanings (IST), is passed over.

    Args:
        description: The rules, without notes that were added later.
        question: Read where the rules state no deadline that fits.
        opened: When the market opened; a deadline is later.
        closes: The scheduled close as the record has it, None where it has none.

    Returns:
        The latest deadline that fits the scheduled close, in UTC; None where none is stated or none fits.
    """
    for text in (description, question):
        fitting = [moment for moment in _stated(text, opened, closes) if _fits(moment, opened, closes)]
        if fitting:
            return max(fitting)
    return None


_PLACES = {
    "America/New_York": "et est edt eastern",
    "America/Chicago": "ct cst cdt central",
    "America/Denver": "mt mst mdt mountain",
    "America/Los_Angeles": "pt pst pdt pacific",
    "Europe/London": "bst",
    "Europe/Paris": "cet cest",
    "Europe/Athens": "eet eest",
    "Europe/Moscow": "msk",
    "Asia/Hong_Kong": "hkt",
    "Asia/Singapore": "sgt",
    "Asia/Tokyo": "jst",
    "Asia/Seoul": "kst",
    "Australia/Sydney": "aest aedt",
    "UTC": "utc gmt",
}
_ZONES = {name: zone for zone, names in _PLACES.items() for name in names.split()} | {"new york": "America/New_York"}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}

_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b"
_DAY = re.compile(
    rf"\b(?:(?P<month>{_MONTH})\.?\s*(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
    rf"|(?P<day_first>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month_second>{_MONTH})\.?)"
    r"(?:,?\s+(?P<year>[0-9]{4})\b)?"
    r"|\b(?P<iso>[0-9]{4}-[0-9]{2}-[0-9]{2})\b|\b(?P<us>[0-9]{1,2}/[0-9]{1,2}/[0-9]{4})\b",
    re.IGNORECASE,
)
_PERIOD_END = re.compile(
    rf"\b(?:by|before|until)\s+(?:the\s+)?end\s+of\s+(?:(?P<month>{_MONTH})\.?,?\s*)?(?P<year>[0-9]{{4}})?\b",
    re.IGNORECASE,
)
_KNOWN_ZONE = rf"(?:{'|'.join(_ZONES)})\b"
_CLOCK = (
    r"(?:\b(?P<hour>[0-9]{1,2})(?=:[0-9]|\s*[ap]\.?m)(?::(?P<minute>[0-9]{2}))?(?::[0-9]{2})?\s*(?P<half>[ap]\.?m\b\.?)?"
    rf"|\b(?P<word>noon|midnight)\b)(?:[\s,(]*(?P<zone>{_KNOWN_ZONE}|(?-i:[A-Z]{{2,4}}T)\b))?"
)
_AFTER_DAY = re.compile(rf"[\s,(]*(?:(?:at\s+)?{_CLOCK}|(?P<zone_alone>{_KNOWN_ZONE}))", re.IGNORECASE)
_BEFORE_DAY = re.compile(
    r"(?:\b(?P<before>before|prior\s+to)|\b(?:on\s+or\s+(?:before|prior\s+to)|(?:no|not)\s+later\s+than|by|until|till"
    r"|through|up\s+to|(?:ends?|ending|expires|closes)(?:\s+on)?|deadline(?:\s+(?:is|of))?:?)"
    # The later end of a range: "between June 1, 12:00 PM ET, and June 30", "June 1, 2026 - June 30, 2026".
    r"|\bbetween\b[^;]{1,60}?\band|\bfrom\b[^;]{1,60}?\bto|[0-9](?:st|nd|rd|th)?,?\s*(?:\band|\bto|[-–—]))"
    r"\s*(?:the\s+)?(?:end\s+of\s+(?:the\s+)?(?:day,?\s+)?(?:on\s+)?)?"
    rf"(?:{_CLOCK}[\s,)]*(?:time\s+)?(?:(?:on|of)\s+)?)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?$",
    re.IGNORECASE,
)
_BEFORE_DAY_CHARACTERS = 80
"""How far before a day the words that make it a deadline may begin."""

_END_OF_DAY = timedelta(hours=23, minutes=59)


def _stated(text: str, opened: datetime, closes: datetime | None) -> Iterator[datetime]:
    """All deadlines that a text states, whether they fit or not."""
    for found in _DAY.finditer(text):
        before = _BEFORE_DAY.search(text[max(0, found.start() - _BEFORE_DAY_CHARACTERS) : found.start()])
        if before is None:
            continue
        after = _AFTER_DAY.match(text, found.end())
        clock = next((one for one in (after, before) if one and (one["hour"] or one["word"])), None)
        named = clock["zone"] if clock else after["zone_alone"] if after else None
        zone = _ZONES.get(named.lower()) if named else DEFAULT_ZONE
        time_of_day = _time_of_day(clock) if clock else timedelta(0) if before["before"] else _END_OF_DAY
        if zone is None or time_of_day is None:
            continue
        month, day, stated_year = _day(found)
        for year in [stated_year] if stated_year is not None else _years(month, day, opened, closes):
            yield from _moment(year, month, day, time_of_day, zone)
    for found in _PERIOD_END.finditer(text):
        if not (found["month"] or found["year"]):
            continue
        month = _MONTHS[found["month"].lower()] if found["month"] else 12
        for year in [int(found["year"])] if found["year"] else _years(month, 28, opened, closes):
            yield from _moment(year, month, calendar.monthrange(year, month)[1], _END_OF_DAY, DEFAULT_ZONE)


def _fits(moment: datetime, opened: datetime, closes: datetime | None) -> bool:
    if moment <= opened:
        return False
    if closes is None:
        return moment.year <= LAST_YEAR
    return -EARLIEST_BEFORE_CLOSE <= moment - closes <= LATEST_AFTER_CLOSE


def _years(month: int, day: int, opened: datetime, closes: datetime | None) -> list[int]:
    """Years that a day without one may be of: those around the close, or that of the next such day."""
    if closes is not None:
        return [closes.year - 1, closes.year, closes.year + 1]
    return [opened.year if (month, day) >= (opened.month, opened.day) else opened.year + 1]


def _day(found: re.Match[str]) -> tuple[int, int, int | None]:
    """Month, day, and year; the year is None where the text has none."""
    if found["iso"]:
        year, month, day = map(int, found["iso"].split("-"))
        return month, day, year
    if found["us"]:
        month, day, year = map(int, found["us"].split("/"))
        return month, day, year
    name = found["month"] or found["month_second"]
    return _MONTHS[name.lower()], int(found["day"] or found["day_first"]), int(found["year"]) if found["year"] else None


def _time_of_day(clock: re.Match[str]) -> timedelta | None:
    """Time since the day's midnight; None for what is no time, such as 25:00."""
    if clock["word"]:
        return timedelta(hours=12 if clock["word"].lower() == "noon" else 24)
    hour, minute = int(clock["hour"]), int(clock["minute"] or 0)
    if clock["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if clock["half"].lower().startswith("p") else 0)
    return timedelta(hours=hour, minutes=minute) if hour <= 24 and minute <= 59 else None


def _moment(year: int, month: int, day: int, time_of_day: timedelta, zone: str) -> Iterator[datetime]:
    """The moment of a local time, the later one where it can be two; nothing where there is no such day."""
    try:
        local = datetime(year, month, day, tzinfo=ZoneInfo(zone)) + time_of_day
        yield max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    except (ValueError, OverflowError):
        return
