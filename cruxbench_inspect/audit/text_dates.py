"""The check of a text for dates after the cutoff on which it looks back."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from cruxbench_inspect.audit.date_mentions import DateMention, date_mentions
from cruxbench_inspect.audit.findings import Finding, excerpt
from cruxbench_inspect.audit.items import Item
from cruxbench_inspect.audit.stated_dates import ADDRESS
from cruxbench_inspect.audit.tense import looks_back
from cruxbench_inspect.evidence.dated_moment import DatedMoment

YEARLESS = timedelta(days=60)
"""How far after the cutoff a day without a year is read as that later day, and not as the one a year before."""


def later_mentions(text: str, cutoff: datetime, written: datetime) -> list[DateMention]:
    """The dates in a text that lie provably after a cutoff; dates within addresses are not looked at.

    Args:
        text: The text.
        cutoff: The cutoff, in UTC.
        written: About when the text was written, for days without a year.
    """
    plain = ADDRESS.sub(lambda match: " " * len(match[0]), text) if "://" in text or "www." in text else text
    return [
        mention
        for mention in date_mentions(plain, written)
        if mention.earliest >= cutoff and not (mention.assumed_year and mention.earliest >= cutoff + YEARLESS)
    ]


def text_date_findings(item: Item) -> Iterator[Finding]:
    """Dates after the cutoff on which an item's text looks back."""
    text = item.reading
    for mention in later_mentions(text, item.cutoff, written(item)):
        if looks_back(text, mention):
            yield Finding(kind="text_after", excerpt=excerpt(text, mention.start, mention.end))


def written(item: Item) -> datetime:
    """About when an item was written: its date of publication if that is before the cutoff, else the cutoff."""
    try:
        published = DatedMoment.parse(dict(item.stated).get("published", "")).earliest
    except ValueError:
        return item.cutoff
    return min(published, item.cutoff)
