"""Adjusted p values against the step procedures by definition."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.inference.corrections import benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02], abs=1e-12)
    assert holm([0.6, 0.9]) == pytest.approx([1.0, 1.0], abs=1e-12)


def test_benjamini_hochberg_by_hand() -> None:
    adjusted = benjamini_hochberg([0.01, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx([0.02, 0.04, 0.04, 0.02], abs=1e-12)


@given(P_VALUES)
def test_holm_is_the_largest_step_down_so_far(values: list[float]) -> None:
    ordered = sorted(values)
    steps = [min(1.0, max((len(values) - j) * ordered[j] for j in range(i + 1))) for i in range(len(values))]
    assert holm(values) == pytest.approx([steps[ordered.index(value)] for value in values], abs=1e-9)


@given(P_VALUES)
def test_benjamini_hochberg_is_the_smallest_step_up_from_there(values: list[float]) -> None:
    ordered, count = sorted(values), len(values)
    steps = [min(ordered[j] * count / (j + 1) for j in range(i, count)) for i in range(count)]
    last = {value: place for place, value in enumerate(ordered)}
    assert benjamini_hochberg(values) == pytest.approx([steps[last[value]] for value in values], abs=1e-9)


@given(P_VALUES, st.integers(1, 4))
@settings(max_examples=30)
def test_nan_stays_and_does_not_count(values: list[float], missing: int) -> None:
    for correction in (holm, benjamini_hochberg):
        adjusted = correction([*values, *[float("nan")] * missing])
        assert adjusted[: len(values)] == correction(values)
        assert all(math.isnan(value) for value in adjusted[len(values) :])


@pytest.mark.parametrize("correction", [holm, benjamini_hochberg])
def test_edges(correction: Callable[[list[float]], list[float]]) -> None:
    assert correction([]) == []
    assert math.isnan(correction([float("nan")])[0])
    for outside in (-0.1, 1.1):
        with pytest.raises(ValueError, match="p values must lie in"):
            correction([0.5, outside])


def test_holm_keeps_the_family_wise_error_rate_where_all_differences_are_zero() -> None:
    scores = np.random.default_rng(5).standard_normal((2000, 6, 20))
    p_values = stats.ttest_1samp(scores, 0, axis=2).pvalue
    wrong = np.mean([min(holm(row)) <= 0.05 for row in p_values])
    uncorrected = np.mean(p_values.min(axis=1) <= 0.05)
    assert wrong < 0.065
    assert uncorrected > 0.2
