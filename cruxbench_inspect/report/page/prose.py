r"""The small markdown of a report's texts: paragraphs, lists, ``**bold**``, ``*emphasis*`` and ```code```.

Everything else is text, HTML above all. A backslash before ``*``, a backtick or a backslash takes their meaning away.
"""

import re

from markupsafe import Markup, escape

from cruxbench_inspect.report.page.printable import printable

_ITEM = re.compile(r"(?P<bullet>[-*])\s+|(?P<number>\d+)[.)]\s+")
_SPANS = re.compile(
    r"\\(?P<plain>[\\*`])"
    r"|`(?P<code>[^`]+)`"
    r"|\*\*(?=[^\s*])(?P<bold>(?:\\.|[^\\*]|\*(?!\*))+?)(?<=\S)\*\*"
    r"|\*(?=[^\s*])(?P<emphasis>(?:\\.|[^\\*])+?)(?<=\S)\*(?!\*)",
    re.DOTALL,
)


def prose(text: str) -> Markup:
    """A text as HTML: blank lines part its paragraphs; a line that starts with ``-`` or ``1.`` is an item of a list."""
    return Markup("\n").join(_block(lines) for lines in _blocks(printable(text)))


def sentence(text: str) -> Markup:
    """A text as HTML that stands within a paragraph, with no paragraphs or lists of its own."""
    return _spans(" ".join(printable(text).split()))


def literal(text: str) -> str:
    """A text from outside for use in markdown: shown as it is."""
    return re.sub(r"([\\*`])", r"\\\1", " ".join(text.split()))


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
        case "emphasis":
            return Markup("<em>{}</em>").format(_spans(content))
        case _:
            return escape(content)
