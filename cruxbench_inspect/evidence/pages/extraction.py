"""Text, title and dates of a page. This runs in a worker process."""

import re
from datetime import datetime
from typing import Literal

from lxml.html import HtmlElement
from trafilatura import bare_extraction, load_html

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.pages.claimed_dates import claimed_dates
from cruxbench_inspect.evidence.pages.encodings import decoded
from cruxbench_inspect.evidence.pages.hidden_elements import drop_unseen
from cruxbench_inspect.evidence.pages.page import Page

SHORTEST_TEXT = 150
"""Characters; what is shorter is a consent wall or the page of an error."""

# Dates are read apart. With such a format, trafilatura looks for none: it would lose the page with a date that is odd.
_NO_DATE = {"extensive_search": False, "outputformat": "none"}
_NO_LETTERS = re.compile("[\x00-\x08\x0e-\x1a\ufffd]")


def extract(
    body: bytes, url: str, kind: Literal["html", "plain"], captured: datetime, content_type: str = ""
) -> Page | None:
    """Read a page.

    Args:
        body: Its bytes as they came, whatever their encoding.
        url: Its address, for the extraction of its metadata.
        kind: Whether it is markup or plain text.
        captured: When the copy was made.
        content_type: The header of that name, for its charset.

    Returns:
        None if there is no text to speak of.
    """
    text = decoded(body, content_type)
    if kind == "plain":
        return None if _is_binary(text) else _page("", "", text, None, None)
    tree = load_html(text)
    if not isinstance(tree, HtmlElement):
        return None
    published, modified = claimed_dates(tree, captured)
    drop_unseen(tree)
    document = bare_extraction(
        tree,
        url=url,
        with_metadata=True,
        include_comments=False,
        date_extraction_params=_NO_DATE,
    )
    if document is None or isinstance(document, dict):
        return None
    return _page(document.title or "", document.sitename or "", document.text or "", published, modified)


def _is_binary(text: str) -> bool:
    """Whether what was sent as a text is some other file."""
    start = text[:10_000]
    return start.startswith("%PDF-") or len(_NO_LETTERS.findall(start)) > len(start) / 100


def _page(title: str, site: str, text: str, published: str | None, modified: str | None) -> Page | None:
    if len(clean_line(text)) < SHORTEST_TEXT:
        return None
    return Page(title, site, text, published, modified)
