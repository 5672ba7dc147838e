"""Taking turns at a service: requests start some time apart, and wait together when the service asks for it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass
class Turns:
    """The turns of all tasks that ask one service.

    Attributes:
        interval: Seconds between the starts of two requests.
        sleep: How to wait.
        clock: Seconds that only go forward.
    """

    interval: float
    sleep: Callable[[float], Awaitable[None]]
    clock: Callable[[], float]
    _next_start: float = field(default=float("-inf"), init=False, repr=False)
    _quiet_until: float = field(default=float("-inf"), init=False, repr=False)

    async def take(self) -> None:
        """Wait for a turn."""
        while True:
            now = self.clock()
            start = max(now, self._next_start)
            self._next_start = start + self.interval
            if start > now:
                await self.sleep(start - now)
            if start >= self._quiet_until:
                return
            # While this one waited for its turn, the service asked all to wait: take another turn.

    def pause(self, seconds: float) -> None:
        """Let nobody start for some time."""
        self._quiet_until = max(self._quiet_until, self.clock() + seconds)
        self._next_start = max(self._next_start, self._quiet_until)
