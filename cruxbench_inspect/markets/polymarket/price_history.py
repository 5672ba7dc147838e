"""Asking for a token's prices as far as the exchange still tells them: fine where it keeps them, else coarse."""

from collections.abc import Iterator
from datetime import UTC, datetime

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import Asker
from cruxbench_inspect.markets.market import PricePoint
from cruxbench_inspect.markets.polymarket.pagination import next_cursor
from cruxbench_inspect.markets.polymarket.price_rows import (
    PriceRow,
    book_rows,
    check_book,
    check_page,
    data_rows,
    ends_with_payout,
)

PATH = "/v2/prices-history"
CLOB_PATH = "/prices-history"
CHUNK = 15 * 86_400
"""Seconds of the longest window that is answered."""
FINE = 1_800
"""Seconds of the finest buckets that are kept for 90 days."""
COARSE = 10_800
"""Seconds of the finest buckets that are kept for ever."""

CLOB_MINUTES = 60
"""Minutes of the buckets that the book's service is asked for."""

_DAILY_MINUTES = 1_440
# Windows begin and end on a grid, so that equal ones are asked once whatever stretch is wanted. Half an hour past
# midnight, no window ends at a moment that would be used as a cutoff: a settled token's last window ends with its
# payout, moved to the window's end.
_PHASE = FINE
_LIMIT = 10_000


async def ask_prices(data: Asker, clob: Asker, token: str, start: datetime, end: datetime) -> None:
    """Ask for the prices of a token, so that the answers are kept; ``recorded_prices`` reads them.

    Half-hour buckets where they are kept, else whatever is, else the book's hourly prices. A window that was asked
    before it was over, or before ``end``, is asked again.

    Args:
        data: Asks the data service.
        clob: Asks the book's service, where the data service has nothing.
        token: The token.
        start: The first moment.
        end: The moment from which on nothing is wanted.

    Raises:
        SourceFailure: If a service does not answer.
    """
    first, last = start.timestamp(), end.timestamp()
    for begin in price_windows(first, last):
        over = datetime.fromtimestamp(min(begin + CHUNK, last), UTC)
        await ask_window(data, clob, token, begin, max(first, begin), over)


async def ask_window(data: Asker, clob: Asker, token: str, begin: int, wanted: float, since: datetime) -> None:
    """Ask for the prices of a token in one window.

    Args:
        data: Asks the data service.
        clob: Asks the book's service, where the data service has nothing.
        token: The token.
        begin: The window's beginning, in seconds since 1970.
        wanted: From when on prices are wanted; what is older may be missing.
        since: Kept answers asked before this moment don't count.

    Raises:
        SourceFailure: If a service does not answer.
    """
    fine, rest, coarse = data_requests(token, begin)
    buckets = await _pages(data, fine, since)
    if buckets and buckets[0].second - wanted <= COARSE:
        return
    # Buckets that are no longer kept are left out without a word. Without a width, the finest one is chosen that is
    # kept for the whole window.
    buckets += await _pages(data, rest, since)
    if not buckets:
        buckets = await _pages(data, coarse, since)
    if not buckets:
        # An interval instead of two moments gives nothing for markets that are settled.
        await clob.get(CLOB_PATH, book_request(token, begin), check_book, since)


def price_windows(first: float, last: float) -> Iterator[int]:
    """The beginnings of the windows that hold what is between two moments, all in seconds since 1970."""
    begin = int(first - _PHASE) // CHUNK * CHUNK + _PHASE
    while begin < last:
        yield begin
        begin += CHUNK


def data_requests(token: str, begin: int) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """What the data service is asked about a window: fine buckets, the finest ones that are left, and coarse ones."""
    window = {"token_id": token, "start": str(begin), "end": str(begin + CHUNK), "limit": str(_LIMIT)}
    return {**window, "bucket_seconds": str(FINE)}, window, {**window, "bucket_seconds": str(COARSE)}


def book_request(token: str, begin: int) -> dict[str, str]:
    """What the book's service is asked about a window."""
    return {"market": token, "startTs": str(begin), "endTs": str(begin + CHUNK), "fidelity": str(CLOB_MINUTES)}


async def daily_prices(
    data: Asker, clob: Asker, token: str, since: datetime | None = None, problems: list[str] | None = None
) -> list[PricePoint]:
    """The whole history of a token in points of half a day or a day, by time, without the payout, in one request.

    Args:
        data: Asks the data service.
        clob: Asks the book's service, where the data service has nothing.
        token: The token.
        since: A kept answer asked before this moment does not count.
        problems: Takes one line for each row that could not be read.

    Raises:
        SourceFailure: If a service does not answer.
    """
    told = problems if problems is not None else []
    whole = {"token_id": token, "interval": "max", "limit": str(_LIMIT)}
    rows = await _pages(data, whole, since, told)
    if not rows:
        params = {"market": token, "interval": "max", "fidelity": str(_DAILY_MINUTES)}
        rows = book_rows(await clob.get(CLOB_PATH, params, check_book, since), _DAILY_MINUTES, token, told)
    return [row.point() for row in sorted({row.second: row for row in rows}.values())]


async def _pages(
    data: Asker, params: dict[str, str], since: datetime | None, problems: list[str] | None = None
) -> list[PriceRow]:
    told = problems if problems is not None else []
    rows: list[PriceRow] = []
    params = dict(params)
    cursors: set[str] = set()
    while True:
        page = await data.get(PATH, params, check_page, since)
        rows += data_rows(page, params["token_id"], told)
        cursor = next_cursor(page)
        if cursor is None:
            return rows[:-1] if ends_with_payout(rows) else rows
        if cursor in cursors:
            raise SourceFailure(data.client.service, "bad_answer", "the pages of prices go in a circle")
        cursors.add(cursor)
        params["cursor"] = cursor
