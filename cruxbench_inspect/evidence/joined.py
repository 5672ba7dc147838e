"""Several sources asked as one."""

from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest

import anyio

from cruxbench_inspect.evidence.admitted_hits import admitted_hits
from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import (
    EvidenceSource,
    FailureKind,
    Hit,
    PartFailure,
    SearchOutcome,
    SourceFailure,
)


class JoinedSource:
    """Asks all its parts, and takes turns among their hits, the first part first."""

    def __init__(self, parts: Sequence[EvidenceSource]) -> None:
        """Join sources, at least one."""
        self._parts = tuple(parts)

    @property
    def name(self) -> str:
        """The names of the parts, joined by ``+``."""
        return "+".join(part.name for part in self._parts)

    @property
    def fingerprint(self) -> str:
        """The fingerprints of the parts."""
        return "+".join(part.fingerprint for part in self._parts)

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Search in all parts at the same time.

        Raises:
            SourceFailure: If no part could answer.
        """
        outcomes: list[SearchOutcome] = [SearchOutcome(hits=())] * len(self._parts)
        failures: list[SourceFailure] = []

        async def ask(index: int) -> None:
            try:
                outcomes[index] = await self._parts[index].search(query, before, limit)
            except SourceFailure as failure:
                failures.append(failure)

        async with anyio.create_task_group() as group:
            for index in range(len(self._parts)):
                group.start_soon(ask, index)
        if len(failures) == len(self._parts):
            raise together(self.name, failures)
        # What may not be shown neither takes a place nor hides another edition of itself that may.
        admitted = [admitted_hits(outcome.hits, before, len(outcome.hits)) for outcome in outcomes]
        return SearchOutcome(
            hits=in_turn([part.hits for part in admitted])[:limit],
            rejected=_summed([*outcomes, *admitted]),
            failures=(
                *(part for outcome in outcomes for part in outcome.failures),
                *(PartFailure.of(failure) for failure in failures),
            ),
        )

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The whole text from the first part that has one that may be shown; an excerpt only where no part has more.

        Where no part has anything that may be shown, what a part has all the same: the guard withholds and counts it.

        Raises:
            SourceFailure: If no part has the whole text, and some could not answer.
        """
        excerpt: Document | None = None
        withheld: Document | None = None
        failures: list[SourceFailure] = []
        for part in self._parts:
            try:
                fetched = await part.fetch(document, before)
            except SourceFailure as failure:
                failures.append(failure)
                continue
            if fetched is not None and rejection(fetched, before) is not None:
                withheld = withheld or fetched
            elif fetched is not None and not fetched.excerpt:
                return fetched
            else:
                excerpt = excerpt or fetched
        if failures:
            raise together(self.name, failures)
        return excerpt or withheld


def in_turn(lists: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
    """The first of each list, then the second of each, and so on.

    A document that is there twice counts once, and so does an address of which only titles are known.
    """
    hits: dict[str, Hit] = {}
    for row in zip_longest(*lists):
        for hit in row:
            if hit is not None:
                document = hit.document
                hits.setdefault(document.id if document.text else document.url, hit)
    return tuple(hits.values())


def together(name: str, failures: Sequence[SourceFailure]) -> SourceFailure:
    """Several failures as one: of their common kind, else of the kind of the first that is no rate limit."""
    kinds: list[FailureKind] = [failure.kind for failure in failures]
    kind = next((kind for kind in kinds if kind != "rate_limit"), kinds[0])
    if len(failures) == 1:
        return failures[0]
    return SourceFailure(name, kind, "; ".join(dict.fromkeys(str(failure) for failure in failures)))


def _summed(outcomes: Sequence[SearchOutcome]) -> dict[str, int]:
    total: dict[str, int] = {}
    for outcome in outcomes:
        for reason, count in outcome.rejected.items():
            total[reason] = total.get(reason, 0) + count
    return total
