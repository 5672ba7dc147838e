"""The recorder of a live round: what the exchange and the news say of its questions, as long as it lasts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import anyio.to_thread

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.source import EvidenceSource, SourceFailure
from cruxbench_inspect.markets.candidates import AT_ONCE
from cruxbench_inspect.markets.collection import Collection
from cruxbench_inspect.markets.deadlines import stated_deadline
from cruxbench_inspect.markets.hourly import PROVISIONAL
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.recorded_market import ask_about, known_market
from cruxbench_inspect.markets.rules_text import as_of_rules
from cruxbench_inspect.markets.told_stretches import LAG
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.resolution import GRACE
from cruxbench_inspect.side_by_side import Progress, side_by_side
from cruxbench_inspect.utc import format_utc

_HITS = 20
_PATIENCE = timedelta(days=5)


@dataclass
class Recorded:
    """What one pass has recorded.

    Attributes:
        questions: Questions that were looked at.
        closed: Those whose market is closed.
        documents: Documents that are new in the archive.
        changed_rules: Questions whose rules read otherwise now than at the start, or have a note.
        stale: Questions that the exchange does not list any more.
        problems: One line each for what could not be recorded; the next pass tries again.
    """

    questions: int = 0
    closed: int = 0
    documents: int = 0
    changed_rules: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def is_over(question_set: QuestionSet, now: datetime) -> bool:
    """Whether nothing of a round is to be recorded any more.

    Scores are final 96 hours after the last window, and a day after that the exchange's word on those hours is, too.
    One more day is for a last pass that gets nothing.
    """
    last = max(question.window.hours[1] for question in question_set.questions) + MARGIN
    return now >= last + 2 * LAG + 2 * PROVISIONAL


async def record_once(
    question_set: QuestionSet,
    collection: Collection,
    exchange: Polymarket,
    source: EvidenceSource | None,
    now: datetime,
    progress: Progress,
) -> Recorded:
    """Record what there is now: rules, prices, trades, resolutions, and news.

    Everything is kept as it came. A pass that is stopped, or fails for some questions, loses nothing: the next one
    gets what is missing.

    Args:
        question_set: The round's questions.
        collection: Where everything is kept.
        exchange: Asks the exchange.
        source: Where news are looked for, None for none.
        now: The present.
        progress: Shows how far it is.
    """
    recorded = Recorded()
    archive = LocalArchive(collection.evidence_archive) if source is not None else None

    async def look(question: Question) -> None:
        recorded.questions += 1
        listed, failures = await ask_about(exchange, question, now)
        recorded.problems += [f"{question.id}: {failure}" for failure in failures]
        if not listed:
            recorded.stale.append(question.id)
        market = await known_market(exchange, question)
        if market is not None:
            recorded.closed += market.closed_at is not None
            if _reads_otherwise(market, question):
                recorded.changed_rules.append(question.id)
        if source is not None and archive is not None and now < question.window.end + GRACE:
            await _record_news(question, source, archive, now, recorded)

    await side_by_side(question_set.questions, look, AT_ONCE, progress.step(f"questions at {format_utc(now)}"))
    for lines in (recorded.changed_rules, recorded.stale, recorded.problems):
        lines.sort()
    return recorded


async def watch(
    question_set: QuestionSet,
    once: Callable[[], Awaitable[Recorded]],
    clock: Callable[[], datetime],
    every: timedelta,
    sleep: Callable[[float], Awaitable[None]],
    told: Callable[[Recorded], None],
) -> None:
    """Record again and again until the round is over, and its last pass got everything, or failed for some days.

    Args:
        question_set: The round's questions.
        once: Makes one pass.
        clock: The present.
        every: How long after the beginning of a pass the next one begins.
        sleep: How to wait, in seconds.
        told: Is told what each pass has recorded.
    """
    while True:
        begun = clock()
        recorded = await once()
        told(recorded)
        # What the last pass could not get may be had some days later.
        if is_over(question_set, begun) and (not recorded.problems or is_over(question_set, begun - _PATIENCE)):
            return
        await sleep(max(0.0, (begun + every - clock()).total_seconds()))


def _reads_otherwise(market: Market, question: Question) -> bool:
    """Whether question, rules or deadline are not what they were at the start."""
    rules = as_of_rules(market.description)
    closes = stated_deadline(rules.text, market.question, market.opened, market.closes) or market.closes
    now = (market.question, rules.text, closes)
    return bool(rules.removed) or now != (question.question, question.description, question.closes)


async def _record_news(
    question: Question, source: EvidenceSource, archive: LocalArchive, now: datetime, recorded: Recorded
) -> None:
    try:
        outcome = await source.search(question.question, now, _HITS)
        documents: list[Document] = []
        for hit in outcome.hits:
            known = hit.document
            whole = known if known.text and not known.excerpt else await source.fetch(known, now)
            documents += [one for one in (whole, known) if one is not None and one.text][:1]
    except SourceFailure as failure:
        recorded.problems.append(f"{question.id}: {failure}")
        return
    recorded.problems += [f"{question.id}: {part.failure}" for part in outcome.failures]
    kept = [one for one in documents if one.proof != "C" and rejection(one, now) is None]
    added = await anyio.to_thread.run_sync(archive.add, kept)
    recorded.documents += added
