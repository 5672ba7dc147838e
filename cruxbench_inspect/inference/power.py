"""Power of the paired two-sided t-test, from the noncentral t distribution. Questions count as independent.

Signs do not matter. NaN gives NaN, and so does a difference of 0 with a standard deviation of 0, or an infinite one
with an infinite one. A standard deviation of 0 or an infinite difference is certain to be seen, a difference of 0 or an
infinite standard deviation never more often than ``level``.
"""

import math

import numpy as np
from scipy.special import stdtrit


def power_of(difference: float, standard_deviation: float, count: int, level: float = 0.05) -> float:
    """The probability that the test finds a true mean difference.

    Args:
        difference: True mean of the per-question differences.
        standard_deviation: Their standard deviation.
        count: Number of questions.
        level: Significance level in (0, 1).

    Returns:
        The power, with rejections in the wrong direction; NaN with fewer than two questions.

    Raises:
        ValueError: The standard deviation is negative or the level outside (0, 1).
    """
    _check(standard_deviation, level)
    return _power(_effect_size(difference, standard_deviation), count, level)


def questions_needed(difference: float, standard_deviation: float, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest number of questions at which the test has a power.

    Args:
        difference: True mean of the per-question differences.
        standard_deviation: Their standard deviation.
        power: Power wanted, in (``level``, 1).
        level: Significance level in (0, 1).

    Returns:
        A whole number of at least 2; infinity where no number suffices, or only more than 10^12.

    Raises:
        ValueError: The standard deviation is negative, or level and power are not in order within (0, 1).
    """
    _check(standard_deviation, level, power)
    effect_size = _effect_size(difference, standard_deviation)
    if math.isnan(effect_size):
        return math.nan
    low, high = 1, 2
    while _power(effect_size, high, level) < power:
        low, high = high, 2 * high
        if low > _MOST_QUESTIONS:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _power(effect_size, middle, level) >= power else (middle, high)
    return float(high)


def detectable_difference(count: int, standard_deviation: float, power: float = 0.8, level: float = 0.05) -> float:
    """The true mean difference at which the test has a power.

    Args:
        count: Number of questions.
        standard_deviation: Standard deviation of the per-question differences.
        power: Power wanted, in (``level``, 1).
        level: Significance level in (0, 1).

    Returns:
        The difference, in the unit of the standard deviation; NaN with fewer than two questions.

    Raises:
        ValueError: The standard deviation is negative, or level and power are not in order within (0, 1).
    """
    from scipy.optimize import brentq

    _check(standard_deviation, level, power)
    if count < 2 or math.isnan(standard_deviation):
        return math.nan
    high = 1.0
    while _power(high, count, level) < power:
        high *= 2.0
    effect_size = brentq(lambda size: _power(size, count, level) - power, 0.0, high, xtol=1e-15, rtol=1e-13)
    return float(effect_size) * standard_deviation


_MOST_QUESTIONS = 10**12


def _effect_size(difference: float, standard_deviation: float) -> float:
    """The absolute difference in standard deviations."""
    if standard_deviation == 0.0:
        return math.nan if difference == 0.0 else abs(difference) * math.inf
    return abs(difference) / standard_deviation


def _power(effect_size: float, count: int, level: float) -> float:
    # It takes half a second to load, which a report of one model does without.
    from scipy.stats import nct

    if count < 2 or math.isnan(effect_size):
        return math.nan
    noncentrality = effect_size * math.sqrt(count)
    critical = float(stdtrit(count - 1, 1.0 - level / 2))
    if math.isinf(noncentrality):
        return 1.0
    # The wrong direction mirrored: the lower tail of SciPy's noncentral t is NaN far out.
    return float(np.sum(nct.sf(critical, count - 1, [noncentrality, -noncentrality])))


def _check(standard_deviation: float, level: float, power: float | None = None) -> None:
    if standard_deviation < 0.0:
        raise ValueError(f"a standard deviation cannot be negative: {standard_deviation}")
    if not 0.0 < level < 1.0:
        raise ValueError(f"a level lies between 0 and 1: {level}")
    if power is not None and not level < power < 1.0:
        raise ValueError(f"a power lies between the level and 1: {power}")
