"""Asking for the trades of a market, one row for each match."""

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

Identity = tuple[object, ...]
"""What tells a trade from others, as far as the exchange lets one tell: twins have the same."""

_LABELS: Mapping[str, Literal["Yes", "No"]] = {"yes": "Yes", "no": "No"}
_IDENTITY = ("transaction_hash", "token_id", "proxy_wallet", "side", "size", "price", "timestamp")


class TradePages:
    """The trades on the pages of one feed, which come one after the other, the newest first.

    Attributes:
        trades: The trades so far, each with what tells it from others.
        cursor: What the next page is asked with; None after the last one.
    """

    def __init__(self, condition_id: str, problems: list[str]) -> None:
        """Begin before the first page.

        Args:
            condition_id: The market's condition, for messages.
            problems: Takes one line for each row that could not be read.
        """
        self.trades: list[tuple[Identity, Trade]] = []
        self.cursor: str | None = None
        self._condition_id = condition_id
        self._problems = problems
        self._border: list[Identity] = []
        self._cursors: set[str] = set()

    def add(self, page: Any) -> None:
        """Add the page that is next.

        Raises:
            ValueError: If its cursor leads back to an earlier page.
        """
        keys = [_identity(row) for row in page["data"]]
        # Equal rows of one page are trades of their own; those that begin the next page again are not.
        repeated = next((n for n in range(len(self._border), 0, -1) if keys[:n] == self._border[-n:]), 0)
        for key, row in zip(keys[repeated:], page["data"][repeated:], strict=True):
            trade = _trade(row, self._condition_id, self._problems)
            if trade is not None:
                self.trades.append((key, trade))
        self._border = keys
        self.cursor = next_cursor(page)
        if self.cursor is not None:
            if self.cursor in self._cursors:
                raise ValueError("the pages of trades go in a circle")
            self._cursors.add(self.cursor)

    def reach(self, since: datetime) -> bool:
        """Whether no later page has a trade from a moment on."""
        return self.cursor is None or bool(self.trades and self.trades[-1][1].moment < since)


async def ask_trades(asker: Asker, condition_id: str, since: datetime, asked_since: datetime | None = None) -> None:
    """Ask for the trades of a market, so that the answers are kept; ``recorded_trades`` reads them.

    What is asked for are trades of takers, so that each match counts once.

    Args:
        asker: Asks the data service.
        condition_id: The market's condition.
        since: The earliest trade that is wanted; a feed cannot be asked for a stretch of time.
        asked_since: Kept answers asked before this moment don't count. The newest trades may be missing in an answer
            for some two hours.

    Raises:
        SourceFailure: If the service does not answer.
    """
    pages = TradePages(condition_id, [])
    params, check = first_page(condition_id), check_trades
    while True:
        try:
            pages.add(await asker.get(PATH, params, check, asked_since))
        except ValueError as error:
            raise SourceFailure(asker.client.service, "bad_answer", str(error)) from None
        if pages.reach(since):
            return
        params, check = next_page(params, pages.cursor), check_next_trades


def first_page(condition_id: str) -> dict[str, str]:
    """What the newest trades of a market are asked with."""
    return {"condition": condition_id, "taker_only": "true", "limit": str(PAGE)}


def next_page(params: Mapping[str, str], cursor: str | None) -> dict[str, str]:
    """What the page that a cursor leads to is asked with."""
    return {**params, "cursor": cursor or ""}


def check_trades(page: Any) -> None:
    """Refuse what is no page of trades.

    Raises:
        ValueError: If it is none.
    """
    if not isinstance(page, dict) or not isinstance(page.get("data"), list):
        raise ValueError("no page of trades")
    check_pagination(page)


def check_next_trades(page: Any) -> None:
    """Refuse what is no page of trades that a cursor leads to: such a page has trades.

    Raises:
        ValueError: If it is none.
    """
    check_trades(page)
    if not page["data"]:
        raise ValueError("a page without trades that a cursor leads to")


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


def _identity(row: object) -> Identity:
    return tuple(row.get(name) for name in _IDENTITY) if isinstance(row, dict) else (str(row),)
