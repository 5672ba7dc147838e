"""How the three sources fail: each kind of fault that a service can have, with the real SDKs in between."""

import json
import logging
import re
import socket
from collections.abc import Callable

import anyio
import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp, Receive, Scope, Send

from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.source import FailureKind, SourceFailure
from tests.evidence.providers.provider_cases import BEFORE, PROVIDERS, Provider, Waits, found
from tests.extent import cases
from tests.loopback.faults import Fault, too_many

Serve = Callable[[ASGIApp], str]

ATTEMPTS = Pace().attempts

each_provider = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)


def failure_of(
    provider: Provider, at: Serve, fault: Fault, waits: Waits | None = None, **settings: object
) -> tuple[SourceFailure, int]:
    """The failure where a service only has this answer, and how often it was asked."""
    server = provider.server()
    server.faults.extend([fault] * 20)
    with pytest.raises(SourceFailure) as caught:
        found(provider.source(at(server.app), waits or Waits(), **settings))
    assert caught.value.source == provider.name
    return caught.value, len(server.requests)


@each_provider
def test_a_service_that_works(provider: Provider, at: Serve) -> None:
    outcome = found(provider.source(at(provider.server().app), Waits()))
    assert len(outcome.hits) == 1
    assert outcome.rejected == {}


@each_provider
@pytest.mark.parametrize(
    ("fault", "kind", "attempts"),
    [
        (Fault(401, b'{"detail": "no"}'), "auth", 1),
        (Fault(403, b'{"error": "not in your plan"}'), "auth", 1),
        (Fault(402, b""), "quota", 1),
        (Fault(400, b'{"error": "bad"}'), "bad_answer", 1),
        (Fault(404, b"<html>not here</html>"), "bad_answer", 1),
        (Fault(422, b'{"detail": [{"loc": ["query"]}]}'), "bad_answer", 1),
        (Fault(302, b"", {"location": "https://elsewhere.example/"}), "bad_answer", 1),
        (Fault(204), "bad_answer", 1),
        (too_many(), "rate_limit", ATTEMPTS),
        (Fault(408), "outage", ATTEMPTS),
        (Fault(500, b"[" * 50_000), "outage", ATTEMPTS),
        (Fault(503, b"<html>down</html>", {"retry-after": "soon"}), "outage", ATTEMPTS),
        (Fault(529), "outage", ATTEMPTS),
        (Fault(200, b'{"results": [', missing=1000), "network", ATTEMPTS),
        (Fault(200, b"\x1f\x8b\x08broken", {"content-encoding": "gzip"}), "bad_answer", ATTEMPTS),
        (Fault(200, b"x", {"content-encoding": "br"}), "bad_answer", 1),
    ],
    ids=lambda value: f"{value.status}-{len(value.body)}" if isinstance(value, Fault) else "",
)
def test_each_fault_has_its_kind(provider: Provider, at: Serve, fault: Fault, kind: FailureKind, attempts: int) -> None:
    failure, asked = failure_of(provider, at, fault)
    assert (failure.kind, asked) == (kind, attempts)
    assert "\n" not in failure.detail and len(failure.detail) < 500


@each_provider
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"17",
        b'"text"',
        b"<html><body>Our service moved</body></html>",
        b'{"results": [',
        b'{"query": "\xff\xfe"}',
        b"[" * 100_000,
        b'{"error": "an error with status 200"}',
        b'{"as_dicts": null, "results": null, "query": "q"}',
        b'{"as_dicts": {}, "results": {"a": 1}, "query": "q"}',
        b'{"as_dicts": "text", "results": "text", "query": "q"}',
        b'{"as_dicts": [null], "results": [null], "query": "q"}',
        b'{"as_dicts": [[]], "results": [[]], "query": "q"}',
        b'{"as_dicts": [{}], "results": [{}], "query": "q"}',
        b'{"as_dicts": [{"article_url": 1}], "results": [{"url": 1}], "query": "q"}',
        b'{"as_dicts": [{"pub_date": 1}], "results": [{"url": "https://a.example", "publishedDate": 1, '
        b'"published_date": {}}], "query": "q"}',
        b'{"as_dicts": [{"summary": 1}], "results": [{"url": ""}], "query": "q"}',
        b'{"as_dicts": [{"summary": 1}], "results": [{"url": "https://[bad"}], "query": "q"}',
    ],
)
@pytest.mark.parametrize("content_type", ["application/json", "text/html; charset=utf-8", "text/plain", "a/b"])
def test_an_answer_of_a_wrong_form_is_a_bad_answer(
    provider: Provider, at: Serve, body: bytes, content_type: str
) -> None:
    failure, asked = failure_of(provider, at, Fault(200, body, {"content-type": content_type}))
    assert (failure.kind, asked) == ("bad_answer", 1)


@each_provider
def test_any_json_is_answered_or_typed(provider: Provider, at: Serve) -> None:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
    keys = st.sampled_from(["as_dicts", "results", "query", "url", "text", "snapshotAt", "published_date", "warnings"])
    values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5))

    @settings(max_examples=cases(25, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(values)
    def check(value: object) -> None:
        server = provider.server()
        server.faults.append(Fault(200, json.dumps(value).encode(), {"content-type": "application/json"}))
        try:
            outcome = found(provider.source(at(server.app), Waits()))
        except SourceFailure as failure:
            assert failure.kind == "bad_answer"
        else:
            assert outcome.hits == ()

    check()


@each_provider
def test_a_body_that_is_too_large(provider: Provider, at: Serve) -> None:
    failure, asked = failure_of(provider, at, Fault(200, b" " * 20_000), max_bytes=10_000)
    assert (failure.kind, asked) == ("bad_answer", 1)


@each_provider
def test_a_service_that_never_ends(provider: Provider, at: Serve) -> None:
    async def drips(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (await receive())["type"] != "http.disconnect":
            await send({"type": "http.response.body", "body": b" ", "more_body": True})

    with pytest.raises(SourceFailure) as caught:
        found(provider.source(at(drips), Waits(), timeout=0.05))
    assert caught.value.kind == "network"
    assert "0.05 s" in caught.value.detail


@each_provider
def test_nobody_listens(provider: Provider) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    waits = Waits()
    with pytest.raises(SourceFailure) as caught:
        found(provider.source(f"http://127.0.0.1:{port}", waits))
    assert caught.value.kind == "network"
    assert len(waits.seconds) == ATTEMPTS - 1


@each_provider
def test_after_some_faults_it_works(provider: Provider, at: Serve) -> None:
    server = provider.server()
    server.faults.extend([Fault(503), too_many("7"), Fault(200, b"{", missing=5)])
    waits = Waits()
    assert len(found(provider.source(at(server.app), waits)).hits) == 1
    assert len(server.requests) == 4
    assert max(waits.seconds) == 7


@each_provider
def test_a_service_says_how_long_to_wait_in_both_forms(provider: Provider, at: Serve) -> None:
    waits = Waits()
    failure_of(provider, at, too_many("Fri, 31 Dec 1999 23:59:59 GMT"), waits)
    assert max(waits.seconds) < 10
    waits = Waits()
    _, asked = failure_of(provider, at, too_many("100"), waits)
    assert asked == ATTEMPTS and waits.seconds.count(100) == ATTEMPTS - 1


@each_provider
@pytest.mark.parametrize("asks", ["3600", "Fri, 31 Dec 2199 23:59:59 GMT"])
def test_who_asks_for_too_long_a_wait_is_not_asked_again(provider: Provider, at: Serve, asks: str) -> None:
    waits = Waits()
    failure, asked = failure_of(provider, at, too_many(asks), waits)
    assert (failure.kind, asked, waits.seconds) == ("rate_limit", 1, [])
    assert "again in" in failure.detail


@each_provider
def test_the_key_is_never_told(
    provider: Provider, at: Serve, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    key = provider.key
    source = provider.source(at(provider.server().app), Waits())
    told_not = [source.fingerprint, repr(source), repr(vars(source).get("_transport")), str(found(source))]
    with caplog.at_level(logging.DEBUG, logger="cruxbench_inspect"), caplog.at_level(logging.DEBUG, logger="httpx"):
        for fault in [
            Fault(401, json.dumps({"detail": f"the key {key} is unknown"}).encode()),
            Fault(400, json.dumps({"error": {"message": "x" * 290 + key}}).encode()),
            Fault(500, f"<html>authorization: Bearer {key}</html>".encode()),
            Fault(200, f"<html>authorization: Bearer {key}</html>".encode()),
            Fault(200, json.dumps({"as_dicts": key, "results": key, "query": key}).encode()),
            Fault(200, json.dumps({"as_dicts": [{"title": key}], "results": [{"url": {key: key}}]}).encode()),
        ]:
            failure, _ = failure_of(provider, at, fault)
            told_not += [str(failure), repr(failure), failure.detail]
    told_not += [caplog.text, *capsys.readouterr()]
    assert not [text for text in told_not if key in text or key[:12] in text]


@each_provider
def test_the_service_may_say_why(provider: Provider, at: Serve) -> None:
    failure, _ = failure_of(provider, at, Fault(403, b'{"detail": {"error": "Snapshots are not\\n in your plan."}}'))
    assert failure.detail.startswith("HTTP 403 Snapshots are not in your plan. (127.0.0.1/")


@each_provider
def test_a_wrong_key(provider: Provider, at: Serve) -> None:
    server = provider.server()
    with pytest.raises(SourceFailure) as caught:
        found(provider.source(at(server.app), Waits(), key="another-key"))
    assert caught.value.kind == "auth"


@each_provider
def test_many_at_once_and_from_several_event_loops(provider: Provider, at: Serve) -> None:
    server = provider.server()
    source = provider.source(at(server.app), Waits())

    async def many() -> list[int]:
        counts: list[int] = []

        async def one(number: int) -> None:
            counts.append(len((await source.search(f"strike {number}", BEFORE, 8)).hits))

        async with anyio.create_task_group() as group:
            for number in range(25):
                group.start_soon(one, number)
        return counts

    for _ in range(2):
        assert anyio.run(many) == [1] * 25
    assert len(server.requests) == 50


@each_provider
def test_requests_go_through_the_carrier_that_is_given(provider: Provider) -> None:
    hosts: list[str] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(401, stream=httpx.ByteStream(b""))

    source = provider.source("https://mirror.example/", Waits(), carrier=httpx.MockTransport(refuse))
    for _ in range(2):
        with pytest.raises(SourceFailure, match="auth"):
            found(source)
    assert hosts == ["mirror.example"] * 2


@each_provider
def test_what_has_its_text_is_not_fetched_again(provider: Provider, at: Serve) -> None:
    server = provider.server()
    source = provider.source(at(server.app), Waits())
    document = found(source).hits[0].document.model_copy(update={"text": "A text.", "excerpt": True})
    assert anyio.run(source.fetch, document, BEFORE) is document
    foreign = document.model_copy(update={"text": "", "proof": "B"})
    assert anyio.run(source.fetch, foreign, BEFORE) is None
    assert len(server.requests) == 1


@each_provider
def test_a_mirror_has_a_fingerprint_of_its_own(provider: Provider) -> None:
    one, other = (provider.source(f"http://{host}.example", Waits()).fingerprint for host in "ab")
    assert re.match(rf"{provider.name}-\d@http://a\.example:sdk ", one)
    assert one != other
