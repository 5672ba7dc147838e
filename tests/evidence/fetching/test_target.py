import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.fetching.addresses import is_public
from cruxbench_inspect.evidence.fetching.refusal import FetchRefused
from cruxbench_inspect.evidence.fetching.target import check_target
from tests.evidence.fetching.hostile_addresses import HOSTILE_URLS


@pytest.mark.parametrize(("url", "fault"), HOSTILE_URLS)
def test_a_hostile_address_is_refused_with_its_reason(url: str, fault: str) -> None:
    with pytest.raises(FetchRefused) as refused:
        check_target(url)
    assert refused.value.fault == fault


@pytest.mark.parametrize(
    ("url", "asked", "host", "port"),
    [
        ("http://news.example.com/a?b=c#d", "http://news.example.com/a?b=c", "news.example.com", 80),
        ("HTTPS://News.Example.COM", "https://news.example.com", "news.example.com", 443),
        ("https://news.example.com:443/", "https://news.example.com/", "news.example.com", 443),
        ("http://news.example.com:443/", "http://news.example.com:443/", "news.example.com", 443),
        ("https://münchen.de/ä", "https://xn--mnchen-3ya.de/%C3%A4", "xn--mnchen-3ya.de", 443),
        ("http://8.8.8.8/", "http://8.8.8.8/", "8.8.8.8", 80),
        ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/", "2606:4700::1111", 443),
        (
            "https://localhost.example.com/internal",
            "https://localhost.example.com/internal",
            "localhost.example.com",
            443,
        ),
    ],
)
def test_the_address_of_a_page_is_taken(url: str, asked: str, host: str, port: int) -> None:
    target = check_target(url)
    assert (str(target.url), target.host, target.port) == (asked, host, port)
    assert target.literal == is_public(host)


PIECES = (
    "http",
    "https",
    "://",
    "/",
    ":",
    "@",
    "%",
    "[",
    "]",
    ".",
    "127.0.0.1",
    "0x7f",
    "::1",
    "localhost",
    "a.com",
    "\\",
    "#",
    "?",
    "80",
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_any_text_is_refused_or_names_a_public_host(text: str) -> None:
    try:
        target = check_target(text)
    except FetchRefused:
        return
    assert target.url.scheme in ("http", "https") and not target.url.userinfo and target.port in (80, 443)
    assert is_public(target.host) if target.literal else target.host.rpartition(".")[2].isascii()
    assert target.host.strip("[]") == target.url.raw_host.decode().rstrip(".").strip("[]")
