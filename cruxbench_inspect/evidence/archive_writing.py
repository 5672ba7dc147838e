"""Writing documents and their words: a batch gets into the full-text index while the next one is read."""

import itertools
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from cruxbench_inspect.evidence.archive_database import INSERT, Row

BATCH = 20_000
"""Documents that are indexed at once."""

_ADD_WORDS = """
INSERT INTO words (rowid, title, text) SELECT key, title, text FROM documents WHERE serial >= ? ORDER BY serial
"""

Item = TypeVar("Item")


class ArchiveWriter:
    """Writes rows into an open transaction. Their words follow in a thread of its own.

    Indexing is most of the work and is done by SQLite alone, without Python's lock: whoever reads and checks the next
    batch meanwhile loses no time. Before anything else is done with the connection, ``finish`` has to be called.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Write over a connection that may be used by any thread."""
        self._connection = connection
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._indexing: Future[None] | None = None

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows that are all later in number than those before.

        Raises:
            sqlite3.Error: If these cannot be written, or the earlier ones could not.
        """
        self.finish()
        if rows:
            self._connection.executemany(INSERT, rows)
            self._indexing = self._thread.submit(self._index, rows[0][0])

    def finish(self) -> None:
        """Wait until the words of all rows are in the index.

        Raises:
            sqlite3.Error: If they cannot be written.
        """
        if self._indexing is not None:
            self._indexing.result()
            self._indexing = None

    def _index(self, first: int) -> None:
        self._connection.execute(_ADD_WORDS, [first])
        # The index buffers what it is given. A savepoint has it written here and not only when all is committed.
        self._connection.execute("SAVEPOINT indexed")
        self._connection.execute("RELEASE indexed")

    def __enter__(self) -> "ArchiveWriter":
        """Write."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish, or after an error at least let the thread come to its end."""
        try:
            if kind is None:
                self.finish()
        finally:
            self._thread.shutdown()


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """The items in lists of a size, the last one shorter."""
    rest = iter(items)
    while batch := list(itertools.islice(rest, size)):
        yield batch
