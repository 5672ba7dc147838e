"""All markets that a question set could be made of, with their daily prices: from a snapshot file or the exchange."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.funnel import run_funnel
from cruxbench_inspect.markets.funnel_frame import Row, funnel_frame
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stages import record_stages
from cruxbench_inspect.markets.market import Market, PricePoint
from cruxbench_inspect.markets.polymarket.fields import text_of
from cruxbench_inspect.markets.polymarket.listing import PAGE, Filters, list_markets
from cruxbench_inspect.markets.polymarket.price_history import daily_prices
from cruxbench_inspect.markets.polymarket.records import Skipped, read_market
from cruxbench_inspect.markets.polymarket.resolutions import confirm, resolutions
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.snapshot import read_snapshot
from cruxbench_inspect.markets.snapshot_rows import row_of
from cruxbench_inspect.side_by_side import Advanced, Progress, side_by_side

AT_ONCE = 8
"""Markets that are asked about at the same time."""

_SHOWN_PROBLEMS = 20


@dataclass
class Found:
    """What was listed.

    Attributes:
        rows: A row of the funnel for each record that can be used, in the order of the listing.
        skipped: The other records by reason.
        problems: One line each for what went wrong, at most twenty of a kind.
        failed: Markets that the exchange did not answer about, with the cause.
        reasons: Why records cannot be used, by their ids where they have one.
        unasked: Markets whose record alone decides that they drop out, so that their prices were not asked for.
    """

    rows: list[Row] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    unasked: int = 0

    def skip(self, skipped: Skipped, raw: Mapping[str, Any]) -> None:
        """Count a record that cannot be used."""
        self.skipped[skipped.reason] += 1
        id = text_of(raw.get("id"))
        if id is not None:
            self.reasons.setdefault(id, f"its record cannot be used ({skipped.reason}): {skipped.detail}")
        if self.skipped[skipped.reason] <= _SHOWN_PROBLEMS:
            self.problems.append(f"{skipped.reason}: {skipped.detail}")


async def from_snapshot(path: Path, exchange: Polymarket, advanced: Advanced) -> Found:
    """The markets of a snapshot file; where a record does not prove its outcome, the oracle is asked.

    Raises:
        InputError: If the file cannot be read, or holds no record.
    """
    found = Found()
    for row in _rows(path, found):
        found.rows.append(row)
        if not len(found.rows) % 1000:
            advanced(len(found.rows), len(found.rows) + 1000)
    advanced(len(found.rows), len(found.rows))
    await _second_opinions(found, exchange)
    return found


def _rows(path: Path, found: Found) -> Iterator[Row]:
    for line in read_snapshot(path):
        row = row_of(line)
        if line.skipped is not None:
            found.skip(line.skipped, line.raw)
        if line.unread:
            found.problems.append(f"market {line.raw.get('id')}: {line.unread} of its prices are none")
        if row is not None:
            yield row


async def from_exchange(
    exchange: Polymarket,
    filters: Filters,
    rules: FunnelRules,
    progress: Progress,
    before: datetime | None = None,
    since: datetime | None = None,
) -> Found:
    """The markets that the exchange lists, with daily prices for those that their record does not rule out.

    Args:
        exchange: Asks the exchange.
        filters: What is listed.
        rules: What rules a market out by its record.
        progress: Shows how far it is.
        before: For a live round: what was asked before this moment does not count, and its stages are those of a round.
        since: Kept answers about prices from before this moment don't count.

    Raises:
        SourceFailure: If the listing does not answer, or nothing does for want of a key or of quota.
    """
    found = Found()
    markets: list[Market] = []
    listed = progress.step("listed markets")
    async for raw in list_markets(exchange.gamma, filters, found.problems):
        read = read_market(raw)
        if isinstance(read, Skipped):
            found.skip(read, raw)
        else:
            markets.append(read)
        listed(len(markets), len(markets) + PAGE)
    listed(len(markets), len(markets))
    nothing = np.empty(0, np.int64), np.empty(0, np.float64)
    found.rows = [(market, *nothing) for market in markets]
    await _second_opinions(found, exchange)
    markets = [row[0] for row in found.rows if isinstance(row, tuple)]
    frame = funnel_frame(found.rows)
    if frame.is_empty():
        return found
    left = set(run_funnel(frame, record_stages(rules, live=before is not None)).kept["id"])
    histories: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}

    async def ask(market: Market) -> None:
        if market.yes_token is None:
            return
        try:
            points = await daily_prices(exchange.data, exchange.clob, market.yes_token, since, found.problems)
        except SourceFailure as failure:
            if failure.kind in ("auth", "quota"):
                raise
            found.failed[market.id] = str(failure)
        else:
            histories[market.id] = first_of_each_day(points)

    wanted = [market for market in markets if market.id in left]
    await side_by_side(wanted, ask, AT_ONCE, progress.step("daily prices"))
    found.unasked = len(markets) - len(wanted)
    found.rows = [(market, *histories.get(market.id, _closing(market))) for market in markets]
    return found


def first_of_each_day(points: Sequence[PricePoint]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The first price of each day (UTC), which is the one nearest to midnight: seconds since 1970, and prices."""
    days: dict[int, PricePoint] = {}
    for point in sorted(points, key=lambda point: point.moment):
        days.setdefault(int(point.moment.timestamp()) // 86_400, point)
    kept = [days[day] for day in sorted(days)]
    seconds = np.array([int(point.moment.timestamp()) for point in kept], np.int64)
    return seconds, np.array([point.price for point in kept], np.float64)


def _closing(market: Market) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """What stands for the prices of a market that were not asked for: its close, for the stage that dates it."""
    if market.closed_at is None or market.outcome is None:
        return np.empty(0, np.int64), np.empty(0, np.float64)
    price = 1.0 if market.outcome == "Yes" else 0.0
    return np.array([int(market.closed_at.timestamp())], np.int64), np.array([price])


async def _second_opinions(found: Found, exchange: Polymarket) -> None:
    """Ask the oracle about the markets whose record does not prove their outcome."""
    asked = [market.condition_id for market in _markets(found.rows) if market.settled == "unconfirmed"]
    conditions = [condition for condition in asked if condition is not None]
    if not conditions:
        return
    failed: dict[str, str] = {}
    told = await resolutions(exchange.data, conditions, problems=found.problems, failed=failed)
    for market in _markets(found.rows):
        if market.condition_id in failed:
            found.failed[market.id] = f"no second opinion on its outcome: {failed[market.condition_id]}"
    found.rows = [
        (confirm(row[0], told.get(row[0].condition_id or "")), *row[1:]) if isinstance(row, tuple) else row
        for row in found.rows
    ]


def _markets(rows: Iterable[Row]) -> Iterator[Market]:
    return (row[0] for row in rows if isinstance(row, tuple))
