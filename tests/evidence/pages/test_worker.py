"""Worker processes: what they get, what they may take, and how they end."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from cruxbench_inspect.evidence.pages.worker import WorkerFailed, WorkerFault, in_worker
from tests.evidence.pages import worker_functions as functions

TINY = 0.5
"""Seconds, in which a process has started, but not done anything long."""


def call(function: Callable[..., Any], *arguments: object, **limits: Any) -> Any:
    async def one() -> Any:
        return await in_worker(function, *arguments, **limits)

    return anyio.run(one)


def fault(function: Callable[..., Any], *arguments: object, **limits: Any) -> tuple[WorkerFault, str]:
    with pytest.raises(WorkerFailed) as failed:
        call(function, *arguments, **limits)
    return failed.value.fault, str(failed.value)


def test_large_values_go_and_come_back_whole() -> None:
    value = {"text": "harbour \ud800\0" * 300_000, "body": os.urandom(3_000_000)}
    assert call(functions.same, value) == value


def test_none_of_the_environment_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "EXA_API_KEY", "HTTPS_PROXY", "AWS_SECRET_ACCESS_KEY", "HOME", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "secret")
    environment = call(functions.environment)
    assert "secret" not in environment.values()
    assert set(environment) <= {"PYTHONPATH", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TEMP", "TMP"}


def test_modules_of_the_working_folder_are_not_taken(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit(5)")
    monkeypatch.chdir(tmp_path)
    assert call(functions.same, 1) == 1


def test_every_call_has_a_process_of_its_own() -> None:
    async def several() -> list[Any]:
        answers: list[Any] = []

        async def one() -> None:
            answers.append(await in_worker(functions.process))

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(one)
        return answers

    processes = {number for number, _ in anyio.run(several)}
    assert len(processes) == 3 and os.getpid() not in processes
    assert [call(functions.count), call(functions.count)] == [1, 1]


def test_calls_from_one_event_loop_after_another() -> None:
    assert [call(functions.same, number) for number in range(2)] == [0, 1]
    assert fault(functions.leave, 3)[0] == "crashed"
    assert call(functions.same, "again") == "again"


def test_more_calls_than_processes_wait_and_their_wait_is_not_counted() -> None:
    async def several() -> list[str]:
        ends: list[str] = []

        async def one(function: Callable[..., Any]) -> None:
            try:
                await in_worker(function, seconds=TINY)
            except WorkerFailed as error:
                ends.append(error.fault)

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(one, functions.sleep)
        assert await in_worker(functions.same, "done") == "done"
        return ends

    assert anyio.run(several) == ["too_slow"] * 3


def workers(caller: int) -> list[int]:
    """The worker processes of a process that have not ended."""
    listed = subprocess.run(
        ["ps", "-A", "-w", "-w", *(part for name in ("pid", "ppid", "stat", "args") for part in ("-o", f"{name}="))],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
    return [
        int(pid)
        for pid, parent, state, args in rows
        if int(parent) == caller and state[0] != "Z" and "import serve" in args
    ]


@pytest.mark.parametrize("function", [functions.sleep, functions.ignore_signals])
def test_what_takes_too_long_is_ended(function: Callable[..., Any]) -> None:
    assert fault(function, seconds=TINY) == ("too_slow", "not done within 0.5 s")
    assert not workers(os.getpid())


def test_a_call_that_is_cancelled_leaves_no_process() -> None:
    seen = []

    async def cancelled() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(in_worker, functions.spin)
            seen.extend(await wait_for(lambda: workers(os.getpid())))
            group.cancel_scope.cancel()

    anyio.run(cancelled)
    assert len(seen) == 1
    assert not workers(os.getpid())


def test_a_worker_does_not_outlive_its_caller() -> None:
    """It notices that the caller was killed, even while it computes."""
    program = (
        "import anyio\n"
        "from cruxbench_inspect.evidence.pages.worker import in_worker\n"
        "from tests.evidence.pages.worker_functions import spin\n"
        "anyio.run(in_worker, spin)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    caller = subprocess.Popen([sys.executable, "-c", program], env=environment)
    try:
        worker = anyio.run(wait_for, lambda: workers(caller.pid))
    finally:
        caller.kill()
        caller.wait()
    anyio.run(wait_for, lambda: not exists(worker[0]))


def exists(process: int) -> bool:
    """Whether a process has not ended."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return listed.stdout.strip()[:1] not in ("", "Z")


async def wait_for(found: Callable[[], Any]) -> Any:
    """Whatever is found in the end."""
    with anyio.fail_after(20):
        while not (answer := found()):
            await anyio.sleep(0.02)
    return answer


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits the memory of a process")
def test_memory_has_an_end() -> None:
    assert fault(functions.many, 400_000_000) == ("too_much_memory", "needs more than 350 MB")
    assert fault(functions.many, 60_000_000, megabytes=50)[0] == "too_much_memory"
    assert len(call(functions.many, 10_000_000, megabytes=50)) == 10_000_000
    # The answer fits, but not what it takes to send it.
    assert fault(functions.many, 40_000_000, megabytes=50)[0] == "too_much_memory"


def test_an_error_of_the_function_is_told_in_one_line_of_bounded_length() -> None:
    assert fault(functions.fail, "no such page") == ("crashed", "ValueError: no such page")
    assert len(fault(functions.fail, "x" * 100_000)[1]) <= 500
    assert fault(functions.recurse)[0] == "crashed"


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (functions.leave, (0,)),
        (functions.leave, (3,)),
        (functions.leave_politely, ()),
        (functions.be_killed, ()),
        (functions.unsendable, ()),
    ],
)
def test_a_process_that_dies(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    assert fault(function, *arguments)[0] == "crashed"


def test_a_process_that_dies_before_it_has_read_its_arguments() -> None:
    assert fault(functions.same, [functions.Unreadable(), os.urandom(5_000_000)])[0] == "crashed"


def test_what_is_printed_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    assert call(functions.chatter) == "an answer"
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not tell")
def test_neither_the_tests_so_far_nor_their_workers_took_a_gibibyte() -> None:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        assert 0 < resource.getrusage(whose).ru_maxrss * unit < 2**30
