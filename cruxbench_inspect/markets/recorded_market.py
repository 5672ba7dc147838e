"""The market of a question of a live round: as the exchange has it now, and as it was recorded last."""

from datetime import datetime

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import NEVER
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.market_data import ask
from cruxbench_inspect.markets.polymarket.listing import one_market, recorded_markets
from cruxbench_inspect.markets.polymarket.records import Skipped, read_market
from cruxbench_inspect.markets.polymarket.resolutions import confirm, recorded_resolution, resolutions
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.questions import Question


async def ask_about(exchange: Polymarket, question: Question, now: datetime) -> tuple[bool, list[str]]:
    """Ask for all that there is about a question's market now, so that it is kept.

    What one service does not answer keeps no other from being asked; of a market that is not listed any more, prices
    and trades may still be told.

    Args:
        exchange: Asks the exchange.
        question: The question.
        now: The present.

    Returns:
        Whether the exchange still lists the market, as far as it answers; and a line for each thing that it did not
        answer.
    """
    failures: list[str] = []
    listed = True
    try:
        raw = await one_market(exchange.gamma, question.market_id, NEVER)
        listed = raw is not None
        read = None if raw is None else read_market(raw)
        if isinstance(read, Skipped):
            failures.append(f"its record cannot be read any more ({read.reason}): {read.detail}")
    except SourceFailure as failure:
        failures.append(str(failure))
    market = await known_market(exchange, question)
    if market is None:
        return listed, failures
    if market.settled != "open" and market.condition_id is not None:
        try:
            await resolutions(exchange.data, [market.condition_id], NEVER)
        except SourceFailure as failure:
            failures.append(str(failure))
        market = await known_market(exchange, question) or market
    try:
        await ask(exchange, market, (question.window.start, question.window.end), now, for_news=True)
    except SourceFailure as failure:
        failures.append(str(failure))
    return listed, failures


async def known_market(exchange: Polymarket, question: Question, until: datetime | None = None) -> Market | None:
    """The market of a question by its last record that can be read, with the oracle's word; None if none was kept.

    Where no word of the oracle was recorded, the record stands alone: what it does not prove stays unconfirmed. A
    record that lost its tokens or its condition has those of an earlier one.

    Args:
        exchange: Has what was recorded; it is not asked.
        question: The question.
        until: Answers asked after this moment don't count.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    records = [read_market(raw) for raw in await recorded_markets(exchange.gamma, question.market_id, until)]
    readable = [read for read in records if not isinstance(read, Skipped)]
    if not readable:
        return None
    names = {
        name: next((getattr(read, name) for read in readable if getattr(read, name) is not None), None)
        for name in ("condition_id", "yes_token", "no_token")
    }
    market = readable[0].model_copy(update=names)
    if market.settled == "open" or market.condition_id is None:
        return market
    return confirm(market, await recorded_resolution(exchange.data, market.condition_id, until))
