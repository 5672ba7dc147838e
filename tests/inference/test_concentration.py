"""Shares and thirds by hand and against sorting."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.inference.concentration import Tercile, tercile_means, top_share

SCORES = st.lists(st.floats(0.001, 1), min_size=1, max_size=30)


def test_the_share_of_the_highest() -> None:
    assert top_share([0.1, 0.4, 0.2, 0.3], 2) == pytest.approx(0.7, abs=1e-12)
    assert top_share([0.1] * 40) == pytest.approx(0.25, abs=1e-12)
    assert top_share([0.1, 0.2]) == pytest.approx(1.0, abs=1e-12)
    assert top_share([2.0, -1.0], 1) == pytest.approx(2.0, abs=1e-12)
    assert top_share([0.3], 0) == 0.0


@given(SCORES, st.integers(0, 30))
def test_the_share_is_that_of_the_sorted_scores(values: list[float], count: int) -> None:
    share = top_share(values, count)
    assert share == pytest.approx(math.fsum(sorted(values, reverse=True)[:count]) / math.fsum(values), rel=1e-9)
    assert share >= min(count / len(values), 1.0) - 1e-12


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [1.0, -1.0]])
def test_without_a_sum_there_is_no_share(values: list[float]) -> None:
    assert math.isnan(top_share(values))


def test_thirds_by_another_quantity() -> None:
    values, volume = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0]
    assert tercile_means(values, volume) == (Tercile(3, 6.0), Tercile(2, 3.5), Tercile(2, 1.5))


def test_ties_stay_in_order() -> None:
    assert tercile_means([1.0, 2.0, 3.0], [5.0, 5.0, 5.0]) == (Tercile(1, 1.0), Tercile(1, 2.0), Tercile(1, 3.0))


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 5)), min_size=3, max_size=30))
def test_thirds_have_all_questions_once(rows: list[tuple[float, int]]) -> None:
    thirds = tercile_means([value for value, _ in rows], [by for _, by in rows])
    counts = [third.count for third in thirds]
    assert sum(counts) == len(rows) and max(counts) - min(counts) <= 1
    ordered = [value for value, _ in sorted(rows, key=lambda row: row[1])]
    ends = np.cumsum(counts)
    for third, end in zip(thirds, ends, strict=True):
        assert third.mean == pytest.approx(math.fsum(ordered[end - third.count : end]) / third.count, abs=1e-9)


def test_too_few_questions_leave_a_third_empty() -> None:
    lower, middle, upper = tercile_means([1.0, 2.0], [2.0, 1.0])
    assert (lower, middle) == (Tercile(1, 2.0), Tercile(1, 1.0))
    assert upper.count == 0 and math.isnan(upper.mean)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        top_share([0.1, float("nan")])
    with pytest.raises(ValueError, match="negative"):
        top_share([0.1], -1)
    with pytest.raises(ValueError, match="NaN"):
        tercile_means([0.1, 0.2], [1.0, float("nan")])
    with pytest.raises(ValueError, match="one length"):
        tercile_means([0.1, 0.2], [1.0])
