"""Subjects and verb phrases of announcing sentences, made fit for a question."""

import re

from cruxbench_inspect.keyword.words import stems

DECISION_NOUN = re.compile(r"\b(?:decision|ruling|judge?ment|verdict|vote|ballot|answer|opinion)\b")
"""Nouns that name a decision."""

_TIME_WORDS = (
    r"(?:noon|midday|\d{1,2}[:.]\d{2}(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?)"
    r"(?:\s+(?:local|[A-Z]\w+(?: [A-Z]\w+)?) time)?(?:\s*\([^)]*\))?"
)
_CLOCK_PHRASE = re.compile(rf",?\s*\b(?:at|from|by|around)\s+{_TIME_WORDS}")
_VAGUE_TIME = re.compile(
    r",?\s*\b(?:in|within|over|during) the (?:coming|next)\b.*$"
    r"|,?\s*\b(?:soon|shortly|eventually|(?:this|next) (?:week|month))\b.*$"
    r"|\s+for (?:last|the previous|the past) (?:week|month|quarter|year)\b"
)
_NEXT_CLAUSE = re.compile(
    r"\s*(?:[;:(—–]| - ).*$"
    r"|,\s+(?:and|but|when|which|where|who|with|while|after|as|so|though|although|the|its|an?|said|says|it|they)\b.*$"
    r"|,?\s+(?:said|says|when|while|although|unless|if|because|and (?:the|an?|it|its|they))\s.*$"
)
_REPORTED = re.compile(
    r"^.*?\b(?:said|says?|confirmed|announced|added|wrote|noted?|notes|reports?|recalled|stressed)"
    r"(?: on \w+day)? that\s+"
)
_LEADING = re.compile(
    r"^(?:But|And|Meanwhile|However|Still|Now|Then|Instead|Later|Separately|Officially),?\s+"
    r"|^(?:According to|After|Since|With|As|In|On|At|Following|Under|For|If|Before|By|From)\b[^,]*,\s+"
)
_DETERMINER = re.compile(r"^(?:The|An?|Its|Their|His|Her|This|That|Some|Any|Both|Many|Most|All|Two|Three|Four)\b")
_NAME_PHRASE = re.compile(
    r"(?:\b[Tt]he )?(?:\b[a-z]+ ){0,2}\b[A-Z][\w’'-]+(?:(?: (?:of|for|and|the|de|on|in))* [A-Z][\w’'-]+)*"
)
_NAME_ALONE = re.compile(r"\b[A-Z][\w’'-]+(?:(?: (?:of|for|and|the|de|on|in))* [A-Z][\w’'-]+)*")
_PRONOUNS = frozenset("it they he she this that these those both neither who which there".split())
_NO_SUBJECTS = _PRONOUNS | {"if", "what", "how", "nobody", "nothing", "no", "none"}
_PUBLISHED = re.compile(
    r"\b(?:ruling|decision|verdict|judge?ment|report|figures?|counts?|results?|list|answer|statement|opinion)\b"
)
_MOST_SUBJECT = 14
_MOST_PHRASE = 28


def plain_statement(text: str) -> str:
    """A sentence without its reporting frame ("she said that ..."), leading adverbials and clock times."""
    return _LEADING.sub("", _CLOCK_PHRASE.sub("", _REPORTED.sub("", text)))


def subject(text: str, before: str) -> str | None:
    """The subject as it stands inside a question, or None if it is none to ask about.

    Args:
        text: What stands before the verb.
        before: The sentence before, in which a pronoun finds the name that it stands for.
    """
    plain = text.strip().rstrip(",")
    if "," in plain:
        insertion = re.search(r",\s+(?:which|who|whose|an?|the)\b", plain)
        plain = plain.split(",", 1)[0].strip() if insertion else plain.rsplit(",", 1)[1].strip()
    plain = re.sub(r"^(?:and|but|that|when|where|while|whether)\s+", "", plain)
    if plain.casefold() in _PRONOUNS:
        return _antecedent(before)
    words = plain.split()
    if not words or len(words) > _MOST_SUBJECT or words[0].casefold() in _NO_SUBJECTS:
        return None
    return _inside_sentence(plain)


def verb_phrase(text: str) -> str | None:
    """The verb phrase without vague times and following clauses, or None if it is none to ask about."""
    plain = " ".join(_NEXT_CLAUSE.sub("", _VAGUE_TIME.sub("", text.strip())).split()).rstrip(".!?,;: ")
    words = plain.split()
    lone = len(words) == 1 and words[0] in {"be", "have"}
    if not words or len(words) > _MOST_PHRASE or words[0] in {"not", "never"} or lone:
        return None
    return plain


def taking_place(noun_phrase: str) -> str:
    """The verb phrase for an event that is named by a noun: results are made public, the rest takes place."""
    return "be made public" if _PUBLISHED.search(noun_phrase) else "take place"


def name_phrases(text: str) -> list[str]:
    """Sequences of capitalised words of a text that hold at least one content word, without articles."""
    return [phrase for phrase in _NAME_ALONE.findall(text) if stems(phrase)]


def _antecedent(before: str) -> str | None:
    """The last name of the sentence before, preferably one with an article ("the crane Otava")."""
    named = [phrase.strip() for phrase in _NAME_PHRASE.findall(before) if stems(phrase)]
    with_article = [phrase for phrase in named if phrase.casefold().startswith("the ")]
    chosen = (with_article or named)[-1:]
    return _inside_sentence(chosen[0]) if chosen else None


def _inside_sentence(text: str) -> str:
    return text[0].lower() + text[1:] if _DETERMINER.match(text) else text
