"""The places in which pages state that they were changed."""

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

_NAMES = frozenset(
    "article:modified_time og:updated_time og:article:modified_time article:modified datemodified date.modified"
    " dcterms.modified dc.date.modified last-modified lastmod lastmodified modified revised updated_time"
    " parsely-updated sailthru.updated".split()
)
_KEYS = frozenset(("datemodified", "dateupdated", "uploaddate"))
_CLASS = re.compile(r"updat|modif|edited|revis", re.IGNORECASE)
_PROSE = re.compile(r"\b(?:updated|modified|edited|revised|corrected)\b[\s:,–-]{0,5}(?:(?:on|at)\s)?(.{6,60})", re.I)
_KEY_AND_VALUE = re.compile(r'"date(?:modified|updated)"\s{0,20}:\s{0,20}"([^"\\]{4,60})"', re.I)
_NAMES_LIMIT = 300  # characters of class and id that are looked at
_PROSE_LIMIT = 200  # characters at the start of a text that are looked at
_MOST_PROSE = 50  # notes of a change on one page
_MOST_JSON = 500_000
_DEEPEST = 50
_EPOCH = range(1_000_000_000, 4_000_000_000_000)  # seconds or milliseconds since 1970


def stated_changes(tree: HtmlElement) -> Iterator[str]:
    """Whatever a page says where pages say when they were changed, as it stands there; it need not be a date."""
    notes = 0
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag == "script":
            if "ld+json" in (element.get("type") or "").lower():
                yield from _in_linked_data(element.text or "")
            continue
        if _is_named(element):
            yield element.get("content") or element.get("datetime") or element.text_content()[:_PROSE_LIMIT]
        elif element.tag in ("time", "abbr") and _CLASS.search(_classes(element)):
            yield element.get("datetime") or element.get("title") or element.text_content()[:_PROSE_LIMIT]
        if notes < _MOST_PROSE:
            note = _PROSE.search((element.text or "")[:_PROSE_LIMIT])
            if note:
                notes += 1
                yield note[1]


def _is_named(element: HtmlElement) -> bool:
    if element.tag == "meta":
        keys: tuple[str, ...] = ("property", "name", "itemprop", "http-equiv")
    else:
        keys = ("itemprop", "property")
    return any((element.get(key) or "").strip().lower() in _NAMES for key in keys)


def _classes(element: HtmlElement) -> str:
    return f"{element.get('class', '')} {element.get('id', '')}"[:_NAMES_LIMIT]


def _in_linked_data(text: str) -> Iterator[str]:
    try:
        value = json.loads(text, strict=False) if len(text) <= _MOST_JSON else None
    except (ValueError, RecursionError):
        value = None
    if value is None:
        yield from _KEY_AND_VALUE.findall(text)
    else:
        yield from _in_value(value)


def _in_value(value: Any, depth: int = 0, live: bool = False) -> Iterator[str]:
    """Changes in linked data; the entries of a live blog are changes of it."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _in_value(item, depth + 1, live)
    elif isinstance(value, dict):
        for key, item in value.items():
            name = key.lower()
            if isinstance(item, list | dict):
                yield from _in_value(item, depth + 1, live or name == "liveblogupdate")
            elif name in _KEYS or (live and name == "datepublished"):
                if isinstance(item, str) or (isinstance(item, int) and item in _EPOCH):
                    yield str(item)
