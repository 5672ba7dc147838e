"""One resolution's view of a source: bound to a cutoff, guarded, and with a record of what happened."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from cruxbench_inspect.evidence.cutoff import RejectionReason, rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.query import plain_query
from cruxbench_inspect.evidence.rendering import render_document, render_hits
from cruxbench_inspect.evidence.source import EvidenceSource, Hit, SearchOutcome, SourceFailure

NO_ANSWER = "The search service did not answer."
PART_ANSWER = "A part of the search service did not answer."
UNKNOWN_ID = "No search has returned a document with this id. Search first, then fetch an id from the results."
NO_TEXT = "The text of this document is not available as of the cutoff."


@dataclass
class EvidenceCounts:
    """What happened in a session.

    Attributes:
        searches: Searches that the source answered.
        empty_searches: Those among them that showed no document.
        fetches: Documents that were shown in full.
        missed: Fetches that found no text that may be shown.
        failures: Searches and fetches that the source or a part of it could not answer.
        rejected: Results that the date rules withheld, by reason, over all searches and fetches.
    """

    searches: int = 0
    empty_searches: int = 0
    fetches: int = 0
    missed: int = 0
    failures: int = 0
    rejected: Counter[RejectionReason] = field(default_factory=Counter)


class EvidenceSession:
    """Search and fetch over a source up to a cutoff that nobody can move afterwards.

    This is the one place where the guard is applied to every document of every source. The texts that it returns are
    for models and depend on the source's answers alone.

    Attributes:
        documents: Every document that was shown, by id; a fetched one replaces what a search knew of it.
        counts: What happened.
        failures: The failures of the source, in order.
    """

    def __init__(
        self, source: EvidenceSource, cutoff: datetime, *, limit: int = 8, max_characters: int = 12_000
    ) -> None:
        """Bind a source to a cutoff.

        Args:
            source: Where documents come from.
            cutoff: An aware datetime; only documents from strictly before it are shown.
            limit: Hits per search.
            max_characters: Characters of a document's text that a fetch shows.

        Raises:
            ValueError: If the cutoff is naive.
        """
        if cutoff.tzinfo is None:
            raise ValueError(f"the cutoff {cutoff.isoformat()} names no time zone")
        self._source = source
        self._cutoff = cutoff
        self._limit = limit
        self._max_characters = max_characters
        self.documents: dict[str, Document] = {}
        self.counts = EvidenceCounts()
        self.failures: list[SourceFailure] = []

    @property
    def read_nothing(self) -> bool:
        """Whether no text of any document was shown, but at most titles, or every document that was fetched had none.

        An archive that answers no fetch may look like one that has no copy of anything.
        """
        if self.counts.missed and not self.counts.fetches:
            return True
        return not any(document.text for document in self.documents.values())

    @property
    def cutoff(self) -> datetime:
        """The first moment whose documents are not shown."""
        return self._cutoff

    async def search(self, query: str) -> str:
        """The text of a search result, or a sentence that the service did not answer."""
        words = plain_query(query)
        try:
            outcome = await self._source.search(words, self._cutoff, self._limit) if words else SearchOutcome(hits=())
        except SourceFailure as failure:
            return self._failed(failure)
        rejected = Counter(outcome.rejected)
        admitted: list[Hit] = []
        for hit in outcome.hits:
            reason = rejection(hit.document, self._cutoff)
            if reason is None:
                admitted.append(hit)
            else:
                rejected[reason] += 1
        shown = admitted[: self._limit]
        for hit in shown:
            self.documents.setdefault(hit.document.id, hit.document)
        self.counts.searches += 1
        self.counts.empty_searches += not shown
        self.counts.rejected += rejected
        text = render_hits(shown, rejected.total())
        if outcome.failures:
            self.counts.failures += len(outcome.failures)
            self.failures += [part.failure for part in outcome.failures]
            text = f"{text}\n{PART_ANSWER}"
        return text

    async def fetch(self, document_id: str) -> str:
        """The whole text of a document that an earlier search of this session showed, or a sentence why not."""
        known = self.documents.get(document_id.strip())
        if known is None:
            return UNKNOWN_ID
        try:
            document = await self._source.fetch(known, self._cutoff)
        except SourceFailure as failure:
            return self._failed(failure)
        reason = None if document is None else rejection(document, self._cutoff)
        if reason is not None:
            self.counts.rejected[reason] += 1
        if document is None or reason is not None:
            self.counts.missed += 1
            return NO_TEXT
        self.documents[document.id] = document
        self.counts.fetches += 1
        return render_document(document, self._max_characters)

    def _failed(self, failure: SourceFailure) -> str:
        self.failures.append(failure)
        self.counts.failures += 1
        return NO_ANSWER
