"""Text from outside without the characters that no file format of a report can hold."""

import re

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """The text with a replacement character for each control character and each half of a surrogate pair.

    They are not allowed in SVG, some not in HTML, and halves of surrogate pairs have no UTF-8. Line feeds and tabs
    stay.
    """
    return _UNPRINTABLE.sub("\ufffd", text)
