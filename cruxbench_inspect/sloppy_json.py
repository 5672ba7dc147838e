"""JSON as language models write it: with comments, any quotation marks, stray commas, literals of other languages.

The scanner agrees with strict JSON on strict JSON, so a cut-off value never looks complete; on sloppy text it judges a
quotation mark by what follows it. Only what the scanner has seen closed is mended: mending never closes anything.
"""

import json
import re
from collections.abc import Iterator

import json_repair

_LONGEST = 50_000
_DEEPEST = 20

_COMMENT = r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|#[^\n]*+"
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


def tokens(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Structure, strings and words from an opening bracket to the one that closes it, as (kind, start, end).

    The kind is the character itself for structure, a quotation mark for strings, ``w`` for words, and ``/`` for what
    has no meaning: comments and closing brackets without a partner. A closing bracket closes what is still open inside
    its partner. A string that never closes goes to the end of the text; the tokens then end there.
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
                yield '"', begin, len(text)
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
            if not open_brackets:
                yield kind, begin, position
                return
        elif kind not in ":,":
            kind = "w"
        yield kind, begin, position
        before = kind


def mend(source: str) -> object:
    """Read a complete sloppy value within fixed limits of size and depth, or return None where that is hopeless.

    The repair library sees placeholders instead of strings: it mends brackets, commas and literals, and what it would
    guess about quotation marks cannot cost a text its second half.
    """
    if len(source) > _LONGEST:
        return None
    pieces: list[str] = []
    strings: list[str] = []
    depth = 0
    done = 0
    for kind, begin, end in tokens(source, 0):
        depth += (kind in "{[") - (kind in "}]")
        if depth > _DEEPEST:
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
