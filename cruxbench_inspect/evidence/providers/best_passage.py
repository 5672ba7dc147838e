"""The passage of a long text that says most about a query."""

import textwrap

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.ranking import best_matches

_LENGTH = 400


def best_passage(query: str, text: str) -> str:
    """About 400 characters of a text, on one line; its beginning if no word of the query is in it."""
    passages = textwrap.wrap(clean_line(text), _LENGTH)
    if len(passages) < 2:
        return "".join(passages)
    matches = best_matches(query, passages)
    return passages[matches[0] if matches else 0]
