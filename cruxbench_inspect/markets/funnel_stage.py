"""What a stage of the funnel is, and how it says why it drops a market."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl
from pydantic import JsonValue

WHY = "why"
"""The column that a stage adds: null for a market that stays, else the reason, to be read after "it was dropped:"."""


@dataclass(frozen=True)
class Stage:
    """One filter.

    Attributes:
        name: Short, for the table.
        keeps: What stays, in a sentence.
        judge: Takes the markets that are left and returns them, in the order that later stages see, with the
            column ``why`` and whatever later stages need.
        parameters: What the filter depends on.
    """

    name: str
    keeps: str
    judge: Callable[[pl.DataFrame], pl.DataFrame] = field(repr=False, compare=False)
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)


def keep_where(kept: pl.Expr, why: pl.Expr) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A judge that keeps a market where an expression is true, and drops it for a reason where it is false or null."""
    reason = why.fill_null("it lacks a value that the stage needs")
    return lambda frame: frame.with_columns(pl.when(kept).then(None).otherwise(reason).alias(WHY))


def with_whys(frame: pl.DataFrame, whys: Iterable[str | None]) -> pl.DataFrame:
    """The frame with a reason, or None, for every market."""
    return frame.with_columns(pl.Series(WHY, list(whys), dtype=pl.String))


def shown(value: pl.Expr, missing: str) -> pl.Expr:
    """A value as part of a reason."""
    return value.cast(pl.String).fill_null(missing)


def shown_time(moment: pl.Expr, missing: str) -> pl.Expr:
    """A moment as part of a reason."""
    return moment.dt.strftime("%Y-%m-%dT%H:%M:%SZ").fill_null(missing)
