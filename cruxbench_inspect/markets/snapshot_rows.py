"""Records of a snapshot as rows of the funnel."""

from collections.abc import Mapping
from typing import Any

from cruxbench_inspect.markets.funnel_frame import OtherMarket, Row
from cruxbench_inspect.markets.market import Settled
from cruxbench_inspect.markets.polymarket.fields import flag_of, list_of, moment_of, number_of, object_of, text_of
from cruxbench_inspect.markets.polymarket.records import PAID_AT_LEAST
from cruxbench_inspect.markets.snapshot import SnapshotLine


def row_of(line: SnapshotLine) -> Row | None:
    """The row of a record.

    Returns:
        The market with its prices; a market with other outcomes than Yes and No, which the first stages count; or None
        for a record that cannot be used at all, as ``line.skipped`` says.
    """
    if line.market is not None:
        return line.market, line.days, line.prices
    if line.skipped is not None and line.skipped.reason in ("no_outcomes", "not_yes_no"):
        return _other_market(line.raw)
    return None


def _other_market(raw: Mapping[str, Any]) -> OtherMarket | None:
    id, question = text_of(raw.get("id")), text_of(raw.get("question"))
    if id is None or question is None:
        return None
    status = text_of(raw.get("umaResolutionStatus"))
    return OtherMarket(id, question, _settled(raw, status), status, moment_of(_last_moment(raw)))


def _settled(raw: Mapping[str, Any], status: str | None) -> Settled:
    if not flag_of(raw.get("closed")):
        return "open"
    prices = [number_of(price) for price in list_of(raw.get("outcomePrices")) or []]
    if not any(price is not None and price >= PAID_AT_LEAST for price in prices):
        return "no_label"
    return "confirmed" if status == "resolved" else "unconfirmed"


def _last_moment(raw: Mapping[str, Any]) -> str | None:
    """The last moment of the first outcome's prices: moments in one form and zone are in order as texts."""
    first = next(iter(object_of(raw.get("price_history")).values()), None)
    return max(object_of(first), default=None)
