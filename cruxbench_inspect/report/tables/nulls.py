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
from cruxbench_inspect.report.numbers import mean
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
    if not widths.timing:
        raise ValueError("Matched nulls: they need the prices of the question set.")
    used = {width for label in study.labels if (width := study.width_of(label)) is not None}
    hours = {
        width: {question: timing.at_every_hour(width).kl for question, timing in widths.timing.items()}
        for width in used
    }
    rows: list[dict[str, Cell]] = []
    for label in study.labels:
        width = study.width_of(label)
        if width is None:
            # Scores of several widths have no hours to be compared with.
            rows.append({"model": label})
            continue
        epochs = _windows(study, widths, hours[width], label)
        own = [pivot_scores(windows) for windows in epochs]
        events = _clusters(study, widths, label)
        count = sum(int(np.count_nonzero(~np.isnan(scores))) for scores in own)
        row: dict[str, Cell] = {"model": label, "voi": _mean(np.concatenate(own)), "count": count}
        for name, (_, null) in NULLS.items():
            above = np.stack([scores - null(windows) for scores, windows in zip(own, epochs, strict=True)])
            known = ~np.isnan(above).all(axis=0)
            # A question counts once, with the mean of its epochs.
            differences = np.nanmean(above[:, known], axis=0).tolist()
            row[name] = mean(differences)
            row[f"{name}_interval"] = (
                clustered_interval(differences, [event for event, one in zip(events, known, strict=True) if one])
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


def _windows(study: Study, widths: WidthScores, hours: Mapping[str, Floats], label: str) -> list[list[WindowHours]]:
    """All questions with prices, once for each scored epoch; those without a resolved crux in it have no pivot."""
    moments = dict(study.scored(label).select("question", "moments").iter_rows())
    epochs = []
    for epoch in range(max(map(len, moments.values()), default=1)):
        windows = []
        for question, timing in widths.timing.items():
            own = moments.get(question, [])
            moment = own[epoch] if epoch < len(own) else None
            kl, start = hours[question], timing.first_hour
            place = None if moment is None else (pivot_hour(moment) - start) // HOUR
            inside = place is not None and 0 <= place < len(kl)
            windows.append(WindowHours(kl, int(start.timestamp()) // 3600, place if inside else None))
        epochs.append(windows)
    return epochs


def _clusters(study: Study, widths: WidthScores, label: str) -> list[int | str]:
    """The clusters of all questions with prices."""
    scored = study.scored(label)
    clusters = dict(zip(scored["question"].to_list(), event_clusters(scored), strict=True))
    return [clusters.get(question, question) for question in widths.timing]


def _mean(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan
