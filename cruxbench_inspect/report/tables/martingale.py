"""The paper's martingale check: prices before a crux should predict those after it, without a bias."""

import polars as pl

from cruxbench_inspect.inference.martingale import Martingale, martingale
from cruxbench_inspect.prices import pivot_hour
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table

_FEWEST = 10


def beliefs(study: Study) -> pl.DataFrame:
    """Resolved cruxes with both means, of all entries."""
    known = pl.col("p_before").is_not_null() & pl.col("p_before").is_not_nan() & pl.col("p_after").is_not_nan()
    return study.samples.filter(known, pl.col("resolved_at").is_not_null()).sort("entry", "question")


def martingale_fit(study: Study) -> Martingale:
    """The regression over all entries.

    Raises:
        ValueError: If there are too few cruxes.
    """
    rows = beliefs(study)
    if rows.height < _FEWEST:
        raise ValueError(
            f"Figure 5, the martingale check: it takes {_FEWEST} cruxes with both prices, and there are {rows.height}."
        )
    hours = [pivot_hour(moment) for moment in rows["resolved_at"].to_list()]
    return martingale(rows["p_before"].to_list(), rows["p_after"].to_list(), rows["question"].to_list(), hours)


def martingale_table(fit: Martingale) -> Table:
    """The regression as a table of one row."""
    row: dict[str, Cell] = {
        "count": fit.count,
        "slope": fit.slope,
        "slope_interval": fit.slope_interval,
        "intercept": fit.intercept,
        "intercept_interval": fit.intercept_interval,
        "r2": fit.r2,
        "p": fit.joint_p,
        "gap": fit.largest_gap,
    }
    columns = (
        Column("count", "Cruxes", "integer"),
        Column("slope", "Slope", "number", help="1 where prices have no drift."),
        Column("slope_interval", "95% CI", "interval", help="Clustered by market and by pivot hour."),
        Column("intercept", "Intercept", "number", 4, help="0 where prices have no drift."),
        Column("intercept_interval", "95% CI", "interval", 4, help="Clustered by market and by pivot hour."),
        Column("r2", "R²", "number"),
        Column("p", "p", "p_value", help="Of slope 1 and intercept 0 together."),
        Column("gap", "Largest gap", "share", 1, help="Of a decile's mean price after from that before."),
    )
    return Table("martingale", "Prices after against prices before", columns, (row,), (), "Figure 5")
