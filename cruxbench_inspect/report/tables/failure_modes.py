"""The paper's table 9: why cruxes scored 0, or nothing."""

from collections import Counter

from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.tables.sample_counts import NOT_RUN, RESOLVED, UNCLASSIFIED, sample_counts

_TITLES = {
    RESOLVED: "Resolved",
    "data_availability": "No data",
    "temporal": "No reliable time",
    "observability": "Not observable",
    UNCLASSIFIED: "Unclassified",
    "no_crux": "No crux",
}


def failure_modes(study: Study) -> Table:
    """How many cruxes of each entry were resolved, or were not, by mode; and what is unscored, by reason.

    The counts of a row add up to all questions, times the epochs where there are several.
    """
    counts = {label: sample_counts(study, label) for label in study.labels}
    repeated = any(study.epochs(label) != [1] for label in counts)
    seen = Counter[str]()
    for found in counts.values():
        seen += found.fates
    others = sorted(set(seen) - set(_TITLES), key=lambda key: (key == NOT_RUN, key))
    keys = [key for key in _TITLES if seen[key]] + others
    rows: list[dict[str, Cell]] = [
        {
            "model": label,
            **({"epochs": found.epochs} if repeated else {}),
            "questions": found.fates.total(),
            **{key: found.fates[key] for key in keys},
        }
        for label, found in counts.items()
    ]
    samples = (
        Column("epochs", "Epochs", "integer", help="None where they differ between runs."),
        Column("questions", "Samples", "integer", help="All questions, in each epoch."),
    )
    columns = (
        Column("model", "Model"),
        *(samples if repeated else (Column("questions", "Questions", "integer"),)),
        *(Column(key, _TITLES.get(key, key.replace("_", " ").capitalize()), "integer") for key in keys),
    )
    notes = [
        "Every crux that was not resolved is in this table. Those that were resolved after the last prices, or "
        "before the first ones, are among the resolved ones and score 0. A row adds up to all questions, with those "
        "that were never run."
    ]
    if repeated:
        notes.append(
            "Where questions were asked in several epochs, each answer counts: divided by the epochs, the resolved "
            "ones are those of table 1."
        )
    if any(run.terms.k > 1 for entry in study.entries for run in entry.runs):
        notes.append("Of several cruxes for one question, one that was resolved is enough; else the first one tells.")
    return Table("failure_modes", "Why cruxes were not resolved", columns, tuple(rows), tuple(notes), "Table 9")
