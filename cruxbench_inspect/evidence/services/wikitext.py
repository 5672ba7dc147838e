"""Wikitext as plain text, and what it links to."""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from cruxbench_inspect.evidence.services.wiki_titles import is_other_language, linked_article
from cruxbench_inspect.evidence.services.wikitext_attributes import are_attributes, hide
from cruxbench_inspect.evidence.services.wikitext_templates import shown
from cruxbench_inspect.evidence.services.wikitext_tree import External, Link, Node, Table, Template, parse

MAX_CHARACTERS = 2 << 20
"""Of a wikitext, what is read: as much as Wikipedia lets a page have."""


@dataclass(frozen=True)
class ExternalLink:
    """A link to a page outside of the wiki.

    Attributes:
        url: Its address, ``http`` or ``https``.
        name: What the page calls it, such as ``AFP via France 24``; may be "".
    """

    url: str
    name: str


@dataclass(frozen=True)
class Passage:
    """A short stretch of wikitext.

    Attributes:
        text: As plain text on one line, without the external links.
        articles: Titles of the linked articles, each once, in the order of the text.
        links: The external links, each address once: those in brackets and citations, then bare addresses.
    """

    text: str
    articles: tuple[str, ...]
    links: tuple[ExternalLink, ...]


def plain_text(wikitext: str) -> str:
    """The text that a reader of the page sees, without what only today's templates could add.

    References, images, navigation and hidden elements are left out. Headings are lines of their own, items of lists
    begin with ``-``, rows of tables are lines with `` | `` between the cells, and the parameters of infoboxes are lines
    ``name: value``. Never raises; time and memory grow with the length (at most about 2 s and 150 MB for a megabyte),
    whatever the text is.
    """
    return _tidy(_Rendering().render(parse(wikitext[:MAX_CHARACTERS])))


def read_passage(wikitext: str) -> Passage:
    """The text and the links of a line of wikitext. Never raises."""
    rendering = _Rendering(external_apart=True)
    text = html.unescape(rendering.render(parse(wikitext[:MAX_CHARACTERS])))
    bare = [ExternalLink(match[0], "") for match in _BARE_URL.finditer(text)]
    links: dict[str, ExternalLink] = {}
    for link in [*rendering.links, *bare]:
        if is_web_address(link.url):
            links.setdefault(link.url, link)
    text = " ".join(_EMPTY_BRACKETS.sub(" ", _STYLE.sub("", _BARE_URL.sub(" ", text))).split())
    return Passage(
        text=_SPACE_BEFORE.sub(r"\1", text),
        articles=tuple(dict.fromkeys(rendering.articles)),
        links=tuple(links.values()),
    )


def is_web_address(url: str) -> bool:
    """Whether a text is an absolute address of the web."""
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return False


_STYLE = re.compile(r"'{2,}")
_SWITCH = re.compile(r"__[A-Z]{3,30}__")
_BARE_URL = re.compile(r"https?://[^\s\[\]<>\"|{}]+[^\s\[\]<>\"|{}.,:;!?()']", re.IGNORECASE)
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]")
_SPACE_BEFORE = re.compile(r" ([.,;:!?])(?=\s|$)")
_CITATION = re.compile(r"cite |citation$", re.IGNORECASE)
_OUTLETS = ("work", "newspaper", "website", "agency", "publisher", "magazine", "journal", "via")


@dataclass
class _Rendering:
    """Turns nodes into text and collects what they link to."""

    external_apart: bool = False
    articles: list[str] = field(default_factory=list)
    links: list[ExternalLink] = field(default_factory=list)

    def render(self, nodes: Iterable[Node]) -> str:
        return "".join(node if isinstance(node, str) else self._node(node) for node in nodes)

    def _node(self, node: Template | Link | External | Table) -> str:
        match node:
            case Template():
                return self._template(node)
            case Link():
                return self._link(node)
            case External():
                return self._external(node)
            case Table():
                return _table(self.render(_in_one_line(self, node.content)))

    def _template(self, template: Template) -> str:
        name = self.render(template.parts[0])
        positional: list[str] = []
        named: dict[str, str] = {}
        for part in template.parts[1:]:
            if part and isinstance(part[0], str) and "=" in part[0]:
                key, _, first = part[0].partition("=")
                value = (first + self.render(part[1:])).strip()
                if key.strip().isdigit():
                    positional.append(value)
                else:
                    named[key.strip().lower()] = value
            else:
                positional.append(self.render(part))
        if self.external_apart and _CITATION.match(name.strip()) and named.get("url"):
            outlet = next((named[key] for key in _OUTLETS if named.get(key)), "")
            self.links.append(ExternalLink(named["url"], _name(outlet)))
            return ""
        return shown(name, positional, named)

    def _link(self, link: Link) -> str:
        target = self.render(link.parts[0]).strip()
        label = self.render(link.parts[-1]).strip() if len(link.parts) > 1 else ""
        bare = target.lstrip(":")
        if not target.startswith(":") and _is_unseen(bare):
            return ""
        article = linked_article(target)
        if article is not None:
            self.articles.append(article)
        return label or bare

    def _external(self, link: External) -> str:
        label = self.render(link.label).strip()
        if not self.external_apart:
            return label
        url = f"https:{link.url}" if link.url.startswith("//") else link.url
        self.links.append(ExternalLink(html.unescape(url), _name(label)))
        return ""


def _in_one_line(rendering: _Rendering, nodes: Sequence[Node]) -> list[Node]:
    """Nodes of a table, with nothing but its own text broken into lines."""
    return [
        node if isinstance(node, str) else "; ".join(rendering.render([node]).strip().splitlines()) for node in nodes
    ]


def _is_unseen(target: str) -> bool:
    """Whether a link shows nothing at its place: an image, a category, the same page in another language."""
    prefix = target.partition(":")[0].strip().lower()
    return prefix in {"file", "image", "category", "media"} or is_other_language(target)


def _name(label: str) -> str:
    label = " ".join(_STYLE.sub("", html.unescape(label)).split())
    return label[1:-1].strip() if label.startswith("(") and label.endswith(")") else label


def _table(text: str) -> str:
    lines = text.splitlines()
    if lines and hide(lines[0]):  # the table's attributes
        return ""
    rows: list[list[list[str]]] = [[]]  # the lines of each cell of each row
    unseen_row = False
    for line in lines[1:]:
        line = line.strip()
        if line.startswith("|-"):
            unseen_row = hide(line)
            rows.append([])
        elif unseen_row:
            continue
        elif line.startswith("|+"):
            rows += [[_cell(line[2:])], []]
        elif line.startswith(("|", "!")):
            cells = line[1:].replace("!!", "||") if line[0] == "!" else line[1:]
            rows[-1] += [_cell(cell) for cell in cells.split("||")]
        elif line and rows[-1] and rows[-1][-1]:
            rows[-1][-1].append(line)
    shown = [" | ".join(" ".join(cell).strip() for cell in row).strip(" |") for row in rows]
    return "\n".join(["", *(line for line in shown if line), ""])


def _cell(text: str) -> list[str]:
    """The first line of a cell; no line where its attributes hide it."""
    before, bar, content = text.partition("|")
    if not (bar and are_attributes(before)):
        return [text.strip()]
    return [] if hide(before) else [content.strip()]


def _tidy(text: str) -> str:
    """Lines without markup; headings with nothing below them, and empty lines but one, are left out."""
    text = _SWITCH.sub("", _STYLE.sub("", html.unescape(text)))
    lines: list[str] = []  # from the last one to the first
    below = 0  # the level of the heading that comes next; 0 where it is the end of the page
    heading_next = True  # with nothing between
    for line in reversed(text.splitlines()):
        line = " ".join(line.split())
        level, title = _heading(line)
        if level:
            if heading_next and below <= level:
                continue
            below, heading_next, line = level, True, title
        else:
            line = _list_item(line)
            heading_next = heading_next and not line
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(reversed(lines)).strip()


def _heading(line: str) -> tuple[int, str]:
    if len(line) < 3 or not (line.startswith("=") and line.endswith("=")):
        return 0, ""
    title = line.strip("=")
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
    return (level, title.strip()) if title.strip() else (0, "")


def _list_item(line: str) -> str:
    content = line.lstrip("*#:;")
    if content == line:
        return line
    marks = line[: len(line) - len(content)]
    content = content.strip()
    return f"- {content}" if content and marks[-1] in "*#" else content
