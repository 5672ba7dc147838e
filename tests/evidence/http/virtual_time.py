"""Time that passes only when everybody waits for it."""

import heapq
import itertools
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
import anyio.lowlevel

T = TypeVar("T")

_ROUNDS = 50  # of the event loop: more than any step of a request takes


class VirtualTime:
    """A clock and a way to wait, for tasks that wait for nothing but each other and this clock.

    Attributes:
        now: Seconds that have passed.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, anyio.Event]] = []

    def clock(self) -> float:
        """Seconds that have passed."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        woken = anyio.Event()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._order), woken))
        await woken.wait()

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work, in as little time as it takes."""

        async def main() -> T:
            async with anyio.create_task_group() as group:
                group.start_soon(self._pass)
                result = await work()
                group.cancel_scope.cancel()
            return result

        return anyio.run(main)

    async def _pass(self) -> None:
        while True:
            # Whoever can go on without waiting for the clock does so in the meantime.
            for _ in range(_ROUNDS):
                await anyio.lowlevel.checkpoint()
            if self._sleepers:
                self.now, _, woken = heapq.heappop(self._sleepers)
                woken.set()
