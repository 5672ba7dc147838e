"""Intervals and tests against SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.statistics import one_sided_p, t_interval, wilson_interval

VALUES = st.lists(st.floats(-1, 1), min_size=2, max_size=50).filter(lambda values: np.std(values) > 1e-6)


@given(VALUES, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_is_the_t_interval(values: list[float], level: float) -> None:
    expected = stats.ttest_1samp(values, 0).confidence_interval(level)
    assert t_interval(values, level) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-9)


@given(VALUES)
def test_the_p_value_is_that_of_the_one_sided_t_test(values: list[float]) -> None:
    expected = stats.ttest_1samp(values, 0, alternative="greater").pvalue
    assert one_sided_p(values) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("values", [[], [0.3]])
def test_too_few_values_have_neither(values: list[float]) -> None:
    assert all(math.isnan(bound) for bound in t_interval(values))
    assert math.isnan(one_sided_p(values))


def test_equal_differences_have_no_p_value() -> None:
    assert math.isnan(one_sided_p([0.2, 0.2, 0.2]))


@pytest.mark.parametrize(
    ("successes", "trials", "expected"),
    [
        (0, 10, (0.0, 0.27753)),
        (5, 10, (0.23659, 0.76341)),
        (10, 10, (0.72247, 1.0)),
        (1, 671, (0.00026, 0.00839)),
    ],
)
def test_the_wilson_interval_of_a_proportion(successes: int, trials: int, expected: tuple[float, float]) -> None:
    assert wilson_interval(successes, trials) == pytest.approx(expected, abs=1e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.8, 0.95]))
def test_the_wilson_interval_solves_the_score_equation(counts: tuple[int, int], level: float) -> None:
    successes, trials = counts
    share, z = successes / trials, float(stats.norm.ppf(0.5 + level / 2))
    for bound in wilson_interval(successes, trials, level):
        assert 0 <= bound <= 1
        assert (share - bound) ** 2 == pytest.approx(z**2 * bound * (1 - bound) / trials, abs=1e-9)


def test_without_trials_there_is_no_wilson_interval() -> None:
    assert all(math.isnan(bound) for bound in wilson_interval(0, 0))
