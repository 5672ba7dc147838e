"""Figures that texts state, and thresholds that questions compare them with."""

import re
from datetime import date
from typing import Literal, NamedTuple

from cruxbench_inspect.keyword.dates import clock_mentions, date_mentions, without_spans

_UNIT = r"\s*(?P<unit>%|per ?cent\b|million\b|billion\b|thousand\b)?"
_ABOVE = ("above", "over", "more than", "higher than", "greater than", "exceed", "exceeds", "at least", "at or above")
_BELOW = ("below", "under", "less than", "lower than", "fewer than", "at most", "no more than", "at or below")
_INCLUSIVE = frozenset({"at least", "at most", "no more than", "at or above", "at or below"})
_RELATION = rf"(?P<relation>{'|'.join(sorted((*_ABOVE, *_BELOW), key=len, reverse=True))})"
_MONEY = r"(?:[€$£]\s?)?"
_THRESHOLD = re.compile(rf"\b{_RELATION}\s+{_MONEY}(?P<number>\d[\d,]*(?:\.\d+)?){_UNIT}", re.IGNORECASE)
_NUMBER = re.compile(rf"(?<![\w.,/:-])(?P<number>\d[\d,]*(?:\.\d+)?)(?![\w/:]){_UNIT}", re.IGNORECASE)
_RELATION_BEFORE = re.compile(rf"\b{_RELATION}\s+{_MONEY}$", re.IGNORECASE)
_EARLIER_VALUE = re.compile(
    rf"\b(?:from|against|than|compared with|after|following|previous|earlier)\s+(?:an? |the )?{_MONEY}$", re.IGNORECASE
)
_YEAR_BEFORE = re.compile(r"\b(?:in|of|since|for)\s+$")
_DENIED = re.compile(r"\b(?:not|no|never|nor|neither|n't)\b(?:\s+\w+){0,3}\s*$")
_REACH = 80
"""Characters before a number in which the words that bear on it stand."""

_SCALES = {"million": 1e6, "billion": 1e9, "thousand": 1e3}


class Figure(NamedTuple):
    """A number in a text; `relation` is how the text bounds it ("below 3.4"), None where it states the value."""

    value: float
    percent: bool
    relation: Literal["above", "below"] | None = None
    inclusive: bool = True

    def __str__(self) -> str:
        return f"{self.value:,.10g}" + (" per cent" if self.percent else "")


class Threshold(NamedTuple):
    """A number that a figure is compared with; `inclusive` for "at least" and "at most"."""

    direction: Literal["above", "below"]
    value: float
    percent: bool
    inclusive: bool

    def met_by(self, figure: Figure) -> bool | None:
        """Whether a figure lies on the asked side; None if a bounded one does not tell."""
        if figure.relation is None:
            return (
                self.inclusive
                if figure.value == self.value
                else (figure.value > self.value) == (self.direction == "above")
            )
        sign = 1 if figure.relation == "above" else -1
        # How far the bound lies beyond the threshold, seen in the direction in which the figure is bounded.
        beyond = sign * (figure.value - self.value)
        if figure.relation == self.direction:
            return True if beyond > 0 or (beyond == 0 and (self.inclusive or not figure.inclusive)) else None
        return False if beyond > 0 or (beyond == 0 and not (self.inclusive and figure.inclusive)) else None


def threshold(question: str) -> tuple[Threshold, tuple[int, int]] | None:
    """The threshold of a question ("above 432", "at least 3.4 per cent") and where it stands, or None."""
    match = _THRESHOLD.search(question)
    if match is None:
        return None
    words = match["relation"].lower()
    value, percent = _number(match)
    direction: Literal["above", "below"] = "above" if words in _ABOVE else "below"
    return Threshold(direction, value, percent, words in _INCLUSIVE), match.span()


def figures(sentence: str, reference: date) -> list[Figure]:
    """The figures of a sentence, without dates, clock times and values of earlier periods ("from 410").

    Args:
        sentence: A sentence.
        reference: The day on which it was written.
    """
    spans = [(mention.start, mention.end) for mention in date_mentions(sentence, reference)]
    spans += [(mention.start, mention.end) for mention in clock_mentions(sentence)]
    text = without_spans(sentence, spans)
    found: list[Figure] = []
    for match in _NUMBER.finditer(text):
        before = text[max(0, match.start() - _REACH) : match.start()]
        year = re.fullmatch(r"(?:19|20)\d\d", match["number"]) and match["unit"] is None and _YEAR_BEFORE.search(before)
        if year or _EARLIER_VALUE.search(before):
            continue
        bound = _RELATION_BEFORE.search(before)
        words = bound["relation"].lower() if bound else ""
        # "Did not fall below 4.6" bounds from the other side.
        denied = bound is not None and _DENIED.search(before[: bound.start()]) is not None
        above = (words in _ABOVE) != denied
        relation: Literal["above", "below"] | None = ("above" if above else "below") if bound else None
        found.append(Figure(*_number(match), relation, bound is None or (words in _INCLUSIVE) != denied))
    return found


def _number(match: re.Match[str]) -> tuple[float, bool]:
    unit = (match["unit"] or "").lower()
    return float(match["number"].replace(",", "")) * _SCALES.get(unit, 1.0), unit.startswith(("%", "per"))
