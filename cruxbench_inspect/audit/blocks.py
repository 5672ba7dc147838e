"""The blocks in which texts are shown to models: search results, documents, and the parts of the generator's prompt."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cruxbench_inspect.evidence.session import NO_ANSWER, NO_TEXT, PART_ANSWER, UNKNOWN_ID


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
    blocks, rest, end = [], [], 0
    for start, stop, block in _blocks(text, _EVIDENCE):
        rest.append(text[end:start])
        attributes = {name: html.unescape(value) for name, value in block.attributes.items()}
        blocks.append(Block(block.kind, attributes, html.unescape(block.text)))
        end = stop
    rest.append(text[end:])
    return blocks, _FIXED.sub("", "".join(rest)).strip()


def prompt_blocks(text: str) -> list[Block]:
    """The question, its rules and the articles in a prompt of the benchmark, whose tags nothing in them can imitate."""
    return [block for _, _, block in _blocks(text, _PROMPT)]


_OPENING = r"^<(?P<kind>{0})(?P<attributes>(?: [a-z_]+=\"[^\"\n]*\")*)>$|^</(?P<closed>{0})>$"
_EVIDENCE = re.compile(_OPENING.format("result|document"), re.MULTILINE)
_PROMPT = re.compile(_OPENING.format("question|resolution_rules|article"), re.MULTILINE)
_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')
# What the search tools say themselves.
_FIXED = re.compile(
    r"^(?:(?:No documents|\d+ documents?) found, \d+ rejected by the date rules"
    rf"|{'|'.join(map(re.escape, (NO_ANSWER, PART_ANSWER, UNKNOWN_ID, NO_TEXT)))})$",
    re.MULTILINE,
)


def _blocks(text: str, tags: re.Pattern[str]) -> Iterator[tuple[int, int, Block]]:
    """Where blocks begin and end, and what is in them; no block holds another."""
    opened: re.Match[str] | None = None
    for tag in tags.finditer(text):
        if tag["kind"]:
            opened = tag
        elif opened is not None and tag["closed"] == opened["kind"]:
            attributes = {name: value for name, value in _ATTRIBUTE.findall(opened["attributes"]) if value}
            yield opened.start(), tag.end(), Block(tag["closed"], attributes, text[opened.end() : tag.start()].strip())
            opened = None
