"""JSON in whatever a language model writes: finding where values begin and end, and reading sloppy ones.

One scanner decides where a value ends. It agrees with strict JSON on strict JSON, so a cut-off value never looks
complete; on sloppy text it judges a quotation mark by what follows it. Only values that the scanner has seen closed
are repaired: repair never closes anything.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import json_repair

_REPAIRED_LENGTH = 50_000
_REPAIRED_DEPTH = 20
_REPAIRS = 20
_RESTARTS = 50

_DECODER = json.JSONDecoder(strict=False)
_COMMENT = r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|#[^\n]*+"
_OPENER = r"(?:\[\s*+)?\{\s*+(?:[\"'“”‘’]|//|/\*|#\s|\w{1,40}+\s*+:|\Z)"
_TAG = r"<(?P<closing>/?)(?P<tag>think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b[^<>]{0,80}>"
_MILESTONE = re.compile(rf"{_OPENER}|{_TAG}|\[\s*+\Z", re.IGNORECASE)
_STRICT_OPENER = re.compile(r'(?:\[\s*+)?\{\s*+"')
_TOKEN = re.compile(rf"(?P<comment>{_COMMENT})|[{{}}\[\],:]|(?P<quote>[\"'“”‘’])|[\w.+-][\w.+'’-]*+")

_QUOTED_KEY = r"""(?:"(?:[^"\\]++|\\.)*+"|['‘][^'’\n]{0,60}['’]|[“”][^“”\n]{0,60}[“”])\s*+:"""
_AFTER_KEY = r"\s*+(?:[:,}\]]|\Z)"
_AFTER_VALUE = rf"\s*+(?:[}}\]]|//|/\*|#|\Z|,\s*+(?:[}}\]]|//|/\*|#|\w++\s*+:)|(?:,\s*+)?+{_QUOTED_KEY})"
_AFTER_ITEM = r"\s*+(?:[,\]}]|//|/\*|#|\Z)"
_CLOSING_MARKS = {'"': '"', "'": "'", "“": "“”", "”": "“”", "‘": "‘’", "’": "‘’"}
_REST_OF_STRING = {
    (mark, after): re.compile(rf"(?:[^\\{closing}]++|\\.|[{closing}](?!{after}))*+[{closing}]", re.DOTALL)
    for mark, closing in _CLOSING_MARKS.items()
    for after in (_AFTER_KEY, _AFTER_VALUE, _AFTER_ITEM)
}
_NO_VALUE = frozenset(("nan", "infinity", "-infinity", "none", "undefined"))
_ESCAPE = re.compile(
    r"""\\(?:(?P<json>["\\/bfnrt]|u[0-9a-fA-F]{4})|x(?P<hex>[0-9a-fA-F]{2})|(?P<other>.))|\\|\"""", re.DOTALL
)

Wanted = Callable[[object], bool]
"""Says whether a value is what the reader looks for."""


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
        wanted value of strict JSON starts anew inside it: then the outer one was given up by its writer.
        """
        repairs = 0
        for span in reversed(self.spans):
            source = self.text[span.start : span.end]
            try:
                yield json.loads(source, strict=False)
                continue
            except (ValueError, RecursionError):
                pass  # not strict JSON: read it as sloppy JSON
            if restart := _restart(self.text, span.start + 1, span.end, wanted):
                yield json.loads(self.text[restart.start : restart.end], strict=False)
            elif repairs < _REPAIRS and len(source) <= _REPAIRED_LENGTH:
                repairs += 1
                mended = _mend(source)
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
        span = _complete(text, start) or _restart(text, start + 1, len(text), wanted)
        if span is None:
            return JsonInText(text, tuple(spans), cut_off=True)
        spans.append(span)
        position = span.end
    return JsonInText(text, tuple(spans), cut_off=False)


def _complete(text: str, start: int) -> Span | None:
    depth = 0
    for kind, _, end in _tokens(text, start):
        if kind in "{[":
            depth += 1
        elif kind in "}]":
            depth -= 1
            if depth == 0:
                return Span(start, end)
    return None


def _tokens(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Structure, strings and words from an opening bracket on, as (kind, start, end).

    The kind is the character itself for structure, a quotation mark for strings, ``w`` for words, and ``/`` for what
    has no meaning: comments and closing brackets without a partner. A closing bracket closes what is still open inside
    its partner. The tokens end where a string never closes.
    """
    open_brackets: list[str] = []
    count = {"{": 0, "[": 0}
    before = ""
    position = start
    while match := _TOKEN.search(text, position):
        kind, begin, position = match[0], match.start(), match.end()
        if match["comment"]:
            yield "/", begin, position
            continue
        if match["quote"]:
            in_list = open_brackets[-1] == "["
            after = _AFTER_ITEM if in_list else _AFTER_VALUE if before == ":" else _AFTER_KEY
            rest = _REST_OF_STRING[kind, after].match(text, position)
            if rest is None:
                return
            kind, position = '"', rest.end()
        elif kind in "{[":
            open_brackets.append(kind)
            count[kind] += 1
        elif kind in "}]":
            partner = "{" if kind == "}" else "["
            if not count[partner]:
                yield "/", begin, position
                continue
            while (inner := open_brackets.pop()) != partner:
                count[inner] -= 1
                yield ("}" if inner == "{" else "]"), begin, begin
            count[partner] -= 1
        elif kind not in ":,":
            kind = "w"
        yield kind, begin, position
        before = kind


def _restart(text: str, start: int, end: int, wanted: Wanted) -> Span | None:
    """The last wanted value of strict JSON that begins in ``text[start:end]`` as no member or item of another."""
    openers = [match.start() for match in _STRICT_OPENER.finditer(text, start, end)][-1000:]
    fresh = (at for at in reversed(openers) if not _is_part(text, start, at))
    for at in islice(fresh, _RESTARTS):
        try:
            value, stop = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if wanted(value):
            return Span(at, stop)
    return None


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


def _mend(source: str) -> object:
    """Read a complete sloppy value, or return None where that is hopeless.

    The repair library sees placeholders instead of strings: it mends brackets, commas and literals, and what it would
    guess about quotation marks cannot cost a text its second half.
    """
    pieces: list[str] = []
    strings: list[str] = []
    depth = 0
    done = 0
    for kind, begin, end in _tokens(source, 0):
        depth += (kind in "{[") - (kind in "}]")
        if depth > _REPAIRED_DEPTH:
            return None
        piece = source[begin:end]
        if kind == '"':
            piece = f'"@{len(strings)}"'
            strings.append(_string(source[begin:end]))
        elif kind == "/":
            piece = ""
        elif kind == "w":
            piece = "null" if piece.lower() in _NO_VALUE else piece
        else:
            piece = kind
        pieces += [source[done:begin], piece]
        done = end
    try:
        return _restore(json_repair.loads("".join(pieces)), strings)
    except (ValueError, IndexError, RecursionError):
        return None


def _restore(value: object, strings: list[str]) -> object:
    """Put the strings back; a ValueError or IndexError says that the library garbled a placeholder."""
    if isinstance(value, list):
        return [_restore(item, strings) for item in value]
    if isinstance(value, dict):
        return {_restore(key, strings): _restore(item, strings) for key, item in value.items()}
    if isinstance(value, str) and "@" in value:
        return strings[int(value.removeprefix("@"))]
    return value


def _string(quoted: str) -> str:
    mark, content = quoted[0], quoted[1:-1]
    if len(content) >= 4 and content.startswith(mark * 2) and content.endswith(mark * 2):
        content = content[2:-2]
    literal: str = json.loads(f'"{_ESCAPE.sub(_strict_escape, content)}"', strict=False)
    return literal


def _strict_escape(match: re.Match[str]) -> str:
    if match["json"]:
        return match[0]
    if match["hex"]:
        return f"\\u00{match['hex']}"
    if match["other"]:
        return match["other"] if match["other"] in "'’‘“”\n" else f"\\\\{match['other']}"
    return f"\\{match[0]}"
