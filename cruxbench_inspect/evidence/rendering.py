"""How documents are shown to a model: as quoted data between fixed tags, and never more of them than a set length."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import Hit

MAX_SNIPPET = 400
MAX_TITLE = 300
MAX_SOURCE = 100
MAX_ADDRESS = 500
MAX_DATE = 40
"""Characters of each part as it is shown, with its escapes."""

MAX_RESULTS = 12_000
"""Characters of all parts of a search result together; many hits share them evenly."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escape(text: str) -> str:
    """Text in which nothing can be taken for a tag or the end of an attribute."""
    return text.translate(_ESCAPES)


def render_hits(hits: Sequence[Hit], rejected: int) -> str:
    """The text of a search result: a line that counts, then one ``<result>`` per hit.

    Every hit is shown. A document whose date is only claimed (class C) is shown without a snippet.

    Args:
        hits: Admitted hits, best first.
        rejected: How many results the date rules withheld.
    """
    found = "No documents" if not hits else "1 document" if len(hits) == 1 else f"{len(hits)} documents"
    lines = [f"{found} found, {rejected} rejected by the date rules"]
    share = min(1.0, MAX_RESULTS / ((MAX_TITLE + MAX_SOURCE + MAX_SNIPPET) * max(1, len(hits))))
    for hit in hits:
        document = hit.document
        lines.append(
            f'<result id="{document.id}" published="{_date(document.published)}"'
            f' source="{_shortened(document.source, int(share * MAX_SOURCE))}"'
            f' title="{_shortened(document.title, int(share * MAX_TITLE))}">'
        )
        if hit.snippet and document.proof != "C":
            lines.append(_shortened(hit.snippet, int(share * MAX_SNIPPET)))
        lines.append("</result>")
    return "\n".join(lines)


def render_document(document: Document, max_characters: int) -> str:
    """A whole document between ``<document>`` tags.

    Args:
        document: An admitted document.
        max_characters: Characters of its text that are shown, with their escapes; a last line says how many of the text
            are left out.
    """
    shown = _fitting(document.text, max_characters)
    left_out = len(document.text) - shown
    lines = [
        f'<document id="{document.id}" url="{_shortened(document.url, MAX_ADDRESS)}"'
        f' title="{_shortened(document.title, MAX_TITLE)}" source="{_shortened(document.source, MAX_SOURCE)}"'
        f' published="{_date(document.published)}" modified="{_date(document.modified)}">',
        escape(document.text[:shown]),
    ]
    if left_out:
        lines.append(f"[{left_out} more characters are not shown]")
    lines.append("</document>")
    return "\n".join(lines)


def _date(moment: object | None) -> str:
    return "" if moment is None else _shortened(str(moment), MAX_DATE)


def _shortened(text: str, limit: int) -> str:
    """A text, escaped; what would be longer than the limit ends in an ellipsis."""
    if _fitting(text, limit) == len(text):
        return escape(text)
    return escape(text[: _fitting(text, limit - 1)].rstrip()) + "…" if limit > 0 else ""


def _fitting(text: str, limit: int) -> int:
    """How many characters of a text fit into a limit once they are escaped."""
    ends = list(accumulate(len(escape(character)) for character in text[: max(0, limit)]))
    return bisect_right(ends, limit)
