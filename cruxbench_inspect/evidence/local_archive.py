"""A local archive: a file of one's own to which documents are added, over any number of runs."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive_database import (
    FIELDS,
    FORMAT,
    IDENTITY,
    INDEX_BY_ID,
    SCHEMA,
    Row,
    connect,
    digest_of,
    document_of,
    identity,
    key_limit,
    numbered,
    row_of,
)
from cruxbench_inspect.evidence.archive_state import STATE_TABLE, is_database, read_state, state_of
from cruxbench_inspect.evidence.archive_writing import ArchiveWriter, batches
from cruxbench_inspect.evidence.document import Document

_LISTS_TABLE = "CREATE TABLE lists (address TEXT PRIMARY KEY)"
_IS_THERE = f"SELECT 1 FROM documents WHERE {' AND '.join(f'{name} IS ?' for name in IDENTITY)}"  # noqa: S608
_ALL_DOCUMENTS = f"SELECT {', '.join(FIELDS)} FROM documents"  # noqa: S608
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
        if file.exists() and not is_database(file) and (file.is_dir() or file.stat().st_size):
            raise InputError(
                f"{file}: no local archive, but something else. Name a new file, or one that this command has written"
            )
        try:
            if not self._has_tables():
                file.parent.mkdir(parents=True, exist_ok=True)
                self._create()
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{file}: no local archive can be made there: {error}") from error
        state_of(file)

    def add(self, documents: Iterable[Document], noting: str | None = None) -> int:
        """Add the documents that are not there yet, in one transaction for every 20,000.

        Args:
            documents: What to add, of class A or B.
            noting: An address to note down together with the last of them, so that it is not read again.

        Returns:
            How many were added.

        Raises:
            ValueError: If a document is of class C: its text may be of today, whatever date it claims.
            InputError: If the file cannot be written.
        """
        added, rest = 0, batches(map(_row, documents))
        batch = next(rest, [])
        while True:
            new, following = self._add(batch, rest, noting)
            added += new
            if following is None:
                return added
            batch = following

    def has_noted(self, address: str) -> bool:
        """Whether an address was noted down.

        Raises:
            InputError: If the file is damaged.
        """
        with self._reading() as connection:
            return connection.execute("SELECT 1 FROM lists WHERE address = ?", [address]).fetchone() is not None

    def documents(self, before: datetime | None = None) -> Iterator[Document]:
        """All documents, or those that are certainly from before the whole second of a moment.

        The earliest come first. Undated documents and those of sites that are never evidence come last of all.

        Raises:
            InputError: If the file is damaged.
        """
        limit, values = ("", []) if before is None else ("WHERE key < ?", [key_limit(before)])
        with self._reading() as connection:
            for row in connection.execute(f"{_ALL_DOCUMENTS} {limit} ORDER BY key", values):
                yield document_of(row)

    def statistics(self) -> ArchiveStatistics:
        """What is in it.

        Raises:
            InputError: If the file is damaged.
        """
        with self._reading() as connection:

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

    def _has_tables(self) -> bool:
        if not self.file.exists():
            return False
        with closing(connect(self.file, finished=False)) as connection:
            return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None

    def _create(self) -> None:
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                return  # Another process was first.
            for statement in (*SCHEMA.split(";"), INDEX_BY_ID, STATE_TABLE, _LISTS_TABLE):
                connection.execute(statement)
            connection.execute("INSERT INTO state VALUES (?, 0, '')", [FORMAT])

    def _add(self, rows: list[Row], rest: Iterator[list[Row]], noting: str | None) -> tuple[int, list[Row] | None]:
        """Add a batch, and read the one after it meanwhile: None when there is none, so that this was the last."""
        try:
            with self._writing() as connection, ArchiveWriter(connection) as writer:
                state = read_state(connection, self.file)
                unknown = (row for row in rows if connection.execute(_IS_THERE, identity(row)).fetchone() is None)
                new = numbered(unknown, state.next_serial, set())
                writer.write(new)
                digest = digest_of(new, state.digest) if new else state.digest
                following = next(rest, None)
                writer.finish()
                connection.execute("UPDATE state SET next_serial = next_serial + ?, digest = ?", [len(new), digest])
                if noting is not None and following is None:
                    connection.execute("INSERT OR IGNORE INTO lists VALUES (?)", [noting])
                return len(new), following
        except sqlite3.Error as error:
            raise InputError(f"{self.file}: nothing can be added: {error}") from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(connect(self.file, finished=False)) as connection:
                yield connection
        except (sqlite3.Error, ValidationError) as error:
            what = str(error).splitlines()[0]
            raise InputError(
                f"{self.file}: this archive is damaged ({what}). Build it again from its sources"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.file, timeout=_LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
        with closing(connection):
            connection.execute("PRAGMA cache_size = -200000")
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")


def _row(document: Document) -> Row:
    if document.proof == "C":
        raise ValueError(f"{document.url}: a document of class C is no evidence that can be kept")
    return row_of(document)
