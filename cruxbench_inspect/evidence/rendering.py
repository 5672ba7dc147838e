"""How documents are shown to a model: as quoted data between fixed tags."""

from collections.abc import Sequence

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import Hit

MAX_SNIPPET = 400

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escape(text: str) -> str:
    """Text in which nothing can be taken for a tag or the end of an attribute."""
    return text.translate(_ESCAPES)


def render_hits(hits: Sequence[Hit], rejected: int) -> str:
    """The text of a search result: a line that counts, then one ``<result>`` per hit.

    A document whose date is only claimed (class C) is shown without a snippet.

    Args:
        hits: Admitted hits, best first.
        rejected: How many results the date rules withheld.
    """
    found = "No documents" if not hits else "1 document" if len(hits) == 1 else f"{len(hits)} documents"
    lines = [f"{found} found, {rejected} rejected by the date rules"]
    for hit in hits:
        document = hit.document
        lines.append(
            f'<result id="{document.id}" published="{_date(document.published)}" source="{escape(document.source)}"'
            f' title="{escape(document.title)}">'
        )
        if hit.snippet and document.proof != "C":
            lines.append(escape(_shorten(hit.snippet, MAX_SNIPPET)))
        lines.append("</result>")
    return "\n".join(lines)


def render_document(document: Document, max_characters: int) -> str:
    """A whole document between ``<document>`` tags.

    Args:
        document: An admitted document.
        max_characters: Characters of its text that are shown; a last line says how many are left out.
    """
    text = document.text[:max_characters]
    left_out = len(document.text) - len(text)
    lines = [
        f'<document id="{document.id}" url="{escape(document.url)}" title="{escape(document.title)}"'
        f' source="{escape(document.source)}" published="{_date(document.published)}"'
        f' modified="{_date(document.modified)}">',
        escape(text),
    ]
    if left_out:
        lines.append(f"[{left_out} more characters are not shown]")
    lines.append("</document>")
    return "\n".join(lines)


def _date(moment: object | None) -> str:
    return "" if moment is None else escape(str(moment))


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
