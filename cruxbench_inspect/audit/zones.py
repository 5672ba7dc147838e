"""Time zones as texts write them, as the offset under which a local time comes first."""

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

EASTMOST = timedelta(hours=14)
"""UTC+14 is the first zone to see a local time: what holds where no zone is known."""

ZONE = (
    r"(?:[Zz]\b|(?:UTC|GMT)(?:\s?[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2}\b"
    r"|(?:BST|WEST|WET|CEST|CET|EEST|EET|MSK|AST|ADT|EST|EDT|ET|CDT|CT|MDT|MST|MT|PDT|PST|PT|JST|KST|HKT|SGT|AEST|AEDT"
    r"|NZST|NZDT)\b"
    r"|[A-Z][A-Za-z]{2,20}/[A-Z][A-Za-z_]{2,30}(?:/[A-Z][A-Za-z_]{2,30})?)"
)
"""Pattern of a zone."""

# Hours east of UTC. A name that stands for several offsets has the eastmost of them: its times come first.
_NAMED = {
    "Z": 0, "BST": 1, "WEST": 1, "WET": 0, "CEST": 2, "CET": 1, "EEST": 3, "EET": 2, "MSK": 3, "AST": 3, "ADT": -3,
    "EST": -5, "EDT": -4, "ET": -4, "CDT": -5, "CT": -5, "MDT": -6, "MST": -7, "MT": -6, "PDT": -7, "PST": -8,
    "PT": -7, "JST": 9, "KST": 9, "HKT": 8, "SGT": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
_OFFSET = re.compile(r"([+-])(\d{1,2}):?(\d{2})?")


def earliest_utc(local: datetime, zone: str | None) -> datetime:
    """The first instant, in UTC, that a local time may stand for.

    Args:
        local: A naive local time, from the year 2 on.
        zone: The zone as a text names it, a match of ``ZONE``; None or an unknown one leaves all zones possible.
    """
    if zone is not None:
        if "/" in zone and zone in _zones():
            return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
        offset = _offset(zone)
        if offset is not None:
            return local.replace(tzinfo=UTC) - offset
    return local.replace(tzinfo=UTC) - EASTMOST


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _offset(zone: str) -> timedelta | None:
    if zone.upper() in _NAMED:
        return timedelta(hours=_NAMED[zone.upper()])
    match = _OFFSET.search(zone)
    if match is None:
        return timedelta(0) if zone.startswith(("UTC", "GMT")) else None
    size = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return size if match[1] == "+" else -size
