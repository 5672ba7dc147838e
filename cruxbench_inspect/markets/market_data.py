"""Prices and volumes of one market around its window, from the exchange."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import polars as pl

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import NEVER
from cruxbench_inspect.markets.hourly import (
    PROVISIONAL,
    HourlyPrices,
    first_provisional_hour,
    hourly_from_points,
    hourly_volume_usdc,
    joined,
    points_from_trades,
    price_rows,
)
from cruxbench_inspect.markets.market import Market, PricePoint
from cruxbench_inspect.markets.polymarket.price_history import ask_prices
from cruxbench_inspect.markets.polymarket.recorded_prices import RecordedPrices, ask_for_news, recorded_prices
from cruxbench_inspect.markets.polymarket.recorded_trades import RecordedTrades, recorded_trades
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.polymarket.trades import ask_trades
from cruxbench_inspect.markets.told_stretches import told_run, within
from cruxbench_inspect.prices import pivot_hour, window_hours
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.settlement import EDGE
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
        through: Until when trades are known, and so until when there may be a price; None where none were recorded.
        problems: Rows that could not be read.
    """

    prices: HourlyPrices | None
    volume_usdc: Mapping[datetime, float]
    unlabelled: int
    through: datetime | None
    problems: tuple[str, ...]

    def rows(self, question_id: str, first: datetime, last: datetime) -> pl.DataFrame:
        """Rows of ``prices.parquet``."""
        return price_rows(question_id, self.prices, self.volume_usdc, first, last)

    def reaches(self, closed_at: datetime, last: datetime) -> bool:
        """Whether prices are known up to a market's closure, or up to the last hour that is wanted of it."""
        return self.prices is not None and self.prices.series.last_hour >= min(pivot_hour(closed_at), last)


def stretch(start: datetime, end: datetime, now: datetime) -> tuple[datetime, datetime]:
    """First and last hour of what is wanted of a window's prices, as far as it is over and all trades are listed."""
    first, last = window_hours(start, end)
    return first - MARGIN, min(last + MARGIN, first_provisional_hour(now) - HOUR)


def volume_between(volume_usdc: Mapping[datetime, float], first: datetime, last: datetime) -> float:
    """Traded USDC from one whole hour to another, both included."""
    return sum(amount for hour, amount in volume_usdc.items() if first <= hour <= last)


async def ask(
    exchange: Polymarket,
    market: Market,
    window: tuple[datetime, datetime],
    now: datetime,
    trades_from: datetime | None = None,
    *,
    for_news: bool = False,
) -> None:
    """Ask for prices and trades around a window, so that the answers are kept; ``recorded`` reads them.

    Args:
        exchange: Asks the exchange.
        market: The market.
        window: The window's start and end.
        now: What is later has not been yet.
        trades_from: Trades are wanted from here on, if this is before the stretch around the window.
        for_news: Whether what is kept is only asked again where news may come; else what is kept is not asked again.

    Raises:
        SourceFailure: If the exchange does not answer. Trades have been asked for even if prices were not answered.
    """
    services = (exchange.data, exchange.clob)
    first, last = stretch(*window, now)
    failures = []
    if market.yes_token is not None and last >= first:
        try:
            if for_news:
                await ask_for_news(*services, market.yes_token, first, last + HOUR, market.closed_at)
            else:
                await ask_prices(*services, market.yes_token, first, last + HOUR)
        except SourceFailure as failure:
            failures.append(failure)
    if market.condition_id is not None:
        since = min(first, trades_from or first)
        await ask_trades(exchange.data, market.condition_id, since, now if for_news else None)
    if failures:
        raise failures[0]


async def recorded(
    exchange: Polymarket,
    market: Market,
    window: tuple[datetime, datetime],
    now: datetime,
    trades_from: datetime | None = None,
    until: datetime | None = None,
) -> MarketData:
    """Prices and volumes around a window by all answers that are kept; nobody is asked.

    No price is carried beyond what the exchange told of, and none is given for an hour whose trades are not known.

    Args:
        exchange: Asked the exchange.
        market: The market.
        window: The window's start and end.
        now: What is later has not been yet.
        trades_from: Trades are wanted from here on, if this is before the stretch around the window.
        until: Answers asked after this moment don't count.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    problems: list[str] = []
    first, last = stretch(*window, now)
    trades = RecordedTrades((), now)
    if market.condition_id is None:
        problems.append(f"market {market.id} names no condition, so its trades cannot be asked for")
    else:
        since = min(first, trades_from or first)
        has_traded = bool(market.volume_usdc)
        trades = await recorded_trades(
            exchange.data, market.condition_id, since, until, problems, has_traded=has_traded
        )
    if trades.through is None:
        return MarketData(None, {}, 0, None, tuple(dict.fromkeys(problems)))
    volume = hourly_volume_usdc(trade for trade in trades.trades if floor_hour(trade.moment) <= last)
    through = min(now, trades.through)
    last = stretch(*window, through)[1]
    prices = RecordedPrices((), (), (), None)
    if market.yes_token is not None and last >= first:
        services, end = (exchange.data, exchange.clob), last + HOUR
        prices = await recorded_prices(*services, market.yes_token, first, end, market.closed_at, until, problems)
    known = [trade for trade in trades.trades if floor_hour(trade.moment) <= last]
    from_trades = points_from_trades(known)
    hourly = _hourly(prices, from_trades.points, first, last, window[0], through, market.closed_at)
    return MarketData(hourly, volume, from_trades.unlabelled, through, tuple(dict.fromkeys(problems)))


async def collect(
    exchange: Polymarket,
    market: Market,
    window: tuple[datetime, datetime],
    now: datetime,
    trades_from: datetime | None = None,
) -> MarketData:
    """Ask for what is not kept yet of prices and trades around a window, and read it.

    Raises:
        SourceFailure: If the exchange does not answer, or tells of no trades of a market that was traded.
    """
    await ask(exchange, market, window, now, trades_from)
    data = await recorded(exchange, market, window, now, trades_from)
    if data.through is None and market.condition_id is not None:
        first = stretch(*window, now)[0]
        await ask_trades(exchange.data, market.condition_id, min(first, trades_from or first), NEVER)
        data = await recorded(exchange, market, window, now, trades_from)
    if data.through is None:
        service = exchange.data.client.service
        raise SourceFailure(service, "bad_answer", f"no trades are told of market {market.id}, which was traded")
    return data


def _hourly(
    prices: RecordedPrices,
    trade_points: Sequence[PricePoint],
    first: datetime,
    last: datetime,
    start: datetime,
    through: datetime,
    closed_at: datetime | None,
) -> HourlyPrices | None:
    # What was asked later could be told finely from a later moment on.
    oldest_kept = max(through, prices.asked or through) - FINE_PRICES_KEPT
    # Trades jump between bid and ask, so they are taken only where there is nothing finer.
    coarse = set(prices.told) - set(prices.fine)
    from_trades = [
        point
        for point in trade_points
        if (point.moment < oldest_kept or within(point.moment, coarse)) and not within(point.moment, prices.fine)
    ]
    told = [*prices.told]
    if from_trades and from_trades[0].moment < oldest_kept:
        # All trades are listed, so between two of them there was none.
        told.append((from_trades[0].moment, min(through - PROVISIONAL, oldest_kept)))
    run = told_run(told, start + EDGE)
    if run is None:
        return None
    points = [point for point in joined(prices.points, from_trades) if point.moment >= run[0]]
    whole_life = closed_at is not None and run[1] >= closed_at
    return hourly_from_points(
        points, max(first, floor_hour(run[0])), last if whole_life else min(last, floor_hour(run[1]) - HOUR), closed_at
    )
