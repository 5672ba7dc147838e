"""Finding JSON in whatever a language model writes."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from cruxbench_inspect.sloppy_json import mend, tokens

_REPAIRS = 20
_RESTARTS = 50

_DECODER = json.JSONDecoder(strict=False)
_OPENER = r"(?:\[\s*+)?\{\s*+(?:[\"'“”‘’]|//|/\*|#\s|\w{1,40}+\s*+:|\Z)"
_TAG = r"<(?P<closing>/?)(?P<tag>think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b[^<>]{0,80}>"
_MILESTONE = re.compile(rf"{_OPENER}|{_TAG}|\[\s*+\Z", re.IGNORECASE)
_STRICT_OPENER = re.compile(r'(?:\[\s*+)?\{\s*+"[\w -]++"\s*+:')
Wanted = Callable[[object], bool]
"""Says whether a value holds all that the reader looks for."""


class Span(NamedTuple):
    """Where a complete value stands: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True)
class JsonInText:
    """The complete top-level JSON values of a text.

    Attributes:
        text: The text without byte order marks.
        spans: Where the values stand, in order.
        cut_off: Whether the text ends inside a value.
    """

    text: str
    spans: tuple[Span, ...]
    cut_off: bool

    def last_first(self, wanted: Wanted) -> Iterator[object]:
        """The values that can be read, the last one first.

        Strict JSON is read as it is. Anything else is mended within fixed limits of size, depth and number, unless a
        wanted value starts anew inside it: then the outer one was given up by its writer.
        """
        repairs = 0
        for span in reversed(self.spans):
            source = self.text[span.start : span.end]
            try:
                yield json.loads(source, strict=False)
                continue
            except (ValueError, RecursionError):
                pass  # not strict JSON: read it as sloppy JSON
            if restart := _restart(self.text, span.start, span.end, wanted):
                yield json.loads(self.text[restart.start : restart.end], strict=False)
            elif repairs < _REPAIRS:
                repairs += 1
                mended = _mend_anew(source, wanted) or mend(source)
                if isinstance(mended, dict | list):
                    yield mended


def find_json(text: str, wanted: Wanted) -> JsonInText:
    """Find the JSON objects, and lists of objects, that stand in a text outside closed reasoning tags.

    - Between ``<think>`` and ``</think>`` (and its kin) nothing counts. A tag that is never closed is ignored. What
      stands before a lone closing tag was reasoning too (chat templates swallow the opening one), if text follows it.
    - A value that never closes hides everything in it, except a wanted value of strict JSON that starts anew (not as
      a member or an item): a writer who breaks off and begins again.

    The time is linear in the length of the text, up to a constant number of retries.
    """
    text = text.replace("\ufeff", "")
    spans: list[Span] = []
    never_closed: set[str] = set()
    last = len(text.rstrip())
    position = 0
    while milestone := _MILESTONE.search(text, position):
        position = milestone.end()
        if milestone["tag"]:
            tag = milestone["tag"].lower()
            if milestone["closing"]:
                if position < last:
                    spans.clear()
            elif tag not in never_closed:
                closing = re.compile(rf"</{tag}\s*>", re.IGNORECASE).search(text, position)
                position = closing.end() if closing else position
                never_closed |= set() if closing else {tag}
            continue
        start = milestone.start()
        span = _complete(text, start) or _restart(text, start, len(text), wanted)
        if span is None:
            return JsonInText(text, tuple(spans), cut_off=True)
        spans.append(span)
        position = span.end
    return JsonInText(text, tuple(spans), cut_off=False)


def _complete(text: str, start: int) -> Span | None:
    depth = 0
    for kind, _, end in tokens(text, start):
        if kind in "{[":
            depth += 1
        elif kind in "}]":
            depth -= 1
            if depth == 0:
                return Span(start, end)
    return None


def _restart(text: str, start: int, end: int, wanted: Wanted) -> Span | None:
    """The last wanted value of strict JSON that begins anew inside the value at ``text[start:end]``."""
    foreign: list[Span] | None = None
    for at in _fresh_openers(text, start, end):
        try:
            value, stop = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if wanted(value):
            foreign = _foreign_strings(text, start) if foreign is None else foreign
            if not any(string.start < at < string.end for string in foreign):
                return Span(at, stop)
    return None


def _fresh_openers(text: str, start: int, end: int) -> Iterator[int]:
    """Where objects or lists open inside a value as no member or item of it, the last first."""
    openers = [match.start() for match in _STRICT_OPENER.finditer(text, start + 1, end)][-1000:]
    return islice((at for at in reversed(openers) if not _is_part(text, start, at)), _RESTARTS)


def _foreign_strings(text: str, start: int) -> list[Span]:
    """The strings of a value that are not in plain double quotes: strict JSON in them is only quoted."""
    return [Span(begin, end) for kind, begin, end in tokens(text, start) if kind == '"' and text[begin] != '"']


def _is_part(text: str, start: int, at: int) -> bool:
    """Whether what begins at a place follows a quoted key and its colon, or the beginning or comma of a list."""

    def before(place: int) -> int:
        while place > start and text[place - 1].isspace():
            place -= 1
        return place - 1

    place = before(at)
    if text[place] == ":":
        return text[before(place)] in "\"'’”"
    return text[place] in ",["


def _mend_anew(source: str, wanted: Wanted) -> object:
    """Read the last sloppy value that begins anew inside a sloppy value, or return None if it is not wanted."""
    at = next(_fresh_openers(source, 0, len(source)), None)
    span = None if at is None else _complete(source, at)
    if span is None or any(string.start < span.start < string.end for string in _foreign_strings(source, 0)):
        return None
    mended = mend(source[span.start : span.end])
    return mended if wanted(mended) else None
