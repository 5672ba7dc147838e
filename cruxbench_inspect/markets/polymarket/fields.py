"""Reading the fields of a record, in every form in which the exchange, or a table made of its records, writes them."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from cruxbench_inspect.markets.tolerant_json import tolerant_json

_MILLISECONDS_FROM = 100_000_000_000
"""Numbers from here on are milliseconds since 1970: as seconds they would be in the year 5138."""


def text_of(value: object) -> str | None:
    """A text without spaces around it; a whole number, also as a table leaves it (``601697.0``), as its digits.

    Returns:
        None for what is empty or no such thing.
    """
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        # A float of this size has lost digits: it would be another id.
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else None
    return str(value)


def number_of(value: object) -> float | None:
    """A finite number, also where it is written as a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def volume_of(record: Mapping[str, Any]) -> float | None:
    """What a market has turned over in USDC, from whichever of the record's two fields has it."""
    return next(
        (number for name in ("volumeNum", "volume") if (number := number_of(record.get(name))) is not None), None
    )


def flag_of(value: object) -> bool:
    """A flag: true, 1, 1.0 or ``"true"`` set it, anything else and nothing at all do not."""
    return value.strip().lower() in ("true", "1", "1.0") if isinstance(value, str) else value in (True, 1)


def list_of(value: object) -> list[Any] | None:
    """A list, also where it is JSON in a text.

    Returns:
        None for what is missing, empty text, or no list.
    """
    if isinstance(value, str):
        try:
            value = tolerant_json(value)
        except ValueError:
            return None
    return value if isinstance(value, list) else None


def object_of(value: object) -> Mapping[str, Any]:
    """A JSON object, also where it is JSON in a text; an empty one for anything else."""
    if isinstance(value, str):
        try:
            value = tolerant_json(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


_YEARS = range(2000, 3000)


def moment_of(value: object) -> datetime | None:
    """A moment in UTC: ISO 8601 in the exchange's forms, or seconds or milliseconds since 1970.

    The exchange writes UTC throughout, so a text without a zone is in UTC, and a bare date is its first instant
    (``is_date`` tells). ``T24:00:00Z`` is the first instant of the next day. Fractions of a second have any length.

    Returns:
        None for what is missing or no moment, or in a year that stands for none, such as 0001 or 9999.
    """
    moment = None
    try:
        if isinstance(value, str):
            moment = _parsed(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            moment = datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment is not None and moment.year in _YEARS else None


def is_date(value: object) -> bool:
    """Whether a value that ``moment_of`` reads names a day and no time."""
    return isinstance(value, str) and len(value.strip()) == 10


def first_moment(*values: object) -> datetime | None:
    """The first of several values that is a moment."""
    return next((moment for value in values if (moment := moment_of(value)) is not None), None)


def labels_of(values: Sequence[Any]) -> list[str]:
    """Labels as they are compared: without quotes and spaces around them, and without case."""
    return [str(value).strip(" \t\r\n\u00a0\"'\u2018\u2019\u201c\u201d").casefold() for value in values]


def _parsed(text: str) -> datetime:
    if "T24:00" in text or " 24:00" in text:
        return _parsed(text.replace("T24:00", "T00:00").replace(" 24:00", " 00:00")) + timedelta(days=1)
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
