import asyncio
import gzip
import json
import socket
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count
from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cruxbench_inspect.evidence.http.client import Answer, Pace, ServiceClient
from cruxbench_inspect.evidence.source import SourceFailure
from tests.loopback.faults import Fault, too_many
from tests.loopback.server import serve
from tests.loopback.switch import Switch

SWITCH = Switch()
ADDRESS: list[str] = []
NUMBERS = count()
PACE = Pace(attempts=3, wait=1, longest_wait=120)


@pytest.fixture(scope="module", autouse=True)
def one_server() -> Iterator[None]:
    with serve(SWITCH) as base_url:
        ADDRESS[:] = [base_url]
        yield


class Service:
    """Answers what it is told to, the last answer again and again.

    Attributes:
        requests: What arrived.
    """

    def __init__(self, *answers: Fault) -> None:
        self.requests: list[Request] = []
        self._answers = list(answers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        self.requests.append(Request(scope))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        await answer.response()(scope, receive, send)


class Waits:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.waits.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        """Seconds that have been waited."""
        return self.now


def client(waits: Waits | None = None, **more: Any) -> ServiceClient:
    waits = waits or Waits()
    settings = {"base_url": ADDRESS[0], "pace": PACE, "sleep": waits.sleep, "clock": waits.clock, **more}
    return ServiceClient(f"service-{next(NUMBERS)}", **settings)


def get(
    app: Any,
    path: str = "/",
    params: Mapping[str, str | int] | None = None,
    accept: tuple[int, ...] = (200,),
    **more: Any,
) -> Answer:
    SWITCH.app = app
    return anyio.run(client(**more).get, path, params, accept)


def failure_of(app: Any, path: str = "/", **more: Any) -> SourceFailure:
    with pytest.raises(SourceFailure) as caught:
        get(app, path, **more)
    return caught.value


OK = Fault(body=b"{}")


def test_an_answer_is_handed_on() -> None:
    service = Service(Fault(body=b'{"a": 1}', headers={"x-kind": "some"}))
    answer = get(service, "/p%20q/http://x.example/?y=1", {"z": "ü&", "n": 3})
    assert (answer.status, answer.headers["x-kind"], answer.content) == (200, "some", b'{"a": 1}')
    request = service.requests[0]
    assert request.scope["raw_path"] == b"/p%20q/http://x.example/"
    assert dict(request.query_params) == {"y": "1", "z": "ü&", "n": "3"}
    assert request.headers["user-agent"].startswith("cruxbench-inspect/")
    assert request.headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize(
    ("status", "kind", "attempts"),
    [
        (400, "bad_answer", 1),
        (401, "auth", 1),
        (402, "quota", 1),
        (403, "auth", 1),
        (404, "bad_answer", 1),
        (408, "outage", 3),
        (418, "bad_answer", 1),
        (429, "rate_limit", 3),
        (204, "bad_answer", 1),
        (301, "bad_answer", 1),
        (304, "bad_answer", 1),
        (500, "outage", 3),
        (502, "outage", 3),
        (503, "outage", 3),
        (504, "outage", 3),
    ],
)
def test_each_status_has_its_kind_and_is_asked_for_again_where_that_may_help(
    status: int, kind: str, attempts: int
) -> None:
    service = Service(Fault(status))
    failure = failure_of(service)
    assert failure.kind == kind
    assert f"HTTP {status}" in failure.detail
    assert len(service.requests) == attempts


def test_another_status_may_be_an_answer() -> None:
    assert get(Service(Fault(404, b"none")), accept=(200, 404)).content == b"none"


def waits_for(*answers: Fault, pace: Pace = PACE) -> list[float]:
    waits = Waits()
    get(Service(*answers, OK), waits=waits, pace=pace)
    return waits.waits


@pytest.mark.parametrize("fault", [too_many, lambda value: Fault(503, headers={"retry-after": value})])
@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("30", 30, 30),
        ("0", 1, 1.25),
        ("7.5", 7.5, 7.5),
        ("99999999999999", 120, 120),
        ("9" * 400, 1, 1.25),
        ("-30", 1, 1.25),
        ("soon", 1, 1.25),
        ("", 1, 1.25),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 1, 1.25),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 120, 120),
    ],
)
def test_it_waits_as_it_is_asked_to_within_bounds(
    fault: Callable[[str], Fault], header: str, least: float, most: float
) -> None:
    (wait,) = waits_for(fault(header))
    assert least <= wait <= most


@pytest.mark.parametrize("fault", [too_many, lambda value: Fault(503, headers={"retry-after": value})])
def test_it_waits_until_a_date(fault: Callable[[str], Fault]) -> None:
    date = datetime.now(UTC) + timedelta(seconds=90)
    (wait,) = waits_for(fault(format_datetime(date, usegmt=True)))
    assert 30 < wait <= 90


@pytest.mark.parametrize("fault", [too_many(), Fault(503), Fault(500), Fault(body=b"x", missing=1)])
def test_without_being_asked_to_it_waits_twice_as_long_each_time(fault: Fault) -> None:
    waits = waits_for(fault, fault, fault, pace=Pace(attempts=4, wait=2, longest_wait=5))
    assert 2 <= waits[0] <= 2.5
    assert 4 <= waits[1] <= 5
    assert waits[2] == 5


def test_after_a_429_it_waits_at_least_as_long_as_the_pace_says() -> None:
    assert waits_for(too_many("1"), pace=Pace(limited_wait=60)) == [60]
    assert waits_for(Fault(503, headers={"retry-after": "5"}), pace=Pace(limited_wait=60)) == [5]


def test_the_first_of_many_attempts_that_succeeds_counts() -> None:
    service = Service(Fault(500), too_many("3"), Fault(body=b"at last"))
    assert get(service).content == b"at last"
    assert len(service.requests) == 3


def test_one_attempt_means_one() -> None:
    service = Service(too_many("3"))
    waits = Waits()
    assert failure_of(service, pace=Pace(attempts=1), waits=waits).kind == "rate_limit"
    assert (len(service.requests), waits.waits) == (1, [])


def test_a_connection_that_is_refused_is_the_network() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        waits = Waits()
        failure = failure_of(Service(OK), base_url=f"http://127.0.0.1:{unused.getsockname()[1]}", waits=waits)
    assert failure.kind == "network"
    assert len(waits.waits) == 2


@pytest.mark.parametrize("body", [b"", b'{"articles": ['])
def test_a_body_that_is_cut_short_is_the_network(body: bytes) -> None:
    service = Service(Fault(body=body, missing=10))
    assert failure_of(service).kind == "network"
    assert len(service.requests) == 3
    assert get(Service(Fault(body=body, missing=10), OK)).content == b"{}"


def test_what_is_no_http_is_the_network() -> None:
    async def run() -> None:
        async def rudely(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(b"SSH-2.0-OpenSSH_9.6\r\n")
            writer.close()

        async with await asyncio.start_server(rudely, "127.0.0.1") as listening:
            port = listening.sockets[0].getsockname()[1]
            with pytest.raises(SourceFailure, match="network: RemoteProtocolError"):
                await client(base_url=f"http://127.0.0.1:{port}").get("/")

    anyio.run(run)


async def never(_: Request) -> Response:
    await anyio.sleep_forever()
    raise AssertionError("it never ends")


async def silent_body(_: Request) -> Response:
    async def sent() -> Any:
        yield b"{"
        await anyio.sleep_forever()

    return StreamingResponse(sent())


async def dripping_body(_: Request) -> Response:
    async def sent() -> Any:
        while True:
            yield b" "
            await anyio.sleep(0.01)

    return StreamingResponse(sent())


@pytest.mark.parametrize("slow", [silent_body, dripping_body])
def test_an_attempt_has_a_limit_in_all(slow: Any) -> None:
    failure = failure_of(Starlette(routes=[Route("/", slow)]), timeout=0.2, pace=Pace(attempts=2))
    assert (failure.kind, "no whole answer within 0.2 s" in failure.detail) == ("network", True)


def test_waiting_for_a_turn_does_not_count_for_the_limit() -> None:
    waits = Waits()

    async def ask() -> None:
        asking = client(waits, timeout=5, pace=Pace(interval=1000))
        await asking.get("/")
        await asking.get("/")

    SWITCH.app = Service(OK)
    anyio.run(ask)
    assert waits.waits == [1000]


ENCODINGS: Mapping[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "deflate without a header": ("deflate", lambda body: zlib.compress(body, wbits=-15)),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_packed_bodies_are_unpacked(name: str) -> None:
    encoding, pack = ENCODINGS[name]
    assert get(Service(Fault(body=pack(b"words"), headers={"content-encoding": encoding}))).content == b"words"


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_bomb_is_refused_at_once(name: str) -> None:
    encoding, pack = ENCODINGS[name]
    service = Service(Fault(body=pack(bytes(20_000_000)), headers={"content-encoding": encoding}))
    failure = failure_of(service, max_bytes=100_000)
    assert (failure.kind, len(service.requests)) == ("bad_answer", 1)
    assert "unpacks to more than 100000 bytes" in failure.detail


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "deflate, gzip"])
def test_what_it_did_not_ask_for_is_refused_at_once(encoding: str) -> None:
    service = Service(Fault(body=gzip.compress(gzip.compress(b"x"), mtime=0), headers={"content-encoding": encoding}))
    failure = failure_of(service)
    assert (failure.kind, len(service.requests)) == ("bad_answer", 1)
    assert encoding in failure.detail


def test_a_body_that_is_too_large_is_refused_at_once() -> None:
    service = Service(Fault(body=bytes(100_001)))
    failure = failure_of(service, max_bytes=100_000)
    assert (failure.kind, len(service.requests)) == ("bad_answer", 1)
    assert len(get(service, max_bytes=100_001).content) == 100_001


def test_a_damaged_body_is_asked_for_again() -> None:
    damaged = Fault(body=gzip.compress(b"words", mtime=0)[:-4], headers={"content-encoding": "gzip"})
    service = Service(damaged)
    failure = failure_of(service)
    assert (failure.kind, len(service.requests)) == ("bad_answer", 3)
    assert get(Service(damaged, OK)).content == b"{}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int) -> None:
    service = Service(Fault(status, headers={"location": "/elsewhere"}), OK)
    assert failure_of(service).kind == "bad_answer"
    assert [request.url.path for request in service.requests] == ["/"]
    answer = get(Service(Fault(status, headers={"location": "http://x.example/"})), accept=(status,))
    assert answer.headers["location"] == "http://x.example/"


def test_no_cookie_is_kept() -> None:
    service = Service(Fault(500, headers={"set-cookie": "a=b; Path=/"}), Fault(headers={"set-cookie": "c=d; Path=/"}))

    async def ask() -> None:
        asking = client()
        await asking.get("/")
        await asking.get("/")

    SWITCH.app = service
    anyio.run(ask)
    assert ["cookie" in request.headers for request in service.requests] == [False, False, False]


def test_its_headers_go_with_every_request_of_this_client_only() -> None:
    service = Service(Fault(500), OK)
    get(service, headers={"x-api-key": "secret", "user-agent": "another"})
    assert [request.headers["x-api-key"] for request in service.requests] == ["secret", "secret"]
    assert service.requests[0].headers["user-agent"] == "another"
    get(service)
    assert "x-api-key" not in service.requests[-1].headers


@pytest.mark.parametrize("path", ["@other.example/", ".other.example/", "other", ":99/", ""])
def test_no_path_leads_to_another_host(path: str) -> None:
    service = Service(OK)
    with pytest.raises(ValueError, match="begin with a slash"):
        get(service, path, headers={"x-api-key": "secret"})
    assert service.requests == []


@pytest.mark.parametrize(
    "path", ["//other.example/", "/@other.example", "/\\other.example", "/../../x", "/http://a@b.example"]
)
def test_odd_paths_stay_at_the_host(path: str) -> None:
    service = Service(OK)
    assert httpx.URL(get(service, path).url).netloc.decode() in ADDRESS[0]
    assert len(service.requests) == 1


@pytest.mark.parametrize("path", ["/\x00", "/a\nb", "/" + "a" * 70_000])
def test_what_is_no_address_is_a_typed_failure(path: str) -> None:
    failure = failure_of(Service(OK), path)
    assert failure.kind == "bad_answer"
    assert failure.detail.isprintable()
    assert len(failure.detail) < 400


def test_a_failure_tells_no_query_and_stays_on_one_line() -> None:
    failure = failure_of(Service(Fault(403)), "/a%0Ab%E2%80%AEc" + "d" * 500, params={"key": "secret"})
    assert failure.detail.startswith("HTTP 403 (127.0.0.1/a b")
    assert "secret" not in str(failure)
    assert failure.detail.isprintable()
    assert len(failure.detail) < 200


def test_it_outlives_event_loops_also_when_requests_had_to_wait() -> None:
    asking = client(pace=Pace(connections=1, attempts=2))
    SWITCH.app = service = Service(Fault(500), OK)

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(asking.get, "/")

    anyio.run(ask)
    anyio.run(ask)
    assert len(service.requests) == 11


def test_a_request_that_is_cancelled_leaves_the_client_usable() -> None:
    asking = client(pace=Pace(connections=1))

    async def ask() -> None:
        SWITCH.app = Starlette(routes=[Route("/", never)])
        with anyio.move_on_after(0.05) as scope:
            await asking.get("/")
        assert scope.cancelled_caught
        SWITCH.app = Service(OK)
        assert (await asking.get("/")).status == 200

    anyio.run(ask)


class TestProxy:
    """Proxies of the environment."""

    @pytest.fixture(autouse=True)
    def proxied(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", ADDRESS[0])

    def test_it_carries_the_requests(self) -> None:
        service = Service(Fault(body=b"by proxy"))
        assert get(service, base_url="http://service.example").content == b"by proxy"
        assert service.requests[0].headers["host"] == "service.example"

    def test_it_does_not_where_a_transport_is_injected(self) -> None:
        async def carry(_: httpx.Request) -> httpx.Response:
            return httpx.Response(200, stream=httpx.ByteStream(b"by transport"))

        service = Service(OK)
        answer = get(service, base_url="http://service.example", transport=httpx.MockTransport(carry))
        assert (answer.content, service.requests) == (b"by transport", [])


def test_an_injected_transport_stays_open() -> None:
    class Carrier(httpx.AsyncBaseTransport):
        closed = 0

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            return httpx.Response(200, stream=httpx.ByteStream(request.url.raw_path))

        async def aclose(self) -> None:
            self.closed += 1

    carrier = Carrier()
    assert get(Service(OK), "/one", transport=carrier).content == b"/one"
    assert get(Service(OK), "/two", transport=carrier).content == b"/two"
    assert carrier.closed == 0


def answer_of(content: bytes) -> Answer:
    return Answer(200, httpx.Headers(), content, "http://service.example/")


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": "b\tc\nd\x01"}', {"a": "b\tc\nd\x01"}),
        (b'\xef\xbb\xbf["x"]', ["x"]),
        (b'{"title": "caf\xc3"}', {"title": "caf\ufffd"}),
        (json.dumps({"ü": None}).encode(), {"ü": None}),
    ],
)
def test_json_with_small_faults_is_read(content: bytes, value: object) -> None:
    assert answer_of(content).json("s") == value


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>\x1b[31m\nBe right back</html>",
        b'{"a": [1, 2',
        b"[" * 200_000,
        b"9" * 10_000,
        b"\xff\xfe{\x00}\x00",
    ],
)
def test_what_is_no_json_is_a_bad_answer(content: bytes) -> None:
    with pytest.raises(SourceFailure, match="^s: bad_answer: no JSON but ") as caught:
        answer_of(content).json("s")
    assert caught.value.detail.isprintable()
    assert len(caught.value.detail) < 200
