"""The embedded archive: full-text search over a question set's own dated documents, with no service behind it."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import anyio.to_thread

from cruxbench_inspect.evidence.archive_database import FIELDS, FORMAT, built_database, connect, key_limit
from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.cutoff import RejectionReason, rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.query import plain_query
from cruxbench_inspect.evidence.source import Hit, SearchOutcome, SourceFailure

MAX_TERMS = 64
"""Distinct terms of a query that are searched for."""

_COLUMNS = ", ".join(f"documents.{name}" for name in FIELDS)
_RANK = "SELECT rowid, rank FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rank, rowid DESC LIMIT ?"
_RANK_LATER = "SELECT rowid, rank FROM words WHERE words MATCH ? AND rowid >= ? ORDER BY rank, rowid DESC LIMIT ?"
_BY_KEY = f"SELECT {_COLUMNS} FROM documents WHERE key = ?"  # noqa: S608
_SHOW = f"""
SELECT {_COLUMNS}, snippet(words, 1, '', '', ' … ', 64) FROM words JOIN documents ON documents.key = words.rowid
WHERE words MATCH ? AND words.rowid = ?
"""  # noqa: S608
_FETCH = f"SELECT {_COLUMNS} FROM documents WHERE id = ? AND key < ? ORDER BY key DESC LIMIT 1"  # noqa: S608

# Numbers that belong together (a date, a time, a decimal) are one term, everything else is a word.
_TERM = re.compile(r"\d+(?:[-.,:/]\d+)+|[^\W_]+")
_STOP_WORDS = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his how if in into is it its not of on"
    " or s she t than that the their them then there they this to was were what when where which who whom whose why"
    " will with would".split()
)

Answer = TypeVar("Answer")


class Archive:
    """Search over the documents of an evidence file, ranked by BM25, titles counting twice.

    The date limit applies before the ranking is cut. What remains of later documents is the rarity of words, which
    BM25 takes from the whole archive: it may change the order of results, never what is among the candidates.

    Answers follow from ``fingerprint`` and the request alone, so they need no storing to be replayed.
    """

    name = "archive"

    def __init__(self, database: Path, digest: str) -> None:
        """Use a built database; ``Archive.open`` builds it where needed."""
        self._database = database
        self.fingerprint = f"archive-{FORMAT}:{digest}"

    @classmethod
    def open(cls, evidence_file: Path) -> "Archive":
        """The archive of an ``evidence.jsonl``, built under the cache folder on first use.

        Raises:
            InputProblems: If lines of the file are wrong: file, line, field and value of each.
            InputError: If the file cannot be read or the cache folder cannot be written.
        """
        return cls(*built_database(evidence_file))

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Find documents of which all is known to be older than the whole second of ``before``.

        The query is arbitrary text: its words are searched for, any of them, and nothing in it has a special meaning.

        Raises:
            SourceFailure: If the database cannot be read any more.
        """
        expression = _match_expression(query)
        if expression is None:
            return SearchOutcome(hits=())

        def find(connection: sqlite3.Connection) -> SearchOutcome:
            ranked = connection.execute(_RANK, [expression, key_limit(before), limit]).fetchall()
            later = connection.execute(_RANK_LATER, [expression, key_limit(before), limit]).fetchall()
            rows = [connection.execute(_SHOW, [expression, key]).fetchone() for key, _ in ranked]
            # Withheld are the later documents that would be among the hits if there were no date rules.
            without_rules = sorted(ranked + later, key=lambda hit: hit[1])[:limit]
            withheld = [key for key, _ in without_rules if key >= key_limit(before)]
            return SearchOutcome(
                hits=tuple(Hit(document=_document(row), snippet=clean_line(row[-1])) for row in rows),
                rejected=_rejected(connection, withheld, before),
            )

        return await self._read(find)

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The document with that id, or None when it is not here or not from before that second.

        Raises:
            SourceFailure: If the database cannot be read any more.
        """

        def get(connection: sqlite3.Connection) -> Document | None:
            row = connection.execute(_FETCH, [document.id, key_limit(before)]).fetchone()
            return None if row is None else _document(row)

        return await self._read(get)

    async def _read(self, read: Callable[[sqlite3.Connection], Answer]) -> Answer:
        def read_in_thread() -> Answer:
            with closing(connect(self._database)) as connection:
                return read(connection)

        try:
            return await anyio.to_thread.run_sync(read_in_thread)
        except sqlite3.Error as error:
            raise SourceFailure(self.name, "outage", f"{self._database}: {error}") from error


def _rejected(connection: sqlite3.Connection, keys: Iterable[int], before: datetime) -> dict[RejectionReason, int]:
    reasons: Counter[RejectionReason] = Counter()
    for key in keys:
        document = _document(connection.execute(_BY_KEY, [key]).fetchone())
        # The limit of keys is a whole second: what it withholds of the cutoff's own second has no other reason.
        reasons[rejection(document, before) or "published_after_cutoff"] += 1
    return dict(reasons)


def _match_expression(query: str) -> str | None:
    """The full-text expression for any word of a query, None when it has none."""
    terms = dict.fromkeys(term.lower() for term in _TERM.findall(plain_query(query)))
    telling = [term for term in terms if term not in _STOP_WORDS] or list(terms)
    return " OR ".join(f'"{term}"' for term in telling[:MAX_TERMS]) or None


def _document(row: tuple[Any, ...]) -> Document:
    return Document(**dict(zip(FIELDS, row, strict=False)))
