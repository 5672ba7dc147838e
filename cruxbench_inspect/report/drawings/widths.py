"""How scores depend on the averaging width: the paper's figures 8 and 9."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from cruxbench_inspect.inference.correlation import pearson_fisher, spearman
from cruxbench_inspect.inference.ranks import average_ranks
from cruxbench_inspect.prices import Floats
from cruxbench_inspect.report.drawings.entries import doubts_of
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.width_correlations import (
    WidthCorrelation,
    capability_by_width,
    ranking_by_width,
)
from cruxbench_inspect.report.figures.width_robustness import RANDOM_TIMING, WidthValue, means_by_width, ranks_by_width
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.tables.measures import TITLES
from cruxbench_inspect.voi import WIDEST


def widths(material: Material) -> list[Figure]:
    """The paper's figures 8 and 9."""
    study, scores = material.study, material.widths
    if not scores.timing:
        raise ValueError("Figures 8 and 9, scores by averaging width: they need the prices of the question set.")
    by_measure = {measure: {label: scores.means(label, measure) for label in study.labels} for measure in TITLES}
    models = [label for label in material.shown if not np.isnan(by_measure["kl"][label]).all()]
    if not models:
        raise ValueError("Figures 8 and 9, scores by averaging width: no model has any.")
    by_measure = {measure: {label: means[label] for label in models} for measure, means in by_measure.items()}
    values = [
        WidthValue(TITLES[measure], label, width + 1, float(means[width]))
        for measure, by_label in by_measure.items()
        for label, means in [*by_label.items(), (RANDOM_TIMING, scores.baseline(measure))]
        for width in range(WIDEST)
    ]
    doubts = doubts_of(study)
    made = [means_by_width(values, models=models, doubts=doubts)]
    # Those without a rank in table 1 have none here.
    ranked = [label for label in models if study.why_unranked(label) is None]
    of_ranked = {measure: {label: means[label] for label in ranked} for measure, means in by_measure.items()}
    if len(ranked) > 1:
        made.append(ranks_by_width(_ranks(of_ranked), models=ranked, doubts=doubts))
    rankings = _rank_correlations(material, of_ranked) if len(ranked) > 1 else []
    if _some(rankings):
        made.append(ranking_by_width(rankings, usual_width=study.width))
    capable = {label: known for label in models if (known := study.facts[label].capability) is not None}
    correlations = _capability_correlations(by_measure, capable)
    if _some(correlations):
        made.append(capability_by_width(correlations))
    return made


def _ranks(by_measure: Mapping[str, Mapping[str, Floats]]) -> list[WidthValue]:
    """Average ranks at every width at which all entries have a mean."""
    found = []
    for measure, by_label in by_measure.items():
        for width in range(WIDEST):
            now = [float(means[width]) for means in by_label.values()]
            if not any(map(math.isnan, now)):
                ranks = average_ranks(now)
                found += [
                    WidthValue(TITLES[measure], label, width + 1, rank)
                    for label, rank in zip(by_label, ranks, strict=True)
                ]
    return found


def _some(correlations: Sequence[WidthCorrelation]) -> bool:
    """Whether any is a number: three models that differ have one."""
    return not all(math.isnan(one.value) for one in correlations)


def _rank_correlations(material: Material, by_measure: Mapping[str, Mapping[str, Floats]]) -> list[WidthCorrelation]:
    found = []
    for measure, by_label in by_measure.items():
        table = np.array(list(by_label.values()))
        usual = table[:, material.study.width - 1]
        for width in range(WIDEST):
            now = table[:, width]
            if not np.isnan(now).any() and not np.isnan(usual).any():
                found.append(WidthCorrelation(TITLES[measure], width + 1, spearman(now, usual)))
    return found


def _capability_correlations(
    by_measure: Mapping[str, Mapping[str, Floats]], capable: Mapping[str, float]
) -> list[WidthCorrelation]:
    scores = np.array(list(capable.values()))
    found = []
    for measure, by_label in by_measure.items():
        for width in range(WIDEST):
            now = np.array([by_label[label][width] for label in capable])
            if not np.isnan(now).any():
                one = pearson_fisher(scores, now)
                found.append(WidthCorrelation(TITLES[measure], width + 1, one.r, *one.interval))
    return found
