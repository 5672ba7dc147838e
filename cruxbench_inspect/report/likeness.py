"""How alike the cruxes of different models are, and whether alike ones end alike: the paper's figures 4 and 11."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import polars as pl

from cruxbench_inspect.inference.agreement import CruxPair, Share, SimilarityGroup, agreement
from cruxbench_inspect.inference.text_similarity import lexical_similarities, numeric_thresholds
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import similarity_disagreement as panels
from cruxbench_inspect.report.figures.similarity_heat_map import ModelPair, similarity_heat_map
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table

LEXICAL = "lexical similarity"
"""What similarities are called that come from words and letters alone."""

_DAY = 86_400.0
_IMPORTED = "similarity_pairs.json"


def likeness(material: Material) -> list[Table | Figure]:
    """The table and figures of a study.

    Raises:
        ValueError: If no question has cruxes of two models.
    """
    study = material.study
    kind, similarities = imported_similarities(study) or (LEXICAL, lexical_pairs(study))
    pairs = crux_pairs(study, similarities)
    if not pairs:
        raise ValueError("Figures 4 and 11, similarity of cruxes: no question has cruxes of two models.")
    groups = agreement([pair for _, _, pair in pairs])
    models: dict[tuple[str, str], list[float]] = {}
    for first, second, pair in pairs:
        models.setdefault((first, second), []).append(pair.similarity)
    heat = [ModelPair(first, second, mean(values), len(values)) for (first, second), values in sorted(models.items())]
    shown = [
        _panel("Different answers", groups, lambda group: group.disagreement),
        _panel("Same numeric threshold", groups, lambda group: group.same_threshold),
    ]
    filled = [panel for panel in shown if panel.groups]
    return [
        _table(kind, groups, mean(pair.similarity for _, _, pair in pairs)),
        panels.similarity_disagreement(filled, similarity=kind.capitalize(), paper="Figures 4 and 11"
        ),
        similarity_heat_map(heat, models=study.labels, similarity=kind),
    ]


def lexical_pairs(study: Study) -> dict[tuple[str, str, str], float]:
    """Lexical similarities of the cruxes of each question, by question and the two entries in the order of labels."""
    found = {}
    rows = study.scores.filter(pl.col("crux").is_not_null()).sort("question", "entry")
    for (question,), own in rows.partition_by("question", as_dict=True).items():
        labels, texts = own["entry"].to_list(), own["crux"].to_list()
        if len(labels) > 1:
            matrix = lexical_similarities(texts)
            for one, other in combinations(range(len(labels)), 2):
                found[str(question), labels[one], labels[other]] = float(matrix[one, other])
    return found


def imported_similarities(study: Study) -> tuple[str, dict[tuple[str, str, str], float]] | None:
    """The similarities that an import left beside the logs, and what they are; None without any for these entries."""
    labels = {entry.model: entry.label for entry in study.entries}
    found: dict[tuple[str, str, str], float] = {}
    for folder in sorted({Path(location.removeprefix("file://")).parent for location in study.locations}):
        path = folder / _IMPORTED
        if not path.is_file():
            continue
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
            for row in rows:
                if row["a"] in labels and row["b"] in labels:
                    first, second = sorted((labels[row["a"]], labels[row["b"]]))
                    found[str(row["question_id"]), first, second] = float(row["cosine"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"Figures 4 and 11, similarity of cruxes: {path} cannot be read: {error}") from error
    return ("cosine similarity", found) if found else None


def crux_pairs(study: Study, similarities: Mapping[tuple[str, str, str], float]) -> list[tuple[str, str, CruxPair]]:
    """All pairs of cruxes with a similarity, each with its two entries in the order of labels."""
    rows = {(row["question"], row["entry"]): row for row in study.scores.iter_rows(named=True)}
    found = []
    for (question, first, second), similarity in sorted(similarities.items()):
        one, other = rows.get((question, first)), rows.get((question, second))
        if one is None or other is None or one["crux"] is None or other["crux"] is None:
            continue
        answers = (one["outcome"], other["outcome"])
        times = (one["resolved_at"], other["resolved_at"])
        thresholds = (numeric_thresholds(one["crux"]), numeric_thresholds(other["crux"]))
        pair = CruxPair(
            similarity,
            None if None in answers else answers[0] == answers[1],
            None if None in times else abs((times[0] - times[1]).total_seconds()) / _DAY,
            thresholds[0] == thresholds[1] if any(thresholds) else None,
            None,
        )
        found.append((first, second, pair))
    return found


def _panel(
    title: str, groups: Sequence[SimilarityGroup], of: Callable[[SimilarityGroup], Share]
) -> panels.SimilarityPanel:
    rows = []
    for group in groups:
        share = of(group)
        if share.count:
            rows.append(
                panels.SimilarityGroup(_name(group), group.low, group.high, share.count, share.share, share.interval)
            )
    return panels.SimilarityPanel(title, rows)


def _table(kind: str, groups: Sequence[SimilarityGroup], overall: float) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "group": _name(group),
            "count": group.count,
            "different": group.disagreement.share,
            "different_interval": group.disagreement.interval,
            "days": group.median_days_apart,
            "threshold": group.same_threshold.share,
            "threshold_interval": group.same_threshold.interval,
            "thresholds": group.same_threshold.count,
        }
        for group in groups
    ]
    columns = (
        Column("group", kind.capitalize()),
        Column("count", "Pairs", "integer"),
        Column("different", "Different answers", "share", 1, help="1 - P(same Yes or No), where both were resolved."),
        Column("different_interval", "95% CI", "interval", help="Wilson interval, as if pairs were independent."),
        Column("days", "Days apart", "number", 1, help="Median distance of the times of resolution."),
        Column("threshold", "Same threshold", "share", 1, help="Share with the same numbers, where either names one."),
        Column("threshold_interval", "95% CI", "interval", help="Wilson interval."),
        Column("thresholds", "Of", "integer", help="Pairs in which at least one crux names a number."),
    )
    note = f"The mean {kind} of all pairs is {overall:.3f}."
    if kind == LEXICAL:
        note += (
            " It compares words and letters, not meanings, and is not to be compared with the cosine similarity of "
            "sentence embeddings."
        )
    return Table("likeness", "Similar cruxes and their answers", columns, tuple(rows), (note,), "Figures 4 and 11")


def _name(group: SimilarityGroup) -> str:
    return f"{group.low:g} to {group.high:g}"
