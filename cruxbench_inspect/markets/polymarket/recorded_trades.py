"""The trades of a market by all answers that were kept, however many of them are empty, cut short or damaged."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cruxbench_inspect.markets.asking import AnswerOnRecord, Asker
from cruxbench_inspect.markets.hourly import PROVISIONAL
from cruxbench_inspect.markets.market import Trade
from cruxbench_inspect.markets.polymarket.trades import (
    PATH,
    Identity,
    TradePages,
    check_next_trades,
    check_trades,
    first_page,
    next_page,
)
from cruxbench_inspect.markets.told_stretches import LAG

_WHOLE = 2


@dataclass(frozen=True)
class RecordedTrades:
    """What was recorded of a market's trades.

    Attributes:
        trades: Its trades, by time.
        through: All trades up to this moment are known, except those that the exchange had not listed yet; None
            where no answer tells of all trades that are wanted. It is the last trade's moment, or a day before the
            last answer.
    """

    trades: tuple[Trade, ...]
    through: datetime | None


@dataclass(frozen=True)
class _Feed:
    """The pages of one pass, as far as they were kept."""

    asked: datetime
    trades: tuple[tuple[Identity, Trade], ...]
    is_whole: bool


async def recorded_trades(
    asker: Asker,
    condition_id: str,
    since: datetime,
    until: datetime | None = None,
    problems: list[str] | None = None,
    *,
    has_traded: bool = False,
) -> RecordedTrades:
    """The trades of a market by all answers that are kept; nobody is asked.

    What one pass over the pages missed, because it broke off, was answered with nothing, or with what was known
    earlier, another one tells.

    Args:
        asker: Asked the data service, by ``ask_trades``.
        condition_id: The market's condition.
        since: The earliest trade that is wanted.
        until: Answers asked after this moment don't count.
        problems: Takes one line for each row that could not be read.
        has_traded: Whether the market is known to have trades, so that an answer without any is not believed.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    told = problems if problems is not None else []
    params = first_page(condition_id)
    moments = await asker.moments_kept(PATH, params, until)
    feeds: list[_Feed] = []
    whole: list[datetime] = []
    for moment, following in zip(reversed(moments), [None, *reversed(moments[1:])], strict=True):
        # Two whole feeds make up for all earlier ones: what one was cut short of, the other has. The first pages of the
        # day before show whether they were late.
        if len(whole) >= _WHOLE and moment < whole[_WHOLE - 1] - LAG:
            break
        kept = await asker.all_kept(PATH, params, check_trades, moment, moment)
        for page in kept[-1:]:
            feed = await _feed(asker, condition_id, page, following, since, until, told, alone=len(whole) >= _WHOLE)
            feeds.append(feed)
            if feed.is_whole and feed.trades:
                whole.append(moment)
    times: Counter[Identity] = Counter()
    known: dict[Identity, Trade] = {}
    for feed in reversed(feeds):
        # Twins are in every answer that has one of them, unless it was cut between them.
        times |= Counter(identity for identity, _ in feed.trades)
        known |= dict(feed.trades)
    in_order = sorted(known.items(), key=lambda one: one[1].moment)
    trades = [trade for identity, trade in in_order for _ in range(times[identity]) if trade.moment >= since]
    return RecordedTrades(tuple(trades), _through(feeds, [trade for _, trade in in_order], has_traded))


async def _feed(
    asker: Asker,
    condition_id: str,
    kept: AnswerOnRecord,
    following: datetime | None,
    since: datetime,
    until: datetime | None,
    problems: list[str],
    *,
    alone: bool,
) -> _Feed:
    pages = TradePages(condition_id, problems)
    params = first_page(condition_id)
    page = kept
    while True:
        try:
            pages.add(page.parsed)
        except ValueError:
            break
        if pages.reach(since):
            return _Feed(kept.asked, tuple(pages.trades), is_whole=True)
        if alone:
            break
        params = next_page(params, pages.cursor)
        # The pages of a pass were asked before the next pass began: those of another one begin elsewhere.
        before = None if following is None else following - timedelta(microseconds=1)
        latest = min((moment for moment in (until, before) if moment is not None), default=None)
        own = await asker.all_kept(PATH, params, check_next_trades, latest, page.asked)
        if not own:
            break
        page = own[0]
    return _Feed(kept.asked, tuple(pages.trades), is_whole=False)


def _through(feeds: Sequence[_Feed], known: Sequence[Trade], has_traded: bool) -> datetime | None:
    """Until when all trades are known.

    Args:
        feeds: What the passes gave.
        known: All trades that any of them gave, by time.
        has_traded: Whether a feed without a trade is not believed.
    """
    moments = [trade.moment for trade in known]
    reach: list[tuple[datetime, _Feed]] = []
    for feed in feeds:
        if not feed.trades:
            if not known and not has_traded:
                reach.append((feed.asked, feed))
            continue
        # An answer may lag behind by some hours, but not by a day: silence of less tells nothing.
        newest = max(trade.moment for _, trade in feed.trades)
        silent_to = feed.asked - LAG
        contradicted = bisect_right(moments, silent_to) > bisect_right(moments, newest)
        reach.append((newest if contradicted else max(newest, silent_to), feed))
    through: datetime | None = None
    for moment, feed in sorted(reach, key=lambda one: one[0]):
        if not feed.is_whole:
            oldest = min(trade.moment for _, trade in feed.trades)
            if through is None or oldest > through - PROVISIONAL:
                continue
        through = moment if through is None else max(through, moment)
    return through
