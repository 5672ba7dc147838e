"""Logs that a report leaves out, and why."""

import struct
import zipfile
import zlib
from dataclasses import dataclass

from zstandard import ZstdError

DAMAGE: tuple[type[Exception], ...] = (
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    ZstdError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a damaged log raises."""


@dataclass(frozen=True)
class Unread:
    """A log that a report leaves out.

    Attributes:
        location: The log.
        reason: Why, in words.
        task: Its task, where that is the reason.
    """

    location: str
    reason: str
    task: str | None = None


def damage(error: Exception) -> str:
    """What to say of a log that cannot be read."""
    lines = (str(error) or type(error).__name__).splitlines()
    if "EOCD" in lines[0]:
        # That is what Inspect says of a packed log that was cut off.
        return "it is damaged or no log: its end is missing"
    return f"it is damaged or no log: {lines[0][:200]}"
