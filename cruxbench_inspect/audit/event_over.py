"""Whether a sentence tells that the time of a market's question is over, or looks back on its event as settled."""

import re
from datetime import datetime

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.audit.event_scope import ALONE, HEDGE
from cruxbench_inspect.audit.question_event import Event, stems_in
from cruxbench_inspect.audit.text_dates import later_mentions
from cruxbench_inspect.audit.verbs import cues


def time_is_up(sentence: str, event: Event) -> bool:
    """Whether a sentence says that the time of the question went by without the event.

    Args:
        sentence: The sentence.
        event: The question's event.
    """
    months = "|".join(sorted(event.months)) or "deadline"
    up = re.search(
        rf"\b(?:deadline|cutoff|time limit|year|month|week|window"
        rf"|(?:{months})(?:\s\d+)?(?:,?\s20\d\d)?)\b[^.;!]{{0,40}}?\b{_UP}",
        sentence,
        re.I,
    )
    if up is None or not (_STILL_NOT.search(sentence) or "came and went" in sentence) or HEDGE.search(sentence):
        return False
    found = stems_in(sentence)
    of_event = any(word.startswith(event.verb[:5]) for word in found) if event.verb else False
    return of_event or bool(event.key & found) or 2 * len(event.words & found) >= len(event.words)


def looks_back_on(
    sentence: str, shared: frozenset[str], event: Event, outcome: str, cutoff: datetime, written: datetime
) -> bool:
    """Whether a sentence about the event looks back on it as over, or on a later date.

    Args:
        sentence: The sentence.
        shared: The question's words that it has.
        event: The question's event.
        outcome: The question's outcome.
        cutoff: The cutoff, in UTC.
        written: About when the text was written, in UTC.
    """
    of_event = any(word.startswith(event.verb[:5]) for word in stems_in(sentence)) if event.verb else False
    if len(shared) + of_event < ALONE * (len(event.words) + bool(event.verb)) or _OPEN.search(sentence):
        return False
    directions = [cue.direction for cue in cues(sentence)]
    if "back" not in directions or bool(_NEGATED.search(sentence)) != (outcome == "No"):
        return False
    if _IN_THE_END.search(sentence):
        return True
    return (
        "ahead" not in directions
        and bool(later_mentions(sentence, cutoff, written))
        and bool(date_mentions(sentence, written))
    )


_UP = r"(?:passed|came and went|has passed|had passed|went by|expired|elapsed|ended|is over|was over|closed|ran out)"
_STILL_NOT = re.compile(r"\b(?:without|no|not|never|still|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_IN_THE_END = re.compile(
    r"\b(?:in the end|ultimately|eventually|as it turned out|it turned out|turns out|in hindsight|in retrospect"
    r"|looking back"
    r"|final (?:result|outcome|tally)|(?:market|question) (?:resolved|settled|paid))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|unless|whether|will|would|(?-i:may)|might|could|should|unlikely|likely|expect\w*|plan\w*)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|no|failed|fails|without|neither|nor|missed|rejected|refused)\b|n['’]t\b", re.I)
