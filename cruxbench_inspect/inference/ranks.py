"""Ranks of scores, with and without shared places."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def competition_ranks(values: ArrayLike, descending: bool = True) -> list[int]:
    """Ranks 1, 2, 2, 4: ties get the lower number.

    Args:
        values: One score per entrant; NaN ranks last, and several NaN share that rank.
        descending: Whether the highest score is first, else the lowest.

    Returns:
        The rank of each value, in the given order.
    """
    return [int(first) for first, _ in _places(values, descending).T]


def average_ranks(values: ArrayLike, descending: bool = True) -> list[float]:
    """Ranks 1, 2.5, 2.5, 4: ties share the mean of their places, so the sum does not depend on ties.

    Args:
        values: One score per entrant; NaN ranks last, and several NaN share the mean of the last places.
        descending: Whether the highest score is first, else the lowest.

    Returns:
        The rank of each value, in the given order.
    """
    return [(first + last) / 2 for first, last in _places(values, descending).T.tolist()]


def _places(values: ArrayLike, descending: bool) -> NDArray[np.int64]:
    """The first and the last place of those that have each value, from 1, shape (2, values)."""
    scores = np.asarray(values, dtype=np.float64)
    if descending:
        scores = -scores
    # NaN is sorted last, and as equal to itself.
    in_order = np.sort(scores)
    return np.stack([np.searchsorted(in_order, scores) + 1, np.searchsorted(in_order, scores, "right")])
