"""Whether trusted prices are a martingale: beliefs after a crux regressed on beliefs before it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc, stdtr, stdtrit

Floats = NDArray[np.float64]

NAN = float("nan")


@dataclass(frozen=True)
class Decile:
    """Cruxes with similar beliefs before.

    Attributes:
        count: How many.
        mean_before: Mean p.
        mean_after: Mean p'.
        gap: ``mean_after - mean_before``.
    """

    count: int
    mean_before: float
    mean_after: float
    gap: float


@dataclass(frozen=True)
class Martingale:
    """The regression p' = intercept + slope * p. A martingale has slope 1 and intercept 0.

    Attributes:
        count: Number of resolved cruxes.
        slope: Least-squares slope.
        intercept: Least-squares intercept.
        r2: Squared Pearson correlation.
        slope_error: Standard error of the slope, clustered two ways.
        slope_interval: Interval of the slope.
        slope_p: Two-sided p value of slope 1.
        intercept_error: Standard error of the intercept, clustered two ways.
        intercept_interval: Interval of the intercept.
        intercept_p: Two-sided p value of intercept 0.
        joint_p: P value of slope 1 and intercept 0 together (Wald, F distribution).
        repaired: Whether the two-way variance had a negative eigenvalue, which was set to 0.
        deciles: Up to ten groups by quantiles of p. Equal p stay together, so there may be fewer.
        largest_gap: Largest absolute gap of a decile.
    """

    count: int
    slope: float
    intercept: float
    r2: float
    slope_error: float
    slope_interval: tuple[float, float]
    slope_p: float
    intercept_error: float
    intercept_interval: tuple[float, float]
    intercept_p: float
    joint_p: float
    repaired: bool
    deciles: list[Decile]
    largest_gap: float


def martingale(
    before: Sequence[float] | Floats,
    after: Sequence[float] | Floats,
    first_clusters: Sequence[Hashable],
    second_clusters: Sequence[Hashable],
    level: float = 0.95,
) -> Martingale:
    """Regress beliefs after on beliefs before, with errors clustered two ways.

    The variance is that of Cameron, Gelbach and Miller (2011): V1 + V2 - V12, where V12 clusters by both at once. Each
    has the factor G / (G - 1) * (n - 1) / (n - 2) for its own number G of clusters. Tests and intervals use min(G1, G2)
    - 1 degrees of freedom. With equal first and second clusters this is the one-way clustered variance.

    The sum may not be positive definite. Eigenvalues below 0 are then set to 0, as that paper proposes, which only
    makes errors larger; ``repaired`` says so. The variance is then singular, and ``joint_p`` is NaN. Where no
    eigenvalue is above 0, errors, intervals and p values are NaN.

    Args:
        before: Mean trusted price before each crux, in [0, 1].
        after: The same after it.
        first_clusters: First cluster of each crux, such as its market.
        second_clusters: Second cluster of each crux, such as its pivot hour.
        level: Confidence level in (0, 1).

    Returns:
        The regression. NaN without two different beliefs before; errors, intervals and p values are also NaN with
        fewer than three cruxes, fewer than two clusters of a kind, or where the line goes through every point.

    Raises:
        ValueError: If lengths differ or a belief is NaN or infinite.
    """
    p, q = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    if not len(p) == len(q) == len(first_clusters) == len(second_clusters):
        raise ValueError("every crux needs a belief before, one after, and two clusters")
    if not (np.isfinite(p).all() and np.isfinite(q).all()):
        raise ValueError("beliefs must be finite")
    deciles = _deciles(p, q)
    slope, intercept, r2 = _line(p, q)
    variance, freedom, repaired = _two_way_variance(p, q, slope, intercept, first_clusters, second_clusters)
    slope_error, intercept_error = (_root(variance[position, position]) for position in (1, 0))
    quantile = float(stdtrit(freedom, 0.5 + level / 2)) if freedom else NAN
    return Martingale(
        count=len(p),
        slope=slope,
        intercept=intercept,
        r2=r2,
        slope_error=slope_error,
        slope_interval=(slope - quantile * slope_error, slope + quantile * slope_error),
        slope_p=_two_sided_p(slope - 1, slope_error, freedom),
        intercept_error=intercept_error,
        intercept_interval=(intercept - quantile * intercept_error, intercept + quantile * intercept_error),
        intercept_p=_two_sided_p(intercept, intercept_error, freedom),
        joint_p=NAN if repaired else _wald_p(np.array([intercept, slope - 1]), variance, freedom),
        repaired=repaired,
        deciles=deciles,
        largest_gap=max((abs(decile.gap) for decile in deciles), default=NAN),
    )


def _deciles(before: Floats, after: Floats) -> list[Decile]:
    if not len(before):
        return []
    edges = np.unique(np.quantile(before, np.arange(1, 10) / 10))
    groups = np.searchsorted(edges, before, side="left")
    found = []
    for group in np.unique(groups):
        held = groups == group
        mean_before, mean_after = float(before[held].mean()), float(after[held].mean())
        found.append(Decile(int(held.sum()), mean_before, mean_after, mean_after - mean_before))
    return found


def _line(before: Floats, after: Floats) -> tuple[float, float, float]:
    """Slope, intercept and R^2."""
    if len(before) < 2 or np.ptp(before) == 0:
        return NAN, NAN, NAN
    x, y = before - before.mean(), after - after.mean()
    slope = float(x @ y / (x @ x))
    r2 = float((x @ y) ** 2 / ((x @ x) * (y @ y))) if np.ptp(after) > 0 else NAN
    return slope, float(after.mean() - slope * before.mean()), r2


def _two_way_variance(
    before: Floats,
    after: Floats,
    slope: float,
    intercept: float,
    first: Sequence[Hashable],
    second: Sequence[Hashable],
) -> tuple[Floats, int, bool]:
    """Variance of (intercept, slope), degrees of freedom, and whether the variance had to be repaired."""
    count = len(before)
    residuals = after - intercept - slope * before
    if count < 3 or np.isnan(slope) or np.abs(residuals).max() < 1e-12:
        return np.full((2, 2), NAN), 0, False
    first_codes, second_codes = _codes(first), _codes(second)
    smaller = int(min(first_codes.max(), second_codes.max())) + 1
    if smaller < 2:
        return np.full((2, 2), NAN), 0, False
    design = np.column_stack([np.ones(count), before])
    scores = design * residuals[:, np.newaxis]
    both = _codes(list(zip(first_codes.tolist(), second_codes.tolist(), strict=True)))
    meat = _meat(scores, first_codes) + _meat(scores, second_codes) - _meat(scores, both)
    bread = np.linalg.inv(design.T @ design)
    product = bread @ meat @ bread
    variance: Floats = np.asarray((product + product.T) / 2, dtype=np.float64)
    values, vectors = np.linalg.eigh(variance)
    # What rounding leaves of a zero eigenvalue is singular, but no sign of trouble.
    repaired = bool(values.min() < -1e-12 * np.abs(values).max())
    if values.max() <= 0:
        return np.full((2, 2), NAN), 0, True
    if repaired:
        variance = np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T, dtype=np.float64)
    return variance, smaller - 1, repaired


def _codes(clusters: Sequence[Any]) -> NDArray[np.int64]:
    """Clusters as the numbers 0, 1, .. by first appearance."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=np.int64)


def _meat(scores: Floats, codes: NDArray[np.int64]) -> Floats:
    sums = np.column_stack([np.bincount(codes, weights=column) for column in scores.T])
    clusters, count = len(sums), len(scores)
    factor = clusters / (clusters - 1) * (count - 1) / (count - 2)
    return np.asarray(factor * (sums.T @ sums), dtype=np.float64)


def _root(variance: float) -> float:
    return float(np.sqrt(max(variance, 0.0))) if not np.isnan(variance) else NAN


def _two_sided_p(difference: float, error: float, freedom: int) -> float:
    return float(2 * stdtr(freedom, -abs(difference) / error)) if error > 0 else NAN


def _wald_p(differences: Floats, variance: Floats, freedom: int) -> float:
    if np.isnan(variance).any() or np.linalg.cond(variance) > 1e12:
        return NAN
    statistic = float(differences @ np.linalg.solve(variance, differences)) / 2
    return float(fdtrc(2, freedom, statistic))
