"""The embedded archive: full-text search over dated documents of one's own, with no service behind it."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import anyio.to_thread

from cruxbench_inspect.evidence.archive_building import built_database
from cruxbench_inspect.evidence.archive_database import FIELDS, FORMAT, NEVER, connect, document_of, key_limit, keys_of
from cruxbench_inspect.evidence.archive_state import is_database, state_of
from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.cutoff import RejectionReason, rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.query import match_expression
from cruxbench_inspect.evidence.source import Hit, SearchOutcome, SourceFailure

_COLUMNS = ", ".join(f"documents.{name}" for name in FIELDS)
_RANK = "SELECT rowid, rank FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rank, rowid DESC LIMIT ?"
_RANK_BETWEEN = """
SELECT rowid, rank FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rank, rowid DESC LIMIT ?
"""
_BY_KEY = f"SELECT {_COLUMNS} FROM documents WHERE key = ?"  # noqa: S608
_SHOW = f"""
SELECT {_COLUMNS}, snippet(words, 1, '', '', ' … ', 64) FROM words JOIN documents ON documents.key = words.rowid
WHERE words MATCH ? AND words.rowid = ?
"""  # noqa: S608
_FETCH = f"SELECT {_COLUMNS} FROM documents WHERE id = ? AND key < ? ORDER BY key DESC LIMIT 1"  # noqa: S608

LOOK_AHEAD = keys_of(timedelta(days=31))
"""How far behind the cutoff documents are looked for to count what is withheld, in keys."""

Answer = TypeVar("Answer")


class Archive:
    """Search over the documents of an evidence file or a local archive, ranked by BM25, titles counting twice.

    The date limit applies before the ranking is cut. What remains of later documents is the rarity of words, which
    BM25 takes from the whole archive: it may change the order of results, never what is among the candidates.

    Answers follow from ``fingerprint`` and the request alone, so they need no storing to be replayed. A local archive
    may be added to while it is searched: ``fingerprint`` tells what it held when it was opened.
    """

    name = "archive"

    def __init__(self, database: Path, digest: str, *, finished: bool = True) -> None:
        """Use a database; ``Archive.open`` builds it where needed.

        Args:
            database: Its file.
            digest: A digest of its contents.
            finished: Whether nobody will ever write to it again.
        """
        self._database = database
        self._finished = finished
        self.fingerprint = f"archive-{FORMAT}:{digest}"

    @classmethod
    def open(cls, file: Path) -> "Archive":
        """The archive of an ``evidence.jsonl``, built under the cache folder on first use, or a local archive.

        Raises:
            InputProblems: If lines of the file are wrong: file, line, field and value of each.
            InputError: If the file cannot be read, is neither, or the cache folder cannot be written.
        """
        if is_database(file):
            return cls(file, state_of(file).digest, finished=False)
        return cls(*built_database(file))

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Find documents of which all is known to be older than the whole second of ``before``.

        Counted as withheld is what would else be among the hits: of undated documents, of sites that are never
        evidence, and of the month after the cutoff.

        The query is arbitrary text: its words are searched for, any of them, and nothing in it has a special meaning.

        Raises:
            SourceFailure: If the database cannot be read any more.
        """
        expression = match_expression(query)
        if expression is None:
            return SearchOutcome(hits=())

        def find(connection: sqlite3.Connection) -> SearchOutcome:
            limit_key = key_limit(before)
            ranked = connection.execute(_RANK, [expression, limit_key, limit]).fetchall()
            ranges = [(limit_key, limit_key + LOOK_AHEAD), (NEVER, NEVER + (NEVER - 1))]
            later = [hit for range in ranges for hit in connection.execute(_RANK_BETWEEN, [expression, *range, limit])]
            rows = [connection.execute(_SHOW, [expression, key]).fetchone() for key, _ in ranked]
            # Withheld are the documents that would be among the hits if there were no date rules.
            without_rules = sorted(ranked + later, key=lambda hit: hit[1])[:limit]
            withheld = [key for key, _ in without_rules if key >= limit_key]
            return SearchOutcome(
                hits=tuple(Hit(document=document_of(row), snippet=clean_line(row[-1])) for row in rows),
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
            return None if row is None else document_of(row)

        return await self._read(get)

    async def _read(self, read: Callable[[sqlite3.Connection], Answer]) -> Answer:
        def read_in_thread() -> Answer:
            with closing(connect(self._database, finished=self._finished)) as connection:
                connection.execute("BEGIN")  # All of an answer is from the same state.
                return read(connection)

        try:
            return await anyio.to_thread.run_sync(read_in_thread)
        except sqlite3.Error as error:
            raise SourceFailure(self.name, "outage", f"{self._database}: {error}") from error


def _rejected(connection: sqlite3.Connection, keys: Iterable[int], before: datetime) -> dict[RejectionReason, int]:
    reasons: Counter[RejectionReason] = Counter()
    for key in keys:
        document = document_of(connection.execute(_BY_KEY, [key]).fetchone())
        # The limit of keys is a whole second: what it withholds of the cutoff's own second has no other reason.
        reasons[rejection(document, before) or "published_after_cutoff"] += 1
    return dict(reasons)
