"""Intervals and tests against SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.statistics import one_sided_p, t_interval

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
