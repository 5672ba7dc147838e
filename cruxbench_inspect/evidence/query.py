"""Plain words out of the query that a model wrote, and what a full-text index looks for."""

import re

from cruxbench_inspect.evidence.clean_text import clean_line

MAX_CHARACTERS = 500

MAX_TERMS = 64
"""Distinct terms of a query that are searched for."""

_OPERATOR = re.compile(
    r"(?<!\w)[-+]?(?:after|before|since|until|daterange|date|site|in(?:url|title|text|anchor)"
    r"|all(?:inurl|intitle|intext|inanchor)|filetype|ext|related|cache|source|loc|lang|link|info)"
    r":(?:\"[^\"]*\"|\S+)",
    re.IGNORECASE,
)


def plain_query(text: str) -> str:
    """The query's words on one line, at most 500 characters, without search operators such as ``after:2026-01-01``.

    No source sees an operator, so that a model cannot move the cutoff by one. "" when nothing else is there.
    """
    return clean_line(_OPERATOR.sub(" ", clean_line(text)))[:MAX_CHARACTERS].rstrip()


def telling_terms(query: str) -> list[str]:
    """The query's distinct words in lower case, without those that say nothing unless there are no others.

    Numbers that belong together (a date, a time, a decimal) are one term.
    """
    terms = dict.fromkeys(term.lower() for term in _TERM.findall(plain_query(query)))
    telling = [term for term in terms if term not in _STOP_WORDS] or list(terms)
    return telling[:MAX_TERMS]


def match_expression(query: str) -> str | None:
    """The expression of SQLite's full-text search for any term of a query, None when it has none."""
    return " OR ".join(f'"{term}"' for term in telling_terms(query)) or None


_TERM = re.compile(r"\d+(?:[-.,:/]\d+)+|[^\W_]+")
_STOP_WORDS = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his how if in into is it its not of on"
    " or s she t than that the their them then there they this to was were what when where which who whom whose why"
    " will with would".split()
)
