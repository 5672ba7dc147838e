"""What a crux asks, as far as keywords tell: kinds of events, the matter, a threshold, the day it is due."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from cruxbench_inspect.keyword.dates import date_mentions, without_spans
from cruxbench_inspect.keyword.events import EventMention, event_mentions, event_stems
from cruxbench_inspect.keyword.figures import Threshold, threshold
from cruxbench_inspect.keyword.prompts import ShownCrux
from cruxbench_inspect.keyword.words import matter, names, stem, tokens

_DUE = re.compile(r"(?:\bon|\bdue|\bfor|\bof|\bnext|\bdated|,)\s+(?:the\s+)?$", re.IGNORECASE)


class Asked(NamedTuple):
    """What a crux asks.

    Attributes:
        kinds: Kinds of the asked event, the main one first; empty where no event word is known.
        verbs: Stems of the question's lower-case words, which may be verbs that the table of events lacks.
        matter: Weights of what the question is about, without the event words.
        actor: The part of the matter that stands before the event word: who or what acts.
        things: The part of the matter that is no name.
        threshold: The number that decides, if one does.
        due: The day inside the window on which the matter is to be settled, if the crux names one.
        bound: Whether the question itself names that day, so that earlier events are others.
        single: Whether one occasion decides (a due day, or the next of a series), so that a No there is final.
    """

    kinds: tuple[str, ...]
    verbs: frozenset[str]
    matter: Mapping[str, float]
    actor: Mapping[str, float]
    things: Mapping[str, float]
    threshold: Threshold | None
    due: date | None
    bound: bool
    single: bool


@lru_cache(maxsize=512)
def read_asked(crux: ShownCrux) -> Asked:
    """Read what a crux asks from its question, and its due date also from its background and criteria."""
    question = crux.question
    plain = without_spans(
        question, [(mention.start, mention.end) for mention in date_mentions(question, crux.opens.date())]
    )
    compared = threshold(plain)
    if compared is not None:
        plain = without_spans(plain, [compared[1]])
    mentions = _ranked(plain)
    kinds = tuple(dict.fromkeys(mention.kind for mention in mentions))
    about = matter(plain, without=event_stems(kinds[0]) if kinds else ()) or matter(plain)
    parts = tokens(plain)
    before = {stem(part.lower) for part in parts[: mentions[0].place]} if mentions else set()
    named = {stem(name.casefold()) for name in names(plain)}
    due, bound = _due(crux)
    return Asked(
        kinds=kinds,
        verbs=frozenset(stem(part.lower) for part in parts if part.text[0].islower()),
        matter=about,
        actor={word: weight for word, weight in about.items() if word in before},
        things={word: weight for word, weight in about.items() if word not in named},
        threshold=compared[0] if compared else None,
        due=due,
        bound=bound,
        single=due is not None or "next" in {part.lower for part in parts},
    )


def _ranked(question: str) -> list[EventMention]:
    """The event words of a question, the one that is asked about first: in its base form or as a participle."""
    return sorted(event_mentions(question), key=lambda mention: (mention.form not in {"base", "past"}, mention.place))


def _due(crux: ShownCrux) -> tuple[date | None, bool]:
    first, last = crux.opens.date(), crux.deadline.date()
    for text in (crux.question, crux.resolution_criteria, crux.background):
        for mention in date_mentions(text, first):
            if first <= mention.day <= last and _DUE.search(text[: mention.start]):
                return mention.day, text == crux.question
    return None, False
