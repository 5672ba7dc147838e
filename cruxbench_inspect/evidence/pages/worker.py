"""Running a function on foreign text in a process of its own, with a limit on its time and its memory.

Each call has a new process, which takes about a quarter of a second to start: it knows nothing of an earlier page, and
nothing is left of it. It gets none of the environment, in which there may be keys and proxies.
"""

import os
import pickle
import sys
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import anyio
from anyio.lowlevel import RunVar

WorkerFault = Literal["too_slow", "too_much_memory", "crashed"]

SECONDS = 20.0
MEGABYTES = 600

Result = TypeVar("Result")

_PROCESSES = 4
_ENVIRONMENT = ("LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMP")
_limiter: RunVar[anyio.CapacityLimiter] = RunVar("cruxbench_workers")


class WorkerFailed(Exception):
    """A function that did not end well.

    Attributes:
        fault: What it ran into.
    """

    def __init__(self, fault: WorkerFault, detail: str) -> None:
        self.fault: WorkerFault = fault
        super().__init__(detail)


async def in_worker(
    function: Callable[..., Result], *arguments: object, seconds: float = SECONDS, megabytes: int = MEGABYTES
) -> Result:
    """Call a function in a process of its own.

    Args:
        function: A function of a module.
        arguments: Its arguments.
        seconds: How long it may take, with the start of the process.
        megabytes: How much memory it may take beyond what the process has before it, where the system can limit that.

    Raises:
        WorkerFailed: If it takes too long or too much, raises, or its process dies.
    """
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    request = pickle.dumps((function, arguments, megabytes))
    async with _current_limiter():
        with anyio.move_on_after(seconds) as scope:
            done = await anyio.run_process(
                [sys.executable, "-c", f"from {__name__} import serve; serve()"],
                input=request,
                check=False,
                stderr=None,
                env=environment,
            )
    if scope.cancelled_caught:
        raise WorkerFailed("too_slow", f"not done within {seconds:g} s")
    if done.returncode != 0 or not done.stdout:
        raise WorkerFailed("crashed", f"the worker process died with code {done.returncode}")
    fault, result = pickle.loads(done.stdout)  # noqa: S301  # our own process wrote it
    if fault is not None:
        raise WorkerFailed(fault, result)
    return result  # type: ignore[no-any-return]


def serve() -> None:
    """Answer one request on standard input; this is what the worker process runs."""
    # Whatever a parser prints must not get into the answer.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    function, arguments, megabytes = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own process wrote it
    reply: tuple[WorkerFault | None, Any]
    try:
        _limit_memory(megabytes)
        reply = None, function(*arguments)
    except MemoryError:
        reply = "too_much_memory", f"needs more than {megabytes} MB"
    except Exception as error:
        reply = "crashed", f"{type(error).__name__}: {error}"[:500]
    with answer:
        pickle.dump(reply, answer)


def _limit_memory(megabytes: int) -> None:
    if not sys.platform.startswith("linux"):
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    most = used + megabytes * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _current_limiter() -> anyio.CapacityLimiter:
    try:
        return _limiter.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(max(1, min(_PROCESSES, os.cpu_count() or 1)))
        _limiter.set(limiter)
        return limiter
