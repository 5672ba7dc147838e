"""What the oracle says about markets: the second opinion on an outcome that a record alone does not prove."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.evidence.source import SourceFailure
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
_FINAL = ("auth", "quota")


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
    asker: Asker,
    condition_ids: Iterable[str],
    since: datetime | None = None,
    problems: list[str] | None = None,
    failed: dict[str, str] | None = None,
) -> dict[str, OracleResolution]:
    """What the oracle says, by condition; a condition that it does not know is absent.

    Args:
        asker: Asks the data service.
        condition_ids: The conditions, in any order.
        since: Kept answers asked before this moment don't count.
        problems: Takes one line for each row that could not be read.
        failed: Takes the conditions about which the service did not answer, with the cause. A batch that fails is
            asked one by one, so that one condition which breaks it costs itself alone. Without it, the first failure
            is raised.

    Raises:
        SourceFailure: If the service does not answer and ``failed`` is None, or for want of a key or of quota.
    """
    wanted = sorted(set(condition_ids))
    told = problems if problems is not None else []
    failed_before = len(failed or ())
    found: dict[str, OracleResolution] = {}
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        try:
            rows = await _rows(asker, batch, since)
        except SourceFailure as failure:
            if failed is None or failure.kind in _FINAL:
                raise
            # A service that has never answered so far is not asked about each condition again.
            if failure.kind == "not_recorded" or found or len(failed) == failed_before:
                rows = await _one_by_one(asker, batch, since, failed)
            else:
                failed.update(dict.fromkeys(batch, str(failure)))
                continue
        for row in rows:
            resolution = _resolution(row)
            if resolution is None:
                told.append(f"a resolution that names no condition: {str(row)[:200]}")
            # One condition may have been asked of the oracle several times.
            elif resolution.condition_id in batch and not _is_final(found.get(resolution.condition_id)):
                found[resolution.condition_id] = resolution
    return found


async def recorded_resolution(
    asker: Asker, condition_id: str, until: datetime | None = None
) -> OracleResolution | None:
    """What the oracle said last about a condition that was asked for alone, by what is kept; None if it said nothing.

    Args:
        asker: Asked the data service, by ``resolutions``.
        condition_id: The condition.
        until: Answers asked after this moment don't count.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    for kept in reversed(await asker.all_kept(PATH, {"condition_id": [condition_id]}, _check, until)):
        read = [resolution for resolution in map(_resolution, kept.parsed["data"]) if resolution is not None]
        own = [resolution for resolution in read if resolution.condition_id == condition_id]
        if own:
            return next(filter(_is_final, own), own[-1])
    return None


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


async def _rows(asker: Asker, batch: Sequence[str], since: datetime | None) -> list[Any]:
    rows: list[Any] = (await asker.get(PATH, {"condition_id": batch}, _check, since))["data"]
    return rows


async def _one_by_one(asker: Asker, batch: Sequence[str], since: datetime | None, failed: dict[str, str]) -> list[Any]:
    """The rows of the conditions that are answered; after two failures and no answer, the others count as failed."""
    rows: list[Any] = []
    failures: list[SourceFailure] = []
    for place, condition in enumerate(batch):
        if len(failures) == place == 2 and failures[-1].kind != "not_recorded":
            failed.update(dict.fromkeys(batch[place:], str(failures[-1])))
            break
        try:
            rows += await _rows(asker, [condition], since)
        except SourceFailure as failure:
            if failure.kind in _FINAL:
                raise
            failures.append(failure)
            failed[condition] = str(failure)
    return rows


def _is_final(resolution: OracleResolution | None) -> bool:
    return resolution is not None and resolution.status == _RESOLVED


def _resolution(row: object) -> OracleResolution | None:
    condition = row.get("condition_id") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(condition, str):
        return None
    return OracleResolution(
        condition_id=condition,
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
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
        raise ValueError("no list of resolutions")
