"""Correlation of two quantities of few things, such as the scores and the capabilities of models."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri


@dataclass(frozen=True)
class Correlation:
    """A Pearson correlation.

    Attributes:
        r: The coefficient; NaN with fewer than three points or where one side is constant.
        interval: Fisher's interval, see ``fisher_interval``.
        p: Two-sided p value of r = 0 for bivariate normal points; NaN where r is.
    """

    r: float
    interval: tuple[float, float]
    p: float


def pearson_fisher(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Correlation:
    """Pearson correlation with Fisher's interval.

    Args:
        x: One value per point.
        y: The other value of the same points.
        level: Confidence level in (0, 1).

    Returns:
        The correlation.

    Raises:
        ValueError: A value is NaN or infinite, or the lengths differ.
    """
    # It takes half a second to load, which most reports do without.
    from scipy.stats import pearsonr

    first, second = _points(x, y)
    if not _vary(first, second):
        return Correlation(math.nan, (math.nan, math.nan), math.nan)
    r, p = (float(value) for value in pearsonr(first, second))
    return Correlation(r, fisher_interval(r, len(first), level), p)


def fisher_interval(r: float, count: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a correlation by Fisher's z: tanh(artanh(r) -+ z / sqrt(count - 3)) (Fisher 1921).

    Args:
        r: A Pearson correlation.
        count: Number of points.
        level: Confidence level in (0, 1).

    Returns:
        Lower and upper bound; both are r where it is 1 or -1. NaN with fewer than four points.
    """
    if count < 4:
        return math.nan, math.nan
    if abs(r) == 1.0:
        return r, r
    half = float(ndtri(0.5 + level / 2)) / math.sqrt(count - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def leave_one_out(x: ArrayLike, y: ArrayLike) -> list[float]:
    """The Pearson correlation without each point in turn.

    Args:
        x: One value per point.
        y: The other value of the same points.

    Returns:
        One coefficient per point left out, in the given order; NaN where fewer than three are left or one side of them
        is constant.

    Raises:
        ValueError: A value is NaN or infinite, or the lengths differ.
    """
    first, second = _points(x, y)
    return [pearson_fisher(np.delete(first, left), np.delete(second, left)).r for left in range(len(first))]


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's rho: the Pearson correlation of average ranks, so ties are allowed.

    Args:
        x: One value per point.
        y: The other value of the same points.

    Returns:
        The coefficient; NaN with fewer than three points or where one side is constant.

    Raises:
        ValueError: A value is NaN or infinite, or the lengths differ.
    """
    from scipy.stats import spearmanr

    first, second = _points(x, y)
    return float(spearmanr(first, second).statistic) if _vary(first, second) else math.nan


def _points(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = (np.asarray_chkfinite(values, dtype=np.float64) for values in (x, y))
    if first.shape != second.shape:
        raise ValueError(f"a correlation needs one length, not {len(first)} and {len(second)}")
    return first, second


def _vary(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    return len(first) > 2 and bool(np.ptp(first) > 0.0 and np.ptp(second) > 0.0)
