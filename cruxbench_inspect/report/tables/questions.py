"""The paper's tables 3 and 4: the cruxes of one question side by side, for the questions that tell most."""

from collections.abc import Sequence
from datetime import datetime
from types import MappingProxyType

import polars as pl

from cruxbench_inspect.report.case_samples import CaseSamples
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.page.prose import literal
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.tables.crux_texts import crux_data, crux_note
from cruxbench_inspect.report.viewer_links import SAMPLE
from cruxbench_inspect.utc import format_utc

_COLUMNS = (
    Column("model", "Model"),
    Column("crux", "Crux"),
    Column("outcome", "Answer"),
    Column("resolved_at", "Known at (UTC)"),
    Column("rule", "Rule"),
    Column("precision", "Precision"),
    Column("before", "Before", "number", help="Mean trusted price over the width's hours up to the pivot hour."),
    Column("after", "After", "number", help="The same over the hours that follow it."),
    Column("voi", "VOI", "number", 4, help="KL divergence in bits."),
)

NO_SAMPLES: CaseSamples = MappingProxyType({})
"""Of logs that are not read as a whole."""


def telling_questions(study: Study, count: int) -> list[str]:
    """The questions on which entries differ most: by the spread of their VOI, then the best one, then the key."""
    rows = study.scores.filter(pl.col("coverage") > 0, pl.col("voi_kl").is_not_nan())
    spread = rows.group_by("question").agg(
        spread=pl.col("voi_kl").max() - pl.col("voi_kl").min(), best=pl.col("voi_kl").max()
    )
    return spread.sort(["spread", "best", "question"], descending=[True, True, False])["question"].head(count).to_list()


def question_table(study: Study, key: str, samples: CaseSamples = NO_SAMPLES, shown: Sequence[str] = ()) -> Table:
    """All entries' cruxes of one question, the best first, with the whole texts of some as notes and in data files.

    Args:
        study: The study.
        key: The question.
        samples: What whole samples have of the question.
        shown: The entries whose samples were to be read.
    """
    told = pl.concat([study.told(label).filter(question=key) for label in study.labels])
    own = told.with_columns(best=pl.col("voi_kl").fill_nan(None))
    rows = own.sort(["best", "entry"], descending=[True, False], nulls_last=True)
    about = study.question(key)
    cells: list[dict[str, Cell]] = [
        {
            "model": row["entry"],
            SAMPLE: row["question_id"],
            "crux": row["crux"] or "none",
            "outcome": row["outcome"] or _words(row["reason"]),
            "resolved_at": _text(row["resolved_at"]),
            "rule": _words(row["rule"]),
            "precision": _words(row["precision"]),
            "before": row["p_before"],
            "after": row["p_after"],
            "voi": row["voi_kl"],
            **crux_data(samples.get(row["entry"], ())),
        }
        for row in rows.iter_rows(named=True)
    ]
    title = about.question if about is not None else key
    labels = rows["entry"].to_list()
    notes = [crux_note(label, samples[label]) for label in labels if samples.get(label)]
    if notes and any(label not in shown for label in labels):
        notes.append(f"Whole cruxes are shown of the {len(shown)} models with the highest VOI.")
    unread = [f"**{literal(label)}**" for label in labels if label in shown and label not in samples]
    if unread:
        notes.append(f"The logs of {', '.join(unread)} do not give this question's whole sample, which has the rest.")
    notes += _of_many(study, key, labels)
    return Table(f"question_{_slug(key)}", title, _COLUMNS, tuple(cells), tuple(notes), "Tables 3 and 4")


def _of_many(study: Study, key: str, labels: Sequence[str]) -> list[str]:
    """What a row is where an entry has several epochs, or several cruxes a question."""
    notes = []
    if any(study.of(label).filter(pl.col("question") == key, pl.col("epochs") > 1).height for label in labels):
        notes.append("Of several epochs the first that has a score is shown, with its own numbers.")
    several = [entry.label for entry in study.entries if any(run.terms.k > 1 for run in entry.runs)]
    named = [f"**{literal(label)}**" for label in several if label in labels]
    if named:
        notes.append(
            f"{', '.join(named)} proposed several cruxes a question: VOI is the mean of all; answer, time and prices "
            "are those of the first."
        )
    return notes


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment).replace("T", " ").removesuffix(":00Z").removesuffix("Z")


def _words(name: str | None) -> str | None:
    return None if name is None else name.replace("_", " ")


def _slug(key: str) -> str:
    return "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in key.lower())
