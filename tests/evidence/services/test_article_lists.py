import gzip
import json
import re
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import Pace, ServiceClient
from cruxbench_inspect.evidence.services.article_lists import (
    MAX_UNPACKED,
    ArticleList,
    ArticleLists,
    article_lists,
    minutes,
)
from cruxbench_inspect.evidence.source import SourceFailure
from tests.loopback.faults import Fault, too_many
from tests.loopback.gdelt import GdeltServer, packed_list
from tests.loopback.server import serve
from tests.loopback.switch import Switch

MINUTE = datetime(2025, 10, 26, 12, 15, tzinfo=UTC)
DIGITS = "20251026121500"

SWITCH = Switch()
ADDRESS: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def one_server() -> Iterator[None]:
    with serve(SWITCH) as base_url:
        ADDRESS[:] = [base_url]
        yield


async def no_wait(_: float) -> None:
    """Wait for nothing."""


def row(**more: Any) -> dict[str, Any]:
    return {
        "date": "2025-10-26T12:03:00Z",
        "url": "https://www.lemonde.example/louvre",
        "domain": "lemonde.example",
        "outletName": "Le Monde",
        "title": "Louvre heist: suspects arrested",
        "desc": "Two men were held near Paris.",
        "lang": "en",
        "image": "https://www.lemonde.example/a.jpg",
        **more,
    }


def read(
    server: GdeltServer,
    minute: datetime = MINUTE,
    languages: Collection[str] = ("en",),
    matching: re.Pattern[str] | None = None,
) -> ArticleList | None:
    """What the real client reads."""
    SWITCH.app = server.app
    lists = ArticleLists(ServiceClient("gdelt-lists", ADDRESS[0], pace=Pace(connections=4), sleep=no_wait))
    return anyio.run(lists.read, minute, languages, matching)


def read_rows(*rows: Any, **more: Any) -> ArticleList:
    found = read(GdeltServer(lists={DIGITS: packed_list(rows)}), **more)
    assert found is not None
    return found


def read_file(content: bytes) -> ArticleList:
    found = read(GdeltServer(lists={DIGITS: content}))
    assert found is not None
    return found


def failure_of(server: GdeltServer) -> SourceFailure:
    with pytest.raises(SourceFailure) as caught:
        read(server)
    return caught.value


def test_an_article_is_a_document_with_the_date_of_the_list_and_the_time_by_which_it_was_seen() -> None:
    address = f"{ADDRESS[0]}/gdeltv3/gal/{DIGITS}.gal.json.gz"
    expected = Document.model_validate(
        {
            "url": "https://www.lemonde.example/louvre",
            "title": "Louvre heist: suspects arrested",
            "source": "Le Monde",
            "published": "2025-10-26T12:03:00Z",
            "captured": "2025-10-26T12:16:00Z",
            "text": "Two men were held near Paris.",
            "proof": "B",
            "version": address,
            "excerpt": True,
        }
    )
    assert read_rows(row()) == ArticleList(address, (expected,), 0)


def test_the_address_is_that_of_the_minute_in_utc() -> None:
    lists = article_lists("https://data.gdeltproject.org/")
    address = "https://data.gdeltproject.org/gdeltv3/gal/20251026121500.gal.json.gz"
    assert lists.address(MINUTE) == address
    assert lists.address(MINUTE.astimezone(timezone(timedelta(hours=5, minutes=30)))) == address


def test_a_minute_without_a_list() -> None:
    server = GdeltServer(lists={DIGITS: packed_list([row()])})
    assert read(server, MINUTE + timedelta(minutes=1)) is None
    assert server.requests == [{"list": "20251026121600"}]


def test_an_empty_list_is_a_list() -> None:
    assert (read_rows().documents, read_rows().skipped) == ((), 0)


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ("2025-10-26T12:03:00Z", None),
        ("2001-01-01T00:00:00Z", None),
        ("2031-01-01T00:00:00Z", "published_after_cutoff"),
        ("2025-10-26", "date_only_not_provably_before"),
        ("2025-10-26T12:03:00", "date_only_not_provably_before"),
    ],
)
def test_the_stated_date_never_makes_an_article_older_than_the_list(stated: str, reason: str | None) -> None:
    (document,) = read_rows(row(date=stated)).documents
    assert rejection(document, MINUTE + timedelta(minutes=1, seconds=1)) == reason
    at_the_bound = rejection(document, MINUTE + timedelta(minutes=1))
    assert at_the_bound is not None
    assert rejection(document, MINUTE) is not None


@pytest.mark.parametrize(
    ("languages", "kept"),
    [
        (("en",), ["en", "EN"]),
        (("EN", "fr"), ["en", "EN", "fr"]),
        ((), ["en", "EN", "fr", "zh-Hant", "", None]),
        (("zh-hant",), ["zh-Hant"]),
    ],
)
def test_languages(languages: Collection[str], kept: list[str | None]) -> None:
    codes = ["en", "EN", "fr", "zh-Hant", "", None]
    found = read_rows(*(row(lang=code, title=repr(code)) for code in codes), languages=languages)
    assert [document.title for document in found.documents] == [repr(code) for code in kept]
    assert found.skipped == 0


def test_a_pattern_looks_at_title_and_description() -> None:
    rows = [row(title="The Louvre", desc=""), row(title="", desc="near the louvre"), row(title="Paris", desc="")]
    found = read_rows(*rows, matching=re.compile("louvre", re.IGNORECASE))
    assert [document.title for document in found.documents] == ["The Louvre", ""]


@pytest.mark.parametrize("value", [None, 7, [], {}])
def test_fields_that_may_be_missing(value: object) -> None:
    (document,) = read_rows(row(title=value, desc=value, outletName=value, image=value, author=value)).documents
    assert (document.title, document.text, document.source) == ("", "", "lemonde.example")
    (document,) = read_rows(row(outletName=value, domain=value)).documents
    assert document.source == "www.lemonde.example"
    bare = {"date": "2025-10-26T12:03:00Z", "url": "https://a.example/", "lang": "en"}
    assert len(read_rows(bare).documents) == 1


ODD_LINES = [
    b"{",
    b"null",
    b"[]",
    b"7",
    b"<html>",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b"9" * 10_000,
    *(
        json.dumps(row(**{name: value})).encode()
        for name, value in [
            ("url", None),
            ("url", ""),
            ("url", "javascript:alert(1)"),
            ("url", "https://[::1/"),
            ("date", None),
            ("date", ""),
            ("date", "yesterday"),
            ("date", 1761480180),
            ("date", "2025-13-26T12:03:00Z"),
            ("date", "0001-01-01T00:00:00+14:00"),
        ]
    ),
]


@pytest.mark.parametrize("line", ODD_LINES, ids=range(len(ODD_LINES)))
def test_an_odd_line_is_counted_and_the_others_are_read(line: bytes) -> None:
    good = json.dumps(row()).encode()
    found = read_file(gzip.compress(b"\n".join([good, line, b"", b" \t", good]), mtime=0))
    assert (len(found.documents), found.skipped) == (2, 1)


def test_lines_with_small_faults_are_read() -> None:
    line = json.dumps(row(desc="@")).encode()
    faults = [b"a\tb", b"a\rb", b"a\x01b", b"caf\xc3", "a\u2028b\u0085c".encode(), b"\\u0000 \\ud800"]
    content = b"\xef\xbb\xbf" + b"\r\n".join(line.replace(b"@", fault) for fault in faults)
    found = read_file(gzip.compress(content, mtime=0))
    assert [document.text for document in found.documents] == ["a\tb", "a\nb", "ab", "caf\ufffd", "a\nb\nc", " "]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>\n<p>Be right back</p>\n</html>",
        b"\x1f\x8b",
        b"\x1f\x8b is not gzip",
        packed_list([row()])[:-1],
        packed_list([row()])[:40],
        gzip.compress(b"not\njson\n", mtime=0),
        gzip.compress(b"<html>", mtime=0),
    ],
)
def test_a_list_that_cannot_be_read_is_a_failure(content: bytes) -> None:
    failure = failure_of(GdeltServer(lists={DIGITS: content}))
    assert (failure.source, failure.kind) == ("gdelt-lists", "bad_answer")
    assert DIGITS in failure.detail


def test_a_list_that_unpacks_to_too_much_is_a_failure() -> None:
    bomb = gzip.compress(b" " * (MAX_UNPACKED + 1), mtime=0)
    failure = failure_of(GdeltServer(lists={DIGITS: bomb}))
    assert (failure.kind, "unpacks to more than" in failure.detail) == ("bad_answer", True)


def test_a_list_may_come_unpacked_or_in_parts() -> None:
    assert len(read_file(gzip.decompress(packed_list([row(), row()]))).documents) == 2
    assert len(read_file(packed_list([row()]) + packed_list([row()])).documents) == 2
    header = {"content-encoding": "gzip"}
    for body in (packed_list([row()]), gzip.compress(packed_list([row()]), mtime=0)):
        found = read(GdeltServer(faults=[Fault(body=body, headers=header)]))
        assert found is not None
        assert len(found.documents) == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (too_many("1"), "rate_limit"),
        (Fault(503), "outage"),
        (Fault(403), "auth"),
        (Fault(body=packed_list([row()]), missing=5), "network"),
    ],
)
def test_a_service_that_does_not_answer_is_a_failure(fault: Fault, kind: str) -> None:
    assert failure_of(GdeltServer(faults=[fault] * 4)).kind == kind


def test_it_asks_again() -> None:
    server = GdeltServer(lists={DIGITS: packed_list([row()])}, faults=[too_many(), Fault(500)])
    assert read(server) is not None
    assert len(server.requests) == 3


@settings(max_examples=30, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from([*row(), "x"]), st.none() | st.integers() | st.text()), max_size=5))
def test_every_line_is_a_document_or_counted(rows: list[dict[str, Any]]) -> None:
    found = read_rows(row(), *rows, languages=())
    assert len(found.documents) + found.skipped == 1 + len(rows)


def test_lists_are_read_at_the_same_time() -> None:
    SWITCH.app = GdeltServer(lists={f"2025102612{n:02}00": packed_list([row(title=f"{n}")]) for n in range(20)}).app
    lists = article_lists(ADDRESS[0])
    read: dict[int, str] = {}

    async def take(number: int) -> None:
        found = await lists.read(MINUTE.replace(minute=number))
        assert found is not None
        read[number] = found.documents[0].title

    async def run() -> None:
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(take, number)

    anyio.run(run)
    assert read == {number: str(number) for number in range(20)}


def test_minutes_are_the_first_ones_after_each_quarter_of_an_hour() -> None:
    found = list(minutes(date(2025, 10, 26), date(2025, 10, 26)))
    assert found[0] == datetime(2025, 10, 26, tzinfo=UTC)
    assert found[7:9] == [datetime(2025, 10, 26, 0, 7, tzinfo=UTC), datetime(2025, 10, 26, 0, 15, tzinfo=UTC)]
    assert found[-1] == datetime(2025, 10, 26, 23, 52, tzinfo=UTC)
    assert len(found) == 24 * 4 * 8


def test_every_minute_where_asked_and_the_last_day_included() -> None:
    found = list(minutes(date(2025, 12, 31), date(2026, 1, 1), every=True))
    assert len(set(found)) == 2 * 24 * 60
    assert (found[0], found[-1]) == (
        datetime(2025, 12, 31, tzinfo=UTC),
        datetime(2026, 1, 1, 23, 59, tzinfo=UTC),
    )
    assert list(minutes(date(2026, 1, 1), date(2025, 12, 31))) == []
