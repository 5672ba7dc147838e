"""The figures of a study: what each of them shows, from entries and scores."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from cruxbench_inspect.inference.corrections import holm
from cruxbench_inspect.inference.correlation import pearson_fisher, spearman
from cruxbench_inspect.inference.ranks import average_ranks
from cruxbench_inspect.prices import Floats
from cruxbench_inspect.report.baselines import baseline_values
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.breakdown import GroupGain, breakdown
from cruxbench_inspect.report.figures.contamination import CutoffLead, contamination
from cruxbench_inspect.report.figures.cost import CostedModel, cost
from cruxbench_inspect.report.figures.estimator_variance import VarianceRatio, estimator_variance
from cruxbench_inspect.report.figures.funnel import FunnelStage, funnel
from cruxbench_inspect.report.figures.martingale import DecileMean, MartingaleFit, martingale
from cruxbench_inspect.report.figures.paired_differences import PairedDifference, paired_differences
from cruxbench_inspect.report.figures.timing import ResolutionTiming, kl_by_lead_time, timing_percentiles
from cruxbench_inspect.report.figures.voi_against_capability import ScoredModel, voi_against_capability
from cruxbench_inspect.report.figures.voi_by_model import ModelMean, ReferenceMean, voi_by_model
from cruxbench_inspect.report.figures.width_correlations import (
    WidthCorrelation,
    capability_by_width,
    ranking_by_width,
)
from cruxbench_inspect.report.figures.width_robustness import RANDOM_TIMING, WidthValue, means_by_width, ranks_by_width
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.tables.costs import usd_per_question
from cruxbench_inspect.report.tables.estimators import comparisons_of_estimators
from cruxbench_inspect.report.tables.forecasts import forecastings, own_forecasts
from cruxbench_inspect.report.tables.martingale import beliefs, martingale_fit
from cruxbench_inspect.report.tables.measures import TITLES
from cruxbench_inspect.report.tables.value_of_information import ModelRow, model_row, stars
from cruxbench_inspect.statistics import t_interval
from cruxbench_inspect.voi import WIDEST

_DAY = 86_400.0
_MONTH = 30.44  # days


def means(material: Material) -> list[Figure]:
    """Mean VOI by model."""
    study = material.study
    models = [ModelMean(row.label, row.voi, *row.interval, row.questions, stars(row.p)) for row in _rows(study)]
    if not models:
        raise ValueError("Mean VOI by model: no question has a score.")
    references = [_reference(list(baseline_values(study, key).values())) for key in ("random_kl", "oracle_kl")]
    return [voi_by_model(models, *references)]


def against_capability(material: Material) -> list[Figure]:
    """The paper's figure 2, first part."""
    study = material.study
    known = [row for row in _rows(study) if study.facts[row.label].capability is not None]
    if not known:
        raise ValueError("Figure 2: no capability of a model is known; give them with --models.")
    points = [_scored(row, study.facts[row.label].capability) for row in known]
    return [voi_against_capability(points)]


def against_own_forecasts(material: Material) -> list[Figure]:
    """The paper's figure 2, second part."""
    own = own_forecasts(material.study)
    points = [_scored(row, own[row.label].brier) for row in _rows(material.study) if row.label in own]
    if not points:
        raise ValueError("VOI against a model's own forecasts: no forecaster's log is of one of these models.")
    return [
        voi_against_capability(
            points,
            score_title="Brier score of the model's own forecasts (lower is better)",
            name="voi_against_own_forecasts",
            title="Value of information against the model's own forecasts",
        )
    ]


def against_forecasters(material: Material) -> list[Figure]:
    """The paper's figure 3: VOI against what separate forecasters gain by a model's cruxes."""
    gains: dict[str, list[float]] = {}
    for one in forecastings(material.study):
        gains.setdefault(one.generator, []).append(one.without.brier - one.given.brier)
    points = [_scored(row, mean(gains[row.label])) for row in _rows(material.study) if row.label in gains]
    if not points:
        raise ValueError("Figure 3: no forecaster among these logs was given cruxes of these models.")
    return [
        voi_against_capability(
            points,
            score_title="Brier score that separate forecasters gain by the model's cruxes",
            name="voi_against_forecasters",
            title="Value of information against the gain of separate forecasters",
            paper="Figure 3",
        )
    ]


def differences(material: Material) -> list[Figure]:
    """Paired differences as a matrix."""
    corrected = holm([one.p for _, _, one in material.pairs])
    found = [
        PairedDifference(first, second, one.mean, *one.interval, p, one.count)
        for (first, second, one), p in zip(material.pairs, corrected, strict=True)
        if {first, second} <= {*material.shown}
    ]
    if not found:
        raise ValueError("With one model there is no matrix of differences.")
    if all(math.isnan(one.difference) for one in found):
        raise ValueError("Paired differences: no two models have scores for the same question.")
    return [paired_differences(found, models=material.shown)]


def martingale_check(material: Material) -> list[Figure]:
    """The paper's figure 5."""
    fit = martingale_fit(material.study)
    rows = beliefs(material.study)
    deciles = [DecileMean(one.mean_before, one.mean_after, one.count) for one in fit.deciles]
    shown = MartingaleFit(fit.slope, fit.intercept, fit.r2, deciles, fit.slope_interval)
    return [martingale(rows["p_before"].to_list(), rows["p_after"].to_list(), shown)]


def widths(material: Material) -> list[Figure]:
    """The paper's figures 8 and 9."""
    study, scores = material.study, material.widths
    if not scores.questions:
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
    made = [means_by_width(values, models=[*models, RANDOM_TIMING])]
    if len(models) > 1:
        made.append(ranks_by_width(_ranks(by_measure), models=models))
    rankings = _rank_correlations(material, by_measure)
    if _some(rankings):
        made.append(ranking_by_width(rankings, usual_width=study.width))
    capable = {label: known for label in models if (known := study.facts[label].capability) is not None}
    correlations = _capability_correlations(by_measure, capable)
    if _some(correlations):
        made.append(capability_by_width(correlations))
    return made


def gains(material: Material) -> list[Figure]:
    """VOI over random timing by rule, precision, lead time and tag."""
    made = []
    models = material.shown
    for by in dict.fromkeys(group.by for group in material.groups):
        rows = [
            GroupGain(group.group, group.entry, group.above, *group.interval, group.count)
            for group in material.groups
            if group.by == by and group.entry in models
        ]
        if rows:
            made.append(breakdown(rows, by=by.capitalize(), name=f"gain_by_{by.replace(' ', '_')}", models=models))
    return made


def timings(material: Material) -> list[Figure]:
    """Timing percentiles and KL by lead time."""
    rows = material.study.scores.filter(
        pl.col("entry").is_in(material.shown),
        pl.col("resolved_at").is_not_null(),
        pl.col("window_start").is_not_null(),
        pl.col("timing_percentile").is_not_nan(),
    )
    found = [
        ResolutionTiming(
            row["entry"],
            row["question"],
            row["timing_percentile"],
            (row["resolved_at"] - row["window_start"]).total_seconds() / _DAY,
            row["voi_kl"],
        )
        for row in rows.iter_rows(named=True)
    ]
    if not found:
        raise ValueError("Timing of resolutions: no crux was resolved.")
    models = material.shown
    return [timing_percentiles(found, models=models), kl_by_lead_time(found, models=models)]


def leads_over_cutoffs(material: Material) -> list[Figure]:
    """VOI by how long after the knowledge cutoff a window begins."""
    study = material.study
    found = []
    for label in material.shown:
        until = study.facts[label].knows_until
        if until is None:
            continue
        rows = study.scored(label).filter(pl.col("window_start").is_not_null())
        for start, voi in rows.select("window_start", "voi_kl").iter_rows():
            found.append(CutoffLead(label, (start.date() - until).days / _MONTH, voi))
    if not found:
        raise ValueError("VOI by lead over the knowledge cutoff: no cutoff is known; give them with --models.")
    return [contamination(found, models=material.shown)]


def cost_of_information(material: Material) -> list[Figure]:
    """Mean VOI against what a question costs."""
    usd = usd_per_question(material.study, material.costs)
    models = [CostedModel(row.label, usd[row.label], row.voi, *row.interval) for row in _rows(material.study)]
    if not any(model.cost for model in models):
        raise ValueError("VOI against cost: no price of a model is known; give them with --prices.")
    return [cost(models)]


def funnels(material: Material) -> list[Figure]:
    """What each stage of the funnel left."""
    stages = [
        FunnelStage(str(row["stage"]), int(left))
        for table in material.funnels[:1]
        for row in table.rows
        if isinstance(left := row["left"], int)
    ]
    if not stages:
        raise ValueError("The funnel as a figure: no manifest of these question sets has one.")
    return [funnel(stages)]


def estimator_variances(material: Material) -> list[Figure]:
    """The paper's figure 10."""
    return [
        estimator_variance(
            [
                VarianceRatio(f"{pair.prior} / {pair.noise}", cell.alpha, cell.variance_ratio, cell.f_p < 0.05)
                for pair in comparisons_of_estimators()
                for cell in pair.cells
                if not math.isnan(cell.variance_ratio)
            ]
        )
    ]


def _rows(study: Study) -> list[ModelRow]:
    return [row for row in (model_row(study, label) for label in study.labels) if not math.isnan(row.voi)]


def _reference(values: Sequence[float]) -> ReferenceMean | None:
    return ReferenceMean(mean(values), *t_interval(values)) if values else None


def _scored(row: ModelRow, score: float | None) -> ScoredModel:
    return ScoredModel(row.label, math.nan if score is None else score, row.voi, *row.interval)


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
