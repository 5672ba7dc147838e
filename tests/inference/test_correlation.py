"""Correlations against SciPy and by hand."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.inference.correlation import fisher_interval, leave_one_out, pearson_fisher, spearman

POINTS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=4, max_size=12).filter(
    lambda points: all(len(set(side)) > 1 for side in zip(*points, strict=True))
)


@given(POINTS, st.sampled_from([0.8, 0.95, 0.99]))
def test_pearson_is_that_of_scipy(points: list[tuple[int, int]], level: float) -> None:
    x, y = zip(*points, strict=True)
    result, expected = pearson_fisher(x, y, level), stats.pearsonr(x, y)
    assert result.r == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
    assert result.p == pytest.approx(expected.pvalue, abs=1e-9)
    assert result.interval == pytest.approx(tuple(expected.confidence_interval(level)), abs=1e-7)


def test_the_interval_of_the_published_correlation() -> None:
    low, high = fisher_interval(0.90, 8)
    assert (round(low, 2), round(high, 2)) == (0.53, 0.98)
    half = 1.959963984540054 / math.sqrt(5)
    by_hand = [
        (math.exp(2 * z) - 1) / (math.exp(2 * z) + 1) for z in (math.log(19) / 2 - half, math.log(19) / 2 + half)
    ]
    assert (low, high) == pytest.approx(by_hand, abs=1e-9)


def test_the_p_value_is_that_of_the_t_test() -> None:
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 4.0, 3.0, 6.0]
    result = pearson_fisher(x, y)
    t = result.r * math.sqrt(3 / (1 - result.r**2))
    assert result.p == pytest.approx(2 * stats.t.sf(t, 3), abs=1e-9)


def test_intervals_of_normal_points_cover_the_correlation() -> None:
    generator = np.random.default_rng(11)
    covered = []
    for _ in range(1000):
        x, noise = generator.standard_normal((2, 8))
        low, high = pearson_fisher(x, 0.8 * x + 0.6 * noise).interval
        covered.append(low <= 0.8 <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_leaving_out_each_point() -> None:
    x, y = [1.0, 2.0, 3.0, 10.0], [2.0, 1.0, 3.0, 20.0]
    expected = [np.corrcoef(np.delete(x, left), np.delete(y, left))[0, 1] for left in range(4)]
    assert leave_one_out(x, y) == pytest.approx(expected, abs=1e-9)
    assert math.isnan(leave_one_out([0.0, 0.0, 0.0, 1.0], y)[3])


@given(POINTS)
def test_spearman_is_pearson_of_average_ranks(points: list[tuple[int, int]]) -> None:
    x, y = zip(*points, strict=True)
    expected = np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]
    assert spearman(x, y) == pytest.approx(expected, abs=1e-9)


def test_spearman_sees_order_only() -> None:
    assert spearman([1.0, 2.0, 3.0, 4.0], [1.0, 10.0, 100.0, 1000.0]) == pytest.approx(1.0, abs=1e-12)
    assert spearman([1.0, 2.0, 3.0, 4.0], [5.0, 3.0, 2.0, -9.0]) == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize(("x", "y"), [([], []), ([1.0, 2.0], [2.0, 1.0]), ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0])])
def test_too_little_data_has_none(x: list[float], y: list[float]) -> None:
    result = pearson_fisher(x, y)
    assert all(
        math.isnan(value) for value in (result.r, *result.interval, result.p, spearman(x, y), *leave_one_out(x, y))
    )


def test_three_points_have_a_coefficient_without_an_interval() -> None:
    result = pearson_fisher([1.0, 2.0, 3.0], [1.0, 3.0, 2.0])
    assert result.r == pytest.approx(0.5, abs=1e-12)
    assert all(math.isnan(bound) for bound in result.interval)
    assert fisher_interval(-1.0, 5) == (-1.0, -1.0)


@pytest.mark.parametrize("function", [pearson_fisher, leave_one_out, spearman])
def test_what_is_refused(function: Callable[[list[float], list[float]], object]) -> None:
    with pytest.raises(ValueError, match="NaN"):
        function([1.0, 2.0, float("nan")], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="one length"):
        function([1.0, 2.0, 3.0], [1.0, 2.0])
