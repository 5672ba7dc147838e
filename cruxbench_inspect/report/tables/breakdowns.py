"""Where scores come from: VOI over random timing by rule, precision, tag and lead time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from cruxbench_inspect.inference.clustered import clustered_interval
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Interval, Table

LEADS = ((3, "up to 3 days"), (7, "4 to 7 days"), (14, "8 to 14 days"), (21, "15 to 21 days"), (10_000, "over 21 days"))
"""Lead times of a resolution after the window's start, in days."""

_FEWEST = 5
_UNRESOLVED = "not resolved"
_ALL = "all models"


@dataclass(frozen=True)
class Group:
    """Scores of one entry, or of all, in one group.

    Attributes:
        by: What the groups are.
        group: The group.
        entry: The entry's label, or ``all models``.
        count: How many scores.
        voi: Their mean in bits.
        above: Their mean over random timing in bits.
        interval: The 95% interval of that, cluster-robust by event.
    """

    by: str
    group: str
    entry: str
    count: int
    voi: float
    above: float
    interval: Interval


def breakdown_groups(study: Study) -> list[Group]:
    """All groups: those over all entries first, then those of each; groups of fewer than five scores are left out."""
    rows = study.samples.filter(pl.col("coverage") > 0, pl.col("excess_kl").is_not_nan())
    found: list[Group] = []
    for by, name_of in KINDS.items():
        groups: dict[str, dict[str, list[int]]] = {entry: {} for entry in [_ALL, *study.labels]}
        for place, row in enumerate(rows.iter_rows(named=True)):
            for name in name_of(row):
                for entry in (_ALL, str(row["entry"])):
                    groups[entry].setdefault(name, []).append(place)
        found += [
            _group(by, name, entry, rows[members])
            for entry, named in groups.items()
            for name, members in sorted(named.items(), key=lambda one: _place(by, one[0], len(one[1])))
            if len(members) >= _FEWEST
        ]
    return found


def breakdowns(study: Study, groups: list[Group] | None = None) -> list[Table]:
    """A table for each way to group, over all entries and by entry."""
    groups = breakdown_groups(study) if groups is None else groups
    tables = []
    for by in KINDS:
        rows: list[dict[str, Cell]] = [
            {
                "group": group.group,
                "model": group.entry,
                "count": group.count,
                "voi": group.voi,
                "above": group.above,
                "interval": group.interval,
            }
            for group in groups
            if group.by == by
        ]
        if rows:
            columns = (
                Column("group", by.capitalize()),
                Column("model", "Model"),
                Column("count", "Cruxes", "integer"),
                Column("voi", "VOI", "number", 4, help="Mean in bits."),
                Column("above", "Over random", "number", 4, help="Mean difference to random timing in bits."),
                Column("interval", "95% CI", "interval", 4, help="Of that difference, cluster-robust by event."),
            )
            tables.append(
                Table(
                    f"by_{by.replace(' ', '_')}",
                    f"By {by}",
                    columns,
                    tuple(rows),
                    (f"Groups of fewer than {_FEWEST} cruxes are left out.",),
                )
            )
    return tables


def _group(by: str, name: str, entry: str, rows: pl.DataFrame) -> Group:
    above = rows["excess_kl"].to_list()
    return Group(
        by,
        name,
        entry,
        rows.height,
        mean(rows["voi_kl"].to_list()),
        mean(above),
        clustered_interval(above, event_clusters(rows)),
    )


def _place(by: str, name: str, count: int) -> tuple[int, str]:
    """Lead times are in their order, other groups by how many they have."""
    if by != "lead time":
        return -count, name
    names = [lead for _, lead in LEADS]
    return (names.index(name), "") if name in names else (len(names), name)


def _lead(row: Mapping[str, object]) -> list[str]:
    resolved, start = row["resolved_at"], row["window_start"]
    if resolved is None or start is None:
        return [_UNRESOLVED]
    days = (resolved - start).total_seconds() / 86_400  # type: ignore[operator]
    return [next(name for most, name in LEADS if days <= most)]


def _text(column: str) -> Callable[[Mapping[str, object]], list[str]]:
    return lambda row: [str(row[column]).replace("_", " ") if row[column] and row["resolved"] else _UNRESOLVED]


KINDS: Mapping[str, Callable[[Mapping[str, object]], list[str]]] = {
    "rule": _text("rule"),
    "precision": _text("precision"),
    "lead time": _lead,
    "tag": lambda row: list(row["tags"]),  # type: ignore[call-overload]
}
"""How scores are grouped; a row may be in several groups of a kind."""
