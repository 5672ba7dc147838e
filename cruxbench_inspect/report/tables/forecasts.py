"""Whether cruxes help forecasters: Brier score and AUC without a crux, and given each model's."""

from collections.abc import Mapping
from dataclasses import dataclass

from cruxbench_inspect.report.gathering.forecast_run import ForecastQuality, ForecastRun, quality
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Table


@dataclass(frozen=True)
class Forecasting:
    """Forecasts of one forecaster given the cruxes of one model, beside those without.

    Attributes:
        forecaster: The forecaster.
        generator: The model whose cruxes were given.
        without: Quality without a crux, over the questions with both.
        given: Quality given the cruxes.
    """

    forecaster: str
    generator: str
    without: ForecastQuality
    given: ForecastQuality


def own_forecasts(study: Study) -> dict[str, ForecastQuality]:
    """How well each entry's model forecasts without a crux, by label, where it was a forecaster too."""
    runs = {run.model: run for run in study.forecasts}
    return {
        entry.label: quality(runs[entry.model].baseline, runs[entry.model].outcomes)
        for entry in study.entries
        if entry.model in runs
    }


def forecastings(study: Study) -> list[Forecasting]:
    """Every separate forecaster with every entry whose cruxes it was given."""
    found = []
    for run in study.forecasts:
        named = {label: given for model, given in run.given.items() for label in study.entries_of(model)}
        found += [_forecasting(run, label, named[label]) for label in study.labels if named.get(label)]
    return found


def forecasts(study: Study) -> Table:
    """The table of a study.

    Raises:
        ValueError: If there is no forecaster's log.
    """
    if not study.forecasts:
        raise ValueError("Forecasts (figure 3): there is no forecaster's log among these.")
    rows: list[dict[str, Cell]] = []
    for label, own in own_forecasts(study).items():
        rows.append(
            {"forecaster": label, "generator": "no crux", "count": own.count, "brier": own.brier, "auc": own.auc}
        )
    found = forecastings(study)
    for one in found:
        rows.append(
            {
                "forecaster": one.forecaster,
                "generator": one.generator,
                "count": one.given.count,
                "brier": one.given.brier,
                "auc": one.given.auc,
                "brier_gain": one.without.brier - one.given.brier,
                "auc_gain": one.given.auc - one.without.auc,
            }
        )
    by_generator = sorted({one.generator for one in found})
    for generator in by_generator:
        own_rows = [one for one in found if one.generator == generator]
        rows.append(
            {
                "forecaster": "mean of all",
                "generator": generator,
                "brier": mean(one.given.brier for one in own_rows),
                "auc": mean(one.given.auc for one in own_rows),
                "brier_gain": mean(one.without.brier - one.given.brier for one in own_rows),
                "auc_gain": mean(one.given.auc - one.without.auc for one in own_rows),
            }
        )
    columns = (
        Column("forecaster", "Forecaster"),
        Column("generator", "Given the cruxes of"),
        Column("count", "Questions", "integer", help="Of means over forecasters none."),
        Column("brier", "Brier", "number", 4, help="Mean squared error of P(U); lower is better."),
        Column("auc", "AUC", "number", help="Area under the ROC curve; higher is better."),
        Column("brier_gain", "Brier gain", "number", 4, help="Without the crux minus with it, on the same questions."),
        Column("auc_gain", "AUC gain", "number", 4, help="With the crux minus without it, on the same questions."),
    )
    return Table(
        "forecasts",
        "Forecasts without and with cruxes",
        columns,
        tuple(rows),
        ("A crux comes with its answer, which is known only later: the gain is what knowing it is worth.",),
        "Figure 3",
        frozenset(range(len(rows) - len(by_generator), len(rows))),
    )


def _forecasting(run: ForecastRun, generator: str, given: Mapping[str, float]) -> Forecasting:
    shared = {question: run.baseline[question] for question in given if question in run.baseline}
    return Forecasting(
        run.model.rsplit("/", 1)[-1],
        generator,
        quality(shared, run.outcomes),
        quality({question: given[question] for question in shared}, run.outcomes),
    )
