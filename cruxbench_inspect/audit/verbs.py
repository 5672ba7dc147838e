"""Words of a sentence that say whether it looks back or ahead, in English."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Direction = Literal["back", "ahead"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A word or a group of verbs that has a direction.

    Attributes:
        direction: Back for what has happened, ahead for what is planned, possible or goes on.
        words: It, in lower case.
        start: Where it begins.
    """

    direction: Direction
    words: str
    start: int


def cues(text: str) -> Iterator[Cue]:
    """The cues of a clause, in its order."""
    for match in _CUE.finditer(text):
        words = match[0].lower()
        if match["ed"] and (words in _NO_PAST or _is_adjective(text, match.start())):
            continue
        if match[0].startswith("May"):  # the month
            continue
        if match["to"] and match["to"].lower() in _NO_INFINITIVE:
            continue
        if match["had"] and _PLANNED.search(words):
            yield Cue("ahead", words, match.start())
        else:
            back = match["ed"] or match["had"] or match["past"] or match["passive"] or match["begun"]
            yield Cue("back" if back else "ahead", words, match.start())


_ADVERB = r"(?:\s(?:not|never|also|only|then|still|already|now|just|since|both|all|yet|[a-z]{2,12}ly))*"
_IRREGULAR = (
    "was were did said told went came took gave made got won lost beat fell rose met held began broke struck shot found"
    " left led ran saw sent spoke stood stepped sank shook sold bought brought built burnt caught chose drew drove fought"
    " flew forgot grew heard hid hit hurt kept knew laid lay let paid put quit rang read rode sought shrank shut slid slept"
    " spent spread stole stuck swept swore sworn taken thought threw wore wrote written cut cast bid became dealt died"
    " ended taught understood withdrew overturned overthrew undid rebuilt upheld withheld given known seen shown thrown"
    " beaten broken driven frozen fallen hidden stolen chosen done gone set sunk dug fled fed bred bled led sped shed"
)
_PRESENT = (
    "takes take begins begin starts ends expires expire opens closes runs falls kicks goes comes becomes resumes resume"
    " meets matures mature lapses apply applies returns faces awaits await expects expect plans aims aim hopes wants want"
    " intends intend depends remains remain needs votes decides rules convenes gathers rises"
)
_AHEAD = (
    "if unless whether due scheduled slated planned expected pending upcoming forthcoming coming next deadline expiry"
    " target forecast forecasts bet bets odds hope chance chances prospect prospects expectation expectations starting"
    " beginning effective commencing agenda calendar schedule valid wait waiting awaiting awaited likely"
    " unlikely maybe perhaps possible probably hoping planning"
)
_WORD = re.compile(r"[\w'’-]+")
_CUE = re.compile(
    r"\b(?:"
    r"(?P<modal>(?:will|would|shall|may|might|can|could|must|should|cannot|won['’]t|can['’]t|ought)\b"
    rf"{_ADVERB}(?:\s(?:be|have|been)\b)*{_ADVERB}(?:\s[a-z-]+)?)"
    r"|(?P<be_to>(?:is|are|was|were|be|been)\s(?:not\s)?(?:to|due|set|scheduled|slated|expected|planned|likely|unlikely"
    r"|about|bound|supposed|meant|forecast|projected|poised|hoped|tipped|going)\b(?:\s(?:to|for)\b)?(?:\s(?:be\s)?[a-z-]+)?)"
    r"|(?P<begun>(?:failed|managed|began|started|refused|declined|continued|had|was\sable|were\sable)\sto\s[a-z-]+)"
    r"|(?P<yet>(?:has|have|had)\s(?:yet\s)?to\s[a-z-]+)"
    rf"|(?P<had>(?:has|have|had|having)\b{_ADVERB}(?:\sbeen\b)?{_ADVERB}\s[a-z-]+)"
    rf"|(?P<passive>(?:was|were|got|been)\b{_ADVERB}\s[a-z-]+(?:ed|en|wn|orn|ght|ld|nt|id)\b)"
    rf"|(?P<present>(?:is|are|am|be|being|gets?)\b{_ADVERB}(?:\s(?:[a-z-]+(?:ed|en|wn|orn|ght|ld|nt)|made|paid|put|cut|shut|run|read|led|lost|won|met|hit)\b)?)"
    r"|to\s(?:be\s)?(?P<to>[a-z-]+)"
    rf"|(?P<past>(?:{'|'.join(_IRREGULAR.split())})\b)"
    rf"|(?P<ahead>(?:{'|'.join([*_AHEAD.split(), *_PRESENT.split()])})\b)"
    r"|(?P<ed>[a-z-]{2,30}ed\b)"
    r")",
    re.IGNORECASE,
)
_PLANNED = re.compile(r"\b(?:hoped|planned|expected|wanted|intended|scheduled|promised|until)$")
_NO_PAST = frozenset(
    "need indeed hundred speed feed embed seed red bed ted fed sacred naked wicked exceed proceed succeed weed breed"
    " united limited related based aged kindred".split()
)
_NO_INFINITIVE = frozenset(
    "the a an its his her their our my this that these those any all some each every no it him them us me you whom which"
    " what date about over under more less half court work jail prison school trial hospital parliament power office"
    " congress market safety death justice life war home town police reporters journalists lawmakers voters investors"
    " rain snow fire people one two three four five six seven eight nine ten at on in by from nearly almost around"
    " illness lack bad poor heavy high low strong fears concerns".split()
)
_BEFORE_ADJECTIVE = frozenset("the a an its his her their this that these those of with any no some new for in".split())


def _is_adjective(text: str, start: int) -> bool:
    before = _WORD.findall(text[max(0, start - 20) : start])
    return bool(before) and before[-1].lower() in _BEFORE_ADJECTIVE
