"""What a market's question asks for: an event's verb, and the words of who and what it is about."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from cruxbench_inspect.audit.event_verbs import KNOWN, base_of


@dataclass(frozen=True, slots=True)
class Event:
    """The event of a question; words are stems, dates are none.

    Attributes:
        verb: The base form of its verb, "" where none is known.
        passive: Whether its subject is what the verb is done to.
        subject: What stands before the verb.
        target: What stands after it.
        names: Those among them that are proper names.
        numbers: The numbers among them.
        months: Months that the question names, in lower case.
        years: Years that it names.
        pairs: Names with the word that follows them.
        least: The words without which it is not told: of names in a row the last one.
    """

    verb: str
    passive: bool
    subject: frozenset[str]
    target: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    months: frozenset[str]
    years: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    least: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """All words but the verb."""
        return self.subject | self.target

    @property
    def key(self) -> frozenset[str]:
        """The words that name the subject: its names, or all of them."""
        return (self.subject & self.names) or self.subject

    def among(self, found: frozenset[str]) -> frozenset[str]:
        """The words that are among others; a name also by its short form, such as "Fed"."""
        short = {name for name in self.names - found if any(len(w) >= _SHORT and name.startswith(w) for w in found)}
        return (self.words & found) | short


@lru_cache(maxsize=512)
def event_of(question: str) -> Event:
    """Read a question such as "Will the mayor resign by 31 January?"."""
    months = frozenset(word.lower() for word in _MONTH_NAME.findall(question))
    tokens = WORD.findall(_ASKING.sub("", _DAY.sub(" ", question)))
    verb, passive, at = _verb(tokens)
    before, after = (tokens, []) if at is None else (tokens[:at], tokens[at + 1 :])
    in_row = {
        stem(name)
        for part in (before, after)
        for name, more in pairwise(part)
        if name[0].isupper() and more[0].isupper()
    }
    asked = [word for word in tokens if not _is_empty(word)]
    return Event(
        verb=verb,
        passive=passive,
        subject=_stems(before),
        target=_stems(after),
        names=frozenset(stem(word) for word in asked if word[0].isupper()),
        numbers=frozenset(stem(word) for word in asked if word[0].isdigit()),
        least=(_stems(before) | _stems(after)) - in_row,
        months=months,
        years=frozenset(_YEAR.findall(question)),
        pairs=frozenset(
            (stem(name), stem(noun))
            for part in (before, after)
            for name, noun in pairwise(part)
            if _is_named(name, noun)
        ),
    )


def stem(word: str) -> str:
    """What the forms of a word have in common."""
    plain = re.sub(r"['’]s?$", "", word.lower()).replace(",", "")
    if len(plain) > _SHORT and plain.endswith("s") and not plain.endswith("ss"):
        plain = plain[:-1]
    return plain[:6]


def stems_in(text: str) -> frozenset[str]:
    """The stems of a text's words."""
    return _stems(WORD.findall(text))


WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’](?=\w))*|\d+(?:[.,]\d+)*")
"""A word or a number."""

_SHORT = 3
_ASKING = re.compile(r"^\W*(?:will|does|do|did|has|have|is|are|was|were|can)\s", re.IGNORECASE)
_MONTH_NAME = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_YEAR = re.compile(r"\b20\d\d\b")
_DAY = re.compile(
    r"(?:\b(?:by|before|in|on|until|between|during|from|through|at|and|of)\s(?:the\s)?(?:(?:end|start"
    r"|middle) of\s(?:the\s)?)?)*"
    r"(?:\b\d{1,2}(?:st|nd|rd|th)?\s(?=[A-Z]))?\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b\.?(?:\s\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s\d{4}\b)?"
    r"|(?:\b(?:by|before|in|until)\s(?:the\s)?(?:end of\s)?)?\b20\d\d\b|\b\d{4}-\d\d-\d\d\b|\b\d\d?:\d\d\b"
)
_DETERMINERS = frozenset("the a an of to for in on at and or its his her their by with from no more than".split())
_EMPTY = frozenset(
    "the and for will would shall does did has have had with from that this than then any its his her their they them"
    " before after until till between during who which what when where into onto over under out off are was were been"
    " being can could may might must should not yes market question there end be is a an of to in on at by as or it"
    " he she do down up another other least more".split()
)


def _verb(tokens: list[str]) -> tuple[str, bool, int | None]:
    """The verb, whether it is passive, and where it stands."""
    for at, word in enumerate(tokens):
        if at == 0 or not word.islower() or word not in KNOWN or tokens[at - 1] in _DETERMINERS:
            continue
        if word != "be" and tokens[at + 1 : at + 2] and tokens[at + 1] in KNOWN:  # a noun: "the probe land"
            continue
        if word == "be" and tokens[at + 1 : at + 2] == ["out"]:
            return "leave", False, at + 1
        if word in ("be", "get", "have"):
            following = next((n for n in range(at + 1, min(at + 4, len(tokens))) if base_of(tokens[n])), None)
            if following is None:
                continue
            return base_of(tokens[following]) or "", word != "have", following
        return word, False, at
    # After the names of a subject comes its verb, even one that is not known.
    for at in range(1, len(tokens)):
        if tokens[at - 1][0].isupper() and tokens[at].islower() and not _is_empty(tokens[at]) and at + 1 < len(tokens):
            return tokens[at], False, at
    return "", False, None


def _is_named(name: str, noun: str) -> bool:
    return name[0].isupper() and not _is_empty(name) and not _is_empty(noun)


def _is_empty(word: str) -> bool:
    if word.isupper() and len(word) > 1:  # an abbreviation, such as WHO
        return False
    return word.lower() in _EMPTY or (len(word) < _SHORT and not word[0].isdigit() and not word.isupper())


def _stems(words: list[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in words if not _is_empty(word))
