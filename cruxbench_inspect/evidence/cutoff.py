"""Admission: nothing on or after the cutoff is ever shown, nothing undated, and nothing of the market's own."""

from datetime import datetime
from typing import Literal

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import is_excluded

RejectionReason = Literal[
    "undated",
    "published_after_cutoff",
    "modified_after_cutoff",
    "captured_after_cutoff",
    "date_only_not_provably_before",
    "excluded_site",
]
"""Why a document is withheld. "after" includes the cutoff itself; "date_only" includes a time whose zone is unknown."""


def last_instant(document: Document) -> datetime | None:
    """The last instant, in UTC, at which the document's text may have come into being; None when nothing bounds it.

    A stored copy (class A) is bounded by its capture: an unsure date of publication does no harm, but one that
    certainly lies after the capture shows a wrong copy and counts. Any other document is bounded by the latest of its
    publication, its last change and the making of the copy that is shown, and needs the first.
    """
    if document.proof == "A":
        if document.captured is None:
            return None
        claims = [moment.earliest for moment in (document.published, document.modified) if moment is not None]
        return max([document.captured.latest, *claims])
    if document.published is None:
        return None
    moments = (document.published, document.modified, document.captured)
    return max(moment.latest for moment in moments if moment is not None)


def rejection(document: Document, cutoff: datetime) -> RejectionReason | None:
    """Why a document must not be shown at a cutoff, or None when all of it is provably older.

    Only documents from strictly before the cutoff pass. Someone for whom the cutoff itself still counts, such as a
    judge up to 11:59:59Z, passes the first moment that does not.

    Args:
        document: What a source returned.
        cutoff: An aware datetime.
    """
    if is_excluded(document.url):
        return "excluded_site"
    last = last_instant(document)
    if last is None:
        return "undated"
    if last < cutoff:
        return None
    if document.proof == "A" and document.captured is not None and document.captured.earliest >= cutoff:
        return "captured_after_cutoff"
    if document.published is not None and document.published.earliest >= cutoff:
        return "published_after_cutoff"
    if document.modified is not None and document.modified.earliest >= cutoff:
        return "modified_after_cutoff"
    if document.captured is not None and document.captured.earliest >= cutoff:
        return "captured_after_cutoff"
    return "date_only_not_provably_before"
