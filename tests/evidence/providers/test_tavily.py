from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import anyio
import pytest
from starlette.types import ASGIApp

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import MARKETS
from cruxbench_inspect.evidence.providers.tavily import tavily
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.evidence.source import SourceFailure
from tests.evidence.fake_source import make_document
from tests.evidence.providers.provider_cases import (
    BEFORE,
    NOW,
    StoredPagesOfTests,
    Waits,
    fetched,
    found,
    tavily_source,
)
from tests.loopback.faults import Fault
from tests.loopback.tavily import API_KEY, Page, TavilyServer

Serve = Callable[[ASGIApp], str]

URL = "https://www.n.example/2026/01/20/louvre-thieves-face-judge-8812.html"


def test_pages_are_found_by_their_date_and_shown_as_they_were_stored(at: Serve) -> None:
    stored = make_document(url=URL, captured="2026-01-21T00:00:00Z", proof="A", title="As it was", text="As it was.")
    pages = StoredPagesOfTests({URL: stored})
    source = tavily_source(at(TavilyServer([Page(URL, "Tue, 20 Jan 2026 09:30:00 GMT")]).app), Waits(), pages)
    session = EvidenceSession(source, BEFORE)

    async def read() -> list[str]:
        results = await session.search("louvre")
        return [results, await session.fetch(next(iter(session.documents)))]

    results, text = anyio.run(read)
    assert 'title="As it was"' in results and "As it was." in text
    assert "OUTCOME" not in results + text
    assert pages.asked == [(URL, BEFORE)]


def test_without_a_copy_from_before_not_even_an_address_is_told(at: Serve) -> None:
    """Addresses tell what happened, and may be of a later day than a page claims."""
    told = "https://n.example/2026/03/05/mayor-resigns-after-vote-licence-revoked"
    late = make_document(url=told, captured="2026-03-06T00:00:00Z", proof="A", title="Revoked")
    for pages in (StoredPagesOfTests({}), StoredPagesOfTests({told: late})):
        source = tavily_source(at(TavilyServer([Page(told, "2026-01-20")]).app), Waits(), pages)
        session = EvidenceSession(source, BEFORE)
        results = anyio.run(session.search, "mayor")
        assert results.startswith("No documents found") and "revoked" not in results.lower()
        assert session.read_nothing


def test_pages_that_the_archive_cannot_look_up_are_told_as_a_failure(at: Serve) -> None:
    class Half(StoredPagesOfTests):
        async def page(self, url: str, before: datetime) -> Document | None:
            if url.endswith("/1"):
                raise SourceFailure("wayback", "outage", "HTTP 503")
            return await super().page(url, before)

    pages = [Page(f"https://n.example/{number}", "2026-01-20", date(2026, 1, 20)) for number in range(3)]
    outcome = found(tavily_source(at(TavilyServer(pages).app), Waits(), Half()))
    assert [hit.document.url for hit in outcome.hits] == ["https://n.example/0", "https://n.example/2"]
    assert [failure.kind for failure in outcome.failures] == ["outage"]
    with pytest.raises(SourceFailure, match="wayback: outage"):
        found(tavily_source(at(TavilyServer(pages[1:2]).app), Waits(), Half()))


def test_what_tavily_is_asked(at: Serve) -> None:
    server = TavilyServer()
    assert found(tavily_source(at(server.app), Waits()), query="Louvre arrests", limit=5).hits == ()
    assert server.requests == [
        {
            "query": "Louvre arrests",
            "topic": "news",
            "search_depth": "basic",
            "start_date": "2025-12-17",
            "end_date": "2026-01-30",
            "max_results": 20,
            "exclude_domains": sorted(MARKETS),
            "include_answer": False,
            "include_raw_content": False,
            "auto_parameters": False,
        }
    ]


@pytest.mark.parametrize(
    ("before", "end"),
    [
        (datetime(2026, 2, 1, tzinfo=UTC), "2026-01-31"),
        (datetime.fromisoformat("2026-01-31T23:30:00-05:00"), "2026-01-31"),
        (datetime.fromisoformat("2026-02-01T03:00:00+14:00"), "2026-01-30"),
        (NOW + timedelta(days=200), "2026-02-28"),
    ],
)
def test_the_last_day_that_is_asked_for_is_over_at_the_cutoff(at: Serve, before: datetime, end: str) -> None:
    server = TavilyServer()
    found(tavily_source(at(server.app), Waits()), before)
    assert server.requests[0]["end_date"] == end


@pytest.mark.parametrize(
    ("published", "reason"),
    [
        (None, "undated"),
        ("", "undated"),
        ("3 days ago", "undated"),
        ("03/04/2026", "undated"),
        ("Sat, 31 Jan 2026 12:00:00 GMT", "published_after_cutoff"),
        ("Sat, 31 Jan 2026 07:30:00 -0500", "published_after_cutoff"),
        ("Sat, 31 Jan 2026 11:30:00 XST", "date_only_not_provably_before"),
        ("Fri, 30 Jan 2026 23:59:00", None),
        ("Sat, 31 Jan 2026", "date_only_not_provably_before"),
        ("2026-01-31", "date_only_not_provably_before"),
        ("2026-01-31T00:00:00Z", "date_only_not_provably_before"),
        ("Fri, 30 Jan 2026 00:00:00 GMT", None),
        ("2026-01-30", None),
        ("Sat, 31 Jan 2026 11:59:59 GMT", None),
        ("2026-01-31T11:59:59.999Z", None),
    ],
)
def test_dates_are_read_with_care(at: Serve, published: str | None, reason: str | None) -> None:
    outcome = found(tavily_source(at(TavilyServer([Page(URL, published)]).app), Waits()))
    assert (len(outcome.hits), outcome.rejected) == ((1, {}) if reason is None else (0, {reason: 1}))


def test_undated_pages_take_nobodys_place(at: Serve) -> None:
    undated = [Page(f"https://n.example/{number}", None) for number in range(12)]
    dated = [Page(f"https://n.example/d{number}", "2026-01-20", date(2026, 1, 20)) for number in range(8)]
    outcome = found(tavily_source(at(TavilyServer([*undated, *dated]).app), Waits()), limit=3)
    assert [hit.document.url for hit in outcome.hits] == [f"https://n.example/d{number}" for number in range(3)]
    assert outcome.rejected == {"undated": 12}


def test_pages_of_markets_are_never_evidence(at: Serve) -> None:
    server = TavilyServer([Page("https://polymarket.com/event/will-it", "2026-01-20")])
    assert found(tavily_source(at(server.app), Waits())).rejected == {"excluded_site": 1}


def test_what_an_archive_does_not_have() -> None:
    source = tavily_source("http://n.example", Waits(), StoredPagesOfTests({}))
    assert fetched(source, make_document(proof="C", text="")) is None


def test_the_archive_may_fail() -> None:
    class Broken(StoredPagesOfTests):
        async def page(self, url: str, before: datetime) -> None:
            raise SourceFailure("wayback", "outage", "HTTP 503")

    source = tavily_source("http://n.example", Waits(), Broken())
    with pytest.raises(SourceFailure, match="wayback: outage"):
        fetched(source, make_document(proof="C", text=""))


@pytest.mark.parametrize("status", [432, 433])
def test_a_plan_that_is_used_up(at: Serve, status: int) -> None:
    server = TavilyServer()
    server.faults.append(Fault(status, b'{"detail": {"error": "This request exceeds your plan."}}'))
    with pytest.raises(SourceFailure, match="exceeds your plan") as caught:
        found(tavily_source(at(server.app), Waits()))
    assert caught.value.kind == "quota"


def test_a_missing_key_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-of-another-place")
    with pytest.raises(InputError) as caught:
        tavily(StoredPagesOfTests(), environment={})
    assert str(caught.value) == "evidence source 'tavily' needs a key: set TAVILY_API_KEY in the environment"


def test_the_source_that_is_used_in_earnest(at: Serve) -> None:
    day = datetime.now(UTC).date() - timedelta(days=3)
    environment = {"TAVILY_API_KEY": API_KEY}
    source = tavily(StoredPagesOfTests(), at(TavilyServer([Page(URL, day.isoformat(), day)]).app), environment)
    assert len(found(source, datetime.now(UTC)).hits) == 1
    own = tavily(StoredPagesOfTests(), environment=environment)
    assert own.fingerprint == "tavily-2:sdk 0.8:news:basic:45d"
