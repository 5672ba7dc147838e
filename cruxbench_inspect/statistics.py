"""Tests and intervals for means of per-question scores. Pure maths."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri, stdtr, stdtrit


def t_interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The t interval of a mean: n-1 degrees of freedom, sample standard deviation.

    Args:
        values: One score per question.
        level: Confidence level in (0, 1).

    Returns:
        Lower and upper bound; NaN with fewer than two values.
    """
    if len(values) < 2:
        return float("nan"), float("nan")
    mean = float(np.mean(values))
    half = float(stdtrit(len(values) - 1, 0.5 + level / 2)) * _standard_error(values)
    return mean - half, mean + half


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927), which stays within [0, 1] also at its ends.

    Args:
        successes: How many of the trials succeeded.
        trials: How many there were.
        level: Confidence level in (0, 1).

    Returns:
        Lower and upper bound; NaN without trials.
    """
    if trials == 0:
        return float("nan"), float("nan")
    z = float(ndtri(0.5 + level / 2))
    share, spread = successes / trials, z**2 / trials
    centre = share + spread / 2
    half = z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    # Rounding must not take the bounds of none and of all from 0 and 1.
    low = (centre - half) / (1 + spread) if successes else 0.0
    high = (centre + half) / (1 + spread) if successes < trials else 1.0
    return low, high


def one_sided_p(differences: Sequence[float]) -> float:
    """P value of the paired t-test that the mean difference is above 0, against that it is 0 or less.

    Args:
        differences: One difference per question, such as score minus random-timing baseline.

    Returns:
        The p value; NaN with fewer than two differences, or where all of them are equal.
    """
    if len(differences) < 2 or np.ptp(differences) == 0:
        return float("nan")
    return float(stdtr(len(differences) - 1, -float(np.mean(differences)) / _standard_error(differences)))


def _standard_error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))
