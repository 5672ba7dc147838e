from datetime import datetime

import pytest

from cruxbench_inspect.evidence.session import NO_ANSWER, EvidenceSession
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, finish, make_document

CUTOFF = parse_utc("2026-01-11T12:00:00Z")
EARLY = make_document("2026-01-10T12:00:00Z", title="Early")
LATE = make_document("2026-01-12T12:00:00Z", title="Late")
UNDATED = make_document(None, title="Undated")
NARROW = SourceFailure("fake", "rate_limit", "try later")


def test_what_is_not_provably_older_is_counted_and_not_shown() -> None:
    session = EvidenceSession(FakeSource([LATE, EARLY, UNDATED], rejected={"undated": 2}), CUTOFF)
    text = finish(session.search("anything"))
    assert text.startswith("1 document found, 4 rejected by the date rules\n")
    assert "Early" in text and "Late" not in text and "Undated" not in text
    assert session.documents == {EARLY.id: EARLY}
    assert session.counts.rejected == {"published_after_cutoff": 1, "undated": 3}
    assert (session.counts.searches, session.counts.empty_searches) == (1, 0)


def test_nothing_found_is_no_failure() -> None:
    session = EvidenceSession(FakeSource([LATE]), CUTOFF)
    assert finish(session.search("anything")) == "No documents found, 1 rejected by the date rules"
    assert (session.counts.searches, session.counts.empty_searches, session.counts.failures) == (1, 1, 0)
    assert session.documents == {}


def test_a_failure_is_told_and_remembered() -> None:
    source = FakeSource([EARLY])
    session = EvidenceSession(source, CUTOFF)
    finish(session.search("anything"))
    source.failure = NARROW
    assert finish(session.search("anything")) == NO_ANSWER
    assert finish(session.fetch(EARLY.id)) == NO_ANSWER
    assert session.failures == [NARROW, NARROW]
    assert (session.counts.searches, session.counts.fetches, session.counts.failures) == (1, 0, 2)


def test_a_source_sees_plain_words_only() -> None:
    source = FakeSource()
    session = EvidenceSession(source, CUTOFF)
    finish(session.search("louvre after:2026-06-01"))
    assert source.queries == ["louvre"]
    assert finish(session.search("after:2026-06-01")) == "No documents found, 0 rejected by the date rules"
    assert source.queries == ["louvre"]


def test_no_more_than_the_limit_is_shown() -> None:
    documents = [make_document(title=f"Title {number}") for number in range(5)]
    session = EvidenceSession(FakeSource(documents), CUTOFF, limit=2)
    assert finish(session.search("anything")).startswith("2 documents found, 0 rejected")
    assert list(session.documents.values()) == documents[:2]


def test_a_document_is_fetched_by_an_id_that_was_shown() -> None:
    session = EvidenceSession(FakeSource([EARLY], fetched=EARLY), CUTOFF)
    assert "No search has returned" in finish(session.fetch(EARLY.id))
    finish(session.search("anything"))
    assert finish(session.fetch(f" {EARLY.id}\n")).startswith(f'<document id="{EARLY.id}"')
    assert "No search has returned" in finish(session.fetch(EARLY.url))
    assert session.counts.fetches == 1


def test_a_fetch_is_guarded_like_a_search() -> None:
    source = FakeSource([EARLY], fetched=make_document("2026-01-12T12:00:00Z", text="The outcome."))
    session = EvidenceSession(source, CUTOFF)
    finish(session.search("anything"))
    assert "not available as of the cutoff" in finish(session.fetch(EARLY.id))
    assert session.counts.rejected == {"published_after_cutoff": 1}
    assert session.documents == {EARLY.id: EARLY}
    source.fetched = None
    assert "not available as of the cutoff" in finish(session.fetch(EARLY.id))
    assert session.counts.rejected.total() == 1


def test_another_version_that_is_fetched_can_be_cited() -> None:
    copy = make_document(None, captured="2026-01-10T13:00:00Z", proof="A", text="The whole story.")
    session = EvidenceSession(FakeSource([EARLY], fetched=copy), CUTOFF)
    finish(session.search("anything"))
    assert f'<document id="{copy.id}"' in finish(session.fetch(EARLY.id))
    assert session.documents[copy.id] == copy


def test_a_long_text_is_cut() -> None:
    long = make_document(text="x" * 1000)
    session = EvidenceSession(FakeSource([long], fetched=long), CUTOFF, max_characters=100)
    finish(session.search("anything"))
    assert "[900 more characters are not shown]" in finish(session.fetch(long.id))


def test_the_cutoff_names_its_zone_and_stays() -> None:
    with pytest.raises(ValueError, match="names no time zone"):
        EvidenceSession(FakeSource(), datetime(2026, 1, 11))  # noqa: DTZ001
    session = EvidenceSession(FakeSource(), CUTOFF)
    assert session.cutoff == CUTOFF
    with pytest.raises(AttributeError):
        session.cutoff = CUTOFF  # type: ignore[misc]
