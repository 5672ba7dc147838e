"""Running a function on foreign text in a process of its own, with a limit on its time and its memory.

Each call has a new process, which takes about a quarter of a second to start: it knows nothing of an earlier page, and
nothing is left of it. It gets none of the environment, in which there may be keys and proxies.
"""

import math
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from typing import Literal, TypeVar

import anyio
from anyio.lowlevel import RunVar

WorkerFault = Literal["too_slow", "too_much_memory", "crashed"]

SECONDS = 20.0
MEGABYTES = 350

Result = TypeVar("Result")

# With the memory that each may take, two and the benchmark itself stay below a gibibyte.
_PROCESSES = 2
_LOOK_FOR_CALLER = 0.5  # seconds
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
    """Call a function in a process of its own, as soon as one of two turns is free.

    Args:
        function: A function of a module.
        arguments: Its arguments.
        seconds: How long it may take, with the start of the process. Waiting for a turn is not counted: with n calls
            before it, it may be done only after half of n times as long, too.
        megabytes: How much memory it may take beyond what the process has before it, where the system can limit that.

    Raises:
        WorkerFailed: If it takes too long or too much, raises, or its process dies.
    """
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
    request = pickle.dumps((function, arguments, seconds, megabytes))
    done = None
    async with _current_limiter():
        with anyio.move_on_after(seconds) as scope:
            try:
                done = await anyio.run_process(
                    [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({os.getpid()})"],
                    input=request,
                    check=False,
                    stderr=None,
                    env=environment,
                )
            except* anyio.BrokenResourceError:
                pass  # it died before it had read its arguments
    if scope.cancelled_caught:
        raise WorkerFailed("too_slow", f"not done within {seconds:g} s")
    if done is None:
        raise WorkerFailed("crashed", "the worker process died before it began")
    if done.returncode != 0 or not done.stdout:
        raise WorkerFailed("crashed", f"the worker process died with code {done.returncode}")
    fault, result = pickle.loads(done.stdout)  # noqa: S301  # our own process wrote it
    if fault is not None:
        raise WorkerFailed(fault, result)
    return result  # type: ignore[no-any-return]


def serve(caller: int) -> None:
    """Answer one request on standard input; this is what the worker process runs.

    Args:
        caller: The number of the process that waits for the answer.
    """
    # Whatever a parser prints must not get into the answer.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    if sys.platform != "win32":  # where the interpreter of an environment is started by another process
        threading.Thread(target=_end_with, args=(caller,), daemon=True).start()
    function, arguments, seconds, megabytes = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own process wrote it
    try:
        _limit(seconds, megabytes)
        content = pickle.dumps((None, function(*arguments)))
    except MemoryError:
        content = pickle.dumps(("too_much_memory", f"needs more than {megabytes} MB"))
    except Exception as error:
        content = pickle.dumps(("crashed", f"{type(error).__name__}: {error}"[:500]))
    with answer:
        answer.write(content)


def _end_with(caller: int) -> None:
    """End this process when its caller was killed and could not do so itself."""
    while os.getppid() == caller:
        time.sleep(_LOOK_FOR_CALLER)
    os._exit(1)


def _limit(seconds: float, megabytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    # The caller keeps the time. This is for a parser that lets no other thread run when the caller is gone.
    most = math.ceil(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    if sys.platform == "linux":
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
