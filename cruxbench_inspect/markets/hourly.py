"""From price points and trades to hourly prices and hourly volumes of one market.

Pure. Hours are whole UTC hours; prices are Yes prices in [0, 1]; volumes are traded USDC per hour.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import polars as pl

from cruxbench_inspect.markets.market import PricePoint, Trade
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA
from cruxbench_inspect.prices import HourlySeries, PriceRules, hourly_prices, pivot_hour
from cruxbench_inspect.utc import HOUR, floor_hour

VolumeBasis = Literal["one_sided", "two_sided"]
"""How trades are counted: ``one_sided`` once a match, ``two_sided`` once for the taker and once for the makers."""

PROVISIONAL = timedelta(hours=2)
"""How long an exchange may take to list a trade."""

HOUR_SECONDS = 3600


@dataclass(frozen=True, eq=False)
class HourlyPrices:
    """Hourly prices of a market, and how good they are.

    Attributes:
        series: The prices, gapless, from the first hour that has or follows a point.
        gaps: Stretches of hours without a point of their own, which carry the price before them.
        filled_hours: All hours of those stretches.
        longest_gap_hours: Hours of the longest one, 0 without any.
        granularity_seconds: The widest bucket of a point that was used; 0 where all are exact.
        sources: Hours with a point of their own, by the point's source.
    """

    series: HourlySeries
    gaps: int
    filled_hours: int
    longest_gap_hours: int
    granularity_seconds: int
    sources: Mapping[str, int]


@dataclass(frozen=True)
class TradePoints:
    """Price points made from trades.

    Attributes:
        points: At most one an hour, in order of time.
        unlabelled: Trades that were left out because the exchange does not say of which token they are.
    """

    points: tuple[PricePoint, ...]
    unlabelled: int


def hourly_from_points(
    points: Sequence[PricePoint], first: datetime, last: datetime, closed_at: datetime | None = None
) -> HourlyPrices | None:
    """Put price points on the hourly grid.

    A point belongs to the hour that it lies in; the last of an hour wins, and of equal moments the later one in the
    sequence. A price is carried forward until the next point, never back, and nothing is interpolated. A point that
    stands for more than an hour is known only when its bucket is over, so it belongs to the bucket's last hour.

    Args:
        points: In any order.
        first: The first hour wanted. A point before it counts: its price is carried into it.
        last: The last hour wanted; prices are carried forward to it.
        closed_at: When the market closed. Points from then on are payouts, not prices, and no hour that begins then
            or later has a price.

    Returns:
        The prices from ``first``, or from the first point where that is later; None where there is no price.
    """
    first, last = floor_hour(first), floor_hour(last)
    if closed_at is not None:
        points = [point for point in points if point.moment < closed_at]
        last = min(last, pivot_hour(closed_at))
    by_hour = {floor_hour(_known(point)): point for point in sorted(points, key=_known)}
    by_hour = {hour: point for hour, point in by_hour.items() if hour <= last}
    if not by_hour or last < first:
        return None
    series = hourly_prices(list(by_hour), [point.price for point in by_hour.values()], last).between(first, last)
    own = {hour: point for hour, point in by_hour.items() if hour >= series.start}
    carried_in = [by_hour[max(by_hour.keys() - own.keys())]] if series.start not in own else []
    gaps = _gaps(series, own.keys())
    return HourlyPrices(
        series=series,
        gaps=len(gaps),
        filled_hours=sum(gaps),
        longest_gap_hours=max(gaps, default=0),
        granularity_seconds=max(point.resolution_seconds for point in [*own.values(), *carried_in]),
        sources=dict(sorted(Counter(point.source for point in own.values()).items())),
    )


def points_from_trades(trades: Iterable[Trade]) -> TradePoints:
    """The Yes price of the last trade of each hour; a trade of the No token counts as 1 - price.

    Of several trades in the last moment the largest counts, so that their order does not matter.
    """
    best: dict[datetime, tuple[datetime, float, float]] = {}
    unlabelled = 0
    for trade in trades:
        if trade.token is None:
            unlabelled += 1
            continue
        # Rounded, because 1 - 0.9 is 0.09999999999999998.
        price = trade.price if trade.token == "Yes" else round(1.0 - trade.price, 9)  # noqa: S105
        hour = floor_hour(trade.moment)
        found = (trade.moment, trade.shares, price)
        best[hour] = max(best.get(hour, found), found)
    points = tuple(
        PricePoint(moment=moment, price=price, source="trades") for _, (moment, _, price) in sorted(best.items())
    )
    return TradePoints(points, unlabelled)


def joined(points: Sequence[PricePoint], trade_points: Sequence[PricePoint]) -> list[PricePoint]:
    """Fill what an exchange no longer keeps of its prices with prices of trades.

    Args:
        points: What the exchange gave.
        trade_points: Points made from trades.

    Returns:
        The points, where a point that stands for more than an hour gives way to trades in the last hour of its bucket,
        which it is of; and the trade points of older hours that have no finer point; in order of time.
    """
    fine_hours = {floor_hour(point.moment) for point in points if point.resolution_seconds <= HOUR_SECONDS}
    used = [point for point in trade_points if floor_hour(point.moment) not in fine_hours]
    traded_hours = {floor_hour(point.moment) for point in used}
    kept = [
        point
        for point in points
        if point.resolution_seconds <= HOUR_SECONDS or floor_hour(_known(point)) not in traded_hours
    ]
    return sorted([*kept, *used], key=lambda point: point.moment)


def hourly_volume_usdc(trades: Iterable[Trade]) -> dict[datetime, float]:
    """Traded USDC by whole hour, both tokens together; hours without a trade are left out.

    The sums are exact until they are rounded once, so the order of the trades does not matter. What they count
    (one or two sides of a match) is what the trades count.
    """
    amounts: defaultdict[datetime, list[float]] = defaultdict(list)
    for trade in trades:
        amounts[floor_hour(trade.moment)].append(trade.price * trade.shares)
    return {hour: math.fsum(amounts[hour]) for hour in sorted(amounts)}


def volume_threshold_usdc(basis: VolumeBasis) -> float:
    """The paper's threshold of 1,000 USDC (two-sided), on another basis.

    Half of it on the one-sided basis is an approximation: each match has two sides, but they are not always
    recorded as the same amount.
    """
    two_sided = PriceRules().volume_threshold_usdc
    return two_sided if basis == "two_sided" else two_sided / 2


def first_provisional_hour(now: datetime) -> datetime:
    """The first hour whose trades may not all be listed yet; it and all later ones are to be asked for again."""
    return floor_hour(now - PROVISIONAL)


def price_rows(
    question_id: str,
    prices: HourlyPrices | None,
    volume_usdc: Mapping[datetime, float],
    first: datetime,
    last: datetime,
) -> pl.DataFrame:
    """Rows of ``prices.parquet`` for one question.

    Args:
        question_id: The question.
        prices: Its prices.
        volume_usdc: Traded USDC by hour, complete from ``first`` to ``last``: an hour that is not in it has 0.
        first: The first hour to write.
        last: The last hour to write.

    Returns:
        A row for each hour. Hours outside the prices have a volume alone.
    """
    first, last = floor_hour(first), floor_hour(last)
    hours = [first + number * HOUR for number in range((last - first) // HOUR + 1)]
    known: dict[datetime, float] = {}
    if prices is not None:
        known = {prices.series.start + n * HOUR: price for n, price in enumerate(prices.series.values.tolist())}
    columns = {
        "question_id": [question_id] * len(hours),
        "hour": hours,
        "price": [known.get(hour) for hour in hours],
        "volume_usdc": [volume_usdc.get(hour, 0.0) for hour in hours],
    }
    return pl.DataFrame(columns, schema=PRICE_SCHEMA)


def _known(point: PricePoint) -> datetime:
    """The moment that decides about a point's hour: its own, or the start of the last hour of a wide bucket."""
    return point.moment + max(timedelta(seconds=point.resolution_seconds) - HOUR, timedelta(0))


def _gaps(series: HourlySeries, own: Iterable[datetime]) -> list[int]:
    """Lengths of the stretches of hours that have no point of their own."""
    edges = [-1, *sorted(series.index(hour) for hour in own), len(series.values)]
    return [after - before - 1 for before, after in zip(edges, edges[1:], strict=False) if after - before > 1]
