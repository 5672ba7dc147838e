"""The price histories of a fictional exchange: what each of its two services still tells of a token."""

from collections.abc import Mapping
from typing import Any

from tests.loopback.polymarket_faults import Faults
from tests.loopback.polymarket_world import HALF_HOUR, MarketWorld, WorldMarket, noise

DAY = 86_400
LONGEST = 15 * DAY
_TIERS = ((60, 7 * DAY), (300, 60 * DAY), (1_800, 90 * DAY), (10_800, None), (43_200, None))
"""Widths of the buckets that are kept, and for how long."""
_INTERVALS = {"max": None, "all": None, "1m": 30 * DAY, "1w": 7 * DAY, "1d": DAY, "6h": 6 * 3600, "1h": 3600}


class LongestWindow(ValueError):
    """More is asked for than is given at once."""


def history(world: MarketWorld, market: WorldMarket, asked: Mapping[str, str], faults: Faults) -> list[dict[str, Any]]:
    """What the data service answers, before it is cut into pages.

    Raises:
        ValueError: If the request is refused.
    """
    if sum(name in asked for name in ("start", "interval", "as_of")) != 1 or "as_of" in asked:
        raise ValueError("exactly one of start, interval and as_of is wanted")
    bucket = int(asked["bucket_seconds"]) if "bucket_seconds" in asked else None
    if bucket is not None and not 60 <= bucket <= DAY:
        raise ValueError("bucket_seconds is out of range")
    if "interval" in asked:
        length = _INTERVALS[asked["interval"]]
        start, end = (1 if length is None else world.second - length), world.second + 1
        if bucket is None:
            bucket = 43_200 if length is None else 10_800
        elif bucket < 10_800:
            start = max(start, world.second - 30 * DAY)
    else:
        start, end = int(asked["start"]), int(asked.get("end", world.second + 1))
        if not start or not end or end - start > LONGEST:
            raise ValueError("a window of at most 15 days is wanted")
    if market.oddity == "no_data_v2":
        return []
    width = bucket if bucket is not None else _finest(world, start)
    floor = world.second - (_kept(width) or world.second)
    rows = _buckets(world, market, max(start, floor), end, width, asked["token_id"] == market.no_token)
    if rows and world.is_resolved(market) and (faults.early_settlement_points or end > market.closed_at.timestamp()):
        payout = {"Yes": 1.0, "No": 0.0, "split": 0.5}[market.ending]
        payout = 1 - payout if asked["token_id"] == market.no_token else payout
        moment = min(rows[-1]["timestamp"] + width, end)
        rows.append({"timestamp": moment, "price": payout, "resolution_seconds": 0})
    elif rows and faults.border_points:
        # The window's end is said to be exclusive; this one gives the next bucket too, with a price of its own.
        rows.append({"timestamp": end, "price": 0.123, "resolution_seconds": width})
    return rows


def book_history(world: MarketWorld, market: WorldMarket, asked: Mapping[str, str]) -> list[dict[str, Any]]:
    """What the book's service answers.

    Raises:
        LongestWindow: If the window is too long.
    """
    minutes = int(asked.get("fidelity", 1))
    if "interval" in asked:
        if world.is_closed(market) and minutes < 720:
            return []
        start, end = int(market.opened.timestamp()), world.second
    else:
        start, end = int(asked["startTs"]), int(asked["endTs"])
        if end - start > LONGEST:
            raise LongestWindow("invalid filters: interval is too long")
    rows = _buckets(world, market, start, end, max(60 * minutes, HALF_HOUR), asked["market"] == market.no_token)
    # What it gives are moments some seconds after the beginning of a bucket.
    return [
        {"t": row["timestamp"] + 6 + int(22 * noise(market.salt + 5, row["timestamp"])), "p": row["price"]}
        for row in rows
    ]


def _buckets(
    world: MarketWorld, market: WorldMarket, start: int, end: int, width: int, no_token: bool
) -> list[dict[str, Any]]:
    rows = []
    first, last = int(market.opened.timestamp()), int(market.closed_at.timestamp())
    begin = max(start, first // width * width)
    for bucket in range(-(-begin // width) * width, min(end, last, world.second + 1), width):
        # The last half hour of the bucket that has a price and has begun.
        slots = range(bucket, max(bucket + 1, min(bucket + width, last, world.second + 1)), HALF_HOUR)
        moment = next((slot for slot in reversed(slots) if market.has_price(slot)), None)
        if moment is not None:
            price = market.yes_price(moment)
            rows.append({"timestamp": bucket, "price": round(1 - price, 4) if no_token else price,
                         "resolution_seconds": width})  # fmt: skip
    return rows


def _finest(world: MarketWorld, start: int) -> int:
    return next(width for width, kept in _TIERS if width >= 1_800 and (kept is None or start >= world.second - kept))


def _kept(width: int) -> int | None:
    """For how long the buckets from which this width is made are kept."""
    return next(kept for tier, kept in reversed(_TIERS) if tier <= width)
