"""The paper's table 9: why cruxes scored 0, or nothing."""

from collections import Counter

from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table

RESOLVED = "resolved"
_MODES = ("data_availability", "temporal", "observability", "unclassified")
_TITLES = {
    RESOLVED: "Resolved",
    "data_availability": "No data",
    "temporal": "No reliable time",
    "observability": "Not observable",
    "unclassified": "Unclassified",
    "no_crux": "No crux",
}


def failure_modes(study: Study) -> Table:
    """How many cruxes of each entry were resolved, or were not, by mode; and what is unscored, by reason."""
    counts = {label: _counts(study, label) for label in study.labels}
    seen = Counter[str]()
    for found in counts.values():
        seen += found
    others = sorted(set(seen) - set(_TITLES))
    keys = [key for key in _TITLES if seen[key]] + others
    rows: list[dict[str, Cell]] = [
        {"model": label, "questions": sum(found.values()), **{key: found[key] for key in keys}}
        for label, found in counts.items()
    ]
    columns = (
        Column("model", "Model"),
        Column("questions", "Questions", "integer"),
        *(Column(key, _TITLES.get(key, key.replace("_", " ").capitalize()), "integer") for key in keys),
    )
    return Table(
        "failure_modes",
        "Why cruxes were not resolved",
        columns,
        tuple(rows),
        (
            "Every crux that was not resolved is in this table. Those that were resolved after the last prices, or "
            "before the first ones, are among the resolved ones and score 0.",
        ),
        "Table 9",
    )


def _counts(study: Study, label: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    rows = study.of(label).select("resolved", "coverage", "failure_mode", "reason")
    for resolved, coverage, mode, reason in rows.iter_rows():
        if not coverage > 0:
            counts[f"unscored: {reason or 'not scored yet'}"] += 1
        elif resolved > 0:
            counts[RESOLVED] += 1
        elif reason in (None, "unresolvable"):
            counts[mode if mode in _MODES else "unclassified"] += 1
        else:
            counts[reason] += 1
    return counts
