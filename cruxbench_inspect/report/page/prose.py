r"""The small markdown of a report's texts: paragraphs, lists, ``**bold**``, ``*emphasis*``, ```code``` and links.

Everything else is text, HTML above all. A backslash before ``*``, a backtick, a backslash, or one of ``_<>[]~&`` takes
the meaning away that this markdown or another gives it. A link is ``[text](<address>)``, to http and https alone.
"""

import re
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from cruxbench_inspect.report.page.printable import printable

_ITEM = re.compile(r"(?P<bullet>[-*])\s+|(?P<number>\d+)[.)]\s+")
_SPECIAL = r"[\\*`_<>\[\]~&]"
_SPANS = re.compile(
    rf"\\(?P<plain>{_SPECIAL})"
    r"|`(?P<code>[^`]+)`"
    r"|\[(?P<text>(?:\\.|[^\\\[\]])+)\]\(<(?P<address>[^<>\s]+)>\)"
    r"|\*\*(?=[^\s*])(?P<bold>(?:\\.|[^\\*]|\*(?!\*))+?)(?<=\S)\*\*"
    r"|\*(?=[^\s*])(?P<emphasis>(?:\\.|[^\\*])+?)(?<=\S)\*(?!\*)",
    re.DOTALL,
)
_NO_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0\\<>\u2028\u2029]")


def prose(text: str) -> Markup:
    """A text as HTML: blank lines part its paragraphs; a line that starts with ``-`` or ``1.`` is an item of a list."""
    return Markup("\n").join(_block(lines) for lines in _blocks(printable(text)))


def sentence(text: str) -> Markup:
    """A text as HTML that stands within a paragraph, with no paragraphs or lists of its own."""
    return _spans(" ".join(printable(text).split()))


def fold(text: str) -> tuple[str, str]:
    """A text as its first paragraph, which stands for it, and all that follows; the second is empty without any."""
    first, _, others = text.partition("\n\n")
    return first, others.strip()


def literal(text: str) -> str:
    """A text from outside for use in markdown: shown as it is, by this markdown and by others."""
    return re.sub(rf"({_SPECIAL})", r"\\\1", " ".join(printable(text).split()))


def link(text: str, address: str) -> str:
    """A text from outside as a link to an address from outside, for use in markdown; no link if that is not http(s)."""
    shown = literal(text) or literal(address)
    return f"[{shown}](<{address}>)" if shown and _is_of_web(address) else shown


def _is_of_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not _NO_ADDRESS.search(address)
    except ValueError:
        return False


def _blocks(text: str) -> list[list[str]]:
    """Lines that belong together: those of a paragraph, or all items of a list; a list ends its paragraph."""
    blocks: list[list[str]] = []
    previous: str | None = None
    for line in text.splitlines():
        kind = _kind(line)
        if not line.strip():
            previous = None
            continue
        if kind is None and previous in {"bullet", "number"} and line[0].isspace():
            blocks[-1][-1] += f" {line.strip()}"
            continue
        if kind is None and previous == "text" or (kind is not None and kind == previous):
            blocks[-1].append(line.strip())
        else:
            blocks.append([line.strip()])
        previous = kind or "text"
    return blocks


def _block(lines: list[str]) -> Markup:
    kind = _kind(lines[0])
    if kind is None:
        return Markup("<p>{}</p>").format(_spans(" ".join(lines)))
    items = Markup("").join(Markup("<li>{}</li>").format(_spans(_ITEM.sub("", line, count=1))) for line in lines)
    return (Markup("<ul>{}</ul>") if kind == "bullet" else Markup("<ol>{}</ol>")).format(items)


def _kind(line: str) -> str | None:
    item = _ITEM.match(line.strip())
    return item and item.lastgroup


def _spans(text: str) -> Markup:
    parts: list[Markup] = []
    end = 0
    for span in _SPANS.finditer(text):
        parts.extend((escape(text[end : span.start()]), _span(span)))
        end = span.end()
    return Markup("").join([*parts, escape(text[end:])])


def _span(span: re.Match[str]) -> Markup:
    content = span[span.lastgroup or 0]
    match span.lastgroup:
        case "code":
            return Markup("<code>{}</code>").format(content)
        case "bold":
            return Markup("<strong>{}</strong>").format(_spans(content))
        case "address" if _is_of_web(content):
            return Markup('<a href="{}">{}</a>').format(content, _spans(span["text"]))
        case "address":
            return escape(span[0])
        case "emphasis":
            return Markup("<em>{}</em>").format(_spans(content))
        case _:
            return escape(content)
