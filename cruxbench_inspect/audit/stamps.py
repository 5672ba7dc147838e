"""Dates that are set off from sentences: stamps, entries of chronicles and calendars, fields of tables, captions."""

import re

from cruxbench_inspect.audit.date_mentions import DateMention, date_mentions
from cruxbench_inspect.audit.verbs import cues

CALENDAR_LINES = 12
"""Lines over which a list of dates goes up to its heading."""


def opens_line(text: str, mention: DateMention) -> bool:
    """Whether nothing but bullets stands before a date in its line."""
    return not text[max(0, mention.start - 8) : mention.start].rpartition("\n")[2].strip(_BULLETS)


def set_off(before: str, after: str) -> bool:
    """Whether a date stands by itself beside the words around it: at the start or the end, or behind a label.

    Args:
        before: What stands before it in its sentence or line.
        after: What stands after it there.
    """
    label, rest = before.strip(_BULLETS), after.strip(_BULLETS)
    if not label or _SEPARATED.search(before):
        return True
    if not rest or _SEPARATOR.match(after):
        return _BRACKETED.search(before) is not None or _APART.search(before) is not None or _is_label(label)
    return False


def stamp_looks_back(before: str, after: str, mention: DateMention, text: str) -> bool:
    """Whether a date that is set off dates what stands beside it, which then has come to pass.

    Plans, terms and the calendar are told by their words; whatever else a stamp stands beside is from its time.

    Args:
        before: What stands before it in its sentence or line.
        after: What stands after it there.
        mention: The date.
        text: The whole text.
    """
    if not before.strip(_BULLETS):
        return _opening_looks_back(after, mention, text)
    label = _last_part(before)
    directions = {cue.direction for cue in cues(label)}
    if _MADE_THEN.search(before):
        return True
    if "ahead" in directions or _TO_COME.search(label) or foretold(after):
        return False
    if OF_RESULTS.search(before):
        return True
    return not _EVENT_WORD.search(label) or "back" in directions


def is_caption(before: str, after: str) -> bool:
    """Whether a date stands in the caption of a picture or a chart, which shows what was until then."""
    return _CAPTION.match(before) is not None and all(cue.direction != "ahead" for cue in cues(f"{before} {after}"))


def in_calendar(text: str, mention: DateMention) -> bool:
    """Whether a date is one of a list under a heading that speaks of what is to come."""
    start = text.rfind("\n", max(0, mention.start - _LONGEST), mention.start) + 1
    if start == 0 and mention.start > _LONGEST:
        return False
    if _HEADING.search(text, start, mention.start):
        return True
    for _ in range(CALENDAR_LINES):
        if start == 0:
            return False
        end, start = start - 1, text.rfind("\n", max(0, start - 1 - _LONGEST), start - 1) + 1
        line = text[start:end].strip() if start or end < _LONGEST else ""
        if not line:
            continue
        if _HEADING_LINE.search(line):
            return True
        if len(line) > _LIST_LINE or not date_mentions(line, mention.earliest):
            return False
    return False


def foretold(after: str) -> bool:
    """Whether what follows a stamp directly is planned."""
    first = next(cues(after), None)
    return first is not None and first.direction == "ahead" and not _WORD.search(after[: first.start])


_BULLETS = " \t*•>–—-|#([/"
_LONGEST = 600  # characters of a line that may belong to a calendar
_LIST_LINE = 160
_AROUND = " \t:.,;–—-|)]·"
_SEPARATOR = re.compile(r"\s{0,2}(?:[:–—|)\].;,·/-]|\d{1,2}[:.h]?\d\d\b|$)")
_SEPARATED = re.compile(r"(?:[:|=·•–—]|\s[-/]|\|)\s{0,3}[\"“'(\[]?$")
_BRACKETED = re.compile(r"[(\[]\s{0,2}$")
_APART = re.compile(r",\s{1,2}$")
_LABEL_WORDS = 4
_LEADING_ON = frozenset(
    "on in at by from to until till for since of before after between and the during as than".split()
)
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_EVENT = (
    r"\b(?:meetings?|votes?|elections?|hearings?|match|game|summit|finals?(?!\s(?:day|result|tally|score|count"
    r"|report))|referendum|auction|launch|(?<!press )(?<!news )release|decision"
    r"|trial|sentencing|ballot|congress|conference|debate|debut|wedding|ceremony|inauguration|talks|round|run-?off"
    r"|poll|polling|strike|opening|shows?|concerts?|festival|race|rally|march|session|eclipse|edition|exam|test"
    r"|flight|tour"
    r"|handover|payment|visit|parade|tournament|championships?|primary|primaries|games|fixture|inspection|sale|event"
    r"|kick-?off"
    r"|marathon|cup|derby|fair|expo|anniversary|holiday|showdown|fight|bout|screening|premiere|exhibition|registration"
    r"|applications|webinar|workshop|course|semester|holidays|vacation|recess|doors|dates|start|completion|delivery"
    r"|maturity|entry into force|closing|judgments?|briefing|committee|minutes)\b"
)
_EVENT_WORD = re.compile(_EVENT, re.IGNORECASE)
SCHEDULED = re.compile(
    rf"\s(?:[\w-]+\s){{0,2}}?(?:{_EVENT}|(?:contracts?|futures|options?|bonds?|notes|loans?|deadline|target|maturity"
    rf"|term|plan|book)\b)",
    re.IGNORECASE,
)
"""What directly after a date is something planned for it, as in "the 3 March 2026 auction"."""
_TO_COME = re.compile(
    r"\b(?:the (?:new )?date|deadlines?|expir\w+|next (?!:)|upcoming|save the|calendar|agenda|due|valid|target|eta"
    r"|preview|fixtures?|scheduled?"
    r"|termin|frist|ablauf|bis|gültig|échéance|jusqu['’]au|avant le|fecha límite|hasta|vence|scadenza|entro|prazo|até"
    r"|válido"
    r"|sista dag|frist|termijn|tot)\b",
    re.IGNORECASE,
)
_MADE_THEN = re.compile(
    r"^[\W_]{0,4}(?:image|photo|picture|chart|figure|video|caption|screenshot|graphic|map|table|data|results?|report"
    r"|statement|comments?|reply|review|in office|term|tenure|in power|transcript|version history|changelog)\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"^[\W_]{0,4}(?:image|photo|picture|chart|figure|video|screenshot|graphic|map|caption)\b[^.]{0,40}?[:|–(]", re.I
)
OF_RESULTS = re.compile(
    r"\b(?:results?|outcome|aftermath|winners?|scores?|report|recap|highlights|photos?|transcript|statement|minutes"
    r"|images?|pictures?|footage|videos?|map|data|figures|letter|memo|e-?mail|post|interview|article|story|filing"
    r"|edition)\s"
    r"(?:of|from)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\b(?:calendar|schedule|fixtures|agenda|timetable|cause list|programme|program|upcoming|diary|\w+ dates"
    r"|dates ahead"
    r"|what['’]s next|coming up|next steps|week ahead|look(?:ing)? ahead|to come|save the dates?|important dates"
    r"|(?:meetings|hearings|sessions|auctions|elections|holidays|deadlines) (?:in|of|for) 20\d\d)\b[^.\n]{0,60}:",
    re.IGNORECASE,
)
_HEADING_LINE = re.compile(
    r"\b(?:calendar|schedule|fixtures|agenda|timetable|cause list|programme|upcoming|diary|key dates|dates ahead"
    r"|what['’]s next|coming up|next steps|week ahead|look(?:ing)? ahead|save the dates?|important dates|deadlines)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def _is_label(label: str) -> bool:
    words = _WORD.findall(label)
    return len(words) <= _LABEL_WORDS and words[-1].lower() not in _LEADING_ON and next(cues(label), None) is None


def _last_part(before: str) -> str:
    """The words that stand next to a stamp, which tell what it is the date of."""
    parts = re.split(r"[;|]|[.:]\s", before.rstrip(" \t:=|–—-·(,["))
    named = [part for part in parts if any(word.lower()[:3] not in _MONTHS for word in _WORD.findall(part))]
    return named[-1] if named else before


def _opening_looks_back(after: str, mention: DateMention, text: str) -> bool:
    rest = (
        after.strip(_AROUND) or text[mention.end : mention.end + _LIST_LINE].lstrip(_AROUND + "\n").partition("\n")[0]
    )
    return not _is_plan(rest)


def _is_plan(words: str) -> bool:
    """Whether what happens on a day is planned: by its first verb, or by an event's name where it has none."""
    first = next(cues(words), None)
    if first is None:
        return _EVENT_WORD.search(words) is not None or _TO_COME.search(words) is not None
    return first.direction == "ahead"
