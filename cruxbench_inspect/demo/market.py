"""How a market trades: volume by the hour, and from it the hours in which prices can move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.demo.beliefs import Market
from cruxbench_inspect.demo.draws import Draws
from cruxbench_inspect.prices import window_hours
from cruxbench_inspect.utc import HOUR, floor_hour

BEFORE = timedelta(hours=96)
"""Prices begin so long before the window, or when the market opened."""


@dataclass(frozen=True)
class Liquidity:
    """How much is traded.

    Attributes:
        level: Median volume of an hour with trades, in USDC.
        idle: Share of hours without a trade.
        quiet_spells: How many stretches of about two days see almost no trade.
    """

    level: float
    idle: float
    quiet_spells: int


THIN = Liquidity(level=5, idle=0.5, quiet_spells=2)
NORMAL = Liquidity(level=70, idle=0.18, quiet_spells=1)
BUSY = Liquidity(level=320, idle=0.03, quiet_spells=0)


def hours_of(opened: datetime, start: datetime, end: datetime, draws: Draws) -> list[datetime]:
    """The hours for which a market that stays open has prices: to a little more than 96 hours after the window's last.

    By then trusted prices of the window are final.
    """
    first = floor_hour(max(opened, start - BEFORE))
    last = window_hours(start, end)[1] + BEFORE + draws.integer(3, 11) * HOUR
    return [first + index * HOUR for index in range(int((last - first) / HOUR) + 1)]


def volumes(
    liquidity: Liquidity, hours: Sequence[datetime], zone: str, events: Iterable[int], draws: Draws
) -> NDArray[np.int64]:
    """Volume of every hour in whole USDC: log-normal, little at night, much around events.

    Args:
        liquidity: How much is traded.
        hours: The hours, in UTC.
        zone: IANA zone of the traders' nights.
        events: Indexes of the hours with news.
        draws: The random choices.
    """
    local = ZoneInfo(zone)
    excitement = np.zeros(len(hours))
    for event in events:
        for index in range(max(0, event - 2), min(len(hours), event + 16)):
            excitement[index] += 6.0 * exp(-abs(index - event) / 5)
    quiet = np.zeros(len(hours), dtype=bool)
    for _ in range(liquidity.quiet_spells):
        begin = draws.integer(0, len(hours) - 60)
        quiet[begin : begin + draws.integer(36, 58)] = True
    volume = np.zeros(len(hours), dtype=np.int64)
    for index, hour in enumerate(hours):
        night = hour.astimezone(local).hour < 7
        level = liquidity.level * (0.2 if night else 1.0) * (1 + excitement[index])
        idle = min(0.95, liquidity.idle * (1.7 if night else 1.0))
        if quiet[index] and excitement[index] < 1:
            level, idle = min(level, 3.0), 0.8
        trades = not draws.chance(idle) or excitement[index] >= 6
        size = level * exp(1.1 * draws.bell())
        volume[index] = max(1, round(size)) if trades else 0
    return volume


def open_market(prior: float, volume: NDArray[np.int64], draws: Draws) -> Market:
    """A market whose price moves only in hours with trades.

    Args:
        prior: The first price.
        volume: Volume of every hour in USDC.
        draws: The random choices.
    """
    tick, floor = draws.pick(((0.001, 2), (0.005, 1)))
    deviation = draws.between(0.0015, 0.005)
    return Market(prior=prior, tick=tick, floor=floor, noise=np.where(volume > 0, deviation, 0.0))


def recorded(ticks: NDArray[np.int64], volume: NDArray[np.int64], draws: Draws) -> NDArray[np.bool_]:
    """Which hours have a row. Some hours without a trade or a change have none and are to be filled forward."""
    unchanged = np.append(False, (np.diff(ticks) == 0) & (volume[1:] == 0))
    unchanged[-1] = False
    return np.array([not (still and draws.chance(0.35)) for still in unchanged.tolist()], dtype=bool)
