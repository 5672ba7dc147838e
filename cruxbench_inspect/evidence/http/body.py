"""Reading a response's body with bounds on what arrives and on what it unpacks to."""

import zlib
from typing import Literal

import httpx

BodyFault = Literal["too_large", "unknown_encoding", "damaged"]
"""Why a body is refused: over its limit, an encoding that is not accepted, or unpacking fails or ends too early."""

ACCEPT_ENCODING = "gzip, deflate"
"""The header that goes with ``read_body``."""

_PIECE = 1 << 16
_GZIP = b"\x1f\x8b"


class BodyRefused(Exception):
    """A body that is not read to its end.

    Attributes:
        fault: Why.
    """

    def __init__(self, fault: BodyFault, detail: str) -> None:
        self.fault: BodyFault = fault
        super().__init__(detail)


async def read_body(response: httpx.Response, max_bytes: int) -> bytes:
    """The unpacked body of a streamed response. Its declared length is not believed.

    Args:
        response: A response whose body nobody has read.
        max_bytes: Bound on what arrives, and on what that unpacks to.

    Raises:
        BodyRefused: If the body breaks a bound or cannot be unpacked.
        httpx.HTTPError: If the connection fails or ends too early.
    """
    encodings = [name.strip().lower() for name in response.headers.get("content-encoding", "").split(",")]
    encodings = [name for name in encodings if name not in ("", "identity")]
    if encodings not in ([], ["gzip"], ["x-gzip"], ["deflate"]):
        raise BodyRefused("unknown_encoding", f"content encoding {', '.join(encodings)[:80]!r}")
    unpacker = _Unpacker(encodings[0] if encodings else None, max_bytes)
    arrived = 0
    async for chunk in response.aiter_raw():
        arrived += len(chunk)
        if arrived > max_bytes:
            raise BodyRefused("too_large", f"more than {max_bytes} bytes arrive")
        unpacker.feed(chunk)
    return unpacker.finish()


def unpack_gzip(content: bytes, max_bytes: int) -> bytes:
    """What is in a gzip file.

    Args:
        content: The file.
        max_bytes: Bound on what it unpacks to.

    Raises:
        BodyRefused: If it is no whole gzip file, or breaks the bound.
    """
    if not content:
        raise BodyRefused("damaged", "it is empty")
    unpacker = _Unpacker("gzip", max_bytes)
    for start in range(0, len(content), _PIECE):
        unpacker.feed(content[start : start + _PIECE])
    return unpacker.finish()


class _Unpacker:
    """Unpacks a body piece by piece, never holding more than a piece beyond its bound."""

    def __init__(self, encoding: str | None, max_bytes: int) -> None:
        self._deflate = encoding == "deflate"
        # 47 reads both gzip and zlib headers. Some servers send deflate data without any: then the window is negative.
        self._decompressor = None if encoding is None else zlib.decompressobj(47)
        self._max_bytes = max_bytes
        self._body = bytearray()
        self._begun = False

    def feed(self, chunk: bytes) -> None:
        """Take the next piece as it arrived."""
        if self._decompressor is None:
            self._body += chunk
            return
        while chunk:
            if not self._begun and self._deflate and chunk[0] & 0x0F != 8:
                self._decompressor = zlib.decompressobj(-15)
            self._begun = True
            self._unpack(self._decompressor, chunk)
            if not self._decompressor.eof:
                chunk = self._decompressor.unconsumed_tail
                continue
            # A gzip file may consist of several; anything else that follows is padding.
            chunk = self._decompressor.unused_data
            if self._deflate or not chunk.startswith(_GZIP):
                return
            self._decompressor = zlib.decompressobj(31)

    def finish(self) -> bytes:
        """The whole body."""
        if self._decompressor is not None and self._begun:
            while not self._decompressor.eof and self._unpack(self._decompressor, b""):
                pass
            if not self._decompressor.eof:
                raise BodyRefused("damaged", "its packed data end too early")
        return bytes(self._body)

    def _unpack(self, decompressor: "zlib._Decompress", chunk: bytes) -> int:
        try:
            piece = decompressor.decompress(chunk, _PIECE)
        except zlib.error as error:
            raise BodyRefused("damaged", f"it cannot be unpacked: {error}") from None
        self._body += piece
        if len(self._body) > self._max_bytes:
            raise BodyRefused("too_large", f"it unpacks to more than {self._max_bytes} bytes")
        return len(piece)
