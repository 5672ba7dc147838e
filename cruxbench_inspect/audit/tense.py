"""Whether a text looks back on a date that it mentions, as on something that has happened, or ahead to it."""

import re

from cruxbench_inspect.audit.date_mentions import DateMention
from cruxbench_inspect.audit.sentences import sentence_ends
from cruxbench_inspect.audit.verbs import Direction, cues

REACH = 240
"""Characters on each side of a date that are looked at."""


def looks_back(text: str, mention: DateMention) -> bool:
    """Whether what stands around a date can only have been written once the date had come.

    Deadlines, schedules, plans, conditions and bare dates do not look back, nor does what cannot be told.

    Args:
        text: The whole text.
        mention: The date in it.
    """
    before, after = _around(text, mention)
    if _LABEL.search(before):
        return True
    if _LABELLED_AHEAD.search(before) or _CONDITION.search(before):
        return False
    if not before.strip(" \t*•>-–—|#("):
        return _line_start(mention, before, after, text)
    if _BYLINE.match(before) or (_DATELINE.match(before) and _DATELINE_END.match(after)):
        return True
    return _in_sentence(before, after) == "back"


_ANY_WEEKDAY = r"(?i:(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]{0,2}\s)?)"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]{0,2}\s)?"
_LINK = r"(?:[\s:|,·–—(-]{0,4}(?:(?:on|at|in|by)\s)?(?:the\s)?" + _WEEKDAY + r")"
_MADE = (
    r"(?:updated|published|posted|modified|edited|revised|corrected|retrieved|accessed|archived|captured|uploaded|dated"
    r"|issued|filed|reviewed|crawled|snapshot|correction|clarification|editor['’]s note|update|timestamp"
    r"|publi[ée]e? le|mis à jour le|ver[öo]ffentlicht(?: am)?|aktualisiert(?: am)?|publicado(?: el| em)?"
    r"|actualizado(?: el)?|atualizado(?: em)?|pubblicato(?: il)?|aggiornato(?: il)?)"
)
_LABEL = re.compile(
    r"(?:^|[.\n|•·(\[–—-]\s*|\b(?:last|first|article|story|page|post|version|was|were|been|and|originally)\s)"
    rf"{_MADE}(?:\s(?:by\s[\w .]{{1,40}}|from the original|at source|version))?(?:\s(?:on|at))?{_LINK}$"
    r"|^by\s[\w .,'’-]{2,60}[,|·–—-]\s{0,2}" + _LINK + "$",
    re.IGNORECASE,
)
_LABELLED_AHEAD = re.compile(
    r"\b(?:next|upcoming|save the|due|deadline|expires?|calendar|agenda|starting|effective|beginning|ballot|decision)\b"
    rf"[\w\s]{{0,30}}{_LINK}$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|provided|will resolve|resolves? (?:to )?[\"“]?(?:yes|no))\b", re.IGNORECASE
)
_BYLINE = re.compile(r"^(?:by|von|par|por)\s[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]+){0,4}\s?[,|·–—-]\s?$", re.IGNORECASE)
_DATELINE = re.compile(r"^[A-Z][A-Z .'’-]{2,40}(?:,\s?[A-Z][\w .]{1,30})?(?:,|\s\(|:)\s{0,2}" + _ANY_WEEKDAY + "$")
_DATELINE_END = re.compile(
    r"^\)?\s{0,2}(?:\((?:Reuters|AP|AFP|dpa|DPA|EFE|ANSA|Xinhua|UPI|PA|Bloomberg|[A-Z][\w ]{1,30})\))?\s{0,2}[-–—:]"
)
_INITIAL = re.compile(
    r"(?:^|[;:]\s|\s[-–—]\s|,\s(?:and|but|while|when|because|as)\s|\b(?:that|but|while|because)\s)[\"“'‘(]?"
    rf"(?P<prep>(?:(?:on|in|at|by|from|after|following|since|during|until|as of|late on|early on|only on|it was on)\s)?)(?:the\s|a\s)?{_WEEKDAY}$",
    re.IGNORECASE,
)
_AHEAD_PREPOSITION = re.compile(
    r"\b(?:for|until|till|by|before|beyond|towards?|to|through|than|prior to|ahead of|from|between|and|starting|effective"
    rf"|beginning|due)\s(?:the\s|a\s)?{_WEEKDAY}$",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:lasted|stayed|continued|ran|served|went on|dragged on|held out|worked|lived|reigned)\b")
_SINCE = re.compile(rf"\bsince\s(?:the\s)?{_WEEKDAY}$", re.IGNORECASE)
_AS_OF = re.compile(rf"\b(?:as of|as at)\s(?:the\s)?{_WEEKDAY}$", re.IGNORECASE)
_BEFORE_ANYTHING = re.compile(r"\b(?:before|ahead of|prior to|in the run-up to|days to|weeks to)\b", re.IGNORECASE)
_EVENT = (
    r"(?:meetings?|votes?|elections?|hearings?|match|game|summit|final|referendum|auction|launch|release|decision|review|trial"
    r"|sentencing|ballot|congress|conference|debate|debut|wedding|ceremony|inauguration|talks|round|run-?off|poll|strike"
    r"|opening|show|concert|festival|race|rally|march|session|eclipse|edition|opener|exam|test|flight|deadline|handover"
    r"|payment|report|visit|parade|tournament|championships?|primary|primaries|games|fixture|parley|inspection|sale)"
)
_ABOUT_EVENT = re.compile(
    r"\b(?P<governor>\w+)\s(?:(?:the|a|an|its|his|her|their|another|next|new|both)\s)(?:(?!(?:for|of|at|in|on|to|about|before|after)\s)[\w'’-]+\s){0,3}?"
    rf"{_EVENT}(?:\s(?:in|at)\s[A-Z][\w-]+)?\s(?:on|of|in|for)\s(?:the\s)?{_WEEKDAY}$",
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
    return before[max(sentence_ends(before), default=0) :], after[: next(sentence_ends(after), None)].rstrip()


def _line_start(mention: DateMention, before: str, after: str, text: str) -> bool:
    """Whether a date that opens a line looks back: a stamp of a live blog, an entry of a chronicle, a byline."""
    rest = after.strip(" \t:.-–—|)")
    first = next(cues(rest), None)
    if not rest:
        following = text[mention.end :][:REACH].lstrip(" \t:.-–—|)\n").partition("\n")[0]
        ahead = next(cues(following), None)
        return ahead is not None and ahead.direction == "back"
    if first is None:
        return bool(re.search(r"\|\s|\bby [A-Z]", rest)) or (
            mention.unit == "time" and rest.lower().startswith("update")
        )
    if mention.unit == "time" and re.match(r"\s{0,2}[:–—|-]", after):
        return not re.match(r"(?:will|would|may|might|could|to|due|scheduled|expected|if)\b", first.words)
    return first.direction == "back"


def _in_sentence(before: str, after: str) -> Direction | None:
    following = _first(_RELATIVE.sub(",", after))
    if _SINCE.search(before):
        return "ahead" if following == "ahead" and _last(before) != "back" else "back"
    if _AS_OF.search(before):
        modal = next(cues(after), None)
        return "ahead" if modal and modal.words.startswith(("will", "would", "may", "must")) else "back"
    attributive = _ATTRIBUTIVE.match(after) and _THE.search(before)
    if attributive:
        governor = (attributive["governor"] or "").strip().lower()
        return following if governor in _PAST_GOVERNOR else "ahead"
    initial = _INITIAL.search(before)
    if initial:
        return following
    event = _ABOUT_EVENT.search(before)
    if event and event["governor"].lower() in _TO_COME:
        return "ahead"
    clause = before[max((match.end() for match in _CLAUSE.finditer(before)), default=0) :]
    if _BEFORE_ANYTHING.search(clause):
        return "ahead"
    if _AHEAD_PREPOSITION.search(before):
        return "back" if _LASTING.search(clause) else "ahead"
    if event and any(cue.words in _UNCERTAIN for cue in cues(clause)):
        return "ahead"
    return _last(clause) or _last(before) or following


_UNCERTAIN = frozenset("bet bets odds hope chance chances prospect prospects expectation expectations forecast".split())


def _first(text: str) -> Direction | None:
    cue = next(cues(text), None)
    return cue.direction if cue else None


def _last(text: str) -> Direction | None:
    found = list(cues(text))
    return found[-1].direction if found else None
