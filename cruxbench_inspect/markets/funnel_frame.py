"""Markets and their daily prices as a frame of one row each, which the funnel filters."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

import numpy as np
import polars as pl
from numpy.typing import NDArray

from cruxbench_inspect.markets.market import Market, Settled

BATCH = 5000
"""Rows that are Python objects at one time."""

_MOMENT = pl.Datetime("us", "UTC")
# A price of another year than from 2000 to 2099 is none.
_FIRST_SECOND, _LAST_SECOND = 946_684_800, 4_102_444_800
SCHEMA: dict[str, pl.DataType] = {
    "id": pl.String(),
    "question": pl.String(),
    "description": pl.String(),
    "tags": pl.List(pl.String()),
    "event_id": pl.String(),
    "opened": _MOMENT,
    "closes": _MOMENT,
    "settled": pl.String(),
    "outcome": pl.String(),
    "resolution_status": pl.String(),
    "volume_usdc": pl.Float64(),
    "placeholder": pl.Boolean(),
    "has_yes": pl.Boolean(),
    "first_point": _MOMENT,
    "last_point": _MOMENT,
    "points": pl.Int64(),
    "day_seconds": pl.List(pl.Int64()),
    "day_prices": pl.List(pl.Float64()),
}
"""Columns of the frame. The last five tell of the Yes prices: first and last moment, how many, and all in order."""


@dataclass(frozen=True)
class OtherMarket:
    """A market without the outcomes Yes and No: it has no further use, but the first stages of the funnel count it.

    Attributes:
        id: The market's id at its source.
        question: Its text.
        settled: How sure it is that one of its outcomes has been paid in full.
        resolution_status: The oracle's word, as collected.
        last_point: The last price of its first outcome.
    """

    id: str
    question: str
    settled: Settled
    resolution_status: str | None
    last_point: datetime | None


Row = tuple[Market, NDArray[np.int64], NDArray[np.float64]] | OtherMarket
"""A market, the moments of its daily Yes prices in seconds since 1970, and the prices; or one of another kind."""


def funnel_frame(rows: Iterable[Row], before: datetime | None = None) -> pl.DataFrame:
    """Build the funnel's frame.

    Args:
        rows: In the order in which they were listed: of equal questions, the first is kept. The prices in any order.
        before: Leave out prices at or after this moment: a live round must not see them.

    Returns:
        A frame with the columns of ``SCHEMA``.
    """
    remaining = iter(rows)
    batches = [pl.DataFrame(schema=SCHEMA)]
    while batch := list(islice(remaining, BATCH)):
        values = [_other(row) if isinstance(row, OtherMarket) else _market(*row, before) for row in batch]
        columns = dict(zip(SCHEMA, map(list, zip(*values, strict=True)), strict=True))
        batches.append(pl.DataFrame(columns, schema=SCHEMA))
    return pl.concat(batches, rechunk=False)


def _market(
    market: Market, seconds: NDArray[np.int64], prices: NDArray[np.float64], before: datetime | None
) -> tuple[object, ...]:
    known_years = (seconds >= _FIRST_SECOND) & (seconds < _LAST_SECOND)
    if not known_years.all():
        seconds, prices = seconds[known_years], prices[known_years]
    if np.any(seconds[1:] < seconds[:-1]):
        order = np.argsort(seconds, kind="stable")
        seconds, prices = seconds[order], prices[order]
    if before is not None:
        known = np.searchsorted(seconds, math.ceil(before.timestamp()), side="left")
        seconds, prices = seconds[:known], prices[:known]
    return (
        market.id,
        market.question,
        market.description,
        market.tags,
        market.event_id or market.exclusive_group,
        market.opened,
        market.closes,
        market.settled,
        market.outcome,
        market.resolution_status,
        market.volume_usdc,
        market.placeholder,
        True,
        _moment(seconds[0]) if len(seconds) else None,
        _moment(seconds[-1]) if len(seconds) else None,
        len(seconds),
        seconds,
        prices,
    )


def _other(market: OtherMarket) -> tuple[object, ...]:
    nothing = np.empty(0)
    before = (market.id, market.question, "", (), None, None, None, market.settled, None)
    after = (None, False, False, None, market.last_point, 0, nothing.astype(np.int64), nothing)
    return (*before, market.resolution_status, *after)


def _moment(seconds: np.int64) -> datetime:
    return datetime.fromtimestamp(int(seconds), tz=UTC)
