"""What a sentence says happened, did not happen or may happen."""

from functools import lru_cache
from typing import Literal, NamedTuple

from cruxbench_inspect.keyword.event_words import (
    BY_NAME,
    DECISIONS,
    DETERMINERS,
    HYPOTHETICALS,
    KINDS,
    NEGATIONS,
    REFUSALS,
)
from cruxbench_inspect.keyword.words import Token, stem, tokens

Form = Literal["base", "third", "past", "ing", "noun"]
Status = Literal["happened", "refused", "negated", "open"]

FINAL = frozenset({"end", "lapse"})
"""Kinds of events after which the matter itself is over."""

_REACH = 6
_CLAUSE_ENDS = frozenset(".;:!?,")
_LONGEST = 4


class EventMention(NamedTuple):
    """One event word of a text, and what is said about it.

    Attributes:
        kind: Its kind.
        form: The grammatical form of the word.
        place: Where it starts among the tokens.
        length: How many tokens it has.
        status: "happened"; "refused" (a decision against it was taken); "negated" (it has not happened); "open"
            (planned, possible, asked for).
    """

    kind: str
    form: Form
    place: int
    length: int
    status: Status


@lru_cache(maxsize=2048)
def event_mentions(text: str, headline: bool = False) -> tuple[EventMention, ...]:
    """The event words of one sentence, in order.

    Args:
        text: A sentence.
        headline: Whether it is a headline, where the present tense reports what has happened.
    """
    parts = tokens(text)
    found: list[EventMention] = []
    index = 0
    while index < len(parts):
        hits, length = _hits(parts, index)
        for kind, form in hits:
            if form == "base" and _is_thing(parts, index):
                if parts[index].lower not in BY_NAME[kind].nouns:
                    continue
                form = "noun"
            status = _status(parts, index, form, headline)
            against = kind == "vote" and "against" in {part.lower for part in parts[index + 1 : index + _REACH]}
            found.append(EventMention("reject" if against else kind, form, index, length, status))
        index += max(length, 1)
    return tuple(found)


def says_happened(asked: str, kind: str) -> bool:
    """Whether an event of one kind means that the asked kind of event happened."""
    return kind == asked or kind in BY_NAME[asked].implied_by


def says_prevented(asked: str, kind: str) -> bool:
    """Whether an event of one kind means that the asked kind of event cannot happen any more."""
    return kind != asked and (kind in BY_NAME[asked].opposites or (kind in FINAL and BY_NAME[asked].tone >= 0))


def event_stems(kind: str) -> set[str]:
    """The stems of all words of one kind of event."""
    forms = (*(part for verb in BY_NAME[kind].verbs for part in verb.split("/")), *BY_NAME[kind].nouns)
    return {stem(word) for form in forms for word in form.replace("-", " ").split()}


def base_form(verb: str) -> str | None:
    """The base form of a known verb's third person ("meets" gives "meet"), or None."""
    return _thirds().get(verb.casefold())


def _hits(parts: list[Token], index: int) -> tuple[tuple[tuple[str, Form], ...], int]:
    for length in range(min(_LONGEST, len(parts) - index), 0, -1):
        hits = _lexicon().get(tuple(part.lower for part in parts[index : index + length]))
        if hits:
            return hits, length
    return (), 0


def _is_thing(parts: list[Token], index: int) -> bool:
    """Whether a word is not what somebody does: "the vote", "its offer", "1.5 percent or lower"."""
    before = parts[index - 1].lower if index else ""
    return before in DETERMINERS or (before == "or" and parts[index].lower == "lower")


def _status(parts: list[Token], index: int, form: Form, headline: bool) -> Status:
    clause = _clause_before(parts, index)
    near = clause[:_REACH]
    decided = any(word in DECISIONS for word in clause)
    if clause[:2] == ["to", "not"] and decided:
        return "refused"
    if form == "base" and (
        any(word in REFUSALS for word in near[:4]) or {"did", "not"} <= set(near) or "didn't" in near
    ):
        return "refused"
    if form == "base" and near[:1] == ["to"] and set(near[1:3]) & {"failed", "fail", "fails"}:
        return "refused"
    if any(word in NEGATIONS for word in near):
        return "negated"
    if form == "base" and near[:1] == ["to"] and decided:
        return "happened"
    if any(word in HYPOTHETICALS for word in near):
        return "open"
    following = {part.lower for part in parts[index + 1 : index + 4]}
    if form == "noun" and following & {"will", "would", "could", "may", "might"}:
        return "open"
    if form in {"past", "noun"} or (headline and form in {"third", "base"}):
        return "happened"
    # "The court ruled that he stays in custody": the decision makes the present tense a fact.
    return "happened" if form == "third" and "that" in clause and decided else "open"


def _clause_before(parts: list[Token], index: int) -> list[str]:
    """The words before an event word up to the start of its clause, the nearest first."""
    clause: list[str] = []
    for part in reversed(parts[:index]):
        if part.text in _CLAUSE_ENDS or part.lower in {"but", "while", "after"}:
            break
        clause.append(part.lower)
    return clause


@lru_cache(maxsize=1)
def _lexicon() -> dict[tuple[str, ...], tuple[tuple[str, Form], ...]]:
    entries: dict[tuple[str, ...], list[tuple[str, Form]]] = {}
    for kind in KINDS:
        spoken = [pair for verb in kind.verbs for pair in _inflected(verb)]
        spoken += [(noun, "noun") for noun in kind.nouns]
        for words, form in spoken:
            hits = entries.setdefault(tuple(words.replace("-", " ").split()), [])
            if kind.name not in {name for name, _ in hits}:
                hits.append((kind.name, form))
    return {words: tuple(hits) for words, hits in entries.items()}


@lru_cache(maxsize=1)
def _thirds() -> dict[str, str]:
    bases = [verb.split("/")[0] for kind in KINDS for verb in kind.verbs]
    return {_third(base): base for base in bases if " " not in base} | {"holds": "hold"}


def _inflected(verb: str) -> list[tuple[str, Form]]:
    base, *pasts = verb.split("/")
    first, _, rest = base.partition(" ")
    tail = f" {rest}" if rest else ""
    doubled = pasts[0].split()[0][:-2] if pasts and pasts[0].split()[0].endswith("ed") else first
    ing = (doubled if doubled != first else first.removesuffix("e") if not first.endswith("ee") else first) + "ing"
    # A past that equals the base ("cut") comes first: only the words before it tell the two apart.
    forms: list[tuple[str, Form]] = [(past, "past") for past in pasts or [_past(first) + tail]]
    return [*forms, (base, "base"), (_third(first) + tail, "third"), (ing + tail, "ing")]


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
