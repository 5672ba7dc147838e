"""The trades of a market, one row for each match."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import ValidationError

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import Asker
from cruxbench_inspect.markets.market import Trade
from cruxbench_inspect.markets.polymarket.fields import labels_of, number_of
from cruxbench_inspect.markets.polymarket.pagination import check_pagination, next_cursor

PATH = "/v2/trades"
PAGE = 1_000
UNLABELLED = 999
"""The outcome's index in a row that does not say which token was traded."""

_LABELS: Mapping[str, Literal["Yes", "No"]] = {"yes": "Yes", "no": "No"}
_IDENTITY = ("transaction_hash", "token_id", "proxy_wallet", "side", "size", "price", "timestamp")


async def trades(
    asker: Asker,
    condition_id: str,
    since: datetime,
    asked_since: datetime | None = None,
    problems: list[str] | None = None,
) -> list[Trade]:
    """The trades of a market, by time: what takers bought or sold, so that each match counts once.

    Args:
        asker: Asks the data service.
        condition_id: The market's condition.
        since: The earliest trade that is wanted; a feed cannot be asked for a stretch of time.
        asked_since: Kept answers asked before this moment don't count. The newest trades may be missing in an answer
            for some two hours.
        problems: Takes one line for each row that could not be read.

    Raises:
        SourceFailure: If the service does not answer.
    """
    told = problems if problems is not None else []
    params = _first_page(condition_id)
    found: list[Trade] = []
    border: list[tuple[object, ...]] = []
    cursors: set[str] = set()
    while True:
        page = await asker.get(PATH, params, _check_page, asked_since)
        keys = [_identity(row) for row in page["data"]]
        # Equal rows of one page are trades of their own; those that begin the next page again are not.
        repeated = next((count for count in range(len(border), 0, -1) if keys[:count] == border[-count:]), 0)
        rows = [_trade(row, condition_id, told) for row in page["data"][repeated:]]
        found += [trade for trade in rows if trade is not None]
        cursor = next_cursor(page)
        if cursor is None or (found and found[-1].moment < since):
            return [trade for trade in reversed(found) if trade.moment >= since]
        if cursor in cursors:
            raise SourceFailure(asker.client.service, "bad_answer", "the pages of trades go in a circle")
        cursors.add(cursor)
        params["cursor"] = cursor
        border = keys


async def last_recorded(asker: Asker, condition_id: str) -> datetime | None:
    """When the trades of a market were asked for the last time, None if they never were.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    return await asker.last_asked(PATH, _first_page(condition_id))


def _first_page(condition_id: str) -> dict[str, str]:
    return {"condition": condition_id, "taker_only": "true", "limit": str(PAGE)}


def _trade(row: object, condition_id: str, problems: list[str]) -> Trade | None:
    fields = row if isinstance(row, dict) else {}
    second, price, shares = (number_of(fields.get(name)) for name in ("timestamp", "price", "size"))
    if second is not None and price is not None and shares is not None and 0 < second < 1e11:
        try:
            moment = datetime.fromtimestamp(second, UTC)
            return Trade(moment=moment, token=_token(fields), price=price, shares=shares)
        except ValidationError:
            pass
    problems.append(f"condition {condition_id}: a trade that is none: {str(row)[:200]}")
    return None


def _token(fields: Mapping[str, Any]) -> Literal["Yes", "No"] | None:
    if fields.get("outcome_index") == UNLABELLED:
        return None
    return _LABELS.get(labels_of([fields.get("outcome", "")])[0])


def _identity(row: object) -> tuple[object, ...]:
    return tuple(row.get(name) for name in _IDENTITY) if isinstance(row, dict) else (str(row),)


def _check_page(page: Any) -> None:
    if not isinstance(page, dict) or not isinstance(page.get("data"), list):
        raise ValueError("no page of trades")
    check_pagination(page)
