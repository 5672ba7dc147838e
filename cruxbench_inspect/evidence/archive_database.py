"""The database of an archive: its tables, its keys, and how documents get in and out."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any

from cruxbench_inspect.evidence.cutoff import last_instant
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import is_excluded

Row = tuple[Any, ...]
"""A row of the table ``documents``: serial number, key, id and ``FIELDS``."""

FORMAT = 4
"""Version of tables and ranking; another one means another database and another fingerprint."""

FIELDS = ("url", "title", "source", "published", "modified", "captured", "text", "proof", "version", "excerpt")
"""Columns of the table ``documents`` that make up a ``Document``; it also has ``serial``, ``key``, ``id``."""

SCHEMA = """
CREATE TABLE documents (
    serial INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, id TEXT NOT NULL,
    url TEXT NOT NULL, title TEXT NOT NULL, source TEXT NOT NULL, published TEXT, modified TEXT, captured TEXT,
    text TEXT NOT NULL, proof TEXT NOT NULL, version TEXT, excerpt INTEGER NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(
    title, text, content='documents', content_rowid='key',
    tokenize='porter unicode61 remove_diacritics 2'
);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
INSERT INTO words (words, rank) VALUES ('hashsize', 268435456);
INSERT INTO words (words, rank) VALUES ('automerge', 8);
"""
# A buffer of 256 MiB and merging by eights spare the full-text index most of its merging while much is added.
IDENTITY = ("id", "source", "published", "modified", "captured", "proof")
"""The columns in which documents differ that are not the same: the id tells url, title, text and publication."""

_COLUMNS = ("serial", "key", "id", *FIELDS)
_IDENTITY_OF = itemgetter(*(_COLUMNS.index(name) for name in IDENTITY))
_FURTHER_OF = itemgetter(_COLUMNS.index("version"), _COLUMNS.index("excerpt"))

INDEX_BY_ID = "CREATE INDEX documents_by_id ON documents (id)"
INSERT = f"INSERT INTO documents ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608

# The key of a document holds its last possible instant, so that a date limit is a range of keys, which the full-text
# index cuts off before anything is ranked: whole seconds since 1970 in the upper bits, a serial number in the lower.
_SERIAL_BITS = 24
_NEVER_SECOND = 1 << 38  # later than the year 9999
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOCK_TIMEOUT = 60.0  # seconds


def key_limit(before: datetime) -> int:
    """The key that all documents from before the whole second of a moment lie below, and no other ones."""
    return _second(before) << _SERIAL_BITS


def keys_of(stretch: timedelta) -> int:
    """How many keys a stretch of time has."""
    return stretch // timedelta(seconds=1) << _SERIAL_BITS


NEVER = 1 << 62
"""The key from which on there are documents that no cutoff admits: undated ones, and sites that are never evidence."""


def connect(database: Path, *, finished: bool) -> sqlite3.Connection:
    """Open a database for reading.

    Args:
        database: Its file.
        finished: Whether nobody will ever write to it again.
    """
    # Where someone was killed while writing, the next reader has to undo what is half done.
    mode = "mode=ro&immutable=1" if finished else "mode=rw"
    connection = sqlite3.connect(f"{database.resolve().as_uri()}?{mode}", uri=True, timeout=_LOCK_TIMEOUT)
    connection.execute("PRAGMA query_only = ON")
    return connection


def row_of(document: Document) -> Row:
    """The row of a document in the table ``documents``, whose serial number ``numbered`` gives it."""
    last = None if is_excluded(document.url) else last_instant(document)
    key = (_NEVER_SECOND if last is None else _second(last)) << _SERIAL_BITS
    dates = (moment and moment.text for moment in (document.published, document.modified, document.captured))
    about = (document.text, document.proof, document.version, document.excerpt)
    return (0, key, document.id, document.url, document.title, document.source, *dates, *about)


def identity(row: Row) -> tuple[object, ...]:
    """What the rows of two documents differ in if these are not the same, by the columns of ``IDENTITY``."""
    same: tuple[object, ...] = _IDENTITY_OF(row)
    return same


def numbered(rows: Iterable[Row], first: int, seen: set[tuple[object, ...]]) -> list[Row]:
    """The rows of documents that were not seen yet, which are then, with serial numbers in the order of their dates."""
    new = []
    for row in rows:
        same = identity(row)
        if same not in seen:
            seen.add(same)
            new.append(row)
    new.sort(key=itemgetter(1))
    return [(serial, row[1] + serial, *row[2:]) for serial, row in enumerate(new, first)]


def document_of(row: Sequence[Any]) -> Document:
    """The document of a row that begins with ``FIELDS``."""
    values = dict(zip(FIELDS, row, strict=False))
    return Document(**{**values, "excerpt": bool(values["excerpt"])})


def digest_of(rows: Iterable[Row], before: str) -> str:
    """A SHA-256 digest of rows that follow those of an earlier digest; their ids stand for title and text."""
    digest = hashlib.sha256(before.encode())
    for row in rows:
        digest.update(repr((*identity(row), *_FURTHER_OF(row))).encode())
    return digest.hexdigest()


def _second(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(seconds=1)
