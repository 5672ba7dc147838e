"""Reading a file of JSON records piece by piece, packed or not, and up to where it is damaged."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

from cruxbench_inspect.errors import InputError

_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_LARGEST_WINDOW = 1 << 31
_LONGEST_RECORD = 1 << 25

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[{}]', re.DOTALL)
"""A brace, or a whole string; a string may be cut off by the end of what is at hand."""


class CutOff(Exception):
    """The file ends, or is damaged, in the middle; what came before was handed out."""


def records_in(path: Path) -> Iterator[tuple[int, bytes, str]]:
    """The records of a file: JSON lines, or one JSON array of objects; plain, gzip or zstd, whatever its name.

    Yields:
        The number of the record, its bytes, and what it is called in messages: ``line 17`` or ``record 17``.

    Raises:
        InputError: If there is no such file, or nothing in it.
        CutOff: After the last whole record, if the file does not end there.
    """
    try:
        with path.open("rb") as file:
            pieces = _pieces(file)
            first = _first_piece(pieces)
            if not first:
                raise InputError(f"{path}: it is empty. A file of market records is wanted, one JSON object a line")
            array = first.startswith(b"[")
            split = _objects if array else _lines
            for number, record in split(_chained(first, pieces)):
                yield number, record, f"{'record' if array else 'line'} {number}"
    except OSError as error:
        raise InputError(f"{path}: it cannot be read: {error}") from error


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    beginning = file.read(4)
    file.seek(0)
    if beginning.startswith(_GZIP):
        yield from _gzip_pieces(file)
    elif beginning == _ZSTD:
        yield from _zstd_pieces(file)
    else:
        while piece := file.read(_PIECE):
            yield piece


def _gzip_pieces(file: BinaryIO) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            # Unlike read, it hands out what is unpacked before it finds that no more comes.
            while piece := unpacked.read1(_PIECE):
                yield piece
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CutOff(f"its gzip data are not whole: {error}") from None


def _zstd_pieces(file: BinaryIO) -> Iterator[bytes]:
    unpacker = None
    try:
        while packed := file.read(_PIECE // 8):
            while packed:
                if unpacker is None:
                    unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj()
                piece = unpacker.decompress(packed)
                packed = unpacker.unused_data
                if unpacker.eof:
                    unpacker = None
                if piece:
                    yield piece
    except zstandard.ZstdError as error:
        raise CutOff(f"its zstd data are damaged: {error}") from None
    if unpacker is not None:
        raise CutOff("its zstd data end too early")


def _first_piece(pieces: Iterator[bytes]) -> bytes:
    """The first piece that is not blank, from its first sign on."""
    for number, piece in enumerate(pieces):
        piece = (piece.removeprefix(b"\xef\xbb\xbf") if number == 0 else piece).lstrip()
        if piece:
            return piece
    return b""


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _lines(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    number, rest = 0, b""
    for piece in pieces:
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        for line in lines:
            number += 1
            if line.strip():
                yield number, line
    if rest.strip():
        yield number + 1, rest


def _objects(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    number, depth = 0, 0
    begin = 0  # of the object that is open
    at = 0  # up to where the text at hand has been read
    text = b""
    closed = False
    for piece in pieces:
        if depth and at - begin > _LONGEST_RECORD:
            raise CutOff(f"record {number + 1} has no end; a quotation mark may be missing in it")
        kept = begin if depth else at
        text = text[kept:] + piece
        begin, at = 0, at - kept
        while token := _TOKEN.search(text, at):
            sign = token[0]
            if token.end() == len(text) and sign[:1] == b'"' and not _is_whole(sign):
                at = token.start()
                break
            at = token.end()
            if sign == b"{":
                begin = token.start() if depth == 0 else begin
                depth += 1
            elif sign == b"}":
                depth -= 1
                if depth == 0:
                    number += 1
                    yield number, text[begin:at]
                depth = max(depth, 0)
        else:
            # Between objects nothing is left but commas and the bracket that closes the list.
            between = text[at:].strip() if depth == 0 else b""
            closed = between.endswith(b"]") if between else closed and depth == 0
            at = len(text)
    if not closed:
        raise CutOff(f"it ends in or after record {number + 1 if depth else number}, and its list is not closed")


def _is_whole(string: bytes) -> bool:
    backslashes = len(string) - 1 - len(string[:-1].rstrip(b"\\"))
    return len(string) > 1 and string.endswith(b'"') and backslashes % 2 == 0
