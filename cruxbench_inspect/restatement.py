"""Whether a question is the ultimate question again.

Wording is compared by content words: dates of deadlines, small words, word endings and negation are folded away, and
everything else, names and numbers above all, must be the same. It is conservative: a paraphrase in other words passes.
"""

import re
import unicodedata
from typing import NamedTuple

from cruxbench_inspect.crux_dates import MONTH

_READ_LENGTH = 1000  # characters: a question is a sentence, and the patterns below are not linear
_MONTH = MONTH.format(name="_").replace("(?P<_>", "(?:") + r"\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:\s*,)?\s+(?:19|20)\d{2}"
_CLOCK = (
    r"(?:\d{1,2}:\d{2}(?::\d{2})?\s*(?:z\b|[ap]\.?m\b\.?)?|\b\d{1,2}\s*[ap]\.?m\b\.?)"
    r"(?:\s*\(?(?:utc|gmt|c?est|cet|e[ds]?t|(?:eastern|new york)(?:\s+time)?)\b\)?)?"
)
_DEADLINE_WORD = r"(?:by|before|until|till|through)"
_PART = r"(?:(?:the\s+)?(?:very\s+)?(?:end|close|start|beginning|middle)\s+of\s+)?(?:the\s+)?"
_SPAN = r"(?:year|month|quarter|week|day|(?:evaluation |crux |forecast )?(?:window|period))"
_DATE = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}(?:t[\d:.]+z?)?\b"
    rf"|\b\d{{1,2}}/\d{{1,2}}/\d{{4}}\b"
    rf"|\b{_DAY}\s+(?:of\s+)?{_MONTH}\b(?:{_YEAR})?\b"
    rf"|\b{_MONTH}\s+{_DAY}\b(?:{_YEAR})?\b"
    rf"|{_CLOCK}"
)
_DEADLINE = re.compile(
    rf"\b{_DEADLINE_WORD}\s+{_PART}(?:{_MONTH}\b(?:{_YEAR})?|(?:19|20)\d{{2}}|year[- ]?end(?:{_YEAR})?)\b"
    rf"|\bin\s+{_PART}(?:19|20)\d{{2}}\b"
    rf"|\b(?:{_DEADLINE_WORD}|at|in|during|within)\s+{_PART}(?:this\s+|the\s+)?{_SPAN}\b"
    r"|\b(?:with)?in\s+(?:the\s+)?(?:next\s+|coming\s+)?(?:\d+|two|three|four|six)\s+(?:hour|day|week|month)s\b"
    r"|\b(?:this|next)\s+(?:year|month|quarter|week)\b"
)
_PERIOD = re.compile(rf"\b(?:in|during)\s+(?P<month>{_MONTH})\b(?:{_YEAR})?\b")
_NO_LATER = re.compile(r"\bnot? later than\b|\bprior to\b|\bon or before\b")
_SOME = re.compile(r"\bat least one(?: of)?\b|\bone or more(?: of)?\b|\bany(?: one)?(?: of)?\b|\bsome of\b")
_NEGATION = re.compile(r"\bnot\b|n't\b|\bnever\b|\bno\b(?!\.)|\bfail(?:s|ed)?\s+to\b|\bcannot\b")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%$€£<>+]")
_SMALL_WORDS = frozenset(
    "a an the will would wo ca can could shall should is are was were be been being get gets got has have had having"
    " do does did of to in on at by before until till for from with and or as that this it its there their then into"
    " between during within officially publicly reportedly s".split()
)

_PLATFORM = re.compile(r"\b(?:polymarket|kalshi|manifold markets|metaculus|predictit|prediction[- ]market)")
_MARKET_TALK = re.compile(
    r"\b(?:prices?|priced|probabilit(?:y|ies)|odds|resolves?|resolved|trades?|trading|shares?|contracts?)\b"
)
_LEVEL = (
    r"\b(?:above|over|below|under|exceeds?|exceeding|than|least|most|reach(?:es)?|hits?|cross(?:es)?|at)\s+"
    r"\d+(?:\.\d+)?\s*(?:%|percent\b)"
)
_RESOLVES = r"\b(?:market|question|contract)\b.*\bresolves?d?\s+(?:to\s+|as\s+)?\W?(?:yes|no)\b"
_SHARES = r"\b(?:yes|no)\W?\s+(?:shares?|contracts?|tokens?)\b.*\b(?:trad|pric|cost)|\bpric\w+ (?:of|for) \W?yes\b"
_MARKET_PRICE = rf"\bmarket(?:'s)?(?:[\s-]implied)?\s+(?:price|odds|probability)\b.*{_LEVEL}"
_ABOUT_MARKET = re.compile(f"{_RESOLVES}|{_SHARES}|{_MARKET_PRICE}")
_ODDS = re.compile(rf"\b(?:price|odds|probability|chances?|likelihood)\b.*{_LEVEL}")


class _Wording(NamedTuple):
    words: tuple[str, ...]
    periods: frozenset[str]
    negated: bool
    text: str


def restatement(question: str, ultimate_question: str) -> str | None:
    """Say why a question is the ultimate question again.

    Args:
        question: The question of a crux.
        ultimate_question: The title of the market.

    Returns:
        One line: the same words, another deadline, the negation, or the market itself as the subject. None otherwise.
    """
    asked, ultimate = _wording(question), _wording(ultimate_question)
    if _about_market(asked, ultimate):
        return "it asks about the market of the ultimate question, not about the world"
    if _WORD.findall(asked.text) == _WORD.findall(ultimate.text):
        return "it is the ultimate question in the same words"
    if not ultimate.words or set(asked.words) != set(ultimate.words):
        return None
    if ultimate.periods and asked.periods != ultimate.periods:
        return None
    names = _names(ultimate_question)
    if [word for word in asked.words if word in names] != [word for word in ultimate.words if word in names]:
        return None
    if asked.negated != ultimate.negated:
        return "it is the ultimate question negated"
    return "it is the ultimate question, in other order or with another deadline"


def _wording(question: str) -> _Wording:
    text = _plain(question).lower()
    dateless = _DEADLINE.sub(" ", _DATE.sub(" ", _NO_LATER.sub(" by ", text)))
    periods = frozenset(match["month"][:3] for match in _PERIOD.finditer(dateless))
    bare = _SOME.sub(" ", _PERIOD.sub(" ", dateless))
    negated = len(_NEGATION.findall(bare)) % 2 == 1
    words = _WORD.findall(_NEGATION.sub(" ", bare))
    return _Wording(tuple(_stem(word) for word in words if word not in _SMALL_WORDS), periods, negated, text)


def _plain(question: str) -> str:
    text = unicodedata.normalize("NFKC", question[:_READ_LENGTH])
    return text.translate(str.maketrans("’‘“”‐‑", "''\"\"--"))


def _stem(word: str) -> str:
    """A word without its ending, so that "returns", "returned" and "return" are one; numbers lose their commas."""
    if word[0].isdigit():
        return word.replace(",", "")
    if word in ("percent", "bps"):
        return {"percent": "%", "bps": "bp"}[word]
    stem = re.sub(r"(?:ing|ed|es|s)$", "", word)
    stem = stem if len(stem) > 2 else word
    return stem.removesuffix("e") if len(stem) > 3 else stem


def _names(question: str) -> frozenset[str]:
    """The words of a question, folded, whose order matters: names, and numbers."""
    words = _WORD.findall(_plain(question))
    return frozenset(_stem(word.lower()) for word in words if word[0].isupper() or word[0].isdigit())


def _about_market(asked: _Wording, ultimate: _Wording) -> bool:
    if _ABOUT_MARKET.search(asked.text):
        return True
    if _PLATFORM.search(asked.text) and _MARKET_TALK.search(asked.text) and not _PLATFORM.search(ultimate.text):
        return True
    return len(ultimate.words) > 1 and set(ultimate.words) <= set(asked.words) and bool(_ODDS.search(asked.text))
