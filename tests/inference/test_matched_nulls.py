"""Matched nulls by hand, and in simulations where timing has no skill, and where it has."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cruxbench_inspect.inference.matched_nulls import (
    WindowHours,
    other_markets,
    permuted_times,
    pivot_scores,
    same_time_of_day,
)

Floats = NDArray[np.float64]
Null = Callable[[Sequence[WindowHours]], Floats]

NULLS: tuple[Null, ...] = (same_time_of_day, permuted_times, other_markets)


def hours(count: int, first_hour: int = 0, pivot: int | None = 0, undefined: Sequence[int] = ()) -> WindowHours:
    """A window whose KL at position i is (i / 100)^2."""
    kl = (np.arange(count) / 100.0) ** 2
    kl[list(undefined)] = np.nan
    return WindowHours(kl, first_hour, pivot)


def kl_at(*positions: int) -> float:
    return float(np.mean([(position / 100) ** 2 for position in positions]))


def test_hours_at_the_same_time_of_day() -> None:
    windows = [
        hours(720, pivot=300),
        hours(720, pivot=50),
        hours(720, pivot=719),
        hours(100, pivot=30, undefined=[6, 54]),
        hours(720, pivot=300, first_hour=17),
    ]
    middle = kl_at(*range(300 - 7 * 24, 300 + 7 * 24 + 1, 24))
    assert len(range(300 - 7 * 24, 300 + 7 * 24 + 1, 24)) == 15
    expected = [
        middle,
        kl_at(*range(2, 50 + 7 * 24 + 1, 24)),
        kl_at(*range(719 - 7 * 24, 720, 24)),
        kl_at(30, 78),
        middle,
    ]
    assert same_time_of_day(windows) == pytest.approx(expected, rel=1e-9)
    assert same_time_of_day(windows[:1], days=1) == pytest.approx([kl_at(276, 300, 324)], rel=1e-9)
    assert same_time_of_day(windows, days=0) == pytest.approx(pivot_scores(windows), rel=1e-9)


def test_times_are_permuted_over_questions_of_one_length() -> None:
    windows = [hours(241, pivot=10), hours(241, pivot=100), hours(241, pivot=240, undefined=[100])]
    expected = [kl_at(10, 100, 240), kl_at(10, 100, 240), kl_at(10, 240)]
    assert permuted_times(windows) == pytest.approx(expected, rel=1e-9)


def test_permuted_times_are_the_mean_over_all_permutations() -> None:
    rng = np.random.default_rng(4)
    windows = [WindowHours(rng.exponential(size=200), 0, int(rng.integers(0, 200))) for _ in range(6)]
    pivots = [window.pivot for window in windows if window.pivot is not None]
    draws = [rng.permutation(pivots) for _ in range(20000)]
    means = np.mean([[window.kl[at] for window, at in zip(windows, drawn, strict=True)] for drawn in draws], axis=0)
    assert permuted_times(windows) == pytest.approx(means, abs=0.05)


def test_a_permuted_time_keeps_its_share_of_the_window_and_its_hour_of_the_day() -> None:
    # The first window starts at 00:00; its pivot is 23:00 on its fifth day, with 119 / 239 of the window gone.
    # The second starts at 06:00 and has 480 hours: half of it ends near 238, and 23:00 is at 17, 41, .., 233, 257.
    # Its own pivot, position 0, is 06:00 of its first day; in the first window that is position 6.
    windows = [hours(240, first_hour=48, pivot=119), hours(480, first_hour=30, pivot=0)]
    assert permuted_times(windows) == pytest.approx([kl_at(119, 6), kl_at(233, 0)], rel=1e-9)


def test_a_permuted_time_stays_within_the_window() -> None:
    # 22:00 at the end of a window that starts at 23:00, in one that starts at 00:00 and ends at 12:00.
    windows = [hours(48, first_hour=23, pivot=47), hours(37, first_hour=24, pivot=36), hours(5, first_hour=24, pivot=4)]
    assert permuted_times(windows)[1:] == pytest.approx([kl_at(22, 36, 28), kl_at(4)], rel=1e-9)


def test_other_markets_in_the_same_hour() -> None:
    windows = [
        hours(100, first_hour=1000, pivot=60),
        hours(100, first_hour=1050, pivot=10),
        hours(100, first_hour=1060, pivot=99, undefined=[0]),
        hours(10, first_hour=0, pivot=5),
    ]
    # Hour 1060 is position 60, 10 and 0 of the first three; hour 1159 is past the ends of the others.
    assert other_markets(windows) == pytest.approx([kl_at(10), kl_at(60), np.nan, np.nan], rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("pivot", [None, -1, 100, 3])
def test_without_a_score_there_is_no_null(null: Null, pivot: int | None) -> None:
    windows = [hours(100, pivot=pivot, undefined=[3]), hours(100, pivot=27), hours(100, pivot=27)]
    assert np.isnan(null(windows)).tolist() == [True, False, False]
    assert np.isnan(pivot_scores(windows)).tolist() == [True, False, False]
    assert null([]).shape == (0,)


def market_set(rng: np.random.Generator, skill: float = 0.0) -> list[WindowHours]:
    """Windows of 20 days in one season, where KL depends on the question, the hour of the day and the calendar hour.

    The model always chooses 23:00, when prices move most. With ``skill`` some pivots are the best of many such hours.
    """
    season = 60 * 24
    calendar = rng.gamma(4.0, 0.25, season) * np.where(np.arange(season) % 24 >= 20, 2.0, 1.0)
    windows = []
    for _ in range(80):
        count = int(rng.integers(15, 21)) * 24
        first = int(rng.integers(0, season - count))
        kl = rng.gamma(5.0, 0.3) * calendar[first : first + count] * rng.gamma(2.0, 0.5, count)
        kl[: int(rng.integers(0, 24))] = np.nan
        # Days are drawn evenly: the nulls take care of the hour of the day and of the season.
        at_night = np.flatnonzero((np.arange(first, first + count) % 24 == 23) & ~np.isnan(kl))
        choices = rng.choice(at_night, 12)
        pivot = int(choices[np.argmax(kl[choices])] if rng.random() < skill else choices[0])
        windows.append(WindowHours(kl, first, pivot))
    return windows


def paired(null: Null, windows: Sequence[WindowHours]) -> Floats:
    differences = pivot_scores(windows) - null(windows)
    return differences[~np.isnan(differences)]


@pytest.fixture(scope="module")
def unskilled() -> list[list[WindowHours]]:
    rng = np.random.default_rng(21)
    return [market_set(rng) for _ in range(200)]


@pytest.mark.parametrize("null", NULLS)
def test_timing_without_skill_scores_at_random(null: Null, unskilled: list[list[WindowHours]]) -> None:
    differences = [paired(null, windows) for windows in unskilled]
    means = np.array([values.mean() for values in differences])
    assert abs(means.mean()) < 3 * means.std(ddof=1) / np.sqrt(200)
    p_values = [stats.ttest_1samp(values, 0).pvalue for values in differences]
    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.09


def test_the_plain_mean_over_the_window_would_take_habit_for_skill(unskilled: list[list[WindowHours]]) -> None:
    excess = [
        np.mean(pivot_scores(windows) - [np.nanmean(window.kl) for window in windows]) for windows in unskilled[:50]
    ]
    assert np.mean(excess) > 5 * np.std(excess, ddof=1) / np.sqrt(50)


@pytest.mark.parametrize("null", NULLS)
def test_skill_in_timing_beats_the_null(null: Null) -> None:
    rng = np.random.default_rng(23)
    p_values = [
        stats.ttest_1samp(paired(null, market_set(rng, skill=0.5)), 0, alternative="greater").pvalue for _ in range(20)
    ]
    assert np.mean(np.array(p_values) < 0.05) > 0.8
