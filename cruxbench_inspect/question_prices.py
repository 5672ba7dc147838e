"""Hourly prices of a question set's questions, from its table of prices and volumes. For scorers and reports only."""

import math
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from cruxbench_inspect.prices import Floats, HourlySeries, PriceRules, hourly_prices, hourly_volume, trusted_prices

MARGIN = timedelta(hours=96)
"""How far trusted prices are computed beyond an evaluation window, on each side."""

WindowHours = tuple[datetime, datetime]
"""First and last hour of an evaluation window, UTC."""


class PriceTable:
    """The prices of a set's questions."""

    def __init__(self, table: pl.DataFrame, kind: Literal["raw", "trusted"], rules: PriceRules) -> None:
        """Take a set's table.

        Args:
            table: Columns question_id, hour, price, volume_usdc.
            kind: Whether its prices are raw or trusted ones.
            rules: How trusted prices are made of raw ones.
        """
        self._table = table
        self._kind = kind
        self._rules = rules
        self._untreated: dict[str, HourlySeries | None] = {}

    def trusted(self, question_id: str, hours: WindowHours) -> HourlySeries | None:
        """Trusted prices from 96 hours before a window to 96 hours after it, cut to the life of the market.

        Returns:
            The series, or None where the table has no price of the question.
        """
        series = self.untreated(question_id, hours)
        if series is None or self._kind == "trusted":
            return series
        rows = self._rows[question_id]
        traded = ~np.isnan(rows.volumes) & (rows.seconds <= (hours[1] + MARGIN).timestamp())
        volume = hourly_volume(
            rows.seconds[traded],
            rows.volumes[traded],
            series.start,
            len(series.values) + self._rules.half_window_hours,
        )
        return HourlySeries(series.start, trusted_prices(series.values, volume, self._rules))

    def untreated(self, question_id: str, hours: WindowHours) -> HourlySeries | None:
        """Prices as the table has them, over the same stretch: raw ones, unless it has others."""
        if question_id not in self._untreated:
            self._untreated[question_id] = self._read(question_id, hours)
        return self._untreated[question_id]

    def traded_usdc(self, question_id: str, hours: WindowHours) -> float:
        """What was traded inside of a window in USDC; NaN where it is not known."""
        rows = self._rows.get(question_id)
        if rows is None:
            return math.nan
        first, last = (hour.timestamp() for hour in hours)
        traded = rows.volumes[(rows.seconds >= first) & (rows.seconds <= last) & ~np.isnan(rows.volumes)]
        return math.fsum(traded.tolist()) if len(traded) else math.nan

    def _read(self, question_id: str, hours: WindowHours) -> HourlySeries | None:
        rows = self._rows.get(question_id)
        if rows is None:
            return None
        priced = ~np.isnan(rows.prices)
        if not priced.any():
            return None
        series = hourly_prices(rows.seconds[priced], rows.prices[priced]).between(hours[0] - MARGIN, hours[1] + MARGIN)
        return series if len(series.values) else None

    @cached_property
    def _rows(self) -> dict[str, "_Rows"]:
        columns = self._table.select("question_id", pl.col("hour").dt.epoch("s"), "price", "volume_usdc")
        return {
            str(key[0]): _Rows(*(rows[name].to_numpy().astype(np.float64) for name in ("hour", "price", "volume_usdc")))
            for key, rows in columns.partition_by("question_id", as_dict=True).items()
        }


class _Rows(NamedTuple):
    """The rows of one question: seconds since 1970, prices and USDC, NaN where there is none."""

    seconds: Floats
    prices: Floats
    volumes: Floats
