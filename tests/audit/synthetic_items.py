"""Synthetic items: texts of some paragraphs, with a sentence that leaks or with one that only could be taken for it."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

from cruxbench_inspect.audit.items import Item, Ultimate
from tests.audit.wordings import CLEAN

QUESTIONS = (
    (
        "Will Orvella Foods complete its purchase of Brightmill Bakeries by {end}?",
        "Orvella Foods completed its purchase of Brightmill Bakeries",
        "Orvella Foods did not complete its purchase of Brightmill Bakeries",
    ),
    (
        "Will the Senate of Esklander pass the Harbour Safety Act before {end}?",
        "The Senate of Esklander passed the Harbour Safety Act",
        "The Senate of Esklander never passed the Harbour Safety Act",
    ),
    (
        "Will Ilsa Morvane resign as mayor of Velmar by {end}?",
        "Ilsa Morvane resigned as mayor of Velmar",
        "Ilsa Morvane had not resigned as mayor of Velmar",
    ),
)
"""Questions, and clauses that tell a Yes and a No."""

FILLERS = (
    "Residents had complained about noise for years.",
    "The ministry employs 2,300 people in eleven cities.",
    "A decision is not expected soon.",
    "Prices rose 2.1 percent over the year, after 1.9 percent the year before.",
    '"We have to wait," said the spokeswoman of the port.',
    "The talks are held behind closed doors.",
    "The firm was founded in 1964 by two brothers.",
    "He called the plan a mistake and asked for patience.",
    "Opponents fear higher rents, while supporters hope for jobs.",
    "The weather was mild for the season.",
)
_ZONES = (
    ("UTC", 0),
    ("GMT", 0),
    ("CET", 1),
    ("EST", -5),
    ("PST", -8),
    ("JST", 9),
    ("America/Halifax", None),
    ("", None),
)
_LONG = (
    "%-d %B %Y",
    "%B %-d, %Y",
    "%b %-d, %Y",
    "%Y-%m-%d",
    "%A, %B %-d, %Y",
    "%-d %b %Y",
    "%A %-d %B %Y",
    "%b. %-d, %Y",
)
_SHORT = ("%-d %B", "%B %-d", "%b. %-d", "%A, %B %-d")
_FIELD = re.compile(r"\{(\w+)\}")
_LINE = re.compile(r"^(?:[A-Z]{3,}|\{)")


@dataclass(frozen=True)
class Sample:
    """A synthetic item.

    Attributes:
        wording: The wording that it was made from.
        item: The item.
        ultimate: The question that it was shown for.
    """

    wording: str
    item: Item
    ultimate: Ultimate


def samples(wordings: Sequence[str], count: int, seed: int) -> Iterator[Sample]:
    """Items with one wording each, all wordings about equally often, with varied dates, formats, zones and places."""
    draw = random.Random(seed)
    for number in range(count):
        wording = wordings[number % len(wordings)]
        cutoff = datetime(2025, 3, 1, 12 * draw.randrange(2), tzinfo=UTC) + timedelta(days=draw.randrange(600))
        question, yes, no = draw.choice(QUESTIONS)
        outcome = draw.choice(("Yes", "No"))
        end = cutoff + timedelta(days=draw.randrange(35, 90))
        ultimate = Ultimate(question.format(end=f"{end:%-d %B %Y}"), cutoff, outcome, end)  # type: ignore[arg-type]
        told = yes if outcome == "Yes" else no
        if not wording.startswith("{told}"):
            told = told.replace("The Senate", "the Senate")
        sentence = _filled(wording.replace("{outcome}", outcome).replace("{told}", told), cutoff, draw)
        text = _placed(sentence, wording, cutoff, draw)
        published = cutoff - timedelta(hours=draw.randrange(1, 2000))
        item = Item(
            "log", "sample", "generator", "document", cutoff, text, title="Report from the region",
            stated=(("published", published.isoformat()),), document_id=f"doc-{number}",
        )  # fmt: skip
        yield Sample(wording, item, ultimate)


def date_text(field: str, cutoff: datetime, draw: random.Random) -> str:
    """A date of a field, in one of many formats."""
    which, _, form = field.partition("_")
    near = 60 if form == "short" else 200
    days = {"late": (2, 28), "ahead": (2, near), "past": (2, near)}[which]
    away = draw.randrange(*days)
    moment = cutoff - timedelta(days=away) if which == "past" else cutoff + timedelta(days=away)
    if form == "clock":
        return _clock(which, cutoff, draw)
    if form == "short":
        return moment.strftime(draw.choice(_SHORT)).replace("May.", "May")
    if form == "month":
        if which == "past":
            return (cutoff - timedelta(days=draw.randrange(31, 300))).strftime("%B %Y")
        sure = cutoff + timedelta(days=2)
        following = (sure.replace(day=28) + timedelta(days=4 + 31 * draw.randrange(2))).replace(day=15)
        return following.strftime("%B %Y")
    if form == "year":
        return str(cutoff.year if which == "past" else cutoff.year + draw.randrange(1, 3))
    return (
        _in_digits(moment.date(), draw)
        if draw.random() < 0.15
        else moment.strftime(draw.choice(_LONG)).replace("May.", "May")
    )


def _in_digits(day: date, draw: random.Random) -> str:
    # What can be read in two ways proves nothing.
    if day.day <= 12:
        return day.isoformat()
    return day.strftime(draw.choice(("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d")))


def _clock(which: str, cutoff: datetime, draw: random.Random) -> str:
    zone, hours = draw.choice(_ZONES)
    # Without a zone, or in one with summer time, only what is further away is sure.
    least = 15 * 60 if hours is None else 5
    away = timedelta(minutes=draw.randrange(least, 25 * 24 * 60))
    moment = (cutoff - away if which == "past" else cutoff + away).astimezone(timezone(timedelta(hours=hours or 0)))
    clock = moment.strftime(draw.choice(("%H:%M", "%-I:%M %p", "%-I:%M%p")))
    stamp = f"{clock} {zone}".strip()
    return draw.choice(
        (f"{stamp}, {moment:%-d %B %Y}", f"{moment:%B %-d, %Y} at {stamp}", f"{moment:%-d %b %Y} {stamp}")
    )


def _placed(sentence: str, wording: str, cutoff: datetime, draw: random.Random) -> str:
    before, after = (draw.sample(FILLERS, draw.randrange(0, 4)) for _ in range(2))
    if draw.random() < 0.5:
        before.append(_innocent(cutoff, draw))
    own_line = not sentence.endswith(".") or bool(_LINE.match(wording))
    if own_line:
        return "\n".join(part for part in (" ".join(before), sentence, " ".join(after)) if part)
    return " ".join([*before, sentence, *after])


def _innocent(cutoff: datetime, draw: random.Random) -> str:
    wording = draw.choice([line for line in CLEAN[:3] if "{past}" in line])
    return _filled(wording, cutoff, draw)


def _filled(wording: str, cutoff: datetime, draw: random.Random) -> str:
    return _FIELD.sub(lambda match: date_text(match[1], cutoff, draw), wording)
