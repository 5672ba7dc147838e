"""Plain words out of the query that a model wrote."""

import re

from cruxbench_inspect.evidence.clean_text import clean_line

MAX_CHARACTERS = 500

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
