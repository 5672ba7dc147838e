from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.markets.told_stretches import told_run, within

HOUR = timedelta(hours=1)
T0 = datetime(2026, 3, 1, tzinfo=UTC)
stretches = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 20)).map(lambda one: (T0 + one[0] * HOUR, T0 + sum(one) * HOUR)),
    max_size=8,
)


def test_a_break_ends_a_run_and_a_touch_does_not() -> None:
    first, touching, later = (T0, T0 + HOUR), (T0 + HOUR, T0 + 6 * HOUR), (T0 + 7 * HOUR, T0 + 12 * HOUR)
    assert told_run([later, first, touching], T0) == (T0, T0 + 6 * HOUR)
    assert told_run([later, first, touching], T0 + 7 * HOUR) == later
    assert told_run([later], T0) == later
    assert told_run([], T0) is None


@given(stretches, st.integers(0, 100))
def test_every_moment_of_a_run_is_told(found: list[tuple[datetime, datetime]], by: int) -> None:
    run = told_run(found, T0 + by * HOUR)
    assert (run is None) == (not found)
    if run is not None:
        assert {run[0]} <= {start for start, _ in found} and {run[1]} <= {end for _, end in found}
        hours = [run[0] + number * HOUR for number in range((run[1] - run[0]) // HOUR)]
        assert all(within(hour, found) for hour in hours)
        # It ends where there is a break.
        assert not any(start <= run[1] < end for start, end in found)
