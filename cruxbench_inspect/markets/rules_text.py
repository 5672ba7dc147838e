"""The rules of a market as they may be shown: readable, and without notes that were added after it opened.

An exchange adds clarifications to a description under a heading such as "Additional context (December 3)", mostly above
the rules, sometimes after the event, and then they say how the market resolves. Where a note ends is not marked; the
comments below say how it is found.
"""

import html
import html.entities
import re
import unicodedata
from typing import NamedTuple

from cruxbench_inspect.evidence.clean_text import clean_text


class AsOfRules(NamedTuple):
    """Rules without later notes.

    Attributes:
        text: What may be shown, in the readable form of ``display_text``; a subsequence of its lines.
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
    lines = display_text(description).split("\n")
    kept: list[str] = []
    removed: list[str] = []
    position = 0
    while position < len(lines):
        if not _is_heading_of_note(lines[position]):
            kept.append(lines[position])
            position += 1
            continue
        end = _end_of_note(lines, position, at_top=not any(map(_has_words, kept)))
        removed.append("\n".join(lines[position:end]).strip())
        position = end
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

_NAME = re.compile(
    r"\b(?:(?P<sure>additional\s+contexts?)|(?:rules?\s+)?(?:clarifications?|updates?))\b", re.IGNORECASE
)
_DATE = (
    r"(?:[0-9]|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september"
    r"|october|november|december)\b)"
)
_MARK = rf"[\"'”’]?\s*(?:[*_:(\[|]|[–—-]\s|\.?\s*$|{_DATE})"
# "Additional context will not be considered" is a rule, and so is "Updates on December 5 count".
_AFTER_NAME = re.compile(_MARK, re.IGNORECASE)
_AFTER_SURE_NAME = re.compile(
    rf"{_MARK}|\s*(?:was\s+)?(?:added|posted|issued|published)\b|\s*(?:as\s+of|from|on|of|for)\s+{_DATE}", re.IGNORECASE
)
_HEADING_WORD = re.compile(
    rf"{_DATE}.*|note|notice|edit|updated?|new|added|posted|issued|published|was|on|at|as|of|from|the|st|nd|rd|th|a|p|m|am"
    r"|pm|et|est|edt|pt|utc|gmt",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"^[\s>#*_~|•·\-–—\[(\"'“”]+")
_SEPARATOR = re.compile(r"\s*(?:[-*_=—–]\s*){3,}$")
_OPENING_OF_RULES = re.compile(
    r"(?:this|the)\s+(?:market|question|contract)(?:['’]s)?\b|this\s+is\s+a\s+(?:market|polymarket)\b|resolves?\b|if\b"
    r"|(?:original\s+|market\s+|resolution\s+)?(?:rules|criteria|description)\s*:?\s*$|in\s+(?:the|this)\s+(?:event|case|market)\b"
    r"|(?:the\s+)?(?:primary\s+)?resolution\s+sources?\b",
    re.IGNORECASE,
)
_SOURCE_OF_RULES = re.compile(r"(?:the\s+)?(?:primary\s+)?resolution\s+sources?\b", re.IGNORECASE)
_MARKDOWN_HEADING = re.compile(r"\s*#{1,6}\s+\S")


def _is_heading_of_note(line: str) -> bool:
    found = _NAME.search(line)
    if found is None or _says_more(line[: found.start()]):
        return False
    after = _AFTER_SURE_NAME if found["sure"] else _AFTER_NAME
    return after.match(line, found.end()) is not None


def _says_more(text: str) -> bool:
    """Whether there are words that belong neither to a date nor to what notes are called."""
    return any(_HEADING_WORD.fullmatch(word) is None for word in re.findall(r"[^\W\d_]+", text))


def _end_of_note(lines: list[str], start: int, at_top: bool) -> int:
    """The line after a note.

    Any note ends before the next note, after a separator, before another heading, and before the resolution source,
    which exchanges name last. Under the rules it else runs to the end of the text: what follows was added too. Above
    them it ends where a line opens like rules do; if none does, with its first paragraph, so that no rule is lost.
    """
    name = _NAME.search(lines[start])
    told_in_heading = name is not None and _says_more(lines[start][name.end() :])
    told_below = (number for number in range(start + 1, len(lines)) if _has_words(lines[number]))
    first = start if told_in_heading else next(told_below, start)
    paragraph_end = len(lines)
    for number in range(start + 1, len(lines)):
        line = lines[number]
        bare = _MARKUP.sub("", line)
        if _is_heading_of_note(line) or _MARKDOWN_HEADING.match(line):
            return number
        if _SEPARATOR.match(line):
            return number + 1
        if number <= first:
            continue
        if (_OPENING_OF_RULES if at_top else _SOURCE_OF_RULES).match(bare):
            return number
        if not line.strip():
            paragraph_end = min(paragraph_end, number)
    return paragraph_end if at_top else len(lines)


def _character(entity: re.Match[str]) -> str:
    # html.unescape would take the first letters of an unknown name for a known one.
    name = entity[0][1:]
    return html.unescape(entity[0]) if name.startswith("#") or name in html.entities.html5 else entity[0]


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))
