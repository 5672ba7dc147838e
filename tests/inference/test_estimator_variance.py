"""The Monte Carlo of the two estimators against exact sums and SciPy."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cruxbench_inspect.inference.estimator_variance import (
    ALPHAS,
    DISTRIBUTIONS,
    PAIRS,
    Distribution,
    PairComparison,
    compare_estimators,
    mutual_information,
    pitman_morgan_p,
    variance_f_p,
)

Floats = NDArray[np.float64]


def always(value: float) -> Distribution:
    return Distribution(f"always {value}", lambda generator, size: np.full(size, value))


def joint(p: float, q: float, alpha: float) -> Floats:
    """P(U, Q), rows U = No, Yes and columns Q = No, Yes."""
    no, yes = (1 - alpha) * q, alpha + (1 - alpha) * q
    return np.array([[(1 - p) * (1 - no), (1 - p) * no], [p * (1 - yes), p * yes]])


@pytest.fixture(scope="module")
def comparisons() -> list[PairComparison]:
    return compare_estimators(draws=50, replications=300)


@pytest.mark.parametrize(("p", "q", "alpha"), [(0.3, 0.6, 0.5), (0.9, 0.1, 0.2), (0.5, 0.5, 0.9), (0.01, 0.99, 0.7)])
def test_mutual_information_is_the_divergence_of_the_joint_from_the_product(p: float, q: float, alpha: float) -> None:
    table = joint(p, q, alpha)
    product = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    expected = stats.entropy(table.ravel(), product.ravel(), base=2)
    assert mutual_information(np.array([p]), np.array([q]), alpha)[0] == pytest.approx(expected, abs=1e-12)


def test_mutual_information_at_the_ends() -> None:
    p, q = np.array([0.0, 0.2, 0.5, 1.0]), np.array([0.3, 0.0, 1.0, 0.7])
    assert mutual_information(p, q, 0.0) == pytest.approx([0.0] * 4, abs=1e-12)
    assert mutual_information(p, q, 1.0) == pytest.approx(stats.entropy([p, 1 - p], base=2), abs=1e-12)


def test_fixed_beliefs_give_the_two_values_of_bayes() -> None:
    p, q, alpha, count = 0.3, 0.6, 0.5, 400
    [pair] = compare_estimators([(always(p), always(q))], [alpha], draws=1, replications=count)
    [cell] = pair.cells
    table = joint(p, q, alpha)
    posteriors = table[1] / table.sum(axis=0)
    no_kl, yes_kl = (stats.entropy([x, 1 - x], [p, 1 - p], base=2) for x in posteriors)
    no_drop, yes_drop = (stats.entropy([p, 1 - p], base=2) - stats.entropy([x, 1 - x], base=2) for x in posteriors)
    share = (cell.mean_kl - no_kl) / (yes_kl - no_kl)
    assert share * count == pytest.approx(round(share * count), abs=1e-6)
    assert stats.binomtest(round(share * count), count, table.sum(axis=0)[1]).pvalue > 0.001
    assert cell.mean_entropy_drop == pytest.approx(share * yes_drop + (1 - share) * no_drop, rel=1e-9)
    spread = share * (1 - share) * count / (count - 1)
    assert cell.variance_kl == pytest.approx(spread * (yes_kl - no_kl) ** 2, rel=1e-9)
    assert cell.variance_entropy_drop == pytest.approx(spread * (yes_drop - no_drop) ** 2, rel=1e-9)
    ratio = ((yes_drop - no_drop) / (yes_kl - no_kl)) ** 2
    assert cell.variance_ratio == pytest.approx(ratio, rel=1e-9)
    tail = stats.f.sf(max(ratio, 1 / ratio), count - 1, count - 1)
    assert cell.f_p == pytest.approx(2 * tail, rel=1e-9)
    # Both estimators average to the same information, exactly.
    weights = table.sum(axis=0)
    assert weights @ [no_kl, yes_kl] == pytest.approx(cell.mutual_information, rel=1e-9)
    assert weights @ [no_drop, yes_drop] == pytest.approx(cell.mutual_information, rel=1e-9)


def test_both_means_are_the_mutual_information(comparisons: list[PairComparison]) -> None:
    away = []
    for cell in (cell for pair in comparisons for cell in pair.cells if cell.alpha > 0):
        # The information of the drawn (p, q) is the conditional mean, so the error is at most that of the average.
        away.append((cell.mean_kl - cell.mutual_information) / math.sqrt(cell.variance_kl / 300))
        away.append((cell.mean_entropy_drop - cell.mutual_information) / math.sqrt(cell.variance_entropy_drop / 300))
    assert max(map(abs, away)) < 4
    assert abs(np.mean(away)) < 0.35


def test_the_mean_information_is_the_integral_over_both_distributions() -> None:
    [pair] = compare_estimators(PAIRS[1:2], [0.6], draws=1000, replications=100)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    nodes, weights = (nodes + 1) / 2, weights / 2
    p, q = np.meshgrid(nodes, nodes, indexing="ij")
    density = np.outer(weights * stats.beta.pdf(nodes, 2, 5), weights * stats.beta.pdf(nodes, 5, 2))
    expected = float((mutual_information(p, q, 0.6) * density).sum())
    assert pair.cells[0].mutual_information == pytest.approx(expected, abs=0.002)
    assert pair.cells[0].mean_kl == pytest.approx(expected, abs=4 * math.sqrt(pair.cells[0].variance_kl / 100))


def test_a_crux_that_ignores_the_outcome_is_worth_nothing(comparisons: list[PairComparison]) -> None:
    for cell in (pair.cells[0] for pair in comparisons):
        assert cell.alpha == 0
        assert (cell.mean_kl, cell.mean_entropy_drop, cell.variance_kl, cell.variance_entropy_drop) == (0, 0, 0, 0)
        assert cell.mutual_information == pytest.approx(0, abs=1e-12)
        assert all(map(math.isnan, (cell.variance_ratio, cell.f_p, cell.paired_p)))


def test_the_pairs_and_alphas_are_the_published_ones(comparisons: list[PairComparison]) -> None:
    assert [(pair.prior, pair.noise) for pair in comparisons] == [
        ("beta(2,2)", "beta(2,2)"),
        ("beta(2,5)", "beta(5,2)"),
        ("beta(5,2)", "beta(2,5)"),
        ("beta(5,5)", "beta(5,5)"),
        ("jeffreys", "uniform"),
        ("beta(2,5)", "uniform"),
    ]
    assert ALPHAS == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    assert all([cell.alpha for cell in pair.cells] == list(ALPHAS) for pair in comparisons)


@pytest.mark.parametrize(
    ("name", "frozen"),
    [
        ("beta(2,5)", stats.beta(2, 5)),
        ("beta(5,5)", stats.beta(5, 5)),
        ("jeffreys", stats.beta(0.5, 0.5)),
        ("uniform", stats.uniform()),
    ],
)
def test_a_distribution_is_what_its_name_says(name: str, frozen: stats.rv_continuous) -> None:
    drawn = DISTRIBUTIONS[name].sample(np.random.default_rng(0), 2000)
    assert stats.kstest(drawn, frozen.cdf).pvalue > 0.001


def test_the_sign_test_counts_cells_that_differ(comparisons: list[PairComparison]) -> None:
    for pair in comparisons:
        wins = sum(cell.variance_ratio > 1 for cell in pair.cells)
        assert (pair.kl_smaller, pair.compared) == (wins, 10)
        tails = sum(math.comb(10, k) for k in range(11) if math.comb(10, k) <= math.comb(10, wins))
        assert pair.sign_p == pytest.approx(min(1, tails / 2**10), rel=1e-9)


def test_kl_varies_less_for_weak_cruxes_and_more_for_certain_ones(comparisons: list[PairComparison]) -> None:
    for pair in comparisons:
        assert pair.cells[1].variance_ratio > 1
        assert pair.cells[10].variance_ratio < 1
        assert max(pair.cells[1].f_p, pair.cells[10].f_p, pair.cells[1].paired_p, pair.cells[10].paired_p) < 0.001


def test_the_tests_of_equal_variances() -> None:
    rng = np.random.default_rng(3)
    first = rng.normal(size=40)
    second = 0.5 * first + 1.3 * rng.normal(size=40)
    ratio = first.var(ddof=1) / second.var(ddof=1)
    assert ratio < 1
    assert variance_f_p(first, second) == pytest.approx(2 * stats.f.cdf(ratio, 39, 39), rel=1e-9)
    r = stats.pearsonr(first, second).statistic
    t = (ratio - 1) * math.sqrt(38) / (2 * math.sqrt(ratio * (1 - r**2)))
    assert pitman_morgan_p(first, second) == pytest.approx(2 * stats.t.cdf(t, 38), rel=1e-9)
    assert math.isnan(variance_f_p(first, np.ones(40)))
    assert math.isnan(pitman_morgan_p(np.ones(40), second))


def test_a_seed_fixes_the_result() -> None:
    once = compare_estimators(PAIRS[:1], [0.5, 1.0], draws=10, replications=20, seed=1)
    assert compare_estimators(PAIRS[:1], [0.5], draws=10, replications=20, seed=1)[0].cells[0] == once[0].cells[0]
    assert compare_estimators(PAIRS[:1], [0.5], draws=10, replications=20, seed=2)[0].cells[0] != once[0].cells[0]


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="alphas"):
        compare_estimators(alphas=[1.1])
    with pytest.raises(ValueError, match="alphas"):
        compare_estimators(alphas=[float("nan")])
    with pytest.raises(ValueError, match="replications"):
        compare_estimators(replications=2)
