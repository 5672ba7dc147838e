"""How far cruxes of one question agree in answer, time, threshold and source, by how similar their texts are."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cruxbench_inspect.statistics import wilson_interval

EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Default edges of the groups by similarity."""


@dataclass(frozen=True)
class CruxPair:
    """Two cruxes of one question. None where one of the two lacks what is compared.

    Attributes:
        similarity: Cosine similarity of their texts.
        same_answer: Whether both resolved Yes, or both No.
        days_apart: Absolute difference of their resolution times in days.
        same_threshold: Whether they name the same numeric threshold.
        same_source: Whether they resolve by the same kind of source.
    """

    similarity: float
    same_answer: bool | None
    days_apart: float | None
    same_threshold: bool | None
    same_source: bool | None


@dataclass(frozen=True)
class Share:
    """A share of pairs.

    Attributes:
        successes: Pairs that count.
        count: Pairs in which it is known.
        share: ``successes / count``; NaN without pairs.
        interval: Wilson interval; NaN without pairs. It takes pairs to be independent, which pairs of one question are
            not.
    """

    successes: int
    count: int
    share: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class SimilarityGroup:
    """Pairs whose similarity is in [low, high); the last group includes its upper edge.

    Attributes:
        low: Lower edge.
        high: Upper edge.
        count: Number of pairs.
        mean_similarity: Their mean similarity; NaN without pairs.
        disagreement: Pairs with different answers, 1 - P(same Yes/No).
        median_days_apart: Median absolute difference of resolution times in days; NaN without any.
        days_count: Pairs with two resolution times.
        same_threshold: Pairs with the same numeric threshold.
        same_source: Pairs with the same kind of source.
    """

    low: float
    high: float
    count: int
    mean_similarity: float
    disagreement: Share
    median_days_apart: float
    days_count: int
    same_threshold: Share
    same_source: Share


def agreement(pairs: Sequence[CruxPair], edges: Sequence[float] = EDGES, level: float = 0.95) -> list[SimilarityGroup]:
    """Agreement of pairs of cruxes, grouped by similarity.

    Args:
        pairs: Pairs of cruxes; both cruxes of a pair belong to one question.
        edges: Edges of the groups, increasing. Pairs below the first edge (embeddings can have a negative cosine) are
            in the first group, and those above the last edge in the last.
        level: Confidence level in (0, 1).

    Returns:
        One group per interval between edges, also where it is empty.

    Raises:
        ValueError: If edges do not increase, or a similarity or a difference of times is NaN.
    """
    if len(edges) < 2 or not all(low < high for low, high in zip(edges, edges[1:], strict=False)):
        raise ValueError("edges must increase")
    if any(math.isnan(pair.similarity) or math.isnan(pair.days_apart or 0.0) for pair in pairs):
        raise ValueError("similarities and differences of times must be numbers")
    groups: list[list[CruxPair]] = [[] for _ in edges[1:]]
    for pair, group in zip(pairs, np.searchsorted(edges[1:-1], [p.similarity for p in pairs], "right"), strict=True):
        groups[group].append(pair)
    return [_group(low, high, group, level) for low, high, group in zip(edges, edges[1:], groups, strict=False)]


def _group(low: float, high: float, pairs: Sequence[CruxPair], level: float) -> SimilarityGroup:
    days = [pair.days_apart for pair in pairs if pair.days_apart is not None]
    return SimilarityGroup(
        low=low,
        high=high,
        count=len(pairs),
        mean_similarity=float(np.mean([pair.similarity for pair in pairs])) if pairs else float("nan"),
        disagreement=_share((None if pair.same_answer is None else not pair.same_answer for pair in pairs), level),
        median_days_apart=float(np.median(days)) if days else float("nan"),
        days_count=len(days),
        same_threshold=_share((pair.same_threshold for pair in pairs), level),
        same_source=_share((pair.same_source for pair in pairs), level),
    )


def _share(found: Iterable[bool | None], level: float) -> Share:
    known = [value for value in found if value is not None]
    successes, count = sum(known), len(known)
    return Share(
        successes, count, successes / count if count else float("nan"), wilson_interval(successes, count, level)
    )
