"""What a kind of story is made of. The kinds themselves are in ``stories/``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cruxbench_inspect.demo.beliefs import Answer

Schedule = Literal["scheduled", "repeated", "surprise"]
"""How an event comes: on a date that the articles name, on a weekday that they name, or out of the blue."""

Reporting = Literal["stated", "convention", "dated", "undated", "silent"]
"""What the evidence says about an event's time.

``stated``: a clock time with its place and zone. ``convention``: a date, and the hour at which such releases always
come out. ``dated``: a date alone. ``undated``: only that it has happened by now. ``silent``: nothing, ever.
"""

NoRule = Literal["no_deadline", "no_irreversible"]
"""The resolution rule for a question about an event whose answer is No."""


@dataclass(frozen=True)
class Report:
    """Templates of a document.

    Attributes:
        title: Its title.
        text: Its text.
        delay: Minutes from the event to its publication: the shortest and the longest.
    """

    title: str
    text: str
    delay: tuple[int, int] = (4, 50)


@dataclass(frozen=True)
class Series:
    """A figure that comes out every week.

    Attributes:
        weekday: 0 is Monday.
        releases: How many of them count as events inside the window.
        level: Range of the first figure.
        step: Range of a rise or fall.
        decimals: Digits after the point.
    """

    weekday: int
    releases: int
    level: tuple[float, float]
    step: tuple[float, float]
    decimals: int = 0


@dataclass(frozen=True)
class Beat:
    """One event of a story, or one series of them.

    Attributes:
        key: Its name; templates refer to it as ``{key_plan}``, ``{key_on}`` and so on.
        asks: The yes/no question that it answers.
        schedule: How it comes.
        days: First and last day of the window on which it may fall.
        clock: Local time at which it becomes public, as HH:MM.
        likelihoods: P(Yes | U) and P(Yes | not U).
        reporting: One mode for each of the story's casts.
        yes: Documents after a Yes.
        no: Documents after a No.
        no_rule: How a No is dated.
        ends: Answers that end the story.
        called_off: The document when an earlier end of the story means that this event will never happen.
        series: For a repeated event, its figures: Yes means that the figure rose.
    """

    key: str
    asks: str
    schedule: Schedule
    days: tuple[int, int]
    clock: str
    likelihoods: tuple[float, float]
    reporting: tuple[Reporting, Reporting, Reporting, Reporting]
    yes: tuple[Report, ...]
    no: tuple[Report, ...] = ()
    no_rule: NoRule = "no_deadline"
    ends: tuple[Answer, ...] = ()
    called_off: Report | None = None
    series: Series | None = None


@dataclass(frozen=True)
class Sibling:
    """A second market on the same event.

    Attributes:
        question: Template of its question.
        description: Template of its resolution rules; it settles after the deadline.
        strength: How far the story's news move it, as a multiple of the main market's move.
    """

    question: str
    description: str
    strength: float


@dataclass(frozen=True)
class Story:
    """A kind of story: templates, and four casts that play it.

    Attributes:
        kind: Its name, part of the question ids.
        tags: The questions' tags.
        casts: The names in the templates; ``city`` picks the place.
        prior: Range of the first price.
        question: Template of the ultimate question U.
        description: Template of its resolution rules.
        articles: Templates of what was known before the window; the first ones announce what is scheduled.
        core: How many of the articles every cast gets.
        beats: Its events.
        waiting: The document late in the window that says that the matter is open, if it is.
        aftermath: Documents by the final outcome of U.
        settles: Whether the market settles hours after an end of the story, or trades on until it closes.
        at_deadline: Whether U is about the deadline's day itself, so that a Yes cannot settle before it.
        sibling: A second market, for the first cast.
    """

    kind: str
    tags: tuple[str, ...]
    casts: tuple[Mapping[str, str], ...]
    prior: tuple[float, float]
    question: str
    description: str
    articles: tuple[Report, ...]
    core: int
    beats: tuple[Beat, ...]
    waiting: Report
    aftermath: Mapping[Answer, Report]
    settles: bool = True
    at_deadline: bool = False
    sibling: Sibling | None = None
