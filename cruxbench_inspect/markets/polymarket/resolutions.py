"""What the oracle says about markets: the second opinion on an outcome that a record alone does not prove."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.markets.asking import Asker
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.polymarket.fields import flag_of, list_of, moment_of, number_of, text_of
from cruxbench_inspect.utc import UtcDatetime

PATH = "/v2/resolutions"
BATCH = 20
"""Conditions of one request."""
UNSET = 69
"""What stands in place of a price that is not set."""

_RESOLVED = "resolved"


class OracleResolution(BaseModel):
    """What the oracle says about a market.

    Attributes:
        condition_id: The market's condition.
        status: Its state; "resolved" is final.
        payouts: Shares of the payout in the order of the outcomes, summing to 1; None while there is none.
        price: The oracle's price, None while it is not set.
        proposed_price: The price that was proposed, None while none is.
        was_disputed: Whether anyone disputed.
        resolved_at: When it was resolved.
        rules_updated: Whether the exchange says that the rules were changed; it does not always.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    condition_id: str
    status: str
    payouts: tuple[float, ...] | None = None
    price: float | None = None
    proposed_price: float | None = None
    was_disputed: bool = False
    resolved_at: UtcDatetime | None = None
    rules_updated: bool = False


async def resolutions(
    asker: Asker, condition_ids: Iterable[str], since: datetime | None = None
) -> dict[str, OracleResolution]:
    """What the oracle says, by condition; a condition that it does not know is absent.

    Args:
        asker: Asks the data service.
        condition_ids: The conditions, in any order.
        since: Kept answers asked before this moment don't count.

    Raises:
        SourceFailure: If the service does not answer.
    """
    wanted = sorted(set(condition_ids))
    found: dict[str, OracleResolution] = {}
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        answer = await asker.get(PATH, {"condition_id": batch}, _check, since)
        for row in answer["data"]:
            resolution = _resolution(row)
            # One condition may have been asked of the oracle several times.
            if resolution.condition_id in batch and not _is_final(found.get(resolution.condition_id)):
                found[resolution.condition_id] = resolution
    return found


def confirm(market: Market, oracle: OracleResolution | None) -> Market:
    """A market whose record alone does not prove its outcome, after the oracle was asked.

    Args:
        market: Any market; one that is not ``unconfirmed`` stays as it is.
        oracle: What the oracle says, None where it does not know the market.

    Returns:
        ``confirmed`` where the oracle paid the same outcome, ``split`` where it paid half to each, ``disputed`` where
        it paid the other outcome or is not done, ``no_label`` where it paid anything else; ``unconfirmed`` where it
        does not say.
    """
    if market.settled != "unconfirmed" or oracle is None:
        return market
    if not _is_final(oracle):
        return market.model_copy(update={"settled": "disputed", "outcome": None, "resolution_status": oracle.status})
    if oracle.payouts is None or len(oracle.payouts) != 2:
        return market
    yes = oracle.payouts[0 if market.yes_first else 1]
    told = {"resolution_status": oracle.status, "closed_at": oracle.resolved_at or market.closed_at}
    outcome = {1.0: "Yes", 0.0: "No"}.get(yes)
    if outcome is None:
        return market.model_copy(update={**told, "settled": "split" if yes == 0.5 else "no_label", "outcome": None})
    if outcome != market.outcome:
        return market.model_copy(update={**told, "settled": "disputed", "outcome": None})
    return market.model_copy(update={**told, "settled": "confirmed"})


def _is_final(resolution: OracleResolution | None) -> bool:
    return resolution is not None and resolution.status == _RESOLVED


def _resolution(row: Mapping[str, Any]) -> OracleResolution:
    return OracleResolution(
        condition_id=row["condition_id"],
        status=(text_of(row.get("status")) or "").lower(),
        payouts=_payouts(row.get("payouts")),
        price=_price(row.get("price")),
        proposed_price=_price(row.get("proposed_price")),
        was_disputed=flag_of(row.get("was_disputed")),
        resolved_at=moment_of(row.get("resolved_at")),
        rules_updated=flag_of(row.get("new_version_q")),
    )


def _payouts(value: object) -> tuple[float, ...] | None:
    amounts = [number_of(amount) for amount in list_of(value) or []]
    known = [amount for amount in amounts if amount is not None and amount >= 0]
    total = sum(known)
    return tuple(amount / total for amount in known) if total and len(known) == len(amounts) else None


def _price(value: object) -> float | None:
    price = number_of(value)
    return None if price == UNSET else price


def _check(answer: Any) -> None:
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("no list of resolutions")
    if not all(isinstance(row.get("condition_id"), str) for row in rows):
        raise ValueError("a resolution names no condition")
