"""Ranks against counting who is ahead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.inference.ranks import average_ranks, competition_ranks

SCORES = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, float("inf")]), max_size=12)


def test_ties_get_the_lower_number_or_the_mean_of_their_places() -> None:
    values = [0.2, 0.9, 0.5, 0.5, 0.1]
    assert competition_ranks(values) == [4, 1, 2, 2, 5]
    assert average_ranks(values) == [4.0, 1.0, 2.5, 2.5, 5.0]
    assert competition_ranks(values, descending=False) == [2, 5, 3, 3, 1]
    assert average_ranks(values, descending=False) == [2.0, 5.0, 3.5, 3.5, 1.0]


@pytest.mark.parametrize("descending", [True, False])
def test_nan_is_last(descending: bool) -> None:
    values = [float("nan"), 3.0, float("nan"), 3.0]
    assert competition_ranks(values, descending) == [3, 1, 3, 1]
    assert average_ranks(values, descending) == [3.5, 1.5, 3.5, 1.5]


@given(SCORES)
def test_a_competition_rank_is_one_more_than_those_ahead(values: list[float]) -> None:
    assert competition_ranks(values) == [1 + sum(other > value for other in values) for value in values]


@given(SCORES, st.booleans())
def test_average_ranks_are_those_of_scipy(values: list[float], descending: bool) -> None:
    keys = [-value for value in values] if descending else values
    assert average_ranks(values, descending) == pytest.approx(list(stats.rankdata(keys)), abs=1e-9)


@given(st.lists(st.one_of(st.just(float("nan")), st.floats(-1, 1)), max_size=12))
def test_average_ranks_always_add_up_alike(values: list[float]) -> None:
    assert np.sum(average_ranks(values)) == pytest.approx(len(values) * (len(values) + 1) / 2)
