"""The rules of a market as they may be shown: readable, and without notes that were added after it opened.

An exchange adds clarifications to a description under a heading such as "Additional context (December 3)", mostly above
the rules, sometimes after the event, and then they say how the market resolves.
"""

import html
import html.entities
import re
import unicodedata
from typing import NamedTuple

from cruxbench_inspect.evidence.clean_text import clean_text
from cruxbench_inspect.markets.rule_notes import cut_notes


class AsOfRules(NamedTuple):
    """Rules without later notes.

    Attributes:
        text: What may be shown, in the readable form of ``display_text``: a subsequence of its lines, where a line may
            end at a note inside it. Empty if nothing is left that is surely no note.
        removed: The notes that were cut off, in their order. A market that has any is one to look at.
    """

    text: str
    removed: tuple[str, ...]


def as_of_rules(description: str) -> AsOfRules:
    """Cut off the notes that an exchange added to a description.

    Args:
        description: As it was collected.

    Returns:
        The rules and the notes; without a note the readable description unchanged.
    """
    kept, removed = cut_notes(display_text(description).split("\n"))
    if removed and not any(map(_has_words, kept)):
        return AsOfRules("", tuple(removed))
    return AsOfRules(re.sub("\n{3,}", "\n\n", "\n".join(kept)).strip(), tuple(removed))


def display_text(text: str) -> str:
    """Text as people read it: HTML as plain lines, entities as characters, composed Unicode, nothing invisible.

    Quotes, dashes, spaces and emoji stay what they are; so does a "<" that begins no HTML element.
    """
    text = _LINE_TAG.sub("\n", text)
    text = _TAG.sub("", text)
    text = _ENTITY.sub(_character, text)
    return unicodedata.normalize("NFC", clean_text(text)).strip()


def same_text_key(text: str) -> str:
    """A key that is equal for texts that differ only in case, spaces, quotes, dashes, markup or ways of encoding."""
    folded = unicodedata.normalize("NFKC", display_text(text)).translate(_FOLDED)
    return " ".join(folded.casefold().split())


_ELEMENT = (
    r"(?:p|div|br|hr|h[1-6]|ul|ol|li|table|tbody|thead|tr|td|th|blockquote|pre|b|strong|i|em|u|s|a|span|code|sup|sub)"
)
_ATTRIBUTES = r"""(?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))*\s*/?"""
_TAG = re.compile(rf"</?{_ELEMENT}{_ATTRIBUTES}>", re.IGNORECASE)
_LINE_TAG = re.compile(rf"<(?:br|hr){_ATTRIBUTES}>|</(?:p|div|h[1-6]|ul|ol|li|tr|blockquote|pre)\s*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_FOLDED = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def _character(entity: re.Match[str]) -> str:
    # html.unescape would take the first letters of an unknown name for a known one.
    name = entity[0][1:]
    return html.unescape(entity[0]) if name.startswith("#") or name in html.entities.html5 else entity[0]


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))
