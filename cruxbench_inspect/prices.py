"""Hourly price series: the grid, the trusted (volume-adjusted) price, and means over whole hours.

Pure maths. Hours are whole UTC hours; prices are Yes prices in [0, 1]; volumes are traded USDC per hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.utc import HOUR, floor_hour

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PriceRules:
    """Parameters of the trusted price; the defaults are those of the paper's Table 1 and of its release.

    Attributes:
        volume_threshold_usdc: Traded USDC around an hour at which its raw price is taken in full.
        half_window_hours: Hours on each side of an hour whose volume counts for it.
        round_decimals: Decimals that raw prices are rounded to first; None leaves them as they are.
    """

    volume_threshold_usdc: float = 1000.0
    half_window_hours: int = 12
    round_decimals: int | None = 3


@dataclass(frozen=True, eq=False)
class HourlySeries:
    """A gapless hourly series.

    Attributes:
        start: The first whole hour, UTC.
        values: One value per hour, shape (n,).
    """

    start: datetime
    values: Floats

    @property
    def last_hour(self) -> datetime:
        """The hour of the last value."""
        return self.start + (len(self.values) - 1) * HOUR

    def index(self, hour: datetime) -> int:
        """Position of a whole hour, which may lie outside the series."""
        return hours_between(self.start, hour)

    def between(self, first: datetime, last: datetime) -> "HourlySeries":
        """The part from one whole hour to another, both included, cut to what there is."""
        begin = max(self.index(first), 0)
        end = min(self.index(last) + 1, len(self.values))
        return HourlySeries(self.start + begin * HOUR, self.values[begin : max(begin, end)])


def hours_between(first: datetime, last: datetime) -> int:
    """Whole hours from one whole hour to another (negative when the second is earlier)."""
    return (last - first) // HOUR


def hourly_prices(
    moments: Sequence[datetime] | Floats, prices: Sequence[float] | Floats, last: datetime | None = None
) -> HourlySeries:
    """Put price points on the hourly grid: floored to the hour, the last point of an hour wins, gaps filled forward.

    Args:
        moments: Times of the points, aware or in seconds since 1970, in any order; of equal times the later one in the
            sequence wins.
        prices: Yes prices in [0, 1], one per moment.
        last: Hour to fill forward to, where it is after the last point.

    Returns:
        The series from the hour of the first point on.

    Raises:
        ValueError: If there is no point.
    """
    if not len(moments):
        raise ValueError("a price series needs at least one point")
    seconds = _seconds(moments)
    in_order = np.argsort(seconds, kind="stable")
    hours = (seconds[in_order] // 3600).astype(np.int64)
    start, end = int(hours[0]), int(hours[-1])
    if last is not None:
        end = max(end, int(last.timestamp() // 3600))
    values = np.full(end - start + 1, np.nan)
    values[hours - start] = np.asarray(prices, dtype=np.float64)[in_order]
    known = np.where(np.isnan(values), 0, np.arange(len(values)))
    return HourlySeries(datetime.fromtimestamp(3600 * start, UTC), values[np.maximum.accumulate(known)])


def hourly_volume(
    moments: Sequence[datetime] | Floats, volumes: Sequence[float] | Floats, start: datetime, count: int
) -> Floats:
    """Sum traded USDC by the hour on a grid of ``count`` hours; what lies outside it is left out. Shape (count,).

    Moments are aware, or in seconds since 1970.
    """
    hours = _seconds(moments) // 3600 - start.timestamp() // 3600
    inside = (hours >= 0) & (hours < count)
    totals = np.bincount(hours[inside].astype(np.int64), np.asarray(volumes, dtype=np.float64)[inside], count)
    return np.asarray(totals, dtype=np.float64)


def round_prices(prices: Floats, decimals: int) -> Floats:
    """Round as ``round(10**d * p) / 10**d``, half to even, which differs from ``round(p, d)`` at ties such as .0005."""
    scale = 10.0**decimals
    return np.rint(scale * prices) / scale


def trusted_prices(raw: Floats, volume_usdc: Floats, rules: PriceRules | None = None) -> Floats:
    """The trusted price: raw prices smoothed where little is traded.

    ``V_t`` is the volume of hours t-12 .. t+12, clipped to the volumes given; ``alpha_t = min(1, V_t / 1000)``;
    ``trusted_0 = raw_0`` and ``trusted_t = alpha_t * raw_t + (1 - alpha_t) * trusted_(t-1)``.

    Args:
        raw: Raw hourly prices, shape (n,).
        volume_usdc: Traded USDC per hour from the same first hour on, shape (m,) with m >= n.
        rules: The parameters, by default those of the paper.

    Returns:
        Trusted prices, shape (n,).

    Raises:
        ValueError: If there are fewer volumes than prices.
    """
    rules = rules or PriceRules()
    if len(volume_usdc) < len(raw):
        raise ValueError(f"{len(raw)} prices need as many volumes, there are {len(volume_usdc)}")
    if rules.round_decimals is not None:
        raw = round_prices(raw, rules.round_decimals)
    count, half = len(raw), rules.half_window_hours
    # A window sum, not a difference of running totals: those leave residues of large volumes in quiet hours.
    padded = np.concatenate([np.zeros(half), volume_usdc, np.zeros(half)])
    around = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).sum(axis=1)[:count]
    alpha = np.minimum(1.0, around / rules.volume_threshold_usdc)
    trusted = np.empty(count)
    price = float(raw[0]) if count else 0.0
    for hour, (weight, value) in enumerate(zip(alpha.tolist(), raw.tolist(), strict=True)):
        price = weight * value + (1.0 - weight) * price if hour else value
        trusted[hour] = price
    return trusted


def trailing_means(values: Floats, widths: int, padding: int = 0) -> Floats:
    """Means over the last 1 .. ``widths`` hours up to each hour.

    Args:
        values: Hourly values, shape (n,).
        widths: The largest width W in hours.
        padding: Columns of NaN to add on the right.

    Returns:
        Shape (widths, n + padding): row w-1 holds means over w hours ending at each hour, NaN where fewer hours
        exist. Equal windows give equal means to the last bit, so that ties stay ties.
    """
    count = len(values)
    means = np.full((widths, count + padding), np.nan)
    means[0, :count] = values
    for lag in range(1, min(widths, count)):
        np.add(means[lag - 1, lag:count], values[: count - lag], out=means[lag, lag:count])
    means /= np.arange(1.0, widths + 1)[:, np.newaxis]
    return means


def pivot_hour(moment: datetime) -> datetime:
    """The latest whole hour strictly before a moment: 10:00 gives 09:00, 10:20 gives 10:00."""
    hour = floor_hour(moment)
    return hour - HOUR if hour == moment else hour


def window_hours(start: datetime, end: datetime) -> tuple[datetime, datetime]:
    """First and last hour of an evaluation window: its start floored, and its end floored plus 23 hours."""
    return floor_hour(start), floor_hour(end) + timedelta(hours=23)


def _seconds(moments: Sequence[datetime] | Floats) -> Floats:
    if isinstance(moments, np.ndarray):
        return moments.astype(np.float64)
    return np.array([moment.timestamp() for moment in moments], dtype=np.float64)
