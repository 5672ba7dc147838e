"""Paired differences against SciPy and by hand."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.inference.clustered import clustered_interval
from cruxbench_inspect.inference.paired import EXACT_FLIPS, paired_difference, sign_flip_p

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=20).filter(
    lambda pairs: np.std([a - b for a, b in pairs]) > 1e-3
)


@given(PAIRS, st.sampled_from([0.8, 0.95]))
@settings(max_examples=50)
def test_the_difference_is_the_paired_t_test(pairs: list[tuple[float, float]], level: float) -> None:
    first, second = zip(*pairs, strict=True)
    result, expected = paired_difference(first, second, level=level, repetitions=9), stats.ttest_rel(first, second)
    bounds = expected.confidence_interval(level)
    assert result.interval == pytest.approx((bounds.low, bounds.high), rel=1e-9, abs=1e-9)
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-9)
    assert result.mean == pytest.approx(np.mean(first) - np.mean(second), abs=1e-9)
    assert result.standard_deviation == pytest.approx(np.subtract(first, second).std(ddof=1), rel=1e-9)
    assert result.count == len(pairs)
    assert result.share_first_higher == pytest.approx(sum(a > b for a, b in pairs) / len(pairs), abs=1e-12)
    assert result.ties == sum(a == b for a, b in pairs)


def test_clusters_make_interval_and_p_robust() -> None:
    first, second = [0.3, 0.4, 0.0, 0.1, 0.9, 0.2], [0.1, 0.1, 0.1, 0.1, 0.2, 0.0]
    clusters = ["a", "a", "b", "b", "c", "c"]
    result = paired_difference(first, second, clusters)
    # Mean 1.3 / 6; sums of the clusters 0.5, -0.1 and 0.9, each less 1.3 / 3.
    mean = 1.3 / 6
    error = math.sqrt(3 / 2 * sum((total - 1.3 / 3) ** 2 for total in (0.5, -0.1, 0.9))) / 6
    assert result.mean == pytest.approx(mean, abs=1e-12)
    assert result.p == pytest.approx(2 * stats.t.sf(mean / error, 2), abs=1e-9)
    assert result.interval == pytest.approx(clustered_interval(np.subtract(first, second), clusters), abs=1e-12)
    # Of the 8 flips, the sums 1.3 and 1.5 (the one with b flipped) and their opposites are as extreme.
    assert result.p_sign_flip == pytest.approx(4 / 8, abs=1e-12)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_p_value_is_below_where_the_interval_excludes_zero(level: float) -> None:
    generator = np.random.default_rng(2)
    for _ in range(50):
        first, second = generator.normal(0.3, 1, 30), generator.normal(0, 1, 30)
        result = paired_difference(first, second, [place // 2 for place in range(30)], level, repetitions=9)
        assert (result.p < 1 - level) == (result.interval[0] > 0 or result.interval[1] < 0)


@given(PAIRS)
@settings(max_examples=30)
def test_exchanged_sides_mirror_the_result(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    one, other = paired_difference(first, second, repetitions=9), paired_difference(second, first, repetitions=9)
    assert one.mean == pytest.approx(-other.mean, abs=1e-12)
    assert one.p == pytest.approx(other.p, abs=1e-12)
    assert one.p_sign_flip == pytest.approx(other.p_sign_flip, abs=1e-12)
    assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]), abs=1e-12)
    assert one.share_first_higher + other.share_first_higher + one.ties / one.count == pytest.approx(1)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
@settings(max_examples=50)
def test_few_differences_are_enumerated(differences: list[int]) -> None:
    flips = [
        sum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    observed = sum(differences)
    two_sided = sum(abs(total) >= abs(observed) for total in flips) / len(flips)
    assert sign_flip_p(differences) == pytest.approx(two_sided, abs=1e-12)
    greater = sum(total >= observed for total in flips) / len(flips)
    assert sign_flip_p(differences, two_sided=False) == pytest.approx(greater, abs=1e-12)


def test_the_enumeration_is_that_of_scipy() -> None:
    differences = np.random.default_rng(1).normal(0.4, 1, 12)
    for alternative in ("two-sided", "greater"):
        expected = stats.permutation_test(
            (differences,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative=alternative
        )
        p = sign_flip_p(differences, two_sided=alternative == "two-sided")
        assert p == pytest.approx(expected.pvalue, abs=1e-9)


def test_zeros_leave_the_enumeration_small() -> None:
    differences = [*np.random.default_rng(4).normal(0.5, 1, EXACT_FLIPS), *[0.0] * 300]
    assert sign_flip_p(differences, seed=1) == sign_flip_p(differences, seed=2)
    assert sign_flip_p(differences) == sign_flip_p(differences[:EXACT_FLIPS])


def test_ties_that_rounding_hides_count() -> None:
    # 0.1 + 0.2 - 0.3 is not 0 in floating point: flipping all three clusters of it must be as extreme.
    assert sign_flip_p([0.1, 0.2, -0.3], ["a", "a", "a"]) == 1.0
    assert sign_flip_p([0.1, 0.2, -0.3]) == 1.0


def test_many_differences_are_drawn() -> None:
    differences = np.random.default_rng(8).normal(0.25, 1, 60)
    p = sign_flip_p(differences)
    assert p == sign_flip_p(differences)
    assert p != sign_flip_p(differences, seed=1)
    # The flips of a sum are close to normal here.
    normal = 2 * stats.norm.sf(abs(differences.sum()) / np.sqrt(np.sum(differences**2)))
    assert p == pytest.approx(normal, abs=0.01)
    assert sign_flip_p(differences + 5, repetitions=999) == pytest.approx(1 / 1000, abs=1e-12)


def test_whole_clusters_are_flipped() -> None:
    differences = [0.1, 0.2, 0.3, 0.4, -0.1, -0.2]
    assert sign_flip_p(differences, ["a", "a", "b", "b", "c", "c"]) == sign_flip_p([0.3, 0.7, -0.3])
    copies = [1.0] * 100
    assert sign_flip_p(copies, [place // 50 for place in range(100)]) == pytest.approx(0.5, abs=1e-12)
    assert sign_flip_p(copies) == pytest.approx(1 / 10001, abs=1e-12)


def test_p_values_are_uniform_enough_without_a_difference() -> None:
    generator = np.random.default_rng(21)
    p_values = [sign_flip_p(generator.standard_t(3, 40), repetitions=199, seed=seed) for seed in range(1000)]
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.021)


def test_too_little_data() -> None:
    empty = paired_difference([], [])
    assert empty.count == empty.ties == 0
    assert all(math.isnan(value) for value in (empty.mean, empty.p, empty.p_sign_flip, empty.share_first_higher))
    one = paired_difference([0.3], [0.1])
    assert one.mean == pytest.approx(0.2) and one.share_first_higher == one.p_sign_flip == 1.0
    assert all(math.isnan(value) for value in (*one.interval, one.p, one.standard_deviation))
    same = paired_difference([0.3, 0.1], [0.3, 0.1])
    assert same.mean == same.share_first_higher == 0.0 and same.ties == 2
    assert same.interval == (0.0, 0.0) and math.isnan(same.p) and same.p_sign_flip == 1.0


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        paired_difference([0.1, 0.2], [0.1])
    with pytest.raises(ValueError, match="NaN"):
        paired_difference([0.1, float("nan")], [0.1, 0.2])
    with pytest.raises(ValueError, match="labels"):
        paired_difference([0.1, 0.2], [0.1, 0.3], ["a"])
    with pytest.raises(ValueError, match="NaN"):
        sign_flip_p([float("nan")])
