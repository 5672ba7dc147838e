"""From the documents that were read to a resolution."""

from collections.abc import Sequence
from datetime import date, datetime

from cruxbench_inspect.keyword.asked import Asked, read_asked
from cruxbench_inspect.keyword.findings import RELEVANT, Finding, finding, in_window, mentions_matter, relevance
from cruxbench_inspect.keyword.prompts import ShownCrux, ShownDocument, start_of
from cruxbench_inspect.keyword.sentences import quote, sentences
from cruxbench_inspect.keyword.submission import DEADLINE, Citation, Submission
from cruxbench_inspect.keyword.words import overlap, stems


def decide(crux: ShownCrux, documents: Sequence[ShownDocument]) -> Submission:
    """Resolve a crux from fetched documents.

    The earliest finding decides. Without one, documents of the window that concern the matter make it a No by the
    deadline; it is unresolvable if there are none, or if the matter was due on a day that no document reaches.
    """
    asked = read_asked(crux)
    found = findings(crux, documents)
    if found:
        return _from_finding(crux, found[0])
    related = [
        document for document in documents if in_window(crux, document) and relevance(asked, document) >= RELEVANT
    ]
    if not related:
        return Submission.unresolvable(
            "data_availability", "No document of the window that was found concerns the matter."
        )
    latest = max(related, key=published)
    after = [document for document in related if asked.due is None or published(document) >= start_of(asked.due)]
    if asked.due is not None and not any(mentions_matter(asked, document) for document in after):
        return Submission.unresolvable(
            "data_availability",
            f"The matter was due on {asked.due.isoformat()} and no document of that day or later speaks of it.",
        )
    return Submission.settled(
        "No",
        DEADLINE,
        "no_deadline",
        (Citation(document_id=latest.id, quote=_nearest_quote(asked, latest)),),
        "Documents of the window concern the matter and none says that the event happened.",
    )


def findings(crux: ShownCrux, documents: Sequence[ShownDocument]) -> list[Finding]:
    """The findings of the documents, the earliest first."""
    asked = read_asked(crux)
    found = [result for document in documents if (result := finding(crux, asked, document)) is not None]
    return sorted(found, key=lambda result: (public_at(result), published(result.document), result.document.id))


def public_at(result: Finding) -> datetime:
    """When a finding became public, in UTC: its document's publication where no time is known."""
    moment = result.timing.moment if result.timing else None
    return moment or published(result.document)


def published(document: ShownDocument) -> datetime:
    """A document's publication, in UTC; the beginning of time for an undated one."""
    return document.moment or start_of(date.min)


def _from_finding(crux: ShownCrux, first: Finding) -> Submission:
    if first.timing is None:
        return Submission.unresolvable(
            "temporal",
            f"The first report ({first.document.id}) says that it has happened by then, not when: {first.quote!r}.",
        )
    return Submission.settled(
        first.answer,
        first.timing,
        "yes_event" if first.answer == "Yes" else "no_irreversible",
        (Citation(document_id=first.document.id, quote=first.quote),),
        f"The earliest sentence that settles it: {first.sentence!r}.",
    )


def _nearest_quote(asked: Asked, document: ShownDocument) -> str:
    body = sentences(document.text) or [document.text]
    return quote(max(body, key=lambda sentence: overlap(asked.matter, stems(sentence))))
