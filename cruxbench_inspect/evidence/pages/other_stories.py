"""Boxes of a page that hold other stories, notices, or what readers remarked."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml.etree import iterwalk
from lxml.html import HtmlElement

from cruxbench_inspect.evidence.pages.story_words import (
    LONGEST_HEADING,
    Kind,
    kind_of_label,
    kind_of_names,
    refers_elsewhere,
)

_BOXES = frozenset(
    "div section article aside ul ol dl li nav footer table figure details form menu main header p span".split()
)
_NAMING = (
    *("class", "id", "itemprop", "itemtype", "data-testid", "data-test-id", "data-test", "data-qa", "data-cy"),
    *("data-component", "data-component-name", "data-module", "data-type", "data-name", "data-block", "data-role"),
    *("data-widget", "data-widget-type"),
)
_ROLES: dict[str, Kind] = {
    **dict.fromkeys(("complementary", "navigation", "menu", "menubar", "toolbar", "search", "dialog"), "others"),
    **dict.fromkeys(("comment", "feed"), "remark"),
}
_HEADINGS = frozenset("h2 h3 h4 h5 h6 summary legend".split())
_LIKE_HEADINGS = frozenset("p div span strong b header".split())  # where nothing else is in it
_LISTS = frozenset("ul ol dl menu table".split())
_PARAGRAPHS = frozenset("p li div em strong".split())
_LONGEST_REFERENCE = 300  # characters of a paragraph that only names another story
_A_SENTENCE = 25  # characters of a text that tells something
_MOST_INSIDE = 5  # elements of a paragraph that only refers
_MOST_PARTS = 200  # elements of a box that are looked through for its links
_LEVELS = 3  # around a heading that stands alone in them
_NAMES_LIMIT = 300


@dataclass(frozen=True)
class _Box:
    element: HtmlElement
    kind: Kind
    told: int  # characters of its own sentences, outside of links
    linked: int  # characters inside of links


def other_stories(tree: HtmlElement) -> list[HtmlElement]:
    """The elements of a page that are none of its own story, by their names, labels and headings.

    A box with the page's own headline is never one of them. Nor is one with most of what the page tells, but for what
    is named as the remarks of readers: they may be longer than the story. The names of what is kept are taken off,
    since whoever reads the page next may go by them.
    """
    headed = _headed(tree)
    boxes, told = _measured(tree, headed)
    own = _around_headline(tree)
    found = []
    for box in boxes:
        is_main = box.element in own or (box.kind != "remarks" and 2 * box.told > told)
        # A paragraph that is called a teaser may be the first of the story.
        is_lede = box.element.tag in ("p", "span") and box.kind == "others" and not _is_linked(box.told, box.linked)
        if is_main or (is_lede and box.element not in headed):
            _unname(box.element)
        else:
            found.append(box.element)
    return found


def _measured(tree: HtmlElement, headed: Mapping[HtmlElement, Kind]) -> tuple[list[_Box], int]:
    """The boxes that are named or headed, and how much the page tells, without its footer and readers' remarks."""
    told = linked = remarked = 0
    links = 0  # that are open
    footers = 0
    remarks = 0
    open_boxes: list[tuple[HtmlElement, Kind, int, int]] = []
    boxes: list[_Box] = []
    for event, element in iterwalk(tree, events=("start", "end")):
        tag = element.tag
        if event == "start":
            kind = headed.get(element) or _kind(element)
            if kind is not None:
                open_boxes.append((element, kind, told, linked))
                remarks += kind == "remarks"
            links += tag == "a"
            footers += tag in ("footer", "script", "style")
            text = element.text
        else:
            if open_boxes and open_boxes[-1][0] is element:
                _, kind, told_before, linked_before = open_boxes.pop()
                boxes.append(_Box(element, kind, told - told_before, linked - linked_before))
                remarks -= kind == "remarks"
            links -= tag == "a"
            footers -= tag in ("footer", "script", "style")
            text = element.tail
        length = len(text.strip()) if text and not footers else 0
        if links:
            linked += length
        elif length >= _A_SENTENCE:
            told += length
            remarked += length if remarks else 0
    return boxes, told - remarked


def _kind(element: HtmlElement) -> Kind | None:
    tag = element.tag
    if tag not in _BOXES and "-" not in tag:
        return None
    attributes = element.attrib
    if not attributes:
        return kind_of_names(tag) if "-" in tag else None
    names = " ".join(value[:_NAMES_LIMIT] for name in _NAMING if (value := attributes.get(name)))
    label = attributes.get("aria-label", "")[:_NAMES_LIMIT]
    return (
        kind_of_names(f"{tag} {names}" if "-" in tag else names)
        or (kind_of_names("-".join(label.split())) if label else None)
        or _ROLES.get(attributes.get("role", "").strip().lower())
    )


def _around_headline(tree: HtmlElement) -> set[HtmlElement]:
    """Whatever holds the page's headline: the one that is its title too, or the first."""
    title = " ".join((tree.findtext(".//title") or "").split()).casefold()
    headlines = list(itertools.islice(tree.iter("h1", "h2"), _MOST_PARTS))
    known = (one for one in headlines if title and (text := _beginning(one, _LONGEST_REFERENCE)) and text in title)
    headline = next(known, None)
    if headline is None:
        headline = next((one for one in headlines if one.tag == "h1"), None)
    return set() if headline is None else {headline, *headline.iterancestors()}


def _headed(tree: HtmlElement) -> dict[HtmlElement, Kind]:
    """Headings that say "Most read" or the like with the lists that they head, and paragraphs that only refer."""
    found: dict[HtmlElement, Kind] = {}
    for element in tree.iter(*_HEADINGS, *_LIKE_HEADINGS, *_PARAGRAPHS):
        if element in found or len(element) > _MOST_INSIDE:
            continue
        text = _beginning(element, _LONGEST_REFERENCE + 1)
        if not text or len(text) > _LONGEST_REFERENCE:
            continue
        if element.tag in _HEADINGS or (element.tag in _LIKE_HEADINGS and len(element) <= 1):
            kind = kind_of_label(text)
            if kind is not None:
                found |= dict.fromkeys(_with_what_it_heads(element, kind), kind)
        if element.tag in _PARAGRAPHS and _is_reference(element, text):
            found[element] = "others"
    return found


def _with_what_it_heads(heading: HtmlElement, kind: Kind) -> list[HtmlElement]:
    head = heading
    for _ in range(_LEVELS):
        around = head.getparent()
        if head.getnext() is not None or around is None or around.tag == "body" or not _is_all_of(head, around):
            break
        head = around
    parts = list(_listed_after(head))
    if parts:
        return [head, *parts]
    around = head.getparent()
    first = around is not None and around.tag in ("div", "section", "li") and around[0] is head
    return [around] if first and (kind == "remarks" or _links_mostly(around)) else []


def _is_all_of(element: HtmlElement, around: HtmlElement) -> bool:
    return len(around) == 1 and not (around.text or "").strip() and not (element.tail or "").strip()


def _listed_after(head: HtmlElement) -> Iterator[HtmlElement]:
    """The list next to a heading, or the boxes and paragraphs of links that follow it."""
    if (head.tail or "").strip():
        return
    for number, sibling in enumerate(head.itersiblings()):
        if number == 0 and sibling.tag in _LISTS:
            yield sibling
            return
        if sibling.tag not in _BOXES or not _links_mostly(sibling):
            return
        yield sibling


def _links_mostly(element: HtmlElement) -> bool:
    told = linked = 0
    for part in itertools.islice(element.iter(), _MOST_PARTS):
        in_link = part.tag == "a" or any(outer.tag == "a" for outer in itertools.islice(part.iterancestors(), 4))
        text = len((part.text or "").strip())
        linked, told = (linked + text, told) if in_link else (linked, told + text)
        told += len((part.tail or "").strip()) if part is not element and not in_link else 0
    return _is_linked(told, linked)


def _is_linked(told: int, linked: int) -> bool:
    return linked > 0 and linked >= told


def _is_reference(element: HtmlElement, text: str) -> bool:
    """Whether a paragraph is but "Related: ..." or "Read more: ..." with the name of another story."""
    if refers_elsewhere(text):
        return True
    if len(element) < 2 or (element.text or "").strip():
        return False
    return refers_elsewhere(f"{_beginning(element[0], LONGEST_HEADING)}:") and _links_mostly(element)


def _beginning(element: HtmlElement, limit: int) -> str:
    """The beginning of an element's text on one line, in small letters."""
    text = ""
    for piece in itertools.islice(element.itertext(), 20):
        text += piece[: 10 * limit]
        if len(text) > 10 * limit:
            break
    return " ".join(text.split())[:limit].casefold()


def _unname(element: HtmlElement) -> None:
    """Take off the names of a box that is kept, by which others would drop it."""
    for name in ("class", "id", "role"):
        element.attrib.pop(name, None)
