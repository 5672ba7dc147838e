"""The attributes of the tags, tables, rows and cells of a wikitext."""

import html
import re
from functools import lru_cache

from cruxbench_inspect.evidence.pages.hiding_attributes import hides

_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")
_COULD_HIDE = re.compile(r"style|class|hidden|popover", re.IGNORECASE)
_BEFORE_A_CELL = re.compile(r"\s*[\w-]+\s*=|\s*(?:hidden|popover)?\s*$", re.IGNORECASE)
_SHORT = 300


def hide(attributes: str) -> bool:
    """Whether the attributes, as they are written, hide what they are attributes of."""
    if _COULD_HIDE.search(attributes) is None:
        return False
    return _short_ones_hide(attributes) if len(attributes) <= _SHORT else hides(_read(attributes))


def are_attributes(text: str) -> bool:
    """Whether what stands before the bar of a cell are attributes, and not its text."""
    return _BEFORE_A_CELL.match(text) is not None


@lru_cache(maxsize=4_096)  # most are written over and over
def _short_ones_hide(attributes: str) -> bool:
    return hides(_read(attributes))


def _read(attributes: str) -> dict[str, str]:
    """Values by names in small letters; of two of a name the last counts, as in the wiki."""
    return {
        match[1].lower(): html.unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(attributes)
    }
