"""Agreement of cruxes, counted by hand."""

import math

import pytest

from cruxbench_inspect.inference.agreement import EDGES, CruxPair, agreement
from cruxbench_inspect.statistics import wilson_interval

PAIRS = [
    CruxPair(0.82, True, 0.0, True, True),
    CruxPair(0.80, False, 3.5, False, None),
    CruxPair(0.89, True, 1.0, None, False),
    CruxPair(0.85, None, None, True, True),
    CruxPair(0.30, False, 10.0, False, False),
    CruxPair(1.00, True, 0.0, True, True),
]


def test_shares_medians_and_intervals_of_a_group() -> None:
    groups = agreement(PAIRS)
    assert [(group.low, group.high) for group in groups] == list(zip(EDGES, EDGES[1:], strict=False))
    assert [group.count for group in groups] == [1, 0, 0, 0, 4, 1]
    group = groups[4]
    assert group.mean_similarity == pytest.approx((0.82 + 0.80 + 0.89 + 0.85) / 4)
    assert (group.disagreement.successes, group.disagreement.count) == (1, 3)
    assert group.disagreement.share == pytest.approx(1 / 3)
    assert group.disagreement.interval == pytest.approx(wilson_interval(1, 3), rel=1e-12)
    assert (group.median_days_apart, group.days_count) == (1.0, 3)
    assert (group.same_threshold.successes, group.same_threshold.count) == (2, 3)
    assert (group.same_source.successes, group.same_source.count) == (2, 3)
    assert group.same_source.interval == pytest.approx(wilson_interval(2, 3), rel=1e-12)


def test_edges_belong_to_the_group_above_but_for_the_last() -> None:
    pairs = [CruxPair(similarity, True, None, None, None) for similarity in (0.0, 0.2, 0.6, 0.6, 1.0, -0.1, 1.1)]
    assert [group.count for group in agreement(pairs, edges=[0, 0.6, 1])] == [3, 4]


def test_an_even_number_of_times_has_its_median_between_them() -> None:
    pairs = [CruxPair(0.5, None, days, None, None) for days in (1.0, 2.0, 4.0, 30.0)]
    assert agreement(pairs, edges=[0, 1])[0].median_days_apart == 3.0


def test_a_level_widens_intervals() -> None:
    assert agreement(PAIRS, level=0.8)[4].same_threshold.interval == pytest.approx(wilson_interval(2, 3, 0.8))


def test_an_empty_group_is_nan() -> None:
    for group in agreement([]):
        assert (group.count, group.days_count, group.disagreement.count) == (0, 0, 0)
        numbers = (
            group.mean_similarity,
            group.median_days_apart,
            group.disagreement.share,
            *group.same_source.interval,
        )
        assert all(map(math.isnan, numbers))


@pytest.mark.parametrize(
    "pair", [CruxPair(math.nan, None, None, None, None), CruxPair(0.5, True, math.nan, None, None)]
)
def test_nan_is_refused(pair: CruxPair) -> None:
    with pytest.raises(ValueError, match="numbers"):
        agreement([pair])


@pytest.mark.parametrize("edges", [[], [0.0], [0.0, 0.5, 0.5], [1.0, 0.0], [0.0, math.nan]])
def test_edges_must_increase(edges: list[float]) -> None:
    with pytest.raises(ValueError, match="increase"):
        agreement(PAIRS, edges)
