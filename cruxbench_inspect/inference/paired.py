"""Differences of two score sequences over the same questions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from cruxbench_inspect.inference.clustered import cluster_codes, clustered_interval, clustered_standard_error

EXACT_FLIPS = 14
"""Up to so many non-zero differences the sign-flip test enumerates every flip."""


@dataclass(frozen=True)
class PairedDifference:
    """How far the first of two is above the second, over the questions that both have.

    Attributes:
        count: Number of questions.
        mean: Mean of first - second; NaN without questions.
        interval: t interval of the mean, cluster-robust where clusters are given; NaN with fewer than two clusters.
        p: Two-sided p value of the paired t-test, cluster-robust where clusters are given; NaN with fewer than two
            clusters, or where the standard error is 0.
        p_sign_flip: Two-sided p value of the sign-flip test, see ``sign_flip_p``.
        standard_deviation: Sample standard deviation of the differences; NaN with fewer than two.
        share_first_higher: Share of questions where the first is strictly higher; NaN without questions.
        ties: Number of questions where both are equal.
    """

    count: int
    mean: float
    interval: tuple[float, float]
    p: float
    p_sign_flip: float
    standard_deviation: float
    share_first_higher: float
    ties: int


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    repetitions: int = 10000,
    seed: int = 0,
) -> PairedDifference:
    """Compare two score sequences, question by question.

    Args:
        first: Scores of the first, one per question.
        second: Scores of the second for the same questions, in the same order.
        clusters: The cluster of each question; each is its own without.
        level: Confidence level in (0, 1).
        repetitions: Number of random flips of the sign-flip test.
        seed: Seed of the flips.

    Returns:
        The comparison; what too few questions leave undefined is NaN.

    Raises:
        ValueError: A score is NaN or infinite, or the lengths differ.
    """
    ours, theirs = (np.asarray_chkfinite(scores, dtype=np.float64) for scores in (first, second))
    if ours.shape != theirs.shape:
        raise ValueError(f"paired scores need one length, not {len(ours)} and {len(theirs)}")
    differences = ours - theirs
    count = len(differences)
    labels = range(count) if clusters is None else clusters
    return PairedDifference(
        count=count,
        mean=float(np.mean(differences)) if count else float("nan"),
        interval=clustered_interval(differences, labels, level),
        p=_two_sided_p(differences, labels),
        p_sign_flip=sign_flip_p(differences, labels, repetitions, seed),
        standard_deviation=float(np.std(differences, ddof=1)) if count > 1 else float("nan"),
        share_first_higher=float(np.mean(ours > theirs)) if count else float("nan"),
        ties=int(np.count_nonzero(ours == theirs)),
    )


def sign_flip_p(
    differences: ArrayLike,
    clusters: Sequence[Hashable] | None = None,
    repetitions: int = 10000,
    seed: int = 0,
    two_sided: bool = True,
) -> float:
    """P value of the sign-flip test (Fisher's randomisation test) that differences are symmetric about 0.

    Whole clusters are flipped. All flips are enumerated where at most ``EXACT_FLIPS`` clusters have a sum other than 0.
    Otherwise flips are drawn, and the p value is (1 + as extreme) / (1 + repetitions), which is valid for any number of
    them (Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero").

    Args:
        differences: One difference per question.
        clusters: The cluster of each question; each is its own without.
        repetitions: Number of random flips.
        seed: Seed of the flips; the same arguments give the same p value.
        two_sided: Whether a sum is extreme in both directions, else only above 0.

    Returns:
        The p value: 1 where all differences are 0, NaN without differences.

    Raises:
        ValueError: A difference is NaN or infinite, or the lengths differ.
    """
    values = np.asarray_chkfinite(differences, dtype=np.float64)
    codes = cluster_codes(range(len(values)) if clusters is None else clusters, len(values))
    if not len(values):
        return float("nan")
    sums = np.bincount(codes, values)
    # What only rounding keeps from 0 or from a tie counts as such.
    tolerance = _ROUNDING * float(np.sum(np.abs(values)))
    sums = sums[np.abs(sums) > tolerance]
    exact = len(sums) <= EXACT_FLIPS
    signs = _every_sign(len(sums)) if exact else _drawn_signs(repetitions, len(sums), np.random.default_rng(seed))
    totals, observed = signs @ sums, float(np.sum(sums))
    if two_sided:
        totals, observed = np.abs(totals), abs(observed)
    extreme = int(np.count_nonzero(totals >= observed - tolerance))
    return extreme / len(totals) if exact else (1 + extreme) / (1 + len(totals))


_ROUNDING = 1e-12


def _two_sided_p(differences: NDArray[np.float64], clusters: Sequence[Hashable]) -> float:
    error = clustered_standard_error(differences, clusters)
    if not error > 0.0:
        return float("nan")
    return float(2.0 * stdtr(len(set(clusters)) - 1, -abs(float(np.mean(differences))) / error))


def _every_sign(count: int) -> NDArray[np.float64]:
    """All rows of count signs, shape (2^count, count)."""
    bits = (np.arange(2**count)[:, np.newaxis] >> np.arange(count)) & 1
    return 1.0 - 2.0 * bits.astype(np.float64)


def _drawn_signs(repetitions: int, count: int, generator: np.random.Generator) -> NDArray[np.float64]:
    return 1.0 - 2.0 * generator.integers(0, 2, (repetitions, count), dtype=np.int8).astype(np.float64)
