"""A moment as a source gives it: an instant, or a stretch of instants when only a date or no zone is known."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

from cruxbench_inspect.utc import format_utc

_WESTMOST = timedelta(hours=12)
"""UTC-12 is the last zone to see a local time."""
_EASTMOST = timedelta(hours=14)
"""UTC+14 is the first zone to see a local time."""
_INSTANT = timedelta(microseconds=1)
_HOUR_ALONE = re.compile(r"[\d-]{10}.\d{2}(?:Z|[+-]\d{2}(?::?\d{2})?)?", re.IGNORECASE)
# Python reads ISO weeks as well, whose Monday would stand for all of the week, a fraction of any length, and any
# character for the T before the hour, such as one that nobody sees.
_CALENDAR_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9:.,]{2,18}(?:Z|[+-][0-9:.]{2,15})?)?")


@dataclass(frozen=True, slots=True)
class DatedMoment:
    """When something happened, with the uncertainty that its wording leaves.

    Attributes:
        text: The value as the source gave it.
        earliest: First instant it may stand for, in UTC. For a date this is 00:00:00Z of that date, by the
            benchmark's convention for evidence whose hour is unknown.
        latest: Last instant it may stand for, in UTC and inclusive. For a date this is the last microsecond
            before 12:00Z of the next day, when the date ends in UTC-12.
        date_only: Whether only a date is known.
    """

    text: str
    earliest: datetime
    latest: datetime
    date_only: bool

    @classmethod
    def parse(cls, text: str) -> "DatedMoment":
        """Read an ISO 8601 date (``2026-01-10``) or date and time, with an offset or without one.

        A time without an offset may stand for any instant from UTC+14 to UTC-12, and one without minutes for any
        instant of its hour.

        Raises:
            ValueError: If the text is neither, or too near the first or last year that can be told.
        """
        try:
            if not _CALENDAR_DATE.fullmatch(text):
                raise ValueError
            day = _read_date(text)
            if day is not None:
                midnight = datetime.combine(day, time(), UTC)
                return cls(text, midnight, midnight + timedelta(days=1) + _WESTMOST - _INSTANT, date_only=True)
            moment = datetime.fromisoformat(text)
            within = _left_open(text)
            if moment.tzinfo is not None:
                instant = moment.astimezone(UTC)
                return cls(text, instant, instant + within, date_only=False)
            local = moment.replace(tzinfo=UTC)
            return cls(text, local - _EASTMOST, local + _WESTMOST + within, date_only=False)
        except (ValueError, OverflowError):
            raise ValueError(
                f"{text!r} is no date such as 2026-01-10 and no time such as 2026-01-10T23:30:00Z"
            ) from None

    def __str__(self) -> str:
        """The date, the instant in UTC with a trailing Z, or the time as given when its zone is unknown."""
        return format_utc(self.earliest) if self.earliest == self.latest else self.text


def _left_open(text: str) -> timedelta:
    """How long a time without minutes may go on for."""
    return timedelta(hours=1) - _INSTANT if _HOUR_ALONE.fullmatch(text) else timedelta()


def _read_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _validate(value: Any) -> Any:
    if isinstance(value, str):
        return DatedMoment.parse(value)
    if value is None or isinstance(value, DatedMoment):
        return value
    # Pydantic would build a moment from an object, whose limits then need not be those of its text.
    raise ValueError("a date or a time is written as a text, such as 2026-01-10")


Moment = Annotated[
    DatedMoment,
    BeforeValidator(_validate),
    PlainSerializer(lambda moment: moment.text, return_type=str),
]
"""A pydantic field that reads a string by ``DatedMoment.parse`` and is serialised to that same string."""
