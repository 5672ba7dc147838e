"""Whether a text looks back on a date that it mentions, as on something that has happened, or ahead to it."""

import re

from cruxbench_inspect.audit.bylines import dates_the_text, is_foreign
from cruxbench_inspect.audit.date_mentions import DateMention
from cruxbench_inspect.audit.sentences import sentence_ends
from cruxbench_inspect.audit.stamps import (
    OF_RESULTS,
    SCHEDULED,
    foretold,
    in_calendar,
    is_caption,
    opens_line,
    set_off,
    stamp_looks_back,
)
from cruxbench_inspect.audit.verbs import Cue, Direction, cues

REACH = 240
"""Characters on each side of a date that are looked at."""


def looks_back(text: str, mention: DateMention) -> bool:
    """Whether what stands around a date can only have been written once the date had come.

    A date by itself (a stamp, an entry of a list, a field, a caption) is from its time unless its words speak of what
    is to come; in a sentence its verbs decide. Sentences of other languages than English are not judged, labels are.

    Args:
        text: The whole text.
        mention: The date in it.
    """
    before, after = _around(text, mention)
    if dates_the_text(before, after):
        return True
    if mention.foreign or is_foreign(f"{before} {after}"):
        return mention.unit == "time" and opens_line(text, mention)
    if _CONDITION.search(before) or in_calendar(text, mention):
        return False
    if is_caption(before, after):
        return True
    if set_off(before, after):
        return stamp_looks_back(before, after, mention, text)
    return _in_sentence(before, after, mention) == "back"


_WEEKDAY = re.compile(r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]{0,2}\s$", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|provided|will resolve|resolves? (?:to )?[\"“]?(?:yes|no))\b", re.IGNORECASE
)
_INITIAL = re.compile(
    r"(?:^|[;:]\s|\s[-–—]\s|,\s(?:and|but|while|when|because|as)\s|\b(?:that|but|while|because)\s)[\"“'‘(]?"
    r"(?:(?:on|in|at|by|from|after|following|since|during|until|between|as of|late on|early on|only on|it was on)\s)?"
    r"(?:the\s|a\s)?(?:(?:late|early|mid)[\s-])?$",
    re.IGNORECASE,
)
_AHEAD_PREPOSITION = re.compile(
    r"\b(?:for|until|till|by|before|beyond|towards?|to|through|than|prior to|ahead of|from|between|and|starting"
    r"|effective|beginning|due)\s(?:at (?:least|the earliest|the latest)\s|about\s|around\s|the\s|a\s)?$",
    re.IGNORECASE,
)
_PENDING = re.compile(
    r"\b(?:maturing|expiring|ending|beginning|starting|opening|closing|arriving|falling due|taking place"
    r"|for (?:early |late |physical )?(?:delivery|settlement|release|publication|completion|decision|debate)"
    r"|happens?|on sale|date|dates)(?:,|\s(?:on|in|at|of))?\s(?:the\s)?$",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:lasted|stayed|continued|ran|served|went on|dragged on|held out|worked|lived|reigned)\b")
_WAS_FROM = re.compile(
    r"\b(?:was|were)\b(?! (?:to|due|set|scheduled|planned))[^,;]{0,60}\b(?:from|between)\b[^,;]{0,40}\b(?:to|until"
    r"|and)\s$"
)
_STRETCH = re.compile(
    r"^(?:[^,;]{0,40},\s)?(?:from|between)\s[^,;a-z]{0,4}[^;]{0,30}\s(?:to|and|through|until)\s$", re.IGNORECASE
)
_CHOSEN = re.compile(r"\b(?:set|fixed|chose|chosen|picked|named|proposed|suggested|confirmed|targeted)\s$")
_OUT_OF = re.compile(r"\bout of$")
_FROM = re.compile(r"\bfrom\s$")
_AFTER = re.compile(r"\bafter\s$")
_WHEN = re.compile(r",?\s(?:when|at which point)\b")
_SINCE = re.compile(r"\bsince\s(?:the\s)?$", re.IGNORECASE)
_AS_OF = re.compile(r"\b(?:as of|as at)\s(?:the\s)?$", re.IGNORECASE)
_TAKES_EFFECT = re.compile(r"\b(?:will|would|may|must|takes? effect)\b", re.IGNORECASE)
_OPEN_QUESTION = re.compile(r"\b(?:how|what|whether|who|when|question)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\s(?:and|but|before|after)\s")
_BEFORE_ANYTHING = re.compile(r"\b(?:before|ahead of|prior to|in the run-up to|days to|weeks to)\b", re.IGNORECASE)
_EVENT = (
    r"(?:meetings?|votes?|elections?|hearings?|match|game|summit|final|referendum|auction|launch|release|decision"
    r"|review"
    r"|trial|sentencing|ballot|congress|conference|debate|debut|wedding|ceremony|inauguration|talks|round|run-?off"
    r"|poll|strike"
    r"|opening|show|concert|festival|race|rally|march|session|eclipse|edition|opener|exam|test|flight|deadline|handover"
    r"|payment|report|visit|parade|tournament|championships?|primary|primaries|games|fixture|parley|inspection|sale"
    r"|date|marathon|cup|derby|fair|expo|anniversary|holiday|showdown|fight|bout|screening|premiere|hike|increase)"
)
_ABOUT_EVENT = re.compile(
    r"\b(?P<governor>\w+)\s(?:(?:the|a|an|its|his|her|their|another|next|new|both)\s)"
    r"(?:(?!(?:for|of|at|in|on|to|about|before|after)\s)[\w'’-]+\s){0,3}?"
    rf"{_EVENT}(?:\s(?:in|at)\s[A-Z][\w-]+)?\s(?:on|of|in|for)\s(?:the\s)?$",
    re.IGNORECASE,
)
_TO_COME = frozenset(
    "for about to towards against before until awaiting demanded announced called proposed promised planned sought"
    " requested scheduled of into facing".split()
)
_ATTRIBUTIVE = re.compile(
    r"^\s(?!(?:and|or|but|in|on|at|to|by|for|from|with|as|that|the|a|an|he|she|it|they|we|after|when"
    r"|because|while|during|until|before|over|under|against|amid|following|despite|of|if)\b)[a-z-]{3,}"
)
_THE = re.compile(r"(?P<governor>\b\w+\s)?\b(?:the|its|his|her|their|a|an)\s$", re.IGNORECASE)
_PAST_GOVERNOR = frozenset("after following since during in at until from".split())
_RELATIVE = re.compile(r",\s(?:which|who|whose|where)\b[^,]{0,120},")
_CLAUSE = re.compile(
    r"[;:]\s|\s[-–—]\s|,\s(?:and|but|while|although|though)\s|\b(?:but|while|although|though|that|who|which|whose)\s"
)


def _around(text: str, mention: DateMention) -> tuple[str, str]:
    """What stands in the same sentence before and after a date."""
    before = text[max(0, mention.start - REACH) : mention.start]
    after = text[mention.end : mention.end + REACH]
    before = _WEEKDAY.sub("", before[max(sentence_ends(before), default=0) :])
    return before, after[: next(sentence_ends(after), None)].rstrip()


def _in_sentence(before: str, after: str, mention: DateMention) -> Direction | None:
    behind = list(cues(before))
    following = _first(_RELATIVE.sub(",", after))
    nearest = behind[-1].direction if behind else None
    if _SINCE.search(before):
        return "ahead" if following == "ahead" and nearest != "back" else "back"
    if _AS_OF.search(before):
        effect = _TAKES_EFFECT.search(after)
        return "ahead" if effect and not _OPEN_QUESTION.search(after, 0, effect.start()) else "back"
    if OF_RESULTS.search(before) and nearest != "ahead" and (following == "back" or _FROM.search(before)):
        return "back"
    if _PENDING.search(before) or (foretold(after) and not (nearest == "back" and after.startswith(" to "))):
        return "ahead"
    attributive = _ATTRIBUTIVE.match(after) and _THE.search(before)
    if attributive:
        governor = (attributive["governor"] or "").strip().lower()
        return following if governor in _PAST_GOVERNOR or not SCHEDULED.match(after) else "ahead"
    if _INITIAL.search(before) or _STRETCH.search(before):
        return following
    if _CHOSEN.search(before) or (_AFTER.search(before) and following == "ahead"):
        return "ahead"
    event = _ABOUT_EVENT.search(before)
    if event and event["governor"].lower() in _TO_COME and not _OUT_OF.search(before, 0, event.end("governor")):
        return "ahead"
    start = max((match.end() for match in _CLAUSE.finditer(before)), default=0)
    clause = [cue for cue in behind if cue.start >= start]
    if _BEFORE_ANYTHING.search(before, clause[-1].start if clause else start):
        return "ahead"
    if _AHEAD_PREPOSITION.search(before):
        ended = following == "back" and _WHEN.match(after)
        lasted = _LASTING.search(before, start) or _WAS_FROM.search(before, start)
        return "back" if ended or lasted else "ahead"
    if not clause:
        return nearest or following
    if event and any(cue.words in _UNCERTAIN for cue in clause):
        return "ahead"
    if clause[-1].words.startswith("to ") and _GOES_ON.match(after) and following == "back":
        return "back"
    return "ahead" if _foretells(clause[-1], before, mention) else clause[-1].direction


def _foretells(cue: Cue, before: str, mention: DateMention) -> bool:
    """Whether a verb says what was thought of a time to come: "predicted rain on", but not "predicted on"."""
    has_object = len(before[cue.start + len(cue.words) :].split()) > 1
    return cue.words in _FORETELLING and has_object or (cue.words in _SEEING and mention.unit in ("month", "year"))


_FORETELLING = frozenset(
    "predicted projected anticipated assumed foresaw budgeted priced feared promised pledged vowed proposed offered"
    " estimated suggested demanded requested advertised".split()
)
_SEEING = frozenset("saw put estimated polled".split())
_UNCERTAIN = frozenset("bet bets odds hope chance chances prospect prospects expectation expectations forecast".split())


def _first(text: str) -> Direction | None:
    cue = next(cues(text), None)
    return cue.direction if cue else None
