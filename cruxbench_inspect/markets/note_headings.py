"""Where a note that an exchange added to a description begins: what such notes are called, and what follows the name.

A heading may stand at the start of a line or inside one. In doubt it is one: a rule that is lost costs less than an
outcome that is shown.
"""

import bisect
import re


def start_of_note(line: str) -> int | None:
    """Where in a line the heading of a note begins, with the date, the words and the marks that belong to it."""
    if _DATED_LINE.match(line):
        return 0
    starts = [0, *(end.end() for end in _END_OF_SENTENCE.finditer(line))]
    for name in _NAME.finditer(line):
        kind = str(name.lastgroup)
        if _AFTER[kind].match(line, name.end()) is None:
            continue
        begun = bisect.bisect_right(starts, name.start()) - 1
        start = starts[begun]
        if not _says_more(line[start : name.start()]):
            start = _before_dashes(line, starts, begun)
        # In the middle of a sentence only what is written like a title, and is no part of one.
        elif name[0][0].isupper() and (kind == "sure" or _ends(_CLOSED, line, name.start())):
            start = name.start()
        else:
            continue
        return len(_MARKS_AT_END.sub("", line[:start]))
    return None


def _before_dashes(line: str, starts: list[int], begun: int) -> int:
    """Where a heading begins: in "June 3, 2026 - Additional context" a dash or a bracket parts no sentence."""
    found = starts[begun]
    while begun and _ends(_DASH_OR_BRACKET, line, starts[begun]):
        if _says_more(line[starts[begun - 1] : starts[begun]]):
            break
        begun -= 1
        if begun == 0 or _ends(_FULL_STOP, line, starts[begun]):
            found = starts[begun]
    return found


def _ends(pattern: re.Pattern[str], line: str, end: int) -> bool:
    return pattern.search(line[max(0, end - 20) : end]) is not None


def _says_more(text: str) -> bool:
    """Whether there are words that belong neither to a date nor to what notes are called."""
    return any(_HEADING_WORD.fullmatch(word) is None for word in re.findall(r"[^\W\d_]+", text))


_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b|may(?=\.?\s*[0-9])"
)
DATE = rf"(?:[0-9]|{_MONTH})"
"""How a date may begin (a pattern to be used without regard to case)."""

_GAP = r"[\s*_-]+"
_MORE = r"(?:additional|added|further|new|more|extra|updated|supplementa(?:l|ry)|clarifying|contextual)"
_CHANGED = r"(?:clarified|updated|amended|edited|changed|revised|modified|corrected|adjusted|extended|added)"
_NAME = re.compile(
    rf"""\b(?:
    (?P<sure>{_MORE}{_GAP}(?:(?:market|rules?|resolution){_GAP})?contexts?|contexts?{_GAP}(?:(?:was|is){_GAP})?added
        |clarifications?|addend(?:um|a)
        |(?:polymarket|we){_GAP}(?:(?:has|have){_GAP})?(?:clarif(?:ied|ies|y)|confirmed|determined|decided|ruled))
    |(?P<changed>(?:rules?|descriptions?|criteria|wording|title|text|question|market)
        [\s*_(\[,:–—-]+(?:(?:for|of|to){_GAP}(?:this|the){_GAP}(?:market|question|contract){_GAP})?
        (?:(?:was|were|is|are|has{_GAP}been|have{_GAP}been){_GAP})?(?:now{_GAP})?{_CHANGED})
    |(?P<other>{_MORE}{_GAP}(?:info(?:rmation)?|details?|guidance|notes?|updates?|comments?|rules?|criteria|description)
        |notes?|notice|edits?|updates?|bulletins?|corrections?|amendments?|announcements?|statements?|comments?|rulings?
        |reminders?|disclaimers?|contexts?|postscript|p\.?s|n\.?b|fyi|breaking
        |final{_GAP}(?:outcome|resolution|ruling|decision)|{_CHANGED})
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# "[Dec 3] The vote took place", "December 3, 2025: The vote took place".
_DATED_LINE = re.compile(
    rf"[\s>#*_~|•·–—\"“'-]*(?:[\[(]\s*(?:{_MONTH}|[0-9]+[/.-][0-9])[^\])]{{0,40}}[\])]"
    rf"|{_MONTH}[\s.]*[0-9][^:.!?]{{0,6}}20[0-9]{{2}}(?:[^:.!?]|:(?=[0-9])){{0,20}}:(?![0-9]))",
    re.IGNORECASE,
)
_MODAL = r"(?:will|may(?!\.?\s*[0-9])|might|shall|can|cannot|must|would|should|could|won['’]t|does|do)\b"
_MARK = rf"[\"'”’]?\s*(?:[*_:：.!;=~>→|(（\[{{]|[–—-]+\s|$|,?\s*(?:the\s+)?{DATE})"
# A name with what it is about, up to a colon: "Clarification regarding the vote:". A sentence on what counts is a rule.
_TITLE = (
    rf"(?:(?!\b(?:{_MODAL}|that\b|counts?\b|qualif|includ|considered\b))"
    r"(?:[^.!?:]|:(?=//|[0-9])|\.(?=\S|\s[0-9])|(?<=[ap]\.m)\.)){1,120}:(?!//|[0-9])"
)
# "Update on December 3 ..." is one, "Updates on December 5 count" is a rule.
_SINGULAR_ON_DATE = rf"(?<!s)\s+(?:(?:as\s+)?of|on|at|from)\s+(?:the\s+)?{DATE}(?![^.]*\bcounts?\b)"
_AFTER = {
    "sure": re.compile(rf"(?!\s+{_MODAL})", re.IGNORECASE),
    "changed": re.compile(rf"{_MARK}|{_TITLE}|\s+(?:on|as\s+of|at|to|by|in|since|after)\b", re.IGNORECASE),
    "other": re.compile(
        rf"{_MARK}|{_TITLE}|{_SINGULAR_ON_DATE}|\s+that,?\s+(?:as\s+of|on|since)\s+(?:the\s+)?{DATE}", re.IGNORECASE
    ),
}
_HEADING_WORD = re.compile(
    rf"{_MONTH}|may|mon|tues?|wed|thu|thurs?|fri|sat|sun|\w+day|st|nd|rd|th|a|an|the|p|m|am|pm|e[sd]?t|p[sd]?t|utc|gmt"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|another|one|two|three|last|latest|final|initial"
    r"|notes?|notice|edit|edited|updated?|updates|new|added|additional|further|extra|more|following|here|this|is|has|been|were|context|clarifications?|bulletin|board"
    r"|posted|issued|published|was|on|at|as|of|from|by|and|our|us|important|please|quick|short|urgent|breaking|live|kind"
    r"|official|polymarket|polymarket['’]s|market|markets|rules?|resolution|team|staff|admin|moderators?|mods?|uma|s",
    re.IGNORECASE,
)
# "Dec. 31" and "p.m. ET" go on: a deadline before a note stays whole.
_STOP = (
    r"(?:[!?…]|\.(?!(?:(?<=\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\.)|(?<=\bsept\.))\s*[0-9])"
    r"(?!(?<=\b[ap]\.)m\.)(?!(?<=\b[ap]\.m\.)\s*(?:[ecmp][sd]?t|utc|gmt|on)\b))"
)
_END_OF_SENTENCE = re.compile(
    rf"(?:{_STOP}|[;|>\[({{（]|:(?![0-9]))+[\"”'’)\]*_]*\s*|\*\*+|__+|\s[–—-]+\s", re.IGNORECASE
)
_DASH_OR_BRACKET = re.compile(r"[|>\[({（*_–—-]\s*$")
_FULL_STOP = re.compile(rf"{_STOP}[\"”'’)\]*_]*\s+$", re.IGNORECASE)
_CLOSED = re.compile(r"[)\]}\"”'’»*_]\s*$")
_MARKS_AT_END = re.compile(r"[\s>#*_~|•·–—\[({（\"“'-]+$")
