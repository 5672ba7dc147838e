"""The rows of an answer with prices, of either service."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from cruxbench_inspect.markets.market import PricePoint
from cruxbench_inspect.markets.polymarket.fields import number_of
from cruxbench_inspect.markets.polymarket.pagination import check_pagination


class PriceRow(NamedTuple):
    """One price of a token.

    Attributes:
        second: When it was observed, at the latest ``width`` later, in seconds since 1970.
        price: From 0 to 1.
        width: Seconds of the bucket that it stands for; 0 is an exact tick.
        source: ``data_v2`` or ``clob``.
    """

    second: float
    price: float
    width: int
    source: str

    @property
    def over(self) -> float:
        """When its bucket is over, in seconds since 1970."""
        return self.second + self.width

    def point(self) -> PricePoint:
        """It as a price of a market."""
        moment = datetime.fromtimestamp(self.second, UTC)
        return PricePoint(moment=moment, price=self.price, resolution_seconds=self.width, source=self.source)


def data_rows(page: Any, token: str, problems: list[str]) -> list[PriceRow]:
    """The rows of a page of the data service, by time.

    Args:
        page: A page that ``check_page`` lets pass.
        token: The token, for messages.
        problems: Takes one line for each row that could not be read.
    """
    return sorted(_rows(page["data"], ("timestamp", "price", "resolution_seconds"), "data_v2", token, problems))


def book_rows(answer: Any, minutes: int, token: str, problems: list[str]) -> list[PriceRow]:
    """The rows of an answer of the book's service, by time.

    Args:
        answer: An answer that ``check_book`` lets pass.
        minutes: For how many minutes each row stands.
        token: The token, for messages.
        problems: Takes one line for each row that could not be read.
    """
    rows = [{**row, "width": 60 * minutes} if isinstance(row, dict) else row for row in answer["history"]]
    return sorted(_rows(rows, ("t", "p", "width"), "clob", token, problems))


def ends_with_payout(rows: list[PriceRow]) -> bool:
    """Whether rows, by time, end with a payout: an exact tick at the window's end or one bucket after the last row."""
    return bool(rows) and rows[-1].width == 0


def check_page(page: Any) -> None:
    """Refuse what is no page of prices.

    Raises:
        ValueError: If it is none.
    """
    if not isinstance(page, dict) or not isinstance(page.get("data"), list):
        raise ValueError("no page of prices")
    check_pagination(page)


def check_book(answer: Any) -> None:
    """Refuse what is no history of the book's service.

    Raises:
        ValueError: If it is none.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("history"), list):
        raise ValueError("no history of prices")


def _rows(
    rows: list[Any], names: tuple[str, str, str], source: str, token: str, problems: list[str]
) -> Iterator[PriceRow]:
    for row in rows:
        fields = row if isinstance(row, dict) else {}
        second, price, width = (number_of(fields.get(name)) for name in names)
        if second is None or price is None or not 0 <= price <= 1 or not 0 < second < 1e11 or (width or 0) < 0:
            problems.append(f"token {token}: a price from {source} that is none: {str(row)[:100]}")
            continue
        yield PriceRow(second, price, int(width or 0), source)
