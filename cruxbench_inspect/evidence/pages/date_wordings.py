"""The wordings in which pages give a date or a time."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

import dateparser

from cruxbench_inspect.evidence.dated_moment import DatedMoment
from cruxbench_inspect.evidence.pages.found_dates import stated_alone

_LONGEST = 200
_NO_YEAR_OF_A_PAGE = 2100
_MIDNIGHT = re.compile(r"[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$")
_EPOCH = re.compile(r"(\d{10})(?:\d{3})?")
_COMPACT = re.compile(r"\d{8}(?:T|$)")
_MAIL_DATE = re.compile(r"(?:[a-z]{3},\s*)?\d{1,2}\s+[a-z]{3}\s+\d{4}\s+\d{1,2}:\d{2}.*", re.IGNORECASE)
_DOT_OF_A_MONTH = re.compile(r"(?<=[^\W\d])\.")
_UNPRINTABLE = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")  # what a tree cannot hold
# A date in words, in any language whose words are letters, or in the signs of East Asia.
_IN_WORDS = re.compile(
    r"(?<!\d)\d{1,2}(?:\.|st|nd|rd|th|er|º)?[\s-]+(?:of\s+|de\s+|d[ei]\s+)?[^\W\d_]{3,12}\.?,?[\s-]+(?:de\s+)?(?:19|20)\d\d(?!\d)"
    r"|[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d(?!\d)"
    r"|(?:19|20)\d\d\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]?",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(r"(?<!\d)((?:19|20)\d\d)[./-](\d{1,2})[./-](\d{1,2})(?!\d)")
_DAY_AND_MONTH = re.compile(r"(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-]((?:19|20)\d\d)(?!\d)")


def read_wording(text: str, last: datetime) -> DatedMoment | None:
    """The moment that a text names, None if it cannot be read.

    ISO 8601 and the dates of mails keep their time and zone, and midnight stands for the date. Anything else, such as
    "January 12, 2026 5:00 PM EST", is a date.

    Args:
        text: What a page states.
        last: The latest moment that a wording other than these may be read as, an aware datetime.
    """
    value = text.strip()[:_LONGEST]
    for reading in (_epoch(value), _mail_date(value), _MIDNIGHT.sub("", value), _compact(value)):
        if reading is not None:
            try:
                return DatedMoment.parse(reading)
            except ValueError:
                continue
    return later_reading(value, last) or _year_first(value, last) or _in_words(value, last) or _worded(value, last)


def later_reading(text: str, last: datetime) -> DatedMoment | None:
    """The latest date in the manner of 03/04/2026 in a text, of both readings the later that is not after ``last``."""
    known = [
        day
        for first, second, year in _DAY_AND_MONTH.findall(text[:_LONGEST])
        for day in (_day(year, first, second), _day(year, second, first))
        if day is not None and day <= last.date()
    ]
    return DatedMoment.parse(max(known).isoformat()) if known else None


def _year_first(text: str, last: datetime) -> DatedMoment | None:
    known = [day for parts in _YEAR_FIRST.findall(text) if (day := _day(*parts)) is not None and day <= last.date()]
    return DatedMoment.parse(known[0].isoformat()) if known else None


def _in_words(text: str, last: datetime) -> DatedMoment | None:
    """The first date in words, in whatever language."""
    for words in _IN_WORDS.findall(_UNPRINTABLE.sub(" ", text)):
        found = dateparser.parse(words, settings={"STRICT_PARSING": True, "TIMEZONE": "UTC"})
        if found is not None and found.date() <= last.date():
            return DatedMoment.parse(found.date().isoformat())
    return None


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _epoch(text: str) -> str | None:
    """Seconds or milliseconds since 1970; a greater number is something else."""
    match = _EPOCH.fullmatch(text)
    moment = None if match is None else datetime.fromtimestamp(int(match[1]), UTC)
    return None if moment is None or moment.year >= _NO_YEAR_OF_A_PAGE else moment.isoformat()


def _mail_date(text: str) -> str | None:
    if not _MAIL_DATE.fullmatch(text):
        return None
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, OverflowError):
        return None


def _compact(text: str) -> str | None:
    """ISO 8601 without its dashes and colons."""
    if not _COMPACT.match(text):
        return None
    try:
        return _MIDNIGHT.sub("", datetime.fromisoformat(text).isoformat())
    except ValueError:
        return None


def _worded(text: str, last: datetime) -> DatedMoment | None:
    """What htmldate makes of a wording where pages state a change."""
    stated = _DOT_OF_A_MONTH.sub("", _UNPRINTABLE.sub(" ", text))
    found = stated_alone(stated, last, "%Y-%m-%d")
    return None if found is None else DatedMoment.parse(found)
