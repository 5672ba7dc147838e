"""Stored answers of evidence sources, so that a rerun replays them word for word and nothing is paid for twice."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.cache_folder import cache_folder
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.utc import format_utc, parse_utc

FORMAT = 2
"""Version of requests and answers; another one makes older entries invisible."""

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS answers_{FORMAT} (
    key TEXT PRIMARY KEY, source TEXT NOT NULL, fingerprint TEXT NOT NULL, cutoff TEXT NOT NULL, call TEXT NOT NULL,
    asked TEXT NOT NULL, whole INTEGER NOT NULL, answer TEXT NOT NULL, sha256 TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_{FORMAT}_by_call ON answers_{FORMAT} (source, cutoff, call);
CREATE TABLE IF NOT EXISTS documents_{FORMAT} (
    key TEXT NOT NULL, id TEXT NOT NULL, url TEXT NOT NULL, version TEXT, proof TEXT NOT NULL, published TEXT,
    modified TEXT, captured TEXT, text_sha256 TEXT NOT NULL, PRIMARY KEY (key, id)
);
"""
_OWN_TABLE = re.compile(r"(?:answers|documents|sqlite)_\w+")
_ANSWER = f"answers_{FORMAT}"
_COLUMNS = "asked, whole, answer, sha256"
_GET = f"SELECT {_COLUMNS} FROM {_ANSWER} WHERE key = ?"  # noqa: S608
_GET_BY_CALL = f"""
SELECT {_COLUMNS} FROM {_ANSWER} WHERE source = ? AND cutoff = ? AND call = ? ORDER BY asked DESC LIMIT 1
"""  # noqa: S608
_PUT = f"INSERT OR REPLACE INTO {_ANSWER} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_FORGET = f"DELETE FROM documents_{FORMAT} WHERE key = ?"  # noqa: S608
_NOTE = f"INSERT OR REPLACE INTO documents_{FORMAT} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_LOCK_TIMEOUT = 60.0  # seconds


@dataclass(frozen=True)
class Request:
    """What was asked of a source.

    Attributes:
        source: The source's name.
        fingerprint: All that its answers depend on besides the request.
        cutoff: The cutoff, in UTC.
        call: The call as JSON: its name, then its arguments.
    """

    source: str
    fingerprint: str
    cutoff: str
    call: str

    @classmethod
    def of(cls, source: str, fingerprint: str, cutoff: datetime, *call: str | int) -> "Request":
        """A request by its parts."""
        return cls(source, fingerprint, format_utc(cutoff), json.dumps(call, ensure_ascii=False))

    @property
    def key(self) -> str:
        """A digest of all parts."""
        return _sha256(json.dumps([FORMAT, self.source, self.fingerprint, self.cutoff, self.call]))


@dataclass(frozen=True)
class Stored:
    """A stored answer.

    Attributes:
        answer: The answer as JSON.
        asked: When it was given, in UTC.
        whole: Whether every part of the source answered.
    """

    answer: str
    asked: datetime
    whole: bool = True

    def is_final(self, request: Request) -> bool:
        """Whether it is whole and the cutoff had passed when it was given: before that, more may still appear."""
        return self.whole and self.asked >= parse_utc(request.cutoff)


class DamagedAnswer(Exception):
    """A stored answer is not what its digest says."""


class ResultStore:
    """Answers by request, in one SQLite file that any number of processes and threads may use.

    The first final answer to a request stays: who comes second gets that one back. Beside the answers, a table lists
    the documents in them with the address of the version and the SHA-256 digest of the text.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Use a file, by default the one under the cache folder; it is created where it does not exist.

        Raises:
            InputError: If the file cannot be written, or is a database of something else.
        """
        self.file = file or cache_folder() / "results.sqlite"
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._writing() as connection:
                tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                if not all(_OWN_TABLE.fullmatch(name) for (name,) in tables):
                    raise InputError(f"{self.file}: a database of something else, so nothing is recorded in it")
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"{self.file}: search results cannot be stored there: {error}. Name a file in a folder that can be "
                "written (by default it is in the cache folder, which CRUXBENCH_CACHE_DIR sets)"
            ) from error

    def get(self, request: Request) -> Stored | None:
        """The stored answer to a request, None when there is none.

        Raises:
            DamagedAnswer: If it was changed since it was stored.
        """
        with closing(self._connect()) as connection:
            return _read(connection.execute(_GET, [request.key]).fetchone(), request)

    def put(self, request: Request, given: Stored, documents: list[Document]) -> str:
        """Store an answer unless there is a final one already.

        Args:
            request: What was asked.
            given: The answer.
            documents: The documents in it.

        Returns:
            The answer that is stored now.
        """
        with self._writing() as connection:
            earlier = _read(connection.execute(_GET, [request.key]).fetchone(), request)
            if earlier is not None and earlier.is_final(request):
                return earlier.answer
            parts = [request.source, request.fingerprint, request.cutoff, request.call]
            state = [format_utc(given.asked), given.whole]
            connection.execute(_PUT, [request.key, *parts, *state, given.answer, _sha256(given.answer)])
            connection.execute(_FORGET, [request.key])
            connection.executemany(_NOTE, [[request.key, *_note(document)] for document in documents])
        return given.answer

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.file, timeout=_LOCK_TIMEOUT, isolation_level=None)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")


class Recording:
    """A file of stored answers that is only read.

    Attributes:
        file: The file.
    """

    def __init__(self, file: Path) -> None:
        """Open a file that a run with ``record`` has written.

        Raises:
            InputError: If there is none, or it is not one of this format.
        """
        self.file = file
        try:
            with closing(self._connect()) as connection:
                rows = connection.execute(f"SELECT DISTINCT source FROM {_ANSWER} ORDER BY source").fetchall()  # noqa: S608
                self._sources = tuple(str(source) for (source,) in rows)
        except sqlite3.Error as error:
            raise InputError(
                f"{file}: no recording that can be read: {error}. Name a file that a run with record=FILE has written"
            ) from error

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources whose answers it holds."""
        return self._sources

    def get(self, request: Request) -> Stored | None:
        """The stored answer to a call of a source at a cutoff, whatever its fingerprint; of several the latest.

        Raises:
            DamagedAnswer: If it was changed since it was stored.
            sqlite3.Error: If the file cannot be read any more.
        """
        with closing(self._connect()) as connection:
            row = connection.execute(_GET_BY_CALL, [request.source, request.cutoff, request.call]).fetchone()
            return _read(row, request)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.file.as_uri()}?mode=ro", uri=True, timeout=_LOCK_TIMEOUT)


def _read(row: tuple[str, int, str, str] | None, request: Request) -> Stored | None:
    if row is None:
        return None
    asked, whole, answer, digest = row
    if _sha256(answer) != digest:
        raise DamagedAnswer(f"the stored answer to {request.call[:200]} before {request.cutoff} was changed")
    return Stored(answer, parse_utc(asked), bool(whole))


def _note(document: Document) -> list[str | None]:
    dates = [moment.text if moment else None for moment in (document.published, document.modified, document.captured)]
    return [document.id, document.url, document.version, document.proof, *dates, _sha256(document.text)]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
