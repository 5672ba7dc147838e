"""Statements that a market or a question was settled, or what its answer was."""

import re
from datetime import datetime

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.audit.text_dates import later_mentions


def tells_settlement(sentence: str, cutoff: datetime, written: datetime) -> bool:
    """Whether a sentence or a line states how a question was settled.

    Rules ("resolves to Yes if"), what is not known yet, and other markets with earlier dates do not.

    Args:
        sentence: The sentence.
        cutoff: The cutoff, in UTC.
        written: About when the text was written, in UTC.
    """
    if not _COULD_BE.search(sentence):
        return False
    if _FIELD.search(sentence) or _LABELLED.search(sentence):
        return not _RULE.search(sentence)
    if _NOT_SO.search(_WHETHER.sub(" ", sentence)):
        return False
    later = later_mentions(sentence, cutoff, written)
    answered = _ANSWER.search(sentence) and not _GIVEN.search(sentence)
    if _SETTLED.search(sentence) or answered or _SIDE_WON.search(sentence):
        return bool(later) or not date_mentions(sentence, written)
    return bool(later) and _SETTLED_SOMEHOW.search(sentence) is not None


_MARKET = (
    r"(?:(?:this|the|that|prediction|polymarket|kalshi|betting)\s){0,3}"
    r"(?:markets?|questions?|contracts?|events?|polymarket|kalshi|bets?)"
)
_YES_NO = (
    r"[\"“'‘*]{0,2}(?:yes|no)\b(?![-\w]|\s(?:one|longer|more|later|matter|deal|earlier|sooner|comment|change|doubt"
    r"|decision|answer|evidence|agreement|reason|(?-i:[a-z])+ing)\b)"
)
_VALUE = rf"(?:to|as|at|for|in favou?r of|with)?\s?{_YES_NO}"
_COULD_BE = re.compile(
    r"resol|settle|outcome|paid out|result|status|closed|decided|ended|answer|winn|redeem|verdict|happened|won\b"
    r"|price|traded",
    re.IGNORECASE,
)
# A field of a record: "outcome": "Yes", winner=yes, resolved_at: 2026-01-24T17:00:00Z.
_FIELD = re.compile(
    rf"[\"']?\b(?:\w+_)?(?:outcome|result|resolution|winner|answer|resolved"
    rf"|settled)(?:_\w+)?\b[\"']?\s?[:=]\s?[\"']?(?-i:{_YES_NO}|YES\b|NO\b|Yes\b|No\b)"
    rf"[\"']|\b(?:outcome|result|resolution|winner|answer|resolved_to|resolved)[\"']?\s?[:=]\s?[\"'](?:yes|no)[\"']",
    re.IGNORECASE,
)
_NAME = (
    r"(?:(?:the|final|actual|correct|official|market|event|question|our)\s){0,3}"
    r"(?:outcome|resolution|result|resolved|settled|status|answer|winner|verdict|winning side|settlement)"
)
_LABELLED = re.compile(
    rf"(?:^|[\s|(\[•*/?!.,;-]){_NAME}(?:\s(?:value|side)|\sof\s(?:the|this)\s\w+)?[*]{{0,2}}\s?(?:[:=]|–|—"
    rf"|\s-)\s{{0,3}}[*]{{0,2}}{_VALUE}(?!\s(?-i:[a-z]))"
    rf"|(?-i:(?:Yes|YES|No|NO))\b[:,]?\s(?:100\s?%|(?:at|@)\s100\b)",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    rf"\b{_MARKET}\s(?:[\w,]+\s){{0,4}}?(?:resolved|settled|paid out|closed|was decided|ended|answered)"
    rf"(?:\s(?:the\s\w+\s|this\s\w+\s|it\s)?|:\s){_VALUE}"
    rf"|\b(?:resolved|settled)\s(?:to|as|at|in favou?r of)\s{_YES_NO}|^\W*(?:resolved"
    rf"|settled):?\s{_YES_NO}(?!\s(?-i:[a-z]))"
    r"|\b(?:holders|shares|bettors|traders)\s(?:of\s\w+\s(?:shares\s)?)?(?:were|was|have been|got)\s(?:paid out"
    r"|redeemed)\b"
    r"|\b(?:settled|answered|decided|resolved)\sin\sthe\s(?:affirmative|negative)\b",
    re.IGNORECASE,
)
# "The answer was no" is also what people give: a settled question is told with a name for its end, or in capitals.
_ANSWER = re.compile(
    r"\b(?:the\s)?(?:(?:final|actual|correct|official)\s(?:answer|outcome|resolution|result|verdict)|outcome"
    r"|resolution)\b"
    rf"[^.?!;]{{0,80}}?\s(?:is|was|were|came (?:out|in) as|turned out(?: to be)?)\s(?:a\s)?{_YES_NO}"
    r"|\b(?:the|its)\s(?:answer|outcome|result|resolution)\b[^.?!;]{0,80}?\s(?:is|was|turned out(?: to be)?"
    r"|came (?:out|in)(?: as)?)\s"
    r"(?:a\s)?[\"“'‘]?(?-i:Yes|YES|No|NO)\b"
    r"|\b(?:proposed|the)\s(?:outcome\s)?[\"“']?(?-i:Yes|YES|No|NO)\b[\"”']?(?:\soutcome)?\s(?:was|has been"
    r"|is)\s(?:confirmed|final\w*)"
    r"|\bconfirmed\sthe\s(?:proposed\s)?(?:outcome\s)?[\"“']?(?-i:Yes|YES|No|NO)\b"
    r"|\bquestion\s(?:of\s)?(?:whether|if)\b[^.?!;]{0,160}?\s(?:was|has been|is now)\s(?:settled|answered|decided"
    r"|resolved)\s(?:with|as|in)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"\b(?:asked|his|her|he|she|they) (?:if|whether|about|answer|said|told|replied)\b", re.IGNORECASE)
_SIDE_WON = re.compile(
    r"[\"“'‘]?(?-i:Yes|YES|No|NO)[\"”'’]?\s(?:side\s|shares\s|bettors\s|holders\s)?(?:has\s|have\s|had\s)?(?:won\b"
    r"|(?:were\s)?(?:redeemed|paid)\b"
    r"|(?:traded|closed|settled|ended|finished)\sat\s(?:\$?1(?:\.0+)?\b(?![.\d])|100))"
    r"|\bwon by the (?-i:Yes|YES|No|NO) side\b|\b(?:final|closing) price of (?-i:Yes|YES|No"
    r"|NO)[:\s]{1,3}(?:was\s)?\$?[01](?:\.0+)?\b(?![.\d])",
    re.IGNORECASE,
)
_SETTLED_SOMEHOW = re.compile(
    rf"\b{_MARKET}\s(?:(?:has|have|had|was|were|been|is|now|officially|already|finally)\s){{0,4}}(?:resolved"
    rf"|settled)\b(?!\sat\s\W?\d)",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"\bwhether\b[^,.?!;]{0,160}?(?=\b(?:was|has|is)\b)|\bwould\b|(?<=turned out )to be\b", re.IGNORECASE
)
_RULE = re.compile(
    r"\b(?:if|unless|would|could|might|similar|another|earlier|previous|example|e\.g\.|e\.g)\b", re.IGNORECASE
)
_NOT_SO = re.compile(
    r"\b(?:if|unless|whether|will|would|(?-i:may)|might|could|can|should|shall|must|to be|not|never|yet to|until|before"
    r"|nobody|when|once|upon|wants?|similar|another|earlier|previous|last year)\b|n['’]t\b",
    re.IGNORECASE,
)
