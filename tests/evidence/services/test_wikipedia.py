import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.evidence.http.client import ServiceClient
from cruxbench_inspect.evidence.services.wikipedia import PACE, Revision, Wikipedia, wikipedia
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import format_utc, parse_utc
from tests.loopback.faults import Fault, too_many
from tests.loopback.mediawiki import MediaWikiServer, WikiPage, WikiRevision, error, moved_page
from tests.loopback.server import serve
from tests.loopback.switch import Switch

BEFORE = datetime(2026, 1, 31, 12, tzinfo=UTC)
STRIKE = [
    WikiRevision("2026-01-10T08:00:00Z", "A '''strike''' began."),
    WikiRevision("2026-01-31T11:59:59Z", "The strike goes on."),
    WikiRevision("2026-01-31T12:00:00Z", "The strike has ended."),
    WikiRevision("2026-03-01T00:00:00Z", "The strike was a success."),
]

T = TypeVar("T")

SWITCH = Switch()
ADDRESS: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def one_server() -> Iterator[None]:
    with serve(SWITCH) as base_url:
        ADDRESS[:] = [base_url]
        yield


def asking(server: MediaWikiServer, ask: Callable[[Wikipedia], Awaitable[T]], waits: list[float] | None = None) -> T:
    """What the real client gets from a server."""

    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    async def run() -> T:
        client = ServiceClient("wikipedia", ADDRESS[0], pace=PACE, sleep=sleep)
        return await ask(Wikipedia(client, ADDRESS[0]))

    SWITCH.app = server.app
    return anyio.run(run)


def revision(
    server: MediaWikiServer, title: str, before: datetime = BEFORE, waits: list[float] | None = None
) -> Revision | None:
    return asking(server, lambda wiki: wiki.revision(title, before), waits)


def failure_of(server: MediaWikiServer) -> SourceFailure:
    with pytest.raises(SourceFailure) as caught:
        revision(server, "Strike")
    return caught.value


def _one_revision(timestamp: str, content: str) -> Fault:
    revision = {"revid": 2, "timestamp": timestamp, "slots": {"main": {"contentmodel": "wikitext", "content": content}}}
    return Fault(body=json.dumps({"query": {"pages": [{"pageid": 1, "revisions": [revision]}]}}).encode())


def test_the_last_revision_from_strictly_before() -> None:
    server = MediaWikiServer([WikiPage("Strike", STRIKE)])
    got = revision(server, "Strike")
    assert got is not None
    assert (got.title, got.wikitext) == ("Strike", "The strike goes on.")
    assert got.timestamp == BEFORE - timedelta(seconds=1)
    assert got.url == f"{ADDRESS[0]}/w/index.php?title=Strike&oldid={got.revision_id}"
    later = revision(server, "Strike", BEFORE + timedelta(seconds=1))
    assert later is not None and later.wikitext == "The strike has ended."


def test_what_the_wiki_is_asked() -> None:
    server = MediaWikiServer()
    assert revision(server, "Portal:Current_events/2026 January 30") is None
    assert server.requests == [
        {
            "action": "query",
            "prop": "revisions",
            "titles": "Portal:Current events/2026 January 30",
            "rvlimit": "1",
            "rvdir": "older",
            "rvstart": "2026-01-31T11:59:59Z",
            "rvprop": "ids|timestamp|content",
            "rvslots": "main",
            "format": "json",
            "formatversion": "2",
            "maxlag": "5",
            "redirects": "1",
        }
    ]
    assert server.user_agents[0].startswith("cruxbench-inspect/")


def test_the_client_that_is_used_in_earnest() -> None:
    SWITCH.app = MediaWikiServer([WikiPage("Strike", [WikiRevision("2026-01-10T08:00:00Z", "é" * 1_000_000)])]).app
    got = anyio.run(lambda: wikipedia(ADDRESS[0]).revision("Strike", BEFORE))
    assert got is not None and len(got.wikitext) == 1_000_000


def test_a_cutoff_in_another_zone_and_with_fractions() -> None:
    server = MediaWikiServer([WikiPage("Strike", STRIKE)])
    before = datetime.fromisoformat("2026-01-31T07:00:00.500000-05:00")
    got = revision(server, "Strike", before)
    assert got is not None and got.timestamp < before
    assert server.requests[0]["rvstart"] == "2026-01-31T11:59:59Z"


@pytest.mark.parametrize(
    "title", ["Nothing", "Born later", "Hidden", "Empty history", "fr:Grève", "Module:Strike/data", "A [bad] title", ""]
)
def test_what_there_was_not(title: str) -> None:
    server = MediaWikiServer(
        [
            WikiPage("Born later", STRIKE[2:]),
            WikiPage("Hidden", [STRIKE[0], WikiRevision("2026-01-20T00:00:00Z", "secret", hidden=True)]),
            WikiPage("Empty history", []),
            WikiPage("Module:Strike/data", [WikiRevision("2026-01-01T00:00:00Z", "return {}", model="Scribunto")]),
        ]
    )
    assert revision(server, title) is None


@pytest.mark.parametrize("title", ["Strike|Nothing", "Strike#Later", "Str\x00ike", "S" * 300, "{{Strike}}", " _ "])
def test_a_title_that_no_page_can_have_is_not_asked_for(title: str) -> None:
    server = MediaWikiServer([WikiPage("Strike", STRIKE)])
    assert revision(server, title) is None
    assert server.requests == []


def test_a_wiki_that_answers_with_a_later_revision_is_not_believed() -> None:
    server = MediaWikiServer()
    server.faults.append(_one_revision("2026-01-31T12:00:00Z", "It has ended."))
    assert revision(server, "Strike") is None


def test_a_page_that_was_moved_since_is_found_and_its_new_name_is_not_told() -> None:
    pages = moved_page("Vote of 2026", "Victory of the Greens in 2026", "2026-03-01T00:00:00Z", STRIKE[:2])
    got = revision(MediaWikiServer(pages), "Vote of 2026")
    assert got is not None
    assert (got.title, got.wikitext) == ("Vote of 2026", "The strike goes on.")
    assert "Victory" not in got.url


def test_a_page_that_became_a_redirect_since_still_has_its_own_history() -> None:
    own = [STRIKE[0], WikiRevision("2026-03-01T00:00:00Z", "#REDIRECT [[Strikes of 2026]]")]
    server = MediaWikiServer([WikiPage("Strike", own), WikiPage("Strikes of 2026", STRIKE[2:])])
    got = revision(server, "Strike")
    assert got is not None and got.wikitext == "A '''strike''' began."
    assert len(server.requests) == 2


def test_redirects_as_they_stood_are_followed() -> None:
    def redirect(to: str) -> list[WikiRevision]:
        # Today all of them are articles again, so that the wiki itself follows nothing.
        return [WikiRevision("2026-01-01T00:00:00Z", to), WikiRevision("2026-02-20T00:00:00Z", "An article.")]

    server = MediaWikiServer(
        [
            WikiPage("A", redirect("<!-- x -->#redirect [[b_c#Part|label]]\n{{R from move}}")),
            WikiPage("B c", redirect("#REDIRECT: [[:Strike]]")),
            WikiPage("Strike", STRIKE),
            WikiPage("Far", redirect("#REDIRECT [[A]]")),
            WikiPage("Loop", redirect("#REDIRECT [[Pool]]")),
            WikiPage("Pool", redirect("#REDIRECT [[Loop]]")),
            WikiPage("Nowhere", redirect("#REDIRECT [[{{x}}]]")),
            WikiPage("Self", redirect("#REDIRECT [[Self]]")),
        ]
    )
    got = revision(server, "A")
    assert got is not None and (got.title, got.wikitext) == ("Strike", "The strike goes on.")
    assert [revision(server, title) for title in ("Far", "Loop", "Nowhere", "Self")] == [None] * 4


@pytest.mark.parametrize("code", ["maxlag", "ratelimited"])
def test_a_busy_wiki_is_asked_again_when_it_says(code: str) -> None:
    server, waits = MediaWikiServer([WikiPage("Strike", STRIKE)]), list[float]()
    server.faults.extend([error(code, "7", lag=9.2), error(code)])
    assert revision(server, "Strike", waits=waits) is not None
    asked = [wait for wait in waits if wait >= 1]
    assert asked[0] == 7
    assert asked[1] >= 5
    assert len(server.requests) == 3


def test_a_wiki_that_stays_busy_is_a_failure_and_the_wait_has_a_bound() -> None:
    server, waits = MediaWikiServer([WikiPage("Strike", STRIKE)]), list[float]()
    server.faults.extend([error("maxlag", "99999")] * 9)
    with pytest.raises(SourceFailure, match="maxlag") as caught:
        revision(server, "Strike", waits=waits)
    assert caught.value.kind == "rate_limit"
    assert len(server.requests) == 4
    assert max(waits) == 120


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (error("readonly"), "outage"),
        (error("internal_api_error_DBQueryError"), "outage"),
        (error("badvalue"), "bad_answer"),
        (Fault(body=b'{"error": "x"}'), "bad_answer"),
        (Fault(body=b"<html>Our servers are under maintenance</html>"), "bad_answer"),
        (Fault(body=b""), "bad_answer"),
        (Fault(body=b'{"query": {"pages": [{"ti'), "bad_answer"),
        (Fault(body=b"[]"), "bad_answer"),
        (Fault(body=b'{"query": []}'), "bad_answer"),
        (Fault(body=b'{"query": {"pages": {"1": {}}}}'), "bad_answer"),
        (Fault(body=b"{}"), "bad_answer"),
        (Fault(body=b'{"batchcomplete": true}'), "bad_answer"),
        (Fault(body=b'{"query": {"pages": []}}'), "bad_answer"),
        (Fault(body=b'{"query": {"pages": [{"pageid": 1, "revisions": [{}]}]}}'), "bad_answer"),
        (error("blocked"), "auth"),
        (too_many("1"), "rate_limit"),
        (Fault(503, headers={"retry-after": "1"}), "outage"),
        (Fault(403), "auth"),
        (Fault(body=b"{}", missing=5), "network"),
    ],
)
def test_an_answer_that_is_none_is_a_failure_of_its_kind(fault: Fault, kind: str) -> None:
    server = MediaWikiServer([WikiPage("Strike", STRIKE)])
    server.faults.extend([fault] * 9)
    assert failure_of(server).kind == kind


@pytest.mark.parametrize(
    "of_page",
    [
        b'"revisions": []',
        b'"revisions": null',
        b'"revisions": [{"revid": 1, "timestamp": "2026-01-01T00:00:00Z", "slotsmissing": true}]',
        b'"revisions": [{"revid": 1, "timestamp": "2026-01-01T00:00:00Z", "slots": {"main": {"textmissing": true}}}]',
        b'"revisions": [{"revid": 1, "timestamp": "2026-01-01T00:00:00Z", "slots": {"main": {"texthidden": true}}}]',
    ],
)
def test_a_revision_without_a_text_is_no_failure(of_page: bytes) -> None:
    server = MediaWikiServer([WikiPage("Strike", STRIKE)])
    server.faults.append(Fault(body=b'{"query": {"pages": [{"pageid": 1, %s}]}}' % of_page))
    assert revision(server, "Strike") is None


@pytest.mark.parametrize("body", [b"<html>maintenance</html>", b"", b'{"query": {"pages": [{"ti'])
def test_an_answer_that_is_cut_short_or_none_is_asked_for_again(body: bytes) -> None:
    server = MediaWikiServer([WikiPage("Strike", STRIKE)])
    server.faults.append(Fault(body=body))
    assert revision(server, "Strike") is not None


def test_control_characters_in_the_answer_do_no_harm() -> None:
    server = MediaWikiServer()
    fault = _one_revision("2026-01-01T00:00:00Z", "a\nb\x07")
    server.faults.append(Fault(body=fault.body.replace(b"\\n", b"\n").replace(b"\\u0007", b"\x07")))
    got = revision(server, "Strike")
    assert got is not None and got.wikitext == "a\nb\x07"


def test_many_questions_at_once() -> None:
    server = MediaWikiServer([WikiPage(f"Page {number}", STRIKE[:1]) for number in range(20)])

    async def ask(wiki: Wikipedia) -> list[str]:
        titles: list[str] = []

        async def one(number: int) -> None:
            got = await wiki.revision(f"page_{number}", BEFORE)
            assert got is not None
            titles.append(got.title)

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(one, number)
        return titles

    assert sorted(asking(server, ask)) == sorted(f"Page {number}" for number in range(20))


MOMENTS = st.integers(0, 60 * 86_400).map(lambda seconds: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds))


@settings(max_examples=40, deadline=None)
@given(moments=st.lists(MOMENTS, max_size=6, unique=True), before=MOMENTS)
def test_always_the_last_one_before(moments: list[datetime], before: datetime) -> None:
    revisions = [WikiRevision(format_utc(moment), format_utc(moment)) for moment in moments]
    got = revision(MediaWikiServer([WikiPage("Page", revisions)]), "Page", before)
    expected = max((moment for moment in moments if moment < before), default=None)
    assert (None if got is None else parse_utc(got.wikitext)) == expected


WIKI = Wikipedia(ServiceClient("wikipedia", "https://en.wikipedia.org"), "https://en.wikipedia.org/")


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://en.wikipedia.org/wiki/2025_Louvre_heist", "2025 Louvre heist"),
        ("http://EN.m.wikipedia.org/wiki/caf%C3%A9_society?x=y#Later", "Café society"),
        ("https://en.wikipedia.org:443/wiki/AC/DC", "AC/DC"),
        ("https://en.wikipedia.org/wiki/CSI:_Miami", "CSI: Miami"),
        ("https://en.wikipedia.org/wiki/2001:_A_Space_Odyssey", "2001: A Space Odyssey"),
        ("https://en.wikipedia.org/w/index.php?title=Paris&oldid=5", "Paris"),
        ("https://en.wikipedia.org/wiki/Talk:Paris", None),
        ("https://en.wikipedia.org/wiki/user_talk:X", None),
        ("https://en.wikipedia.org/wiki/Portal:Current_events/2025_October_26", None),
        ("https://en.wikipedia.org/wiki/Special:Search?search=x", None),
        ("https://en.wikipedia.org/wiki/File%3AX.jpg", None),
        ("https://en.wikipedia.org/wiki/fr:Paris", None),
        ("https://en.wikipedia.org/wiki/", None),
        ("https://en.wikipedia.org/wiki/A%7CB", None),
        ("https://en.wikipedia.org/w/index.php", None),
        ("https://en.wikipedia.org/", None),
        ("https://fr.wikipedia.org/wiki/Paris", None),
        ("https://en.wikipedia.org.evil.example/wiki/Paris", None),
        ("https://evil.example/https://en.wikipedia.org/wiki/Paris", None),
        ("ftp://en.wikipedia.org/wiki/Paris", None),
        ("https://[::1/wiki/Paris", None),
        ("Paris", None),
    ],
)
def test_the_title_that_an_address_has(url: str, title: str | None) -> None:
    assert WIKI.article_title(url) == title
    assert WIKI.site == "https://en.wikipedia.org"


@given(st.text())
def test_any_address_has_a_title_or_none(url: str) -> None:
    WIKI.article_title(url)
    WIKI.article_title(f"https://en.wikipedia.org/wiki/{url}")
