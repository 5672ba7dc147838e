"""Checks of what an item is shown with: the dates of its attributes, and dates in its addresses."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.audit.findings import Finding, excerpt
from cruxbench_inspect.audit.items import Item
from cruxbench_inspect.audit.zones import earliest_utc
from cruxbench_inspect.evidence.dated_moment import DatedMoment
from cruxbench_inspect.utc import format_utc


def stated_date_findings(item: Item) -> Iterator[Finding]:
    """Dates of an item's attributes that are not provably before its cutoff.

    As in admission, a stored copy bounds the text by its capture: where that is known to be before the cutoff, an
    unsure date of publication does no harm.
    """
    moments = [(name, value, _moment(value)) for name, value in item.stated]
    bounded = item.proof == "A" or any(
        name == "captured" and moment is not None and moment.latest < item.cutoff for name, _, moment in moments
    )
    for name, value, moment in moments:
        told = f'{name}="{value}"'
        if moment is None:
            mentions = date_mentions(value, item.cutoff)
            if mentions and mentions[0].earliest >= item.cutoff:
                yield Finding(kind="dated_after", excerpt=told)
        elif moment.earliest >= item.cutoff:
            yield Finding(kind="dated_after", excerpt=told)
        elif moment.latest >= item.cutoff and not bounded:
            until = f"it may be as late as {format_utc(moment.latest.replace(microsecond=0))}"
            yield Finding(kind="date_not_provable", excerpt=told, reason=until)


def address_findings(item: Item) -> Iterator[Finding]:
    """Addresses of an item and in its text whose path has a date after the cutoff.

    Pages of events that are to come have such paths, too: addresses that speak of a calendar do not count.
    """
    if item.url and _path_date(item.url) >= item.cutoff and not _CALENDAR.search(item.url):
        yield Finding(kind="address_after", excerpt=item.url[:300])
    for match in ADDRESS.finditer(item.reading):
        if _path_date(match[0]) >= item.cutoff and not _CALENDAR.search(match[0]):
            yield Finding(kind="address_after", excerpt=excerpt(item.reading, match.start(), match.end()))


ADDRESS = re.compile(r"\b(?:https?://|www\.)[^\s<>\"'()\[\]]{4,500}")
"""An address in a text."""

_PATH_DATE = re.compile(
    r"/(?P<year>20\d\d)(?:(?P<sep>[/-])(?P<month>\d\d?)(?:(?P=sep)(?P<day>\d\d?))?(?=[/_.?#-]|$)"
    r"|(?P<month_b>\d\d)(?P<day_b>\d\d)(?:(?P<time>\d{6})(?:[a-z]{2}_)?)?(?=[/_.?#-]|$))"
)
_CALENDAR = re.compile(r"event|calendar|schedule|fixture|agenda|match|programme|deadline|upcoming", re.IGNORECASE)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _moment(value: str) -> DatedMoment | None:
    try:
        return DatedMoment.parse(value.strip())
    except ValueError:
        return None


def _path_date(address: str) -> datetime:
    """The latest date in an address's path, as the first instant that it may stand for."""
    path = address.partition("?")[0]
    return max((_date(match) for match in _PATH_DATE.finditer(path)), default=_LONG_AGO)


def _date(match: re.Match[str]) -> datetime:
    try:
        month, day = match["month"] or match["month_b"], match["day"] or match["day_b"] or 1
        local = datetime(int(match["year"]), int(month), int(day))  # noqa: DTZ001  # local: the zone comes with it
        if match["time"]:  # an archive's stamp, which is in UTC
            return datetime.strptime(f"{local:%Y%m%d}{match['time']}", "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        return earliest_utc(local, None)
    except ValueError:
        return _LONG_AGO
