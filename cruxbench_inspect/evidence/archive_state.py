"""What a local archive knows of itself."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive_database import FORMAT, connect

STATE_TABLE = "CREATE TABLE state (format INTEGER NOT NULL, next_serial INTEGER NOT NULL, digest TEXT NOT NULL)"

_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True)
class ArchiveState:
    """The state of a local archive.

    Attributes:
        next_serial: The serial number of the next document.
        digest: A digest of all that was ever added, in that order.
    """

    next_serial: int
    digest: str


def is_database(file: Path) -> bool:
    """Whether a file is a database, by its first bytes; one that cannot be read is not."""
    try:
        with file.open("rb") as opened:
            return opened.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def state_of(file: Path) -> ArchiveState:
    """The state of a local archive.

    Raises:
        InputError: If the file is a database of something else, or of another version.
    """
    try:
        with closing(connect(file, finished=False)) as connection:
            return read_state(connection, file)
    except sqlite3.Error as error:
        raise InputError(
            f"{file}: no local archive that can be read: {error}. "
            "Name an evidence.jsonl, or a file that cruxbench archive add has written"
        ) from error


def read_state(connection: sqlite3.Connection, file: Path) -> ArchiveState:
    """The state, over an open connection.

    Raises:
        InputError: If it is of another version.
        sqlite3.Error: If the file is no local archive.
    """
    row = connection.execute("SELECT format, next_serial, digest FROM state").fetchone()
    if row is None:
        raise sqlite3.DatabaseError("it has no state")
    version, next_serial, digest = row
    if version != FORMAT:
        raise InputError(
            f"{file}: a local archive of format {version}, and this version reads format {FORMAT}: "
            "export it with the version that wrote it, and add the export to a new archive"
        )
    return ArchiveState(int(next_serial), str(digest))
