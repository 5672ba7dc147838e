"""Fetching a page of today from its own site, without trusting the site or whoever named it."""

import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from ssl import SSLContext

import anyio
import anyio.to_thread
import httpx

from cruxbench_inspect.evidence.excluded_sites import is_excluded
from cruxbench_inspect.evidence.fetching.addresses import is_public
from cruxbench_inspect.evidence.fetching.refusal import FetchFault, FetchRefused
from cruxbench_inspect.evidence.fetching.target import Target, check_target
from cruxbench_inspect.evidence.http.body import ACCEPT_ENCODING, BodyRefused, read_body
from cruxbench_inspect.evidence.http.user_agent import user_agent
from cruxbench_inspect.evidence.pages.reading import HTML_TYPES, MAX_BYTES, PLAIN_TYPES

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Gives all addresses of a name and a port."""

MAX_REDIRECTS = 3
MAX_HEADERS = 32_000
"""Bytes of all headers of an answer."""

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_BODY_FAULTS: dict[str, FetchFault] = {"too_large": "too_large", "unknown_encoding": "encoding", "damaged": "encoding"}


@dataclass(frozen=True)
class Fetched:
    """A page as its site sent it.

    Attributes:
        url: Where it was in the end.
        body: Its bytes, unpacked.
        content_type: The header of that name.
    """

    url: str
    body: bytes
    content_type: str


class LiveFetch:
    """Fetches pages.

    A name is resolved once, each of its addresses has to be public, and the connection goes to the one that was
    checked: nothing can answer differently in between. Every redirect starts anew. There are no proxies, no cookies,
    and no keys.
    """

    def __init__(
        self,
        *,
        transport: Callable[[], httpx.AsyncBaseTransport] | None = None,
        resolve: Resolver | None = None,
        seconds: float = 30.0,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        """Set the limits.

        Args:
            transport: Makes what carries one request to the address in it; by default a connection of its own.
            resolve: Resolves names; by default the system does.
            seconds: How long a page may take in all, redirects included.
            max_bytes: Bound on a page, packed and unpacked.
        """
        self._transport = transport or _connection
        self._resolve = resolve or _resolve
        self._seconds = seconds
        self._max_bytes = max_bytes

    async def fetch(self, url: str) -> Fetched:
        """Fetch a page.

        Raises:
            FetchRefused: If it must not or cannot be fetched.
        """
        try:
            with anyio.fail_after(self._seconds):
                for _ in range(MAX_REDIRECTS + 1):
                    if is_excluded(url):
                        raise FetchRefused("excluded_site", "a site that is never evidence")
                    answer = await self._ask(check_target(url))
                    if isinstance(answer, Fetched):
                        return answer
                    url = answer
        except TimeoutError:
            raise FetchRefused("too_slow", f"no whole page within {self._seconds:g} s") from None
        raise FetchRefused("too_many_redirects", f"more than {MAX_REDIRECTS} redirects")

    async def _ask(self, target: Target) -> Fetched | str:
        """The page, or where it is said to be."""
        address = target.host if target.literal else await self._address(target)
        # The request names the checked address; host and certificate are still those of the name.
        url = target.url.copy_with(host=address.strip("[]"))
        request = httpx.Request(
            "GET",
            url,
            headers={
                "host": target.url.netloc.decode("ascii"),
                "user-agent": user_agent(),
                "accept": ", ".join(HTML_TYPES + PLAIN_TYPES),
                "accept-encoding": ACCEPT_ENCODING,
                "connection": "close",
            },
            extensions={"sni_hostname": target.host.strip("[]")},
        )
        try:
            # No client of httpx stands in between, so nothing follows, stores or adds anything.
            async with self._transport() as transport:
                response = await transport.handle_async_request(request)
                try:
                    return await self._read(target, response)
                finally:
                    await response.aclose()
        except BodyRefused as error:
            raise FetchRefused(_BODY_FAULTS[error.fault], str(error)) from None
        except httpx.RemoteProtocolError as error:
            fault: FetchFault = "headers_too_large" if "too long" in str(error) else "unreachable"
            raise FetchRefused(fault, str(error)[:200]) from None
        except httpx.TimeoutException:
            raise FetchRefused("too_slow", f"no whole page within {self._seconds:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise FetchRefused("unreachable", f"{type(error).__name__}: {error}"[:200]) from None

    async def _address(self, target: Target) -> str:
        try:
            addresses = await self._resolve(target.host, target.port)
        except (OSError, UnicodeError) as error:
            raise FetchRefused("unresolvable", f"{target.host}: {error}") from None
        if not addresses:
            raise FetchRefused("unresolvable", f"{target.host} has no address")
        for address in addresses:
            if not is_public(address):
                raise FetchRefused("private_address", f"{target.host} is at {address}, which is not public")
        return addresses[0]

    async def _read(self, target: Target, response: httpx.Response) -> Fetched | str:
        if sum(len(name) + len(value) for name, value in response.headers.raw) > MAX_HEADERS:
            raise FetchRefused("headers_too_large", f"more than {MAX_HEADERS} bytes of headers")
        if response.status_code in _REDIRECTS:
            try:
                return str(target.url.join(response.headers.get("location", "")))
            except (httpx.InvalidURL, ValueError) as error:
                raise FetchRefused("bad_address", f"a redirect to no address: {error}"[:200]) from None
        if response.status_code != 200:
            raise FetchRefused("status", f"HTTP {response.status_code}")
        content_type = response.headers.get("content-type", "")
        if content_type.partition(";")[0].strip().lower() not in HTML_TYPES + PLAIN_TYPES:
            raise FetchRefused("wrong_type", f"content type {content_type[:80]!r}")
        return Fetched(str(target.url), await read_body(response, self._max_bytes), content_type)


async def _resolve(host: str, port: int) -> list[str]:
    found = await anyio.to_thread.run_sync(
        lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), abandon_on_cancel=True
    )
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _connection() -> httpx.AsyncBaseTransport:
    return httpx.AsyncHTTPTransport(verify=_ssl_context(), trust_env=False)


@lru_cache(maxsize=1)
def _ssl_context() -> SSLContext:
    return httpx.create_ssl_context(trust_env=False)
