"""Dropping from a parsed page what a reader does not see, or what is not the page's own story."""

import re

from lxml.html import HtmlComment, HtmlElement, HtmlProcessingInstruction

_NEVER_TEXT = ("template", "noscript", "iframe", "object", "embed", "svg", "math", "dialog", "datalist", "select")
_UNSEEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?\s*(?:[;!]|$)"
    r"|font-size\s*:\s*0(?:\.0*)?(?:px|em|rem|pt|%)?\s*(?:[;!]|$)|content-visibility\s*:\s*hidden"
    r"|(?:left|top|right|text-indent)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%"
    r"|transform\s*:\s*scale\(\s*0\s*\)|(?:max-)?(?:width|height)\s*:\s*0(?:px)?\s*(?:[;!]|$)",
    re.IGNORECASE,
)
_UNSEEN_CLASS = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only hidden d-none u-hidden is-hidden"
    " invisible hide a11y-hidden show-for-sr".split()
)
_OTHER_STORIES = re.compile(
    r"(?:^|[\s_-])(?:related|recommend\w*|most[\s_-]?(?:read|popular|viewed|shared)|trending|ticker|read[\s_-]?(?:next|more|also)"
    r"|more[\s_-](?:stories|news|on|from)|up[\s_-]?next|see[\s_-]?also|you[\s_-]may|outbrain|taboola|promo\w*|teaser\w*"
    r"|latest[\s_-]?(?:news|stories)|breaking[\s_-]?news|comments?|disqus\w*|newsletter)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BOXES = frozenset("div section aside ul ol nav footer table figure details p span".split())
_NAMES_LIMIT = 300  # characters of class and id that are looked at


def drop_unseen(tree: HtmlElement) -> None:
    """Remove hidden elements, comments, and boxes of other stories from a tree.

    A page whose whole story stands in such a box would be left without text, and is then refused: hiding is not risked.
    """
    for element in list(tree.iter()):
        if element.getparent() is None:
            continue
        if isinstance(element, HtmlComment | HtmlProcessingInstruction) or not isinstance(element.tag, str):
            _drop(element)
        elif _is_unseen(element) or _is_of_others(element):
            _drop(element)


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _is_unseen(element: HtmlElement) -> bool:
    if element.tag in _NEVER_TEXT or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden", "").strip().lower() == "true":
        return True
    if _UNSEEN_STYLE.search(element.get("style", "")[:1000]):
        return True
    return not _UNSEEN_CLASS.isdisjoint(element.get("class", "")[:_NAMES_LIMIT].lower().split())


def _is_of_others(element: HtmlElement) -> bool:
    if element.tag not in _BOXES:
        return False
    names = f"{element.get('class', '')[:_NAMES_LIMIT]} {element.get('id', '')[:_NAMES_LIMIT]}"
    return _OTHER_STORIES.search(names) is not None
