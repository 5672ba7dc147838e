"""The ``Retry-After`` header in both of its forms."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds that a service asks to wait, None when it does not say so in a form of RFC 9110, section 10.2.3.

    Args:
        value: The header: a number of seconds, or a date such as ``Fri, 31 Dec 2027 23:59:59 GMT``.
        now: An aware datetime, from which a date counts.

    Returns:
        Zero or more; a moment that has passed is zero.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        return _until(value, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(value: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
