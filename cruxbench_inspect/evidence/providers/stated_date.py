"""Dates of publication as search providers state them."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

from cruxbench_inspect.evidence.dated_moment import DatedMoment

# What the standard library reads is far less strict: it makes a midnight of a date without a time.
_MAIL_DATE = re.compile(
    r"(?:[a-z]{3,9},?\s+)?(\d{1,2}\s+[a-z]{3}\s+\d{4})(\s+\d{1,2}:\d{2}(?::\d{2})?)?(\s+\S+)?", re.IGNORECASE
)


def stated_date(value: str | None) -> DatedMoment | None:
    """The moment that a provider states, None when there is none or it cannot be read.

    Providers estimate these dates. Midnight in UTC therefore stands for the whole date, and a time in a zone that is
    not known by its offset for every instant that it may be.

    Args:
        value: In ISO 8601 (``2026-01-10T23:30:00.000Z``, ``2026-01-10``) or in the form of mails
            (``Sat, 10 Jan 2026 23:30:00 GMT``).
    """
    if value is None:
        return None
    text = " ".join(value.split())
    try:
        return _midnight_as_date(DatedMoment.parse(_from_mail_date(text) or text))
    except (ValueError, OverflowError):
        return None


def _from_mail_date(text: str) -> str | None:
    match = _MAIL_DATE.fullmatch(text)
    if match is None:
        return None
    day, time, zone = match.groups()
    moment = parsedate_to_datetime(f"{day}{time or ' 00:00'}{zone or ''}")
    return moment.isoformat() if time else moment.date().isoformat()


def _midnight_as_date(moment: DatedMoment) -> DatedMoment:
    instant = moment.earliest
    is_midnight = moment.earliest == moment.latest and instant == _start_of_day(instant)
    return DatedMoment.parse(instant.date().isoformat()) if is_midnight else moment


def _start_of_day(instant: datetime) -> datetime:
    return instant.replace(hour=0, minute=0, second=0, microsecond=0)
