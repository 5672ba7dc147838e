"""Fetching from a site that means harm, over real connections."""

import gzip
import re
import socket
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import anyio
import pytest

from cruxbench_inspect.evidence.fetching.live_fetch import MAX_HEADERS, MAX_REDIRECTS, Fetched, LiveFetch
from cruxbench_inspect.evidence.fetching.refusal import FetchFault, FetchRefused
from tests.evidence.fetching.hostile_addresses import HOSTILE_URLS, PRIVATE_ADDRESSES
from tests.loopback.hostile import HostileSite, Send, answer, endless, raw, redirect, silence, trickle

PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "2606:4700::1111"
STORY = (
    "<p>The harbour court of Alvara upheld the licence of the ferry line, and the port opened again on Monday.</p>" * 4
)
PAGE = f"<html><head><title>A ruling</title></head><body><h1>A ruling</h1>{STORY}</body></html>".encode()
URL = "http://news.alvara.com/page"
TINY = 0.3
"""Seconds."""


class Names:
    """Answers for each name in turn, the last one over and over; any other name is at ``PUBLIC``."""

    def __init__(self, **answers: Sequence[Sequence[str]]) -> None:
        self._answers = {name.replace("_", "."): list(given) for name, given in answers.items()}
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append((host, port))
        answers = self._answers.get(host, [[PUBLIC]])
        return list(answers.pop(0) if len(answers) > 1 else answers[0])


@pytest.fixture(scope="module")
def running() -> Iterator[HostileSite]:
    with HostileSite().running() as site:
        yield site


@pytest.fixture
def site(running: HostileSite) -> HostileSite:
    running.answers.clear()
    running.requests.clear()
    running.dialled.clear()
    running.answers["/page"] = answer(PAGE)
    return running


def fetch(site: HostileSite, url: str = URL, names: Names | None = None, **limits: Any) -> Fetched:
    live = LiveFetch(transport=site.transport(), resolve=names or Names(), **limits)
    fetched: Fetched = anyio.run(live.fetch, url)
    return fetched


def fault(site: HostileSite, url: str = URL, names: Names | None = None, **limits: Any) -> FetchFault:
    with pytest.raises(FetchRefused) as refused:
        fetch(site, url, names, **limits)
    assert 0 < len(str(refused.value)) <= 400
    return refused.value.fault


def fault_of(site: HostileSite, send: Send, **limits: Any) -> FetchFault:
    """The fault of a site that answers so."""
    site.answers["/page"] = send
    return fault(site, **limits)


def head(*lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", "content-type: text/html", *lines, "", ""]).encode()


def test_a_page_is_fetched_from_the_address_that_was_checked(site: HostileSite) -> None:
    fetched = fetch(site, "http://News.Alvara.com:80/page#part")
    assert fetched == Fetched("http://news.alvara.com/page", PAGE, "text/html")
    assert site.dialled == [(PUBLIC, 80)]
    assert "\r\nhost: news.alvara.com\r\n" in site.requests[0].lower()


def test_a_public_address_in_the_place_of_a_name_is_asked_without_a_resolver(site: HostileSite) -> None:
    names = Names()
    assert fetch(site, f"http://{PUBLIC}/page", names).body == PAGE
    assert fetch(site, f"http://[{OTHER_PUBLIC}]/page", names).body == PAGE
    assert site.dialled == [(PUBLIC, 80), (OTHER_PUBLIC, 80)]
    assert not names.asked


def test_hostile_addresses_reach_neither_resolver_nor_network(site: HostileSite) -> None:
    names = Names()
    for url, expected in HOSTILE_URLS:
        assert fault(site, url, names) == expected, url
    assert not names.asked
    assert not site.dialled


def test_redirects_to_hostile_addresses_are_refused_after_one_request(site: HostileSite) -> None:
    for url, expected in HOSTILE_URLS:
        # A relative address, and what a header cannot hold or becomes something else in it, is no such redirect.
        if ":" not in url or not url.isascii() or any(mark in url for mark in "\r\\ ") or re.search("//[/@]", url):
            continue
        site.dialled.clear()
        assert fault_of(site, redirect(url)) == expected, url
        assert site.dialled == [(PUBLIC, 80)], url


def test_names_at_private_addresses_are_refused_wherever_the_private_one_stands(site: HostileSite) -> None:
    for address in PRIVATE_ADDRESSES:
        for addresses in ([address], [PUBLIC, address], [address, PUBLIC], [OTHER_PUBLIC, PUBLIC, address]):
            assert fault(site, names=Names(news_alvara_com=[addresses])) == "private_address", addresses
    assert not site.dialled


@pytest.mark.parametrize("address", ["fe80::1%eth0", "2606:4700::1%eth0", "not-an-address", "", "127.1", "0x7f000001"])
def test_what_a_resolver_says_is_not_trusted_to_be_an_address(site: HostileSite, address: str) -> None:
    assert fault(site, names=Names(news_alvara_com=[[address]])) == "private_address"
    assert not site.dialled


def test_a_name_that_changes_its_address_is_asked_where_it_was_checked(site: HostileSite) -> None:
    names = Names(news_alvara_com=[[PUBLIC], ["127.0.0.1"]])
    assert fetch(site, names=names).body == PAGE
    assert site.dialled == [(PUBLIC, 80)]
    assert names.asked == [("news.alvara.com", 80)]
    # A redirect to the same name starts anew, and finds it out.
    site.answers["/page"] = redirect("/page")
    assert fault(site, names=Names(news_alvara_com=[[PUBLIC], ["127.0.0.1"]])) == "private_address"
    assert site.dialled == [(PUBLIC, 80)] * 2


def test_a_redirect_to_a_name_at_a_private_address_is_refused(site: HostileSite) -> None:
    names = Names(inside_alvara_com=[["10.0.0.1"]])
    assert fault_of(site, redirect("https://inside.alvara.com/"), names=names) == "private_address"
    assert names.asked == [("news.alvara.com", 80), ("inside.alvara.com", 443)]
    assert site.dialled == [(PUBLIC, 80)]


def test_names_that_do_not_resolve(site: HostileSite) -> None:
    async def fails(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    async def knows_nothing(host: str, port: int) -> list[str]:
        return []

    async def hangs(host: str, port: int) -> list[str]:
        await anyio.sleep_forever()
        raise AssertionError

    for resolve, expected in ((fails, "unresolvable"), (knows_nothing, "unresolvable"), (hangs, "too_slow")):
        with pytest.raises(FetchRefused) as refused:
            anyio.run(LiveFetch(transport=site.transport(), resolve=resolve, seconds=TINY).fetch, URL)
        assert refused.value.fault == expected
    assert not site.dialled


def test_redirects_end(site: HostileSite) -> None:
    for left in range(1, MAX_REDIRECTS + 2):
        site.answers[f"/chain/{left}"] = redirect(f"/chain/{left - 1}", (301, 303, 307, 308)[left % 4])
    site.answers["/chain/0"] = answer(PAGE)
    assert fetch(site, f"http://news.alvara.com/chain/{MAX_REDIRECTS}").url == "http://news.alvara.com/chain/0"
    assert fault(site, f"http://news.alvara.com/chain/{MAX_REDIRECTS + 1}") == "too_many_redirects"
    for loop in ("/page", "", "?", "#part", URL, "//news.alvara.com/page"):
        site.requests.clear()
        assert fault_of(site, redirect(loop)) == "too_many_redirects"
        assert len(site.requests) == MAX_REDIRECTS + 1
    assert fault_of(site, answer(status=302)) == "too_many_redirects"


@pytest.mark.parametrize(
    "location", ["http://[", "http://news.alvara.com:port/", "http://\xff\xfe/", "\\\\127.0.0.1\\"]
)
def test_a_redirect_to_no_address(site: HostileSite, location: str) -> None:
    assert fault_of(site, raw(b"HTTP/1.1 302 X\r\nlocation: " + location.encode("latin-1") + b"\r\n\r\n")) in (
        "bad_address",
        "local_name",
    )
    assert site.dialled == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "status", [201, 204, 206, 300, 304, 305, 400, 401, 403, 404, 407, 418, 429, 451, 500, 503, 599]
)
def test_only_a_whole_page_is_taken(site: HostileSite, status: int) -> None:
    site.answers["/page"] = answer(PAGE if status not in (204, 304) else b"", status=status, location="/other")
    assert fault(site) == "status"


@pytest.mark.parametrize(
    "kind",
    [
        "application/pdf",
        "application/json",
        "image/png",
        "image/svg+xml",
        "text/xml",
        "text/html-sandboxed",
        "text/javascript",
        "multipart/x-mixed-replace",
        "text/html, application/pdf",
        "text",
        "*/*",
        "",
        None,
    ],
)
def test_other_types_are_refused_unread(site: HostileSite, kind: str | None) -> None:
    if kind is None:
        send = answer(PAGE, kind=None)
    else:
        send = endless(f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n\r\n".encode(), b"x" * 1000)
    assert fault_of(site, send) == "wrong_type"


def test_types_that_are_read(site: HostileSite) -> None:
    for kind in ("text/html", "TEXT/HTML; charset=shift_jis", "application/xhtml+xml", "text/plain;charset=utf-8"):
        site.answers["/page"] = answer(PAGE, kind=kind)
        assert fetch(site).content_type == kind


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate", "GZIP", "identity", "identity, gzip"])
def test_packed_pages_are_unpacked(site: HostileSite, encoding: str) -> None:
    last = encoding.lower().split(", ")[-1]
    packed = {"deflate": zlib.compress(PAGE), "identity": PAGE}.get(last, gzip.compress(PAGE, mtime=0))
    site.answers["/page"] = answer(packed, content_encoding=encoding)
    assert fetch(site).body == PAGE
    assert "\r\naccept-encoding: gzip, deflate\r\n" in site.requests[0].lower()


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, gzip", "deflate, gzip", "rot13", "gzip;q=1"])
def test_other_packings_are_refused(site: HostileSite, encoding: str) -> None:
    assert fault_of(site, answer(gzip.compress(gzip.compress(PAGE), mtime=0), content_encoding=encoding)) == "encoding"


def test_packings_that_are_none_or_end_too_early(site: HostileSite) -> None:
    for body in (PAGE, gzip.compress(PAGE, mtime=0)[:-40], gzip.compress(PAGE, mtime=0)[:5], b"\x1f\x8b" + b"x" * 100):
        assert fault_of(site, answer(body, content_encoding="gzip")) == "encoding"


@pytest.mark.parametrize(("encoding", "window"), [("gzip", 31), ("deflate", 15), ("deflate", -15)])
def test_a_small_body_that_unpacks_to_a_gigabyte(site: HostileSite, encoding: str, window: int) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    zeros = bytes(10_000_000)
    # All but the first ten megabytes are never unpacked, so the same packed piece can stand for the others.
    begun = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    bomb = begun + piece * 99
    assert len(bomb) < 2_000_000
    assert fault_of(site, answer(bomb, content_encoding=encoding)) == "too_large"


def test_a_body_without_end(site: HostileSite) -> None:
    for lines in ((), ("content-length: 99999999999",)):
        assert fault_of(site, endless(head(*lines), b"<p>more</p>" * 5000)) == "too_large"
    chunk = b"2710\r\n" + b"x" * 10_000 + b"\r\n"
    assert fault_of(site, endless(head("transfer-encoding: chunked"), chunk)) == "too_large"


def test_the_bound_is_exact(site: HostileSite) -> None:
    assert fetch(site, max_bytes=len(PAGE)).body == PAGE
    assert fault(site, max_bytes=len(PAGE) - 1) == "too_large"
    site.answers["/page"] = answer(gzip.compress(b"x" * 10_000, mtime=0), content_encoding="gzip")
    assert len(fetch(site, max_bytes=10_000).body) == 10_000
    assert fault(site, max_bytes=9_999) == "too_large"


def test_headers_without_end_or_too_large(site: HostileSite) -> None:
    start = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
    assert fault_of(site, endless(start, b"x-more: more\r\n" * 1000)) == "headers_too_large"
    assert fault_of(site, endless(start + b"x-huge: ", b"h" * 1000)) == "headers_too_large"
    assert fault_of(site, answer(PAGE, x_huge="h" * MAX_HEADERS)) == "headers_too_large"
    assert fault_of(site, answer(PAGE, x_huge="h" * 500_000)) == "headers_too_large"
    assert (
        fault_of(site, raw(head(*(f"x-{number}: {'h' * 30}" for number in range(1000))) + PAGE)) == "headers_too_large"
    )
    assert fault_of(site, redirect("/page", x_huge="h" * MAX_HEADERS)) == "headers_too_large"
    site.answers["/page"] = answer(PAGE, x_large="h" * (MAX_HEADERS - 200))
    assert fetch(site).body == PAGE


@pytest.mark.parametrize(
    "send",
    [
        silence,
        trickle(b"", b"H"),
        trickle(b"HTTP/1.1 200 OK\r\n", b"x-drip: 1\r\n"),
        trickle(b"", b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
        trickle(head(), b"<"),
        trickle(head("content-length: 1000000"), b"<"),
        trickle(head("transfer-encoding: chunked"), b"1\r\n<\r\n"),
        trickle(head("content-encoding: gzip"), b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
    ],
    ids=["silence", "status", "headers", "hints", "body", "length", "chunks", "packed"],
)
def test_a_site_that_takes_its_time(site: HostileSite, send: Send) -> None:
    assert fault_of(site, send, seconds=TINY) in ("too_slow", "unreachable", "encoding", "headers_too_large")


def test_the_time_counts_for_all_redirects_together(site: HostileSite) -> None:
    def slow(location: str) -> Send:
        def send(connection: socket.socket) -> None:
            connection.settimeout(0.2)
            try:
                connection.recv(1)
            except TimeoutError:
                redirect(location)(connection)

        return send

    site.answers |= {"/a": slow("/b"), "/b": slow("/c"), "/c": slow("/page")}
    assert fault(site, "http://news.alvara.com/a", seconds=0.5) == "too_slow"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"<html>" + PAGE,
        b"HTTP/99 200 OK\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-type text/html\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx-nul: \0\r\n\r\n",
        head("content-length: 3", "content-length: 9") + b"hello",
        head("content-length: -1") + PAGE,
        head("content-length: " + "9" * 30) + PAGE,
        head("content-length: 99999") + PAGE,
        head("transfer-encoding: chunked") + b"ffff\r\n<html>",
        head("transfer-encoding: chunked") + b"zz\r\n<html>",
        head("transfer-encoding: chunked") + b"-1\r\n<html>",
        head("transfer-encoding: gzip") + PAGE,
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n",
    ],
)
def test_answers_that_are_no_http_or_break_off(site: HostileSite, data: bytes) -> None:
    assert fault_of(site, raw(data)) == "unreachable"


def test_chunks_and_trailers_without_end(site: HostileSite) -> None:
    chunked = head("transfer-encoding: chunked")
    for send in (endless(chunked, b"0" * 1000), endless(chunked + b"1;", b"e" * 1000)):
        assert fault_of(site, send) in ("headers_too_large", "unreachable")
    assert fault_of(site, endless(chunked + b"1\r\n<\r\n0\r\n", b"x-trailer: more\r\n" * 100)) in (
        "headers_too_large",
        "unreachable",
    )


def test_nobody_answers() -> None:
    with HostileSite().running() as gone:
        transport = gone.transport()
    with pytest.raises(FetchRefused) as refused:
        anyio.run(LiveFetch(transport=transport, resolve=Names()).fetch, URL)
    assert refused.value.fault == "unreachable"


def test_requests_carry_nothing_of_ours(site: HostileSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://user:secret@proxy.alvara.com:3128")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine news.alvara.com login user password secret\ndefault login user password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    site.answers["/set"] = redirect("/demand", set_cookie="session=secret; Path=/")
    site.answers["/demand"] = redirect("http://other.alvara.com/page", 307, set_cookie="session=secret; Path=/")
    names = Names(other_alvara_com=[[OTHER_PUBLIC]])
    assert fetch(site, "http://news.alvara.com/set", names).url == "http://other.alvara.com/page"
    fetch(site)  # nothing is left of the first
    assert site.dialled == [(PUBLIC, 80), (PUBLIC, 80), (OTHER_PUBLIC, 80), (PUBLIC, 80)]
    assert len(site.requests) == 4
    for request in site.requests:
        names_sent = {line.partition(":")[0].lower() for line in request.split("\r\n")[1:] if line}
        assert names_sent == {"host", "user-agent", "accept", "accept-encoding", "connection"}
        assert "secret" not in request
        assert request.startswith("GET /")
