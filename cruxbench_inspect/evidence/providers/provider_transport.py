"""What carries the requests of a provider's SDK: paced, retried and bounded, with failures that are typed."""

import json
import random
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from ssl import SSLContext
from typing import Any

import anyio
import httpx
from inspect_ai.util import concurrency

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.http.body import ACCEPT_ENCODING, BodyRefused, read_body
from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.http.retry_after import retry_after
from cruxbench_inspect.evidence.http.turns import Turns
from cruxbench_inspect.evidence.source import FailureKind, SourceFailure

_SHOWN = 300
_ERROR_BYTES = 100_000
_KEY_HEADERS = ("authorization", "x-api-key")
# They describe the body as it arrived, and not the one that is handed on.
_HEADERS_OF_PACKED_BODY = ("content-encoding", "content-length", "transfer-encoding")


@dataclass
class ProviderTransport(httpx.AsyncBaseTransport):
    """Carries the requests of an SDK's client, so that all SDKs fail in the same ways.

    Only whole answers with status 200 reach the SDK. Everything else ends in a ``SourceFailure``, which passes through
    the SDK as it is. No connection is kept: it may be shared by tasks, and outlives event loops and SDK clients.

    Attributes:
        service: The source's name, for failures.
        pace: How the service wants to be asked.
        secrets: Keys, which are never told, not even where the service repeats them.
        kind_of: What a refusal means that the status alone does not say: given the status and the body as JSON (None
            if it is none), a kind, or None where the status says it.
        unpaced_paths: Paths of requests that do not count for the interval, such as that of an access token.
        timeout: Seconds that one attempt may take in all.
        max_bytes: Bound on a body.
        carrier: What carries the requests in the end; by default real connections.
        sleep: How to wait, for tests.
        clock: Seconds that only go forward, for tests.
    """

    service: str
    pace: Pace = Pace()
    secrets: tuple[str, ...] = field(default=(), repr=False)
    kind_of: Callable[[int, Any], FailureKind | None] = lambda status, body: None
    unpaced_paths: Collection[str] = ()
    timeout: float = 60.0
    max_bytes: int = 10_000_000
    carrier: httpx.AsyncBaseTransport | None = None
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        """Start with a turn that is free."""
        self._turns = Turns(self.pace.interval, self.sleep, self.clock)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Ask until there is an answer.

        Raises:
            SourceFailure: After the last attempt, or at once where another would be no better. Where ``kind_of`` does
                not say otherwise, 401 and 403 are ``auth``, 402 is ``quota``, 429 is ``rate_limit``, 408 and 5xx are
                ``outage``, a connection that cannot be made, breaks or takes too long is ``network``, and anything
                else is ``bad_answer``.
        """
        attempt = 1
        while True:
            try:
                return await self._attempt(request)
            except _Again as again:
                wait = self._wait(again, attempt)
                if attempt >= self.pace.attempts or wait > self.pace.longest_wait:
                    raise again.failure from None
            await self.sleep(wait)
            attempt += 1

    async def _attempt(self, request: httpx.Request) -> httpx.Response:
        async with concurrency(f"cruxbench-{self.service}", self.pace.connections):
            if request.url.path not in self.unpaced_paths:
                await self._turns.take()
            try:
                with anyio.fail_after(self.timeout):
                    return await self._ask(request)
            except TimeoutError:
                raise _Again(self._failure("network", f"no whole answer within {self.timeout:g} s", request)) from None
            except httpx.HTTPError as error:
                raise _Again(self._failure("network", f"{type(error).__name__}: {error}", request)) from None
            except BodyRefused as error:
                failure = self._failure("bad_answer", f"its body is refused: {error}", request)
                if error.fault == "damaged":
                    raise _Again(failure) from None
                raise failure from None

    async def _ask(self, request: httpx.Request) -> httpx.Response:
        request.headers["accept-encoding"] = ACCEPT_ENCODING
        client = httpx.AsyncClient(
            transport=self.carrier,
            verify=_ssl_context(),
            follow_redirects=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        try:
            response = await client.send(request, stream=True)
            try:
                if response.status_code != 200:
                    raise await self._refused(response, request)
                content = await read_body(response, self.max_bytes)
            finally:
                await response.aclose()
        finally:
            if self.carrier is None:  # one that is given is not ours to close
                await client.aclose()
        headers = [pair for pair in response.headers.multi_items() if pair[0] not in _HEADERS_OF_PACKED_BODY]
        return httpx.Response(200, headers=headers, content=content)

    async def _refused(self, response: httpx.Response, request: httpx.Request) -> Exception:
        status = response.status_code
        body = await _error_body(response)
        kind = self.kind_of(status, body) or _kind_of_status(status)
        asked = retry_after(response.headers.get("retry-after"), datetime.now(UTC)) or 0.0
        when = f" (again in {asked:.0f} s)" if asked else ""
        failure = self._failure(kind, f"HTTP {status}{when} {_told(body)}", request)
        if kind in {"rate_limit", "outage"}:
            return _Again(failure, max(asked, self.pace.limited_wait) if kind == "rate_limit" else asked)
        return failure

    def _failure(self, kind: FailureKind, what: str, request: httpx.Request) -> SourceFailure:
        text = clean_line(what)
        sent = (request.headers.get(name, "").rpartition(" ")[2] for name in _KEY_HEADERS)
        for secret in sorted({*self.secrets, *sent} - {""}, key=len, reverse=True):
            text = text.replace(secret, "[key]")
        return SourceFailure(self.service, kind, f"{text[:_SHOWN]} ({request.url.host}{request.url.path})")

    def _wait(self, again: "_Again", attempt: int) -> float:
        backoff = self.pace.wait * 2.0 ** (attempt - 1)
        jitter = 1 + 0.25 * random.random()  # noqa: S311
        wait = max(again.wait, min(backoff * jitter, self.pace.longest_wait))
        if again.wait or again.failure.kind == "rate_limit":
            # Whoever else asks this service waits as well, but for no longer than anybody would.
            self._turns.pause(min(wait, self.pace.longest_wait))
        return wait


class _Again(Exception):
    """A failure after which another attempt may succeed, in so many seconds at the earliest."""

    def __init__(self, failure: SourceFailure, wait: float = 0.0) -> None:
        self.failure = failure
        self.wait = wait
        super().__init__(str(failure))


def _kind_of_status(status: int) -> FailureKind:
    if status >= 500 or status == 408:
        return "outage"
    kinds: dict[int, FailureKind] = {401: "auth", 403: "auth", 402: "quota", 429: "rate_limit"}
    return kinds.get(status, "bad_answer")


async def _error_body(response: httpx.Response) -> Any:
    """The body of a refusal as JSON, None when it is none or cannot be read: the status is what counts."""
    try:
        return json.loads(await read_body(response, _ERROR_BYTES))
    except (BodyRefused, httpx.HTTPError, ValueError, RecursionError):
        return None


def _told(body: Any, depth: int = 3) -> str:
    """What a refusal says for people, wherever the services put it."""
    if isinstance(body, dict) and depth:
        texts = (_told(body.get(name), depth - 1) for name in ("detail", "error", "message"))
        return next((text for text in texts if text), "")
    return body if isinstance(body, str) else ""


@lru_cache(maxsize=1)
def _ssl_context() -> SSLContext:
    return httpx.create_ssl_context()
