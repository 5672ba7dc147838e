"""The release's questions as questions of a set, without what became known only after their windows' starts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import ValidationError

from cruxbench_inspect.markets.deadlines import stated_deadline
from cruxbench_inspect.markets.release.records import ReleasedArticle, ReleasedQuestion
from cruxbench_inspect.markets.rules_text import as_of_rules
from cruxbench_inspect.questions import Article, Outcome, Question, Window

LONGEST = timedelta(days=30)
"""How long a window may be."""

BEFORE_CLOSE = timedelta(days=3)
"""How long before a market's end its last window has to end."""


@dataclass(frozen=True)
class ImportedQuestion:
    """A question with what the import needs to know of it.

    Attributes:
        question: For the set; its id is the market's.
        outcome: For the set.
        period: The window's number, by which the release's other files name it.
        last_price: The last price of the market, if known: crux answers after it inform no forecast.
    """

    question: Question
    outcome: Outcome
    period: int
    last_price: datetime | None


@dataclass(frozen=True)
class ImportedQuestions:
    """All questions that could be read.

    Attributes:
        by_id: In the release's order.
        counts: What was found and left out, by name.
        notes: What is wrong with single questions.
    """

    by_id: dict[str, ImportedQuestion]
    counts: dict[str, int]
    notes: list[str]


def import_questions(released: Iterable[ReleasedQuestion]) -> ImportedQuestions:
    """Make questions of the release's records; one that cannot be used is left out, and a note says why."""
    by_id: dict[str, ImportedQuestion] = {}
    counts: Counter[str] = Counter(
        windows_cut_short_of_scheduled_close=0,
        windows_past_scheduled_close=0,
        windows_from_3_days_before_close_on=0,
        closes_stated_by_rules=0,
        articles_not_before_window=0,
        articles_without_date=0,
        descriptions_with_later_notes=0,
    )
    notes = []
    for record in released:
        try:
            if record.id in by_id:
                raise ValueError("stands in the file more than once")
            imported, its_counts = _imported(record)
        except ValidationError as error:
            notes.append(f"question {record.id} is left out: {error.errors()[0]['msg'].removeprefix('Value error, ')}")
        except ValueError as error:
            notes.append(f"question {record.id} is left out: it {error}")
        else:
            by_id[record.id] = imported
            counts.update(its_counts)
            if imported.outcome.outcome is None:
                notes.append(f"question {record.id} has the resolution {record.resolution!r}: its outcome is unknown")
    ignored = counts.pop("further_windows", 0)
    if ignored:
        notes.append(f"{ignored} windows after the first one of their question are left out")
    return ImportedQuestions(by_id, {"questions": len(by_id), **counts}, notes)


def _imported(record: ReleasedQuestion) -> tuple[ImportedQuestion, Counter[str]]:
    counts: Counter[str] = Counter(further_windows=len(record.active_windows) - 1)
    released = record.active_windows[0]
    its_window = Window(start=released.start, end=released.end)
    event = record.events[0] if record.events else None
    opened = record.opened or record.created or record.first_price
    if opened is None:
        raise ValueError("has no start date")
    rules = as_of_rules(record.description)
    scheduled = record.closes or (event.closes if event else None)
    stated = stated_deadline(rules.text, record.question, opened, scheduled)
    closes = stated or scheduled
    if closes is None:
        raise ValueError("has no scheduled close")
    window = Window(start=its_window.start, end=_latest_end(its_window.start, closes))
    question = Question(
        id=record.id,
        source="polymarket",
        market_id=record.id,
        event_id=event.id if event else None,
        question=record.question.strip(),
        description=rules.text,
        opened=opened,
        # Never the last price's time, which the release shows as the end: that of an early settlement would leak it.
        closes=closes,
        window=window,
        tags=tuple(filter(None, map(_label, record.tags))),
        url=f"https://polymarket.com/market/{record.slug}" if record.slug else None,
        articles=_admitted(released.as_dicts, window.start, counts),
    )
    counts["windows_cut_short_of_scheduled_close"] += its_window.hours < window.hours
    counts["windows_past_scheduled_close"] += its_window.hours > window.hours
    counts["windows_from_3_days_before_close_on"] += window.start >= closes - BEFORE_CLOSE
    counts["closes_stated_by_rules"] += stated is not None and stated != scheduled
    counts["descriptions_with_later_notes"] += bool(rules.removed)
    outcome = Outcome(
        question_id=record.id,
        outcome=_answer(record.resolution),
        resolved_at=record.oracle_resolved or record.closed,
        # Baselines are the release's, whose window is for scorers only: it tells when the market settled.
        window_end=None if its_window.hours == window.hours else its_window.end,
    )
    return ImportedQuestion(question, outcome, released.period_idx, record.last_price), counts


def _latest_end(start: datetime, closes: datetime) -> datetime:
    """The end of a window, which must not depend on when the market settled.

    One that starts too late to end before the last days lasts until the close, since a later end would tell that the
    market went on. One that starts after the close is 30 days long: that it went on was known by then.
    """
    return min(start + LONGEST, next((end for end in (closes - BEFORE_CLOSE, closes) if end > start), start + LONGEST))


def _admitted(released: Iterable[ReleasedArticle], window_start: datetime, counts: Counter[str]) -> tuple[Article, ...]:
    articles = []
    for article in released:
        if article.pub_date is None:
            counts["articles_without_date"] += 1
        elif article.pub_date >= window_start:
            counts["articles_not_before_window"] += 1
        else:
            source = article.source or urlsplit(article.url).hostname or ""
            articles.append(
                Article(
                    title=article.title,
                    url=article.url,
                    source=source,
                    published=article.pub_date,
                    summary=article.summary,
                )
            )
    return tuple(articles)


def _label(tag: Any) -> str:
    """The text of a tag, which may be an object."""
    return str(tag.get("label") or tag.get("slug") or "") if isinstance(tag, dict) else str(tag or "")


def _answer(text: str) -> Literal["Yes", "No"] | None:
    match text.strip().casefold():
        case "yes":
            return "Yes"
        case "no":
            return "No"
    return None
