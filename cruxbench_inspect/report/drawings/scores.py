"""Mean VOI by model, and against other scores of the same models."""

from collections.abc import Sequence

from cruxbench_inspect.report.baselines import common_baselines
from cruxbench_inspect.report.drawings.entries import doubts_of, point, scored_entries
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.voi_against_capability import voi_against_capability
from cruxbench_inspect.report.figures.voi_by_model import ModelMean, ReferenceMean, voi_by_model
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.tables.forecasts import forecastings, own_forecasts
from cruxbench_inspect.report.tables.value_of_information import stars
from cruxbench_inspect.statistics import t_interval


def means(material: Material) -> list[Figure]:
    """Mean VOI by model."""
    study = material.study
    rows = scored_entries(study)
    models = [ModelMean(row.label, row.voi, *row.interval, row.questions, stars(row.p)) for row in rows]
    if not models:
        raise ValueError("Mean VOI by model: no question has a score.")
    references = map(_reference, common_baselines(study))
    return [voi_by_model(models, *references, doubts=doubts_of(study))]


def against_capability(material: Material) -> list[Figure]:
    """The paper's figure 2, first part."""
    study = material.study
    points = [
        point(row, capability)
        for row in scored_entries(study)
        if row.label in study.one_of_each_model and (capability := study.facts[row.label].capability) is not None
    ]
    if not points:
        raise ValueError("Figure 2: no capability of a model is known; give them with --models.")
    return [voi_against_capability(points, doubts=doubts_of(study))]


def against_own_forecasts(material: Material) -> list[Figure]:
    """The paper's figure 2, second part."""
    own = own_forecasts(material.study)
    points = [point(row, own[row.label].brier) for row in scored_entries(material.study) if row.label in own]
    if not points:
        raise ValueError("VOI against a model's own forecasts: no forecaster's log is of one of these models.")
    return [
        voi_against_capability(
            points,
            score_title="Brier score of the model's own forecasts (lower is better)",
            name="voi_against_own_forecasts",
            title="Value of information against the model's own forecasts",
            doubts=doubts_of(material.study),
        )
    ]


def against_forecasters(material: Material) -> list[Figure]:
    """The paper's figure 3: VOI against what separate forecasters gain by a model's cruxes."""
    gains: dict[str, list[float]] = {}
    for one in forecastings(material.study):
        gains.setdefault(one.generator, []).append(one.without.brier - one.given.brier)
    points = [point(row, mean(gains[row.label])) for row in scored_entries(material.study) if row.label in gains]
    if not points:
        raise ValueError("Figure 3: no forecaster among these logs was given cruxes of these models.")
    return [
        voi_against_capability(
            points,
            score_title="Brier score that separate forecasters gain by the model's cruxes",
            name="voi_against_forecasters",
            title="Value of information against the gain of separate forecasters",
            paper="Figure 3",
            doubts=doubts_of(material.study),
        )
    ]


def _reference(values: Sequence[float]) -> ReferenceMean | None:
    return ReferenceMean(mean(values), *t_interval(values)) if values else None
