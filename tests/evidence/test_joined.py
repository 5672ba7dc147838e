from datetime import datetime

import anyio
import pytest

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.joined import JoinedSource
from cruxbench_inspect.evidence.session import NO_ANSWER, PART_ANSWER, EvidenceSession
from cruxbench_inspect.evidence.source import FailureKind, SearchOutcome, SourceFailure
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, make_document

CUTOFF = parse_utc("2026-01-11T12:00:00Z")
ONE, TWO, THREE = (make_document(title=title) for title in ("One", "Two", "Three"))


def failing(kind: FailureKind = "network") -> FakeSource:
    return FakeSource(failure=SourceFailure("failing", kind, "no answer"))


def search(*parts: FakeSource, limit: int = 8) -> SearchOutcome:
    outcome: SearchOutcome = anyio.run(JoinedSource(parts).search, "words", CUTOFF, limit)
    return outcome


def fetch(*parts: FakeSource) -> Document | None:
    document: Document | None = anyio.run(JoinedSource(parts).fetch, ONE, CUTOFF)
    return document


def test_parts_take_turns_and_a_document_counts_once() -> None:
    parts = FakeSource([ONE, TWO], rejected={"undated": 1}), FakeSource([THREE, ONE], rejected={"undated": 2})
    outcome = search(*parts)
    assert [hit.document for hit in outcome.hits] == [ONE, THREE, TWO]
    assert outcome.rejected == {"undated": 3} and outcome.failures == ()
    assert len(search(*parts, limit=2).hits) == 2


def test_the_name_and_the_fingerprint_are_those_of_all_parts() -> None:
    source = JoinedSource([FakeSource(), FakeSource()])
    assert (source.name, source.fingerprint) == ("fake+fake", "fake-1+fake-1")


def test_a_part_that_fails_is_told_beside_what_the_others_found() -> None:
    outcome = search(failing(), FakeSource([ONE]))
    assert [hit.document for hit in outcome.hits] == [ONE]
    assert [(part.source, part.kind) for part in outcome.failures] == [("failing", "network")]

    session = EvidenceSession(JoinedSource([failing(), FakeSource([ONE])]), CUTOFF)
    text = anyio.run(session.search, "words")
    assert "One" in text and PART_ANSWER in text
    assert session.counts.failures == 1 and [failure.kind for failure in session.failures] == ["network"]


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [(["rate_limit", "rate_limit"], "rate_limit"), (["rate_limit", "auth"], "auth"), (["network", "quota"], "network")],
)
def test_if_all_parts_fail_the_search_fails(kinds: list[FailureKind], kind: FailureKind) -> None:
    with pytest.raises(SourceFailure) as caught:
        search(*(failing(one) for one in kinds))
    assert caught.value.kind == kind
    session = EvidenceSession(JoinedSource([failing(one) for one in kinds]), CUTOFF)
    assert anyio.run(session.search, "words") == NO_ANSWER


def test_the_whole_text_comes_from_the_first_part_that_has_it() -> None:
    excerpt = make_document(text="In short.", excerpt=True)
    whole = make_document(text="At length.")
    assert fetch(FakeSource(), FakeSource(fetched=whole)) == whole
    assert fetch(FakeSource(fetched=excerpt), FakeSource(fetched=whole)) == whole
    assert fetch(FakeSource(fetched=excerpt), FakeSource()) == excerpt
    assert fetch(FakeSource(), FakeSource()) is None
    assert fetch(failing(), FakeSource(fetched=whole)) == whole


def test_a_text_that_a_failing_part_may_have_is_a_failure() -> None:
    with pytest.raises(SourceFailure, match="no answer"):
        fetch(failing(), FakeSource())


def test_parts_are_asked_at_the_same_time() -> None:
    both = anyio.Event()
    asked: list[int] = []

    class Waiting(FakeSource):
        async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
            asked.append(1)
            if len(asked) == 2:
                both.set()
            await both.wait()
            return await super().search(query, before, limit)

    assert len(search(Waiting([ONE]), Waiting([TWO])).hits) == 2


def test_what_is_withheld_takes_no_place_from_what_may_be_shown() -> None:
    later = [make_document("2026-02-01", title=f"Later {number}") for number in range(3)]
    outcome = search(FakeSource(later), FakeSource([ONE, TWO]), limit=2)
    assert [hit.document for hit in outcome.hits] == [ONE, TWO]
    assert outcome.rejected == {"published_after_cutoff": 3}


LATER = make_document(title="One", text="One, changed.", modified="2026-01-12T00:00:00Z")
STORED = make_document(title="One", text="One, as it was.", proof="A", captured="2026-01-10T15:00:00Z")


@pytest.mark.parametrize("first", [LATER, make_document(None, title="One"), make_document("2026-01-12", title="One")])
def test_a_text_that_may_not_be_shown_gives_way_to_one_of_another_part_that_may(first: Document) -> None:
    for parts in ([first, STORED], [STORED, first]):
        assert fetch(*(FakeSource(fetched=document) for document in parts)) == STORED
    assert fetch(FakeSource(fetched=first), FakeSource()) == first
    session = EvidenceSession(JoinedSource([FakeSource([ONE], fetched=first), FakeSource(fetched=STORED)]), CUTOFF)
    assert "as it was" in anyio.run(read_first, session)


async def read_first(session: EvidenceSession) -> str:
    await session.search("words")
    return await session.fetch(next(iter(session.documents)))


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        (
            make_document(modified="2026-01-12T00:00:00Z"),
            make_document(proof="A", captured="2026-01-10T15:00:00Z"),
        ),
        (make_document(None, text="", proof="C"), make_document(text="")),
        (make_document("2026-02-01", text=""), make_document(text="", title="Another")),
    ],
)
def test_an_edition_that_may_not_be_shown_hides_none_that_may(hidden: Document, shown: Document) -> None:
    for parts in ([hidden], [shown]), ([shown], [hidden]):
        outcome = search(*map(FakeSource, parts))
        assert [hit.document for hit in outcome.hits] == [shown]
        assert sum(outcome.rejected.values()) == 1
