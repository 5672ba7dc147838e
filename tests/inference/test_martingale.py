"""The martingale regression against SciPy, textbook sums, and simulated truths."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cruxbench_inspect.inference.martingale import Martingale, martingale

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def sample(seed: int, count: int = 60) -> tuple[Floats, Floats, list[int], list[int]]:
    rng = np.random.default_rng(seed)
    before = rng.uniform(0.05, 0.95, count)
    after = before + rng.normal(0, 0.05, count)
    return before, after, rng.integers(0, 12, count).tolist(), rng.integers(0, 9, count).tolist()


def variance_by_pairs(before: Floats, after: Floats, first: list[int], second: list[int]) -> Floats:
    """The two-way variance as sums over all pairs of cruxes that share a cluster."""
    design = np.column_stack([np.ones_like(before), before])
    residuals = after - design @ np.linalg.lstsq(design, after, rcond=None)[0]
    count = len(before)

    def meat(labels: list[object]) -> Floats:
        total = np.zeros((2, 2))
        for i in range(count):
            for j in range(count):
                if labels[i] == labels[j]:
                    total += residuals[i] * residuals[j] * np.outer(design[i], design[j])
        groups = len(set(labels))
        return total * groups / (groups - 1) * (count - 1) / (count - 2)

    both = list(zip(first, second, strict=True))
    bread = np.linalg.inv(design.T @ design)
    result: Floats = bread @ (meat([*first]) + meat([*second]) - meat([*both])) @ bread
    return result


def test_the_line_is_that_of_least_squares() -> None:
    before, after, first, second = sample(1)
    expected = stats.linregress(before, after)
    found = martingale(before, after, first, second)
    assert found.count == 60
    assert (found.slope, found.intercept, found.r2) == pytest.approx(
        (expected.slope, expected.intercept, expected.rvalue**2), rel=1e-9
    )


def test_errors_intervals_and_tests_follow_from_the_two_way_variance() -> None:
    before, after, first, second = sample(2)
    found = martingale(before, after, first, second, level=0.9)
    variance = variance_by_pairs(before, after, first, second)
    assert np.linalg.eigvalsh(variance).min() > 0
    assert not found.repaired
    freedom = min(len(set(first)), len(set(second))) - 1
    intercept_error, slope_error = np.sqrt(np.diag(variance))
    assert found.slope_error == pytest.approx(slope_error, rel=1e-9)
    assert found.intercept_error == pytest.approx(intercept_error, rel=1e-9)
    assert found.slope_interval == pytest.approx(
        stats.t.interval(0.9, freedom, loc=found.slope, scale=slope_error), rel=1e-9
    )
    assert found.intercept_interval == pytest.approx(
        stats.t.interval(0.9, freedom, loc=found.intercept, scale=intercept_error), rel=1e-9
    )
    assert found.slope_p == pytest.approx(2 * stats.t.cdf(-abs(found.slope - 1) / slope_error, freedom), rel=1e-9)
    assert found.intercept_p == pytest.approx(
        2 * stats.t.cdf(-abs(found.intercept) / intercept_error, freedom), rel=1e-9
    )
    away = np.array([found.intercept, found.slope - 1])
    wald = away @ np.linalg.inv(variance) @ away
    assert found.joint_p == pytest.approx(stats.f.sf(wald / 2, 2, freedom), rel=1e-9)


def test_the_same_clusters_twice_are_one_way_clusters() -> None:
    before, after, first, _ = sample(3)
    design = np.column_stack([np.ones(60), before])
    residuals = after - design @ np.linalg.lstsq(design, after, rcond=None)[0]
    sums = np.array([(design * residuals[:, None])[np.array(first) == g].sum(axis=0) for g in set(first)])
    bread = np.linalg.inv(design.T @ design)
    expected = bread @ (sums.T @ sums) @ bread * len(sums) / (len(sums) - 1) * 59 / 58
    for found in (martingale(before, after, first, first), martingale(before, after, first, range(60))):
        assert found.slope_error == pytest.approx(math.sqrt(expected[1, 1]), rel=1e-9)
        assert found.intercept_error == pytest.approx(math.sqrt(expected[0, 0]), rel=1e-9)


def test_a_cluster_of_its_own_for_every_crux_gives_the_robust_error() -> None:
    before, after, _, _ = sample(4)
    fit = stats.linregress(before, after)
    x = before - before.mean()
    residuals = after - fit.intercept - fit.slope * before
    expected = math.sqrt(float(x**2 @ residuals**2) / float(x @ x) ** 2 * 60 / 58)
    assert martingale(before, after, range(60), range(60)).slope_error == pytest.approx(expected, rel=1e-9)


def chequered() -> tuple[Floats, Floats, list[int], list[int]]:
    """Residuals like a chequerboard, which nearly cancel in every row and column."""
    rows, columns = np.divmod(np.arange(36), 6)
    before = np.random.default_rng(5).uniform(0.1, 0.9, 36)
    errors = 0.02 * np.where((rows + columns) % 2, 1.0, -1.0) + 0.02 * np.random.default_rng(6).normal(size=36)
    return before, before + errors, rows.tolist(), columns.tolist()


def test_a_negative_eigenvalue_is_set_to_0() -> None:
    data = chequered()
    variance = variance_by_pairs(*data)
    values, vectors = np.linalg.eigh(variance)
    assert values[0] < 0 < values[1]
    found = martingale(*data)
    expected = values[1] * np.outer(vectors[:, 1], vectors[:, 1])
    assert found.repaired
    assert math.isnan(found.joint_p)
    assert found.slope_error == pytest.approx(math.sqrt(expected[1, 1]), rel=1e-9)
    assert found.intercept_error == pytest.approx(math.sqrt(expected[0, 0]), rel=1e-9)
    assert found.slope_error**2 >= variance[1, 1]


def test_a_variance_without_a_positive_eigenvalue_gives_no_error() -> None:
    # Each row and each column has both signs at both beliefs, so that its sums are 0.
    rows, columns = np.divmod(np.arange(16), 4)
    symbols = (rows + columns) % 4
    before = np.where(symbols < 2, 0.3, 0.7)
    data = before, before + np.where(symbols % 2, 0.02, -0.02), rows.tolist(), columns.tolist()
    assert np.linalg.eigvalsh(variance_by_pairs(*data)).max() < 0
    found = martingale(*data)
    assert found.repaired
    assert all(map(math.isnan, (found.slope_error, found.intercept_error, found.slope_p, *found.slope_interval)))


def test_deciles_are_groups_by_quantiles() -> None:
    before = np.arange(1, 101) / 101
    after = before + np.where(before > 0.9, 0.03, -0.01)
    order = np.random.default_rng(0).permutation(100)
    found = martingale(before[order], after[order], range(100), range(100))
    assert [decile.count for decile in found.deciles] == [10] * 10
    for index, decile in enumerate(found.deciles):
        held = slice(10 * index, 10 * index + 10)
        assert (decile.mean_before, decile.mean_after, decile.gap) == pytest.approx(
            (before[held].mean(), after[held].mean(), (after - before)[held].mean()), rel=1e-9
        )
    assert found.largest_gap == pytest.approx(0.03)


def test_equal_beliefs_stay_in_one_decile() -> None:
    before = [0.5] * 30 + [0.6] * 10
    found = martingale(before, [0.5] * 30 + [0.7] * 10, range(40), range(40))
    assert [decile.count for decile in found.deciles] == [30, 10]
    assert found.largest_gap == pytest.approx(0.1)


def test_too_little_data_is_nan() -> None:
    nothing = martingale([], [], [], [])
    assert nothing.count == 0
    assert nothing.deciles == []
    assert math.isnan(nothing.slope)
    assert math.isnan(nothing.largest_gap)
    assert math.isnan(martingale([0.2, 0.2, 0.2], [0.1, 0.2, 0.3], "abc", "abc").slope)
    one_cluster = martingale([0.2, 0.4, 0.6], [0.1, 0.5, 0.5], "aaa", "abc")
    assert one_cluster.slope == pytest.approx(1.0)
    assert all(map(math.isnan, (one_cluster.slope_error, one_cluster.joint_p, *one_cluster.intercept_interval)))
    exact = martingale([0.2, 0.4, 0.6], [0.2, 0.4, 0.6], "abc", "abc")
    assert (exact.slope, exact.r2) == pytest.approx((1.0, 1.0))
    assert all(map(math.isnan, (exact.slope_error, exact.slope_p, exact.joint_p)))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_beliefs_that_are_no_numbers_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        martingale([0.1, bad], [0.1, 0.2], "ab", "ab")
    with pytest.raises(ValueError, match="finite"):
        martingale([0.1, 0.2], [0.1, bad], "ab", "ab")


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="every crux"):
        martingale([0.1, 0.2], [0.1, 0.2], "ab", "a")


def simulated(seed: int, clustered: bool = True) -> Martingale:
    """A true martingale whose beliefs and errors share parts by market and by hour."""
    rng = np.random.default_rng([7, seed])
    count, markets, hours = 500, 120, 100
    market, hour = rng.integers(0, markets, count), rng.integers(0, hours, count)
    before = 0.5 + 0.1 * (rng.normal(size=markets)[market] + rng.normal(size=hours)[hour] + rng.normal(size=count))
    shared = rng.normal(size=markets)[market] + rng.normal(size=hours)[hour] + rng.normal(size=count)
    after = before + 0.05 * shared
    clusters = (market.tolist(), hour.tolist()) if clustered else (range(count), range(count))
    return martingale(before, after, *clusters)


def test_intervals_cover_the_truth() -> None:
    fits = [simulated(seed) for seed in range(600)]
    assert 0.93 <= np.mean([fit.slope_interval[0] <= 1 <= fit.slope_interval[1] for fit in fits]) <= 0.97
    assert 0.93 <= np.mean([fit.intercept_interval[0] <= 0 <= fit.intercept_interval[1] for fit in fits]) <= 0.97
    assert 0.02 <= np.mean([fit.joint_p < 0.05 for fit in fits]) <= 0.08
    careless = [simulated(seed, clustered=False) for seed in range(150)]
    # Without clusters the intervals are too narrow: the simulation tells the two apart.
    assert np.mean([fit.slope_interval[0] <= 1 <= fit.slope_interval[1] for fit in careless]) < 0.9
