"""A local archive: a file of one's own to which documents are added, over any number of runs."""

import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive_database import (
    FIELDS,
    FORMAT,
    INDEX_BY_ID,
    INSERT,
    LARGE_BUFFER,
    SCHEMA,
    connect,
    digest_of,
    document_of,
    identity,
    key_limit,
    rows_of,
)
from cruxbench_inspect.evidence.archive_state import STATE_TABLE, is_database, read_state, state_of
from cruxbench_inspect.evidence.document import Document

BATCH = 20_000
"""Documents that one transaction adds at most."""

_LISTS_TABLE = "CREATE TABLE lists (address TEXT PRIMARY KEY)"
_IS_THERE = """
SELECT 1 FROM documents
WHERE id = ? AND source = ? AND published IS ? AND modified IS ? AND captured IS ? AND proof = ?
"""
_ADD_WORDS = """
INSERT INTO words (rowid, title, text)
SELECT key, title, text FROM added JOIN documents USING (key) ORDER BY key
"""
_EXPORT = f"SELECT {', '.join(FIELDS)} FROM documents WHERE key < ? ORDER BY key"  # noqa: S608
_ALL = 1 << 62
_LOCK_TIMEOUT = 600.0  # seconds; another process may be adding a large batch


@dataclass(frozen=True)
class ArchiveStatistics:
    """What is in a local archive.

    Attributes:
        documents: How many documents.
        texts: How many of them have a text.
        classes: How many by proof class.
        sources: The twenty sources with most documents, and how many each has.
        first: The first date of publication, as given.
        last: The last one.
        undated: How many have no date of publication.
        lists: How many article lists and texts were looked for.
        size: Bytes of the file.
    """

    documents: int
    texts: int
    classes: dict[str, int]
    sources: dict[str, int]
    first: str | None
    last: str | None
    undated: int
    lists: int
    size: int


class LocalArchive:
    """Adds to the file. It may be killed at any time, and any number of processes may add and search at once.

    ``Archive.open`` searches it.

    Attributes:
        file: The file.
    """

    def __init__(self, file: Path) -> None:
        """Use a file, which is created where it does not exist.

        Raises:
            InputError: If it cannot be created, or is something else.
        """
        self.file = file
        try:
            new = not file.exists() or file.stat().st_size == 0
            if new:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._create()
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{file}: no local archive can be made there: {error}") from error
        if not is_database(file):
            raise InputError(
                f"{file}: no local archive, but something else. Name a new file, or one that this command has written"
            )
        state_of(file)

    def add(self, documents: Iterable[Document], noting: str | None = None) -> int:
        """Add the documents that are not there yet.

        Args:
            documents: What to add, in transactions of up to 20,000.
            noting: An address to note down together with the last of them, so that it is not read again.

        Returns:
            How many were added.

        Raises:
            InputError: If the file cannot be written.
        """
        added, rest = 0, iter(documents)
        batch = list(itertools.islice(rest, BATCH))
        while True:
            following = list(itertools.islice(rest, BATCH))
            added += self._add(batch, None if following else noting)
            if not following:
                return added
            batch = following

    def has_noted(self, address: str) -> bool:
        """Whether an address was noted down."""
        with closing(connect(self.file, finished=False)) as connection:
            return connection.execute("SELECT 1 FROM lists WHERE address = ?", [address]).fetchone() is not None

    def documents(self, before: datetime | None = None) -> Iterator[Document]:
        """All documents, or those that are certainly from before the whole second of a moment, the earliest first."""
        with closing(connect(self.file, finished=False)) as connection:
            limit = _ALL if before is None else key_limit(before)
            for row in connection.execute(_EXPORT, [limit]):
                yield document_of(row)

    def statistics(self) -> ArchiveStatistics:
        """What is in it."""
        with closing(connect(self.file, finished=False)) as connection:

            def counts(sql: str) -> dict[str, int]:
                return {str(name): int(count) for name, count in connection.execute(sql)}

            whole = "SELECT count(*), coalesce(sum(text != ''), 0), min(published), max(published), count(published)"
            total, texts, first, last, dated = connection.execute(f"{whole} FROM documents").fetchone()
            (lists,) = connection.execute("SELECT count(*) FROM lists").fetchone()
            return ArchiveStatistics(
                documents=total,
                texts=texts,
                classes=counts("SELECT proof, count(*) FROM documents GROUP BY proof ORDER BY proof"),
                sources=counts(
                    "SELECT source, count(*) AS n FROM documents GROUP BY source ORDER BY n DESC, source LIMIT 20"
                ),
                first=first,
                last=last,
                undated=total - dated,
                lists=lists,
                size=self.file.stat().st_size,
            )

    def _create(self) -> None:
        with self._writing() as connection:
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return  # Another process was first.
            for statement in (*SCHEMA.split(";"), INDEX_BY_ID, LARGE_BUFFER, STATE_TABLE, _LISTS_TABLE):
                connection.execute(statement)
            connection.execute("INSERT INTO state VALUES (?, 0, '')", [FORMAT])

    def _add(self, documents: list[Document], noting: str | None) -> int:
        try:
            with self._writing() as connection:
                state = read_state(connection, self.file)
                new = [
                    document
                    for document in documents
                    if connection.execute(_IS_THERE, identity(document)).fetchone() is None
                ]
                rows = sorted(rows_of(new, state.next_serial))
                connection.executemany(INSERT, rows)
                connection.execute("CREATE TEMP TABLE added (key INTEGER PRIMARY KEY)")
                connection.executemany("INSERT INTO added VALUES (?)", [row[:1] for row in rows])
                connection.execute(_ADD_WORDS)
                digest = digest_of(rows, state.digest) if rows else state.digest
                connection.execute(
                    "UPDATE state SET next_serial = ?, digest = ?", [state.next_serial + len(new), digest]
                )
                if noting is not None:
                    connection.execute("INSERT OR IGNORE INTO lists VALUES (?)", [noting])
                return len(rows)
        except sqlite3.Error as error:
            raise InputError(f"{self.file}: nothing can be added: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file, timeout=_LOCK_TIMEOUT, isolation_level=None)) as connection:
            connection.execute("PRAGMA cache_size = -200000")
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
