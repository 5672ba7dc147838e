"""Clustered intervals against definitions written out, and their coverage by simulation."""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cruxbench_inspect.inference.clustered import (
    bootstrap_interval,
    cluster_codes,
    clustered_interval,
    clustered_standard_error,
)
from cruxbench_inspect.statistics import t_interval

Interval = Callable[[list[float], list[str]], tuple[float, float]]

REPETITIONS = 200

CLUSTERED = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcde")), min_size=2, max_size=40).filter(
    lambda rows: len({label for _, label in rows}) > 1 and np.std([value for value, _ in rows]) > 1e-3
)


def standard_error(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """The formula, with plain loops."""
    mean = math.fsum(values) / len(values)
    sums: dict[Hashable, float] = defaultdict(float)
    for value, label in zip(values, clusters, strict=True):
        sums[label] += value - mean
    count = len(sums)
    return math.sqrt(count / (count - 1) * math.fsum(total**2 for total in sums.values())) / len(values)


def voi_like(repetition: int, spread: float, clusters: int = 120, zeros: float = 0.7) -> tuple[list[float], list[int]]:
    """Scores with a mean of 1: zeros and log-normal values, correlated within clusters of 1 to 5."""
    generator = np.random.default_rng([repetition, 2026])
    labels = np.repeat(np.arange(clusters), generator.integers(1, 6, clusters))
    shared = generator.standard_normal(clusters)[labels]
    normal = math.sqrt(0.5) * shared + math.sqrt(0.5) * generator.standard_normal(len(labels))
    values = np.exp(spread * normal - spread**2 / 2) / (1 - zeros)
    return list(values * (generator.random(len(labels)) >= zeros)), labels.tolist()


def coverage(intervals: list[tuple[float, float]], truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in intervals]))


@given(CLUSTERED, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_is_the_sandwich_with_a_t_quantile(rows: list[tuple[float, str]], level: float) -> None:
    values, clusters = [value for value, _ in rows], [label for _, label in rows]
    error = standard_error(values, clusters)
    half = float(stats.t.ppf(0.5 + level / 2, len(set(clusters)) - 1)) * error
    assert clustered_standard_error(values, clusters) == pytest.approx(error, rel=1e-9, abs=1e-9)
    expected = (np.mean(values) - half, np.mean(values) + half)
    assert clustered_interval(values, clusters, level) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40))
def test_questions_of_their_own_clusters_have_the_plain_t_interval(values: list[float]) -> None:
    assert clustered_interval(values, range(len(values))) == pytest.approx(t_interval(values), rel=1e-9, abs=1e-9)


def test_copies_of_questions_add_nothing() -> None:
    values = [0.0, 0.1, 0.5, 0.2]
    repeated = [value for value in values for _ in range(3)]
    clusters = [label for label in range(4) for _ in range(3)]
    assert clustered_interval(repeated, clusters) == pytest.approx(t_interval(values), abs=1e-12)
    assert np.ptp(t_interval(repeated)) < 0.6 * np.ptp(t_interval(values))


def test_labels_are_numbered_as_they_appear() -> None:
    assert cluster_codes(["b", None, ("a", 1), "b"], 4).tolist() == [0, 1, 2, 0]
    with pytest.raises(ValueError, match="3 values need as many labels, not 2"):
        cluster_codes(["a", "b"], 3)


@pytest.mark.parametrize("interval", [clustered_interval, bootstrap_interval])
class TestEdges:
    @pytest.mark.parametrize(("values", "clusters"), [([], []), ([0.1], ["a"]), ([0.1, 0.4], ["a", "a"])])
    def test_fewer_than_two_clusters_have_none(
        self, interval: Interval, values: list[float], clusters: list[str]
    ) -> None:
        assert all(math.isnan(bound) for bound in interval(values, clusters))

    def test_equal_scores_have_no_width(self, interval: Interval) -> None:
        low, high = interval([0.1, 0.1, 0.1], ["a", "a", "b"])
        assert low == high == pytest.approx(0.1, abs=1e-12)

    def test_scores_that_cancel_within_clusters_have_no_width(self, interval: Interval) -> None:
        low, high = interval([0.1, 0.2, 0.2, 0.1, 0.15], ["a", "a", "b", "b", "c"])
        assert low == high == pytest.approx(0.15, abs=1e-12)

    def test_nan_and_other_lengths_are_refused(self, interval: Interval) -> None:
        with pytest.raises(ValueError, match="NaN"):
            interval([0.1, float("nan")], ["a", "b"])
        with pytest.raises(ValueError, match="labels"):
            interval([0.1, 0.2], ["a"])


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_bootstrap_is_a_studentised_one_of_whole_clusters(level: float) -> None:
    values, clusters = voi_like(0, 1.0, clusters=15)
    members = [[value for value, label in zip(values, clusters, strict=True) if label == own] for own in range(15)]
    mean, error = np.mean(values), clustered_standard_error(values, clusters)
    statistics = []
    for draw in np.random.default_rng(3).integers(0, 15, (500, 15)):
        drawn = [value for own in draw for value in members[own]]
        labels = [place for place, own in enumerate(draw) for _ in members[own]]
        statistics.append((np.mean(drawn) - mean) / standard_error(drawn, labels))
    ordered = np.sort(statistics)

    def quantile(probability: float) -> float:
        place = probability * 501 - 1
        return float(np.interp(place, np.arange(500), ordered))

    expected = (mean - quantile(0.5 + level / 2) * error, mean - quantile(0.5 - level / 2) * error)
    assert bootstrap_interval(values, clusters, level, 500, 3) == pytest.approx(expected, rel=1e-9)


def test_the_bootstrap_repeats_itself_and_leans_towards_large_scores() -> None:
    values, clusters = voi_like(1, 1.0)
    low, high = bootstrap_interval(values, clusters)
    assert (low, high) == bootstrap_interval(values, clusters)
    assert (low, high) != bootstrap_interval(values, clusters, seed=1)
    assert high - np.mean(values) > np.mean(values) - low > 0


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 30)), min_size=10), st.floats(0.1, 10), st.floats(-1, 1))
@settings(max_examples=30)
def test_the_bootstrap_follows_units(rows: list[tuple[int, int]], factor: float, shift: float) -> None:
    values, clusters = np.array([value / 20 for value, _ in rows]), [label for _, label in rows]
    low, high = bootstrap_interval(values, clusters, repetitions=99)
    if math.isnan(low):
        return
    moved = bootstrap_interval(factor * values + shift, clusters, repetitions=99)
    assert moved == pytest.approx((factor * low + shift, factor * high + shift), rel=1e-6, abs=1e-9)


def test_the_bootstrap_has_no_answer_where_resamples_do_not_vary() -> None:
    assert all(math.isnan(bound) for bound in bootstrap_interval([0.0] * 99 + [1.0], range(100)))


def test_nominal_intervals_cover_the_mean_of_skewed_clustered_scores() -> None:
    samples = [voi_like(repetition, 0.6) for repetition in range(REPETITIONS)]
    assert np.median([stats.skew(values) for values, _ in samples]) > 2
    assert 0.93 <= coverage([clustered_interval(*sample) for sample in samples], 1.0) <= 0.97
    assert 0.93 <= coverage([bootstrap_interval(*sample) for sample in samples], 1.0) <= 0.97


def test_the_bootstrap_covers_better_where_skewness_is_strong() -> None:
    samples = [voi_like(repetition, 1.4) for repetition in range(REPETITIONS)]
    assert np.median([stats.skew(values) for values, _ in samples]) > 5
    plain = coverage([clustered_interval(*sample) for sample in samples], 1.0)
    assert coverage([bootstrap_interval(*sample, repetitions=999) for sample in samples], 1.0) > plain + 0.01


def test_intervals_that_ignore_clusters_cover_too_rarely() -> None:
    samples = [voi_like(repetition, 0.6, zeros=0.0) for repetition in range(REPETITIONS)]
    assert coverage([t_interval(values) for values, _ in samples], 1.0) < 0.9
    assert coverage([clustered_interval(*sample) for sample in samples], 1.0) > 0.92
