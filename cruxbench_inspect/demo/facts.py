"""What is true in the demo's world about every event: the answer sheet, which no file of the set has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cruxbench_inspect.demo.beliefs import Answer, News
from cruxbench_inspect.demo.draws import Draws
from cruxbench_inspect.demo.script import Occurrence, Script
from cruxbench_inspect.demo.story import Reporting, Schedule
from cruxbench_inspect.demo.text import render

Category = Literal["yes", "no_deadline", "no_irreversible", "unreported", "undated"]


@dataclass(frozen=True)
class Fact:
    """What is true about one event of the set.

    Attributes:
        question_id: The main question of its story.
        key: The event's name in the story.
        asks: A crux that it answers.
        schedule: How it comes.
        reporting: How the evidence tells its time.
        answer: The true answer; None if no evidence tells it.
        category: How a good judge settles the crux. The No of a decision that is taken once, on the crux's last day, is
            ``no_deadline`` here; a judge may just as well call it final at the hour of the decision.
        public_at: When the answer became public: the event's moment, or that of an earlier end of the story that
            made a Yes impossible. None where nothing tells it.
    """

    question_id: str
    key: str
    asks: str
    schedule: Schedule
    reporting: Reporting
    answer: Answer | None
    category: Category
    public_at: datetime | None


@dataclass(frozen=True)
class Ending:
    """The event after which U is certain: its moment, and U's outcome."""

    at: datetime
    outcome: Answer


def ending_of(occurrences: Sequence[Occurrence], news: Sequence[News | None]) -> Ending | None:
    """The first event that ends the story, if one does."""
    for occurrence, item in zip(occurrences, news, strict=True):
        if item and item.answer in occurrence.beat.ends:
            return Ending(occurrence.at, item.answer)
    return None


def happened(
    occurrences: Sequence[Occurrence], news: Mapping[Occurrence, News | None], ending: Ending | None
) -> list[tuple[Occurrence, Answer | None]]:
    """Every event with its answer; None where an ended story has no place for it, or where nobody tells it."""
    answers: list[tuple[Occurrence, Answer | None]] = []
    for occurrence in occurrences:
        item = news.get(occurrence)
        answer = item.answer if item else None
        if occurrence.reporting == "undated" and not (ending and ending.at < occurrence.at):
            answer = "Yes"
        answers.append((occurrence, answer))
    return answers


def facts_of(
    script: Script,
    answers: Sequence[tuple[Occurrence, Answer | None]],
    event_fields: Sequence[dict[str, str]],
    ending: Ending | None,
    draws: Draws,
) -> tuple[Fact, ...]:
    """What is true about each event.

    Args:
        script: The story.
        answers: What ``happened`` returned.
        event_fields: The fields of each event's templates.
        ending: The end of the story, if it has one.
        draws: The random choices.
    """
    facts = []
    for (occurrence, answer), fields in zip(answers, event_fields, strict=True):
        beat, public_at = occurrence.beat, occurrence.at
        category: Category = "yes" if answer == "Yes" else beat.no_rule
        if ending and ending.at < occurrence.at:
            if beat.schedule == "repeated" or ending.outcome == "Yes":
                continue
            answer, category, public_at = "No", "no_irreversible", ending.at
        elif occurrence.reporting == "silent":
            answer, category = None, "unreported"
        elif occurrence.reporting == "undated":
            category = "undated"
        told = category in ("yes", "no_irreversible") or (answer == "No" and beat.no)
        facts.append(
            Fact(
                question_id=script.question_id,
                key=beat.key,
                asks=render(beat.asks, fields, draws),
                schedule=beat.schedule,
                reporting=occurrence.reporting,
                answer=answer,
                category=category,
                public_at=public_at if told else None,
            )
        )
    return tuple(facts)
