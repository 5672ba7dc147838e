"""Reading JSON as services and files really hold it: a sign that JSON forbids costs itself and nothing around it."""

import json
import re
from typing import Any

from pydantic_core import from_json

_ESCAPE = re.compile(
    r"\\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}"  # a pair, which is one sign
    r"|(?P<lone>\\u[Dd][89A-Fa-f][0-9A-Fa-f]{2})"
    r"|\\.",
    re.DOTALL,
)
_REPLACEMENT = r"\ufffd"
_MOST_DIGITS = 1_000


def tolerant_json(content: bytes | str) -> Any:
    """JSON, also where it is not strict.

    Bytes that are no UTF-8 and halves of a surrogate pair become U+FFFD, so that every text can be written again.
    Control characters in texts stay. A byte order mark is skipped. A number of thousands of digits is infinite.

    Args:
        content: The JSON, as UTF-8 where it is bytes.

    Raises:
        ValueError: If it is no whole JSON even so, or nested too deeply.
    """
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    try:
        return from_json(content)
    except ValueError:
        text = content.decode("utf-8-sig", "replace")
    try:
        return json.loads(_ESCAPE.sub(_mended, text), strict=False, parse_int=_whole_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _mended(escape: re.Match[str]) -> str:
    return _REPLACEMENT if escape["lone"] else escape[0]
