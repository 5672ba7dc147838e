"""The dates that a page claims: of its publication, and of its latest change.

A claim that is missed makes a page look older than it is, one that is taken for too much only withholds it: so every
place where pages state a change is looked at, and of several readings the latest counts.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime, timedelta

from lxml.html import HtmlElement

from cruxbench_inspect.evidence.dated_moment import DatedMoment
from cruxbench_inspect.evidence.pages.date_wordings import later_reading, read_wording
from cruxbench_inspect.evidence.pages.found_dates import found_date
from cruxbench_inspect.evidence.pages.stated_changes import noted_changes, stated_changes

_HEADLINES = ("title", "h1", "h2", "h3")
_PROSE = ("p", "li", "blockquote", "td")
_LONGEST_NOTE = 100  # characters; what is longer tells a story
_NAMES_LIMIT = 300  # characters of class and id that are looked at
_PLACE = re.compile(r"date|time|publi|posted|updat|modif|created|issued|byline", re.IGNORECASE)


def claimed_dates(tree: HtmlElement, captured: datetime) -> tuple[str | None, str | None]:
    """When a page claims to have been published, and last changed.

    Args:
        tree: The parsed page. It is left as it is.
        captured: When the copy was made; guesses are only looked for up to a day later.

    Returns:
        ISO 8601 dates, or times with the zone that the page states. Midnight is taken for a date without an hour.
    """
    last = captured + timedelta(days=1)
    notes = _without_prose(tree)
    published = _found(notes, last, original=True)
    changes = [_found(notes, last, original=False)]
    changes += [read_wording(text, last) for text in dict.fromkeys(stated_changes(tree))]
    # A date to come in a note is part of a story; stated as the page's own it shows that the copy is no old one.
    notes_of_changes = (read_wording(text, last) for text in dict.fromkeys(noted_changes(tree)))
    changes += [change for change in notes_of_changes if change is not None and change.earliest <= last]
    changes += [later_reading(text, last) for text in dict.fromkeys(_places_of_dates(tree))]
    modified = max((change for change in changes if change is not None), key=lambda change: change.latest, default=None)
    if published is not None and modified is not None and modified.latest <= published.latest:
        modified = None
    return (None if published is None else published.text), (None if modified is None else modified.text)


def _found(notes: HtmlElement, last: datetime, *, original: bool) -> DatedMoment | None:
    found = found_date(notes, last, original=original)
    return None if found is None else read_wording(found, last)


def _without_prose(tree: HtmlElement) -> HtmlElement:
    """A copy without headlines and longer texts, whose dates htmldate would take for want of better ones."""
    notes = deepcopy(tree)
    for element in list(notes.iter(*_HEADLINES, *_PROSE)):
        tells = element.tag in _HEADLINES or len(element.text_content()) > _LONGEST_NOTE
        if tells and element.getparent() is not None and next(element.iter("time", "abbr"), None) is None:
            element.drop_tree()
    return notes


def _places_of_dates(tree: HtmlElement) -> Iterator[str]:
    """Where htmldate reads a date such as 03/04/2026 from, always with the day first."""
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag == "meta":
            yield (element.get("content") or "")[:_LONGEST_NOTE]
            continue
        text = f"{element.get('datetime', '')} {element.text or ''}"
        names = f"{element.tag} {element.get('class', '')} {element.get('id', '')}"
        if len(text) <= _LONGEST_NOTE and _PLACE.search(f"{names[:_NAMES_LIMIT]} {text}"):
            yield text
