"""Putting a finished folder in the place of another one, so that no one ever sees half of it."""

import ctypes
import os
import sys
from pathlib import Path

_AT_WORKING_DIRECTORY = -100
_EXCHANGE = 2


def put_in_place(finished: Path, place: Path) -> None:
    """Move a folder to a place; what was there is afterwards at ``finished``, if there was anything.

    Both have the same parent. On Linux the two change places in one step. Where that is not possible they move one
    after the other, and a process that is killed between the two moves leaves nothing at ``place``, but the new
    folder whole at ``finished`` and the old one beside it.

    Raises:
        OSError: If the file system refuses; both are then where they were.
    """
    if not place.exists():
        finished.rename(place)
    elif not _exchange(finished, place):
        aside = finished.with_name(f"{finished.name}.replaced")
        place.rename(aside)
        try:
            finished.rename(place)
        except OSError:
            aside.rename(place)
            raise
        aside.rename(finished)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step; False where the system cannot do that."""
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    paths = os.fsencode(one), os.fsencode(other)
    return bool(rename(_AT_WORKING_DIRECTORY, paths[0], _AT_WORKING_DIRECTORY, paths[1], _EXCHANGE) == 0)
