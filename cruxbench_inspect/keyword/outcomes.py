"""What a scheduled decision is about: the outcome to ask for instead of whether the decision will come."""

import re

from cruxbench_inspect.keyword.announcements import Announcement
from cruxbench_inspect.keyword.events import base_form, event_mentions, event_stems
from cruxbench_inspect.keyword.phrases import DECISION_NOUN
from cruxbench_inspect.keyword.prompts import GeneratorPrompt
from cruxbench_inspect.keyword.sentences import sentences
from cruxbench_inspect.keyword.words import stem, tokens

_WHETHER_TO = re.compile(r"\bwhether (?:or not )?to (?P<phrase>[a-z].+)$")
_WHETHER_OTHER = re.compile(r"\bwhether (?P<subject>.+?) (?:should|can|may|must|will) (?P<phrase>[a-z].+)$")
_OBJECT = re.compile(r"\b(?:on|over|about|in) (?P<object>(?:the|an?|its|their|[A-Z])\b.*)$")
_WHETHER_THIRD = re.compile(r"\bwhether (?P<subject>.+?) (?P<verb>[a-z]{3,}s)\b(?P<rest>.*)$")
_TEST_RESULT = re.compile(
    r"\bresults? of the (?P<test>(?:\w+ )?(?:test|trial|exam|inspection|audit|check))s? (?:on|of|for) (?P<subject>.+)$"
)
_DECIDING = frozenset({"decide", "vote", "meet", "hearing"})
_RATE = re.compile(
    r"\b(?:(?:key|base|policy|bank|benchmark|interest|lending|main) )+rates?\b"
    r"|\brates\b|\brate(?= (?:decision|meeting))"
)
_CHALLENGE = re.compile(r"\b(?:appeal|complaint|challenge|claim|lawsuit|suit|petition)\b")


def outcome_of(prompt: GeneratorPrompt, announced: Announcement) -> str | None:
    """Subject and base-form verb phrase of a scheduled decision's outcome ("the court approve the merger"), or None.

    It is the passing of a test whose result is due, or what the sentence says after "whether"; else a rise or cut where
    the matter is an interest rate; else the approval of what the decision is on. An announcement that is no decision
    has no outcome to ask for.
    """
    if match := _TEST_RESULT.search(announced.phrase):
        return f"{match['subject']} pass the {match['test']}"
    kinds = {mention.kind for mention in event_mentions(announced.phrase)}
    noun = DECISION_NOUN.search(f"{announced.subject} {announced.phrase}")
    if not kinds & _DECIDING and noun is None:
        return None
    if match := _WHETHER_TO.search(announced.phrase):
        return f"{announced.subject} {match['phrase']}"
    if match := _WHETHER_OTHER.search(announced.phrase):
        return f"{match['subject']} {match['phrase']}"
    if match := _WHETHER_THIRD.search(announced.phrase):
        who = announced.subject if match["subject"] in {"it", "they", "he", "she"} else match["subject"]
        return f"{who} {base_form(match['verb']) or match['verb'].removesuffix('s')}{match['rest']}"
    subject = announced.subject
    if noun is not None and DECISION_NOUN.search(subject):
        subject = _decider(subject)
    about_rate = _RATE.search(f"{announced.sentence} {prompt.question}")
    if about_rate:
        return f"{subject} {_direction_of_rate(prompt)} {_its(about_rate.group())}"
    match = _OBJECT.search(announced.phrase) or _OBJECT.search(announced.subject)
    if match is None:
        return None
    verb = "uphold" if _CHALLENGE.search(match["object"]) else "approve"
    return f"{subject} {verb} {match['object']}"


def _decider(subject: str) -> str:
    """Whose decision a noun phrase names ("the court's ruling on ..." gives "the court"); else a general word."""
    match = re.match(r"(?P<who>.+?)['’]s? .*\b(?:decision|ruling|judgment|judgement|verdict|vote|answer)\b", subject)
    if match:
        return match["who"]
    match = re.search(r"\b(?:of|by|in) (?P<who>(?:the )?[A-Z][\w ]+)", subject)
    return match["who"].strip() if match else "the deciding body"


def _its(rate: str) -> str:
    return "its rates" if rate == "rates" else f"its {rate}"


def _direction_of_rate(prompt: GeneratorPrompt) -> str:
    """The direction that the ultimate question or most sentences about the rate name; a raise if they name none."""
    tally = {"raise": 0, "cut": 0}
    texts = [prompt.question] * 3 + [sentence for article in prompt.articles for sentence in sentences(article.text)]
    for text in texts:
        present = {stem(token.lower) for token in tokens(text)}
        if stem("rate") in present:
            for kind in tally:
                tally[kind] += bool(present & event_stems(kind))
    return "cut" if tally["cut"] > tally["raise"] else "raise"
