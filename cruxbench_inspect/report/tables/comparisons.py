"""Which models differ: paired differences over the questions that both have, corrected for the number of pairs."""

from collections.abc import Sequence
from itertools import combinations

import polars as pl

from cruxbench_inspect.inference.corrections import benjamini_hochberg, holm
from cruxbench_inspect.inference.paired import PairedDifference, paired_difference
from cruxbench_inspect.inference.power import questions_needed
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.page.prose import literal
from cruxbench_inspect.report.table import Cell, Column, Table

MOST = 20
"""How many entries are compared in pairs, those with the highest mean scores."""

Pair = tuple[str, str, PairedDifference]
"""Two entries, the better one first, and the difference of their VOI in bits."""

_FLIPS = 2_000


def pairs(study: Study) -> list[Pair]:
    """All pairs of the first ``MOST`` entries."""
    return [
        (first, second, difference(study, first, second, _FLIPS))
        for first, second in combinations(study.labels[:MOST], 2)
    ]


def difference(study: Study, first: str, second: str, flips: int = 10_000) -> PairedDifference:
    """The difference of the VOI of two entries in bits, over the questions that both have a score for."""
    both = shared(study, first, second)
    other = study.scored(second).filter(pl.col("question").is_in(both["question"].to_list()))
    # Rows of one question are of one cluster: the second entry's add what their cruxes have in common.
    clusters = event_clusters(pl.concat([both.drop("other"), other]))[: both.height]
    return paired_difference(both["voi_kl"].to_list(), both["other"].to_list(), clusters, repetitions=flips)


def shared(study: Study, first: str, second: str) -> pl.DataFrame:
    """Rows of the first entry on questions that both have a score for; ``other`` is the second one's VOI."""
    other = study.scored(second).select("question", pl.col("voi_kl").alias("other"))
    return study.scored(first).join(other, on="question", how="inner").sort("question")


def comparisons(study: Study, found: Sequence[Pair]) -> Table:
    """The table of all pairs."""
    p_values = [one.p for _, _, one in found]
    rows: list[dict[str, Cell]] = [
        {
            "first": first,
            "second": second,
            "difference": one.mean,
            "interval": one.interval,
            "p": one.p,
            "holm": by_holm,
            "fdr": by_fdr,
            "flip": one.p_sign_flip,
            "higher": one.share_first_higher,
            "ties": one.ties,
            "questions": one.count,
            "needed": questions_needed(one.mean, one.standard_deviation) if one.count > 1 else None,
        }
        for (first, second, one), by_holm, by_fdr in zip(
            found, holm(p_values), benjamini_hochberg(p_values), strict=True
        )
    ]
    columns = (
        Column("first", "Model"),
        Column("second", "Against"),
        Column("difference", "Difference", "number", 4, help="Mean difference of VOI in bits over shared questions."),
        Column("interval", "95% CI", "interval", 4, help="Cluster-robust by event."),
        Column("p", "p", "p_value", help="Two-sided, cluster-robust by event, uncorrected."),
        Column("holm", "p (Holm)", "p_value", help="Corrected for all pairs."),
        Column("fdr", "p (FDR)", "p_value", help="Benjamini and Hochberg's adjusted p value."),
        Column("flip", "p (sign flips)", "p_value", help="Randomisation test that makes no assumption on the shape."),
        Column("higher", "Higher on", "share", 0, help="Share of questions on which the first model scores more."),
        Column("ties", "Ties", "integer", help="Questions on which both score the same, often 0."),
        Column("questions", "Questions", "integer"),
        Column("needed", "Needed", "integer", help="Independent questions that show this difference with 80% power."),
    )
    return Table(
        "comparisons",
        "Differences between models",
        columns,
        tuple(rows),
        (
            "Differences are taken question by question, so that what makes a question easy for all does not count. "
            "**Needed** is how many questions of this kind tell the two apart four times out of five, if the "
            "difference is what it seems to be.",
            *_of_doubts(study),
            *([f"Only the {MOST} models with the highest VOI are compared."] if len(study.labels) > MOST else []),
        ),
    )


def _of_doubts(study: Study) -> list[str]:
    doubtful = [literal(label) for label in study.labels[:MOST] if study.doubts(label)]
    return [f"Table 1 has doubts about {', '.join(doubtful)}."] if doubtful else []
