"""Figures of how alike cruxes are: the paper's figures 4 and 11, and a heat map."""

import math
from collections.abc import Callable, Sequence

from cruxbench_inspect.inference.agreement import CruxPair, Share, SimilarityGroup
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import similarity_disagreement as panels
from cruxbench_inspect.report.figures.similarity_heat_map import ModelPair, similarity_heat_map
from cruxbench_inspect.report.likeness import capital, group_name
from cruxbench_inspect.report.numbers import mean


def likeness_figures(
    labels: Sequence[str],
    kind: str,
    groups: Sequence[SimilarityGroup],
    pairs: Sequence[tuple[str, str, CruxPair]],
) -> list[Figure]:
    """The figures.

    Args:
        labels: The entries that are compared, in their order.
        kind: What the similarities are.
        groups: Pairs of cruxes by similarity.
        pairs: All pairs, each with its two entries.
    """
    models: dict[tuple[str, str], list[float]] = {}
    for first, second, pair in pairs:
        models.setdefault((first, second), []).append(pair.similarity)
    heat = [ModelPair(first, second, mean(values), len(values)) for (first, second), values in sorted(models.items())]
    made: list[Figure] = []
    answers = [_shares("Different answers", groups, lambda group: group.disagreement), _days_apart(groups)]
    thresholds = [
        _shares("Same numeric threshold", groups, lambda group: group.same_threshold),
        _shares("Same kind of source", groups, lambda group: group.same_source),
    ]
    for shown, name, title, paper in (
        (answers, "similarity_disagreement", "Where similar cruxes still differ", "Figure 4"),
        (thresholds, "similarity_threshold", "Whether similar cruxes name the same threshold and source", "Figure 11"),
    ):
        filled = [panel for panel in shown if panel.groups]
        if filled:
            made.append(
                panels.similarity_disagreement(filled, similarity=capital(kind), name=name, title=title, paper=paper)
            )
    return [*made, similarity_heat_map(heat, models=labels, similarity=kind)]


def _shares(
    title: str, groups: Sequence[SimilarityGroup], of: Callable[[SimilarityGroup], Share]
) -> panels.SimilarityPanel:
    rows = []
    for group in groups:
        share = of(group)
        if share.count:
            rows.append(
                panels.SimilarityGroup(
                    group_name(group), group.low, group.high, share.count, share.share, share.interval
                )
            )
    return panels.SimilarityPanel(title, rows)


def _days_apart(groups: Sequence[SimilarityGroup]) -> panels.SimilarityPanel:
    none = (math.nan, math.nan)
    rows = [
        panels.SimilarityGroup(
            group_name(group), group.low, group.high, group.days_count, group.median_days_apart, none
        )
        for group in groups
        if group.days_count
    ]
    return panels.SimilarityPanel("Days between resolutions, median", rows, share=False)
