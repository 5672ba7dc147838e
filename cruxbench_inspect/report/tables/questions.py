"""The paper's tables 3 and 4: the cruxes of one question side by side, for the questions that tell most."""

from datetime import datetime

import polars as pl

from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table
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


def telling_questions(study: Study, count: int) -> list[str]:
    """The questions on which entries differ most: by the spread of their VOI, then the best one, then the key."""
    rows = study.scores.filter(pl.col("coverage") > 0, pl.col("voi_kl").is_not_nan())
    spread = rows.group_by("question").agg(
        spread=pl.col("voi_kl").max() - pl.col("voi_kl").min(), best=pl.col("voi_kl").max()
    )
    return spread.sort(["spread", "best", "question"], descending=[True, True, False])["question"].head(count).to_list()


def question_table(study: Study, key: str) -> Table:
    """All entries' cruxes of one question, the best first."""
    own = study.scores.filter(pl.col("question") == key).with_columns(best=pl.col("voi_kl").fill_nan(None))
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
        }
        for row in rows.iter_rows(named=True)
    ]
    title = about.question if about is not None else key
    return Table(f"question_{_slug(key)}", title, _COLUMNS, tuple(cells), (), "Tables 3 and 4")


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment).replace("T", " ").removesuffix(":00Z").removesuffix("Z")


def _words(name: str | None) -> str | None:
    return None if name is None else name.replace("_", " ")


def _slug(key: str) -> str:
    return "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in key.lower())
