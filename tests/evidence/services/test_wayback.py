import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.evidence.http.client import ServiceClient
from cruxbench_inspect.evidence.services.wayback import INDEX_PACE, REPLAY_PACE, Capture, Replayed, Wayback, wayback
from cruxbench_inspect.evidence.source import SourceFailure
from tests.loopback.faults import Fault, too_many
from tests.loopback.server import serve
from tests.loopback.switch import Switch
from tests.loopback.wayback import EXCLUDED, StoredCapture, WaybackServer

PAGE = "https://news.example/a?b=c&d=%C3%BC"
BEFORE = datetime(2026, 1, 31, 12, tzinfo=UTC)

T = TypeVar("T")

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
        self.waits.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


def asking(server: WaybackServer, ask: Callable[[Wayback], Awaitable[T]], waits: Waits | None = None) -> T:
    """What the real client gets from a server."""
    waits = waits or Waits()

    async def run() -> T:
        index = ServiceClient("i", ADDRESS[0], pace=INDEX_PACE, sleep=waits.sleep, clock=waits.clock)
        copies = ServiceClient("r", ADDRESS[0], pace=REPLAY_PACE, sleep=waits.sleep, clock=waits.clock)
        return await ask(Wayback(index, copies))

    SWITCH.app = server.app
    return anyio.run(run)


def captures(server: WaybackServer, url: str = PAGE, before: datetime = BEFORE, limit: int = 3) -> list[Capture]:
    return asking(server, lambda archive: archive.captures(url, before, limit))


def replay(server: WaybackServer, timestamp: str, before: datetime = BEFORE, url: str = PAGE) -> Replayed | None:
    moment = datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return asking(server, lambda archive: archive.replay(Capture(url, moment, "text/html", "D"), before))


def stored(timestamp: str, body: str = "", **more: Any) -> StoredCapture:
    return StoredCapture(more.pop("url", PAGE), timestamp, (body or f"as of {timestamp}").encode(), **more)


def failure_of(server: WaybackServer, ask: Callable[[Wayback], Awaitable[object]]) -> SourceFailure:
    with pytest.raises(SourceFailure) as caught:
        asking(server, ask)
    return caught.value


# The index


def test_the_latest_captures_from_before_the_moment_newest_first() -> None:
    days = ["20260110", "20260120", "20260131", "20260201", "20260315"]
    server = WaybackServer([stored(f"{day}120000") for day in days] + [stored("20260131115959")])
    found = captures(server)
    assert [f"{one.timestamp:%Y%m%d%H%M%S}" for one in found] == ["20260131115959", "20260120120000", "20260110120000"]
    assert found[0].url == PAGE
    assert len(captures(server, limit=1)) == 1


def test_the_index_is_asked_with_all_14_digits_of_the_last_second() -> None:
    server = WaybackServer()
    assert captures(server, "https://news.example/x?to=2099&limit=1#part", BEFORE) == []
    asked = parse_qsl(urlsplit(server.requests[0]).query)
    assert asked[:4] == [
        ("url", "https://news.example/x?to=2099&limit=1"),
        ("matchType", "exact"),
        ("to", "20260131115959"),
        ("filter", "statuscode:200"),
    ]


def test_an_index_that_takes_the_limit_for_a_whole_day_is_not_believed() -> None:
    server = WaybackServer()
    header = ["timestamp", "original", "statuscode", "mimetype", "digest"]
    rows = [
        [digits, PAGE, "200", "text/html", digits] for digits in ("20260131115959", "20260131120000", "20260131235959")
    ]
    server.index_faults.append(Fault(body=json.dumps([header, *rows]).encode()))
    assert [one.timestamp for one in captures(server)] == [BEFORE - timedelta(seconds=1)]


def test_only_texts_that_the_site_sent_as_such() -> None:
    server = WaybackServer(
        [
            stored("20260101000000"),
            stored("20260102000000", "moved", status=301, location="https://news.example/b"),
            stored("20260103000000", "not found", status=404),
            stored("20260104000000", "unchanged", revisit=True),
            stored("20260105000000", "%PDF", content_type="application/pdf"),
            stored("20260106000000", "x", content_type="application/xhtml+xml"),
        ]
    )
    assert [one.timestamp.day for one in captures(server)] == [6, 1]


def test_rows_are_checked_again_on_arrival() -> None:
    header = ["timestamp", "original", "statuscode", "mimetype", "digest"]
    rows = [
        ["20260101000000", PAGE, "-", "warc/revisit", "A"],
        ["20260102000000", PAGE, "404", "text/html", "B"],
        ["20260103000000", "https://other.example/a", "200", "text/html", "C"],
        ["20260104", PAGE, "200", "text/html", "D"],
        ["20261399000000", PAGE, "200", "text/html", "E"],
        ["20260106000000", PAGE, "200"],
        ["20260107000000", "https://www.news.example:443/a", "200", "text/html; charset=utf-8", "F"],
        [20260108000000, None, None, None, None],
        [],
        ["example%2Cnews%29%2F+20260107000000%21"],
    ]
    server = WaybackServer()
    server.index_faults.append(Fault(body=json.dumps([header, *rows]).encode()))
    assert captures(server) == [
        Capture("https://www.news.example/a", datetime(2026, 1, 7, tzinfo=UTC), "text/html", "F")
    ]


def test_captures_with_the_same_content_count_once() -> None:
    server = WaybackServer([stored(f"202601{day:02}000000", "old" if day < 5 else "new") for day in range(1, 10)])
    assert [one.timestamp.day for one in captures(server)] == [9, 4]


@pytest.mark.parametrize("none_found", ["[]", "", "\n"])
def test_no_capture_is_no_failure(none_found: str) -> None:
    assert captures(WaybackServer([stored("20260301000000")], none_found=none_found)) == []


@pytest.mark.parametrize("status", [200, 403])
def test_an_excluded_site_has_no_captures(status: int) -> None:
    server = WaybackServer([stored("20260101000000")], excluded=["news.example"])
    server.index_faults.append(Fault(status, EXCLUDED.encode()))
    assert captures(server) == []
    assert captures(server) == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html><body>Temporarily Offline</body></html>", "bad_answer"),
        (b"Sorry, an error occurred", "bad_answer"),
        (b'[["timestamp","original","statuscode","mimetype","digest"],["2026', "bad_answer"),
        (b'{"error": "x"}', "bad_answer"),
        (b"null", "bad_answer"),
        (b'[["timestamp","original"]]', "bad_answer"),
        (b'["timestamp"]', "bad_answer"),
        (b"[[[]]]", "bad_answer"),
        (b"[" * 100_000, "bad_answer"),
    ],
)
def test_an_answer_that_is_no_table_is_a_failure(body: bytes, kind: str) -> None:
    server = WaybackServer([stored("20260101000000")])
    server.index_faults.extend([Fault(body=body)] * 9)
    assert failure_of(server, lambda archive: archive.captures(PAGE, BEFORE)).kind == kind


@pytest.mark.parametrize("body", [b"<html>busy</html>", b'[["timestamp","orig', b"Sorry"])
def test_an_answer_that_is_cut_short_or_none_is_asked_for_again(body: bytes) -> None:
    server = WaybackServer([stored("20260101000000")])
    server.index_faults.append(Fault(body=body))
    assert len(captures(server)) == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (too_many(), "rate_limit"),
        (Fault(503), "outage"),
        (Fault(403, b"Forbidden"), "auth"),
        (Fault(body=b"[]", missing=9), "network"),
    ],
)
def test_what_stays_wrong_is_a_failure_of_its_kind(fault: Fault, kind: str) -> None:
    server = WaybackServer([stored("20260101000000")])
    server.index_faults.extend([fault] * 9)
    assert failure_of(server, lambda archive: archive.captures(PAGE, BEFORE)).kind == kind
    assert len(server.requests) <= 4


@pytest.mark.parametrize("retry_after", [None, "5", "Fri, 01 Jan 2021 00:00:00 GMT"])
def test_after_a_429_it_waits_a_minute_whatever_is_asked(retry_after: str | None) -> None:
    server, waits = WaybackServer([stored("20260101000000")]), Waits()
    server.index_faults.append(too_many(retry_after))
    assert len(asking(server, lambda archive: archive.captures(PAGE, BEFORE), waits)) == 1
    assert waits.waits[0] >= 60


def test_many_questions_at_once_keep_the_pace() -> None:
    server, waits = WaybackServer([stored("20260101000000")]), Waits()

    async def ask(archive: Wayback) -> int:
        found: list[Capture] = []

        async def one() -> None:
            found.extend(await archive.captures(PAGE, BEFORE))

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(one)
        return len(found)

    assert asking(server, ask, waits) == 8
    assert waits.now == pytest.approx(7 * 2.5)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "news.example/a",
        "ftp://news.example/a",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://",
        "https://user:key@news.example/",
        "https://news.example:port/",
        "https://[::1/",
        "https://exa mple/",
        "https://news.example/" + "a" * 5000,
        "https://\udcff.example/",
    ],
)
def test_what_is_no_address_of_the_web_is_not_asked_for(url: str) -> None:
    server = WaybackServer()
    assert captures(server, url) == []
    assert server.requests == []


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        (" https://News.Example ", "https://news.example/"),
        ("HTTPS://news.example:443/A", "https://news.example/A"),
        ("http://news.example:8080/a#part", "http://news.example:8080/a"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://bücher.example/ä b?q=ü", "https://xn--bcher-kva.example/%C3%A4%20b?q=%C3%BC"),
        ("https://news.example/100%", "https://news.example/100%25"),
        ("https://news.example/%C3%A4", "https://news.example/%C3%A4"),
        ("https://news.example/a/../../b/./c/..", "https://news.example/b/"),
        ("https://news.example/%2e%2E/a", "https://news.example/a"),
        ("https:/news.example/a\n", "https://news.example/a"),
    ],
)
def test_odd_addresses_are_asked_for_as_a_browser_would(url: str, asked: str) -> None:
    server = WaybackServer()
    captures(server, url)
    assert dict(parse_qsl(urlsplit(server.requests[0]).query))["url"] == asked


# The replay


def test_the_client_that_is_used_in_earnest() -> None:
    async def ask() -> Replayed | None:
        archive = wayback(ADDRESS[0])
        return await archive.replay((await archive.captures(PAGE, BEFORE))[0], BEFORE)

    SWITCH.app = WaybackServer([stored("20260130000000")]).app
    assert anyio.run(ask) is not None


def test_the_raw_copy() -> None:
    server = WaybackServer([stored("20260130000000", content_type="text/html; charset=utf-8")])
    got = replay(server, "20260130000000")
    assert got is not None
    assert (got.body, got.content_type) == (b"as of 20260130000000", "text/html; charset=utf-8")
    assert got.timestamp == datetime(2026, 1, 30, tzinfo=UTC)
    assert urlsplit(got.version).path.startswith("/web/20260130000000id_/https://news.example/a")
    assert server.requests == [f"/web/20260130000000id_/{PAGE}"]


def test_a_packed_copy_is_unpacked() -> None:
    got = replay(WaybackServer([stored("20260130000000", packed=True)]), "20260130000000")
    assert got is not None and got.body == b"as of 20260130000000"


def test_a_redirect_to_an_earlier_copy_is_followed_and_its_own_time_counts() -> None:
    nearest_is_later = WaybackServer([stored("20251224000000"), stored("20260215000000")])
    assert replay(nearest_is_later, "20260130000000") is None
    got = replay(WaybackServer([stored("20251224000000")]), "20260130000000")
    assert got is not None
    assert (got.timestamp, got.body) == (datetime(2025, 12, 24, tzinfo=UTC), b"as of 20251224000000")
    assert "/web/20251224000000id_/" in got.version


def test_a_redirect_of_the_site_itself_is_followed_within_the_host() -> None:
    server = WaybackServer(
        [
            stored("20260130000000", status=301, location="https://www.news.example/b"),
            stored("20260130000001", "the page", url="https://www.news.example/b"),
        ]
    )
    got = replay(server, "20260130000000")
    assert got is not None and got.body == b"the page"
    assert "20260130000001id_/https://www.news.example/b" in got.version


@pytest.mark.parametrize(
    "target",
    [
        f"/web/20260131120000id_/{PAGE}",
        f"/web/20260315000000id_/{PAGE}",
        f"/web/20260129000000/{PAGE}",
        f"/web/20260129000000if_/{PAGE}",
        f"/web/202601id_/{PAGE}",
        f"/web/20261399000000id_/{PAGE}",
        "/web/20260129000000id_/https://other.example/a",
        "/web/20260129000000id_/https://news.example.evil.example/a",
        "/web/20260129000000id_/https://news.example@evil.example/a",
        "/web/20260129000000id_/ftp://news.example/a",
        f"/save/{PAGE}",
        "/web/20260129000000id_/../../../etc",
        f"https://other.example/web/20260129000000id_/{PAGE}",
        f"http://169.254.169.254/web/20260129000000id_/{PAGE}",
        f"//other.example/web/20260129000000id_/{PAGE}",
        "",
        f"/web/20260130000000id_/{PAGE}",
        "mailto:someone@news.example",
        "javascript:void(0)",
        "http://xn--a.example/",
        "http://\u00fc..example/",
        "http://[::1/",
        "http://news.example:port/",
    ],
)
def test_a_redirect_to_anything_else_is_not_followed(target: str) -> None:
    headers = {"memento-datetime": "Thu, 29 Jan 2026 00:00:00 GMT"}
    server = WaybackServer([stored("20260130000000", replay_to=target), stored("20260129000000", headers=headers)])
    assert replay(server, "20260130000000") is None
    assert len(server.requests) == 1


def test_a_refusal_by_the_archive_itself_is_a_failure_and_no_missing_copy() -> None:
    server = WaybackServer([stored("20260130000000")])
    server.replay_faults.extend([Fault(403, b"Access denied: too many requests")] * 9)
    capture = Capture(PAGE, datetime(2026, 1, 30, tzinfo=UTC), "text/html", "D")
    assert failure_of(server, lambda archive: archive.replay(capture, BEFORE)).kind == "auth"
    of_the_site = WaybackServer([stored("20260130000000", status=403)])
    assert replay(of_the_site, "20260130000000") is None


@pytest.mark.parametrize("stated", ["Fri, 31 Dec 9999 23:59:59 -1400", "Mon, 01 Jan 0001 00:00:00 +1400", "soon"])
def test_a_time_of_capture_that_cannot_be_is_no_copy(stated: str) -> None:
    server = WaybackServer([stored("20260130000000", headers={"memento-datetime": stated})])
    assert replay(server, "20260130000000") is None


def test_redirects_end_somewhere() -> None:
    chain = [stored(f"2026012{day}000000", replay_to=f"/web/2026012{day - 1}000000id_/{PAGE}") for day in range(2, 9)]
    server = WaybackServer([*chain, stored("20260121000000")])
    assert replay(server, "20260128000000") is None
    assert len(server.requests) == 4
    assert replay(server, "20260124000000") is not None

    loop = WaybackServer(
        [
            stored("20260101000000", replay_to=f"/web/20260102000000id_/{PAGE}"),
            stored("20260102000000", replay_to=f"/web/20260101000000id_/{PAGE}"),
        ]
    )
    assert replay(loop, "20260101000000") is None
    assert len(loop.requests) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"memento-datetime": "Sun, 15 Mar 2026 00:00:00 GMT"},
        {"memento-datetime": "Thu, 29 Jan 2026 00:00:00 GMT"},
        {"memento-datetime": "yesterday"},
        {"link": '<https://other.example/a>; rel="original"'},
        {"link": '</web/timemap/x>; rel="timemap", <https://other.example/a>;rel=original'},
        {"link": '<nothing>; rel="first original"'},
    ],
)
def test_a_copy_whose_headers_disagree_is_not_believed(headers: dict[str, str]) -> None:
    assert replay(WaybackServer([stored("20260130000000", headers=headers)]), "20260130000000") is None


@pytest.mark.parametrize("headers", [{"link": ""}, {"link": '<https://www.news.example/a>; rel="original"'}])
def test_a_copy_of_the_same_host_is_believed(headers: dict[str, str]) -> None:
    assert replay(WaybackServer([stored("20260130000000", headers=headers)]), "20260130000000") is not None


def test_a_page_of_the_archive_itself_is_no_copy() -> None:
    server = WaybackServer([stored("20260130000000", "We will be back soon", headers={"memento-datetime": ""})])
    capture = Capture(PAGE, datetime(2026, 1, 30, tzinfo=UTC), "text/html", "D")
    assert failure_of(server, lambda archive: archive.replay(capture, BEFORE)).kind == "bad_answer"


def test_an_excluded_or_missing_copy_is_none() -> None:
    assert replay(WaybackServer([stored("20260130000000")], excluded=["news.example"]), "20260130000000") is None
    assert replay(WaybackServer(), "20260130000000") is None
    server = WaybackServer()
    server.replay_faults.append(Fault(200, b"", {"x-archive-wayback-runtime-error": EXCLUDED.strip()}))
    assert replay(server, "20260130000000") is None


@pytest.mark.parametrize(
    "capture",
    [
        stored("20260130000000", "x" * 5_000_001),
        stored("20260130000000", headers={"content-encoding": "br"}),
        stored("20260130000000", headers={"content-encoding": "gzip"}),
    ],
)
def test_a_copy_that_cannot_be_read_is_none(capture: StoredCapture) -> None:
    assert replay(WaybackServer([capture]), "20260130000000") is None


@pytest.mark.parametrize(
    ("fault", "kind"), [(too_many("1"), "rate_limit"), (Fault(502), "outage"), (Fault(body=b"x", missing=9), "network")]
)
def test_an_archive_that_does_not_answer_is_a_failure(fault: Fault, kind: str) -> None:
    server = WaybackServer([stored("20260130000000")])
    server.replay_faults.extend([fault] * 9)
    capture = Capture(PAGE, datetime(2026, 1, 30, tzinfo=UTC), "text/html", "D")
    assert failure_of(server, lambda archive: archive.replay(capture, BEFORE)).kind == kind


def test_a_capture_from_the_cutoff_on_is_not_asked_for() -> None:
    server = WaybackServer([stored("20260131120000")])
    assert replay(server, "20260131120000") is None
    assert server.requests == []


DAYS = st.integers(min_value=1, max_value=28)


@settings(max_examples=40, deadline=None)
@given(
    stamps=st.lists(st.tuples(DAYS, st.integers(0, 23), st.booleans()), max_size=8),
    targets=st.lists(DAYS, min_size=8, max_size=8),
    cutoff=DAYS,
)
def test_nothing_from_the_cutoff_on_ever_comes_back(
    stamps: list[tuple[int, int, bool]], targets: list[int], cutoff: int
) -> None:
    copies = [
        stored(
            f"202601{day:02}{hour:02}0000",
            replay_to=f"/web/202601{target:02}{hour:02}0000id_/{PAGE}" if moved else None,
        )
        for (day, hour, moved), target in zip(stamps, targets, strict=False)
    ]
    before = datetime(2026, 1, cutoff, 12, tzinfo=UTC)

    async def ask(archive: Wayback) -> list[tuple[Capture, Replayed | None]]:
        return [(one, await archive.replay(one, before)) for one in await archive.captures(PAGE, before)]

    for capture, replayed in asking(WaybackServer(copies), ask):
        assert capture.timestamp < before
        if replayed is not None:
            assert replayed.timestamp < before
            assert replayed.body.decode() == f"as of {replayed.timestamp:%Y%m%d%H%M%S}"
