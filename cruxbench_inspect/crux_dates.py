"""Dates as language models write them."""

import re
import unicodedata
from datetime import date, datetime
from typing import Final

MONTH: Final = (
    r"(?P<{name}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
"""Pattern of an English month in lower case; format it with the name of its group."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_TIME = r"(?:(?:\s*[t,]\s*|\s+)(?:at\s+)?\d{1,2}:\d{2}.{0,30})?"
# What may stand around a date without changing it: a preposition, a clock time, a zone, a part of the day.
_ZONE = r"(?:z|utc|gmt|[ecmp][sd]?t|[a-z]+(?:/[a-z_]+)+|(?:eastern|central|mountain|pacific|local)(?:\s+time)?)"
_CLOCK = (
    rf"(?:(?:\d{{1,2}}(?::\d{{2}}){{1,2}}(?:\s*[ap]\.?m\.?)?|\d{{1,2}}\s*[ap]\.?m\.?|midnight|noon)(?:\s*{_ZONE})?)"
)
_DAY_END = r"(?:the\s+)?end\s+of\s+(?:the\s+)?day"
_BEFORE = re.compile(rf"(?:(?:{_CLOCK}|{_DAY_END})(?:,\s*|\s+on\s+|\s+)|(?:by|on|before|until|from)\s+)+")
_AFTER = re.compile(
    rf"(?<=\d)(?:\s*z|\s*\((?:{_CLOCK}|{_ZONE})\)|[\s,]+(?:{_ZONE}|(?:at\s+)?(?:{_CLOCK}|{_DAY_END})))$"
)
_MONTH = MONTH.format(name="month")
_YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})([-/.])(?P<number>\d{{1,2}})\2(?P<day>\d{{1,2}}){_TIME}")
_DAY_FIRST = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?{_MONTH}\.?[\s,-]+(?P<year>\d{{4}}){_TIME}"
)
_MONTH_FIRST = re.compile(rf"{_MONTH}\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s,]+(?P<year>\d{{4}}){_TIME}")
_YEAR_LAST = re.compile(rf"(?P<first>\d{{1,2}})([-/.])(?P<second>\d{{1,2}})\2(?P<year>\d{{4}}){_TIME}")
_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+")


def read_date(value: object) -> date:
    """Read a calendar date, in ISO form or in English words, with or without a time.

    A time or a zone beside the date is ignored: the date counts as it is written.

    Args:
        value: A ``date``, or text such as ``2025-10-30``, ``2025/10/30``, ``2025-10-30T00:00:00Z``,
            ``30 October 2025``, ``Oct 30th, 2025`` or ``30/10/2025``.

    Raises:
        ValueError: If the value is no date, or one that can be read in two ways, such as ``03/04/2026``.
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("not a date; write YYYY-MM-DD")
    text = " ".join(unicodedata.normalize("NFKC", value).translate(_DASHES).casefold().split())
    text = _bare(text)
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = match["year"], int(match["number"]), match["day"]
    elif match := _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text):
        year, month, day = match["year"], _MONTHS.index(match["month"][:3]) + 1, match["day"]
    elif match := _YEAR_LAST.fullmatch(text):
        year, (month, day) = match["year"], _month_and_day(int(match["first"]), int(match["second"]))
    else:
        raise ValueError("not a date with day, month and year; write YYYY-MM-DD")
    try:
        return date(int(year), month, int(day))
    except ValueError:
        raise ValueError("no day of the calendar") from None


def _bare(text: str) -> str:
    """The date alone, without a weekday, a preposition, or a time and zone in words."""
    if text.isascii() and text.isdigit() and len(text) == len("20251030"):
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    before = _BEFORE.match(text)
    text = text[before.end() :] if before else text
    weekday = _WEEKDAY.match(text)
    text = text[weekday.end() :] if weekday else text
    return _AFTER.sub("", text)


def _month_and_day(first: int, second: int) -> tuple[int, int]:
    if first > 12:
        return second, first
    if second > 12 or first == second:
        return first, second
    raise ValueError("day and month cannot be told apart; write YYYY-MM-DD")
