"""Parts of packed logs (``.eval``), read without Inspect, which takes more than a second to load."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import fsspec
from zstandard import ZstdDecompressor

_ZSTANDARD = 93
"""The number of this compression in the ZIP format, which ``zipfile`` knows from Python 3.14 on."""


@contextmanager
def opened(location: str) -> Iterator[tuple[IO[bytes], zipfile.ZipFile]]:
    """A packed log's file, and its parts.

    Args:
        location: A path, or an address as Inspect takes it.

    Raises:
        Exception: Whatever its store raises, and ``zipfile.BadZipFile`` if it is damaged or not packed.
    """
    files, path = fsspec.core.url_to_fs(location)
    with files.open(path, "rb") as file, zipfile.ZipFile(file) as parts:
        yield file, parts


def read_part(file: IO[bytes], parts: zipfile.ZipFile, name: str) -> bytes:
    """A part of a packed log, checked against its sum.

    Raises:
        KeyError: If the log has no such part.
        zipfile.BadZipFile: If it is damaged.
    """
    part = parts.getinfo(name)
    if part.compress_type != _ZSTANDARD:
        return parts.read(part)
    file.seek(part.header_offset)
    local = file.read(30)
    file.seek(int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little"), 1)
    data = ZstdDecompressor().stream_reader(file.read(part.compress_size)).read()
    if zlib.crc32(data) != part.CRC:
        raise zipfile.BadZipFile(f"{name} does not have its sum")
    return data
