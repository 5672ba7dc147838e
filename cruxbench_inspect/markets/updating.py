"""Filling prices and outcomes of a live round into its question set, as a new version of it."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.candidates import AT_ONCE
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.market_data import recorded, stretch
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.recorded_market import ask_about, known_market
from cruxbench_inspect.markets.set_writer import write_set
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.questions import EarlierVersion, Outcome, Question, QuestionSet
from cruxbench_inspect.side_by_side import Progress, side_by_side
from cruxbench_inspect.utc import format_utc, parse_utc


@dataclass
class Updated:
    """What came of an update.

    Attributes:
        question_set: The set as it is now.
        is_new: Whether it is a new version.
        outcomes: Questions by outcome; "open" for those without.
        stale: Questions that the exchange does not list any more.
        problems: One line each for what the exchange did not answer, for what is damaged in the record, and for
            questions that stay as they were, and why.
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
        ask: Whether the exchange is asked for news first. Either way, all answers that are kept count.

    Returns:
        The same version where nothing is new.

    Raises:
        InputError: If the set is no live round, was updated later than now, or cannot be written.
    """
    manifest = question_set.manifest
    if not question_set.is_live:
        raise InputError(f"question set {question_set.name!r} is no live round: it was complete when it was built")
    _refuse_earlier(question_set, now)
    known: dict[str, _Known] = {}
    problems: dict[str, list[str]] = {}
    stale: list[str] = []

    async def get(question: Question) -> None:
        lines = problems.setdefault(question.id, [])
        if ask:
            listed, failures = await ask_about(exchange, question, now)
            lines += [f"{failure}; what was recorded counts" for failure in failures]
            if not listed:
                stale.append(question.id)
        # What was answered just now was asked after the present that this update is of.
        until = exchange.data.clock() if ask else now
        market = await known_market(exchange, question, until)
        if market is None:
            lines.append("nothing was recorded of it; it stays as it was")
            return
        data = await recorded(exchange, market, (question.window.start, question.window.end), now, until=until)
        if data.through is None:
            lines.append("no trades were recorded of it; it stays as it was")
            return
        if market.settled == "unconfirmed":
            lines.append("it is closed, and the oracle's word on it is not recorded; its outcome stays open")
        hours = stretch(question.window.start, question.window.end, data.through)
        outcome = _outcome(question, market)
        if outcome.resolved_at is not None and not data.reaches(outcome.resolved_at, question.window.hours[1] + MARGIN):
            # With the closure known, hours that are missing before it would count as after settlement, and score 0.
            outcome = outcome.model_copy(update={"resolved_at": None})
        known[question.id] = _Known(outcome, data.rows(question.id, *hours), market.closed_at)

    await side_by_side(question_set.questions, get, AT_ONCE, progress.step("prices and outcomes"))
    for question in question_set.questions:
        one = known.get(question.id)
        if one is not None:
            prices, lost = _with_what_was_known(_own_prices(question_set, question), one)
            if lost:
                problems[question.id].append(f"{lost} hours are not in the record any more; they stay as they were")
            known[question.id] = _Known(one.outcome, prices, one.closed_at)
    outcomes = [
        known[question.id].outcome if question.id in known else question_set.outcome(question.id)
        for question in question_set.questions
    ]
    prices = pl.concat(
        [
            known[question.id].prices if question.id in known else _own_prices(question_set, question)
            for question in question_set.questions
        ]
    )
    updated = Updated(
        question_set,
        is_new=False,
        outcomes=Counter(outcome.outcome or "open" for outcome in outcomes),
        stale=sorted(stale),
        problems=[*exchange.damaged, *(f"{id}: {line}" for id in sorted(problems) for line in problems[id])],
    )
    if _is_same(question_set, outcomes, prices):
        return updated
    this = EarlierVersion(
        version=manifest.version, digest=question_set.digest, questions=manifest.files["questions.jsonl"]
    )
    later = manifest.model_copy(
        update={
            "version": _next(manifest.version),
            "earlier": (*manifest.earlier, this),
            "counts": {**(manifest.counts or {}), "updated": format_utc(now), "stale": [*updated.stale]},
        }
    )
    updated.question_set = write_set(question_set.folder, later, question_set.questions, outcomes, prices, replace=True)
    updated.is_new = True
    return updated


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known of a question by now: its outcome, rows of prices, and when its market closed, sure or not."""

    outcome: Outcome
    prices: pl.DataFrame
    closed_at: datetime | None


def _refuse_earlier(question_set: QuestionSet, now: datetime) -> None:
    counts = question_set.manifest.counts
    updated = counts.get("updated") if isinstance(counts, dict) else None
    if isinstance(updated, str) and now < parse_utc(updated):
        raise InputError(
            f"question set {question_set.name!r} was updated at {updated}, and now it is {format_utc(now)}: "
            "set the clock right"
        )


def _outcome(question: Question, market: Market) -> Outcome:
    settled = market.settled in ("confirmed", "split", "no_label")
    return Outcome(
        question_id=question.id,
        outcome=market.outcome if market.settled == "confirmed" else None,
        resolved_at=market.closed_at if settled else None,
    )


def _own_prices(question_set: QuestionSet, question: Question) -> pl.DataFrame:
    return question_set.prices.filter(pl.col("question_id") == question.id)


def _with_what_was_known(before: pl.DataFrame, known: _Known) -> tuple[pl.DataFrame, int]:
    """What is known now, with the hours that the set has a price of and the record has not, and how many those are.

    Hours after the market's closure are not among them: that they have no price is news.
    """
    closed = known.closed_at
    priced = before.filter(pl.col("price").is_not_null())
    if closed is not None:
        priced = priced.filter(pl.col("hour") < closed)
    now = known.prices.filter(pl.col("price").is_not_null())
    lost = priced.join(now, on="hour", how="anti")
    if lost.is_empty():
        return known.prices, 0
    rest = known.prices.join(lost, on="hour", how="anti")
    return pl.concat([rest, lost.select(rest.columns).cast(rest.schema)]).sort("hour"), lost.height


def _is_same(question_set: QuestionSet, outcomes: list[Outcome], prices: pl.DataFrame) -> bool:
    known = [question_set.outcome(outcome.question_id) for outcome in outcomes]
    columns = ["question_id", "hour", "price", "volume_usdc"]
    in_order = prices.select(columns).sort("question_id", "hour")
    return known == outcomes and in_order.equals(question_set.prices.select(columns).sort("question_id", "hour"))


def _next(version: str) -> str:
    return str(int(version) + 1) if version.isdecimal() else f"{version}.1"
