"""Where in a market's life an evaluation window lies: periods of 30 days, the active ones, and the choice of one."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.utc import format_utc

DAY = timedelta(days=1)
PERIOD = timedelta(days=30)
"""The length of a period, and the longest window."""

LAST_MOVE = timedelta(days=3)
"""How long before the last price, or before the scheduled close, a window ends at the latest."""

SHORTEST_WINDOW = timedelta(days=7)
CERTAIN = 0.1
"""A price this near to 0 or to 1 counts as certain."""


@dataclass(frozen=True)
class Period:
    """A stretch of a market's life.

    Attributes:
        index: Its number, from 0 at the first price.
        start: Its first moment.
        end: Its last moment.
    """

    index: int
    start: datetime
    end: datetime


def periods(first: datetime, last: datetime, earliest: datetime, length: timedelta = PERIOD) -> tuple[Period, ...]:
    """Lay periods over a market's life.

    There are as many as the whole days from the start to ``last`` need, and at least one; a rest of less than a day
    gets none of its own.

    Args:
        first: The first price.
        last: The last price; the last period may reach beyond it.
        earliest: Periods start here if the first price is older.
        length: The length of each.
    """
    start = max(first, earliest)
    count = max(1, math.ceil(((last - start) // DAY) / (length / DAY)))
    return tuple(Period(index, start + index * length, start + (index + 1) * length) for index in range(count))


def is_active(
    period: Period, seconds: NDArray[np.int64], prices: NDArray[np.float64], certain: float = CERTAIN
) -> bool:
    """Whether the market was undecided at some time of a period.

    A day's price is the last one of that UTC day, or of the latest day before it that has one. The days whose midnight
    lies in the period, up to the last price, count: a period is active unless all of them are at most ``certain``
    or all of them at least ``1 - certain``. A period without such a day is not active.

    Args:
        period: The uncut period, which starts at the first price or later.
        seconds: Moments of the prices in seconds since 1970, ascending.
        prices: The Yes prices.
        certain: The price that counts as decided.
    """
    if not len(seconds):
        return False
    last = min(math.floor(period.end.timestamp()), int(seconds[-1]))
    day = int(DAY.total_seconds())
    midnights = np.arange(math.ceil(period.start.timestamp() / day), last // day + 1, dtype=np.int64) * day
    latest = np.searchsorted(seconds, midnights + day, side="left") - 1
    daily = prices[latest[latest >= 0]]
    return bool(len(daily)) and not bool(np.all(daily <= certain) or np.all(daily >= 1 - certain))


def windows(
    active: Sequence[Period],
    last: datetime,
    closes: datetime | None,
    shortest: timedelta = SHORTEST_WINDOW,
    margin: timedelta = LAST_MOVE,
) -> tuple[Period, ...]:
    """Make evaluation windows of active periods.

    A period is used if enough of it, in whole days, lies before the last price. How long the window is then depends on
    the scheduled close alone: a window that ended with the prices would tell that the market was settled early.

    Args:
        active: The active periods, uncut.
        last: The last price.
        closes: The scheduled close, which the generator is shown. None ends windows by the last price, as the paper
            does: hindsight.
        shortest: The shortest window, in whole days.
        margin: The time between a window's end and the last price or the close.

    Returns:
        The windows, with the numbers of their periods.
    """
    found = []
    for period in active:
        seen = min(period.end, last - margin)
        end = seen if closes is None else latest_crux_end(period.start, closes, period.end - period.start, margin)
        if min(seen, end) - period.start >= shortest:
            found.append(Period(period.index, period.start, end))
    return tuple(found)


def latest_crux_end(
    start: datetime, closes: datetime, length: timedelta = PERIOD, margin: timedelta = LAST_MOVE
) -> datetime:
    """The latest end that a crux may have, which is the end of its window.

    Args:
        start: The window's start.
        closes: The scheduled close, never the actual one.
        length: The longest window.
        margin: How long before the close it ends at the latest.
    """
    return min(start + length, closes - margin)


def choose_window(choices: Sequence[Period], seed: int, market_id: str) -> Period:
    """Draw one window of a market.

    Every window has a rank of its own by seed, market and number, so that neither other markets nor a window that is
    added later reorder the rest.

    Raises:
        ValueError: If there is none to choose from.
    """
    return min(choices, key=lambda choice: rank(seed, market_id, choice.index))


def rank(seed: int, *key: str | int) -> str:
    """A random rank that depends on the seed and the key alone: the lowest of several is a fair draw."""
    return hashlib.sha256("|".join(map(str, (seed, *key))).encode("utf-8")).hexdigest()


def live_window(
    start: datetime,
    closes: datetime,
    length: timedelta = PERIOD,
    shortest: timedelta = SHORTEST_WINDOW,
    margin: timedelta = LAST_MOVE,
) -> Period | None:
    """The window of a market that is still open.

    Args:
        start: A midnight in UTC, at which all windows of a round start.
        closes: The scheduled close.
        length: The longest window.
        shortest: The shortest one.
        margin: How long before the close it ends at the latest.

    Returns:
        The window, or None if the market is scheduled to close too soon.

    Raises:
        ValueError: If the start is no midnight.
    """
    if start.astimezone(UTC).timetz() != time(tzinfo=UTC):
        raise ValueError(f"a live window starts at 00:00Z, not at {format_utc(start)}")
    end = latest_crux_end(start, closes, length, margin)
    return Period(0, start, end) if end - start >= shortest else None
