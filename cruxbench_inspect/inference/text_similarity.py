"""How alike short texts are: by their words and characters, by embeddings, and by the numbers that they name."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]

WORD_LENGTHS = (1, 2)
"""Lengths of word n-grams."""

CHARACTER_LENGTHS = (3, 4, 5)
"""Lengths of character n-grams; they do not cross the ends of words."""


def lexical_similarities(texts: Sequence[str]) -> Floats:
    """Lexical similarity of every two texts: how much of their wording they share, not of their meaning.

    The mean of two tf-idf cosines, over word n-grams and over character n-grams. Case, punctuation and Unicode
    compatibility forms do not matter. An n-gram's weight is its count times 1 + ln((1 + n) / (1 + d)), where d of the n
    texts contain it. So a similarity depends on which other texts are given, but not on their order.

    Args:
        texts: Any number of texts.

    Returns:
        Shape (texts, texts), symmetric, in [0, 1], 1 on the diagonal. Texts without a word are like each other and like
        nothing else.
    """
    return lexical_similarities_within([texts])[0]


def lexical_similarities_within(groups: Sequence[Sequence[str]]) -> list[Floats]:
    """Lexical similarities within each of some groups of texts, with weights of all of them.

    Args:
        groups: Groups of texts.

    Returns:
        What ``lexical_similarities`` of all texts together has of the texts of each group.
    """
    words = [_words(text) for group in groups for text in group]
    if not words:
        return [np.zeros((0, 0)) for _ in groups]
    by_kind = [_tf_idf([Counter(n_grams(each)) for each in words]) for n_grams in (_word_n_grams, _character_n_grams)]
    ends = np.cumsum([len(group) for group in groups])
    found = []
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        parts = [units[start:end] for units in by_kind]
        similarities: Floats = sum((part @ part.T).toarray() for part in parts) / 2
        similarities = np.clip((similarities + similarities.T) / 2, 0.0, 1.0)
        np.fill_diagonal(similarities, 1.0)
        found.append(similarities)
    return found


def cosine(matrix: Floats) -> Floats:
    """Cosine similarity of every two rows, such as embeddings.

    Args:
        matrix: Shape (rows, dimensions).

    Returns:
        Shape (rows, rows), symmetric, in [-1, 1], 1 on the diagonal; NaN for rows of zeros.

    Raises:
        ValueError: If the matrix does not have two dimensions, or has a NaN or infinite entry.
    """
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise ValueError("embeddings must be rows of finite numbers")
    # Large and small entries would overflow or vanish when they are squared.
    largest = np.abs(matrix).max(axis=1, initial=0.0, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = matrix / largest
        units = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    similarities: Floats = np.clip(units @ units.T, -1.0, 1.0)
    similarities = (similarities + similarities.T) / 2
    np.fill_diagonal(similarities, np.where(largest[:, 0] > 0, 1.0, np.nan))
    return similarities


def numeric_thresholds(text: str) -> frozenset[str]:
    """The numbers that a question names, in one form each.

    Thousands separators, trailing zeros and words of magnitude are resolved. A unit is kept where it is one of a known
    list: "$1.5 million" is ``$1500000``, "4.50 percent" is ``4.5%``, "25 bps" is ``25 basis point`` and "1,000 votes"
    is ``1000 vote``. In a range the ends share unit and currency. Left out are dates, years, times of the day,
    ordinals, fractions, numbers within names (G7, COVID-19, H.R. 22, Article 5), and numbers in words.

    Args:
        text: A question in English.

    Returns:
        The numbers as texts; empty where there is none.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES)
    for pattern in _NOT_THRESHOLDS:
        plain = pattern.sub(" ; ", plain)
    matches = list(_NUMBER.finditer(plain))
    pairs = zip(matches, matches[1:], strict=False)
    joined = [_RANGE.fullmatch(plain, one.end(), other.start()) is not None for one, other in pairs]
    found = set()
    for index, match in enumerate(matches):
        lower = matches[index - 1] if index and joined[index - 1] else None
        upper = matches[index + 1] if index < len(joined) and joined[index] else None
        found.add(_one_form(match, lower, upper))
    return frozenset(found - {""})


def _words(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.,]\d+)*|[^\W_]+", unicodedata.normalize("NFKC", text).casefold()) or [""]


def _word_n_grams(words: Sequence[str]) -> Iterator[str]:
    for length in WORD_LENGTHS:
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _character_n_grams(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        padded = f" {word} "
        for length in CHARACTER_LENGTHS:
            # A word shorter than an n-gram is one in full.
            for start in range(max(len(padded) - length, 0) + 1):
                yield padded[start : start + length]


def _tf_idf(counts: Sequence[Counter[str]]) -> "sparse.csr_array":
    """Weights of n-grams as rows of length 1, shape (texts, n-grams)."""
    # Only texts of several models are compared, and a report of one does without loading it.
    from scipy import sparse

    columns = {n_gram: column for column, n_gram in enumerate(sorted(set().union(*counts)))}
    rows = np.repeat(np.arange(len(counts)), [len(each) for each in counts])
    held = np.array([columns[n_gram] for each in counts for n_gram in each])
    values = np.array([count for each in counts for count in each.values()], dtype=np.float64)
    idf = 1 + np.log((1 + len(counts)) / (1 + np.bincount(held, minlength=len(columns))))
    weights = values * idf[held]
    weights /= np.sqrt(np.bincount(rows, weights=weights**2))[rows]
    return sparse.csr_array((weights, (rows, held)), shape=(len(counts), len(columns)))


_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May|MAY)|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"[0-3]?\d(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"

_NOT_THRESHOLDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Dates, years and times of the day.
        r"\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b",
        r"\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b",
        rf"\b{_YEAR}[-/]\d\d\b",
        rf"\b{_DAY}\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR}\b)?",
        rf"\b{_MONTH}\s{_DAY}(?:\s?(?:-|to|and)\s?(?:{_MONTH}\s)?{_DAY})?\b(?![.,]?\d|\s?%)(?:,?\s{_YEAR}\b)?",
        rf"\b{_MONTH},?\s{_YEAR}\b",
        r"\b\d{1,2}(?::\d\d){1,2}(?:\s?[ap]\.?m\b\.?)?",
        r"\b\d{1,2}\s?[ap]\.?m\b\.?",
        # Ordinals, and numbers within names.
        r"\b\d+(?:st|nd|rd|th)\b",
        r"(?<![.\w])(?-i:H\.\s?R\.|HR|S\.|No\.|Section|Article|Chapter|Title|Rule|Form|Proposition|Prop\.|Resolution"
        r"|Phase|Group|Level|Category|Order|Amendment|S&P|Nasdaq|Russell|Fortune|FTSE|Nikkei)\s\d+\b(?![.,]\d|\s?%)",
        r"\b(?!(?:usd|eur|gbp|jpy|cny)\d)[^\W\d_]+-?\d[\w.]*\b",
        r"\b\d+-[^\W\d_]\b",
    )
)

_CURRENCIES = {"$": r"us\$|usd|\$", "€": "€|eur", "£": "£|gbp", "¥": "¥|jpy|cny"}
_MAGNITUDES = {
    10**3: r"[\s-]?thousand|k",
    10**6: r"[\s-]?(?:million|mln|mn)|m",
    10**9: r"[\s-]?(?:billion|bln|bn)|b",
    10**12: r"[\s-]?(?:trillion|trn|tn)|t",
}
_COUNTED = (
    *("barrel", "day", "degree", "delegate", "hour", "job", "judge", "member", "mile", "minute", "month", "point"),
    *("seat", "senator", "share", "ship", "state", "ton", "tonne", "vessel", "vote", "week", "year"),
)
_UNITS = {
    "%": r"%|per\s?cent|pct",
    "percentage point": r"percentage[\s-]points?|ppt?",
    "basis point": r"basis[\s-]points?|bps?",
    "$": r"(?:us\s)?dollars?|usdc?",
    "€": r"euros?|eur",
    "£": r"pounds?(?:\ssterling)?|gbp",
    "¥": r"yen|yuan|jpy|cny",
    "person": r"people|persons?",
    "country": r"countr(?:y|ies)",
    **{unit: f"{unit}s?" for unit in _COUNTED},
}
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>(?<![%)])-(?=[\d.$€£¥]))?"
    rf"(?:(?P<currency>{'|'.join(_CURRENCIES.values())})\s?)?"
    r"(?P<digits>\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,12}(?:\.\d{1,9})?|\.\d{1,9})"
    rf"(?:(?P<magnitude>{'|'.join(_MAGNITUDES.values())})(?!\w))?"
    rf"(?:[\s-]?(?P<unit>{'|'.join(_UNITS.values())})(?!\w))?"
    r"(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s?(?:-|to|and)\s?", re.IGNORECASE)


def _one_form(match: re.Match[str], lower: re.Match[str] | None, upper: re.Match[str] | None) -> str:
    """A number in one form; "" for a year. ``lower`` and ``upper`` are the other ends of ranges that it is in."""
    magnitude, unit, currency = match.group("magnitude", "unit", "currency")
    if upper and not (magnitude or unit):
        magnitude, unit = upper.group("magnitude", "unit")
    if not (unit or currency):
        currency = next((other["currency"] for other in (lower, upper) if other), None)
    if not (magnitude or unit or currency) and re.fullmatch(_YEAR, match["digits"]):
        return ""
    value = Decimal(match["digits"].replace(",", "")) * _named(_MAGNITUDES, magnitude, 1)
    digits = f"{value:f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"
    sign = "-" if match["sign"] else ""
    name = _named(_CURRENCIES, currency, "") or _named(_UNITS, unit, "")
    if name in _CURRENCIES:
        return f"{sign}{name}{digits}"
    return f"{sign}{digits}{name}" if name == "%" else f"{sign}{digits} {name}".rstrip()


Name = TypeVar("Name", int, str)


def _named(patterns: Mapping[Name, str], written: str | None, otherwise: Name) -> Name:
    """What a piece of text is an instance of."""
    if written is None:
        return otherwise
    return next(name for name, pattern in patterns.items() if re.fullmatch(pattern, written, re.IGNORECASE))
