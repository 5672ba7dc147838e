import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import ServiceClient
from cruxbench_inspect.evidence.services.gdelt import PACE, REACH, GdeltDoc, gdelt_doc
from cruxbench_inspect.evidence.source import SourceFailure
from tests.loopback.faults import Fault, too_many
from tests.loopback.gdelt import GdeltServer, SeenArticle
from tests.loopback.server import serve
from tests.loopback.switch import Switch

BEFORE = datetime(2026, 1, 31, 12, tzinfo=UTC)
START = BEFORE - timedelta(days=14)
LOUVRE = SeenArticle("https://www.lemonde.example/louvre", "Louvre heist: suspects arrested", "20260126T101500Z")
CROWN = SeenArticle("https://b.example/crown", "Crown jewels still missing", "20260128T090000Z", "louvre")

SWITCH = Switch()
ADDRESS: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def one_server() -> Iterator[None]:
    with serve(SWITCH) as base_url:
        ADDRESS[:] = [base_url]
        yield


class Waits:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.waits.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        """Seconds that have been waited."""
        return self.now


def search(server: GdeltServer, query: str, limit: int = 10, waits: Waits | None = None) -> list[Document]:
    """What the real client finds."""
    waits = waits or Waits()
    client = ServiceClient("gdelt", ADDRESS[0], pace=PACE, sleep=waits.sleep, clock=waits.clock)
    SWITCH.app = server.app
    return anyio.run(GdeltDoc(client).search, query, START, BEFORE, limit)


def failure_of(fault: Fault) -> SourceFailure:
    with pytest.raises(SourceFailure) as caught:
        search(GdeltServer([LOUVRE], faults=[fault] * 8), "louvre")
    return caught.value


def queries(server: GdeltServer) -> list[str]:
    return [request["query"] for request in server.requests]


def rows(*articles: Any) -> Fault:
    return Fault(body=json.dumps({"articles": articles}).encode())


def titles(documents: list[Document]) -> list[str]:
    return [document.title for document in documents]


def test_a_document_is_dated_by_when_the_index_saw_the_page() -> None:
    (document,) = search(GdeltServer([LOUVRE]), "louvre")
    assert document == Document.model_validate(
        {
            "url": "https://www.lemonde.example/louvre",
            "title": "Louvre heist: suspects arrested",
            "source": "lemonde.example",
            "published": "2026-01-26T10:15:00Z",
            "text": "",
            "proof": "B",
        }
    )


def test_the_dates_that_it_asks_for() -> None:
    server = GdeltServer([LOUVRE])
    search(server, "louvre")
    (asked,) = server.requests
    assert (asked["startdatetime"], asked["enddatetime"]) == ("20260117120000", "20260131115959")
    assert (asked["mode"], asked["format"], asked["maxrecords"]) == ("artlist", "json", "250")


def test_moments_of_other_zones_are_asked_for_in_utc() -> None:
    zone = timezone(timedelta(hours=-5))
    server = GdeltServer()
    SWITCH.app = server.app
    anyio.run(gdelt_doc(ADDRESS[0]).search, "louvre", START.astimezone(zone), BEFORE.astimezone(zone), 5)
    asked = server.requests[0]
    assert (asked["startdatetime"], asked["enddatetime"]) == ("20260117120000", "20260131115959")


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        ("20260117T115959Z", False),
        ("20260117T120000Z", True),
        ("20260131T115959Z", True),
        ("20260131T120000Z", False),
    ],
)
def test_the_cutoff_itself_is_left_out(seen: str, found: bool) -> None:
    assert bool(search(GdeltServer([SeenArticle("https://a.example/", "Louvre", seen)]), "louvre")) == found


def test_later_pages_are_returned_with_their_date_for_the_guard_to_count() -> None:
    later = SeenArticle("https://c.example/", "Louvre: the outcome", "20260131T120000Z")
    found = search(GdeltServer([LOUVRE, later], heedless=True), "louvre")
    assert [rejection(document, BEFORE) for document in found] == [None, "published_after_cutoff"]


def test_all_words_first_then_any() -> None:
    server = GdeltServer([CROWN, LOUVRE])
    found = search(server, "Will the suspects of the Louvre heist be arrested?")
    assert queries(server) == ["suspects louvre heist arrested", "(suspects OR louvre OR heist OR arrested)"]
    assert titles(found) == [LOUVRE.title, CROWN.title]


def test_any_word_is_not_asked_for_where_all_words_find_enough() -> None:
    server = GdeltServer([LOUVRE, CROWN])
    assert titles(search(server, "louvre suspects", limit=1)) == [LOUVRE.title]
    assert queries(server) == ["louvre suspects"]


def test_copies_of_one_story_are_not_enough() -> None:
    copies = [SeenArticle(f"https://{n}.example/", "Louvre suspects named", "20260126T101500Z") for n in range(5)]
    server = GdeltServer([*copies, CROWN])
    assert len(search(server, "louvre suspects", limit=2)) == 2
    assert len(server.requests) == 2


def test_one_word_is_asked_for_once() -> None:
    server = GdeltServer()
    assert search(server, "Louvre") == []
    assert queries(server) == ["louvre"]


@pytest.mark.parametrize("query", ["", "  ", "AI", "is it on?", '-- () "" :', "5 10 Q3 x"])
def test_without_a_word_that_the_index_takes_it_is_not_asked(query: str) -> None:
    server = GdeltServer([LOUVRE])
    assert search(server, query) == []
    assert server.requests == []


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("EU co-operation on AI", "operation"),
        ("-louvre", "louvre"),
        ('"louvre heist"', "louvre heist"),
        ("domain:lemonde.fr louvre", "domain lemonde louvre"),
        ("(louvre OR AND heist)", "louvre heist"),
        ("louvre after:2026-02-01", "louvre"),
        ("30,500 dollars", "500 dollars"),
        ("São_Paulo élection", "são paulo élection"),
    ],
)
def test_nothing_in_a_query_is_an_operator(query: str, asked: str) -> None:
    server = GdeltServer()
    search(server, query)
    assert queries(server)[0] == asked


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=600) | st.lists(st.from_regex(r"[A-Za-z]{1,120}", fullmatch=True), max_size=12).map(" ".join))
def test_no_query_is_refused_by_the_index(query: str) -> None:
    server = GdeltServer([LOUVRE])
    search(server, query)
    for asked in queries(server):
        assert len(asked) <= 210
        assert "-" not in asked


def test_many_long_words_are_asked_for_as_far_as_the_index_takes_them() -> None:
    server = GdeltServer()
    words = [letter * 50 for letter in "abcdefgh"]
    search(server, " ".join(words))
    assert queries(server) == [" ".join(words[:3]), f"({' OR '.join(words[:3])})"]


@pytest.mark.parametrize("body", [b"", b"  \n", b"{}", b'{"articles": []}', b"\xef\xbb\xbf{}"])
def test_nothing_found_is_no_failure(body: bytes) -> None:
    assert search(GdeltServer([LOUVRE], faults=[Fault(body=body)]), "louvre") == []


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        (b"Please limit requests to one every 5 seconds or contact us.", "rate_limit", "one every 5 seconds"),
        (b"Your query was too short or too long.\n", "bad_answer", "too short or too long"),
        (b"Timespan is too short.", "bad_answer", "Timespan"),
        (b"One or more of your keywords were too short, too long or too common: (x)", "bad_answer", "too common: \\(x"),
        (b"<!DOCTYPE html>\n<html><title>Error</title>\x1b[31m", "bad_answer", "DOCTYPE"),
        (b'{"articles": [{"url": "https://a.example/", "title": "cut', "bad_answer", "cut short"),
        (b'{"articles": {"url": 1}}', "bad_answer", "no list of articles"),
        (b'{"articles": null}', "bad_answer", "no list of articles"),
        (b'[{"url": "https://a.example/"}]', "bad_answer", "no JSON but"),
        (b'{"a":' * 100_000, "bad_answer", "damaged"),
        (b"\x1f\x8b\x08\x00", "bad_answer", "no JSON but"),
    ],
)
def test_what_is_no_answer_is_a_failure(body: bytes, kind: str, told: str) -> None:
    failure = failure_of(Fault(body=body))
    assert (failure.source, failure.kind) == ("gdelt", kind)
    with pytest.raises(SourceFailure, match=told):
        raise failure
    assert failure.detail.isprintable()
    assert len(failure.detail) < 300


@pytest.mark.parametrize(
    ("fault", "kind"), [(too_many(), "rate_limit"), (Fault(503), "outage"), (Fault(body=b"{", missing=9), "network")]
)
def test_a_service_that_does_not_answer_is_a_failure(fault: Fault, kind: str) -> None:
    assert failure_of(fault).kind == kind


@pytest.mark.parametrize("fault", [too_many(), too_many("3"), Fault(502), Fault(body=b"{", missing=9)])
def test_it_asks_again(fault: Fault) -> None:
    waits = Waits()
    assert titles(search(GdeltServer([LOUVRE], faults=[fault]), "louvre", waits=waits)) == [LOUVRE.title]
    assert waits.waits[0] >= (10 if fault.status == 429 else 5)


def test_a_failure_of_the_second_request_is_one_of_the_search() -> None:
    faults = [rows(LOUVRE.row()), *[Fault(body=b"Timespan is too short.")] * 9]
    with pytest.raises(SourceFailure, match="bad_answer"):
        search(GdeltServer(faults=faults), "louvre heist")


def test_text_that_is_not_quite_json_is_read() -> None:
    body = (
        b'{"articles": [{"url": "https://a.example/", "seendate": "20260126T101500Z", "domain": "a.example",\n'
        b'"title": "Tab\there, line\nbreak, nul\x00, a \\d path C:\\new, a \\u00e9, half a \\u12 '
        b'and caf\xc3 \\\\ \\"x\\""}]}'
    )
    (document,) = search(GdeltServer(faults=[Fault(body=body)]), "louvre")
    assert document.title == 'Tab here, line break, nul, a \\d path C: ew, a é, half a \\u12 and caf\ufffd \\ "x"'


def test_one_of_the_same_story_of_a_day_remains_and_it_is_the_first() -> None:
    def seen(host: str, title: str, moment: str) -> SeenArticle:
        return SeenArticle(f"https://{host}.example/", title, moment)

    found = search(
        GdeltServer(
            [
                seen("a", "Louvre heist: 2 held", "20260126T120000Z"),
                seen("b", "LOUVRE HEIST : 2 held !", "20260126T080000Z"),
                seen("c", "Louvre heist - 2 held", "20260127T000000Z"),
                seen("d", "Louvre heist: 3 held", "20260126T120000Z"),
                seen("e", "", "20260126T120000Z"),
                seen("f", " ", "20260126T120000Z"),
            ],
            heedless=True,
        ),
        "louvre heist",
    )
    assert [document.url[8] for document in found] == ["b", "c", "d"]
    untitled = [seen(host, title, "20260126T120000Z").row() for host, title in (("e", ""), ("f", "!"), ("e", ""))]
    assert len(search(GdeltServer(faults=[rows(*untitled)]), "louvre")) == 2


def test_a_later_copy_does_not_hide_the_one_that_is_admissible() -> None:
    faults = [
        rows(
            {**LOUVRE.row(), "url": "https://copy.example/", "seendate": "20260131T235900Z"},
            {**LOUVRE.row(), "seendate": "20260131T110000Z"},
        )
    ]
    (document,) = search(GdeltServer(faults=faults), "louvre")
    assert rejection(document, BEFORE) is None


def test_an_address_is_found_once() -> None:
    again = {**LOUVRE.row(), "title": "Another title", "seendate": "20260125T000000Z"}
    (document,) = search(GdeltServer(faults=[rows(LOUVRE.row(), again)]), "louvre")
    assert document.title == "Another title"


ODD_ROWS: list[object] = [
    None,
    7,
    "text",
    [],
    {},
    {"url": "https://a.example/"},
    {"seendate": "20260126T101500Z"},
    {"url": None, "seendate": "20260126T101500Z"},
    {"url": "", "seendate": "20260126T101500Z"},
    {"url": "javascript:alert(1)", "seendate": "20260126T101500Z"},
    {"url": "ftp://a.example/", "seendate": "20260126T101500Z"},
    {"url": "https://", "seendate": "20260126T101500Z"},
    {"url": "https://[::1/", "seendate": "20260126T101500Z", "domain": "a.example"},
    {"url": "https://a.example/", "seendate": None},
    {"url": "https://a.example/", "seendate": ""},
    {"url": "https://a.example/", "seendate": "yesterday"},
    {"url": "https://a.example/", "seendate": "20261326T101500Z"},
    {"url": "https://a.example/", "seendate": "20260126T101500"},
    {"url": "https://a.example/", "seendate": "00000000T000000Z"},
]


@pytest.mark.parametrize("odd", ODD_ROWS)
def test_an_odd_row_is_left_out_and_the_others_stay(odd: object) -> None:
    assert titles(search(GdeltServer(faults=[rows(odd, LOUVRE.row(), odd)]), "louvre")) == [LOUVRE.title]


def test_an_answer_of_nothing_but_odd_rows_is_a_failure() -> None:
    assert failure_of(rows(*ODD_ROWS)).kind == "bad_answer"


@pytest.mark.parametrize("value", [None, 5, ["x"], {}])
def test_a_row_without_a_title_or_a_domain_is_of_use(value: object) -> None:
    faults = [rows({**LOUVRE.row(), "title": value, "domain": value, "more": value})]
    (document,) = search(GdeltServer(faults=faults), "louvre")
    assert (document.title, document.source) == ("", "www.lemonde.example")


def test_the_limit_is_kept() -> None:
    articles = [SeenArticle(f"https://a.example/{n}", f"Louvre {n}", "20260126T101500Z") for n in range(300)]
    assert len(search(GdeltServer(articles), "louvre", limit=7)) == 7
    assert len(search(GdeltServer(articles), "louvre", limit=1000)) == 250


def test_requests_are_five_seconds_apart_also_for_searches_at_once() -> None:
    waits = Waits()
    client = ServiceClient("gdelt", ADDRESS[0], pace=PACE, sleep=waits.sleep, clock=waits.clock)
    index, starts = GdeltDoc(client), []

    class Server(GdeltServer):
        async def _doc(self, request: Any) -> Any:
            starts.append(waits.now)
            return await super()._doc(request)

    async def run() -> None:
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(index.search, f"louvre heist{number}", START, BEFORE, 5)

    SWITCH.app = Server([LOUVRE]).app
    anyio.run(run)
    assert len(starts) == 12
    assert min(later - earlier for earlier, later in pairwise(starts)) >= 5


def test_how_far_back_it_reaches() -> None:
    index = gdelt_doc()
    assert index.reaches(BEFORE, BEFORE)
    assert index.reaches(BEFORE, BEFORE + REACH - timedelta(seconds=1))
    assert not index.reaches(BEFORE, BEFORE + REACH)
    assert index.reaches(BEFORE + timedelta(days=1), BEFORE)
