"""The places in which pages state that they were changed."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

_NAME = re.compile(
    r"(?:modified|modification|updated?|revised|mod)(?:time|date|on|at)?$|^(?:lastmod|(?:last)?updates?|lastreviewed)$"
)
_CLASS = re.compile(r"updat|modif|edited|revis", re.IGNORECASE)
_WORDS = (
    r"(?:last(?:ly)?\s+|this\s+(?:article|story|post|page|report|piece)\s+(?:was|has\s+been)\s+(?:last\s+)?"
    r"|(?:editor.s\s+)?note:\s+|zuletzt\s+|laatst\s+|ostatnia\s+|son\s+|derni[eè]re\s+|[uú]ltima\s+|ultimo\s+)?"
    r"(?:update[ds]?|modified|edit(?:ed)?|revised|revision|corrected|correction|amended"
    r"|aktualisier(?:t|ung)|geändert|stand"
    r"|mise?\s+à\s+jour|modifiée?|actualisée?|actualizad[oa]|actualización|modificado|aggiornato|aggiornamento"
    r"|atualizad[oa]|atualização|bijgewerkt|geüpdatet|zaktualizowano|aktualizacja|uppdaterad|uppdaterat|oppdatert|opdateret"
    r"|güncelle(?:me|ndi)|обновлен[оа]|изменено|تم\s+التحديث|آخر\s+تحديث|更新日時?|最終更新日?|更新时间|更新于|更新|최종\s?수정|수정|업데이트)"
)
_INLINE = "\x1f"  # where an inline element begins
_NOTE = re.compile(
    rf"(?:^|[{_INLINE}.!?|(\[;:·•–—-])\s*{_WORDS}(?![^\W\d_a-z])(.{{6,80}})", re.IGNORECASE | re.MULTILINE
)
_KEY_AND_VALUE = re.compile(r"""["']date(?:modified|updated)["']\s{0,20}:\s{0,20}["']([^"'\\]{4,60})["']""", re.I)
_NAMES_LIMIT = 300  # characters of class and id that are looked at
_PLACE_LIMIT = 200  # characters of a place that are looked at
_TEXT_LIMIT = 200_000  # characters of a page's text that are searched for notes
_MOST_NOTES = 50  # notes of a change on one page
_MOST_JSON = 500_000
_DEEPEST = 50
_EPOCH = (1e9, 4e12)  # seconds or milliseconds since 1970
_BLOCKS = frozenset(
    "body title p div li ul ol td tr table section article header footer main h1 h2 h3 h4 h5 h6 blockquote figcaption"
    " br dd dt".split()
)
_NO_TEXT = frozenset(("script", "style", "template", "noscript"))


def stated_changes(tree: HtmlElement) -> Iterator[str]:
    """Whatever a page says where pages say when they were changed, as it stands there; it need not be a date."""
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag == "script":
            if "ld+json" in (element.get("type") or "").lower():
                yield from _in_linked_data(element.text or "")
            continue
        if _is_named(element):
            yield element.get("content") or element.get("datetime") or _beginning(element)
        elif element.tag in ("time", "abbr", "span") and _CLASS.search(_classes(element)):
            yield element.get("datetime") or element.get("title") or _beginning(element)


def noted_changes(tree: HtmlElement) -> Iterator[str]:
    """What follows the word "updated", in whatever language, where a note of a change may begin in a page's text."""
    for note in itertools.islice(_NOTE.finditer(_text(tree)), _MOST_NOTES):
        yield note[1].replace(_INLINE, "")


def _beginning(element: HtmlElement) -> str:
    return "".join(element.itertext())[:_PLACE_LIMIT] if len(element) < _PLACE_LIMIT else element.text or ""


def _text(tree: HtmlElement) -> str:
    """The beginning of a page's text; each block is a line of its own, and what is inline stays in one."""
    pieces: list[str] = []
    length = 0
    for element in tree.iter():
        if element.tag in _BLOCKS:
            pieces.append("\n")
        if isinstance(element.tag, str) and element.tag not in _NO_TEXT and element.text:
            pieces.append(f"{_INLINE}{' '.join(element.text[:_TEXT_LIMIT].split())} ")
        if element.tail:
            pieces.append(" ".join(element.tail[:_TEXT_LIMIT].split()) + " ")
        length += len(pieces[-1]) if pieces else 0
        if length > _TEXT_LIMIT:
            break
    return "".join(pieces)


def _is_named(element: HtmlElement) -> bool:
    keys = ("property", "name", "itemprop", "http-equiv") if element.tag == "meta" else ("itemprop", "property")
    return any(_names_a_change(token) for key in keys for token in (element.get(key) or "")[:_NAMES_LIMIT].split())


def _names_a_change(name: str) -> bool:
    """Whether a property is one of a change, however it is written: ``article:modified_time``, ``dateModified``."""
    return _NAME.search(re.sub(r"[^a-z]", "", name.lower())) is not None


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
            name = re.split(r"[:/#]", key.lower())[-1]
            if name in ("datemodified", "dateupdated", "uploaddate") or (live and name == "datepublished"):
                yield from _dates_in(item)
            if isinstance(item, list | dict):
                yield from _in_value(item, depth + 1, live or name == "liveblogupdate")


def _dates_in(value: Any) -> Iterator[str]:
    for item in value[:_MOST_NOTES] if isinstance(value, list) else [value]:
        stated = item.get("@value") if isinstance(item, dict) else item
        if isinstance(stated, str):
            yield stated
        elif isinstance(stated, int | float) and _EPOCH[0] <= stated < _EPOCH[1]:
            yield str(int(stated))
