"""Every story of the set is played: beliefs first, then the answers, and from the answers the documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.demo import documents
from cruxbench_inspect.demo.beliefs import Answer, Market, News, Signal, follow, lead
from cruxbench_inspect.demo.documents import Document
from cruxbench_inspect.demo.draws import Draws
from cruxbench_inspect.demo.facts import Fact, ending_of, facts_of, happened
from cruxbench_inspect.demo.market import BUSY, NORMAL, THIN, hours_of, open_market, recorded, volumes
from cruxbench_inspect.demo.script import Occurrence, Script, stage
from cruxbench_inspect.demo.stories import STORIES
from cruxbench_inspect.demo.story import Sibling
from cruxbench_inspect.demo.text import render
from cruxbench_inspect.utc import floor_hour, format_utc

FIRST_START = datetime(2025, 2, 12, tzinfo=UTC)
LAST_START = datetime(2025, 10, 14, tzinfo=UTC)
CASTS = 4

CONTESTED = (10, 28)
"""Stories whose market never gets an outcome."""

UPDATED = (4, 14, 24, 32)
"""Stories with a page that is changed when U's outcome is known, if it becomes known after the window."""

CORRECTED = (2, 21)
"""Stories with a page that is corrected hours after its publication."""


@dataclass(frozen=True)
class Series:
    """The rows of a market's prices: hour, price, and volume in USDC."""

    hours: list[datetime]
    prices: list[float]
    volumes: list[float]


@dataclass(frozen=True)
class Question:
    """A market with what was known, what came of it, and its prices.

    Attributes:
        known: Its line of ``questions.jsonl``.
        outcome: U's outcome.
        resolved_at: When the market settled, ISO with Z.
        series: Its prices.
    """

    known: dict[str, Any]
    outcome: Answer | None
    resolved_at: str | None
    series: Series

    @property
    def id(self) -> str:
        """The question's id."""
        return str(self.known["id"])


@dataclass(frozen=True)
class Played:
    """All that the set is made from."""

    questions: list[Question]
    documents: list[Document]
    facts: tuple[Fact, ...]


def play(seed: int) -> Played:
    """Play every story with every cast.

    Args:
        seed: Equal seeds give equal worlds.
    """
    questions: list[Question] = []
    written: list[Document] = []
    facts: list[Fact] = []
    count = CASTS * len(STORIES)
    for number in range(count):
        cast, kind = divmod(number, len(STORIES))
        start = FIRST_START + timedelta(days=round(number * (LAST_START - FIRST_START).days / (count - 1)))
        script = stage(STORIES[kind], cast, start, Draws(seed, number, 0))
        played = _play_one(script, number, Draws(seed, number, 1))
        questions += played.questions
        written += played.documents
        facts += played.facts
    return Played(questions, written, tuple(facts))


def _play_one(script: Script, number: int, draws: Draws) -> Played:
    story = script.story
    hours = hours_of(script.opened, script.start, script.end, draws)
    tradable = [occurrence for occurrence in script.occurrences if occurrence.moves_the_market]
    signals = [_signal(occurrence, hours) for occurrence in tradable]
    market, volume = _open(script, script.prior, hours, signals, draws)
    ticks, news = lead(market, signals, draws)
    ending = ending_of(tradable, news)
    events = happened(script.occurrences, dict(zip(tradable, news, strict=True)), ending)

    before = documents.articles(script, draws)
    inside, event_fields = documents.evidence(script, events, ending.at if ending else None, draws)
    settled = ending.at + timedelta(minutes=draws.integer(4 * 60, 32 * 60)) if ending and story.settles else None
    outcome = ending.outcome if ending else _outcome(ticks, market, draws)
    resolved_at = settled or _resolved_later(script, outcome, story.at_deadline, hours[-1], draws)
    contested = number in CONTESTED
    if not ending:
        waiting = documents.still_open(script, draws)
        after = documents.aftermath(script, outcome, resolved_at + timedelta(minutes=40), draws)
        shown = not contested and number % 2 == 0
        inside += [documents.updated(waiting, after) if shown and number in UPDATED else waiting, *[after] * shown]
    if number in CORRECTED:
        inside[0] = documents.corrected(inside[0], hours=3)

    texts = (story.question, story.description)
    series = _series(hours, ticks, market, volume, settled, draws)
    end = (None, None) if contested else (outcome, resolved_at)
    questions = [_question(script, number, texts, before, end, series, draws)]
    if story.sibling and script.has_sibling:
        questions.append(_sibling(story.sibling, script, number, before, hours, signals, news, draws))
    return Played(questions, before + inside, facts_of(script, events, event_fields, ending, draws))


def _signal(occurrence: Occurrence, hours: Sequence[datetime]) -> Signal:
    if_true, if_false = occurrence.beat.likelihoods
    return Signal(hours.index(floor_hour(occurrence.at)), if_true, if_false, occurrence.beat.ends)


def _open(
    script: Script, prior: float, hours: Sequence[datetime], signals: Sequence[Signal], draws: Draws
) -> tuple[Market, NDArray[np.int64]]:
    liquidity = draws.pick((THIN, NORMAL, NORMAL, BUSY, BUSY))
    volume = volumes(liquidity, hours, script.place.zone, [signal.hour for signal in signals], draws)
    return open_market(prior, volume, draws), volume


def _outcome(ticks: NDArray[np.int64], market: Market, draws: Draws) -> Answer:
    """U's outcome: the last price is its probability."""
    return "Yes" if draws.chance(float(ticks[-1]) * market.tick) else "No"


def _resolved_later(script: Script, outcome: Answer, at_deadline: bool, last: datetime, draws: Draws) -> datetime:
    """A Yes comes at any time after the prices, a No or an answer about the deadline's day when that has passed."""
    moment = script.closes + timedelta(hours=draws.integer(7, 30))
    if outcome == "Yes" and not at_deadline:
        moment = last + (script.closes - last) * draws.between(0.1, 1.0)
    return moment.replace(second=0, microsecond=0)


def _series(
    hours: Sequence[datetime],
    ticks: NDArray[np.int64],
    market: Market,
    volume: NDArray[np.int64],
    settled: datetime | None,
    draws: Draws,
) -> Series:
    """The recorded hours, up to the settlement if the market settles."""
    kept = hours.index(floor_hour(settled)) + 1 if settled else len(hours)
    rows = np.flatnonzero(recorded(ticks[:kept], volume[:kept], draws)).tolist()
    return Series(
        hours=[hours[row] for row in rows],
        prices=[round(int(ticks[row]) * market.tick, 3) for row in rows],
        volumes=[float(volume[row]) for row in rows],
    )


def _question(
    script: Script,
    number: int,
    texts: tuple[str, str],
    articles: Sequence[Document],
    end: tuple[Answer | None, datetime | None],
    series: Series,
    draws: Draws,
    sibling: bool = False,
) -> Question:
    outcome, resolved_at = end
    market_id = str(700_000 + 2 * number + sibling)
    known = {
        "id": script.question_id + ("-2" if sibling else ""),
        "source": "demo",
        "market_id": market_id,
        "event_id": script.question_id.replace("demo-", "") if script.has_sibling else None,
        "question": render(texts[0], script.fields, draws),
        "description": render(texts[1], script.fields, draws),
        "opened": format_utc(script.opened),
        "closes": format_utc(script.closes),
        "window": {"start": format_utc(script.start), "end": format_utc(script.end)},
        "tags": list(script.story.tags),
        "url": f"https://markets.example/{market_id}",
        "articles": [
            {
                "title": article.title,
                "url": article.url,
                "source": article.source,
                "published": article.published,
                "summary": article.text,
            }
            for article in articles
        ],
    }
    return Question(known, outcome, format_utc(resolved_at) if resolved_at else None, series)


def _sibling(
    sibling: Sibling,
    script: Script,
    number: int,
    articles: Sequence[Document],
    hours: Sequence[datetime],
    signals: Sequence[Signal],
    news: Sequence[News | None],
    draws: Draws,
) -> Question:
    """The second market on an event: the same news, with another weight."""
    market, volume = _open(script, draws.between(0.35, 0.75), hours, signals, draws)
    ticks = follow(market, news, sibling.strength, draws)
    outcome = _outcome(ticks, market, draws)
    end = (outcome, _resolved_later(script, outcome, True, hours[-1], draws))
    series = _series(hours, ticks, market, volume, None, draws)
    texts = (sibling.question, sibling.description)
    return _question(script, number, texts, articles, end, series, draws, sibling=True)
