from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.markets.told_stretches import BRIDGED, told_run, within

HOUR = timedelta(hours=1)
T0 = datetime(2026, 3, 1, tzinfo=UTC)
stretches = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 20)).map(lambda one: (T0 + one[0] * HOUR, T0 + sum(one) * HOUR)),
    max_size=8,
)


def test_a_short_break_is_bridged_and_a_long_one_ends_the_run() -> None:
    first, short, long = (T0, T0 + HOUR), (T0 + 4 * HOUR, T0 + 6 * HOUR), (T0 + 10 * HOUR, T0 + 12 * HOUR)
    assert told_run([long, first, short], T0) == (T0, T0 + 6 * HOUR)
    assert told_run([long, first, short], T0 + 10 * HOUR) == long
    assert told_run([long], T0) == long
    assert told_run([], T0) is None


@given(stretches, st.integers(0, 100))
def test_every_moment_of_a_run_is_told_or_close_to_what_is(found: list[tuple[datetime, datetime]], by: int) -> None:
    run = told_run(found, T0 + by * HOUR)
    assert (run is None) == (not found)
    if run is not None:
        assert {run[0]} <= {start for start, _ in found} and {run[1]} <= {end for _, end in found}
        hours = [run[0] + number * HOUR for number in range((run[1] - run[0]) // HOUR + 1)]
        near = [(start - BRIDGED, end + BRIDGED + timedelta(seconds=1)) for start, end in found]
        assert all(within(hour, near) for hour in hours)
        # It ends where there is a longer break.
        assert not any(run[1] < start <= run[1] + BRIDGED for start, _ in found)
