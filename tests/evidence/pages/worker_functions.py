"""Functions that are called in worker processes; those find them by the name of this module."""

import os
import signal
import sys
import threading
import time


def environment() -> dict[str, str]:
    """The environment of the process."""
    return dict(os.environ)


def process() -> tuple[int, str]:
    """The number of the process, and where its modules come from first."""
    return os.getpid(), sys.path[0]


def count(numbers: list[int] = []) -> int:  # noqa: B006  # what would be left of an earlier call
    """How often it was called in this process."""
    numbers.append(1)
    return len(numbers)


def same(value: object) -> object:
    """What it is given."""
    return value


def many(size: int) -> bytes:
    """So many bytes."""
    return bytes(size)


def sleep() -> None:
    """Takes longer than anybody waits."""
    time.sleep(1000)


def spin() -> None:
    """Computes without an end."""
    while True:
        pass


def ignore_signals() -> None:
    """Does not end when it is asked to."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    spin()


def recurse() -> None:
    """Calls itself without an end."""
    recurse()


def chatter() -> str:
    """Prints whatever a parser may print."""
    for descriptor in (1, 2):
        os.write(descriptor, b"not an answer" * 10_000)
    print("not an answer", flush=True)
    print("not an answer", file=sys.stderr, flush=True)
    return "an answer"


def fail(detail: str) -> None:
    """Raises an error."""
    raise ValueError(detail)


def leave(code: int) -> None:
    """Ends the process at once."""
    os._exit(code)


def leave_politely() -> None:
    """Ends the process by way of an exception."""
    raise SystemExit(0)


def be_killed() -> None:
    """Ends as a process does that has run out of a machine's memory, or broken a rule of it."""
    os.kill(os.getpid(), signal.SIGKILL)


def unsendable() -> object:
    """Gives back what cannot be sent."""
    return threading.Lock()


class Unreadable:
    """Cannot be read where it arrives."""

    def __reduce__(self) -> tuple[object, ...]:
        return leave, (3,)
