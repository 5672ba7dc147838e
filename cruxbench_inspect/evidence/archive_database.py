"""The database of an archive: its tables, and building it once from an evidence file, however many start at once."""

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.cache_folder import cache_folder
from cruxbench_inspect.evidence.cutoff import last_instant
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.evidence_file import read_documents

FORMAT = 2
"""Version of tables and ranking; another one means another database and another fingerprint."""

FIELDS = ("url", "title", "source", "published", "modified", "captured", "text", "proof")
"""Columns of the table ``documents`` that make up a ``Document``; it also has ``key`` and ``id``."""

_SCHEMA = """
CREATE TABLE built_from (digest TEXT NOT NULL);
CREATE TABLE documents (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, source TEXT NOT NULL,
    published TEXT, modified TEXT, captured TEXT, text TEXT NOT NULL, proof TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(
    title, text, content='documents', content_rowid='key', tokenize='porter unicode61 remove_diacritics 2'
);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
"""
# A large buffer spares the index most of its merging while it is built.
_INDEXES = """
CREATE INDEX documents_by_id ON documents (id);
INSERT INTO words (words, rank) VALUES ('hashsize', 67108864);
INSERT INTO words (words) VALUES ('rebuild');
INSERT INTO words (words) VALUES ('optimize');
"""
_INSERT = f"INSERT INTO documents (key, id, {', '.join(FIELDS)}) VALUES (?, ?, {', '.join('?' * len(FIELDS))})"  # noqa: S608

# The key of a document holds its last possible instant, so that a date limit is a range of keys, which the full-text
# index cuts off before anything is ranked: whole seconds since 1970 in the upper bits, a serial number in the lower.
_SERIAL_BITS = 24
_UNDATED_SECOND = 1 << 38  # later than the year 9999
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def key_limit(before: datetime) -> int:
    """The key that all documents from before the whole second of a moment lie below, and no other ones."""
    return _second(before) << _SERIAL_BITS


def built_database(evidence_file: Path) -> tuple[Path, str]:
    """Find the database of an evidence file in the cache folder, and build it there on first use.

    It is built in a file of its own and then moved into place in one step: no one ever sees half of it, and
    processes that start at once at worst build the same twice.

    Returns:
        The database and the SHA-256 digest of the evidence file.

    Raises:
        InputProblems: If lines of the file are wrong.
        InputError: If the file cannot be read or the cache folder cannot be written.
    """
    try:
        with evidence_file.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{evidence_file}: the evidence file cannot be read: {error.strerror}") from error
    database = cache_folder() / "archives" / f"{digest[:32]}-{FORMAT}.sqlite"
    if not _is_built_from(digest, database):
        try:
            _build(evidence_file, digest, database)
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"{evidence_file}: its archive cannot be built in {database.parent}: {error}. "
                "Set CRUXBENCH_CACHE_DIR to a folder that can be written and has room"
            ) from error
    return database, digest


def connect(database: Path) -> sqlite3.Connection:
    """Open a built database for reading; nothing ever writes to it again."""
    return sqlite3.connect(f"{database.as_uri()}?mode=ro&immutable=1", uri=True)


def _is_built_from(digest: str, database: Path) -> bool:
    """Whether a whole database of that digest is in place; a damaged one is built anew."""
    try:
        with closing(connect(database)) as connection:
            return bool(connection.execute("SELECT 1 FROM built_from WHERE digest = ?", [digest]).fetchone())
    except sqlite3.DatabaseError:
        return False


def _build(evidence_file: Path, digest: str, database: Path) -> None:
    database.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{database.stem}.", suffix=".building", dir=database.parent)
    os.close(handle)
    unfinished = Path(name)
    try:
        with closing(sqlite3.connect(unfinished)) as connection, evidence_file.open("rb") as lines:
            connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
            read = hashlib.sha256()
            connection.execute("BEGIN")
            connection.executemany(_INSERT, _rows(read_documents(_hashed(lines, read), evidence_file)))
            connection.execute("INSERT INTO built_from VALUES (?)", [digest])
            connection.commit()
            if read.hexdigest() != digest:
                raise InputError(f"{evidence_file}: the evidence file changed while it was read; start again")
            connection.executescript(_INDEXES)
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(database)
    finally:
        unfinished.unlink(missing_ok=True)


def _hashed(lines: BinaryIO, digest: "hashlib._Hash") -> Iterator[bytes]:
    for line in lines:
        digest.update(line)
        yield line


def _rows(documents: Iterator[Document]) -> Iterator[tuple[Any, ...]]:
    """Rows of the table; a document that is there twice counts once."""
    seen: set[tuple[str | None, ...]] = set()
    for serial, document in enumerate(documents):
        dates = [
            moment.text if moment else None for moment in (document.published, document.modified, document.captured)
        ]
        same = (document.id, document.source, *dates)
        if same in seen:
            continue
        seen.add(same)
        last = last_instant(document)
        key = ((_UNDATED_SECOND if last is None else _second(last)) << _SERIAL_BITS) + serial
        yield (key, document.id, document.url, document.title, document.source, *dates, document.text, document.proof)


def _second(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(seconds=1)
