"""Sentences of a text, told apart by full stops that end no abbreviation."""

import re
from collections.abc import Iterator

_ABBREVIATED = re.compile(
    r"(?:\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mrs?|Ms|Dr|St|vs|Gen|Sen|Rep|Gov|Lt|Col)|\b[A-Z]|[ap]\.m)$"
)
_STOP = re.compile(r"[.!?][\"'”’)\]]{0,2}[ \t\u00a0]{1,4}(?<!\bNo\. (?=\d))(?=[\"'“‘(\[]?[A-Z0-9]|$)|\n")


def sentence_ends(text: str) -> Iterator[int]:
    """Where the sentences of a text end: after the stop and the space that follows it. Lines end sentences, too."""
    for match in _STOP.finditer(text):
        if match[0][0] != "." or not _ABBREVIATED.search(text[max(0, match.start() - 5) : match.start()]):
            yield match.end()


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text that are not empty, without the space around them."""
    start = 0
    for end in (*sentence_ends(text), len(text)):
        sentence = text[start:end].strip()
        if sentence:
            yield sentence
        start = end
