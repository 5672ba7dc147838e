"""What a model was shown: one search result, document, article, question or tool output, with its cutoff."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from cruxbench_inspect.evidence.document import ProofClass

Role = Literal["generator", "judge"]
ItemKind = Literal["question", "article", "result", "document", "tool output", "message"]


@dataclass(frozen=True)
class Ultimate:
    """The market's question, and what only the mechanical checks may know of its end.

    Attributes:
        question: Its text.
        outcome: How it was settled, None while that is not known.
        resolved: When, in UTC; None while that is not known.
        asked: The moment of the prediction, at which it was open.
    """

    question: str
    asked: datetime
    outcome: Literal["Yes", "No"] | None = None
    resolved: datetime | None = None

    def open_at(self, moment: datetime) -> bool:
        """Whether the question was certainly open at a moment."""
        return moment <= self.asked if self.resolved is None else moment <= self.resolved


@dataclass(frozen=True)
class Item:
    """One thing that a model was shown.

    Attributes:
        log: The log's address.
        sample: The sample's id, which is the question's.
        role: Who was shown it.
        kind: What it is.
        cutoff: The first moment that is too late for it, in UTC.
        text: Its text as its source had it, without the escapes in which it was shown.
        title: Its title, if it has one.
        url: Its address, if that was shown.
        document_id: Its id, if it has one.
        stated: The dates that it was shown with by attribute, such as ``published``; empty ones are left out.
        proof: The proof class of its dates, where the log tells it.
        tool: The tool that showed it, None where it stood in a prompt.
        count: How often it was shown.
    """

    log: str
    sample: str
    role: Role
    kind: ItemKind
    cutoff: datetime
    text: str
    title: str = ""
    url: str = ""
    document_id: str = ""
    stated: tuple[tuple[str, str], ...] = ()
    proof: ProofClass | None = None
    tool: str | None = None
    count: int = 1

    @property
    def reading(self) -> str:
        """Title and text as one text."""
        return f"{self.title}\n{self.text}" if self.title else self.text


def without_repeats(items: Iterable[Item]) -> list[Item]:
    """Items with equal ones (same question, role, cutoff, id and text) as one that counts them."""
    distinct: dict[tuple[object, ...], Item] = {}
    for item in items:
        key = (
            item.sample,
            item.role,
            item.kind,
            item.cutoff,
            item.document_id,
            item.url,
            item.title,
            item.text,
            item.stated,
        )
        known = distinct.get(key)
        distinct[key] = item if known is None else replace(known, count=known.count + item.count)
    return list(distinct.values())
