"""Cutting later notes out of the rules of a market. Their end is not marked, so it is taken as far as it may be.

A note before the rules runs to the line where they open: one that tells how the market resolves in general, and tells
nothing that happened. A note after they have begun runs to the end, and of what follows only a plain sentence on the
resolution source is kept, which exchanges name last.
"""

import re
from typing import NamedTuple

from cruxbench_inspect.markets.note_headings import DATE, start_of_note


class WithoutNotes(NamedTuple):
    """Lines of rules, and the notes that were cut off, each with its heading, in their order."""

    kept: list[str]
    removed: list[str]


def cut_notes(lines: list[str]) -> WithoutNotes:
    """Part the lines of a description; a line with a heading inside it is parted there."""
    kept: list[str] = []
    removed: list[list[str]] = []
    in_note = False
    for part, is_note in (part for line in lines for part in _parts(line)):
        if is_note:
            removed.append([part])
            in_note = True
        elif not in_note:
            if removed and _concludes(part):
                removed.append([part])
            else:
                kept.append(part)
        elif any(map(_SAYS_HOW.search, kept)):
            (kept if _is_plain_source(part) else removed[-1]).append(part)
        elif _opens_rules(part):
            kept.append(part)
            in_note = False
        else:
            removed[-1].append(part)
    return WithoutNotes(kept, ["\n".join(note).strip() for note in removed])


def _parts(line: str) -> list[tuple[str, bool]]:
    start = start_of_note(line)
    if start is None:
        return [(line, False)]
    before = [(line[:start], False)] if line[:start].strip() else []
    return [*before, (line[start:], True)]


def _opens_rules(line: str) -> bool:
    bare = _MARKUP.sub("", line)
    in_general = _RESOLVES_IN_GENERAL.match(bare) or (_CASE.match(bare) and _tells_both_outcomes(bare))
    return bool(in_general) and not _reports(line)


def _tells_both_outcomes(line: str) -> bool:
    words = {word.casefold() for word in re.findall(r"\w+", line)}
    return _RESOLVES.search(line) is not None and ("otherwise" in words or {"yes", "no"} <= words)


def _is_plain_source(line: str) -> bool:
    """A resolution source named in one sentence: dates, and addresses that tell a story, are for notes."""
    bare = _MARKUP.sub("", line)
    return (
        _SOURCE.fullmatch(bare) is not None
        and _DATED.search(bare) is None
        and _TELLING_ADDRESS.search(bare) is None
        and not _reports(bare)
    )


def _reports(text: str) -> bool:
    """Whether a sentence tells that something happened or follows, without a condition before it."""
    for sentence in _SENTENCE_END.split(text):
        told = _HAPPENED.search(sentence)
        if _FOLLOWS.search(sentence) or (told and not _CONDITION.search(sentence[: told.start()])):
            return True
    return False


def _concludes(line: str) -> bool:
    """Whether a line tells how the market does resolve, for a reason given elsewhere."""
    for sentence in _SENTENCE_END.split(line):
        hence = _HENCE.search(sentence)
        if hence and _RESOLVES.search(sentence) and not _CONDITION.search(sentence[: hence.start()]):
            return True
    return False


_MARKUP = re.compile(r"^[\s>#*_~|•·\-–—\[(\"'“”]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”'’)*_]*\s+")
_RESOLVES = re.compile(r"\bresolv", re.IGNORECASE)
_MARKET = r"(?:this|the)\s+(?:market|question|contract)"
_REFERS = r"(?:refers|pertains|relates|asks|concerns|covers|tracks|considers|is\s+(?:about|on|whether))\b"
_ANSWER = r"(?:[^.;\n]|\.(?=[\"”'’]|\S)){1,120}?"
_RESOLVES_IN_GENERAL = re.compile(
    rf"(?:{_MARKET}\s+(?:(?:will|shall)\s+)?(?:(?:only|be|immediately)\s+)*)?resolve[sd]?\s+(?:"
    rf"{_ANSWER}(?<!even\s)\b(?:if|unless|provided|in\s+the\s+event)\b"
    r"|(?:(?:solely|only|strictly)\s+)?(?:according|based|depending|in\s+accordance|in\s+line)\b"
    r"|to\s+(?:whichever|whoever|the\b(?!\s+\W*(?:yes|no)\b)))"
    rf"|{_MARKET}\s+{_REFERS}|this\s+is\s+a\s+(?:poly)?market\s+(?:on|about|to|for)\b",
    re.IGNORECASE,
)
_SAYS_HOW = re.compile(rf"\bresolv|{_MARKET}\s+{_REFERS}|this\s+is\s+a\s+(?:poly)?market\b", re.IGNORECASE)
# A note may open with a case too ("If the vote stands, this market resolves to Yes"); rules tell both outcomes.
_CASE = re.compile(r"(?:if|in\s+the\s+event)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|whether|unless|any|should|provided|must|only|otherwise|in\s+the\s+event)\b", re.IGNORECASE
)
_HENCE = re.compile(
    r"\b(?:therefore|thus|hence|accordingly|consequently|now|as\s+such|as\s+a\s+result)\b", re.IGNORECASE
)
_FOLLOWS = re.compile(
    rf"{_HENCE.pattern}|\b(?:in\s+(?:this|that|such\s+a|light\s+of)\b|if\s+(?:so|this|that)\b|already\b|today\b|yesterday\b"
    r"|so\s+far\b|to\s+date\b|given\s+(?:this|that|these|the)\b|(?:based\s+on|according\s+to)\s+(?:this|these|the\s+above)\b"
    r"|(?:which|as|and)\s+(?:it\s+|this\s+|that\s+|they\s+)?(?:has|have|was|were|did|happened|occurred|took)\b)",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:was|were|had|did|ha(?:s|ve)(?!\s+to\b)|says?|confirms|shows|reports\s+that|states\s+that|suffices|qualif(?:y|ies)"
    r"|meets|satisf(?:y|ies)|fulfil\w*|(?:is|are|be)\s+(?:\w+\s+)?(?:met|satisfied|resolved|eligible|confirmed|over|final)"
    r"|(?:happened|occurred|took|began|ended|won|lost|said|told|wrote|went|came|left|made|held|fell|rose|hit|met|became|gave"
    r"|announced|confirmed|reported|stated|declared|posted|tweeted|signed|passed|approved|rejected|resigned|launched"
    r"|released|published|opened|closed|started|reached|agreed|voted|elected|appointed|fired|removed|died|killed|attacked"
    r"|struck|crossed|failed|clarified|decided|ruled|determined|concluded|verified|proved|completed|carried|issued)"
    r"(?!\s+by\b))\b",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"(?:the\s+)?(?:primary\s+|main\s+|official\s+)?resolution\s+sources?(?:\s+(?:for|of)\s+(?:this|the)\s+(?:market|question"
    r"|contract))?\s*(?:[*_]*:[*_]*|(?:will|shall)\s+be\b|is\b|are\b)\s*(?:[^.!?\n]|[.!?](?=\S)){1,400}[.!?]?[\"”'’)*_\s]*",
    re.IGNORECASE,
)
_DATED = re.compile(rf"(?<![\w.]){DATE}", re.IGNORECASE)
_TELLING_ADDRESS = re.compile(r"(?:https?://|www\.)\S*(?:\w+[-_]\w+[-_]\w+|[0-9]{4})", re.IGNORECASE)
