"""The protocol of a source of dated evidence, and what it answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, NonNegativeInt

from cruxbench_inspect.evidence.clean_text import CleanLine
from cruxbench_inspect.evidence.cutoff import RejectionReason
from cruxbench_inspect.evidence.document import Document

FailureKind = Literal["outage", "rate_limit", "auth", "quota", "network", "bad_answer", "not_recorded"]


class SourceFailure(Exception):
    """A source could not answer: a fault of ours or of the service, never the sign that nothing was found.

    Attributes:
        source: The source's name.
        kind: What kind of failure it is.
        detail: One line for people, without keys or other secrets.
    """

    def __init__(self, source: str, kind: FailureKind, detail: str) -> None:
        self.source = source
        self.kind: FailureKind = kind
        self.detail = detail
        super().__init__(f"{source}: {kind}: {detail}")


class PartFailure(BaseModel):
    """One part of a source could not answer, while other parts did.

    Attributes:
        source: The part's name.
        kind: What kind of failure it is.
        detail: One line for people, without keys or other secrets.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    kind: FailureKind
    detail: str

    @classmethod
    def of(cls, failure: SourceFailure) -> "PartFailure":
        """The failure as a part of an outcome."""
        return cls(source=failure.source, kind=failure.kind, detail=failure.detail)

    @property
    def failure(self) -> SourceFailure:
        """It as an exception."""
        return SourceFailure(self.source, self.kind, self.detail)


class Hit(BaseModel):
    """One document that a search found.

    Attributes:
        document: The document; its text may be "" when only ``fetch`` gives it.
        snippet: About 400 plain characters around the best match, on one line.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: Document
    snippet: CleanLine


class SearchOutcome(BaseModel):
    """What a successful search found; no hit at all is a success, too.

    Attributes:
        hits: Best first.
        rejected: How many results the source dropped itself because of the date rules, by reason.
        failures: The parts of the source that did not answer. Where no part did, the search raises instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: tuple[Hit, ...]
    rejected: Mapping[RejectionReason, NonNegativeInt] = {}
    failures: tuple[PartFailure, ...] = ()


class EvidenceSource(Protocol):
    """A source of dated evidence.

    A source limits its answers to the cutoff as well as it can, and states every date and proof class truthfully.
    It need not enforce the cutoff: the session that shows its documents applies the guard to each of them.
    """

    @property
    def name(self) -> str:
        """The name by which a question set or a user asks for it."""

    @property
    def fingerprint(self) -> str:
        """All that its answers depend on besides the request, such as a digest of contents or a service's version."""

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Find documents from before a moment.

        Args:
            query: Plain words on one line, without search operators.
            before: The cutoff, an aware datetime, exclusive.
            limit: How many hits at most.

        Raises:
            SourceFailure: If the source could not answer.
        """

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """Get the whole text of a document that a search returned.

        Args:
            document: The document of a hit, of this or of an earlier instance of the source.
            before: The cutoff, an aware datetime, exclusive.

        Returns:
            The document with its text, which may be another version of it with another id and proof class; None when
            no version from before the cutoff is at hand.

        Raises:
            SourceFailure: If the source could not answer.
        """
