"""Sentences of a text, each an exact substring of it."""

import re

_BREAK = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Gen|Sen|Rep|vs|approx|cf|e\.g|i\.e)|\b[A-Z])\.$")


def sentences(text: str) -> list[str]:
    """Split a text into sentences; common abbreviations and initials do not end one."""
    found: list[str] = []
    start = 0
    for match in _BREAK.finditer(text):
        candidate = text[start : match.start()]
        if _ABBREVIATION.search(candidate):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def quote(sentence: str, limit: int = 200) -> str:
    """A part of a sentence of at most `limit` characters that occurs in it word for word, cut between words."""
    if len(sentence) <= limit:
        return sentence
    cut = sentence.rfind(" ", 0, limit + 1)
    return sentence[: cut if cut > 0 else limit].rstrip()
