"""The keyless source, over real connections to services on loopback."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import Pace, ServiceClient
from cruxbench_inspect.evidence.results import ResultStore
from cruxbench_inspect.evidence.services.gdelt import GdeltDoc
from cruxbench_inspect.evidence.services.wayback import wayback
from cruxbench_inspect.evidence.services.wikipedia import wikipedia
from cruxbench_inspect.evidence.session import NO_ANSWER, PART_ANSWER, EvidenceSession
from cruxbench_inspect.evidence.source import SearchOutcome, SourceFailure
from cruxbench_inspect.evidence.stored_pages import StoredPages
from cruxbench_inspect.evidence.web import WebSource
from cruxbench_inspect.utc import parse_utc
from tests.loopback.faults import Fault
from tests.loopback.gdelt import SeenArticle
from tests.loopback.wayback import StoredCapture
from tests.loopback.world import DAY, QUOTE, RULING_PAGE, RULING_TITLE, World, harbour_world, page

CUTOFF = parse_utc("2025-03-09T11:59:59Z")
QUERY = "Alvara harbour court licence"


@pytest.fixture
def world() -> World:
    return harbour_world()


async def no_sleep(seconds: float) -> None:
    """Stands in for waiting."""
    await anyio.lowlevel.checkpoint()


@pytest.fixture
def source(world: World, tmp_path: Path) -> Iterator[WebSource]:
    with world.served() as settings:
        yield WebSource(
            GdeltDoc(ServiceClient("gdelt", settings["CRUXBENCH_GDELT_URL"], Pace(), sleep=no_sleep)),
            wikipedia(settings["CRUXBENCH_WIKIPEDIA_URL"]),
            StoredPages(wayback(settings["CRUXBENCH_WAYBACK_URL"])),
            ResultStore(tmp_path / "store.sqlite"),
            lookback=timedelta(days=7),
            now=lambda: CUTOFF + timedelta(days=30),
        )


def search(source: WebSource, query: str = QUERY) -> SearchOutcome:
    outcome: SearchOutcome = anyio.run(source.search, query, CUTOFF, 8)
    return outcome


def fetch(source: WebSource, document: Document) -> Document | None:
    fetched: Document | None = anyio.run(source.fetch, document, CUTOFF)
    return fetched


def hit_at(source: WebSource, url: str) -> Document:
    return next(hit.document for hit in search(source).hits if hit.document.url.endswith(url))


def test_both_indexes_find_and_say_what_proves_it(source: WebSource) -> None:
    outcome = search(source)
    by_source = {hit.document.source: hit for hit in outcome.hits}
    news = by_source["courier.news"].document
    assert (news.url, news.title, news.proof, news.text) == (RULING_PAGE, RULING_TITLE, "B", "")
    item = by_source["Wikipedia, Current events"]
    assert item.document.proof == "A" and str(item.document.captured) == "2025-03-04T18:00:00Z"
    assert "upholds the licence" in item.snippet and "opens to traffic" not in item.snippet
    assert "oldid=" in (item.document.version or "")
    assert by_source["Wikipedia"].document.title == "Alvara crossing"
    assert outcome.failures == ()


def test_a_page_is_read_as_it_was_stored(source: WebSource) -> None:
    document = fetch(source, hit_at(source, "/ruling"))
    assert document is not None and document.proof == "A"
    assert QUOTE in document.text and "opened" not in document.text
    assert str(document.captured) == "2025-03-04T13:00:00Z" and str(document.published) == "2025-03-04T12:30:00Z"
    assert document.version is not None and "20250304130000id_/" in document.version


def test_an_article_is_read_as_its_revision_was(source: WebSource) -> None:
    document = fetch(source, hit_at(source, "/wiki/Alvara_crossing"))
    assert document is not None and QUOTE in document.text and "opened" not in document.text
    assert str(document.captured) == "2025-03-05T00:00:00Z"


def test_a_session_shows_nothing_of_later_days(source: WebSource) -> None:
    async def look() -> str:
        session = EvidenceSession(source, CUTOFF)
        shown = [await session.search("crossing opens traffic"), await session.search(QUERY)]
        shown += [await session.fetch(name) for name in list(session.documents)]
        return "\n".join(shown)

    shown = anyio.run(look)
    assert QUOTE in shown and "opens to traffic" not in shown and "30 June" not in shown


def test_pages_that_the_index_gives_beyond_the_cutoff_are_withheld_and_counted(world: World, source: WebSource) -> None:
    world.gdelt.heedless = True
    session = EvidenceSession(source, CUTOFF)
    text = anyio.run(session.search, "crossing opens")
    assert "The crossing opens" not in text
    assert session.counts.rejected == {"published_after_cutoff": 1}


def test_without_a_copy_from_before_there_is_no_text(world: World, source: WebSource) -> None:
    found = hit_at(source, "/ruling")
    world.wayback.captures[:] = [one for one in world.wayback.captures if one.timestamp > "20250401"]
    assert fetch(source, found) is None


def test_a_copy_that_claims_a_later_change_is_passed_over_for_an_earlier_one(world: World, source: WebSource) -> None:
    odd = page(modified="2025-06-01T00:00:00Z")
    world.wayback.captures.append(StoredCapture(RULING_PAGE, "20250306000000", odd))
    document = fetch(source, hit_at(source, "/ruling"))
    assert document is not None and str(document.captured) == "2025-03-04T13:00:00Z"
    world.wayback.captures[:] = [one for one in world.wayback.captures if one.timestamp == "20250306000000"]
    session = EvidenceSession(source, CUTOFF)

    async def look() -> str:
        await session.search(QUERY)
        name = next(name for name, one in session.documents.items() if one.url == RULING_PAGE)
        return await session.fetch(name)

    assert anyio.run(look) == "The text of this document is not available as of the cutoff."
    assert session.counts.rejected == {"modified_after_cutoff": 1}


def test_a_consent_wall_is_passed_over_for_an_earlier_copy(world: World, source: WebSource) -> None:
    wall = b"<html><body><p>We value your privacy. Accept all cookies to go on.</p></body></html>"
    world.wayback.captures.append(StoredCapture(RULING_PAGE, "20250306000000", wall))
    document = fetch(source, hit_at(source, "/ruling"))
    assert document is not None and QUOTE in document.text


def test_an_index_that_fails_is_told_and_the_other_one_still_finds(world: World, source: WebSource) -> None:
    world.gdelt.faults = [Fault(200, b"Timespan is too short.")] * 9
    outcome = search(source)
    assert [(part.source, part.kind) for part in outcome.failures] == [("gdelt", "bad_answer")]
    assert outcome.hits
    world.gdelt.faults = [Fault(200, b"Please limit requests to one every 5 seconds.")] * 9
    session = EvidenceSession(source, CUTOFF)
    assert PART_ANSWER in anyio.run(session.search, QUERY)
    assert [failure.kind for failure in session.failures] == ["rate_limit"]


def test_if_nothing_is_found_and_an_index_fails_it_is_a_failure(world: World, source: WebSource) -> None:
    world.gdelt.faults = [Fault(200, b"<html>Be right back</html>")] * 9
    with pytest.raises(SourceFailure, match="gdelt: bad_answer"):
        search(source, "zebra")
    world.gdelt.faults = [Fault(200, b"<html>Be right back</html>")] * 9
    assert anyio.run(EvidenceSession(source, CUTOFF).search, "zebra") == NO_ANSWER


def test_an_index_that_heeds_no_dates_pushes_nothing_out(world: World, source: WebSource) -> None:
    """Its later rows take no place, and hide no page of the same address that the portal leads to."""
    wanted = {hit.document.url for hit in search(source).hits}
    leads = [hit.document for hit in search(source).hits if hit.document.proof == "A"]
    late = [
        SeenArticle(f"https://late.example/{number}", f"{QUERY} {number}", "20250601T000000Z") for number in range(16)
    ]
    late += [SeenArticle(lead.url, QUERY, "20250601T000000Z") for lead in leads]
    world.gdelt.articles = [*late, *world.gdelt.articles]
    world.gdelt.heedless = True
    outcome = search(source)
    assert wanted <= {hit.document.url for hit in outcome.hits}
    assert not any("late.example" in hit.document.url for hit in outcome.hits)
    assert outcome.rejected["published_after_cutoff"] >= 16


def test_nothing_found_is_no_failure(source: WebSource) -> None:
    outcome = search(source, "zebra")
    assert outcome.hits == () and outcome.failures == ()


def test_an_archive_that_is_down_is_a_failure_and_no_missing_page(world: World, source: WebSource) -> None:
    found = hit_at(source, "/ruling")
    world.wayback.index_faults.extend([Fault(400, b"odd")] * 9)
    with pytest.raises(SourceFailure):
        fetch(source, found)


def test_days_of_the_portal_are_asked_for_once(world: World, source: WebSource) -> None:
    search(source)
    asked = [one["titles"] for one in world.wiki.requests]
    assert DAY in asked and len(asked) == len(set(asked)) == 8
    search(source, "another query")
    assert len(world.wiki.requests) == 8


def test_old_windows_are_not_asked_of_the_news_index(world: World, source: WebSource) -> None:
    old = WebSource(source._gdelt, source._wikipedia, source._pages, source._kept._store, lookback=timedelta(days=7))
    assert {hit.document.source for hit in search(old).hits} >= {"Wikipedia, Current events", "courier.news"}
    assert world.gdelt.requests == []


def test_what_an_index_says_of_short_words_and_dashes_is_not_provoked(world: World, source: WebSource) -> None:
    world.gdelt.articles = [SeenArticle("https://a.news/b", "EU vote on co-op", "20250305T000000Z")]
    outcome = search(source, "is the EU-US co-op vote on by 2025-03-05?")
    assert outcome.failures == () and "https://a.news/b" in [hit.document.url for hit in outcome.hits]


def test_searches_at_the_same_time(source: WebSource) -> None:
    outcomes: list[SearchOutcome] = []

    async def run() -> None:
        async def one(number: int) -> None:
            outcomes.append(await source.search(f"{QUERY} {number}", CUTOFF, 8))

        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(one, number)

    anyio.run(run)
    assert len({outcome.model_dump_json() for outcome in outcomes}) == 1
