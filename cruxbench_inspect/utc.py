"""Moments are aware datetimes in UTC; this is the one place that parses, prints and floors them."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import BeforeValidator

HOUR = timedelta(hours=1)


def parse_utc(text: str) -> datetime:
    """Read an ISO 8601 moment that names its zone.

    Args:
        text: For example ``2025-10-26T00:00:00Z`` or ``2025-10-26T01:00:00+01:00``.

    Returns:
        The moment in UTC.

    Raises:
        ValueError: If the text is no ISO 8601 moment, names no zone, or is out of all calendars in UTC.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("is no ISO 8601 date and time") from None
    return _in_utc(moment)


def format_utc(moment: datetime) -> str:
    """Print a moment as ISO 8601 with a trailing Z, without fractions of a second when there are none."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def floor_hour(moment: datetime) -> datetime:
    """The whole hour at or before a moment, in UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("names no time zone (write 2025-10-26T00:00:00Z)")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is before the year 1 or after the year 9999 in UTC") from None


def _utc(value: object) -> object:
    if isinstance(value, datetime):
        return _in_utc(value)
    if not isinstance(value, str):
        raise ValueError("is no ISO 8601 date and time")
    return parse_utc(value)


UtcDatetime = Annotated[datetime, BeforeValidator(_utc)]
"""A pydantic field that takes ISO 8601 text with a zone (or an aware datetime) and holds the moment in UTC."""
