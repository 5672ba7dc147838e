"""From the bytes of a page to its characters."""

import codecs
import re

from trafilatura.utils import decode_file

_DECLARED = re.compile(
    rb"""<(?:meta\b|\?xml\b)[^<>]{0,500}?(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{2,40})""", re.I
)
_IN_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_LOOKED_AT = 4_096  # bytes of a page that are searched for its own word
_MARKS = (
    *((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16")),
    *((codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_BE, "utf-16")),
)
# What switches between the sets of ISO 2022; such a text is ASCII to anybody who is not told.
_SWITCHES = re.compile(rb"\x1b(?:\$[@AB]|\$\([CDOPQ]|\$\)[AC]|\([BIJ])")
_SWITCHED = ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_3", "iso2022_kr")
# The encodings of pages by the names that Python has for them, and those that hold them with more characters.
_OF_PAGES = {
    **{name: name for name in ("cp866", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "gb18030", "euc_jp")},
    **{name: name for name in (f"cp{number}" for number in range(1250, 1259))},
    **{name: name for name in (f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16))},
    **{"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874"},
    **{"cp874": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "cp950": "cp950"},
    **{"big5hkscs": "big5hkscs", "shift_jis": "cp932", "cp932": "cp932", "euc_kr": "cp949", "cp949": "cp949"},
    "utf-8": "utf-8",
}
_OTHER_NAMES = {
    **{"x-sjis": "cp932", "windows-31j": "cp932", "windows-874": "cp874", "windows-949": "cp949", "x-gbk": "gbk"},
    **{"iso-8859-8-i": "iso8859-8", "x-euc-jp": "euc_jp", "x-mac-cyrillic": "mac-cyrillic", "x-x-big5": "big5"},
}
_MOST_UNREAD = 0.01  # of the characters


def decoded(body: bytes, content_type: str = "") -> str:
    """The characters of a page.

    What its bytes show by themselves (a mark, UTF-8, ISO 2022) counts most, then what the page says of itself, then
    what was said of it, then a guess. A word that does not fit the bytes is passed over.

    Args:
        body: The bytes, which may be packed.
        content_type: The header of that name.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace").removeprefix("\ufeff")
    if _SWITCHES.search(body):
        for encoding in _SWITCHED:
            text = _strictly(body, encoding)
            if text is not None:
                return text
    text = _strictly(body, "utf-8")
    if text is not None:
        return text
    own = _DECLARED.search(body[:_LOOKED_AT])
    told = _IN_HEADER.search(content_type)
    for name in (own[1].decode("ascii", "replace") if own else "", told[1] if told else ""):
        text = _as_declared(body, name)
        if text is not None:
            return text
    return decode_file(body)


def _as_declared(body: bytes, name: str) -> str | None:
    try:
        encoding = _OF_PAGES.get(codecs.lookup(_OTHER_NAMES.get(name.lower(), name)).name) if name else None
    except LookupError:
        return None
    if encoding is None or b"\0" in body:
        return None
    text = body.decode(encoding, "replace")
    return text if text.count("\ufffd") <= _MOST_UNREAD * len(text) else None


def _strictly(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except UnicodeDecodeError:
        return None
