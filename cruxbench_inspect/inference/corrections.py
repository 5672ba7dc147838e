"""P values adjusted for several comparisons. NaN stays NaN and does not count as a comparison."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike) -> list[float]:
    """Adjust p values for the family-wise error rate (Holm 1979), valid under any dependence.

    Args:
        p_values: P values in [0, 1] or NaN, one per comparison.

    Returns:
        Adjusted p values in the given order: at most ``level`` where the comparison is significant at ``level``.

    Raises:
        ValueError: A p value is outside [0, 1].
    """
    return _adjusted(p_values, _holm)


def benjamini_hochberg(p_values: ArrayLike) -> list[float]:
    """Adjust p values for the false discovery rate (Benjamini and Hochberg 1995), valid under positive dependence.

    Args:
        p_values: P values in [0, 1] or NaN, one per comparison.

    Returns:
        Adjusted p values in the given order: at most ``rate`` where the comparison is a discovery at ``rate``.

    Raises:
        ValueError: A p value is outside [0, 1].
    """
    # It takes half a second to load, which a report of one model does without.
    from scipy.stats import false_discovery_control

    return _adjusted(p_values, false_discovery_control)


def _adjusted(p_values: ArrayLike, adjust: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> list[float]:
    adjusted = np.array(p_values, dtype=np.float64)
    known = ~np.isnan(adjusted)
    if np.any((adjusted[known] < 0.0) | (adjusted[known] > 1.0)):
        raise ValueError("p values must lie in [0, 1]")
    if known.any():
        adjusted[known] = adjust(adjusted[known])
    return [float(value) for value in adjusted]


def _holm(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(p_values)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    return np.minimum(adjusted, 1.0)
