"""How long a service asks to wait: the ``Retry-After`` header in both of its forms, and a field of JSON bodies."""

import json
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\s*[0-9]{1,300}(?:\.[0-9]{1,20})?\s*")  # more digits are no number that a float can hold


def retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds that a service asks to wait, None when it does not say so in a form of RFC 9110, section 10.2.3.

    Args:
        value: The header: a number of seconds, or a date such as ``Fri, 31 Dec 2027 23:59:59 GMT``.
        now: An aware datetime, from which a date counts.

    Returns:
        Zero or more, without a bound; a moment that has passed is zero.
    """
    if value is None:
        return None
    # A proxy on the way may have added its own: then the longer one holds.
    several = value.split(",")
    if len(several) > 1 and all(_SECONDS.fullmatch(one) for one in several):
        return max(float(one) for one in several)
    if _SECONDS.fullmatch(value):
        return float(value)
    return _until(value, now)


def retry_after_in_body(body: bytes) -> float | None:
    """The seconds that the field ``retry_after_seconds`` of a JSON object asks to wait, None where it does not say so.

    Args:
        body: The whole body of an answer, whatever it is.

    Returns:
        Zero or more, without a bound.
    """
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    value = parsed.get("retry_after_seconds") if isinstance(parsed, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    return float(value) if _SECONDS.fullmatch(str(value)) else None


def _until(value: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
