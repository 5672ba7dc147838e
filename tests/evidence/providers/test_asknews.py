from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import anyio
import pytest
from starlette.types import ASGIApp

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.providers.asknews import (
    LONGEST_LOOKBACK,
    AskNewsAccount,
    AskNewsSource,
    asknews,
    asknews_transport,
)
from cruxbench_inspect.evidence.source import SourceFailure
from tests.evidence.providers.provider_cases import BEFORE, NOW, Waits, asknews_source, fetched, found
from tests.loopback.asknews import API_KEY, CLIENT_ID, CLIENT_SECRET, Article, AskNewsServer
from tests.loopback.faults import Fault

Serve = Callable[[ASGIApp], str]

ONE_SECOND = timedelta(seconds=1)


def article(crawled: datetime, published: datetime | None = None, **more: Any) -> Article:
    return Article(f"https://n.example/{crawled:%Y%m%d%H%M%S}", crawled, published or crawled, more)


def test_a_summary_is_an_excerpt_of_class_b(at: Serve) -> None:
    crawled = datetime(2026, 1, 20, 8, 30, tzinfo=UTC)
    published = datetime(2026, 1, 20, 9, 15, tzinfo=timezone(timedelta(hours=1)))
    source = asknews_source(at(AskNewsServer([article(crawled, published)]).app), Waits())
    (hit,) = found(source, query="another").hits
    document = hit.document
    assert document.url == "https://n.example/20260120083000"
    assert (document.title, document.source) == ("An English title", "The Example")
    assert document.text == "A summary.\n- One point.\n- Another point."
    assert (document.proof, document.excerpt, document.modified) == ("B", True, None)
    assert document.published is not None and document.published.earliest == published
    assert document.captured is not None and document.captured.latest == crawled
    assert hit.snippet == "A summary. - One point. - Another point."
    assert fetched(source, document) is document


@pytest.mark.parametrize(
    ("more", "title", "source", "text"),
    [
        ({"eng_title": ""}, "Un titre", "The Example", "A summary.\n- One point.\n- Another point."),
        ({"source_id": ""}, "An English title", "example.org", "A summary.\n- One point.\n- Another point."),
        ({"key_points": None}, "An English title", "The Example", "A summary."),
        ({"summary": "", "key_points": ["Only."]}, "An English title", "The Example", "- Only."),
        ({"summary": "", "key_points": []}, "An English title", "The Example", ""),
        (
            {"summary": "Tele\u200bgraph\u0007"},
            "An English title",
            "The Example",
            "Telegraph\n- One point.\n- Another point.",
        ),
    ],
)
def test_what_may_be_missing(at: Serve, more: dict[str, Any], title: str, source: str, text: str) -> None:
    asked = asknews_source(at(AskNewsServer([article(datetime(2026, 1, 20, tzinfo=UTC), **more)]).app), Waits())
    (hit,) = found(asked).hits
    assert (hit.document.title, hit.document.source, hit.document.text) == (title, source, text)
    assert fetched(asked, hit.document) is (hit.document if text else None)


def test_the_dates_are_bound_by_the_cutoff(at: Serve) -> None:
    server = AskNewsServer()
    assert found(asknews_source(at(server.app), Waits()), query="Louvre arrests", limit=5).hits == ()
    (request,) = server.requests
    assert int(request["end_timestamp"]) == (BEFORE - ONE_SECOND).timestamp()
    assert int(request["start_timestamp"]) == (BEFORE - timedelta(days=45)).timestamp()
    expected = {
        "query": "Louvre arrests",
        "n_articles": "5",
        "time_filter": "crawl_date",
        "historical": "True",
        "return_type": "dicts",
        "method": "kw",
        "strategy": "default",
        "podcasts": "none",
    }
    assert {name: request[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("before", "end"),
    [
        (datetime(2026, 1, 31, 12, 0, 0, 1, UTC), datetime(2026, 1, 31, 12, tzinfo=UTC)),
        (datetime.fromisoformat("2026-01-31T07:00:00-05:00"), datetime(2026, 1, 31, 11, 59, 59, tzinfo=UTC)),
        (NOW + timedelta(days=200), NOW - ONE_SECOND),
    ],
)
def test_the_end_is_before_the_cutoff_and_never_ahead(at: Serve, before: datetime, end: datetime) -> None:
    server = AskNewsServer()
    found(asknews_source(at(server.app), Waits()), before)
    assert int(server.requests[0]["end_timestamp"]) == end.timestamp() < before.timestamp()


def test_only_what_was_crawled_before_is_found(at: Serve) -> None:
    server = AskNewsServer([article(BEFORE - ONE_SECOND), article(BEFORE), article(BEFORE + ONE_SECOND)])
    (hit,) = found(asknews_source(at(server.app), Waits())).hits
    assert hit.document.url.endswith("20260131115959")


def test_later_articles_are_counted_and_take_nobodys_place(at: Serve) -> None:
    early = BEFORE - timedelta(days=1)
    server = AskNewsServer(
        [
            Article("https://n.example/1", early, BEFORE),
            Article("https://n.example/2", early, early, {"crawl_date": BEFORE}),
            Article("https://polymarket.com/event/3", early, early),
            Article("https://n.example/4", early, early, {"crawl_date": None}),
            Article("https://n.example/5", early, early),
        ]
    )
    outcome = found(asknews_source(at(server.app), Waits()))
    assert [hit.document.url for hit in outcome.hits] == ["https://n.example/4", "https://n.example/5"]
    assert outcome.rejected == {"published_after_cutoff": 1, "captured_after_cutoff": 1, "excluded_site": 1}


def test_a_date_without_a_zone_fails_the_sdks_validation(at: Serve) -> None:
    server = AskNewsServer([article(datetime(2026, 1, 20, tzinfo=UTC))])
    wire = server.articles[0].wire() | {"pub_date": "2026-01-20T00:00:00"}

    class Raw(Article):
        def wire(self) -> dict[str, Any]:
            return wire

    server.articles = [Raw("https://n.example/", datetime(2026, 1, 20, tzinfo=UTC), datetime(2026, 1, 20, tzinfo=UTC))]
    with pytest.raises(SourceFailure) as caught:
        found(asknews_source(at(server.app), Waits()))
    assert caught.value.kind == "bad_answer"
    assert caught.value.detail == "in its answer, as_dicts.0.pub_date has a wrong form: timezone_aware"


@pytest.mark.parametrize("code", [b"403014", b"403015", b'"403014"'])
def test_a_plan_that_is_used_up(at: Serve, code: bytes) -> None:
    server = AskNewsServer()
    server.faults.append(Fault(403, b'{"code": %s, "detail": "Monthly limit reached"}' % code))
    with pytest.raises(SourceFailure, match="HTTP 403 Monthly limit reached") as caught:
        found(asknews_source(at(server.app), Waits()))
    assert caught.value.kind == "quota"


@pytest.mark.parametrize("code", [429000, 429001])
def test_both_limits_of_rate_are_waited_for(at: Serve, code: int) -> None:
    server = AskNewsServer([article(datetime(2026, 1, 20, tzinfo=UTC))])
    server.faults.append(Fault(429, b'{"code": %d, "detail": "Slow down"}' % code))
    waits = Waits()
    assert len(found(asknews_source(at(server.app), waits, interval=12.0)).hits) == 1
    assert waits.seconds[0] >= 12


def test_calls_keep_their_distance(at: Serve) -> None:
    server = AskNewsServer()
    waits = Waits()
    source = asknews_source(at(server.app), waits, interval=12.0)

    async def four() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(source.search, "strike", BEFORE, 8)

    anyio.run(four)
    found(source)
    assert len(server.requests) == 5
    assert waits.now == 1000 + 4 * 12


def oauth_source(base_url: str, waits: Waits, secret: str = CLIENT_SECRET) -> AskNewsSource:
    account = AskNewsAccount(client_id=CLIENT_ID, client_secret=secret)
    return AskNewsSource(account, asknews_transport(account, 12.0, **waits.settings()), base_url, now=lambda: NOW)


def test_an_id_and_a_secret_get_a_token_that_costs_no_wait(at: Serve) -> None:
    server = AskNewsServer([article(datetime(2026, 1, 20, tzinfo=UTC))])
    waits = Waits()
    source = oauth_source(at(server.app), waits)
    assert len(found(source).hits) == len(found(source).hits) == 1
    assert (server.tokens, waits.now) == (2, 1012)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault(401, b'{"error": "secret/0123456789+abcdef"}'), "auth"),
        (Fault(500), "outage"),
        (Fault(200), "bad_answer"),
    ],
)
def test_a_token_that_is_refused(at: Serve, fault: Fault, kind: str) -> None:
    server = AskNewsServer()
    server.token_faults.extend([fault] * 9)
    with pytest.raises(SourceFailure) as caught:
        found(oauth_source(at(server.app), Waits()))
    assert caught.value.kind == kind
    assert CLIENT_SECRET not in str(caught.value)
    assert server.requests == []


def test_the_account_is_in_the_environment() -> None:
    assert AskNewsAccount.of_environment({"ASKNEWS_API_KEY": f" {API_KEY}\n"}).api_key == API_KEY
    both = {"ASKNEWS_CLIENT_ID": CLIENT_ID, "ASKNEWS_SECRET": CLIENT_SECRET}
    assert AskNewsAccount.of_environment(both).secrets == (CLIENT_ID, CLIENT_SECRET)
    account = AskNewsAccount.of_environment({**both, "ASKNEWS_API_KEY": API_KEY})
    assert account.secrets == (API_KEY,)
    assert repr(account) == "AskNewsAccount()"


@pytest.mark.parametrize(
    "environment", [{}, {"ASKNEWS_API_KEY": " "}, {"ASKNEWS_SECRET": "x"}, {"ASKNEWS_CLIENT_ID": "x"}]
)
def test_a_missing_key_is_one_clear_line(environment: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        asknews(environment=environment)
    assert str(caught.value) == (
        "evidence source 'asknews' needs a key: set ASKNEWS_API_KEY, or ASKNEWS_CLIENT_ID and ASKNEWS_SECRET, "
        "in the environment"
    )


def test_the_source_that_is_used_in_earnest(at: Serve) -> None:
    server = AskNewsServer([article(datetime.now(UTC) - timedelta(days=2))])
    source = asknews(at(server.app), {"ASKNEWS_API_KEY": API_KEY})
    assert len(found(source, datetime.now(UTC)).hits) == 1
    assert source.fingerprint.endswith(":sdk 0.14:kw:crawl_date:45d")
    assert asknews(environment={"ASKNEWS_API_KEY": API_KEY}).fingerprint == "asknews-1:sdk 0.14:kw:crawl_date:45d"


@pytest.mark.parametrize(("text", "interval"), [("", 12.0), ("0", 0.0), ("0.5", 0.5)])
def test_the_interval_can_be_set(text: str, interval: float) -> None:
    source = asknews(environment={"ASKNEWS_API_KEY": API_KEY, "CRUXBENCH_ASKNEWS_INTERVAL": text})
    assert source._transport.pace.interval == interval


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "fast", "1e9"])
def test_an_interval_that_is_none(text: str) -> None:
    with pytest.raises(InputError, match=f"CRUXBENCH_ASKNEWS_INTERVAL={text}: write the seconds"):
        asknews(environment={"ASKNEWS_API_KEY": API_KEY, "CRUXBENCH_ASKNEWS_INTERVAL": text})


@pytest.mark.parametrize("lookback", [timedelta(), LONGEST_LOOKBACK + ONE_SECOND])
def test_a_lookback_that_asknews_would_refuse(lookback: timedelta) -> None:
    account = AskNewsAccount(api_key=API_KEY)
    with pytest.raises(ValueError, match="is not within 0 and 150 days"):
        AskNewsSource(account, asknews_transport(account, 0.0), lookback=lookback)
