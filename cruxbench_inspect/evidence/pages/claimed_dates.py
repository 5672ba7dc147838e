"""The dates that a page claims: of its publication, and of its latest change.

A claim that is missed makes a page look older than it is, one that is taken for too much only withholds it: so every
place where pages state a change is looked at, and of several readings the latest counts.
"""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from htmldate import find_date
from lxml.html import HtmlElement

from cruxbench_inspect.evidence.dated_moment import DatedMoment

_FORMAT = "%Y-%m-%dT%H:%M:%S%z"
_CHANGE_NAMES = frozenset(
    "article:modified_time og:updated_time og:article:modified_time article:modified datemodified date.modified"
    " dcterms.modified dc.date.modified last-modified lastmod lastmodified modified revised updated_time"
    " parsely-updated sailthru.updated".split()
)
_CHANGE_KEYS = frozenset(("datemodified", "dateupdated", "uploaddate"))
_CHANGE_CLASS = re.compile(r"updat|modif|edited|revis", re.IGNORECASE)
_DAY_AND_MONTH = re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)\d\d)\b")
_MOST_JSON = 500_000
_DEEPEST = 50


def claimed_dates(tree: HtmlElement, captured: datetime) -> tuple[str | None, str | None]:
    """When a page claims to have been published, and last changed.

    Args:
        tree: The parsed page. It is left as it is.
        captured: When the copy was made; htmldate looks for dates up to a day later.

    Returns:
        ISO 8601 dates, or times with the zone that the page states. Midnight is taken for a date without an hour.
    """
    published = _found(tree, captured, original=True)
    changes = [moment for text in _stated_changes(tree) if (moment := _read(text)) is not None]
    latest = _found(tree, captured, original=False)
    if latest is not None:
        changes.append(latest)
    changes += _later_readings(tree)
    modified = max(changes, key=lambda moment: moment.latest, default=None)
    if published is not None and modified is not None and modified.latest <= published.latest:
        modified = None
    return (None if published is None else published.text), (None if modified is None else modified.text)


def _found(tree: HtmlElement, captured: datetime, *, original: bool) -> DatedMoment | None:
    """What htmldate finds where pages state dates; guesses from footers and stories are left out."""
    found = find_date(
        tree,
        extensive_search=False,
        original_date=original,
        outputformat=_FORMAT,
        max_date=captured + timedelta(days=1),
    )
    return None if found is None else _read(found)


def _stated_changes(tree: HtmlElement) -> Iterator[str]:
    for meta in tree.iter("meta"):
        names = {(meta.get(key) or "").strip().lower() for key in ("property", "name", "itemprop", "http-equiv")}
        if not names.isdisjoint(_CHANGE_NAMES):
            yield meta.get("content") or ""
    for element in tree.iter("time"):
        told = f"{element.get('class', '')} {element.get('itemprop', '')} {element.get('id', '')}"
        if _CHANGE_CLASS.search(told[:300]):
            yield element.get("datetime") or ""
    for script in tree.iter("script"):
        if "ld+json" in (script.get("type") or "").lower():
            yield from _changes_in_json(_loaded(script.text or ""))


def _loaded(text: str) -> Any:
    if len(text) > _MOST_JSON:
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _changes_in_json(value: Any, depth: int = 0, live: bool = False) -> Iterator[str]:
    """Changes in linked data; the entries of a live blog are changes of it."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _changes_in_json(item, depth + 1, live)
    elif isinstance(value, dict):
        for key, item in value.items():
            name = key.lower()
            if isinstance(item, str):
                if name in _CHANGE_KEYS or (live and name == "datepublished"):
                    yield item
            else:
                yield from _changes_in_json(item, depth + 1, live or name == "liveblogupdate")


def _later_readings(tree: HtmlElement) -> Iterator[DatedMoment]:
    """Dates such as 03/04/2026 in the places where pages state them, read as the later of the two days."""
    stated = [meta.get("content") or "" for meta in tree.iter("meta")]
    stated += [f"{element.get('datetime', '')} {element.text or ''}" for element in tree.iter("time")]
    for text in stated:
        for first, second, year in _DAY_AND_MONTH.findall(text[:200]):
            readings = [_day(year, month, day) for day, month in ((first, second), (second, first))]
            known = [reading for reading in readings if reading is not None]
            if known:
                yield DatedMoment.parse(max(known).isoformat())


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _read(text: str) -> DatedMoment | None:
    value = text.strip()
    for reading in (value, _mail_date(value)):
        if reading is not None:
            try:
                moment = DatedMoment.parse(re.sub(r"[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$", "", reading))
            except ValueError:
                continue
            return moment
    return None


def _mail_date(text: str) -> str | None:
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, OverflowError):
        return None
