"""The check of a text for the end of the market's question: that it was settled, or what it asks for has happened."""

import re
from collections.abc import Iterator
from functools import lru_cache

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.audit.findings import Finding, excerpt
from cruxbench_inspect.audit.items import Item, Ultimate
from cruxbench_inspect.audit.sentences import sentences
from cruxbench_inspect.audit.text_dates import later_mentions, written
from cruxbench_inspect.audit.verbs import cues

SHARED = 0.6
"""The part of the question's telling words that a sentence has at least when it is about the same."""

LONGEST = 600
"""Characters of a sentence that are looked at."""


def outcome_findings(item: Item, ultimate: Ultimate) -> Iterator[Finding]:
    """Sentences of an item that tell the end of a question that was certainly open at the item's cutoff.

    Rules ("resolves to Yes if"), questions, plans and other markets with earlier dates do not tell it.
    """
    if not ultimate.open_at(item.cutoff):
        return
    asked = _telling(ultimate.question)
    for whole in sentences(item.reading):
        sentence = whole[:LONGEST]
        if _tells_settlement(sentence, item):
            yield Finding(kind="resolution_told", excerpt=excerpt(sentence, 0, len(sentence)))
        elif asked and ultimate.outcome and _tells_event(sentence, asked, ultimate.outcome == "No", item):
            yield Finding(kind="outcome_told", excerpt=excerpt(sentence, 0, len(sentence)))


_MARKET = (
    r"(?:(?:this|the|prediction|polymarket|kalshi|betting)\s){0,3}"
    r"(?:markets?|questions?|contracts?|polymarket|kalshi|bets?)"
)
_VALUE = (
    r"(?:to|as|at|for|in favou?r of|with)?\s?[\"“'‘*]{0,2}(?:yes|no)\b"
    r"(?![-\w]|\s(?:one|longer|more|later|matter|deal|earlier|sooner))"
)
_SETTLED = re.compile(
    rf"\b{_MARKET}\s(?:[\w,]+\s){{0,4}}?(?:resolved|settled|paid out|closed|was decided|ended)"
    rf"(?:\s(?:the\s\w+\s)?|:\s){_VALUE}"
    r"|\b(?:holders|shares|bettors|traders)\s(?:were|was|have been|got)\spaid out\b"
    rf"|(?:^|[|(\[•*-]\s{{0,3}})(?:(?:final|actual)\s)?(?:outcome|resolution|result|resolved|settled|status)"
    rf"(?:\s?[:=–-]\s{{0,3}}|\s(?:is|was)\s)[*]{{0,2}}{_VALUE}(?!\s\w)"
    rf"|\b(?:final|actual)\s(?:outcome|resolution)\s?(?::|is|was|-)\s{{0,2}}{_VALUE}",
    re.IGNORECASE,
)
_SETTLED_SOMEHOW = re.compile(
    rf"\b{_MARKET}\s(?:(?:has|have|had|was|were|been|is|now|officially|already|finally)\s){{0,4}}(?:resolved|settled)\b",
    re.IGNORECASE,
)
_COULD_BE_SETTLED = re.compile(r"resol|settle|outcome|paid out|result|status|closed|decided|ended", re.IGNORECASE)
_NOT_SO = re.compile(
    r"\b(?:if|unless|whether|will|would|(?-i:may)|might|could|can|should|shall|must|to be|not|never|yet to|until|before"
    r"|nobody|when|once|upon|wants?|similar|another|earlier|previous|last year)\b|n['’]t\b",
    re.IGNORECASE,
)
_AS_SETTLED = re.compile(
    r"\b(?:in the end|ultimately|eventually|as it turned out|it turned out|turns out|final (?:result|outcome|tally)"
    r"|(?:market|question) (?:resolved|settled|paid))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|unless|whether|will|would|(?-i:may)|might|could|should|unlikely|likely|expect\w*|plan\w*)\b|\?",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|failed|fails|without|neither|nor|missed|rejected|refused)\b|n['’]t\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}|\d+(?:[.,]\d+)?")
_EMPTY = frozenset(
    "the and for will would shall does did has have had with from that this than then any its his her their they them"
    " before after until till between during who which what when where into onto over under out off are was were been"
    " being can could may might must should not yes market question there end".split()
)
_DAY = re.compile(
    r"(?:\b\d{1,2}(?:st|nd|rd|th)?\s)?\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b\.?(?:\s\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s\d{4}\b)?"
    r"|\b20\d\d\b",
    re.IGNORECASE,
)


def _tells_settlement(sentence: str, item: Item) -> bool:
    if not _COULD_BE_SETTLED.search(sentence) or _NOT_SO.search(sentence):
        return False
    later = later_mentions(sentence, item.cutoff, written(item))
    if _SETTLED.search(sentence):
        return bool(later) or not date_mentions(sentence, written(item))
    return bool(later) and _SETTLED_SOMEHOW.search(sentence) is not None


def _tells_event(sentence: str, asked: frozenset[str], negative: bool, item: Item) -> bool:
    if len(asked & _telling(sentence)) < max(2, SHARED * len(asked)) or _OPEN.search(sentence):
        return False
    directions = [cue.direction for cue in cues(sentence)]
    if "back" not in directions:
        return False
    if _AS_SETTLED.search(sentence):
        return True
    later = later_mentions(sentence, item.cutoff, written(item))
    return bool(later) and "ahead" not in directions and bool(_NEGATED.search(sentence)) == negative


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about; dates are none."""
    words = (word.lower() for word in _WORD.findall(_DAY.sub(" ", text)))
    return frozenset(word[:6] for word in words if word not in _EMPTY)
