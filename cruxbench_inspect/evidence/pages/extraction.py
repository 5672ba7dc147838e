"""Text, title and dates of a page. This runs in a worker process."""

from datetime import datetime
from typing import Literal

import trafilatura.meta
from lxml.html import HtmlElement
from trafilatura import bare_extraction, load_html
from trafilatura.utils import decode_file

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.pages.claimed_dates import claimed_dates
from cruxbench_inspect.evidence.pages.date_wordings import FORMAT
from cruxbench_inspect.evidence.pages.hidden_elements import drop_unseen
from cruxbench_inspect.evidence.pages.page import Page

SHORTEST_TEXT = 150
"""Characters; what is shorter is a consent wall or the page of an error."""

_RESET_AFTER = 200
_extracted = [0]


def extract(body: bytes, url: str, kind: Literal["html", "plain"], captured: datetime) -> Page | None:
    """Read a page.

    Args:
        body: Its bytes as they came, whatever their encoding.
        url: Its address, for the extraction of its metadata.
        kind: Whether it is markup or plain text.
        captured: When the copy was made.

    Returns:
        None if there is no text to speak of.
    """
    if kind == "plain":
        return _page("", "", decode_file(body), None, None)
    tree = load_html(body)
    if not isinstance(tree, HtmlElement):
        return None
    published, modified = claimed_dates(tree, captured)
    drop_unseen(tree)
    document = bare_extraction(
        tree,
        url=url,
        with_metadata=True,
        include_comments=False,
        date_extraction_params={
            "original_date": True,
            "extensive_search": False,
            "outputformat": FORMAT,
            "max_date": captured.date().isoformat(),
        },
    )
    _count()
    if document is None or isinstance(document, dict):
        return None
    return _page(document.title or "", document.sitename or "", document.text or "", published, modified)


def _page(title: str, site: str, text: str, published: str | None, modified: str | None) -> Page | None:
    if len(clean_line(text)) < SHORTEST_TEXT:
        return None
    return Page(title, site, text, published, modified)


def _count() -> None:
    """Its caches grow with every page."""
    _extracted[0] += 1
    if _extracted[0] % _RESET_AFTER == 0:
        trafilatura.meta.reset_caches()
