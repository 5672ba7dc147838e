"""How far a mean score rests on few questions, or on one kind of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Tercile:
    """A third of the questions.

    Attributes:
        count: Number of questions.
        mean: Mean of their scores; NaN without questions.
    """

    count: int
    mean: float


def top_share(values: ArrayLike, count: int = 10) -> float:
    """The share of the sum of scores that the questions with the highest scores have.

    Args:
        values: One score per question. Negative ones are allowed; the share may then exceed 1.
        count: How many questions are the top; all where there are fewer.

    Returns:
        The share; NaN where the sum of all scores is 0.

    Raises:
        ValueError: A score is NaN or infinite, or the count is negative.
    """
    if count < 0:
        raise ValueError(f"a count of questions cannot be negative: {count}")
    scores = np.sort(np.asarray_chkfinite(values, dtype=np.float64))[::-1]
    total = float(np.sum(scores))
    return float(np.sum(scores[:count])) / total if total != 0.0 else float("nan")


def tercile_means(values: ArrayLike, by: ArrayLike) -> tuple[Tercile, Tercile, Tercile]:
    """Mean scores over the lower, middle and upper third of the questions by another quantity, such as volume.

    Thirds differ by at most one question; the lower ones are the larger. Ties of the quantity stay in the given order.

    Args:
        values: One score per question.
        by: The quantity, for the same questions.

    Returns:
        The lower, the middle and the upper third.

    Raises:
        ValueError: A value is NaN or infinite, or the lengths differ.
    """
    scores, quantity = (np.asarray_chkfinite(part, dtype=np.float64) for part in (values, by))
    if scores.shape != quantity.shape:
        raise ValueError(f"terciles need one length, not {len(scores)} and {len(quantity)}")
    lower, middle, upper = (
        Tercile(len(third), float(np.mean(third)) if len(third) else float("nan"))
        for third in np.array_split(scores[np.argsort(quantity, kind="stable")], 3)
    )
    return lower, middle, upper
