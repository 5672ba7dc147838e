from collections.abc import AsyncIterator, Callable, Sequence
from itertools import count, pairwise

import anyio
import httpx
import pytest

from cruxbench_inspect.evidence.http.client import Pace, ServiceClient
from cruxbench_inspect.evidence.source import SourceFailure
from tests.evidence.http.virtual_time import VirtualTime

NUMBERS = count()

Answering = Callable[[int], tuple[int, dict[str, str]]]
"""Status and headers of the answer to the first, the second, ... request."""


class Service:
    """A service whose every answer takes a while.

    Attributes:
        starts: When requests arrived.
        at_once: The most that it had to answer at the same time.
    """

    def __init__(self, time: VirtualTime, takes: float, answer: Answering) -> None:
        self.starts: list[float] = []
        self.at_once = 0
        self._open = 0
        self._time = time
        self._takes = takes
        self._answer = answer

    async def __call__(self, _: httpx.Request) -> httpx.Response:
        self.starts.append(self._time.now)
        status, headers = self._answer(len(self.starts))
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        if self._takes:
            await self._time.sleep(self._takes)
        self._open -= 1
        return httpx.Response(status, headers=headers, content=_sent())


async def _sent() -> AsyncIterator[bytes]:
    yield b"{}"


def ask_at_once(
    requests: int,
    pace: Pace,
    takes: float = 0.0,
    answer: Answering = lambda _: (200, {}),
) -> tuple[Service, list[SourceFailure]]:
    """What a service sees of requests that are all made at the same moment, and the failures."""
    time = VirtualTime()
    service = Service(time, takes, answer)
    failures: list[SourceFailure] = []

    async def ask() -> None:
        client = ServiceClient(
            f"paced-{next(NUMBERS)}",
            "http://service.example",
            pace=pace,
            transport=httpx.MockTransport(service),
            sleep=time.sleep,
            clock=time.clock,
        )

        async def get() -> None:
            try:
                await client.get("/")
            except SourceFailure as failure:
                failures.append(failure)

        async with anyio.create_task_group() as group:
            for _ in range(requests):
                group.start_soon(get)

    time.run(ask)
    return service, failures


def gaps(starts: Sequence[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(starts)]


@pytest.mark.parametrize("connections", [1, 4, 20])
@pytest.mark.parametrize("takes", [0.0, 1.0, 12.0])
def test_requests_start_an_interval_apart(connections: int, takes: float) -> None:
    service, failures = ask_at_once(20, Pace(connections=connections, interval=5), takes)
    assert failures == []
    assert len(service.starts) == 20
    assert min(gaps(service.starts)) >= 5
    assert service.at_once <= connections
    assert service.starts[-1] == 19 * max(5.0, takes / connections)


def test_connections_are_bounded_without_an_interval_too() -> None:
    service, _ = ask_at_once(20, Pace(connections=3), takes=1)
    assert service.at_once == 3
    assert service.starts[-1] == 6


def refused_once(header: dict[str, str]) -> Answering:
    return lambda number: (429, header) if number == 3 else (200, {})


@pytest.mark.parametrize("connections", [1, 4, 20])
@pytest.mark.parametrize("header", [{"retry-after": "60"}, {}])
def test_a_429_makes_all_others_wait(connections: int, header: dict[str, str]) -> None:
    pace = Pace(connections=connections, interval=2, wait=60)
    service, failures = ask_at_once(20, pace, answer=refused_once(header))
    assert failures == []
    assert service.starts[:3] == [0, 2, 4]
    assert service.starts[3] >= 64
    assert len(service.starts) == 21
    assert min(gaps(service.starts)) >= 2


def test_a_longer_pause_that_is_asked_for_later_counts_for_those_who_wait_already() -> None:
    def answer(number: int) -> tuple[int, dict[str, str]]:
        return (429, {"retry-after": "10" if number == 1 else "100"}) if number <= 2 else (200, {})

    service, failures = ask_at_once(5, Pace(connections=5, interval=1, longest_wait=300), answer=answer)
    assert failures == []
    assert [start < 110 for start in service.starts] == [True, True, False, False, False, False, False]


def test_an_outage_of_one_request_stops_no_other() -> None:
    service, failures = ask_at_once(
        3, Pace(connections=3, wait=50), answer=lambda number: (500 if number == 1 else 200, {})
    )
    assert failures == []
    assert service.starts[:3] == [0, 0, 0]
    assert service.starts[3] >= 50


def test_attempts_are_bounded_for_every_request() -> None:
    service, failures = ask_at_once(
        20,
        Pace(connections=4, interval=1, attempts=3),
        answer=lambda _: (429, {"retry-after": "7"}),
    )
    assert [failure.kind for failure in failures] == ["rate_limit"] * 20
    assert len(service.starts) == 60
    assert min(gaps(service.starts)) >= 1


def test_a_request_that_is_cancelled_does_not_hold_up_the_others() -> None:
    time = VirtualTime()
    service = Service(time, 0.0, lambda _: (200, {}))

    async def ask() -> None:
        client = ServiceClient(
            f"paced-{next(NUMBERS)}",
            "http://service.example",
            pace=Pace(connections=1, interval=5),
            transport=httpx.MockTransport(service),
            sleep=time.sleep,
            clock=time.clock,
        )
        await client.get("/")
        async with anyio.create_task_group() as group:
            group.start_soon(client.get, "/")
            await time.sleep(1)
            group.cancel_scope.cancel()
        await client.get("/")

    time.run(ask)
    assert len(service.starts) == 2
    assert service.starts[1] <= 10
