"""What htmldate finds in a page; a value that it cannot reckon with, such as a zone of 99 hours, is no date."""

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime

from htmldate import find_date
from lxml.html import HtmlElement, builder

FORMAT = "%Y-%m-%dT%H:%M:%S%z"
"""The format in which htmldate is asked for what it finds; it gives midnight where a page states no hour."""

_A_YEAR = re.compile(r"(?:19|20)\d\d")
_QUOTED = re.compile(r"""(["'])([^"'<>]{8,100})\1""")
_MOST_VALUES = 1_000  # of a page that are tried one by one
_LONGEST = 1_000  # characters of a value that are tried


def found_date(tree: HtmlElement, last: datetime, *, original: bool = False, format: str = FORMAT) -> str | None:
    """The date that htmldate finds where pages state one; guesses from footers are left out.

    Args:
        tree: The page, which is left as it is.
        last: The latest moment that is looked for.
        original: Whether the date of publication is asked for, and not that of a change.
        format: The format of the answer, as for ``strftime``.
    """

    def found_in(page: HtmlElement) -> str | None:
        found: str | None = find_date(
            page, extensive_search=False, original_date=original, outputformat=format, max_date=last
        )
        return found

    try:
        return found_in(tree)
    except Exception:  # whatever it ran into: another date of the page may be readable
        readable = _without_odd_values(tree, last)
    try:
        return found_in(readable)
    except Exception:
        return None


def stated_alone(value: str, last: datetime, format: str = FORMAT) -> str | None:
    """What htmldate makes of a text where pages state a change."""
    try:
        return _alone(value, last, format)
    except Exception:  # the text is no date
        return None


def _alone(value: str, last: datetime, format: str) -> str | None:
    page = builder.HTML(builder.HEAD(builder.META(property="article:modified_time", content=value)))
    found: str | None = find_date(page, extensive_search=False, outputformat=format, max_date=last)
    return found


def _without_odd_values(tree: HtmlElement, last: datetime) -> HtmlElement:
    """A copy without the texts that htmldate stumbles over, in attributes, between tags, and quoted in scripts."""
    copy = deepcopy(tree)
    left = iter(range(_MOST_VALUES))
    for element in copy.iter():
        if isinstance(element.tag, str):
            _blank_odd_values(element, last, left)
    return copy


def _blank_odd_values(element: HtmlElement, last: datetime, left: Iterator[int]) -> None:
    def without(text: str) -> str:
        return "" if _A_YEAR.search(text) and next(left, None) is not None and _is_odd(text, last) else text

    for name, value in element.items():
        if without(value) != value:
            element.set(name, "")
    if element.tag == "script":
        element.text = _QUOTED.sub(lambda quoted: f"{quoted[1]}{without(quoted[2])}{quoted[1]}", element.text or "")
    elif element.text:
        element.text = without(element.text)
    if element.tail:
        element.tail = without(element.tail)


def _is_odd(text: str, last: datetime) -> bool:
    try:
        _alone(text[:_LONGEST], last, FORMAT)
    except Exception:
        return True
    return False
