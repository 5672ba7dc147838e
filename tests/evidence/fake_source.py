"""A source that answers what a test tells it to, whatever the cutoff."""

from collections.abc import Coroutine, Sequence
from datetime import datetime
from typing import Any, TypeVar

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import Hit, SearchOutcome, SourceFailure

Result = TypeVar("Result")


class FakeSource:
    """Answers with all its documents, or fails; it counts what it is asked."""

    name = "fake"
    fingerprint = "fake-1"

    def __init__(
        self,
        documents: Sequence[Document] = (),
        *,
        fetched: Document | None = None,
        failure: SourceFailure | None = None,
        rejected: dict[Any, int] | None = None,
    ) -> None:
        self.documents = documents
        self.fetched = fetched
        self.failure = failure
        self.rejected = rejected or {}
        self.queries: list[str] = []
        self.fetches: list[Document] = []

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        self.queries.append(query)
        if self.failure is not None:
            raise self.failure
        hits = tuple(Hit(document=document, snippet=document.text[:400]) for document in self.documents)
        return SearchOutcome(hits=hits, rejected=self.rejected)

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        self.fetches.append(document)
        if self.failure is not None:
            raise self.failure
        return self.fetched


def make_document(published: str | None = "2026-01-10T12:00:00Z", **fields: Any) -> Document:
    """A document of class B with defaults for what a test does not care about."""
    defaults = {"url": "https://news.example/a", "title": "A title", "source": "news", "text": "A text.", "proof": "B"}
    return Document.model_validate({**defaults, "published": published, **fields})


def finish(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine that never has to wait."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    raise AssertionError("the coroutine waits for something")
