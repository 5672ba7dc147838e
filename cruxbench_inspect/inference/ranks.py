"""Ranks of scores, with and without shared places."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata


def competition_ranks(values: ArrayLike, descending: bool = True) -> list[int]:
    """Ranks 1, 2, 2, 4: ties get the lower number.

    Args:
        values: One score per entrant; NaN ranks last, and several NaN share that rank.
        descending: Whether the highest score is first, else the lowest.

    Returns:
        The rank of each value, in the given order.
    """
    return [int(rank) for rank in _ranks(values, descending, "min")]


def average_ranks(values: ArrayLike, descending: bool = True) -> list[float]:
    """Ranks 1, 2.5, 2.5, 4: ties share the mean of their places, so the sum does not depend on ties.

    Args:
        values: One score per entrant; NaN ranks last, and several NaN share the mean of the last places.
        descending: Whether the highest score is first, else the lowest.

    Returns:
        The rank of each value, in the given order.
    """
    return [float(rank) for rank in _ranks(values, descending, "average")]


def _ranks(values: ArrayLike, descending: bool, method: str) -> NDArray[np.float64]:
    scores = np.asarray(values, dtype=np.float64)
    missing = np.isnan(scores)
    ranks = np.empty(scores.shape)
    ranks[~missing] = rankdata(-scores[~missing] if descending else scores[~missing], method=method)
    ranks[missing] = np.count_nonzero(~missing) + rankdata(np.zeros(np.count_nonzero(missing)), method=method)
    return ranks
