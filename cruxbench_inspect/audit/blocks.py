"""The blocks in which texts are shown to models: search results, documents, and the parts of the generator's prompt."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from cruxbench_inspect.evidence.session import NO_ANSWER, PART_ANSWER

BlockKind = Literal["result", "document", "article", "question", "resolution_rules"]


@dataclass(frozen=True)
class Block:
    """A tag's content.

    Attributes:
        kind: The tag.
        attributes: Its attributes, without those that are empty.
        text: What stands between the tags.
    """

    kind: str
    attributes: dict[str, str]
    text: str


def evidence_blocks(text: str) -> tuple[list[Block], str]:
    """The results and documents in a tool's output, unescaped, and what is left of it besides fixed sentences."""
    blocks = [
        Block(
            match[1],
            {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(match[2]) if value},
            html.unescape(match[3]).strip(),
        )
        for match in _EVIDENCE.finditer(text)
    ]
    return blocks, _FIXED.sub("", _EVIDENCE.sub("", text)).strip()


def prompt_blocks(text: str) -> Iterator[Block]:
    """The question, its rules and the articles in a prompt of the benchmark, whose tags nothing in them can imitate."""
    for match in _PROMPT.finditer(text):
        attributes = {name: value for name, value in _ATTRIBUTE.findall(match[2]) if value}
        yield Block(match[1], attributes, match[3].strip())


_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')
_EVIDENCE = re.compile(r"^<(result|document)((?: [a-z_]+=\"[^\"]*\")*)>\n(.*?)^</\1>$", re.DOTALL | re.MULTILINE)
_PROMPT = re.compile(
    r"^<(question|resolution_rules|article)((?: [a-z_]+=\"[^\"]*\")*)>\n(.*?)^</\1>$", re.DOTALL | re.MULTILINE
)
# What the search tools say themselves.
_FIXED = re.compile(
    r"^(?:(?:No documents|\d+ documents?) found, \d+ rejected by the date rules"
    rf"|{re.escape(NO_ANSWER)}|{re.escape(PART_ANSWER)}"
    r"|No search has returned a document with this id\. Search first, then fetch an id from the results\."
    r"|The text of this document is not available as of the cutoff\.)$",
    re.MULTILINE,
)
