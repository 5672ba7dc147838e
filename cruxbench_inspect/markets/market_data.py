"""Prices and volumes of one market around its window, from the exchange."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import polars as pl

from cruxbench_inspect.markets.hourly import (
    HourlyPrices,
    first_provisional_hour,
    hourly_from_points,
    hourly_volume_usdc,
    joined,
    points_from_trades,
    price_rows,
)
from cruxbench_inspect.markets.market import Market, Trade
from cruxbench_inspect.markets.polymarket.price_history import prices
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.polymarket.trades import trades
from cruxbench_inspect.prices import window_hours
from cruxbench_inspect.questions import MARGIN
from cruxbench_inspect.utc import HOUR, floor_hour

FINE_PRICES_KEPT = timedelta(days=88)
"""How far back the exchange keeps prices of an hour or finer, some days less than it promises."""


@dataclass(frozen=True, eq=False)
class MarketData:
    """What was collected of one market.

    Attributes:
        prices: Hourly prices from 96 hours before the window to 96 hours after it, as far as there are any.
        volume_usdc: Traded USDC by hour, each match counted once.
        unlabelled: Trades of which the exchange does not say which token they are.
        problems: Rows that could not be read.
    """

    prices: HourlyPrices | None
    volume_usdc: Mapping[datetime, float]
    unlabelled: int
    problems: tuple[str, ...]

    def rows(self, question_id: str, first: datetime, last: datetime) -> pl.DataFrame:
        """Rows of ``prices.parquet``."""
        return price_rows(question_id, self.prices, self.volume_usdc, first, last)


def stretch(start: datetime, end: datetime, now: datetime) -> tuple[datetime, datetime]:
    """First and last hour of what is wanted of a window's prices, as far as it is over and all trades are listed."""
    first, last = window_hours(start, end)
    return first - MARGIN, min(last + MARGIN, first_provisional_hour(now) - HOUR)


def volume_between(volume_usdc: Mapping[datetime, float], first: datetime, last: datetime) -> float:
    """Traded USDC from one whole hour to another, both included."""
    return sum(amount for hour, amount in volume_usdc.items() if first <= hour <= last)


async def window_trades(
    exchange: Polymarket, market: Market, first: datetime, asked_since: datetime | None, problems: list[str]
) -> list[Trade]:
    """The trades of a market from an hour on; none of a market without a condition.

    Raises:
        SourceFailure: If the exchange does not answer.
    """
    if market.condition_id is None:
        problems.append(f"market {market.id} names no condition, so its trades cannot be asked for")
        return []
    return await trades(exchange.data, market.condition_id, first, asked_since, problems)


async def collect(
    exchange: Polymarket,
    market: Market,
    window: tuple[datetime, datetime],
    now: datetime,
    asked_since: datetime | None = None,
    trades_from: datetime | None = None,
) -> MarketData:
    """Collect prices and volumes around a window.

    Args:
        exchange: Asks the exchange.
        market: The market.
        window: The window's start and end.
        now: What is later has not been yet.
        asked_since: Kept answers about trades from before this moment don't count.
        trades_from: Trades are wanted from here on, if this is before the stretch around the window.

    Raises:
        SourceFailure: If the exchange does not answer.
    """
    problems: list[str] = []
    first, last = stretch(*window, now)
    points = []
    # Trades come last: how far they reach is how far all that was recorded of a market does.
    if market.yes_token is not None and last >= first:
        points = await prices(exchange.data, exchange.clob, market.yes_token, first, last + HOUR, problems)
    all_trades = await window_trades(exchange, market, min(first, trades_from or first), asked_since, problems)
    known = [trade for trade in all_trades if floor_hour(trade.moment) <= last]
    from_trades = points_from_trades(known)
    together = joined(points, from_trades.points, now - FINE_PRICES_KEPT)
    hourly = hourly_from_points(together, first, last, market.closed_at)
    return MarketData(hourly, hourly_volume_usdc(known), from_trades.unlabelled, tuple(problems))
