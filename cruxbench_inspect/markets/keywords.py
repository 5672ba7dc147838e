"""Lists of keywords, and which of them a text has: whole words with their endings, or bare substrings."""

import re
from pathlib import Path
from typing import Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, field_validator

from cruxbench_inspect.errors import InputError, InputProblems

FOLDER = Path(__file__).parent / "keyword_lists"
"""The lists that come with the package, one ``NAME.txt`` each."""

Matching = Literal["words", "substrings"]
"""``words``: whole words in any case, with plural and possessive endings. ``substrings``: anywhere in a word."""

_ENDING = r"(?:e?s)?(?:['’]s?)?"


class Keyword(BaseModel):
    """A word or a phrase.

    Attributes:
        word: As it is written in the list.
        forms: Irregular or verbal forms of it, which count for whole words only.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    word: str = Field(pattern=r"\w")
    forms: tuple[str, ...] = ()


class KeywordList(BaseModel):
    """Keywords of one subject.

    Attributes:
        name: The subject.
        keywords: In the order of the file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    keywords: tuple[Keyword, ...] = Field(min_length=1)

    @field_validator("keywords")
    @classmethod
    def _distinct(cls, keywords: tuple[Keyword, ...]) -> tuple[Keyword, ...]:
        words = [text.casefold() for keyword in keywords for text in (keyword.word, *keyword.forms)]
        if repeated := sorted({word for word in words if words.count(word) > 1}):
            raise ValueError(f"repeats {', '.join(repeated)}")
        return keywords

    @classmethod
    def read(cls, source: str | Path) -> "KeywordList":
        """Read a list: one keyword a line, ``#`` starts a comment, ``say: says, said`` names forms of a keyword.

        Args:
            source: The name of a list that comes with the package, or a UTF-8 file.

        Raises:
            InputError: If there is no such list, or nothing in it, or a line that is no keyword.
        """
        path = FOLDER / f"{source}.txt" if isinstance(source, str) else source
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            raise InputError(f"keyword list {path} cannot be read: {error}") from None
        keywords, problems = [], []
        for number, line in enumerate(text.splitlines(), start=1):
            entry = line.partition("#")[0].strip()
            word, _, forms = (part.strip() for part in entry.partition(":"))
            if re.search(r"\w", word):
                keywords.append(Keyword(word=word, forms=tuple(filter(None, map(str.strip, forms.split(","))))))
            elif entry:
                problems.append(f"line {number}: {entry!r} is no keyword")
        if problems or not keywords:
            raise InputProblems(f"keyword list {path}", problems or ["there is no keyword in it"])
        try:
            return cls(name=path.stem, keywords=tuple(keywords))
        except ValueError as error:
            raise InputError(f"keyword list {path}: {error}") from None

    def first_in(self, text: pl.Expr, matching: Matching = "words") -> pl.Expr:
        """The leftmost keyword of every text as it stands there, null without one."""
        if matching == "substrings":
            return text.str.extract(f"(?i)({'|'.join(_literal(keyword.word) for keyword in self.keywords)})")
        words = [_literal(form) for keyword in self.keywords for form in (keyword.word, *keyword.forms)]
        return text.str.extract(rf"(?i)(?:^|\W)({'|'.join(words)}){_ENDING}(?:\W|$)")


def _literal(text: str) -> str:
    """The text as a pattern: any white space between its words, straight and curly apostrophes alike."""
    words = (re.escape(word).replace("'", "['’]") for word in text.split())
    return r"\s+".join(words)
