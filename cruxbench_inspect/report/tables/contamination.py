"""Whether models may have known what happened: VOI by how long after the knowledge cutoff a window begins."""

from dataclasses import dataclass
from datetime import date

import polars as pl

from cruxbench_inspect.inference.clustered import clustered_interval
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Interval, Table

LEADS = (
    (0, "before the cutoff"),
    (3, "up to 3 months after"),
    (6, "3 to 6 months after"),
    (12, "6 to 12 months after"),
)
"""How long after what its model knows a window begins, in months."""

_LATER = "over a year after"
_MONTH = 30.44  # days
_FEWEST = 5


@dataclass(frozen=True)
class LeadGroup:
    """Scores of an entry on windows that begin so long after what its model knows.

    Attributes:
        entry: The entry's label.
        lead: How long, in words.
        months: The mean lead in months.
        count: How many scores.
        voi: Their mean in bits.
        above: Their mean over random timing in bits.
        interval: The 95% interval of that, cluster-robust by event.
    """

    entry: str
    lead: str
    months: float
    count: int
    voi: float
    above: float
    interval: Interval


def lead_groups(study: Study) -> list[LeadGroup]:
    """The groups of all entries whose cutoff or release is known."""
    found = []
    for label in study.labels:
        until = study.facts[label].cutoff_end
        if until is None:
            continue
        scored = study.scored(label).filter(pl.col("excess_kl").is_not_nan(), pl.col("window_start").is_not_null())
        months = [_months(start.date(), until) for start in scored["window_start"].to_list()]
        named = scored.with_columns(
            months=pl.Series(months, dtype=pl.Float64), lead=pl.Series(map(_lead, months), dtype=pl.String)
        )
        for lead in [name for _, name in LEADS] + [_LATER]:
            rows = named.filter(pl.col("lead") == lead)
            if rows.height >= _FEWEST:
                above = rows["excess_kl"].to_list()
                found.append(
                    LeadGroup(
                        label,
                        lead,
                        mean(rows["months"].to_list()),
                        rows.height,
                        mean(rows["voi_kl"].to_list()),
                        mean(above),
                        clustered_interval(above, event_clusters(rows)),
                    )
                )
    return found


def contamination(study: Study, groups: list[LeadGroup] | None = None) -> Table:
    """The table of a study: for each entry, how many windows may be known to it, and its VOI by lead."""
    groups = lead_groups(study) if groups is None else groups
    rows: list[dict[str, Cell]] = []
    for label in study.labels:
        own = [group for group in groups if group.entry == label]
        facts = study.facts[label]
        about: dict[str, Cell] = {
            "model": label,
            "cutoff": facts.cutoff_text or "not known",
            "known_windows": study.knew(label) if facts.knows_until else None,
        }
        rows += [
            {**about, "lead": g.lead, "count": g.count, "voi": g.voi, "above": g.above, "interval": g.interval}
            for g in own
        ] or [about]
    columns = (
        Column("model", "Model"),
        Column("cutoff", "Knowledge cutoff", help="As stated by its maker; with the release where that is later."),
        Column(
            "known_windows",
            "Windows it may know",
            "integer",
            help="Those that begin before its cutoff's month is over, or before its release.",
        ),
        Column("lead", "Window begins", help="Counted from the end of the cutoff's month, else from the release."),
        Column("count", "Questions", "integer"),
        Column("voi", "VOI", "number", 4, help="Mean in bits."),
        Column("above", "Over random", "number", 4, help="Mean difference to random timing in bits."),
        Column("interval", "95% CI", "interval", 4, help="Of that difference, cluster-robust by event."),
    )
    return Table(
        "contamination",
        "What models may have known",
        columns,
        tuple(rows),
        (
            "A window may be known if it begins before the cutoff's month is over, or before the model was released. "
            f"Groups of fewer than {_FEWEST} questions are left out.",
        ),
    )


def _months(start: date, until: date) -> float:
    return (start - until).days / _MONTH


def _lead(months: float) -> str:
    return next((name for most, name in LEADS if (months < 0 if most == 0 else months < most)), _LATER)
