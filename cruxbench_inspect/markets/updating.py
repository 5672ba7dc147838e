"""Filling prices and outcomes of a live round into its question set, as a new version of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.candidates import AT_ONCE
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.market_data import MarketData, collect, stretch
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.polymarket.trades import last_recorded
from cruxbench_inspect.markets.set_writer import write_set
from cruxbench_inspect.markets.watching import current_market, last_known_market
from cruxbench_inspect.questions import EarlierVersion, Outcome, Question, QuestionSet
from cruxbench_inspect.side_by_side import Progress, side_by_side
from cruxbench_inspect.utc import format_utc


@dataclass
class Updated:
    """What came of an update.

    Attributes:
        question_set: The set as it is now.
        is_new: Whether it is a new version.
        outcomes: Questions by outcome; "open" for those without.
        problems: One line each for questions that stay as they were, and why.
    """

    question_set: QuestionSet
    is_new: bool
    outcomes: Counter[str] = field(default_factory=Counter)
    stale: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


async def update(
    question_set: QuestionSet, exchange: Polymarket, now: datetime, progress: Progress, *, ask: bool = True
) -> Updated:
    """Fill in what is known by now.

    Questions, articles and rules stay what they were at the start: logs of earlier versions can be scored by the new
    one, which names them.

    Args:
        question_set: A live round.
        exchange: Asks the exchange, or answers from what the recorder kept.
        now: The present.
        progress: Shows how far it is.
        ask: Whether the exchange is asked for news of it; else the newest answers that are kept count.

    Returns:
        The same version where nothing is new.

    Raises:
        InputError: If the set is no live round, or cannot be written.
    """
    manifest = question_set.manifest
    if not question_set.is_live:
        raise InputError(f"question set {question_set.name!r} is no live round: it was complete when it was built")
    found: dict[str, tuple[Market, MarketData]] = {}
    as_of = dict.fromkeys((question.id for question in question_set.questions), now)
    problems: dict[str, str] = {}
    stale: list[str] = []

    async def get(question: Question) -> None:
        window = (question.window.start, question.window.end)
        if ask:
            try:
                market = await current_market(exchange, question, now)
                if market is not None:
                    found[question.id] = (market, await collect(exchange, market, window, now, asked_since=now))
                    return
                stale.append(question.id)
            except SourceFailure as failure:
                problems[question.id] = f"{failure}; what was recorded counts"
        kept = exchange.kept_only
        try:
            market = await last_known_market(kept, question)
            recorded = await last_recorded(kept.data, market.condition_id or "") if market else None
            if market is None or recorded is None:
                problems.setdefault(question.id, "nothing was recorded of it; it stays as it was")
                return
            as_of[question.id] = min(now, recorded)
            found[question.id] = (market, await collect(kept, market, window, as_of[question.id]))
        except SourceFailure as failure:
            problems[question.id] = f"{failure}; it stays as it was"

    await side_by_side(question_set.questions, get, AT_ONCE, progress.step("prices and outcomes"))
    outcomes = [_outcome(question_set, question, found) for question in question_set.questions]
    prices = pl.concat(
        [_prices(question_set, question, found, as_of[question.id]) for question in question_set.questions]
    )
    updated = Updated(
        question_set,
        is_new=False,
        outcomes=Counter(outcome.outcome or "open" for outcome in outcomes),
        problems=[f"{id}: {cause}" for id, cause in sorted(problems.items())],
        stale=sorted(stale),
    )
    if _is_same(question_set, outcomes, prices):
        return updated
    earlier = EarlierVersion(
        version=manifest.version,
        digest=question_set.digest,
        questions=manifest.files["questions.jsonl"],
    )
    later = manifest.model_copy(
        update={
            "version": _next(manifest.version),
            "earlier": (*manifest.earlier, earlier),
            "counts": {**(manifest.counts or {}), "updated": format_utc(now), "stale": [*updated.stale]},
        }
    )
    updated.question_set = write_set(question_set.folder, later, question_set.questions, outcomes, prices, replace=True)
    updated.is_new = True
    return updated


def _outcome(question_set: QuestionSet, question: Question, found: Mapping[str, tuple[Market, MarketData]]) -> Outcome:
    if question.id not in found:
        return question_set.outcome(question.id)
    market, _ = found[question.id]
    settled = market.settled in ("confirmed", "split", "no_label")
    return Outcome(
        question_id=question.id,
        outcome=market.outcome if market.settled == "confirmed" else None,
        resolved_at=market.closed_at if settled else None,
    )


def _prices(
    question_set: QuestionSet, question: Question, found: Mapping[str, tuple[Market, MarketData]], now: datetime
) -> pl.DataFrame:
    if question.id not in found:
        return question_set.prices.filter(pl.col("question_id") == question.id)
    _, data = found[question.id]
    return data.rows(question.id, *stretch(question.window.start, question.window.end, now))


def _is_same(question_set: QuestionSet, outcomes: list[Outcome], prices: pl.DataFrame) -> bool:
    known = [question_set.outcome(outcome.question_id) for outcome in outcomes]
    columns = ["question_id", "hour", "price", "volume_usdc"]
    in_order = prices.select(columns).sort("question_id", "hour")
    return known == outcomes and in_order.equals(question_set.prices.select(columns).sort("question_id", "hour"))


def _next(version: str) -> str:
    return str(int(version) + 1) if version.isdecimal() else f"{version}.1"
