"""The paper's table 6: all four measures with ranks."""

import math
from collections.abc import Mapping, Sequence

from cruxbench_inspect.inference.ranks import competition_ranks
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.tables.value_of_information import stars
from cruxbench_inspect.report.widths import WidthScores
from cruxbench_inspect.statistics import one_sided_p

LOGGED = {
    "kl": "voi_kl",
    "entropy_drop": "entropy_drop",
    "abs_change": "abs_change",
    "squared_change": "squared_change",
}
"""What logs call the measures."""

TITLES = {
    "kl": "KL (bits)",
    "entropy_drop": "Entropy drop (bits)",
    "abs_change": "Absolute change",
    "squared_change": "Squared change",
}
"""What tables and figures call them."""


def measures(study: Study, widths: WidthScores | None) -> Table:
    """The table of a study.

    Args:
        study: The study.
        widths: What prices tell of baselines; without it, only the KL has a test, and there are no baselines.
    """
    means = {label: {name: _mean(_values(study, label, key)) for name, key in LOGGED.items()} for label in study.labels}
    p_values = {label: _p_values(study, widths, label) for label in study.labels}
    baselines: dict[str, Mapping[str, float]] = {}
    if widths is not None and widths.questions:
        row = study.width - 1
        baselines = {
            name: {measure: _mean(_known(values[measure][row])) for measure in LOGGED}
            for name, values in (("random timing", widths.random), ("oracle", widths.oracle))
        }
    unranked = {label for label in study.labels if study.why_unranked(label)}
    return table_of_means(means, p_values, baselines, unranked)


def table_of_means(
    means: Mapping[str, Mapping[str, float]],
    p_values: Mapping[str, Mapping[str, float]],
    baselines: Mapping[str, Mapping[str, float]],
    unranked: set[str] | None = None,
) -> Table:
    """Table 6 of given numbers, in the order of the KL.

    Args:
        means: Unrounded means by model and measure, as in ``LOGGED``.
        p_values: One-sided p values against random timing, by model and measure; NaN where there is none.
        baselines: Means by name of the baseline and measure.
        unranked: Models without ranks.
    """
    order = sorted(means, key=lambda label: (math.isnan(means[label]["kl"]), -means[label]["kl"], label))
    ranked = [label for label in order if label not in (unranked or set()) and not math.isnan(means[label]["kl"])]
    ranks = {
        name: dict(zip(ranked, competition_ranks([means[label][name] for label in ranked]), strict=True))
        for name in LOGGED
    }
    rows: list[dict[str, Cell]] = []
    for label in order:
        row: dict[str, Cell] = {"model": label}
        for name in LOGGED:
            row[name] = means[label][name]
            row[f"{name}_stars"] = stars(p_values[label][name])
            row[f"{name}_p"] = p_values[label][name]
            row[f"{name}_rank"] = ranks[name].get(label)
        rows.append(row)
    no_stars = {f"{name}_stars": "" for name in LOGGED}
    rows += [{"model": name, **no_stars, **values} for name, values in baselines.items()]
    columns = [Column("model", "Model")]
    for name, title in TITLES.items():
        columns += [
            Column(name, title, "number", help="Mean over questions."),
            Column(f"{name}_stars", "", help="One-sided paired t-test against random timing."),
            Column(f"{name}_rank", "Rank", "integer", help="By the unrounded mean; ties get the lower number."),
        ]
    return Table(
        "measures",
        "Other measures of the same moves",
        tuple(columns),
        tuple(rows),
        (),
        "Table 6",
        frozenset(range(len(order), len(rows))),
    )


def _p_values(study: Study, widths: WidthScores | None, label: str) -> dict[str, float]:
    scored = study.scored(label)
    found = {name: math.nan for name in LOGGED}
    found["kl"] = one_sided_p([value for value in scored["excess_kl"].to_list() if not math.isnan(value)])
    if widths is not None:
        row = study.width - 1
        for name, key in LOGGED.items():
            if name != "kl":
                pairs = [
                    (value, float(widths.random[name][row, widths.place[question]]))
                    for question, value in scored.select("question", key).iter_rows()
                    if question in widths.place
                ]
                found[name] = one_sided_p([own - random for own, random in pairs if not math.isnan(own - random)])
    return found


def _values(study: Study, label: str, key: str) -> list[float]:
    return _known(study.scored(label)[key].to_list())


def _known(values: Sequence[float]) -> list[float]:
    return [float(value) for value in values if not math.isnan(value)]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
