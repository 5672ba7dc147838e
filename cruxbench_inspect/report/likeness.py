"""Whether cruxes that are alike end alike: the paper's figures 4 and 11."""

from collections.abc import Sequence

import polars as pl

from cruxbench_inspect.inference.agreement import CruxPair, SimilarityGroup, agreement
from cruxbench_inspect.inference.text_similarity import numeric_thresholds
from cruxbench_inspect.report.crux_similarity import LEXICAL, MOST_COMPARED, Similarities, crux_similarities
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.page.prose import literal
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.source_kinds import KINDS

_DAY = 86_400.0


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
    paired = {label for first, second, _ in pairs for label in (first, second)}
    alone = [label for label in study.labels[:MOST_COMPARED] if label not in paired]
    made: list[Table | Figure] = [_table(study, kind, groups, mean(pair.similarity for _, _, pair in pairs), alone)]
    if material.figures:
        # Altair takes a second to load, which tables alone do not need.
        from cruxbench_inspect.report.likeness_figures import likeness_figures

        made += likeness_figures(study.labels[:MOST_COMPARED], kind, groups, pairs)
    return made


def crux_pairs(study: Study, similarities: Similarities) -> list[tuple[str, str, CruxPair]]:
    """All pairs of cruxes with a similarity, each with its two entries in the order of labels."""
    columns = study.scores.select(
        "question", "entry", pl.col("first_crux").alias("crux"), "outcome", "resolved_at", "source_kinds"
    )
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
        kinds = (one["source_kinds"], other["source_kinds"])
        pair = CruxPair(
            similarity,
            None if None in answers else answers[0] == answers[1],
            None if None in times else abs((times[0] - times[1]).total_seconds()) / _DAY,
            thresholds[0] == thresholds[1] if any(thresholds) else None,
            kinds[0][0] == kinds[1][0] if all(kinds) else None,
        )
        found.append((first, second, pair))
    return found


def group_name(group: SimilarityGroup) -> str:
    """What a group of similarities is called."""
    return f"{group.low:g} to {group.high:g}"


def capital(kind: str) -> str:
    """A name with a capital letter, as at the beginning of a title."""
    return kind[0].upper() + kind[1:]


def _table(study: Study, kind: str, groups: Sequence[SimilarityGroup], overall: float, alone: Sequence[str]) -> Table:
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
            "source": group.same_source.share,
            "source_interval": group.same_source.interval,
            "sources": group.same_source.count,
        }
        for group in groups
    ]
    columns = (
        Column("group", capital(kind)),
        Column("count", "Pairs", "integer"),
        Column("different", "Different answers", "share", 1, help="1 - P(same Yes or No), where both were resolved."),
        Column(
            "different_interval", "95% CI", "share_interval", 1, help="Wilson interval, as if pairs were independent."
        ),
        Column("days", "Days apart", "number", 1, help="Median distance of the times of resolution."),
        Column("threshold", "Same threshold", "share", 1, help="Share with the same numbers, where either names one."),
        Column("threshold_interval", "95% CI", "share_interval", 1, help="Wilson interval."),
        Column("thresholds", "Of", "integer", help="Pairs in which at least one crux names a number."),
        Column("source", "Same kind of source", "share", 1, help="Share whose criteria name the same kind first."),
        Column("source_interval", "95% CI", "share_interval", 1, help="Wilson interval."),
        Column("sources", "Of", "integer", help="Pairs in which the criteria of both name a source."),
    )
    note = f"The mean {literal(kind)} of all pairs is {overall:.3f}."
    if kind == LEXICAL:
        note += (
            " It compares words and letters, not meanings, and is not to be compared with the cosine similarity of "
            "sentence embeddings."
        )
    if alone:
        note += f" In no pair, for want of a similarity: {', '.join(map(literal, alone))}."
    notes: tuple[str, ...] = (
        note,
        f"Kinds of sources are {', '.join(KINDS[:-1])} and {KINDS[-1]}, told by words of the resolution criteria. "
        + (
            "These logs do not have them; scoring them again (inspect score, without asking a judge) adds them."
            if study.scores["source_kinds"].is_null().all()
            else ""
        ),
    )
    if len(study.labels) > MOST_COMPARED:
        notes = (*notes, f"Only the cruxes of the {MOST_COMPARED} models with the highest VOI are compared.")
    return Table("likeness", "Similar cruxes and their answers", columns, tuple(rows), notes, "Figures 4 and 11")
