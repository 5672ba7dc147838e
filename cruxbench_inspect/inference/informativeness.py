"""How much a crux's answer says about the ultimate outcome: Youden's J, with intervals."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.inference.clustered import resamples
from cruxbench_inspect.statistics import wilson_interval

NAN = float("nan")


@dataclass(frozen=True)
class Informativeness:
    """Answers of cruxes against outcomes of their ultimate questions.

    Attributes:
        positives: Cruxes whose ultimate question ended Yes.
        negatives: Cruxes whose ultimate question ended No.
        true_positives: Yes answers among the positives.
        false_positives: Yes answers among the negatives.
        tpr: P(crux Yes | outcome Yes); NaN without positives.
        fpr: P(crux Yes | outcome No); NaN without negatives.
        j: Youden's J, ``tpr - fpr``.
        tpr_interval: Wilson interval of ``tpr``.
        fpr_interval: Wilson interval of ``fpr``.
        j_interval: Newcombe's hybrid score interval of ``j``. It takes cruxes to be independent.
    """

    positives: int
    negatives: int
    true_positives: int
    false_positives: int
    tpr: float
    fpr: float
    j: float
    tpr_interval: tuple[float, float]
    fpr_interval: tuple[float, float]
    j_interval: tuple[float, float]


def informativeness(
    crux_is_yes: Sequence[bool | None], outcome_is_yes: Sequence[bool], level: float = 0.95
) -> Informativeness:
    """Youden's J of resolved cruxes.

    The interval of J is method 10 of Newcombe (1998), "Interval estimation for the difference between independent
    proportions".

    Args:
        crux_is_yes: Answer of each crux. None is left out, as ``oriented`` gives for a crux without a direction.
        outcome_is_yes: Final outcome of its ultimate question.
        level: Confidence level in (0, 1).

    Returns:
        Rates, J and intervals; NaN where there are no positives or no negatives to compute them from.

    Raises:
        ValueError: If the lengths differ.
    """
    counts = _counts(crux_is_yes, outcome_is_yes).sum(axis=0)
    true_positives, positives, false_positives, negatives = map(int, counts)
    tpr = true_positives / positives if positives else NAN
    fpr = false_positives / negatives if negatives else NAN
    tpr_interval = wilson_interval(true_positives, positives, level)
    fpr_interval = wilson_interval(false_positives, negatives, level)
    return Informativeness(
        positives=positives,
        negatives=negatives,
        true_positives=true_positives,
        false_positives=false_positives,
        tpr=tpr,
        fpr=fpr,
        j=tpr - fpr,
        tpr_interval=tpr_interval,
        fpr_interval=fpr_interval,
        j_interval=(
            tpr - fpr - math.hypot(tpr - tpr_interval[0], fpr_interval[1] - fpr),
            tpr - fpr + math.hypot(tpr_interval[1] - tpr, fpr - fpr_interval[0]),
        ),
    )


def oriented(crux_is_yes: Sequence[bool], yes_makes_more_likely: Sequence[bool | None]) -> list[bool | None]:
    """Answers turned so that Yes always speaks for the ultimate question.

    Args:
        crux_is_yes: Answer of each crux.
        yes_makes_more_likely: The direction that the crux states for a Yes; None where it states none.

    Returns:
        Whether each answer speaks for the ultimate question; None without a stated direction.

    Raises:
        ValueError: If the lengths differ.
    """
    if len(crux_is_yes) != len(yes_makes_more_likely):
        raise ValueError("every crux needs an answer and a direction or None")
    return [
        None if direction is None else bool(answer) == bool(direction)
        for answer, direction in zip(crux_is_yes, yes_makes_more_likely, strict=True)
    ]


def clustered_j_interval(
    crux_is_yes: Sequence[bool | None],
    outcome_is_yes: Sequence[bool],
    clusters: Sequence[Hashable],
    level: float = 0.95,
    draws: int = 4000,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile bootstrap interval of Youden's J, drawing whole clusters with replacement.

    Draws without positives or without negatives are left out.

    Args:
        crux_is_yes: Answer of each crux; None is left out.
        outcome_is_yes: Final outcome of its ultimate question.
        clusters: Cluster of each crux, such as its resolving event.
        level: Confidence level in (0, 1).
        draws: Bootstrap samples.
        seed: Seed of the draws.

    Returns:
        Lower and upper bound; NaN with fewer than two clusters, no positives or no negatives. Too narrow with few
        clusters (under about 30).

    Raises:
        ValueError: If lengths differ.
    """
    if len(clusters) != len(crux_is_yes):
        raise ValueError("every crux needs a cluster")
    cells = _counts(crux_is_yes, outcome_is_yes)
    kept: NDArray[np.bool_] = np.asarray(cells.any(axis=1))
    numbers: dict[Hashable, int] = {}
    codes = [
        numbers.setdefault(cluster, len(numbers)) for cluster, held in zip(clusters, kept.tolist(), strict=True) if held
    ]
    sums = np.zeros((len(numbers), 4))
    np.add.at(sums, codes, cells[kept])
    if len(numbers) < 2 or not sums[:, 1].any() or not sums[:, 3].any():
        return NAN, NAN
    count = len(numbers)
    blocks = [weights @ sums for weights in resamples(count, draws, np.random.default_rng(seed))]
    true_positives, positives, false_positives, negatives = np.concatenate(blocks).T
    both = (positives > 0) & (negatives > 0)
    js = true_positives[both] / positives[both] - false_positives[both] / negatives[both]
    low, high = np.quantile(js, [0.5 - level / 2, 0.5 + level / 2]) if both.any() else (NAN, NAN)
    return float(low), float(high)


def _counts(crux_is_yes: Sequence[bool | None], outcome_is_yes: Sequence[bool]) -> NDArray[np.int64]:
    """True positives, positives, false positives and negatives of each crux, shape (cruxes, 4); zeros for None."""
    if len(crux_is_yes) != len(outcome_is_yes):
        raise ValueError("every crux needs an answer and an outcome")
    known = np.array([answer is not None for answer in crux_is_yes], dtype=bool)
    yes, outcome = np.array([bool(answer) for answer in crux_is_yes], dtype=bool), np.array(outcome_is_yes, dtype=bool)
    return np.column_stack([yes & outcome, known & outcome, yes & ~outcome, known & ~outcome]).astype(np.int64)
