"""Text from outside, freed of what a reader cannot see: it is shown to models as data."""

import re
from typing import Annotated

from pydantic import BeforeValidator

DATA_LINK_REMOVED = "[data link removed]"

_LINE_BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029]")
# C0 and C1 controls except tab and newline, surrogates, interlinear annotation, and Unicode's
# Default_Ignorable_Code_Point: zero-width and bidirectional marks, fillers, variation selectors, tag characters. Of the
# format controls beyond these, those of the hieroglyphs, which show nothing of their own.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# As browsers read them: parameters may be quoted, and spaces may stand around all parts.
_DATA_LINK = re.compile(
    r"(?<![^\W_])data:(?:\s*(?:application|audio|example|font|image|message|model|multipart|text|video)/[\w.+-]+"
    r"|[\w.+-]+/[\w.+-]+)?"
    r"""(?:\s*;\s*[\w.+-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[\w.+-]*))?)*(?:\s*;)?(?:(?<!data:)\s*)?,[^\s"'<>()]*""",
    re.IGNORECASE,
)


def clean_text(text: str) -> str:
    """Text without control characters, invisible characters and ``data:`` links; lines end in a newline.

    Cleaning twice changes nothing more.
    """
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = _UNSEEN.sub("", _LINE_BREAKS.sub("\n", text))
    if "data:" in text.lower():
        text = _DATA_LINK.sub(DATA_LINK_REMOVED, text)
    return text


def clean_line(text: str) -> str:
    """Clean text on one line, every stretch of white space folded to one space."""
    return " ".join(clean_text(text).split())


# Cleaned before pydantic looks at it: a lone surrogate would not count as a string.
CleanText = Annotated[str, BeforeValidator(lambda value: clean_text(value) if isinstance(value, str) else value)]
"""A pydantic field that stores ``clean_text`` of what it is given."""

CleanLine = Annotated[str, BeforeValidator(lambda value: clean_line(value) if isinstance(value, str) else value)]
"""A pydantic field that stores ``clean_line`` of what it is given."""
