import pytest

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.excluded_sites import is_excluded
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, finish, make_document


@pytest.mark.parametrize(
    "url",
    [
        "https://polymarket.com/event/who-stole-it",
        "http://POLYMARKET.com",
        "https://polymarket.com./event",
        "https://www.polymarket.com:443/event",
        "https://gamma-api.polymarket.com/markets/640486",
        "https://user@polymarket.com/",
        "//polymarket.com/event",
        "polymarket.com/event",
        "https://ｐｏｌｙｍａｒｋｅｔ.com/event",
        "https://polymarket\u3002com/event/x",
        "https://poly\nmarket.com/event/x",
        "https://pol\tymarket.com/event/x",
        "ht\rtps://polymarket\r\n.com/event/x",
        " https://polymarket.com/event/x\x00",
        "https://cache.example/search?q=cache:polymarket.com/event/x",
        "https://cache.example/search?q=cache:abc:polymarket.com/event/x",
        "https://cache.example/see(polymarket.com/event/x)",
        "https://cache.example/?url=https%25253A%25252F%25252Fpolymarket.com%25252Fevent",
        "https://hf.co/datasets/someone/cruxbench",
        "https://polymarket.eth.limo/event/x",
        "https://www\uff61polymarket\uff0ecom/event/x",
        "https://gamma-api.polymarket%E3%80%82com/markets",
        "https://web.archive.org/web/2025/https://polymarket\u3002com/event/x",
        "https://cdn.jsdelivr.net/gh/ameliadai/cruxbench@main/data/ultimates.json",
        "https://raw.githack.com/ameliadai/cruxbench/main/data/ultimates.json",
        "https://hf-mirror.com/datasets/someone/crux-bench",
        "https://web.archive.org/web/20251101000000id_/https://polymarket.com/event/x",
        "https://web.archive.org/web/2025/polymarket.com/event/x",
        "https://web.archive.org/web/2025/https:/polymarket.com/event/x",
        "https://cache.example/?url=https%3A%2F%2Fpolymarket.com%2Fevent",
        "https://cache.example/?url=https%253A%252F%252Fpolymarket.com%252Fevent",
        "https://polymarket-com.translate.goog/event/x?_x_tr_sl=en",
        "https://kalshi.com/markets/x",
        "https://manifold.markets/x/y",
        "https://github.com/ameliadai/cruxbench/blob/main/outputs/x.json",
        "https://raw.githubusercontent.com/ameliadai/CruxBench/main/data/prices.json",
        "https://huggingface.co/datasets/someone/crux-bench",
        "https://someone.github.io/cruxbench/",
    ],
)
def test_markets_and_the_data_of_the_benchmark_are_never_evidence(url: str) -> None:
    assert is_excluded(url)
    cutoff = parse_utc("2026-02-01T00:00:00Z")
    document = make_document(url=url)
    assert rejection(document, cutoff) == "excluded_site"
    session = EvidenceSession(FakeSource([document]), cutoff)
    assert finish(session.search("words")).startswith("No documents found, 1 rejected")
    assert session.counts.rejected == {"excluded_site": 1}


@pytest.mark.parametrize(
    "url",
    [
        "https://news.example/polymarket-traders-bet-on-the-heist",
        "https://notpolymarket.com/",
        "https://polymarket.com.example.org/",
        "https://www.reuters.com/markets/kalshi-wins-in-court/",
        "https://en.wikipedia.org/wiki/Polymarket",
        "https://github.com/someone/crux-of-the-matter",
        "https://news.example/the-crux-bench-press",
        "https://manifold.example/",
        "https://[broken",
        "https://news.example/100%25-crux",
    ],
)
def test_other_pages_that_are_named_alike_are_evidence(url: str) -> None:
    assert not is_excluded(url)
