"""Dropping from a parsed page what a reader does not see, or what is not the page's own story."""

import itertools
from collections.abc import Iterable, Mapping
from typing import Literal

from lxml.html import HtmlElement

from cruxbench_inspect.evidence.pages.hiding_attributes import hides
from cruxbench_inspect.evidence.pages.other_stories import other_stories
from cruxbench_inspect.evidence.pages.style_sheets import hidden_by_sheets
from cruxbench_inspect.evidence.pages.unseen_styles import LONGEST_STYLE, Tokens, declared, has_ground, is_white

_NEVER_TEXT = frozenset(
    "template noscript iframe object embed svg math dialog datalist select textarea nav aside".split()
)
_ANCESTORS = 50


def drop_unseen(tree: HtmlElement) -> None:
    """Remove hidden elements, comments, menus, and boxes of other stories from a tree.

    A page whose whole story is hidden would be left without text, and is then refused: showing it is not risked.
    """
    hidden = hidden_by_sheets(tree)
    _drop(
        element
        for element in list(tree.iter())
        if not isinstance(element.tag, str)
        # A page that is hidden as a whole is shown by its scripts.
        or (element.tag not in ("html", "body") and (element in hidden or _is_unseen(element)))
    )
    _drop(other_stories(tree))


def _drop(elements: Iterable[HtmlElement]) -> None:
    """Remove elements, given in their order, and leave the texts that follow them."""
    # Each text is added once: piece by piece, many would take a time that grows with the square of their number.
    texts: dict[tuple[HtmlElement, Literal["text", "tail"]], list[str]] = {}
    for element in elements:
        parent = element.getparent()
        if parent is None:
            continue
        if element.tail:
            before = element.getprevious()
            texts.setdefault((parent, "text") if before is None else (before, "tail"), []).append(element.tail)
        parent.remove(element)
    for (element, name), pieces in texts.items():
        setattr(element, name, "".join([getattr(element, name) or "", *pieces]))


def _is_unseen(element: HtmlElement) -> bool:
    if element.tag in _NEVER_TEXT or hides(element.attrib):
        return True
    if element.tag == "font" and _is_white_on_nothing(element, declared(f"color:{element.get('color', '')[:40]}")):
        return True
    style = element.get("style", "")
    return bool(style) and _is_white_on_nothing(element, declared(style))


def _is_white_on_nothing(element: HtmlElement, declarations: Mapping[str, Tokens]) -> bool:
    """Whether the text is white and no style around it gives a background for it."""
    if not is_white(declarations) or has_ground(declarations):
        return False
    around = itertools.islice(element.iterancestors(), _ANCESTORS)
    return not any(has_ground(declared(outer.get("style", "")[:LONGEST_STYLE])) for outer in around)
