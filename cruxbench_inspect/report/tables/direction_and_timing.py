"""What else there is to a model's timing: direction, hits, scores after settlement, and days without an hour."""

import polars as pl

from cruxbench_inspect.inference.clustered import clustered_interval
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.selection import Entry
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.statistics import wilson_interval


def direction_and_timing(study: Study) -> Table:
    """The table of a study."""
    rows: list[dict[str, Cell]] = []
    for entry in study.entries:
        label = entry.label
        samples = study.scored_samples(label)
        moves = samples.filter(pl.col("signed_move").is_not_nan())
        signed = moves["signed_move"].to_list()
        moved = [value for value in signed if value]
        hits = sum(value > 0 for value in moved)
        # Of several cruxes the first is told: it has to be one that was resolved.
        resolved = samples.filter(pl.col("resolved") > 0, pl.col("outcome").is_not_null())
        settled = resolved.filter(pl.col("reason") == "after_settlement").height
        lowest, middle, highest = (_with_days(entry, name) for name in ("lowest", "mean", "highest"))
        rows.append(
            {
                "model": label,
                "signed": mean(signed),
                "signed_interval": clustered_interval(signed, event_clusters(moves)) if len(signed) > 1 else None,
                "hits": hits / len(moved) if moved else None,
                "hits_interval": wilson_interval(hits, len(moved)) if moved else None,
                "directions": len(moved),
                "settled": settled / resolved.height if resolved.height else None,
                "date_only": resolved.filter(pl.col("precision") == "date_only").height / resolved.height
                if resolved.height
                else None,
                "deadline": resolved.filter(pl.col("rule") == "no_deadline").height / resolved.height
                if resolved.height
                else None,
                "voi": mean(study.scored(label)["voi_kl"].to_list()),
                "lowest": lowest,
                "middle": middle,
                "highest": highest,
            }
        )
    columns = (
        Column("model", "Model"),
        Column(
            "signed", "Signed move", "number", 4, help="Mean move in the direction that the crux stated; 0 by chance."
        ),
        Column("signed_interval", "95% CI", "interval", 4, help="Cluster-robust by event."),
        Column("hits", "Hits", "share", 0, help="Share of moves in the stated direction; half by chance."),
        Column("hits_interval", "95% CI", "share_interval", 0, help="Wilson interval of the hits."),
        Column("directions", "Of", "integer", help="Resolved cruxes with a stated direction and a move."),
        Column(
            "deadline", "Deadlines", "share", 0, help="Share of resolutions that are a No at the crux's own deadline."
        ),
        Column(
            "settled", "After settlement", "share", 0, help="Share of resolutions after the last prices, which score 0."
        ),
        Column("date_only", "Only a day", "share", 0, help="Share of resolutions of which only the day is known."),
        Column("voi", "VOI", "number", 4, help="As in table 1: such an event counts from the beginning of its day."),
        Column("lowest", "Least", "number", 4, help="Mean VOI with each such event at the hour that scores least."),
        Column("middle", "Mean", "number", 4, help="The same over all hours of its day."),
        Column("highest", "Most", "number", 4, help="The same at the hour that scores most."),
    )
    return Table("direction_and_timing", "Direction, deadlines and days", columns, tuple(rows))


def _with_days(entry: Entry, which: str) -> float:
    """Mean VOI over questions, where an event of which only the day is known counts as it would within its day."""
    by_question: dict[tuple[str, str], list[float]] = {}
    for run in entry.runs:
        for sample in run.samples:
            placed = sample.told.get(f"date_only_kl_{which}", sample.values["voi_kl"])
            by_question.setdefault((run.terms.questions, sample.question_id), []).append(float(placed))
    return mean(mean(values) for values in by_question.values())
