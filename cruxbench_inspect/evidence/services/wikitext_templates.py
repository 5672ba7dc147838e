"""What a reader sees of the templates that carry facts, as plain text.

Templates are not expanded: their code is of today, a revision is not. A handful is known by its meaning, those with
several named parameters are shown as pairs (infoboxes, match reports, election results), and all others are left out.
"""

import re
from collections.abc import Mapping, Sequence

_PAIRS_FROM = 3

_APPARATUS = re.compile(
    r"(?:cite|citation|refn?|refbegin|reflist|refend|sfnp?|sfnm|harv\w*|efn|notelist|note|rp|r|webarchive|dead link"
    r"|short desc\w*|use|engvar\w*|pp|protect\w*|about|for|distinguish|other uses|redirect\d*|hatnote|main|see also"
    r"|further|details|multiple issues|multiple image|more|unref\w*|no|clean ?up\w*|update|pov|coord|location map|osm"
    r"|graph|chart|pie chart|default ?sort|displaytitle|authority control|portal|commons|sister|wikt\w*|navbox|sidebar"
    r"|campaignbox|toc|clear|div col|col|anchor|dynamic list|image|annotated|css|void|hidden|hs|ntsh|sort key|bots"
    r"|italic|lead|orphan|stub|current|article history|talk|afd|good article|featured article|wide|legend|increase"
    r"|decrease|steady|gain|loss|flagicon|age)\b",
    re.IGNORECASE,
)
"""Beginnings of names of templates that refer, warn, lay out or decorate."""

_FIRST = frozenset(
    "nowrap nobr small smaller big larger nobold center abbr tooltip flag flagu flagcountry flagdeco flagathlete ill"
    " interlanguage_link quote blockquote cquote strong em sup sub not_a_typo not_typo sic nts formatnum lc uc lcfirst"
    " ucfirst ship percentage midsize resize plainlist usdate val".split()
)
_LAST = frozenset("lang transliteration transl color font_color colour sort fontcolor".split())
_ALL = frozenset(
    "ubl unbulleted_list ublist hlist flatlist cslist bulleted_list ordered_list plain_list comma_separated_entries"
    " unbulleted pagelist".split()
)
_DATES = frozenset(
    "start_date end_date birth_date death_date birth_date_and_age death_date_and_age start_date_and_age dts date"
    " film_date release_date as_of film_year start_date_and_years_ago bda dob".split()
)
_SIGNS = {
    "snd": " – ",
    "spnd": " – ",
    "spaced_ndash": " – ",
    "ndash": "–",
    "mdash": "—",
    "spaced_mdash": " — ",
    "nbsp": " ",
    "'": "'",
    "'s": "'s",
    "!": "|",
    "=": "=",
    "bullet": " · ",
    "dot": " · ",
    "•": " · ",
    "yes": "Yes",
    "no": "No",
    "won": "Won",
    "nominated": "Nominated",
    "tba": "TBA",
    "tbd": "TBD",
    "n/a": "N/A",
    "euro": "€",
    "pound_sterling": "£",
}
_MONEY = {
    "us$": "US$",
    "usd": "US$",
    "euro": "€",
    "eur": "€",
    "£": "£",
    "gbp": "£",
    "inr": "₹",
    "jpy": "¥",
    "cad": "C$",
}
_BETWEEN = frozenset({"to", "and", "or", "by", "x", "-", "–", "to(-)"})
_NO_FACT = re.compile(
    r"(?:^|[_ \d])(?:alt|caption|class|colou?r|coord\w*|flag|icon|image\w*|logo|map\w*|module|signature|size"
    r"|style|width)(?:$|[_ \d])"
)
"""Names of parameters that lay out or decorate."""


def shown(name: str, positional: Sequence[str], named: Mapping[str, str]) -> str:
    """What is shown of a template.

    Args:
        name: As it is written.
        positional: The parameters without a name, as plain text.
        named: The others, as plain text.

    Returns:
        One piece of text, or lines ``name: value`` with a newline before and after; "" when nothing of it is text.
    """
    name = name.strip()
    key = name.lower().replace(" ", "_")
    given = [value.strip() for value in positional if value.strip()]
    if ":" in name and not name.startswith("#"):
        function, _, argument = name.partition(":")
        return argument.strip() if function.strip().lower() in _FIRST else ""
    if key in _MONEY and given:
        return _MONEY[key] + given[0]
    if key in _SIGNS:
        return given[0] if given else _SIGNS[key]
    if key in _DATES:
        day = _date(given[: 5 if key in {"start_date", "end_date"} else 3])
        return f"as of {day}" if key == "as_of" else day
    if key in {"convert", "cvt"}:
        return " ".join(given[:4] if len(given) > 3 and given[1] in _BETWEEN else given[:2])
    if key in _FIRST:
        return (given or [named.get("text") or named.get("quote") or ""])[0]
    if key in _LAST:
        return given[-1] if given else ""
    if key in _ALL:
        return ", ".join(_listed(value, ", ") for value in given)
    if key in {"url", "official_website", "official_url"}:
        return given[-1] if given else ""
    if key == "frac":
        return "/".join(given)
    if key in {"circa", "c."}:
        return " ".join(["c.", *given[:1]])
    if key == "sortname":
        return " ".join(given[:2])
    return "" if name.startswith("#") or _APPARATUS.match(name) else _pairs(named)


def _date(given: Sequence[str]) -> str:
    """Year, month, day (and hour, minute) as ISO 8601 where they are numbers."""
    numbers = []
    for value in given:
        if not (value.isascii() and value.isdigit() and len(value) <= 4):
            break
        numbers.append(value.zfill(2))
    if not numbers:
        return " ".join(given[:3])
    day, time = "-".join(numbers[:3]), ":".join(numbers[3:])
    return f"{day} {time}" if time else day


def _listed(text: str, separator: str) -> str:
    """The lines of a list on one line."""
    return separator.join(filter(None, (line.strip().strip("*#:; ") for line in text.splitlines())))


def _pairs(named: Mapping[str, str]) -> str:
    facts = {key.replace("_", " "): _listed(value, "; ") for key, value in named.items() if not _NO_FACT.search(key)}
    lines = [f"{key}: {value}" for key, value in facts.items() if value]
    return "\n".join(["", *lines, ""]) if len(named) >= _PAIRS_FROM and lines else ""
