"""What the audit can find in an item."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

FindingKind = Literal[
    "dated_after", "date_not_provable", "address_after", "text_after", "resolution_told", "outcome_told", "auditor"
]
"""``dated_after``: its own date lies after the cutoff; ``date_not_provable``: it may lie there; ``address_after``: an
address has a later date in its path; ``text_after``: its text looks back on a later date; ``resolution_told``: it says
that the market was settled; ``outcome_told``: it tells what the question asks for as having happened, or as not having
come, as it then ended; ``auditor``: a model found a leak."""


class Finding(BaseModel):
    """A leak in an item.

    Attributes:
        kind: What kind of leak.
        excerpt: The words that show it.
        reason: Why it is one, where the excerpt does not say it alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FindingKind
    excerpt: str
    reason: str = ""


def excerpt(text: str, start: int, end: int, margin: int = 70) -> str:
    """A stretch of a text with some characters around it, on one line."""
    first, last = max(0, start - margin), min(len(text), end + margin)
    cut = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{cut}{'…' if last < len(text) else ''}"
