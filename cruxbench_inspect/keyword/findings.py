"""What one document says about a crux, and when it became public."""

import re
from collections.abc import Sequence, Set
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from cruxbench_inspect.keyword.asked import Asked
from cruxbench_inspect.keyword.dates import clock_mentions, date_mentions, weekday_mentions, zone_mentions
from cruxbench_inspect.keyword.event_words import NEGATIONS
from cruxbench_inspect.keyword.events import FINAL, EventMention, event_mentions, says_happened, says_prevented
from cruxbench_inspect.keyword.figures import Threshold, figures
from cruxbench_inspect.keyword.prompts import ShownCrux, ShownDocument
from cruxbench_inspect.keyword.sentences import quote, sentences
from cruxbench_inspect.keyword.submission import Timing
from cruxbench_inspect.keyword.words import overlap, stem, stems, tokens

RELEVANT = 0.5
"""The share of a crux's matter that a sentence and its headline must name to speak about the crux."""

Answer = Literal["Yes", "No"]

_GRACE = timedelta(hours=36)
_STATED_FIGURE = re.compile(r"\b(?:was|were|reported|showed|said|counted|recorded|put)\b")
_SHORTEST_QUOTE = 20
_UNDATED = ("by now", "at some point", "some time ago", "has by", "have by", "in recent weeks", "in the meantime")
_ACTS_SEEN_LATER = frozenset({"arrest", "find", "end", "deliver", "depart"})
"""Kinds of events that may happen before the public learns of them: the document's own date counts."""


class Finding(NamedTuple):
    """A sentence that settles a crux: the answer, why, the words to quote, and the time (None: no reliable one)."""

    answer: Answer
    sentence: str
    quote: str
    timing: Timing | None
    document: ShownDocument


def mentions_matter(asked: Asked, document: ShownDocument) -> bool:
    """Whether a document speaks of what is asked: at least half of the matter, of who acts, and of the things."""
    present = stems(f"{document.title}. {document.text}")
    return all(not part or overlap(part, present) >= RELEVANT for part in (asked.matter, asked.actor, asked.things))


def relevance(asked: Asked, document: ShownDocument) -> float:
    """The share of the crux's matter that a document names, in [0, 1]."""
    return overlap(asked.matter, stems(f"{document.title}. {document.text}"))


def in_window(crux: ShownCrux, document: ShownDocument) -> bool:
    """Whether a document was published inside the crux's window or its 36 hours of grace."""
    moment = document.moment
    return moment is not None and crux.opens <= moment <= min(crux.deadline + _GRACE, crux.available)


def finding(crux: ShownCrux, asked: Asked, document: ShownDocument) -> Finding | None:
    """The first sentence of a document that settles the crux, or None.

    The rules, in the order of the sentences (the headline first): an event of the asked kind that is said to have
    happened, in a sentence that shares at least half of the crux's matter and names who acts, is a Yes; a refusal of
    it, or an event that contradicts it, a No. For a threshold the first figure of the sentence decides. Sentences about
    days before the window, and about other occasions than the one that the question names, settle nothing.
    """
    if not in_window(crux, document):
        return None
    early = asked.bound and asked.due is not None and _day(document) < asked.due - timedelta(days=1)
    title_stems = stems(document.title)
    body = sentences(document.text)
    # A headline shortens names that the first sentence gives in full; a pronoun refers to the sentence before.
    context = stems(body[0]) if body else set()
    for number, sentence in enumerate([document.title, *body]):
        own = stems(sentence)
        present = own | title_stems | context
        context = own
        if overlap(asked.matter, present) < RELEVANT:
            continue
        answer, final = _answer(asked, sentence, own, present, document, headline=number == 0)
        if answer is None or (early and not final):
            continue
        timing, concerns_window = _timing(crux, asked, sentence, document)
        if concerns_window:
            return Finding(answer, sentence, _quoted(sentence, body), timing, document)
    return None


def _answer(
    asked: Asked, sentence: str, own: Set[str], present: Set[str], document: ShownDocument, headline: bool
) -> tuple[Answer | None, bool]:
    """The answer that a sentence gives, and whether it ends the matter for good rather than settle one occasion."""
    if asked.threshold is not None:
        return _compared(asked, asked.threshold, sentence, document, headline), False
    mentions = event_mentions(sentence, headline)
    if not asked.kinds:
        return ("Yes" if _unknown_verb_happened(asked, sentence) else None), False
    main = asked.kinds[0]
    acts = not asked.actor or overlap(asked.actor, present) >= RELEVANT
    names_the_thing = not asked.things or overlap(asked.things, own) >= RELEVANT
    for mention in mentions:
        if mention.status == "happened" and acts and says_happened(main, mention.kind):
            return "Yes", False
        if mention.status == "refused" and acts and mention.kind == main and asked.single:
            return "No", False
        if mention.status == "happened" and mention.kind not in asked.kinds and says_prevented(main, mention.kind):
            final = mention.kind in FINAL
            if names_the_thing if final else acts:
                return "No", final
    return ("No" if acts and _deadline_missed(sentence, mentions) else None), True


def _compared(asked: Asked, limit: Threshold, sentence: str, document: ShownDocument, headline: bool) -> Answer | None:
    """The answer of a sentence's first figure of the right unit; a No counts where one publication decides."""
    stated = [figure for figure in figures(sentence, _day(document)) if figure.percent == limit.percent]
    if not stated or not _reports_a_figure(sentence, headline):
        return None
    met = limit.met_by(stated[0])
    if met is None:
        return None
    return "Yes" if met else "No" if asked.single else None


def _reports_a_figure(sentence: str, headline: bool) -> bool:
    mentions = event_mentions(sentence, headline)
    if any(mention.status == "open" and mention.form == "base" for mention in mentions):
        return False
    happened = any(mention.status == "happened" for mention in mentions)
    return headline or happened or _STATED_FIGURE.search(sentence) is not None


def _unknown_verb_happened(asked: Asked, sentence: str) -> bool:
    parts = tokens(sentence)
    for index, part in enumerate(parts):
        past = part.lower.endswith("ed") and stem(part.lower) in asked.verbs
        before = {word.lower for word in parts[max(0, index - 4) : index]}
        if past and not before & NEGATIONS and not before & {"be", "will", "would", "may", "could", "if", "whether"}:
            return True
    return False


def _deadline_missed(sentence: str, mentions: Sequence[EventMention]) -> bool:
    """Whether a sentence says that a deadline passed without what it was for."""
    words = [token.lower for token in tokens(sentence)]
    passed = "deadline" in words and any(word in words for word in ("passed", "expired", "lapsed", "closed"))
    lapsed = any(mention.kind == "lapse" and mention.status == "happened" for mention in mentions)
    return (passed or lapsed) and any(word in words for word in ("without", "no", "not", "never"))


def _timing(crux: ShownCrux, asked: Asked, sentence: str, document: ShownDocument) -> tuple[Timing | None, bool]:
    """When the sentence's event became public (None: not reliably known), and whether it lies in the window."""
    written = _day(document)
    days = [mention.day for mention in date_mentions(sentence, written)]
    days += [mention.day for mention in weekday_mentions(sentence, written, future=False)]
    past = [day for day in days if day <= written]
    if past and max(past) < crux.opens.date():
        return None, False
    public_act = not (set(asked.kinds[:1]) & _ACTS_SEEN_LATER)
    day = max(past) if past and public_act else written
    if not past and any(marker in sentence.lower() for marker in _UNDATED):
        return None, True
    stated = _stated(crux, sentence, document, day)
    if stated is not None:
        return stated, True
    return Timing.on(day), day <= crux.deadline.date() or (not past and in_window(crux, document))


def _stated(crux: ShownCrux, sentence: str, document: ShownDocument, day: date) -> Timing | None:
    """The clock time in the sentence, else the only one of the document, where its zone is named."""
    zones = zone_mentions(document.text)
    body = sentences(document.text)
    candidates = [(clock, sentence) for clock in clock_mentions(sentence)]
    if not candidates:
        candidates = [(clock, other) for other in body for clock in clock_mentions(other)]
        if len({clock.clock for clock, _ in candidates}) > 1:
            return None
    for clock, words in candidates:
        zone = clock.zone or (zones[0] if len(zones) == 1 else None)
        if zone is None:
            continue
        for possible in [*(mention.day for mention in date_mentions(words, day)), day]:
            local = datetime.combine(possible, clock.clock)
            timing = Timing(local_time=local.isoformat(), zone=zone, precision="stated")
            if _fits(crux, document, timing):
                return timing
    return None


def _fits(crux: ShownCrux, document: ShownDocument, timing: Timing) -> bool:
    """Whether a stated time lies inside the window and not after the document that states it."""
    moment, published = timing.moment, document.moment
    if moment is None or published is None:
        return False
    latest = published + timedelta(hours=36) if document.dated_only else published
    return crux.opens <= moment <= crux.deadline and moment <= latest


def _quoted(sentence: str, body: list[str]) -> str:
    """Words of the document's text: the sentence itself, or the one nearest to a headline or to a very short one."""
    long = [other for other in body if len(other) >= _SHORTEST_QUOTE]
    if sentence in long or not long:
        return quote(sentence)
    return quote(max(long, key=lambda other: overlap(dict.fromkeys(stems(sentence), 1.0), stems(other))))


def _day(document: ShownDocument) -> date:
    moment = document.moment
    return moment.date() if moment else date.min
