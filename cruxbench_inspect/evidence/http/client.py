"""A client of one service: requests that are paced, retried and bounded, and failures that are typed."""

import json
import random
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from ssl import SSLContext
from typing import Any

import anyio
import httpx
import tenacity
from inspect_ai.util import concurrency

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.http.body import ACCEPT_ENCODING, BodyRefused, read_body
from cruxbench_inspect.evidence.http.retry_after import retry_after, retry_after_in_body
from cruxbench_inspect.evidence.http.turns import Turns
from cruxbench_inspect.evidence.http.user_agent import user_agent
from cruxbench_inspect.evidence.source import FailureKind, SourceFailure

_SHOWN = 120
_REFUSAL_BYTES = 16_384
_REFUSAL_SECONDS = 5.0


@dataclass(frozen=True)
class Pace:
    """How a service wants to be asked.

    Attributes:
        connections: Requests at the same time.
        interval: Seconds between the starts of two requests.
        attempts: How often a request is made at most.
        wait: Seconds before the second attempt, doubled for each further one, where the service does not say.
        limited_wait: Least seconds to wait after a 429, whatever the service says.
        longest_wait: Most seconds to wait, whatever the service says.
    """

    connections: int = 2
    interval: float = 0.0
    attempts: int = 4
    wait: float = 1.0
    limited_wait: float = 0.0
    longest_wait: float = 120.0

    def at(self, base_url: str, own: str) -> "Pace":
        """This pace at the service's own address, and one without pauses at any other: a mirror of the user's."""
        mirrored = base_url.rstrip("/") != own.rstrip("/")
        return replace(self, interval=0.0, limited_wait=0.0) if mirrored else self


@dataclass(frozen=True)
class Answer:
    """What a service answered.

    Attributes:
        status: The HTTP status.
        headers: The headers.
        content: The body, unpacked.
        url: The address that was asked.
    """

    status: int
    headers: httpx.Headers
    content: bytes
    url: str

    def json(self, service: str) -> Any:
        """The body as JSON; raw control characters and broken UTF-8 are tolerated, some services send them.

        Raises:
            SourceFailure: ``bad_answer`` with the beginning of the body, if it is no JSON.
        """
        try:
            return json.loads(self.content.decode("utf-8-sig", "replace"), strict=False)
        except (ValueError, RecursionError):
            beginning = clean_line(self.content[: 4 * _SHOWN].decode("utf-8", "replace"))[:_SHOWN]
            raise SourceFailure(service, "bad_answer", f"no JSON but {beginning!r}") from None


class AskAgain(Exception):
    """What a check raises about an answer that cannot be used, where another attempt may give a better one.

    Attributes:
        kind: What kind of failure it is if no better one comes.
        wait: Seconds that the answer asks to wait, 0 where it does not say.
    """

    def __init__(self, kind: FailureKind, what: str, wait: float = 0.0) -> None:
        self.kind: FailureKind = kind
        self.wait = wait
        super().__init__(what)


def whole_json(answer: "Answer") -> None:
    """A check that has an answer asked for again that should be JSON and is none, or is cut short.

    Raises:
        AskAgain: If it is.
    """
    try:
        answer.json("")
    except SourceFailure as failure:
        raise AskAgain("bad_answer", failure.detail) from None


Check = Callable[[Answer], None]
"""Looks at an answer that has come whole; raises ``AskAgain``, or a ``SourceFailure`` where asking again is no use."""


@dataclass
class ServiceClient:
    """Asks one service. It follows no redirect, keeps no cookies, and sends nothing but what it is told.

    It may be shared by tasks, and outlives event loops: no connection is kept.

    Attributes:
        service: The service's name, for failures.
        base_url: Scheme, host, and the beginning of every path.
        pace: How the service wants to be asked.
        timeout: Seconds that one attempt may take in all, from the connection to the end of the body.
        max_bytes: Bound on a body.
        headers: Headers of every request.
        transport: What carries the requests; by default real connections.
        sleep: How to wait, for tests.
        clock: Seconds that only go forward, for tests.
    """

    service: str
    base_url: str
    pace: Pace = Pace()
    timeout: float = 60.0
    max_bytes: int = 5_000_000
    headers: Mapping[str, str] = field(default_factory=dict)
    transport: httpx.AsyncBaseTransport | None = None
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        """Start with a turn that is free."""
        self._turns = Turns(self.pace.interval, self.sleep, self.clock)

    async def get(
        self,
        path: str,
        params: Mapping[str, str | int] | None = None,
        accept: Collection[int] = (200,),
        check: Check | None = None,
    ) -> Answer:
        """Ask until there is an answer.

        Args:
            path: Appended to the base address as it is, from a slash on; percent-encoding is the caller's.
            params: The query's fields.
            accept: Statuses that are answers; every other one is a failure.
            check: Looks at each answer, and may have it asked for again.

        Raises:
            SourceFailure: After the last attempt, or at once where another would be no better. 401 and 403 are
                ``auth``, 402 is ``quota``, 429 is ``rate_limit``, 408 and 5xx are ``outage``, a connection that cannot
                be made, breaks or takes too long is ``network``, and anything else is ``bad_answer``. An answer that
                the check refuses is of the kind that the check says.
            ValueError: If the path does not begin with a slash.
        """
        url = self._url(path, params)
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(_Again),
            stop=tenacity.stop_after_attempt(self.pace.attempts),
            wait=self._wait,
            sleep=self.sleep,
            reraise=True,
        )
        try:
            return await retrying(self._attempt, url, accept, check)
        except _Again as again:
            raise again.failure from None

    def _url(self, path: str, params: Mapping[str, str | int] | None) -> httpx.URL:
        # Without a slash it would be the end of a host's name, or all of what stands before an @.
        if not path.startswith("/"):
            raise ValueError(f"{self.service}: the path {path!r} does not begin with a slash")
        try:
            url = httpx.URL(self.base_url.rstrip("/") + path)
        except httpx.InvalidURL as error:
            what = clean_line(f"no address: {error} ({path[:_SHOWN]})")
            raise SourceFailure(self.service, "bad_answer", what) from None
        return url.copy_merge_params(dict(params)) if params else url

    async def _attempt(self, url: httpx.URL, accept: Collection[int], check: Check | None) -> Answer:
        async with concurrency(f"cruxbench-{self.service}", self.pace.connections):
            await self._turns.take()
            try:
                with anyio.fail_after(self.timeout):
                    answer = await self._ask(url, accept)
                if check is not None:
                    check(answer)
                return answer
            except AskAgain as error:
                raise self._again(error.kind, str(error), url, error.wait) from error
            except TimeoutError:
                raise _Again(self._failure("network", f"no whole answer within {self.timeout:g} s", url)) from None
            except (httpx.InvalidURL, UnicodeError) as error:
                raise self._failure("bad_answer", f"{type(error).__name__}: {error}", url) from error
            except httpx.HTTPError as error:
                raise _Again(self._failure("network", f"{type(error).__name__}: {error}", url)) from error
            except BodyRefused as error:
                failure = self._failure("bad_answer", f"its body is refused: {error}", url)
                if error.fault == "damaged":
                    raise _Again(failure) from None
                raise failure from None

    async def _ask(self, url: httpx.URL, accept: Collection[int]) -> Answer:
        async with httpx.AsyncClient(
            transport=None if self.transport is None else _KeptOpen(self.transport),
            verify=_ssl_context(),
            timeout=self.timeout,
            follow_redirects=False,
            limits=httpx.Limits(max_keepalive_connections=0),
            event_hooks={"response": [_put_location_aside]},
        ) as client:
            headers = {"user-agent": user_agent(), "accept-encoding": ACCEPT_ENCODING, **self.headers}
            async with client.stream("GET", url, headers=headers) as response:
                if response.status_code not in accept:
                    raise self._refused(response, await _wait_in_body(response), url)
                headers_of = httpx.Headers([*response.headers.raw, *response.extensions.get("location", [])])
                return Answer(response.status_code, headers_of, await read_body(response, self.max_bytes), str(url))

    def _refused(self, response: httpx.Response, body_wait: float | None, url: httpx.URL) -> Exception:
        status = response.status_code
        header_wait = retry_after(response.headers.get("retry-after"), datetime.now(UTC))
        wait = max(header_wait or 0.0, body_wait or 0.0)
        if status == 429:
            return self._again("rate_limit", "HTTP 429", url, wait)
        if status >= 500 or status == 408:
            return self._again("outage", f"HTTP {status}", url, wait)
        kind: FailureKind = {401: "auth", 403: "auth", 402: "quota"}.get(status, "bad_answer")  # type: ignore[assignment]
        return self._failure(kind, f"HTTP {status}", url)

    def _again(self, kind: FailureKind, what: str, url: httpx.URL, wait: float) -> "_Again":
        least = self.pace.limited_wait if kind == "rate_limit" else 0.0
        return _Again(self._failure(kind, what, url), max(wait, least))

    def _failure(self, kind: FailureKind, what: str, url: httpx.URL) -> SourceFailure:
        # The query may hold a key, the path may be long: neither belongs into a log.
        return SourceFailure(
            self.service, kind, f"{clean_line(what)[:300]} ({url.host}{clean_line(url.path)[:_SHOWN]})"
        )

    def _wait(self, state: tenacity.RetryCallState) -> float:
        again = state.outcome.exception() if state.outcome else None
        asked, limited = (again.wait, again.failure.kind == "rate_limit") if isinstance(again, _Again) else (0.0, False)
        backoff = self.pace.wait * 2.0 ** (state.attempt_number - 1)
        jitter = 1 + 0.25 * random.random()  # noqa: S311
        wait = min(max(asked, backoff * jitter), self.pace.longest_wait)
        if asked or limited:
            # Whoever else asks this service waits as well.
            self._turns.pause(wait)
        return wait


class _Again(Exception):
    """A failure after which another attempt may succeed."""

    def __init__(self, failure: SourceFailure, wait: float = 0.0) -> None:
        self.failure = failure
        self.wait = wait
        super().__init__(str(failure))


async def _put_location_aside(response: httpx.Response) -> None:
    """Keep httpx from reading where a redirect leads to: it refuses what is no address, and here nobody goes there."""
    response.extensions["location"] = [
        (name, value) for name, value in response.headers.raw if name.lower() == b"location"
    ]
    response.headers.pop("location", None)


class _KeptOpen(httpx.AsyncBaseTransport):
    """An injected transport, which is not ours to close."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._transport.handle_async_request(request)


async def _wait_in_body(response: httpx.Response) -> float | None:
    if response.status_code not in (429, 503) or "json" not in response.headers.get("content-type", ""):
        return None
    # It is a courtesy: a refusal stays what it is if its body does not come.
    with anyio.move_on_after(_REFUSAL_SECONDS), suppress(BodyRefused, httpx.HTTPError):
        return retry_after_in_body(await read_body(response, _REFUSAL_BYTES))
    return None


@lru_cache(maxsize=1)
def _ssl_context() -> SSLContext:
    return httpx.create_ssl_context()
