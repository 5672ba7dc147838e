"""Whether a sentence tells the event that a market's question asks for as having happened, or as not having come."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from cruxbench_inspect.audit.event_over import looks_back_on, time_is_up
from cruxbench_inspect.audit.event_scope import ALONE, HEDGE, about_another, done_by_another, done_to_another, earlier
from cruxbench_inspect.audit.event_verbs import DONE_TO, nouns, opposite, past_forms, present_form, same
from cruxbench_inspect.audit.question_event import WORD, Event, stem, stems_in
from cruxbench_inspect.audit.verbs import cues

Answer = Literal["Yes", "No"]

TOGETHER = 0.8
"""The part of the question's words that a sentence has with the one before it, where it alone has less than ALONE."""


def tells_event(
    sentence: str, previous: str, event: Event, outcome: Answer, cutoff: datetime, written: datetime
) -> bool:
    """Whether a sentence tells the end of a question, as it came.

    Args:
        sentence: The sentence, or a headline.
        previous: The sentence before it, or the title.
        event: The question's event.
        outcome: Its outcome: what tells the other one is no leak of it.
        cutoff: The cutoff, in UTC.
        written: About when the text was written, in UTC.
    """
    if not event.words or "?" in sentence or _UNTRUE.search(sentence):
        return False
    if _answers(sentence, previous, event, outcome):
        return True
    shared = event.among(stems_in(sentence))
    if not shared and not (event.verb and outcome == "No"):
        return False
    if earlier(sentence, event, cutoff, written):
        return False
    if outcome == "No" and time_is_up(sentence, event):
        return True
    if len(shared) < min(2, len(event.words)):
        return False
    if event.verb and (
        any(told == outcome for told in _told(sentence, previous, event)) or _named(sentence, event, outcome)
    ):
        return True
    return looks_back_on(sentence, shared, event, outcome, cutoff, written)


_UNTRUE = re.compile(
    r"^\W*(?:not|none|neither|few|only|some)\b|\b(?:denie[sd]|deny|denying|false|untrue|hoax|fake|rumou?rs?"
    r"|incorrect\w*|mistaken\w*|dream\w*)\b",
    re.I,
)
_PRONOUN = re.compile(
    r"\b(?:he|she|it|they|who|which|the (?:company|firm|group|team|party|bank|court|government|minister|mayor))\b", re.I
)
_SHORT_ANSWER = re.compile(
    r"^[\"“'(\[*]*(?:(?P<yes>yes|it (?:did|has|happened|was)|(?:he|she|they) (?:did|have|has|was|were))"
    r"|(?P<no>no|never|it (?:did not|didn['’]t|never)\b.*|(?:he|she|they) (?:did not|didn['’]t"
    r"|never)\b.*))[\s.!)\]*\"”]*$",
    re.IGNORECASE,
)
_DONE = frozenset("was were been being is are got gets get".split())
_PERFECT = frozenset("has have had having 's".split())
_DID = frozenset(["did", "didn't", "didn’t"])
_NEGATIONS = frozenset("not never didn't didn’t".split())
_RIVAL_VERBS = frozenset("beat defeat edge".split())
_CLOSE = 4  # words before a verb in which its auxiliaries stand


def _answers(sentence: str, previous: str, event: Event, outcome: Answer) -> bool:
    """Whether a sentence is the answer to the question in the sentence before it."""
    if not previous.rstrip().endswith("?"):
        return False
    match = _SHORT_ANSWER.match(sentence)
    asked = stems_in(previous)
    if match is None or len(event.words & asked) < TOGETHER * len(event.words):
        return False
    return bool(match["yes" if outcome == "Yes" else "no"])


def _told(sentence: str, previous: str, event: Event) -> Iterator[Answer]:
    """The ends that the verbs of a sentence tell."""
    words = [match for match in WORD.finditer(sentence)]
    lower = [match[0].lower() for match in words]
    found = event.among(frozenset(stem(word) for word in lower))
    known = found | event.among(stems_in(previous))
    for at, word in enumerate(lower):
        told = _told_by(word, lower[max(0, at - _CLOSE) : at], event)
        if told is None:
            continue
        verb, affirmative, passive = told
        if HEDGE.search(sentence, 0, words[at].start()) and affirmative:
            continue
        if not affirmative and HEDGE.search(_OF_NEGATION.sub(" ", sentence[: words[at].start()])):
            continue
        before = event.among(frozenset(stem(earlier_word) for earlier_word in lower[:at]))
        next_to = event.among(frozenset(stem(later_word) for later_word in lower[at + 1 : at + 2 + _CLOSE]))
        named = event.key & found or (_PRONOUN.search(sentence) and event.key <= known)
        agent = event.key & before or (_PRONOUN.search(sentence, 0, words[at].start()) and event.key <= known)
        opposed = verb in opposite(event.verb)
        if verb in _RIVAL_VERBS or (event.verb == "win" and not agent and verb not in DONE_TO):
            yield from _of_contest(
                verb, agent=bool(agent), passive=passive, event=event, found=found, negated=not affirmative
            )
            continue
        if not _covers(event, found, known, labelled=bool(_AS_RESULT.match(sentence))) or about_another(
            sentence, event
        ):
            continue
        undergone = event.passive or verb in DONE_TO
        if not named or (undergone and not passive and agent and _OBJECT.match(sentence, words[at].end())):
            continue
        if not passive and not undergone and done_by_another(lower[:at], event):
            continue
        if not affirmative and _ON_A_DAY.search(sentence):
            continue
        turned = verb in ("clear", "pass") and event.target <= before and bool(event.key & next_to)
        if not (agent or passive or undergone or turned or word.endswith("ing") or "by" in lower[at : at + 2]):
            continue
        clause = _CLAUSE_END.split(sentence[words[at].end() :], maxsplit=1)[0]
        if (
            not passive
            and not undergone
            and not (event.target and event.target <= before)
            and done_to_another(clause, event)
        ):
            continue
        named_before = bool(at and event.among(frozenset([stem(lower[at - 1])])) & event.subject)
        if _in_headline(word, verb, lower[max(0, at - 3) : at]) and affirmative:
            if not (named_before or turned or undergone and event.key & next_to):
                continue
        yield "Yes" if affirmative != opposed else "No"


_OBJECT = re.compile(r"\s(?:the|an?|its|his|her|their)\s")
_ON_A_DAY = re.compile(
    r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|yesterday|this (?:week|morning|session))\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:()]|\s[-–—]\s|\.\s")
_OF_NEGATION = re.compile(r"\b(?:did\s?n['’]t|fail(?:s|ed) to|didn['’]t)\b", re.IGNORECASE)


def _told_by(word: str, before: list[str], event: Event) -> tuple[str, bool, bool] | None:
    """The verb of which a word is a form, whether it is affirmed, and whether passive; None if it tells nothing."""
    if event.verb == "leave" and word == "out" and before[-1:] in (["is"], ["was"]):
        return "leave", True, True
    for verb in (event.verb, *sorted((same(event.verb) | opposite(event.verb)) - {event.verb})):
        did = bool(_DID & set(before))
        failed = before[-1:] == ["to"] and before[-2:-1] in (["failed"], ["fails"])
        negated = bool(_NEGATIONS & set(before)) or failed
        if word in past_forms(verb) and not (word == verb and (failed or "to" in before[-1:])):
            perfect = _PERFECT & set(before)
            if negated and (perfect or not (did or "never" in before or _DONE & set(before))):
                return None  # so far
            return verb, not negated, bool(_DONE & set(before[-3:]))
        if word == verb and (did or failed):
            return verb, not negated, False
        if word in (present_form(verb), verb) and not negated and before[-1:] not in (["to"], ["the"], ["a"]):
            return verb, True, False
        if (word == verb or word in nouns(verb)) and "without" in before[-3:]:
            return verb, False, False
        if word in (_ing(verb), _ing(verb + verb[-1])) and {"after", "without"} & set(before[-3:]):
            return verb, "after" in before[-3:], False
    return None


def _in_headline(word: str, verb: str, before: list[str]) -> bool:
    """Whether a form may be the present of a headline, or a noun: nothing before it makes a verb of it."""
    return word in (present_form(verb), verb) and not (_DONE | _PERFECT | _DID).intersection(before)


def _ing(verb: str) -> str:
    return f"{verb.removesuffix('e') if not verb.endswith('ee') else verb}ing"


def _of_contest(
    verb: str, *, agent: bool, passive: bool, event: Event, found: frozenset[str], negated: bool
) -> Iterator[Answer]:
    """Who won: the question's subject, or another."""
    target = len(event.target & found) / max(1, len(event.target))
    if negated or not event.target:
        return
    if verb in _RIVAL_VERBS and event.key & found and target >= 0.5:
        yield "Yes" if agent != passive else "No"
    elif verb not in _RIVAL_VERBS and not agent and target > TOGETHER and not passive:
        yield "No"


def _covers(event: Event, found: frozenset[str], known: frozenset[str], *, labelled: bool) -> bool:
    words = event.words
    if not event.numbers <= found or (event.target and 2 * len(event.target & found) < len(event.target)):
        return False
    share, together = len(words & found) / len(words), len(words & known) / len(words)
    if len(event.least) > 1 and event.least <= found:
        return True
    return share >= (ALONE / 2 if labelled else ALONE) or (share >= ALONE / 2 and together >= TOGETHER)


_AS_RESULT = re.compile(r"^\W*(?:final |actual )?(?:outcome|result|resolution|answer|verdict)\s?[:–-]", re.IGNORECASE)
_FACTIVE = re.compile(
    r"\b(?:after|following|since|thanks to|because of|now that|owing to|due to)\b[^.;]{0,60}$|['’]s?\s(?:\w+\s){0,2}$"
    r"|^(?:the\s)?$",
    re.I,
)
_CALLED_OFF = re.compile(
    r"\b(?:cancel(?:s|l?ed)|scraps|scrapped|calls off|called off|drops|dropped|abandons|abandoned|postpones|postponed"
    r"|shelves|shelved)"
    r"\s(?:(?:its|his|her|their|the|a|an|planned|new)\s)*(\w+)",
    re.IGNORECASE,
)
# Verbs with which a noun tells an event: "completes the takeover", "handed in her resignation".
_BROUGHT_ABOUT = re.compile(
    r"\b(?:complete|finali[sz]e|conclude|finish|seal|secure|win|obtain|receive|clinch|tender|submit|issue|make"
    r"|celebrate)(?:s|d|es|ed)?"
    r"(?:\s(?:in|the|a|an|its|his|her|their|final|full))*\s$|\b(?:won|made|got|gave|handed in)(?:\s(?:the|a|an|its"
    r"|his|her|their|final))*\s$",
    re.IGNORECASE,
)
_EFFORT = re.compile(
    r"\b(?:calls?|talks|vote|bill|plan|push|bid|efforts?|hopes?|chances?|odds|prospects?|path|way|demand\w*|seek\w*"
    r"|possible|potential"
    r"|threat\w*|pressure|eve|ahead|before|next|favou?rite|likely|without|no|not|former|past|previous|defending"
    r"|reigning|delay\w*|slip\w*|stall\w*|postpon\w*|fail\w*|loom\w*|seem\w*|look\w*|depend\w*|hing\w*|remain\w*"
    r"|doubt)\b",
    re.IGNORECASE,
)


def _named(sentence: str, event: Event, outcome: Answer) -> bool:
    """Whether the event's name stands for it as a fact: "after her resignation", "the winner"."""
    found = event.among(stems_in(sentence))
    if outcome == "No":
        off = _CALLED_OFF.search(sentence)
        names = nouns(event.verb) | {event.verb}
        return (
            off is not None
            and off[1].lower() in names
            and not HEDGE.search(sentence, 0, off.start())
            and len(found) >= ALONE * len(event.words)
        )
    if _EFFORT.search(sentence) or HEDGE.search(sentence):
        return False
    if len(found) < ALONE * len(event.words) or about_another(sentence, event):
        return False
    names = nouns(event.verb)
    for match in WORD.finditer(sentence):
        word = match[0].lower()
        if word in ("winner", "champion", "champions", "over") and word in names:
            return True
        if word not in names and not (word.startswith(event.verb[:5]) and word.endswith(("tion", "ment", "al", "ure"))):
            if not (
                word == event.verb
                and sentence[: match.start()].endswith("the ")
                and sentence[match.end() :].startswith(" of ")
            ):
                continue
        if _BROUGHT_ABOUT.search(sentence, 0, match.start()):
            return True
        if _FACTIVE.search(sentence, 0, match.start()):
            return any(cue.direction == "back" for cue in cues(sentence))
    return False
