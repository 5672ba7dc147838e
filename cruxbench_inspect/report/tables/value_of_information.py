"""The paper's table 1: mean value of information by model, beside chance and hindsight."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from cruxbench_inspect.inference.ranks import competition_ranks
from cruxbench_inspect.report.baselines import common_baselines
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.page.prose import literal
from cruxbench_inspect.report.table import DOUBT, Cell, Column, Interval, Table
from cruxbench_inspect.report.tables.sample_counts import sample_counts
from cruxbench_inspect.statistics import one_sided_p, t_interval

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Stars of uncorrected p values, the paper's."""

_COLUMNS = (
    Column("rank", "Rank", "integer", help="By the unrounded mean; ties get the lower number."),
    Column("model", "Model"),
    Column("voi", "VOI", "number", help="Mean KL divergence in bits between prices after and before the crux."),
    Column("stars", "", help="One-sided paired t-test against random timing: * 0.05, ** 0.01, *** 0.001."),
    Column("interval", "95% CI", "interval", help="t interval of the mean over questions."),
    Column("excess", "Over random", "number", help="Mean difference in bits to the random-timing baseline."),
    Column("p", "p", "p_value", help="Of the one-sided paired t-test, uncorrected."),
    Column("skill", "Skill", "share", 1, help="(mean VOI - mean random) / (mean oracle - mean random)."),
    Column("percentile", "Timing", "number", 2, help="Mean share of the window's hours with a smaller move."),
    Column(
        "resolved",
        "Resolved",
        "integer",
        1,
        help="Questions whose crux was resolvable. Of several epochs it is their mean; table 9 counts all samples.",
    ),
    Column("rate", "Rate", "share", 1, help="Resolved, of all samples with a score: a question in an epoch each."),
    Column("questions", "Scored", "integer", help="Questions with a score."),
    Column("coverage", "Coverage", "share", 1, help="Scored, of all questions, or samples of several epochs."),
    Column("cutoff", "Knowledge cutoff", help="As stated by the model's maker."),
)


@dataclass(frozen=True)
class ModelRow:
    """The numbers of one model in table 1.

    Attributes:
        label: The entry.
        voi: Mean VOI in bits.
        interval: Its 95% t interval.
        p: One-sided p value against random timing.
        resolved: How many questions had a crux that was resolved, as a mean over epochs.
        questions: How many questions were scored.
        coverage: The share of all questions.
        rate: The share of samples with a score whose crux was resolved.
        excess: Mean difference to random timing in bits.
        skill: The share of the way from random timing to the oracle.
        percentile: Mean timing percentile.
        cutoff: The knowledge cutoff as text.
        unranked: Why it has no rank; None where it has one.
        doubts: What speaks against comparing it, whether or not it has a rank.
    """

    label: str
    voi: float
    interval: Interval
    p: float
    resolved: float
    questions: int
    coverage: float = 1.0
    rate: float = math.nan
    excess: float = math.nan
    skill: float = math.nan
    percentile: float = math.nan
    cutoff: str | None = None
    unranked: str | None = None
    doubts: str | None = None


def value_of_information(study: Study) -> Table:
    """The table of a study."""
    return table_of_rows([model_row(study, label) for label in study.labels], *common_baselines(study))


def model_row(study: Study, label: str) -> ModelRow:
    """The numbers of an entry, over the questions that it has a score for."""
    scored = study.scored(label)
    values = scored["voi_kl"].to_list()
    above = scored.filter(pl.col("excess_kl").is_not_nan())
    gained = math.fsum(above["excess_kl"].to_list())
    possible = math.fsum((above["oracle_kl"] - above["random_kl"]).to_list())
    percentiles = scored.filter(pl.col("timing_percentile").is_not_nan())["timing_percentile"]
    counts = sample_counts(study, label)
    return ModelRow(
        label=label,
        voi=_mean(values),
        interval=t_interval(values),
        p=one_sided_p(above["excess_kl"].to_list()),
        resolved=counts.resolved,
        questions=len(values),
        coverage=study.coverage(label),
        rate=counts.rate,
        excess=_mean(above["excess_kl"].to_list()),
        skill=gained / possible if possible else math.nan,
        percentile=_mean(percentiles.to_list()),
        cutoff=_cutoff(study, label),
        unranked=study.why_unranked(label),
        doubts=study.doubts(label),
    )


def table_of_rows(rows: Sequence[ModelRow], random: Sequence[float], oracle: Sequence[float]) -> Table:
    """Table 1 of given numbers, the best model first.

    Args:
        rows: The models.
        random: The random-timing baseline of each question in bits; none where it is not known.
        oracle: The same for the oracle.
    """
    ordered = sorted(rows, key=lambda row: (math.isnan(row.voi), -row.voi, row.label))
    ranked = [row for row in ordered if row.unranked is None and not math.isnan(row.voi)]
    ranks = dict(zip((row.label for row in ranked), competition_ranks([row.voi for row in ranked]), strict=True))
    whole = all(float(row.resolved).is_integer() for row in rows)
    columns = _COLUMNS if whole else tuple(_in_fractions(column) for column in _COLUMNS)
    cells: list[dict[str, Cell]] = [
        {
            "rank": ranks.get(row.label),
            "model": row.label,
            "voi": row.voi,
            "stars": stars(row.p),
            "interval": row.interval,
            "excess": row.excess,
            "p": row.p,
            "skill": row.skill,
            "percentile": row.percentile,
            "resolved": int(row.resolved) if whole else row.resolved,
            "rate": row.rate,
            "questions": row.questions,
            "coverage": row.coverage,
            "cutoff": row.cutoff,
            DOUBT: row.doubts,
        }
        for row in ordered
    ]
    for name, values in (("random timing", random), ("oracle", oracle)):
        if values:
            cells.append(
                {
                    "model": name,
                    "stars": "",
                    "voi": _mean(values),
                    "interval": t_interval(values),
                    "questions": len(values),
                }
            )
    notes = [
        f"**{literal(row.label)}** {row.doubts}" + ("." if row.unranked is None else ", so it has no rank.")
        for row in ordered
        if row.doubts
    ]
    return Table(
        "value_of_information",
        "Value of information",
        columns,
        tuple(cells),
        (
            "Cruxes that are missing, malformed, out of their dates or unresolvable score 0. Questions without a "
            "score, through no fault of the model, are left out.",
            *notes,
        ),
        "Table 1",
        frozenset(range(len(ordered), len(cells))),
    )


def stars(p: float) -> str:
    """The stars of a p value; none for NaN."""
    return next((text for bound, text in STARS if p < bound), "")


def _in_fractions(column: Column) -> Column:
    return replace(column, kind="number") if column.key == "resolved" else column


def _cutoff(study: Study, label: str) -> str | None:
    text, knew = study.facts[label].cutoff_text, study.knew(label)
    return f"{text} ({knew} windows begin before)" if text and knew else text


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
