"""Doing the same work for many items, a few at a time."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

import anyio

Item = TypeVar("Item")
Advanced = Callable[[int, int], None]
"""Is told how many items are done, and of how many."""


class Progress(Protocol):
    """Shows how far a build is."""

    def step(self, label: str) -> Advanced:
        """Begin a step, and get what is to be told of its progress."""


async def side_by_side(
    items: Sequence[Item], work: Callable[[Item], Awaitable[None]], at_once: int, advanced: Advanced
) -> None:
    """Do the work of all items, taken up in their order.

    After a failure no further item is taken up; those under way come to their end, and the first failure is raised.

    Args:
        items: What there is to do.
        work: Does one of them.
        at_once: How many are under way at the same time.
        advanced: Is told of the progress.
    """
    done, waiting = 0, iter(items)
    failures: list[Exception] = []

    async def take() -> None:
        nonlocal done
        for item in waiting:
            if failures:
                return
            try:
                await work(item)
            except Exception as error:
                failures.append(error)
                return
            done += 1
            advanced(done, len(items))

    async with anyio.create_task_group() as group:
        for _ in range(min(at_once, len(items))):
            group.start_soon(take)
    if failures:
        raise failures[0]
