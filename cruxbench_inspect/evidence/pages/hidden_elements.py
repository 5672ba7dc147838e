"""Dropping from a parsed page what a reader does not see, or what is not the page's own story."""

import re

from lxml.html import HtmlComment, HtmlElement, HtmlProcessingInstruction

_NEVER_TEXT = frozenset(
    "template noscript iframe object embed svg math dialog datalist select textarea nav aside".split()
)
_STYLE_COMMENT = re.compile(r"/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|$)")
_ZERO = r"0(?:\.0*)?(?:[a-z]{2,4}|%)?\s*(?:[;!]|$)"
_UNSEEN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|(?:content-)?visibility\s*:\s*(?:hidden|collapse)"
    rf"|(?:opacity|font-size|(?:max-)?(?:width|height)|zoom)\s*:\s*{_ZERO}"
    r"|(?:left|top|right|bottom|text-indent)\s*:\s*-\d{3,}|margin(?:-left|-top)?\s*:\s*-\d{4,}"
    r"|clip\s*:\s*rect\(\s*[01]|clip-path\s*:\s*inset\(\s*(?:50|100)%|transform\s*:\s*scale\(\s*0\s*\)"
    r"|color\s*:\s*transparent)",
    re.IGNORECASE,
)
_LONGEST_STYLE = 10_000  # characters; no honest one is nearly as long
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
    """Remove hidden elements, comments, menus, and boxes of other stories from a tree.

    A page whose whole story stands in such a box would be left without text, and is then refused: hiding is not risked.
    A box with the page's own headline is not one of other stories, whatever its name.
    """
    headline = next(tree.iter("h1"), None)
    own = set() if headline is None else set(headline.iterancestors())
    for element in list(tree.iter()):
        if element.getparent() is None:
            continue
        if isinstance(element, HtmlComment | HtmlProcessingInstruction) or not isinstance(element.tag, str):
            _drop(element)
        elif _is_unseen(element) or (element not in own and _is_of_others(element)):
            _drop(element)


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _is_unseen(element: HtmlElement) -> bool:
    if element.tag in _NEVER_TEXT or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = element.get("style", "")
    if len(style) > _LONGEST_STYLE or _UNSEEN_STYLE.search(_STYLE_COMMENT.sub("", style)):
        return True
    return not _UNSEEN_CLASS.isdisjoint(element.get("class", "")[:_NAMES_LIMIT].lower().split())


def _is_of_others(element: HtmlElement) -> bool:
    if element.tag not in _BOXES:
        return False
    names = f"{element.get('class', '')[:_NAMES_LIMIT]} {element.get('id', '')[:_NAMES_LIMIT]}"
    return _OTHER_STORIES.search(names) is not None
