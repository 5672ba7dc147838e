"""A token's prices as far as the exchange still tells them: fine where it keeps them, coarse where it does not."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import Asker
from cruxbench_inspect.markets.market import PricePoint
from cruxbench_inspect.markets.polymarket.fields import number_of
from cruxbench_inspect.markets.polymarket.pagination import check_pagination, next_cursor

PATH = "/v2/prices-history"
CLOB_PATH = "/prices-history"
CHUNK = 15 * 86_400
"""Seconds of the longest window that is answered."""
FINE = 1_800
"""Seconds of the finest buckets that are kept for 90 days."""
COARSE = 10_800
"""Seconds of the finest buckets that are kept for ever."""

_CLOB_MINUTES = 60
_DAILY_MINUTES = 1_440
# Windows begin and end on a grid, so that equal ones are asked once whatever stretch is wanted. Half an hour past
# midnight, no window ends at a moment that would be used as a cutoff: a settled token's last window ends with its
# payout, moved to the window's end.
_PHASE = FINE
_LIMIT = 10_000


async def prices(
    data: Asker, clob: Asker, token: str, start: datetime, end: datetime, problems: list[str] | None = None
) -> list[PricePoint]:
    """The prices of a token, by time, without the payout.

    Half-hour buckets where they are kept, else whatever is, else the book's hourly prices. A window that was asked
    before it was over, or before ``end``, is asked again. A point may have been observed up to its width after its
    moment, so the last one may know a little of what came after ``end``.

    Args:
        data: Asks the data service.
        clob: Asks the book's service, where the data service has nothing.
        token: The token.
        start: The first moment.
        end: The moment from which on nothing is wanted.
        problems: Takes one line for each row that could not be read.

    Returns:
        At most one point for each moment; none where there is no price data.

    Raises:
        SourceFailure: If a service does not answer.
    """
    told = problems if problems is not None else []
    first, last = start.timestamp(), end.timestamp()
    found: dict[int, PricePoint] = {}
    for begin in _windows(first, last):
        since = datetime.fromtimestamp(min(begin + CHUNK, last), UTC)
        points = await _window(data, token, begin, max(first, begin), since, told)
        if not points:
            points = await _book_window(clob, token, begin, since, told)
        # Where two windows tell of one moment, the later one counts.
        found |= {int(point.moment.timestamp()): point for point in points}
    return [found[second] for second in sorted(found) if first <= second < last]


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
    points = await _pages(data, {"token_id": token, "interval": "max"}, since, told)
    if not points:
        params = {"market": token, "interval": "max", "fidelity": str(_DAILY_MINUTES)}
        points = _book_points(await clob.get(CLOB_PATH, params, _check_book, since), _DAILY_MINUTES, token, told)
    return sorted({point.moment: point for point in points}.values(), key=lambda point: point.moment)


def _windows(first: float, last: float) -> Iterator[int]:
    begin = int(first - _PHASE) // CHUNK * CHUNK + _PHASE
    while begin < last:
        yield begin
        begin += CHUNK


async def _window(
    data: Asker, token: str, begin: int, wanted: float, since: datetime, problems: list[str]
) -> list[PricePoint]:
    window = {"token_id": token, "start": str(begin), "end": str(begin + CHUNK)}
    fine = await _pages(data, {**window, "bucket_seconds": str(FINE)}, since, problems)
    if fine and fine[0].moment.timestamp() - wanted <= COARSE:
        return fine
    # Buckets that are no longer kept are left out without a word. Without a width, the finest one is chosen that is
    # kept for the whole window.
    rest = await _pages(data, window, since, problems)
    if not rest and not fine:
        rest = await _pages(data, {**window, "bucket_seconds": str(COARSE)}, since, problems)
    return [point for point in rest if not fine or point.moment < fine[0].moment] + fine


async def _pages(data: Asker, params: dict[str, str], since: datetime | None, problems: list[str]) -> list[PricePoint]:
    points: list[PricePoint] = []
    params = {**params, "limit": str(_LIMIT)}
    cursors: set[str] = set()
    while True:
        page = await data.get(PATH, params, _check_page, since)
        points += _points(
            page["data"], "timestamp", "price", "resolution_seconds", "data_v2", params["token_id"], problems
        )
        cursor = next_cursor(page)
        if cursor is None:
            break
        if cursor in cursors:
            raise SourceFailure(data.client.service, "bad_answer", "the pages of prices go in a circle")
        cursors.add(cursor)
        params["cursor"] = cursor
    # The payout is an exact tick at the end of the window or one bucket after the last row.
    return points[:-1] if points and points[-1].resolution_seconds == 0 else points


async def _book_window(clob: Asker, token: str, begin: int, since: datetime, problems: list[str]) -> list[PricePoint]:
    # An interval instead of two moments gives nothing for markets that are settled.
    params = {"market": token, "startTs": str(begin), "endTs": str(begin + CHUNK), "fidelity": str(_CLOB_MINUTES)}
    return _book_points(await clob.get(CLOB_PATH, params, _check_book, since), _CLOB_MINUTES, token, problems)


def _book_points(answer: Any, minutes: int, token: str, problems: list[str]) -> list[PricePoint]:
    rows = [{**row, "width": 60 * minutes} if isinstance(row, dict) else row for row in answer["history"]]
    return _points(rows, "t", "p", "width", "clob", token, problems)


def _points(
    rows: list[Any], moment: str, price: str, width: str, source: str, token: str, problems: list[str]
) -> list[PricePoint]:
    points = []
    for row in rows:
        fields = row if isinstance(row, dict) else {}
        when, value, seconds = (number_of(fields.get(name)) for name in (moment, price, width))
        if when is None or value is None or not 0 <= value <= 1 or not 0 < when < 1e11 or (seconds or 0) < 0:
            problems.append(f"token {token}: a price from {source} that is none: {str(row)[:100]}")
            continue
        point = PricePoint(
            moment=datetime.fromtimestamp(when, UTC), price=value, resolution_seconds=int(seconds or 0), source=source
        )
        points.append(point)
    return sorted(points, key=lambda point: point.moment)


def _check_page(page: Any) -> None:
    if not isinstance(page, dict) or not isinstance(page.get("data"), list):
        raise ValueError("no page of prices")
    check_pagination(page)


def _check_book(answer: Any) -> None:
    if not isinstance(answer, dict) or not isinstance(answer.get("history"), list):
        raise ValueError("no history of prices")
