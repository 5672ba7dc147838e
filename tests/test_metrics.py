import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.scorer import SampleScore, Score
from scipy.stats import ttest_1samp

from cruxbench_inspect.metrics import p_above_random

scores = st.floats(-50, 50, allow_nan=False).map(lambda number: round(number, 3))


def p_value(values: list[float]) -> float:
    metric: Any = p_above_random()  # which of the two protocols of metrics it has, its type does not say
    result = metric([SampleScore(score=Score(value=value)) for value in values])
    assert isinstance(result, float)
    return result


@given(st.lists(scores, min_size=2, max_size=40).filter(lambda values: len(set(values)) > 1))
def test_it_is_the_one_sided_paired_t_test(values: list[float]) -> None:
    assert p_value(values) == pytest.approx(ttest_1samp(values, 0, alternative="greater").pvalue, rel=1e-6, abs=1e-12)


def test_the_more_above_random_the_smaller() -> None:
    assert p_value([0.1, 0.2, 0.3]) < 0.05 < 0.95 < p_value([-0.1, -0.2, -0.3])
    assert p_value([-0.1, 0.1]) == 0.5


@pytest.mark.parametrize("values", [[], [0.3], [0.3, 0.3, 0.3]])
def test_it_is_undefined_without_a_spread(values: list[float]) -> None:
    assert math.isnan(p_value(values))
