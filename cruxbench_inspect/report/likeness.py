"""How alike the cruxes of different models are, and whether alike ones end alike: the paper's figures 4 and 11."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from cruxbench_inspect.inference.agreement import CruxPair, SimilarityGroup, agreement
from cruxbench_inspect.inference.text_similarity import Floats, cosine, lexical_similarities, numeric_thresholds
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.page.prose import literal
from cruxbench_inspect.report.table import Cell, Column, Table

if TYPE_CHECKING:
    from cruxbench_inspect.report.embeddings import Embeddings

LEXICAL = "lexical similarity"
"""What similarities are called that come from words and letters alone."""

MOST_COMPARED = 10
"""How many entries are compared, those with the highest mean scores: pairs are many, and say little of the others."""

AT_ONCE = 3_000
"""Cruxes at most whose lexical similarities are computed together; more would take too much memory."""

Similarities = Mapping[tuple[str, str, str], float]
"""Similarities by question and two entries in the order of labels."""

_DAY = 86_400.0
_IMPORTED = "similarity_pairs.json"


def likeness(material: Material) -> list[Table | Figure]:
    """The table and figures of a study.

    Raises:
        ValueError: If no question has cruxes of two models.
    """
    study = material.study
    kind, similarities = crux_similarities(material)
    pairs = crux_pairs(study, similarities)
    if not pairs:
        raise ValueError("Figures 4 and 11, similarity of cruxes: no question has cruxes of two models.")
    groups = agreement([pair for _, _, pair in pairs])
    made: list[Table | Figure] = [_table(study, kind, groups, mean(pair.similarity for _, _, pair in pairs))]
    if material.figures:
        # Altair takes a second to load, which tables alone do not need.
        from cruxbench_inspect.report.likeness_figures import likeness_figures

        made += likeness_figures(study.labels[:MOST_COMPARED], kind, groups, pairs)
    return made


def crux_similarities(material: Material) -> tuple[str, Similarities]:
    """The similarities that a report uses, and what they are: of embeddings, else imported ones, else lexical ones.

    Raises:
        ValueError: If imported similarities cannot be read.
    """
    study = material.study
    if material.embeddings is not None:
        return f"cosine similarity ({material.embeddings.model})", embedded_pairs(study, material.embeddings)
    return imported_similarities(study) or (LEXICAL, lexical_pairs(study))


def method(material: Material) -> str:
    """Which similarity a report uses, in a sentence of markdown for its methods.

    Raises:
        ValueError: If imported similarities cannot be read.
    """
    if material.embeddings is not None:
        return (
            "Two models' cruxes for the same question are compared by the cosine similarity of embeddings of their "
            f"questions by {literal(material.embeddings.model)}."
        )
    if imported_similarities(material.study):
        return "Two models' cruxes for the same question are compared by the cosine similarity that was imported."
    return (
        "Two models' cruxes for the same question are compared by a lexical similarity, the mean of two tf-idf "
        f"cosines, over words and over characters. Weights are of {_weighed(material.study)}."
    )


def compared_cruxes(study: Study) -> list[str]:
    """The different cruxes of questions for which several entries have one."""
    return sorted({text for _, _, texts in _by_question(study) if len(texts) > 1 for text in texts})


def lexical_pairs(study: Study) -> dict[tuple[str, str, str], float]:
    """Lexical similarities of the cruxes of each question; weights are of all cruxes, or of ``AT_ONCE`` at a time."""
    found: dict[tuple[str, str, str], float] = {}
    for questions in _together(study):
        matrix = lexical_similarities([text for _, _, texts in questions for text in texts])
        start = 0
        for question, labels, texts in questions:
            end = start + len(texts)
            found |= _pairs(question, labels, matrix[start:end, start:end])
            start = end
    return found


def embedded_pairs(study: Study, embeddings: "Embeddings") -> dict[tuple[str, str, str], float]:
    """Cosine similarities of the cruxes of each question.

    Args:
        study: The study.
        embeddings: Has all of ``compared_cruxes``.
    """
    found: dict[tuple[str, str, str], float] = {}
    for question, labels, texts in _by_question(study):
        if len(texts) > 1:
            found |= _pairs(question, labels, cosine(np.stack([embeddings.vectors[text] for text in texts])))
    return found


def imported_similarities(study: Study) -> tuple[str, Similarities] | None:
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


def crux_pairs(study: Study, similarities: Similarities) -> list[tuple[str, str, CruxPair]]:
    """All pairs of cruxes with a similarity, each with its two entries in the order of labels."""
    columns = study.scores.select("question", "entry", "crux", "outcome", "resolved_at")
    rows = {(row["question"], row["entry"]): row for row in columns.iter_rows(named=True)}
    named = {text: numeric_thresholds(text) for text in set(columns["crux"].drop_nulls())}
    found = []
    for (question, first, second), similarity in sorted(similarities.items()):
        one, other = rows.get((question, first)), rows.get((question, second))
        if one is None or other is None or one["crux"] is None or other["crux"] is None:
            continue
        answers = (one["outcome"], other["outcome"])
        times = (one["resolved_at"], other["resolved_at"])
        thresholds = (named[one["crux"]], named[other["crux"]])
        pair = CruxPair(
            similarity,
            None if None in answers else answers[0] == answers[1],
            None if None in times else abs((times[0] - times[1]).total_seconds()) / _DAY,
            thresholds[0] == thresholds[1] if any(thresholds) else None,
            None,
        )
        found.append((first, second, pair))
    return found


def group_name(group: SimilarityGroup) -> str:
    """What a group of similarities is called."""
    return f"{group.low:g} to {group.high:g}"


def capital(kind: str) -> str:
    """A name with a capital letter, as at the beginning of a title."""
    return kind[0].upper() + kind[1:]


def _by_question(study: Study) -> Iterator[tuple[str, list[str], list[str]]]:
    """Questions with the labels and cruxes of the entries that have one, in the order of labels."""
    first = study.labels[:MOST_COMPARED]
    rows = study.scores.filter(pl.col("crux").is_not_null(), pl.col("entry").is_in(first)).sort("question", "entry")
    for (question,), own in rows.partition_by("question", as_dict=True, maintain_order=True).items():
        yield str(question), own["entry"].to_list(), own["crux"].to_list()


def _together(study: Study) -> list[list[tuple[str, list[str], list[str]]]]:
    """Questions whose cruxes are compared at once, ``AT_ONCE`` cruxes at most, but one question at least."""
    parts: list[list[tuple[str, list[str], list[str]]]] = []
    room = 0
    for one in _by_question(study):
        room -= len(one[2])
        if room < 0 or not parts:
            parts.append([])
            room = AT_ONCE - len(one[2])
        parts[-1].append(one)
    return parts


def _weighed(study: Study) -> str:
    return (
        "all cruxes" if len(_together(study)) <= 1 else f"the cruxes of some questions at a time, {AT_ONCE:,} at most"
    )


def _pairs(question: str, labels: Sequence[str], matrix: Floats) -> dict[tuple[str, str, str], float]:
    return {
        (question, labels[one], labels[other]): float(matrix[one, other])
        for one, other in combinations(range(len(labels)), 2)
    }


def _table(study: Study, kind: str, groups: Sequence[SimilarityGroup], overall: float) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "group": group_name(group),
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
        Column("group", capital(kind)),
        Column("count", "Pairs", "integer"),
        Column("different", "Different answers", "share", 1, help="1 - P(same Yes or No), where both were resolved."),
        Column("different_interval", "95% CI", "interval", help="Wilson interval, as if pairs were independent."),
        Column("days", "Days apart", "number", 1, help="Median distance of the times of resolution."),
        Column("threshold", "Same threshold", "share", 1, help="Share with the same numbers, where either names one."),
        Column("threshold_interval", "95% CI", "interval", help="Wilson interval."),
        Column("thresholds", "Of", "integer", help="Pairs in which at least one crux names a number."),
    )
    note = f"The mean {literal(kind)} of all pairs is {overall:.3f}."
    if kind == LEXICAL:
        note += (
            " It compares words and letters, not meanings, and is not to be compared with the cosine similarity of "
            f"sentence embeddings. What a word weighs is of {_weighed(study)}."
        )
    notes: tuple[str, ...] = (
        note,
        "Whether two cruxes are resolved by the same kind of source is not shown: their criteria say it, which the "
        "summaries in logs do not have.",
    )
    if len(study.labels) > MOST_COMPARED:
        notes = (*notes, f"Only the cruxes of the {MOST_COMPARED} models with the highest VOI are compared.")
    return Table("likeness", "Similar cruxes and their answers", columns, tuple(rows), notes, "Figures 4 and 11")
