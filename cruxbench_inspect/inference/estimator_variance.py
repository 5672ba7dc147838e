"""KL against entropy drop as estimators of a crux's informativeness: which varies less from sample to sample?

Both have the mutual information I(U;Q) as their mean. Everything is in bits.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, betainc, fdtr, fdtrc

Floats = NDArray[np.float64]

NAN = float("nan")


@dataclass(frozen=True)
class Distribution:
    """A distribution of probabilities.

    Attributes:
        name: How it is called.
        sample: Draws ``size`` values in [0, 1].
    """

    name: str
    sample: Callable[[np.random.Generator, int], Floats]


def beta(a: float, b: float, name: str | None = None) -> Distribution:
    """The beta distribution with parameters ``a`` and ``b``, called ``beta(a,b)`` unless it has a name of its own."""
    return Distribution(name or f"beta({a:g},{b:g})", lambda generator, size: generator.beta(a, b, size))


DISTRIBUTIONS = {
    distribution.name: distribution
    for distribution in (
        beta(2, 2),
        beta(2, 5),
        beta(5, 2),
        beta(5, 5),
        beta(0.5, 0.5, "jeffreys"),
        Distribution("uniform", lambda generator, size: generator.random(size)),
    )
}
"""The distributions of the published pairs by name."""

PAIRS = tuple(
    (DISTRIBUTIONS[prior], DISTRIBUTIONS[noise])
    for prior, noise in (
        ("beta(2,2)", "beta(2,2)"),
        ("beta(2,5)", "beta(5,2)"),
        ("beta(5,2)", "beta(2,5)"),
        ("beta(5,5)", "beta(5,5)"),
        ("jeffreys", "uniform"),
        ("beta(2,5)", "uniform"),
    )
)
"""The six published pairs: of p = P(U) and of q = P(Q) where the crux ignores U."""

ALPHAS = tuple(step / 10 for step in range(11))
"""Probabilities that the crux's answer equals the ultimate outcome."""


@dataclass(frozen=True)
class Cell:
    """The two estimators at one alpha.

    Attributes:
        alpha: Probability that Q = U; otherwise Q is drawn with probability q.
        mean_kl: Mean of all KL(p' || p).
        mean_entropy_drop: Mean of all H(p) - H(p').
        mutual_information: Mean of the exact I(U;Q) of every drawn (p, q).
        variance_kl: Variance of the average KL over replications.
        variance_entropy_drop: Variance of the average entropy drop over replications.
        variance_ratio: Variance of entropy drop over that of KL; NaN at alpha 0, where both are exactly 0.
        f_p: Two-sided p value of the F test of equal variances. It takes the two averages to be independent, although
            they share their draws.
        paired_p: Two-sided p value of the Pitman-Morgan test of equal variances, which allows for shared draws.
    """

    alpha: float
    mean_kl: float
    mean_entropy_drop: float
    mutual_information: float
    variance_kl: float
    variance_entropy_drop: float
    variance_ratio: float
    f_p: float
    paired_p: float


_Job = tuple[Distribution, Distribution, float, int, int, tuple[int, int, int]]


@dataclass(frozen=True)
class PairComparison:
    """The two estimators for one pair of distributions.

    Attributes:
        prior: Name of the distribution of p.
        noise: Name of the distribution of q.
        cells: One per alpha.
        kl_smaller: Cells in which KL has the smaller variance.
        compared: Cells whose variances differ. That leaves out alpha 0, where both are 0.
        sign_p: Two-sided sign test (binomial) that KL is as often smaller as not; ties are left out.
    """

    prior: str
    noise: str
    cells: tuple[Cell, ...]
    kl_smaller: int
    compared: int
    sign_p: float


def compare_estimators(
    pairs: Sequence[tuple[Distribution, Distribution]] = PAIRS,
    alphas: Sequence[float] = ALPHAS,
    draws: int = 200,
    replications: int = 2000,
    seed: int = 0,
    run: Callable[[Callable[[_Job], Cell], Sequence[_Job]], Iterable[Cell]] = map,
) -> list[PairComparison]:
    """Compare the variances of average KL and average entropy drop by Monte Carlo.

    A draw takes p and q from the pair's distributions, U ~ Bernoulli(p), Q = U with probability alpha and else
    Q ~ Bernoulli(q); p' is Bayes' posterior of U after Q. A replication averages the draws.

    Args:
        pairs: Distributions of p and of q.
        alphas: Probabilities that Q = U, in [0, 1].
        draws: Draws per replication.
        replications: Replications per cell.
        seed: Seed. A cell depends on it and on its own position among pairs and alphas alone.
        run: Calls a function with each of some arguments, in any order and at once if it likes, such as the ``map`` of
            a pool; results are in the order of the arguments.

    Returns:
        One comparison per pair. Of a cell without variance, p values and the ratio are NaN.

    Raises:
        ValueError: If an alpha is outside [0, 1], or there is no draw or fewer than three replications.
    """
    if not all(0 <= alpha <= 1 for alpha in alphas):
        raise ValueError("alphas must be within [0, 1]")
    if draws < 1 or replications < 3:
        raise ValueError("at least one draw and three replications are needed")
    jobs = [
        (prior, noise, alpha, draws, replications, (seed, row, column))
        for row, (prior, noise) in enumerate(pairs)
        for column, alpha in enumerate(alphas)
    ]
    made = iter(run(_cell, jobs))
    compared = []
    for prior, noise in pairs:
        cells = tuple(next(made) for _ in alphas)
        smaller = sum(cell.variance_kl < cell.variance_entropy_drop for cell in cells)
        larger = sum(cell.variance_kl > cell.variance_entropy_drop for cell in cells)
        count = smaller + larger
        sign_p = min(1.0, 2 * float(bdtr(min(smaller, larger), count, 0.5))) if count else NAN
        compared.append(PairComparison(prior.name, noise.name, cells, smaller, count, sign_p))
    return compared


def mutual_information(p: Floats, q: Floats, alpha: float) -> Floats:
    """Exact I(U;Q) in bits, H(Q) - H(Q | U), where Q = U with probability ``alpha`` and else Q ~ Bernoulli(q)."""
    if_yes, if_no = alpha + (1 - alpha) * q, (1 - alpha) * q
    information = _entropy(p * if_yes + (1 - p) * if_no) - p * _entropy(if_yes) - (1 - p) * _entropy(if_no)
    # Rounding may leave a trace below 0.
    return np.maximum(information, 0.0)


def variance_f_p(first: Floats, second: Floats) -> float:
    """Two-sided p value of the F test that two independent samples have equal variances; NaN if one does not vary."""
    variances = float(first.var(ddof=1)), float(second.var(ddof=1))
    if not min(variances) > 0:
        return NAN
    freedom, ratio = (len(first) - 1, len(second) - 1), variances[0] / variances[1]
    return min(1.0, 2 * min(float(fdtr(*freedom, ratio)), float(fdtrc(*freedom, ratio))))


def pitman_morgan_p(first: Floats, second: Floats) -> float:
    """Two-sided p value of equal variances of paired samples: sum and difference are then uncorrelated.

    From Pitman (1939) and Morgan (1939). NaN if one sample does not vary.
    """
    if not (np.ptp(first) > 0 and np.ptp(second) > 0):
        return NAN
    correlation = float(np.corrcoef(first + second, first - second)[0, 1])
    return float(betainc(len(first) / 2 - 1, 0.5, 1 - correlation**2))


def _cell(job: _Job) -> Cell:
    prior, noise, alpha, draws, replications, seed = job
    generator = np.random.default_rng(seed)
    kl, drop, information = np.empty((3, replications))
    # Blocks that stay in the processor's cache.
    block = max(1, _BLOCK // draws)
    for start in range(0, replications, block):
        rows = min(block, replications - start)
        p, q = prior.sample(generator, rows * draws), noise.sample(generator, rows * draws)
        outcome = generator.random(rows * draws) < p
        copied = generator.random(rows * draws) < alpha
        answer = np.where(copied, outcome, generator.random(rows * draws) < q)
        posterior = _posterior(p, q, alpha, answer)
        entropy_after = _entropy(posterior)
        for averages, values in (
            (kl, _kl(posterior, p, entropy_after)),
            (drop, _entropy(p) - entropy_after),
            (information, mutual_information(p, q, alpha)),
        ):
            averages[start : start + rows] = values.reshape(rows, draws).mean(axis=1)
    variance_kl, variance_drop = float(kl.var(ddof=1)), float(drop.var(ddof=1))
    return Cell(
        alpha=alpha,
        mean_kl=float(kl.mean()),
        mean_entropy_drop=float(drop.mean()),
        mutual_information=float(information.mean()),
        variance_kl=variance_kl,
        variance_entropy_drop=variance_drop,
        variance_ratio=variance_drop / variance_kl if variance_kl > 0 else NAN,
        f_p=variance_f_p(drop, kl),
        paired_p=pitman_morgan_p(drop, kl),
    )


_BLOCK = 20_000


def _posterior(p: Floats, q: Floats, alpha: float, answer: NDArray[np.bool_]) -> Floats:
    """P(U | Q) by Bayes."""
    if alpha == 0:
        # The answer says nothing. Rounding would make that a trace of information.
        return p
    if_yes, if_no = alpha + (1 - alpha) * q, (1 - alpha) * q
    yes = p * np.where(answer, if_yes, 1 - if_yes)
    no = (1 - p) * np.where(answer, if_no, 1 - if_no)
    posterior: Floats = yes / (yes + no)
    return posterior


def _kl(posterior: Floats, p: Floats, entropy: Floats) -> Floats:
    """KL(posterior || p) in bits, given the posterior's entropy. Where p is 0 or 1, so is the posterior."""
    return _cross_entropy(posterior, p) - entropy


def _entropy(p: Floats) -> Floats:
    return _cross_entropy(p, p)


def _cross_entropy(p: Floats, q: Floats) -> Floats:
    """Bits that p takes in a code for q; q may be 0 or 1 only where p is, too."""
    # NumPy's logarithms take a fraction of the time of SciPy's entropies, but 0 times that of 0 must be 0.
    yes, no = np.log2(np.maximum(q, _TINY)), np.log2(np.maximum(1 - q, _TINY))
    bits: Floats = -(p * yes + (1 - p) * no)
    return bits


_TINY = np.finfo(np.float64).tiny
