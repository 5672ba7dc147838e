import threading
from datetime import UTC, datetime, timedelta, timezone

import anyio
import pytest

from cruxbench_inspect import clock
from cruxbench_inspect.utc import parse_utc

THEN = parse_utc("2031-05-06T07:08:09Z")


def is_real(moment: datetime) -> bool:
    return moment.utcoffset() == timedelta() and abs(moment - datetime.now(UTC)) < timedelta(minutes=1)


def test_the_present_is_real_unless_it_is_put_elsewhere() -> None:
    assert is_real(clock.now())
    with clock.at(THEN):
        assert clock.now() == THEN
        with clock.at(THEN + timedelta(days=1)):
            assert clock.now() == THEN + timedelta(days=1)
        assert clock.now() == THEN
    assert is_real(clock.now())


def test_the_present_comes_back_after_an_error() -> None:
    with pytest.raises(KeyError), clock.at(THEN):
        raise KeyError
    assert is_real(clock.now())


def test_a_clock_is_read_each_time_and_told_in_utc() -> None:
    moments = iter([THEN, THEN.astimezone(timezone(timedelta(hours=2))) + timedelta(hours=1)])
    with clock.at(lambda: next(moments)):
        first, second = clock.now(), clock.now()
    assert second - first == timedelta(hours=1)
    assert second.utcoffset() == timedelta()


def test_tasks_and_threads_that_are_started_inside_see_it() -> None:
    seen = []

    async def note() -> None:
        seen.append(clock.now())
        await anyio.to_thread.run_sync(lambda: seen.append(clock.now()))

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(note)

    with clock.at(THEN):
        anyio.run(both)
        thread = threading.Thread(target=lambda: seen.append(clock.now()))
        thread.start()
        thread.join()
    assert seen == [THEN, THEN, THEN]


def test_a_moment_without_a_zone_is_refused() -> None:
    naive = THEN.replace(tzinfo=None)
    with pytest.raises(ValueError, match="2031-05-06T07:08:09 names no time zone"), clock.at(naive):
        pass
