"""Dropping from a parsed page what a reader does not see, or what is not the page's own story."""

import itertools
import re
from collections.abc import Mapping

from lxml.html import HtmlComment, HtmlElement, HtmlProcessingInstruction

from cruxbench_inspect.evidence.pages.style_sheets import hidden_by_sheets
from cruxbench_inspect.evidence.pages.unseen_styles import (
    LONGEST_STYLE,
    Tokens,
    declared,
    has_ground,
    is_unseen,
    is_white,
)

_NEVER_TEXT = frozenset(
    "template noscript iframe object embed svg math dialog datalist select textarea nav aside".split()
)
_UNSEEN_CLASS = re.compile(
    r"(?:^|[\s:_-])(?:(?:is|u|a11y|tw|uk|ng|w3|mui)-?)?(?:(?:visually|accessibly|element)-?(?:hidden|invisible)(?:-focusable)?|hidden|invisible"
    r"|sr-(?:only|text)|screen-?reader(?:-?(?:only|text))?|assistive-text|show-for-sr|a11y-hidden|d-none|display-none"
    r"|hide(?:-text)?|off-?screen|opacity-0)(?=$|\s)",
    re.IGNORECASE,
)
_OTHER_STORIES = re.compile(
    r"(?:^|[\s_-])(?:related|recommend\w*|most[\s_-]?(?:read|popular|viewed|shared)|trending|ticker|read[\s_-]?(?:next|more|also)"
    r"|more[\s_-](?:stories|news|on|from)|up[\s_-]?next|see[\s_-]?also|you[\s_-]may|outbrain|taboola|promo\w*|teaser\w*"
    r"|latest[\s_-]?(?:news|stories)|breaking[\s_-]?news|comments?|disqus\w*|newsletter)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BOXES = frozenset("div section aside ul ol nav footer table figure details p span".split())
_ANCESTORS = 50
_NAMES_LIMIT = 300  # characters of class and id that are looked at


def drop_unseen(tree: HtmlElement) -> None:
    """Remove hidden elements, comments, menus, and boxes of other stories from a tree.

    A page whose whole story stands in such a box would be left without text, and is then refused: hiding is not risked.
    A box with the page's own headline is not one of other stories, whatever its name.
    """
    headline = next(tree.iter("h1"), None)
    own = set() if headline is None else set(headline.iterancestors())
    hidden = hidden_by_sheets(tree)
    for element in list(tree.iter()):
        if element.getparent() is None or element.tag == "body":
            continue  # a page that is hidden as a whole is shown by its scripts
        if isinstance(element, HtmlComment | HtmlProcessingInstruction) or not isinstance(element.tag, str):
            _drop(element)
        elif element in hidden or _is_unseen(element) or (element not in own and _is_of_others(element)):
            _drop(element)


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _is_unseen(element: HtmlElement) -> bool:
    if element.tag in _NEVER_TEXT or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden", "").strip().lower() == "true" or element.get("popover") is not None:
        return True
    if element.tag == "font" and _is_white_on_nothing(element, declared(f"color:{element.get('color', '')[:40]}")):
        return True
    style = element.get("style", "")
    if len(style) > LONGEST_STYLE:
        return True
    if style:
        declarations = declared(style)
        if is_unseen(declarations) or _is_white_on_nothing(element, declarations):
            return True
    return _UNSEEN_CLASS.search(element.get("class", "")[:_NAMES_LIMIT]) is not None


def _is_white_on_nothing(element: HtmlElement, declarations: Mapping[str, Tokens]) -> bool:
    """Whether the text is white and no style around it gives a background for it."""
    if not is_white(declarations) or has_ground(declarations):
        return False
    around = itertools.islice(element.iterancestors(), _ANCESTORS)
    return not any(has_ground(declared(outer.get("style", "")[:LONGEST_STYLE])) for outer in around)


def _is_of_others(element: HtmlElement) -> bool:
    if element.tag not in _BOXES:
        return False
    names = f"{element.get('class', '')[:_NAMES_LIMIT]} {element.get('id', '')[:_NAMES_LIMIT]}"
    return _OTHER_STORIES.search(names) is not None
