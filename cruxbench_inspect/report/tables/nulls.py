"""Whether timing is skill or habit: VOI against hours that are matched with those that a model chose."""

import math
from collections.abc import Mapping

import numpy as np

from cruxbench_inspect.inference.clustered import clustered_interval
from cruxbench_inspect.inference.matched_nulls import (
    WindowHours,
    other_markets,
    permuted_times,
    pivot_scores,
    same_time_of_day,
)
from cruxbench_inspect.prices import Floats, pivot_hour
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.widths import WidthScores
from cruxbench_inspect.statistics import one_sided_p
from cruxbench_inspect.utc import HOUR

NULLS = {
    "clock": ("Same hour of the day", same_time_of_day),
    "habit": ("Own times elsewhere", permuted_times),
    "hour": ("Other markets then", other_markets),
}
"""Columns, what they are called, and what makes them."""


def matched_nulls(study: Study, widths: WidthScores) -> Table:
    """The table of a study.

    Raises:
        ValueError: If no prices are known.
    """
    if not widths.questions:
        raise ValueError("Matched nulls: they need the prices of the question set.")
    hours = {question: timing.at_every_hour(study.width).kl for question, timing in widths.timing.items()}
    rows: list[dict[str, Cell]] = []
    for label in study.labels:
        windows, events = _windows(study, widths, hours, label)
        own = pivot_scores(windows)
        row: dict[str, Cell] = {"model": label, "voi": _mean(own), "count": int(np.count_nonzero(~np.isnan(own)))}
        for name, (_, null) in NULLS.items():
            scores = null(windows)
            both = ~np.isnan(own) & ~np.isnan(scores)
            differences = (own - scores)[both].tolist()
            row[name] = _mean(np.array(differences))
            row[f"{name}_interval"] = (
                clustered_interval(differences, [event for event, known in zip(events, both, strict=True) if known])
                if len(differences) > 1
                else None
            )
            row[f"{name}_p"] = one_sided_p(differences)
        rows.append(row)
    columns = [
        Column("model", "Model"),
        Column(
            "count", "Cruxes", "integer", help="Resolved ones with both means, whose pivot is inside of the window."
        ),
        Column("voi", "VOI", "number", 4, help="Their mean in bits."),
    ]
    for name, (title, _) in NULLS.items():
        columns += [
            Column(name, f"Over: {title.lower()}", "number", 4, help="Mean difference to the matched null in bits."),
            Column(f"{name}_interval", "95% CI", "interval", 4, help="Cluster-robust by event."),
            Column(f"{name}_p", "p", "p_value", help="One-sided paired t-test, uncorrected."),
        ]
    return Table(
        "matched_nulls",
        "Against matched times",
        tuple(columns),
        tuple(rows),
        (
            "**Same hour of the day**: hours of the same window at the same UTC hour, at most 7 days away. **Own times "
            "elsewhere**: the model's own relative times in all its windows. **Other markets then**: other questions "
            "in the same calendar hour. A model without skill in timing scores as much as each of them.",
        ),
    )


def _windows(
    study: Study, widths: WidthScores, hours: Mapping[str, Floats], label: str
) -> tuple[list[WindowHours], list[int | str]]:
    """All questions with prices and their clusters; those without a resolved crux have no pivot."""
    scored = study.scored(label)
    clusters = dict(zip(scored["question"].to_list(), event_clusters(scored), strict=True))
    first = {
        question: next((moment for moment in moments if moment is not None), None)
        for question, moments in scored.select("question", "moments").iter_rows()
    }
    windows: list[WindowHours] = []
    events: list[int | str] = []
    for question, timing in widths.timing.items():
        moment = first.get(question)
        kl, start = hours[question], timing.first_hour
        place = None if moment is None else (pivot_hour(moment) - start) // HOUR
        inside = place is not None and 0 <= place < len(kl)
        windows.append(WindowHours(kl, int(start.timestamp()) // 3600, place if inside else None))
        events.append(clusters.get(question, question))
    return windows, events


def _mean(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan
