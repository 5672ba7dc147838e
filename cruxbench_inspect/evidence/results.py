"""Stored answers of evidence sources, so that a rerun replays them word for word and nothing is paid for twice."""

import hashlib
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread
from pydantic import TypeAdapter

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.cache_folder import cache_folder
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import EvidenceSource, SearchOutcome, SourceFailure
from cruxbench_inspect.utc import format_utc

FORMAT = 1
"""Version of requests and answers; another one makes older entries invisible."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL)"
_LOCK_TIMEOUT = 60.0  # seconds
_FETCHED: TypeAdapter[Document | None] = TypeAdapter(Document | None)


class ResultStore:
    """Answers by request, in one SQLite file that any number of processes and threads may use.

    The first answer to a request stays: who comes second gets that one back.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Use a file, by default the one under the cache folder; it is created where it does not exist.

        Raises:
            InputError: If the file cannot be written.
        """
        self._file = file or cache_folder() / "results.sqlite"
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(_SCHEMA)
                connection.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"{self._file}: search results cannot be stored there: {error}. Name a file in a folder that can be "
                "written (by default it is in the cache folder, which CRUXBENCH_CACHE_DIR sets)"
            ) from error

    def get(self, request: str) -> str | None:
        """The stored answer to a request, None when there is none."""
        with closing(self._connect()) as connection:
            return _select(connection, request)

    def put(self, request: str, answer: str) -> str:
        """Store an answer unless there is one already.

        Returns:
            The answer that is stored now.
        """
        with closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO results VALUES (?, ?, ?)", [_key(request), request, answer])
            stored = _select(connection, request)
            connection.execute("COMMIT")
        return answer if stored is None else stored

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._file, timeout=_LOCK_TIMEOUT, isolation_level=None)


class StoredSource:
    """A source whose answers are kept by (source, request, cutoff).

    Failures are never kept, and neither is an answer for a cutoff that has not passed yet: more may still appear.
    Equal requests at the same time are asked once.
    """

    def __init__(self, source: EvidenceSource, store: ResultStore) -> None:
        """Answer from the store, and from the source what the store does not have."""
        self._source = source
        self._store = store
        self._locks: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    @property
    def name(self) -> str:
        """The name of the source."""
        return self._source.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the source."""
        return self._source.fingerprint

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """The stored outcome of the search, or the source's.

        Raises:
            SourceFailure: If the source could not answer, or the store cannot be used.
        """

        async def ask() -> str:
            return (await self._source.search(query, before, limit)).model_dump_json()

        return SearchOutcome.model_validate_json(await self._answer(["search", query, limit], before, ask))

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The stored text of the document, or the source's.

        Raises:
            SourceFailure: If the source could not answer, or the store cannot be used.
        """

        async def ask() -> str:
            return _FETCHED.dump_json(await self._source.fetch(document, before)).decode()

        return _FETCHED.validate_json(await self._answer(["fetch", document.model_dump()], before, ask))

    async def _answer(self, request: list[object], before: datetime, ask: Callable[[], Awaitable[str]]) -> str:
        if before > datetime.now(UTC):
            return await ask()
        text = json.dumps([FORMAT, self.name, self.fingerprint, format_utc(before), *request])
        lock = self._locks.setdefault(text, anyio.Lock())
        try:
            async with lock:
                stored = await anyio.to_thread.run_sync(self._store.get, text)
                if stored is None:
                    stored = await anyio.to_thread.run_sync(self._store.put, text, await ask())
                return stored
        except sqlite3.Error as error:
            raise SourceFailure(self.name, "outage", f"the store of search results: {error}") from error


def _key(request: str) -> str:
    return hashlib.sha256(request.encode()).hexdigest()


def _select(connection: sqlite3.Connection, request: str) -> str | None:
    row = connection.execute("SELECT answer FROM results WHERE key = ?", [_key(request)]).fetchone()
    return None if row is None else str(row[0])
