"""Dropping from a parsed page what a reader does not see, or what is not the page's own story."""

import itertools
from collections.abc import Mapping

from lxml.html import HtmlComment, HtmlElement, HtmlProcessingInstruction

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
    for element in list(tree.iter()):
        if element.getparent() is None or element.tag == "body":
            continue  # a page that is hidden as a whole is shown by its scripts
        if isinstance(element, HtmlComment | HtmlProcessingInstruction) or not isinstance(element.tag, str):
            _drop(element)
        elif element in hidden or _is_unseen(element):
            _drop(element)
    for element in other_stories(tree):
        _drop(element)


def _drop(element: HtmlElement) -> None:
    parent = element.getparent()
    if parent is None:
        return
    if not element.tail:
        parent.remove(element)
    elif isinstance(element.tag, str):
        # An empty element goes before the text that follows: added to the text before it, piece by piece, many such
        # texts would take a time that grows with the square of their number.
        element.clear(keep_tail=True)
        element.tag = "span"
    else:
        element.drop_tree()


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
