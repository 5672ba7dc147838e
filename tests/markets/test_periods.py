from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.markets.periods import (
    DAY,
    LAST_MOVE,
    PERIOD,
    SHORTEST_WINDOW,
    Period,
    choose_window,
    is_active,
    latest_crux_end,
    live_window,
    periods,
    rank,
    windows,
)

EARLIEST = datetime(2025, 9, 1, tzinfo=UTC)
moments = st.floats(0, 515).map(lambda days: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=days))
prices = st.one_of(st.sampled_from([0.0, 0.1, 0.100001, 0.5, 0.899999, 0.9, 1.0]), st.floats(0, 1))


def history(start: datetime, daily: list[float]) -> tuple[np.ndarray, np.ndarray]:
    seconds = int(start.timestamp()) + 86400 * np.arange(len(daily), dtype=np.int64)
    return seconds, np.array(daily, dtype=np.float64)


@pytest.mark.parametrize(
    ("days", "count"), [(-3, 1), (0, 1), (0.5, 1), (1, 1), (29.9, 1), (30, 1), (30.9, 1), (31, 2), (60.99, 2), (61, 3)]
)
def test_there_are_as_many_periods_as_whole_days_need(days: float, count: int) -> None:
    first = datetime(2025, 10, 1, 0, 0, 10, tzinfo=UTC)
    laid = periods(first, first + timedelta(days=days), EARLIEST)
    assert [period.index for period in laid] == list(range(count))
    assert laid[0].start == first and laid[-1].end == first + count * PERIOD


def test_periods_start_at_the_earliest_moment_if_the_first_price_is_older() -> None:
    laid = periods(datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC), EARLIEST)
    assert [period.start for period in laid] == [EARLIEST, EARLIEST + PERIOD, EARLIEST + 2 * PERIOD]


@given(moments, st.timedeltas(timedelta(0), timedelta(days=400)))
def test_periods_cover_the_life_without_gaps_but_for_less_than_a_day(first: datetime, life: timedelta) -> None:
    last = first + life
    laid = periods(first, last, EARLIEST)
    assert all(before.end == after.start for before, after in zip(laid, laid[1:], strict=False))
    assert all(period.end - period.start == PERIOD for period in laid)
    assert last - laid[-1].end < DAY
    assert len(laid) == 1 or laid[-1].start < last


@pytest.mark.parametrize(
    ("daily", "active"),
    [
        ([0.05, 0.1, 0.1], False),
        ([0.9, 0.95, 1.0], False),
        ([0.1, 0.1001, 0.1], True),
        ([0.9, 0.8999, 0.9], True),
        ([0.0, 1.0, 0.0], True),
    ],
)
def test_a_period_is_active_unless_it_is_decided_on_all_its_days(daily: list[float], active: bool) -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    assert is_active(Period(0, start, start + PERIOD), *history(start, daily)) is active


def test_the_last_price_of_a_day_is_that_of_its_midnight() -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    seconds = np.array([int((start + timedelta(hours=hour)).timestamp()) for hour in (1, 23)])
    assert not is_active(Period(0, start, start + PERIOD), seconds, np.array([0.5, 0.02]))
    assert is_active(Period(0, start, start + PERIOD), seconds, np.array([0.02, 0.5]))


def test_a_day_without_a_price_has_the_price_before() -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    seconds, values = history(start, [0.5, 0.02, 0.02, 0.02])
    gap = np.array([True, False, False, True])
    later = Period(1, start + DAY, start + DAY + PERIOD)
    assert is_active(later, seconds[gap], values[gap])
    assert not is_active(later, seconds, values)


def test_prices_after_the_period_do_not_count_and_its_last_midnight_does() -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    seconds, values = history(start, [0.05] * 30 + [0.5])
    assert is_active(Period(0, start, start + PERIOD), seconds, values)
    assert not is_active(Period(0, start, start + PERIOD - timedelta(seconds=1)), seconds, values)


def test_a_period_without_a_midnight_is_not_active() -> None:
    start = datetime(2025, 10, 1, 9, tzinfo=UTC)
    period = Period(0, start, start + PERIOD)
    assert not is_active(period, *history(start, [0.5]))
    assert not is_active(period, np.empty(0, dtype=np.int64), np.empty(0))


@given(st.lists(prices, min_size=1, max_size=70), st.integers(0, 86399), st.integers(0, 60), st.integers(0, 86399))
def test_activity_equals_a_count_of_days(daily: list[float], first: int, begins: int, second: int) -> None:
    origin = datetime(2025, 10, 1, tzinfo=UTC)
    seconds, values = history(origin + timedelta(seconds=first), daily)
    start = origin + begins * DAY + timedelta(seconds=second)
    if start < origin + timedelta(seconds=first):
        start = origin + timedelta(seconds=first)
    period, last = Period(0, start, start + PERIOD), origin + (len(daily) - 1) * DAY + timedelta(seconds=first)
    seen = [
        price for day, price in enumerate(daily) if start <= origin + day * DAY <= min(period.end, last)
    ]  # one price a day: the day's own
    expected = bool(seen) and not (all(price <= 0.1 for price in seen) or all(price >= 0.9 for price in seen))
    assert is_active(period, seconds, values) is expected


def test_a_window_by_the_last_price_ends_three_days_before_it() -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    laid = periods(start, start + timedelta(days=50), EARLIEST)
    assert windows(laid, start + timedelta(days=50), None) == (
        Period(0, start, start + PERIOD),
        Period(1, start + PERIOD, start + timedelta(days=47)),
    )


@pytest.mark.parametrize(("days", "count"), [(10, 1), (9.99, 0)])
def test_a_window_has_seven_whole_days(days: float, count: int) -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    last = start + timedelta(days=days)
    assert len(windows(periods(start, last, EARLIEST), last, None)) == count
    assert len(windows(periods(start, last, EARLIEST), last, start + timedelta(days=200))) == count


def test_the_length_of_a_window_does_not_tell_of_an_early_settlement() -> None:
    start, closes = datetime(2025, 10, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    ends = set()
    for days in (12, 17, 25, 32):
        last = start + timedelta(days=days)
        ends.add(windows(periods(start, last, EARLIEST)[:1], last, closes)[0].end)
    assert ends == {start + PERIOD}


def test_a_window_ends_three_days_before_the_scheduled_close() -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    last = closes = start + timedelta(days=20)
    assert windows(periods(start, last, EARLIEST), last, closes) == (Period(0, start, start + timedelta(days=17)),)
    assert latest_crux_end(start, closes) == start + timedelta(days=17)
    assert latest_crux_end(start, closes + PERIOD) == start + PERIOD


def test_a_period_too_near_to_the_scheduled_close_has_no_window() -> None:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    last = start + timedelta(days=30)
    assert not windows(periods(start, last, EARLIEST), last, start + timedelta(days=9))


@given(moments, st.floats(0, 300), st.floats(0, 300))
def test_windows_are_never_longer_than_a_period_nor_too_short(first: datetime, life: float, scheduled: float) -> None:
    last, closes = first + timedelta(days=life), first + timedelta(days=scheduled)
    if last < EARLIEST:
        return
    for window in windows(periods(first, last, EARLIEST), last, closes):
        assert SHORTEST_WINDOW <= window.end - window.start <= PERIOD
        assert window.end <= closes - LAST_MOVE
        assert window.start >= max(first, EARLIEST) and window.start + SHORTEST_WINDOW <= last - LAST_MOVE


def some(count: int) -> list[Period]:
    start = datetime(2025, 10, 1, tzinfo=UTC)
    return [Period(index, start + index * PERIOD, start + (index + 1) * PERIOD) for index in range(count)]


def test_the_choice_depends_on_seed_and_market_alone() -> None:
    assert choose_window(some(5), 42, "7") == choose_window(some(5)[::-1], 42, "7")
    assert len({choose_window(some(5), 42, str(market)).index for market in range(100)}) == 5
    assert len({choose_window(some(5), seed, "7").index for seed in range(100)}) == 5


def test_a_further_window_changes_a_choice_only_to_itself() -> None:
    for market in map(str, range(200)):
        assert choose_window(some(5), 42, market).index in (choose_window(some(4), 42, market).index, 4)


def test_the_choice_is_fair() -> None:
    drawn = [choose_window(some(4), 1, str(market)).index for market in range(4000)]
    assert all(abs(drawn.count(index) - 1000) < 5 * (4000 * 0.25 * 0.75) ** 0.5 for index in range(4))


def test_ranks_do_not_run_into_each_other() -> None:
    assert rank(1, "11") != rank(11, "1") and rank(1, "a", 1) != rank(1, "a1")


def test_a_live_window_starts_at_midnight() -> None:
    start, closes = datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)
    assert live_window(start, closes) == Period(0, start, start + PERIOD)
    with pytest.raises(ValueError, match="00:00Z, not at 2026-12-01T00:00:01Z"):
        live_window(start + timedelta(seconds=1), closes)


@pytest.mark.parametrize(("days", "length"), [(9.9, None), (10, 7), (20, 17), (33, 30), (90, 30)])
def test_a_live_window_ends_three_days_before_the_scheduled_close(days: float, length: int | None) -> None:
    start = datetime(2026, 12, 1, tzinfo=UTC)
    window = live_window(start, start + timedelta(days=days))
    assert (window and window.end - window.start) == (length and timedelta(days=length))
