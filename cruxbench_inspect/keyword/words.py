"""Words of a text: tokens, stems, and how much of one text's wording another one shares."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[.,;:!?]")
_SUFFIXES = (
    ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "er", "als", "al")
    + ("ed", "es", "s", "e", "y")
)  # fmt: skip
_STOP_WORDS = frozenset(
    """a about above after again against all also among an and any are as at be because been before being below
    between both but by can could day days did do does doing during each either end ends every few first for from had
    has have he her here hers him his how i if in inclusive into is it its itself last later least local made make
    makes may me might month months more most my next no nor not now of off on once one only onto or other our out over
    own per same set shall she should since so some still such take takes taken than that the their them then there
    these they this those through time to too under until up upon utc very via was we week weeks were what when
    whether which while who whom why will with within without would year years yet you your""".split()
)
_REPORTING_WORDS = frozenset(
    """according announce announced announcement become cent concern concerning confirm confirmed connection credible
    decision due event happen known matter media new newly news official officially officials otherwise per percent
    place public publicly question report reported reporting reports resolve resolves said say says source
    sources""".split()
)
_CALENDAR_WORDS = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday""".split()
)
_SYNONYMS = (
    "theft heist robbery burglary thief steal stole stolen",
    "jewel jewellery jewelry gem",
    "merger takeover acquisition",
    "court tribunal",
    "law bill act statute",
    "ship vessel",
    "licence license permit",
    "labour labor",
    "firm company",
    "wage pay salary",
    "painting canvas picture",
    "police investigator detective",
    "parliament assembly lawmaker legislator deputy",
)


class Token(NamedTuple):
    """A word, a number or a punctuation mark of a text."""

    text: str
    lower: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The words, numbers and punctuation marks of a text, in order; hyphens and dashes separate words."""
    return [
        Token(match.group(), match.group().casefold().replace("’", "'"), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude English stem of one word, the same for words of one synonym group."""
    plain = _stripped(word)
    return _CANONICAL.get(plain, plain)


def content_words(text: str) -> list[Token]:
    """The tokens that say what a text is about: no function, reporting or calendar words and no numbers."""
    return [token for token in tokens(text) if _is_content(token.lower)]


@lru_cache(maxsize=2048)
def stems(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(stem(token.lower) for token in content_words(text))


def names(text: str) -> list[str]:
    """The capitalised content words of a text, without those that only start a sentence."""
    found: list[str] = []
    previous = "."
    for token in tokens(text):
        if token.text[0].isupper() and previous not in ".!?:" and _is_content(token.lower):
            found.append(token.text)
        previous = token.text
    return found


def matter(text: str, without: Iterable[str] = ()) -> dict[str, float]:
    """Weights of the stems that a text is about: 2 for names, 1 for other content words.

    Args:
        text: A question, for example.
        without: Stems to leave out, for example those of the event words.
    """
    named = {stem(name.casefold()) for name in names(text)}
    excluded = set(without)
    return {word: 2.0 if word in named else 1.0 for word in sorted(stems(text)) if word not in excluded}


def overlap(weights: Mapping[str, float], present: Set[str]) -> float:
    """The share of the weights, in [0, 1], whose stems are present; 0 without any weight."""
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in present) / total if total else 0.0


def inverse_document_frequencies(texts: Iterable[str]) -> dict[str, float]:
    """The weight ln(1 + n / df) of each stem over n texts."""
    sets = [stems(text) for text in texts]
    counts: dict[str, int] = {}
    for present in sets:
        for word in present:
            counts[word] = counts.get(word, 0) + 1
    return {word: math.log(1 + len(sets) / count) for word, count in sorted(counts.items())}


def _is_content(lower: str) -> bool:
    return (
        lower[0].isalpha()
        and len(lower) > 1
        and lower not in _STOP_WORDS
        and lower not in _REPORTING_WORDS
        and lower not in _CALENDAR_WORDS
    )


def _stripped(word: str) -> str:
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(mark))
    plain = plain.replace("’", "'").removesuffix("'s").removesuffix("'")
    for suffix in _SUFFIXES:
        if plain.endswith(suffix) and len(plain) - len(suffix) >= 3:
            plain = plain[: -len(suffix)]
            break
    if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "aeiouls":
        plain = plain[:-1]
    return plain


_CANONICAL = {_stripped(word): _stripped(group.split()[0]) for group in _SYNONYMS for word in group.split()}
