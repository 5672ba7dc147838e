"""Whether a sentence that has a question's words is about another event: earlier, elsewhere, of another object."""

import re
from datetime import datetime, timedelta
from itertools import pairwise

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.audit.question_event import WORD, Event, stem

REACH = 6
"""Words after a verb among which its object begins."""


ALONE = 0.6
"""The part of the question's words that a sentence has at least when it tells the event by itself."""

HEDGE = re.compile(
    r"\b(?:if|unless|whether|would|will|(?-i:may)|might|could|can|should|shall|must|cannot|once|when|until|till"
    r"|before|had\s(?:\w+\s){1,4}"
    r"\w+ed,\sit\swould|unlikely|likely|hop(?:es?|ed|ing)|expect\w*|predict\w*|forecast\w*|chances?|odds|probab\w*"
    r"|possib\w*|bets?|traders?"
    r"|suggest\w*|claim\w*|alleg\w*|suppos\w*|imagin\w*|wonder\w*|doubt\w*|insist\w*|threat\w*|polls?\s(?:show"
    r"|suggest|say|find|put|give|see)\w*|polled|survey|as if"
    r"|no one|nobody"
    r"|how|why|what|who should|had to|calls|plans?|planned|aims?|wants?|seen|set)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words before a verb that leave open whether it has happened."""


def earlier(sentence: str, event: Event, cutoff: datetime, written: datetime) -> bool:
    """Whether a sentence has a time of its own before the cutoff, so that it tells an earlier event.

    Args:
        sentence: The sentence.
        event: The question's event; the months that the question names are not another time.
        cutoff: The cutoff, in UTC.
        written: About when the text was written, in UTC.
    """
    for mention in date_mentions(sentence, written):
        if mention.earliest + _LENGTHS[mention.unit] < cutoff:
            return True
    if _PAST_TIME.search(sentence):
        return True
    return any(month.lower() not in event.months for month in _BARE_MONTH.findall(sentence))


def about_another(sentence: str, event: Event) -> bool:
    """Whether a sentence names another place, body or party where it leaves out a name of the question."""
    words = {stem(word) for word in WORD.findall(sentence)}
    missing = (event.names & event.least) - event.among(frozenset(words))
    others = [name for name in _NAMED.findall(sentence) if stem(name) not in event.words and name not in _NO_NAMES]
    if any(stem(match[1]) in event.subject and stem(match[2]) not in event.words for match in _OF.finditer(sentence)):
        return True
    if any(year not in event.years for year in _OF_YEAR.findall(sentence)):
        return True
    if any(
        name in words and noun not in words and _goes_on_otherwise(sentence, name, event) for name, noun in event.pairs
    ):
        return True
    named_else = any(
        stem(match[1]) not in event.words and stem(match[2]) in event.target for match in _NAMED_SO.finditer(sentence)
    )
    return bool(missing & event.target and (others or named_else))


def done_by_another(before: list[str], event: Event) -> bool:
    """Whether the subject before a verb only belongs to the question's: "a supplier of the bank", "the bank's rival".

    Args:
        before: The words before the verb, in lower case.
        event: The question's event.
    """
    at = max((n for n, word in enumerate(before) if stem(word) in event.subject), default=None)
    if at is None:
        return False
    if before[at].endswith(("'s", "’s")):
        return at + 1 < len(before) and stem(before[at + 1]) not in event.words
    if len(before) - at > _NEAR or _RELATIVE.intersection(before[at:]):
        return False
    while at > 0 and (stem(before[at]) in event.words or before[at] in _FILLING):
        at -= 1
    return (
        at > 0
        and before[at] in _BELONGING
        and stem(before[at - 1]) not in event.words
        and before[at - 1] not in _VERBAL
    )


def _goes_on_otherwise(sentence: str, name: str, event: Event) -> bool:
    """Whether another noun follows a name than in the question, such as "Veyran aluminium" for "Veyran steel"."""
    for word, following in pairwise(WORD.findall(sentence)):
        if stem(word) == name and not word.endswith(("'s", "’s")):
            return (
                stem(following) not in event.words
                and following not in _PREPOSITIONS | _JOINING | _FILLING | _VERBAL
                and (following[0].isupper() or not following.endswith(("ed", "s", "ing", "ly")))
            )
    return False


def done_to_another(clause: str, event: Event) -> bool:
    """Whether the object that follows a verb is not the question's.

    Args:
        clause: What follows the verb in its clause.
        event: The question's event.
    """
    following = [word.lower() for word in WORD.findall(clause)]
    if not event.target or event.passive:
        return bool(following) and following[0] in _AFTER_OTHER_END
    unknown = 0
    for word in following[:REACH]:
        if stem(word) in event.target:
            return False
        if word in _PREPOSITIONS or word in _JOINING:
            return unknown > 0 and word not in _GOING_ON
        unknown += word not in _FILLING and not word.isdigit()
    return unknown > 1


_LENGTHS = {"time": timedelta(), "day": timedelta(days=1), "month": timedelta(days=31), "year": timedelta(days=366)}
_PAST_TIME = re.compile(
    r"\b(?:last (?:year|month|spring|summer|autumn|fall|winter|season|time)|years? (?:ago|earlier)|months? ago"
    r"|weeks? ago|decades? ago"
    r"|previous\w*|similar|(?:19|20)\d\d['’]s|of (?:19|20)\d\d|in (?:19|20)\d\d|first (?:vote|reading|round|ballot"
    r"|attempt|half|leg)"
    r"|semi-?finals?|quarter-?finals?|draft|tentative\w*|preliminar\w*|partial\w*|partly|in principle|so far|yet)\b",
    re.IGNORECASE,
)
_BARE_MONTH = re.compile(
    r"\b(?:in|last|since|of|late|early|mid|this)[\s-](January|February|March|April|May|June|July|August|September"
    r"|October|November|December)\b(?!\s\d)"
)
_NAMED = re.compile(r"\b(?:at|in|with|of|by|from|against|for)\s(?:the\s|a\s)?([A-Z][\w'’-]+)")
_NAMED_SO = re.compile(r"(?<=\s)([A-Z][\w'’-]+)\s(?=([A-Z][\w-]+))")
_OF_YEAR = re.compile(r"\b(?:the|['’]s|of)\s(20\d\d)\s[A-Za-z]")
_OF = re.compile(r"\b([A-Za-z]+)\s(?:in|of)\s(?:the\s)?([A-Z][\w-]+)")
_NO_NAMES = frozenset(
    "January February March April May June July August September October November December Monday Tuesday Wednesday"
    " Thursday"
    " Friday Saturday Sunday".split()
)
_PREPOSITIONS = frozenset("of in into for on from with over at about among between toward towards".split())
_JOINING = frozenset("and but by after before as when while to that which who".split())
_GOING_ON = frozenset("and but by after before as when while".split())
_RELATIVE = frozenset(["which", "who", "that"])
_NEAR = 4  # words between a subject and its verb
_BELONGING = frozenset("of to for near behind".split())
_VERBAL = frozenset(
    "has have had is are was were did does will would be been after since when because although out by won beat lost"
    " as for"
    " from over today yesterday".split()
)
_FILLING = frozenset(
    "the a an its his her their this that all both down up out off away back against only just also finally already"
    " new".split()
)
_AFTER_OTHER_END = frozenset("without higher lower flat up down with".split())
