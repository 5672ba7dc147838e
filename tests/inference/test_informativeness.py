"""Youden's J by hand, its intervals by their formulas, and their coverage in simulations."""

import math

import numpy as np
import pytest
from scipy import stats

from cruxbench_inspect.inference.informativeness import clustered_j_interval, informativeness, oriented
from cruxbench_inspect.statistics import wilson_interval


def cruxes(
    true_positives: int, positives: int, false_positives: int, negatives: int
) -> tuple[list[bool | None], list[bool]]:
    answers = [index < true_positives for index in range(positives)]
    answers += [index < false_positives for index in range(negatives)]
    return [*answers], [True] * positives + [False] * negatives


def test_rates_and_j_are_shares_of_the_counts() -> None:
    found = informativeness(*cruxes(32, 79, 55, 195))
    assert (found.true_positives, found.positives, found.false_positives, found.negatives) == (32, 79, 55, 195)
    assert (found.tpr, found.fpr, found.j) == pytest.approx((32 / 79, 55 / 195, 32 / 79 - 55 / 195), rel=1e-12)
    # The paper's row of gemini-3.1-pro-preview.
    assert (round(found.j, 3), round(found.tpr, 3), round(found.fpr, 3)) == (0.123, 0.405, 0.282)
    assert found.tpr_interval == pytest.approx(wilson_interval(32, 79), rel=1e-12)
    assert found.fpr_interval == pytest.approx(wilson_interval(55, 195), rel=1e-12)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
    ],
)
def test_the_interval_of_j_is_newcombes(counts: tuple[int, int, int, int], expected: tuple[float, float]) -> None:
    """Examples of Newcombe (1998), table II, method 10."""
    assert informativeness(*cruxes(*counts)).j_interval == pytest.approx(expected, abs=5e-5)


def test_the_interval_of_j_joins_the_wilson_intervals() -> None:
    found = informativeness(*cruxes(11, 30, 7, 41), level=0.8)
    z = stats.norm.ppf(0.9)

    def score(share: float, n: int) -> tuple[float, float]:
        centre, half = share + z**2 / (2 * n), z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
        return (centre - half) / (1 + z**2 / n), (centre + half) / (1 + z**2 / n)

    (l1, u1), (l2, u2) = score(11 / 30, 30), score(7 / 41, 41)
    low = found.j - math.sqrt((11 / 30 - l1) ** 2 + (u2 - 7 / 41) ** 2)
    high = found.j + math.sqrt((u1 - 11 / 30) ** 2 + (7 / 41 - l2) ** 2)
    assert found.j_interval == pytest.approx((low, high), rel=1e-9)


def test_orientation_turns_answers_and_leaves_out_what_has_no_direction() -> None:
    turned = oriented([True, False, True, False, True], [True, True, False, False, None])
    assert turned == [True, False, False, True, None]
    found = informativeness(turned, [True, False, False, True, True])
    assert (found.positives, found.negatives, found.j) == (2, 2, 1.0)


def test_a_negative_wording_flips_the_sign() -> None:
    answers, outcomes = cruxes(3, 20, 12, 20)
    turned = oriented([bool(answer) for answer in answers], [False] * 40)
    assert informativeness(turned, outcomes).j == pytest.approx(-informativeness(answers, outcomes).j)


def test_without_one_of_the_outcomes_there_is_no_j() -> None:
    found = informativeness([True, False], [True, True])
    assert found.tpr == 0.5
    assert all(map(math.isnan, (found.fpr, found.j, *found.fpr_interval, *found.j_interval)))
    assert all(map(math.isnan, clustered_j_interval([True, False], [True, True], "ab")))
    assert math.isnan(informativeness([], []).j)
    assert all(map(math.isnan, clustered_j_interval([], [], [])))
    assert all(map(math.isnan, clustered_j_interval([True, False], [True, False], "aa")))


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="outcome"):
        informativeness([True], [])
    with pytest.raises(ValueError, match="direction"):
        oriented([True], [])
    with pytest.raises(ValueError, match="cluster"):
        clustered_j_interval([True], [True], [])


def test_the_bootstrap_is_the_one_of_single_cruxes_where_each_is_a_cluster() -> None:
    answers, outcomes = cruxes(30, 60, 40, 140)
    data = np.column_stack([[bool(answer) for answer in answers], outcomes])

    def j(indices: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
        yes, outcome = data[indices].T
        return float(yes[outcome].mean() - yes[~outcome].mean())

    rng = np.random.default_rng(1)
    expected = np.quantile([j(rng.integers(0, 200, 200)) for _ in range(4000)], [0.025, 0.975])
    assert clustered_j_interval(answers, outcomes, range(200)) == pytest.approx(expected, abs=0.01)


def test_the_bootstrap_is_seeded_and_leaves_out_none() -> None:
    answers, outcomes = cruxes(8, 20, 5, 30)
    clusters = [index // 2 for index in range(50)]
    expected = clustered_j_interval(answers, outcomes, clusters)
    assert clustered_j_interval(answers, outcomes, clusters) == expected
    assert clustered_j_interval(answers, outcomes, clusters, seed=1) != expected
    assert clustered_j_interval([*answers, None], [*outcomes, True], [*clusters, "other"]) == expected


def test_a_cluster_repeated_says_nothing_new() -> None:
    answers, outcomes = cruxes(20, 40, 15, 60)
    expected = clustered_j_interval(answers, outcomes, range(100))
    assert clustered_j_interval(answers * 4, outcomes * 4, [*range(100)] * 4) == pytest.approx(expected, abs=1e-12)


def test_newcombes_interval_covers_the_truth() -> None:
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(600):
        interval = informativeness(*cruxes(rng.binomial(80, 0.42), 80, rng.binomial(195, 0.3), 195)).j_interval
        covered += interval[0] <= 0.12 <= interval[1]
    assert 0.93 <= covered / 600 <= 0.97


def test_the_clustered_interval_covers_the_truth() -> None:
    rng = np.random.default_rng(12)
    covered = careless = 0
    for seed in range(400):
        outcomes = rng.random(150) < 0.4
        # All cruxes of a market lean the same way: Beta(2, 2) and Beta(2, 3) have means 0.5 and 0.4.
        lean = np.where(outcomes, rng.beta(2, 2, 150), rng.beta(2, 3, 150))
        clusters = np.repeat(np.arange(150), 4)
        answers = (rng.random(600) < lean[clusters]).tolist()
        each = outcomes[clusters].tolist()
        low, high = clustered_j_interval(answers, each, clusters.tolist(), draws=1000, seed=seed)
        covered += low <= 0.1 <= high
        if seed < 100:
            low, high = informativeness(answers, each).j_interval
            careless += low <= 0.1 <= high
    assert 0.93 <= covered / 400 <= 0.97
    # Without clusters the interval is too narrow: the simulation tells the two apart.
    assert careless / 100 < 0.9
