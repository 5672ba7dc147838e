"""Reading a response's body with bounds on what arrives and on what it unpacks to."""

import zlib
from typing import Literal

import httpx

BodyFault = Literal["too_large", "unknown_encoding", "damaged"]
"""Why a body is refused: over its limit, an encoding that is not accepted, or unpacking fails or ends too early."""

ACCEPT_ENCODING = "gzip, deflate"
"""The header that goes with ``read_body``."""

_PIECE = 1 << 16


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
    unpacker = _Unpacker(raw=not encodings, deflate=encodings == ["deflate"])
    arrived, body = 0, bytearray()
    async for chunk in response.aiter_raw():
        arrived += len(chunk)
        if arrived > max_bytes:
            raise BodyRefused("too_large", f"more than {max_bytes} bytes arrive")
        unpacker.feed(chunk, body, max_bytes)
    unpacker.finish()
    return bytes(body)


class _Unpacker:
    def __init__(self, raw: bool, deflate: bool) -> None:
        self._raw = raw
        self._deflate = deflate
        # 47 reads both gzip and zlib headers. Some servers send deflate data without any: then the window is negative.
        self._decompressor = None if raw else zlib.decompressobj(47)
        self._empty = True

    def feed(self, chunk: bytes, body: bytearray, max_bytes: int) -> None:
        if self._decompressor is None:
            body += chunk
            return
        if self._empty and self._deflate and chunk and chunk[0] & 0x0F != 8:
            self._decompressor = zlib.decompressobj(-15)
        self._empty = self._empty and not chunk
        try:
            while chunk and not self._decompressor.eof:
                body += self._decompressor.decompress(chunk, _PIECE)
                if len(body) > max_bytes:
                    raise BodyRefused("too_large", f"it unpacks to more than {max_bytes} bytes")
                chunk = self._decompressor.unconsumed_tail
        except zlib.error as error:
            raise BodyRefused("damaged", f"it cannot be unpacked: {error}") from None

    def finish(self) -> None:
        if self._decompressor is not None and not self._empty and not self._decompressor.eof:
            raise BodyRefused("damaged", "its packed data end too early")
