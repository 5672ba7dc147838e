"""How sure the means are: intervals that allow for shared events and days, and for question difficulty."""

from collections.abc import Sequence
from statistics import stdev

import polars as pl

from cruxbench_inspect.inference.clustered import bootstrap_interval, clustered_interval
from cruxbench_inspect.inference.fixed_effects import ModelEffect, model_effects
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.statistics import t_interval

EVENTS = (
    "Questions are of one **event** if the exchange lists them under one, or if their cruxes were resolved on the same "
    "day and their judges cite the same page (in an import, or its verifier gives the event the same name). Deadlines "
    "that pass are no event. A question without such company is by itself."
)
"""What tables mean by an event."""


def intervals(study: Study) -> Table:
    """The table of a study."""
    effects = _effects(study)
    rows: list[dict[str, Cell]] = []
    for label in study.labels:
        scored = study.scored(label)
        values, events, days = scored["voi_kl"].to_list(), event_clusters(scored), resolving_days(scored)
        effect = effects.get(label)
        rows.append(
            {
                "model": label,
                "voi": mean(values),
                "spread": stdev(values) / mean(values) if len(values) > 1 and mean(values) else None,
                "t": t_interval(values),
                "event": clustered_interval(values, events),
                "day": clustered_interval(values, days),
                "boot_event": bootstrap_interval(values, events),
                "boot_day": bootstrap_interval(values, days),
                "effect": effect.effect if effect else None,
                "effect_interval": effect.interval if effect else None,
                "events": len(set(events)),
                "days": len(set(days)),
            }
        )
    columns = (
        Column("model", "Model"),
        Column("voi", "VOI", "number", 4, help="Mean in bits."),
        Column("spread", "SD / mean", "number", 1, help="Standard deviation of scores, in means."),
        Column("t", "t", "interval", help="t interval over questions, as in table 1."),
        Column("event", "By event", "interval", help="Cluster-robust by event."),
        Column("day", "By day", "interval", help="Cluster-robust by the day on which cruxes were resolved."),
        Column("boot_event", "Bootstrap by event", "interval", help="Bootstrap-t, whole events are drawn."),
        Column("boot_day", "Bootstrap by day", "interval", help="Bootstrap-t, whole days are drawn."),
        Column("effect", "Model effect", "number", 4, help="Bits above the mean of all models, on the same questions."),
        Column("effect_interval", "95% CI", "interval", 4, help="Of the model effect, cluster-robust by event."),
        Column("events", "Events", "integer"),
        Column("days", "Days", "integer"),
    )
    return Table(
        "intervals",
        "How sure the means are",
        columns,
        tuple(rows),
        (
            EVENTS,
            "Scores are skewed: most are near 0, a few are large. The more so, the less often do intervals hold the "
            "true mean: of nominal 95% intervals about 95% do where the standard deviation is 2 times the mean, and at "
            "3.6 times only 87% (t) and 92% (bootstrap), in simulations with 120 events. **SD / mean** says where a "
            "model is.",
        ),
    )


def resolving_days(rows: pl.DataFrame) -> list[str]:
    """The day on which each crux was resolved; an unresolved one is by itself."""
    return [
        question if moment is None else moment.date().isoformat()
        for question, moment in rows.select("question", "resolved_at").iter_rows()
    ]


def _effects(study: Study) -> dict[str, ModelEffect]:
    rows = study.scores.filter(pl.col("coverage") > 0, pl.col("voi_kl").is_not_nan())
    several: Sequence[str] = rows["entry"].unique().to_list()
    if len(several) < 2:
        return {}
    try:
        return model_effects(
            rows["voi_kl"].to_list(), rows["entry"].to_list(), rows["question"].to_list(), event_clusters(rows)
        )
    except ValueError:
        # Without shared questions there is nothing to compare.
        return {}
