"""Templates become prose: one alternative of each ``[a|b|c]`` is drawn, then the ``{fields}`` are filled in."""

import re
from collections.abc import Mapping
from datetime import date

from cruxbench_inspect.demo.draws import Draws

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_ALTERNATIVES = re.compile(r"\[([^\[\]]*)\]")
_SENTENCE_START = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")


def render(template: str, fields: Mapping[str, str], draws: Draws) -> str:
    """Fill in a template.

    Args:
        template: Text with ``[a|b]`` alternatives (which may be nested) and ``{field}`` names.
        fields: A value for every field that the template names.
        draws: Picks the alternatives.

    Raises:
        KeyError: If the template names a field without a value.
    """
    text = template
    while "[" in text:
        text = _ALTERNATIVES.sub(lambda match: draws.pick(match.group(1).split("|")), text, count=1)
    return _SENTENCE_START.sub(lambda match: match.group().upper(), text.format_map(fields))


def in_words(day: date) -> str:
    """A date as prose has it, for example ``9 June 2025``."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def weekday(day: date) -> str:
    """The English name of a date's weekday."""
    return WEEKDAYS[day.weekday()]


def slug(text: str) -> str:
    """The text as a part of an address: lower case, words joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))
