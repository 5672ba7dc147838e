"""Building the database of an evidence file once, however many start at once."""

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive_database import (
    FORMAT,
    INDEX_BY_ID,
    SCHEMA,
    connect,
    numbered,
    row_of,
)
from cruxbench_inspect.evidence.archive_writing import ArchiveWriter, batches
from cruxbench_inspect.evidence.cache_folder import cache_folder
from cruxbench_inspect.evidence.evidence_file import read_documents

_FAST = (
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -200000;"
)


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


def _is_built_from(digest: str, database: Path) -> bool:
    """Whether a whole database of that digest is in place; a damaged one is built anew."""
    try:
        with closing(connect(database, finished=True)) as connection:
            return bool(connection.execute("SELECT 1 FROM built_from WHERE digest = ?", [digest]).fetchone())
    except sqlite3.DatabaseError:
        return False


def _build(evidence_file: Path, digest: str, database: Path) -> None:
    database.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{database.stem}.", suffix=".building", dir=database.parent)
    os.close(handle)
    unfinished = Path(name)
    try:
        with (
            closing(sqlite3.connect(unfinished, isolation_level=None, check_same_thread=False)) as connection,
            evidence_file.open("rb") as lines,
        ):
            connection.executescript(_FAST + "CREATE TABLE built_from (digest TEXT NOT NULL);" + SCHEMA)
            read = hashlib.sha256()
            connection.execute("BEGIN")
            with ArchiveWriter(connection) as writer:
                rows = map(row_of, read_documents(_hashed(lines, read), evidence_file))
                seen: set[tuple[object, ...]] = set()
                for batch in batches(rows):
                    writer.write(numbered(batch, len(seen), seen))
            if read.hexdigest() != digest:
                raise InputError(f"{evidence_file}: the evidence file changed while it was read; start again")
            connection.execute("INSERT INTO built_from VALUES (?)", [digest])
            connection.execute(INDEX_BY_ID)
            connection.execute("COMMIT")
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(database)
    finally:
        unfinished.unlink(missing_ok=True)


def _hashed(lines: BinaryIO, digest: "hashlib._Hash") -> Iterator[bytes]:
    for line in lines:
        digest.update(line)
        yield line
