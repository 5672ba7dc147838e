"""Words of a sentence that say whether it looks back or ahead, in English."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Direction = Literal["back", "ahead", "present"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A word or a group of verbs that has a direction.

    Attributes:
        direction: Back for what has happened, ahead for what is planned or possible, present for what goes on, which
            in a sentence with a later date is a plan and in a headline is news.
        words: It, in lower case.
        start: Where it begins.
    """

    direction: Direction
    words: str
    start: int


def cues(text: str) -> Iterator[Cue]:
    """The cues of a clause, in its order."""
    found, end = False, 0
    for word in _WORD.finditer(text):
        opening = word[0].lower()
        if word.start() < end or not (opening in _OPENINGS or opening.endswith(("ed", "s"))):
            continue
        match = _CUE.match(text, word.start())
        cue = None if match is None else _cue(match, text, found)
        if match is not None and cue is not None:
            found, end = True, match.end()
            yield cue


def _cue(match: re.Match[str], text: str, found: bool) -> Cue | None:
    """What a match says, None if it is a noun, an adjective or the month of May after all."""
    words = match[0].lower()
    if (found and words in _ALSO_NOUNS) or match[0].startswith("May"):
        return None
    if match["ed"] and (words in _NO_PAST or _is_adjective(text, match.start())):
        return None
    if match["to"] and (match["to"] in _NO_INFINITIVE or match["to"][0].isupper() or _NO_VERB.search(match["to"])):
        return None
    planned = match["had"] and _PLANNED.search(words)
    past = match["ed"] or match["had"] or match["past"] or match["passive"] or match["begun"]
    if past and not planned:
        return Cue("back", words, match.start())
    if (match["now"] or match["takes"]) and _is_noun(text, match.start()):
        return None
    return Cue("present" if match["present"] or match["now"] or match["takes"] else "ahead", words, match.start())


_ADVERB = r"(?:\s(?:not|never|also|only|then|still|already|now|just|since|both|all|yet|[a-z]{2,12}ly))*"
_IRREGULAR = (
    "arose ate awoke bade beat beaten became began beheld bent bereft bid bit bitten bled blew blown bore borne"
    " bought bred broke broken brought built burnt burst came cast caught chose chosen clung crept cut dealt"
    " did died done drank dreamt drew driven drove drunk dug eaten ended fallen fed fell felt fled flew flung"
    " forbade forbidden foresaw foretold forgave forgiven forgot forsook fought found froze frozen gave given gone"
    " got grew ground heard held hid hidden hit hung hurt kept knelt knew knit known laid lay leapt learnt led"
    " left lent let lit lost made meant met mistook mowed outbid outdid outran overcame overcome oversaw overtaken"
    " overthrew overtook overturned paid pled proved put quit ran rang read rebuilt reran resold retook ridden"
    " risen rode rose rung said sang sank sat saw seen sent set shed shone shook shot shown shrank shut slept slew"
    " slid slit slung smelt snuck sold sought sowed spat sped spelt spent spilt split spoilt spoke sprang spread"
    " sprung stank stepped stole stolen stood stricken strode strove struck strung stuck stung sung sunk swept"
    " swore sworn swung taken taught thought threw thrown thrust told took tore torn trod understood undertaken"
    " undertook undid unwound upheld upset was went wept were withdrew withheld withstood woke woken won wore worn"
    " wound written wrote wrung"
)
# What is arranged is told in the present tense with these.
_ARRANGED = (
    "begins begin starts ends expires expire opens closes kicks resumes resume reopens reopen matures mature lapses"
    " apply"
    " applies happens happen convenes expects expect plans aims aim hopes wants want intends intend depends awaits"
    " await"
    " targets targeting face cost costs maturing expiring pending"
)
_NOW = (
    "takes take runs falls goes comes becomes meets returns faces remains remain needs votes decides rules gathers"
    " rises reaches arrives launches enters leaves celebrates hosts holds plays airs passes visits says tells calls"
    " wins beats loses signs quits resigns steps moves climbs drops slips cuts raises keeps wraps makes gives gets sets"
    " hits strikes kills names elects rejects backs approves blocks agrees declares turns sends shows sees"
    " announces reports releases speaks shakes parades scores sweeps topples warns urges denies"
)
_AHEAD = (
    "if unless whether due scheduled slated planned expected pending upcoming forthcoming coming next deadline"
    " expiry target forecast forecasts bet bets odds hope chance chances prospect prospects expectation"
    " expectations starting beginning effective commencing agenda calendar schedule valid wait waiting awaiting"
    " awaited likely unlikely maybe perhaps possible probably hoping planning"
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_CUE = re.compile(
    r"(?P<modal>(?:will|would|shall|may|might|can|could|must|should|cannot|won['’]t|can['’]t|ought)\b"
    rf"{_ADVERB}(?:\s(?:be|have|been)\b)*{_ADVERB}(?:\s[a-z-]+)?)"
    r"|(?P<be_to>(?:is|are|was|were|be|been)\s(?:not\s)?(?:to|due|set|scheduled|slated|expected|planned|likely|unlikely"
    r"|about|bound|supposed|meant|forecast|projected|poised|hoped|tipped|going)\b(?:\s(?:to"
    r"|for)\b)?(?:\s(?:be\s)?[a-z-]+)?)"
    r"|(?P<begun>(?:failed|managed|began|started|refused|declined|continued|had|was\sable|were\sable)\sto\s[a-z-]+)"
    r"|(?P<yet>(?:has|have|had)\s(?:yet\s)?to\s[a-z-]+)"
    r"|(?P<foreseen>(?:seen|set|poised|tipped|due|expected)\s(?:to\s[a-z-]+|[a-z]+ing)\b)"
    rf"|(?P<had>(?:had|having)\b{_ADVERB}(?:\sbeen\b)?{_ADVERB}\s[a-z-]+"
    rf"|(?:has|have)\b{_ADVERB}(?:\sbeen\b)?{_ADVERB}\s(?-i:[a-z-]+ed|{'|'.join(_IRREGULAR.split())})\b|(?:has"
    rf"|have)\sbeen\b)"
    rf"|(?P<passive>(?:was|were|got|been)\b{_ADVERB}\s[a-z-]+(?:ed|en|wn|orn|ght|ld|nt|id)\b)"
    rf"|(?P<present>(?:is|are|am|be|being|gets?|has|have)\b{_ADVERB}"
    rf"(?:\s(?:[a-z-]+(?:ed|en|wn|orn|ght|ld|nt)|{'|'.join(_IRREGULAR.split())})\b)?)"
    r"|to\s(?:be\s)?(?P<to>[a-z-]+)"
    rf"|(?P<past>(?:{'|'.join(_IRREGULAR.split())})\b)"
    rf"|(?P<ahead>(?:{'|'.join([*_AHEAD.split(), *_ARRANGED.split()])})\b)"
    rf"|(?P<now>(?:{'|'.join(_NOW.split())})\b)"
    r"|(?P<ed>[a-z-]{2,30}ed\b)"
    # A plural has no article after it.
    r"|(?P<takes>[a-z]{2,20}[a-rt-z]s\b(?=\s(?:the|a|an|its|his|her|their|no|some|new)\s))",
    re.IGNORECASE,
)
_OPENINGS = frozenset(
    "will would shall may might can could must should cannot won't won’t can't can’t ought is are am was were be been"
    " being get gets got has have had having seen poised tipped failed managed began started refused declined"
    " continued to".split()
) | frozenset([*_IRREGULAR.split(), *_AHEAD.split(), *_ARRANGED.split(), *_NOW.split()])
"""The first words of cues; forms in -ed are others."""
# These are past forms only where a clause has no other verb before them.
_ALSO_NOUNS = frozenset(
    "set cut hit let put shut bid cast hurt read quit spread beat ring saw left felt ground".split()
)
_PLANNED = re.compile(r"\b(?:hoped|planned|expected|wanted|intended|scheduled|promised|until)$")
_NO_PAST = frozenset(
    "need indeed hundred speed feed embed seed red bed ted fed sacred naked wicked exceed proceed succeed weed"
    " breed united limited related based aged kindred".split()
)
_NO_INFINITIVE = frozenset(
    "the a an its his her their our my this that these those any all some each every no it him them us me you"
    " whom which what date about over under more less half court work jail prison school trial hospital parliament"
    " power office congress market safety death justice life war home town police reporters journalists lawmakers"
    " voters investors rain snow fire people one two three four five six seven eight nine ten at on in by from"
    " nearly almost around traffic visitors customers shoppers shareholders applause"
    " cheers protests clashes tears illness lack bad poor"
    " heavy high low strong fears concerns".split()
)
_NO_VERB = re.compile(r"(?:fir|four|fif|six|seven|eigh|nin|ten)(?:th|st)$|^(?:second|third)$|(?:ation|ness|ity|ism)$")
_BEFORE_ADJECTIVE = frozenset("the a an its his her their this that these those of with any no some new for in".split())
_BEFORE_NOUN = _BEFORE_ADJECTIVE | frozenset(
    "all both more many most few several first last other two three four".split()
)


def _is_noun(text: str, start: int) -> bool:
    before = text[max(0, start - 20) : start].split()
    return bool(before) and (before[-1].lower() in _BEFORE_NOUN or before[-1][-1].isdigit())


def _is_adjective(text: str, start: int) -> bool:
    before = _WORD.findall(text[max(0, start - 20) : start])
    return bool(before) and before[-1].lower() in _BEFORE_ADJECTIVE
