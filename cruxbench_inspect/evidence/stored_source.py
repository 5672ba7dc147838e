"""A source whose answers are kept."""

import sqlite3
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread
from pydantic import TypeAdapter

from cruxbench_inspect import clock
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.results import DamagedAnswer, Request, ResultStore, Stored
from cruxbench_inspect.evidence.source import EvidenceSource, SearchOutcome, SourceFailure

FETCHED: TypeAdapter[Document | None] = TypeAdapter(Document | None)
"""How the answer to a fetch is stored."""

Given = TypeVar("Given")


class KeptAnswers:
    """Asks what a store does not have yet, equal requests at the same time only once.

    An answer that is not whole, or from before its cutoff had passed, is kept for the record and asked for again.
    """

    def __init__(self, store: ResultStore) -> None:
        """Keep answers in a store."""
        self._store = store
        self._locks: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def get(
        self,
        request: Request,
        ask: Callable[[], Awaitable[Given]],
        form: TypeAdapter[Given],
        documents: Callable[[Given], list[Document]],
        whole: Callable[[Given], bool] = lambda _: True,
    ) -> Given:
        """The stored answer to a request, else what is given now.

        Args:
            request: What is asked.
            ask: Asks for it.
            form: The answer's form.
            documents: The documents in an answer.
            whole: Whether all parts answered.

        Raises:
            SourceFailure: If it could not be answered, or the store cannot be used.
        """
        lock = self._locks.setdefault(request.key, anyio.Lock())
        try:
            async with lock:
                stored = await anyio.to_thread.run_sync(self._store.get, request)
                if stored is not None and stored.is_final(request):
                    return form.validate_json(stored.answer)
                given = await ask()
                answer = Stored(form.dump_json(given).decode(), clock.now(), whole(given))
                kept = await anyio.to_thread.run_sync(self._store.put, request, answer, documents(given))
                return form.validate_json(kept)
        except (sqlite3.Error, DamagedAnswer) as error:
            told = f"the store of search results {self._store.file}: {error}"
            raise SourceFailure(request.source, "outage", told) from error


class StoredSource:
    """A source whose answers are kept by (source, request, cutoff). Failures are not.

    Attributes:
        source: The source.
    """

    def __init__(self, source: EvidenceSource, store: ResultStore) -> None:
        """Answer from the store, and from the source what the store does not have."""
        self.source = source
        self._kept = KeptAnswers(store)

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.source.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the source."""
        return self.source.fingerprint

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """The stored outcome of the search, or the source's.

        Raises:
            SourceFailure: If the source could not answer, or the store cannot be used.
        """
        return await self._kept.get(
            search_request(self.name, self.fingerprint, query, before, limit),
            lambda: self.source.search(query, before, limit),
            TypeAdapter(SearchOutcome),
            lambda outcome: [hit.document for hit in outcome.hits],
            lambda outcome: not outcome.failures,
        )

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The stored text of the document, or the source's.

        Raises:
            SourceFailure: If the source could not answer, or the store cannot be used.
        """
        return await self._kept.get(
            fetch_request(self.name, self.fingerprint, document, before),
            lambda: self.source.fetch(document, before),
            FETCHED,
            lambda fetched: [fetched] if fetched else [],
        )


def search_request(name: str, fingerprint: str, query: str, before: datetime, limit: int) -> Request:
    """The request of a search."""
    return Request.of(name, fingerprint, before, "search", query, limit)


def fetch_request(name: str, fingerprint: str, document: Document, before: datetime) -> Request:
    """The request of a fetch."""
    return Request.of(name, fingerprint, before, "fetch", document.id, document.url)
