"""A token's prices by all answers that were kept, however many of them are empty, out of date or damaged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import NEVER, AnswerOnRecord, Asker
from cruxbench_inspect.markets.market import PricePoint
from cruxbench_inspect.markets.polymarket.pagination import next_cursor
from cruxbench_inspect.markets.polymarket.price_history import (
    CHUNK,
    CLOB_MINUTES,
    CLOB_PATH,
    FINE,
    PATH,
    ask_window,
    book_request,
    data_requests,
    price_windows,
)
from cruxbench_inspect.markets.polymarket.price_rows import (
    PriceRow,
    book_rows,
    check_book,
    check_page,
    data_rows,
    ends_with_payout,
)
from cruxbench_inspect.markets.told_stretches import LAG, Stretch

_HOUR = 3_600.0
_LAG = LAG.total_seconds()
_FINE_KEPT = 88 * 86_400.0
"""Seconds for which fine buckets are surely kept."""


@dataclass(frozen=True)
class RecordedPrices:
    """What was recorded of a token's prices.

    Attributes:
        points: The prices by time, at most one for each moment, without the payout.
        told: Stretches about which the exchange told: where they have no point, there was none to tell. In any order.
        fine: Those of them that it told in points of an hour or finer.
        asked: When the last of the answers was asked for; None without any.
    """

    points: tuple[PricePoint, ...]
    told: tuple[Stretch, ...]
    fine: tuple[Stretch, ...]
    asked: datetime | None


@dataclass(frozen=True)
class _Answer:
    rows: tuple[PriceRow, ...]
    asked: float
    told: tuple[float, float] | None

    @property
    def is_fine(self) -> bool:
        """Whether it tells of every hour by itself."""
        return all(map(_counts_finely, self.rows))


async def recorded_prices(
    data: Asker,
    clob: Asker,
    token: str,
    start: datetime,
    end: datetime,
    closed_at: datetime | None = None,
    until: datetime | None = None,
    problems: list[str] | None = None,
) -> RecordedPrices:
    """The prices of a token by all answers that are kept; nobody is asked.

    Of two answers about one moment the finer one counts, then the data service's, then the later one. A bucket that
    was not over when it was asked for does not count: its price was to change. An answer without prices tells
    nothing, and takes nothing away from what another one told.

    Args:
        data: Asked the data service.
        clob: Asked the book's service.
        token: The token.
        start: The first moment.
        end: The moment from which on nothing is wanted; what the answers tell beyond it is in ``told``, too.
        closed_at: When the market closed.
        until: Answers asked after this moment don't count.
        problems: Takes one line for each row that could not be read.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    told = problems if problems is not None else []
    first, last = start.timestamp(), end.timestamp()
    answers = []
    for begin in price_windows(first, last):
        answers += await _answers(data, clob, token, begin, closed_at, told, until=until)
    rows = _merged(answers)
    return RecordedPrices(
        points=tuple(row.point() for row in rows if first <= row.second < last),
        told=tuple(_stretch(answer.told) for answer in answers if answer.told is not None),
        fine=tuple(_stretch(answer.told) for answer in answers if answer.told is not None and answer.is_fine),
        asked=max((datetime.fromtimestamp(answer.asked, UTC) for answer in answers), default=None),
    )


async def ask_for_news(
    data: Asker, clob: Asker, token: str, start: datetime, end: datetime, closed_at: datetime | None = None
) -> None:
    """Ask for prices that the kept answers do not tell, so that they are kept as well.

    A window is asked again until an answer tells of all of it, finely as long as the exchange keeps fine prices of it.

    Args:
        data: Asks the data service.
        clob: Asks the book's service, where the data service has nothing.
        token: The token.
        start: The first moment.
        end: The moment from which on nothing is wanted.
        closed_at: When the market closed; later windows have no prices.

    Raises:
        SourceFailure: If a service does not answer. The other windows have been asked all the same.
    """
    first, last = start.timestamp(), end.timestamp()
    if closed_at is not None:
        last = min(last, closed_at.timestamp())
    failures = []
    for begin in price_windows(first, last):
        over = min(begin + CHUNK, last)
        answers = await _answers(data, clob, token, begin, closed_at, [], since=datetime.fromtimestamp(over, UTC))
        is_kept = data.clock().timestamp() - begin < _FINE_KEPT
        if any(answer.told and answer.told[1] >= over and (answer.is_fine or not is_kept) for answer in answers):
            continue
        try:
            await ask_window(data, clob, token, begin, max(first, begin), NEVER)
        except SourceFailure as failure:
            failures.append(failure)
    if failures:
        raise failures[0]


async def _answers(
    data: Asker,
    clob: Asker,
    token: str,
    begin: int,
    closed_at: datetime | None,
    problems: list[str],
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[_Answer]:
    """What was answered about one window, but for earlier answers that a later one to the same request makes up for."""
    closed = None if closed_at is None else closed_at.timestamp()
    found: list[_Answer] = []

    def covered(own: Sequence[_Answer], moment: datetime) -> bool:
        # What was asked then can tell of nothing later.
        return any(one.told and one.told[0] <= begin and one.told[1] >= moment.timestamp() for one in own)

    for request in data_requests(token, begin):
        explicit = request.get("bucket_seconds") == str(FINE)
        own: list[_Answer] = []
        for moment in reversed(await data.moments_kept(PATH, request, until)):
            if (since is not None and moment < since) or covered(own, moment):
                break
            for kept, after in await _pages(data, request, moment, until):
                rows = data_rows(kept.parsed, token, problems)
                own.append(_answer(rows, kept, begin, closed, after, next_cursor(kept.parsed) is None, explicit))
        found += own
    book: list[_Answer] = []
    request = book_request(token, begin)
    for moment in reversed(await clob.moments_kept(CLOB_PATH, request, until)):
        if (since is not None and moment < since) or covered(book, moment):
            break
        for kept in await clob.all_kept(CLOB_PATH, request, check_book, moment, moment):
            rows = book_rows(kept.parsed, CLOB_MINUTES, token, problems)
            book.append(_answer(rows, kept, begin, closed, None, True, False))
    return [*found, *book]


async def _pages(
    data: Asker, request: Mapping[str, str], moment: datetime, until: datetime | None
) -> list[tuple[AnswerOnRecord, float | None]]:
    """The answers to a request at a moment and to those that go on from them, each with where the page before ended."""
    found: list[tuple[AnswerOnRecord, float | None]] = [
        (kept, None) for kept in await data.all_kept(PATH, request, check_page, moment, moment)
    ]
    known: set[str] = set()
    place = 0
    while place < len(found):
        kept, after = found[place]
        place += 1
        cursor = next_cursor(kept.parsed)
        if cursor is not None and cursor not in known:
            known.add(cursor)
            rows = data_rows(kept.parsed, "", [])
            more = await data.all_kept(PATH, {**request, "cursor": cursor}, check_page, until, kept.asked)
            found += [(one, rows[-1].over if rows else after) for one in more[:1]]
    return found


def _answer(
    rows: list[PriceRow],
    kept: AnswerOnRecord,
    begin: int,
    closed: float | None,
    after: float | None,
    is_last: bool,
    explicit: bool,
) -> _Answer:
    """What a page tells.

    Args:
        rows: Its rows, by time.
        kept: The page.
        begin: The window's beginning.
        closed: When the market closed.
        after: Where the page before it ended; None for a first page.
        is_last: Whether no page follows.
        explicit: Whether fine buckets were asked for.
    """
    asked = kept.asked.timestamp()
    payout = rows[-1].second if is_last and ends_with_payout(rows) else None
    rows = [row for row in (rows[:-1] if payout is not None else rows) if row.second < begin + CHUNK]
    if not rows:
        return _Answer((), asked, None)
    finish = begin + CHUNK if closed is None else min(begin + CHUNK, closed)
    # Fine buckets that are no longer kept are left out, so their absence tells nothing.
    start = rows[0].second if explicit and asked - begin > _FINE_KEPT else begin if after is None else after
    end = rows[-1].over
    if is_last and payout is None and asked < rows[-1].over + _LAG:
        # The answer may be of a moment within its last bucket, whose price was to change.
        end = rows[-1].second
        rows = rows[:-1]
    if is_last:
        if payout is not None:
            end = finish if closed is not None and begin <= closed < begin + CHUNK else max(end, payout)
        if payout is None or closed is not None:
            end = max(end, min(finish, asked - _LAG))
    return _Answer(tuple(rows), asked, (min(start, end), max(start, min(end, begin + CHUNK, asked))))


def _merged(answers: Sequence[_Answer]) -> list[PriceRow]:
    best: dict[int, tuple[tuple[bool, int, float], PriceRow]] = {}
    finely_told = [answer.told for answer in answers if answer.told is not None and answer.is_fine]
    for row, asked in (each for answer in answers for each in _finished(answer)):
        rank = (row.source != "data_v2", row.width, -asked)
        # A wide bucket is of its last hour, so it is no other price of the moment at which it begins.
        moment = int(max(row.second, row.over - _HOUR))
        if moment not in best or rank <= best[moment][0]:
            best[moment] = (rank, row)
    rows = sorted(row for _, row in best.values())
    # Where the data service told finely, its silence counts more than a wide bucket, or the book.
    return [row for row in rows if _counts_finely(row) or not any(a <= row.over - 1 < b for a, b in finely_told)]


def _finished(answer: _Answer) -> Iterator[tuple[PriceRow, float]]:
    return ((row, answer.asked) for row in answer.rows if row.over <= answer.asked)


def _counts_finely(row: PriceRow) -> bool:
    return row.source == "data_v2" and row.width <= _HOUR


def _stretch(told: tuple[float, float]) -> Stretch:
    start, end = told
    return datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC)
