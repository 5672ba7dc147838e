"""A site that sends whatever bytes a test wants, and the way from public addresses to it."""

import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import httpcore
import httpx
from httpcore import AsyncNetworkBackend, AsyncNetworkStream

Send = Callable[[socket.socket], None]
"""Answers one request on its connection, which is closed afterwards."""

_PIECE = 1 << 16


class HostileSite:
    """A server at a free port of 127.0.0.1.

    Attributes:
        answers: How each path is answered.
        requests: The heads of the requests so far, as they arrived.
        dialled: The addresses and ports that clients meant to connect to.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.answers: dict[str, Send] = {}
        self.requests: list[str] = []
        self.dialled: list[tuple[str, int]] = []
        self.port = 0
        self._tls = tls
        self._ended = threading.Event()

    @contextmanager
    def running(self) -> Iterator["HostileSite"]:
        """Serve for the length of a ``with`` block."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
            thread = threading.Thread(target=self._accept, args=(listener,), daemon=True)
            thread.start()
            try:
                yield self
            finally:
                self._ended.set()
                with socket.create_connection(("127.0.0.1", self.port)):
                    thread.join(timeout=10)
                assert not thread.is_alive(), "the hostile site did not end"

    def transport(self, trusted: ssl.SSLContext | None = None) -> Callable[[], httpx.AsyncBaseTransport]:
        """Makes real connections that arrive here, wherever they were meant to go.

        Args:
            trusted: What certificates are checked by; by default by the authorities of everyone.
        """
        return lambda: _Transport(_Dial(self), trusted or _authorities())

    def _accept(self, listener: socket.socket) -> None:
        while True:
            connection, _ = listener.accept()
            if self._ended.is_set():
                connection.close()
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                head = b""
                while b"\r\n\r\n" not in head and (piece := connection.recv(_PIECE)):
                    head += piece
                if head:
                    text = head.decode("latin-1")
                    self.requests.append(text)
                    self.answers[text.split(" ")[1]](connection)
        except OSError:
            pass  # a client that has seen enough hangs up


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


class _Dial(AsyncNetworkBackend):
    def __init__(self, site: HostileSite) -> None:
        self._site = site
        self._real = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        self._site.dialled.append((host, port))
        return await self._real.connect_tcp("127.0.0.1", self._site.port, timeout, local_address, socket_options)


class _Transport(httpx.AsyncHTTPTransport):
    """The real transport with another way to connect, which httpx has no parameter for."""

    def __init__(self, dial: AsyncNetworkBackend, trusted: ssl.SSLContext) -> None:
        super().__init__(verify=trusted, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(ssl_context=trusted, network_backend=dial)


def answer(body: bytes = b"", /, *, status: int = 200, kind: str | None = "text/html", **headers: str) -> Send:
    """A regular answer, whose header names are given with underscores."""
    named: Mapping[str, str] = {name.replace("_", "-"): value for name, value in headers.items()}
    named = {"content-length": str(len(body)), **({} if kind is None else {"content-type": kind}), **named}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return raw(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body)


def redirect(location: str, status: int = 302, **headers: str) -> Send:
    """A redirect."""
    return answer(status=status, location=location, **headers)


def raw(data: bytes) -> Send:
    """Just these bytes."""
    return lambda connection: connection.sendall(data)


def endless(head: bytes, piece: bytes) -> Send:
    """A beginning, and then the same piece as fast as it is taken."""

    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(piece)

    return send


def trickle(head: bytes, piece: bytes) -> Send:
    """A beginning, and then a piece every hundredth of a second, so that no single read takes long."""

    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            readable, _, _ = select.select([connection], [], [], 0.01)
            if readable:
                return  # the client has hung up
            connection.sendall(piece)

    return send


def silence(connection: socket.socket) -> None:
    """Nothing at all, until the client hangs up."""
    connection.recv(1)
