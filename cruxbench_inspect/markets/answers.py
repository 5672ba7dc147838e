"""Raw answers of services, kept as they were collected, so that a question set can be rebuilt and audited from them."""

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import zstandard

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.utc import format_utc

_SCHEMA = """
CREATE TABLE IF NOT EXISTS bodies (sha256 TEXT PRIMARY KEY, packed BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    serial INTEGER PRIMARY KEY, request TEXT NOT NULL, asked INTEGER NOT NULL, sha256 TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_by_request ON answers (request, asked);
"""
_NEWEST = """
SELECT request, asked, answers.sha256, packed FROM answers LEFT JOIN bodies USING (sha256)
WHERE request = ? AND asked >= ? ORDER BY asked DESC, serial DESC LIMIT 1
"""
_OF_REQUEST = """
SELECT request, asked, answers.sha256, packed FROM answers LEFT JOIN bodies USING (sha256)
WHERE request = ? AND asked >= ? AND asked <= ? ORDER BY asked, serial
"""
_ALL = """
SELECT serial, request, asked, answers.sha256, packed FROM answers LEFT JOIN bodies USING (sha256)
WHERE serial > ? AND substr(request, 1, ?) = ? ORDER BY serial LIMIT 1
"""
# A body that is kept again replaces the old one: that may have been damaged.
_KEEP_BODY = "INSERT OR REPLACE INTO bodies VALUES (?, ?)"
_KEEP = "INSERT INTO answers (request, asked, sha256) VALUES (?, ?, ?)"
_LOCK_TIMEOUT = 60.0  # seconds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_LATEST = (1 << 63) - 1


@dataclass(frozen=True)
class KeptAnswer:
    """An answer as it was collected.

    Attributes:
        request: What was asked: service, path and sorted fields, as one text.
        asked: When it was asked, in UTC.
        sha256: The digest of the body.
        body: What was answered.
    """

    request: str
    asked: datetime
    sha256: str
    body: bytes


class DamagedAnswer(Exception):
    """A kept answer is not what its digest says, or cannot be unpacked."""


class AnswerStore:
    """Answers by request and time, in one SQLite file that any number of processes and threads may use.

    Every answer is kept beside the earlier ones to the same request; equal bodies take space once. A process that is
    killed loses at most the answer that it was about to keep.

    Attributes:
        file: The file.
    """

    def __init__(self, file: Path) -> None:
        """Use a file; it is created where it does not exist.

        Raises:
            InputError: If it cannot be used.
        """
        self.file = file
        self._lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                file, timeout=_LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"{file}: answers cannot be kept there: {error}. Name a folder that can be written"
            ) from error
        with self._using("be opened"):
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)

    def kept(self, request: str, since: datetime | None = None) -> KeptAnswer | None:
        """The newest answer to a request, None when there is none.

        Args:
            request: As it was given to ``keep``.
            since: Answers asked before this moment don't count.

        Raises:
            DamagedAnswer: If the answer was changed since it was kept.
            InputError: If the file cannot be read.
        """
        with self._using("be read"):
            row = self._connection.execute(_NEWEST, [request, 0 if since is None else _ticks(since)]).fetchone()
        return None if row is None else _read(*row)

    def all_kept(
        self, request: str, since: datetime | None = None, until: datetime | None = None
    ) -> list[KeptAnswer | DamagedAnswer]:
        """All answers to a request, the oldest first, a damaged one as the error that it is.

        Args:
            request: As it was given to ``keep``.
            since: Answers asked before this moment don't count.
            until: Answers asked after this moment don't count.

        Raises:
            InputError: If the file cannot be read.
        """
        bounds = [0 if since is None else _ticks(since), _LATEST if until is None else _ticks(until)]
        with self._using("be read"):
            rows = self._connection.execute(_OF_REQUEST, [request, *bounds]).fetchall()
        return [_read_or_error(*row) for row in rows]

    def moments(self, request: str, until: datetime | None = None) -> list[datetime]:
        """When the answers to a request were asked, in UTC, each moment once, the earliest first.

        Raises:
            InputError: If the file cannot be read.
        """
        with self._using("be read"):
            rows = self._connection.execute(
                "SELECT DISTINCT asked FROM answers WHERE request = ? AND asked <= ? ORDER BY asked",
                [request, _LATEST if until is None else _ticks(until)],
            ).fetchall()
        return [_EPOCH + ticks * _TICK for (ticks,) in rows]

    def keep(self, request: str, asked: datetime, body: bytes) -> None:
        """Keep an answer.

        Raises:
            InputError: If it cannot be written, as on a full disk; what was kept before stays.
        """
        digest = hashlib.sha256(body).hexdigest()
        packed = zstandard.ZstdCompressor().compress(body)
        with self._using("take another answer"):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(_KEEP_BODY, [digest, packed])
            self._connection.execute(_KEEP, [request, _ticks(asked), digest])
            self._connection.execute("COMMIT")

    def answers(self, prefix: str = "") -> Iterator[KeptAnswer | DamagedAnswer]:
        """All answers in the order in which they were kept, a damaged one as the error that it is.

        Args:
            prefix: What their requests begin with.

        Raises:
            InputError: If the file cannot be read.
        """
        serial = 0
        while True:
            with self._using("be read"):
                row = self._connection.execute(_ALL, [serial, len(prefix), prefix]).fetchone()
            if row is None:
                return
            serial = row[0]
            yield _read_or_error(*row[1:])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _using(self, what: str) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise InputError(
                    f"{self.file}: this store of answers cannot {what}: {error}. If the disk is full, make room and "
                    "start the same command again: it goes on with all that was kept. If the file is damaged, move it "
                    "away: what it held is asked for again"
                ) from error
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")


def _read_or_error(request: str, asked: int, digest: str, packed: bytes | None) -> KeptAnswer | DamagedAnswer:
    try:
        return _read(request, asked, digest, packed)
    except DamagedAnswer as error:
        return error


def _read(request: str, asked: int, digest: str, packed: bytes | None) -> KeptAnswer:
    moment = _EPOCH + asked * _TICK
    try:
        body = zstandard.ZstdDecompressor().decompress(packed) if packed is not None else None
    except (zstandard.ZstdError, TypeError):
        body = None
    if body is None or hashlib.sha256(body).hexdigest() != digest:
        raise DamagedAnswer(f"the answer of {format_utc(moment)} to {request[:200]} was changed since it was kept")
    return KeptAnswer(request, moment, digest, body)


def _ticks(moment: datetime) -> int:
    return (moment - _EPOCH) // _TICK
