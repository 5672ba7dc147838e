from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.types import ASGIApp

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.excluded_sites import MARKETS
from cruxbench_inspect.evidence.providers.exa import MAX_CHARACTERS, REACH, exa
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import format_utc
from tests.evidence.providers.provider_cases import BEFORE, NOW, Waits, exa_source, fetched, found
from tests.loopback.exa import API_KEY, LIVE_OPTIONS, ExaServer, Version
from tests.loopback.faults import Fault

Serve = Callable[[ASGIApp], str]

PAGE = "https://www.n.example/strike"


def test_the_newest_version_from_before_the_cutoff(at: Serve) -> None:
    stored = ["2026-01-10T00:00:00Z", "2026-01-31T11:59:59.000Z", "2026-01-31T12:00:00.000Z", "2026-02-20T00:00:00Z"]
    server = ExaServer([Version(PAGE, moment, f"Strike text of {moment}.") for moment in stored])
    source = exa_source(at(server.app), Waits())
    (hit,) = found(source).hits
    document = hit.document
    assert document.text == hit.snippet == "Strike text of 2026-01-31T11:59:59.000Z."
    assert (document.url, document.title, document.source) == (
        PAGE,
        "Title of 2026-01-31T11:59:59.000Z",
        "www.n.example",
    )
    assert (document.proof, document.excerpt, str(document.captured)) == ("A", False, "2026-01-31T11:59:59Z")
    assert document.published is not None and document.published.text == "2026-01-01"  # an estimate has no hour
    assert fetched(source, document) is document


def test_every_request_asks_for_a_snapshot_and_none_for_a_page_of_today(at: Serve) -> None:
    server = ExaServer()
    found(exa_source(at(server.app), Waits()), query="Louvre arrests", limit=5)
    assert server.requests == [
        {
            "query": "Louvre arrests",
            "type": "auto",
            "numResults": 5,
            "excludeDomains": sorted(MARKETS),
            "contents": {"text": {"maxCharacters": MAX_CHARACTERS}, "snapshotAsOf": "2026-01-31T11:59:59Z"},
        }
    ]
    assert not LIVE_OPTIONS & {*server.requests[0], *server.requests[0]["contents"]}


@pytest.mark.parametrize(
    ("before", "as_of"),
    [
        (datetime(2026, 1, 31, 12, 0, 0, 500_000, UTC), "2026-01-31T11:59:59Z"),
        (datetime.fromisoformat("2026-01-31T07:00:00-05:00"), "2026-01-31T11:59:59Z"),
        (NOW + timedelta(days=90), format_utc(NOW - timedelta(seconds=1))),
    ],
)
def test_the_snapshot_is_before_the_cutoff_and_never_ahead(at: Serve, before: datetime, as_of: str) -> None:
    server = ExaServer()
    found(exa_source(at(server.app), Waits()), before)
    assert server.requests[0]["contents"]["snapshotAsOf"] == as_of


def test_versions_from_after_the_cutoff_are_counted(at: Serve) -> None:
    versions = [Version(f"https://n.example/{day}", f"2026-02-0{day}T00:00:00Z", "Later.") for day in (1, 2, 3)]
    versions.append(Version("https://n.example/0", "2026-01-10T00:00:00Z", "Earlier."))
    outcome = found(exa_source(at(ExaServer(versions, honest=False).app), Waits()))
    assert [hit.document.text for hit in outcome.hits] == ["Earlier."]
    assert outcome.rejected == {"captured_after_cutoff": 3}


@pytest.mark.parametrize(
    ("snapshot_at", "reason"),
    [
        (None, "undated"),
        ("", "undated"),
        ("yesterday", "undated"),
        ("2026-01-31", "date_only_not_provably_before"),
        ("2026-01-31T10:00:00", "date_only_not_provably_before"),
        ("2026-01-31T12:00:00Z", "captured_after_cutoff"),
        ("2026-01-31T07:00:00-05:00", "captured_after_cutoff"),
    ],
)
def test_a_result_that_does_not_prove_when_it_was_stored(at: Serve, snapshot_at: str | None, reason: str) -> None:
    proven = Version("https://n.example/1", "2026-01-10T00:00:00Z", "Proven.")
    unproven = Version("https://n.example/2", "2026-01-11T00:00:00Z", "Unproven.", {"snapshotAt": snapshot_at})
    outcome = found(exa_source(at(ExaServer([unproven, proven]).app), Waits()))
    assert [hit.document.text for hit in outcome.hits] == ["Proven."]
    assert outcome.rejected == {reason: 1}


def test_an_answer_without_any_proof_is_no_sign_that_nothing_was_there(at: Serve) -> None:
    server = ExaServer([Version(PAGE, "2026-01-10T00:00:00Z", "Unproven.", {"snapshotAt": None})])
    with pytest.raises(SourceFailure, match="none of 1 results tells when its version was stored") as caught:
        found(exa_source(at(server.app), Waits()))
    assert caught.value.kind == "bad_answer"


@pytest.mark.filterwarnings("ignore::exa_py.ExaWarning")
def test_a_warning_about_the_snapshot_is_a_failure(at: Serve) -> None:
    server = ExaServer([Version(PAGE, "2026-01-10T00:00:00Z", "A text.")])
    source = exa_source(at(server.app), Waits())
    server.warnings = [{"code": "UNKNOWN_FIELD", "path": "/type", "message": "no such type"}]
    assert len(found(source).hits) == 1
    server.warnings += [{"code": "UNKNOWN_FIELD", "path": "/contents/snapshotAsOf", "message": "is ignored"}]
    with pytest.raises(SourceFailure, match="bad_answer: it warns about the snapshot: UNKNOWN_FIELD"):
        found(source)


def test_a_cutoff_before_the_first_snapshot_is_a_failure(at: Serve) -> None:
    server = ExaServer()
    source = exa_source(at(server.app), Waits())
    with pytest.raises(SourceFailure, match="its snapshots go back to 2025-10-02, the cutoff is 2025-10-02T00:00:00Z"):
        found(source, NOW - REACH)
    assert server.requests == []
    assert found(source, NOW - REACH + timedelta(seconds=1)).hits == ()


@pytest.mark.parametrize(
    "more", [{"title": None}, {"publishedDate": None}, {"publishedDate": "soon"}, {"author": None}, {"text": None}]
)
def test_what_may_be_missing(at: Serve, more: dict[str, Any]) -> None:
    source = exa_source(at(ExaServer([Version(PAGE, "2026-01-10T00:00:00Z", "A text.", more)]).app), Waits())
    (hit,) = found(source).hits
    assert rejection(hit.document, BEFORE) is None
    assert fetched(source, hit.document) is (None if "text" in more else hit.document)


def test_a_date_of_publication_after_the_cutoff_shows_a_wrong_copy(at: Serve) -> None:
    version = Version(PAGE, "2026-01-10T00:00:00Z", "A text.", {"publishedDate": "2026-02-01T00:00:00.000Z"})
    assert found(exa_source(at(ExaServer([version]).app), Waits())).rejected == {"published_after_cutoff": 1}


def test_a_text_that_is_cut_off_is_an_excerpt(at: Serve) -> None:
    text = "word " * 10_000 + "the strike"
    (hit,) = found(exa_source(at(ExaServer([Version(PAGE, "2026-01-10T00:00:00Z", text)]).app), Waits())).hits
    assert hit.document.excerpt


@pytest.mark.parametrize("tag", ["NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED"])
@pytest.mark.parametrize("status", [402, 403, 429])
def test_credits_that_are_used_up(at: Serve, tag: str, status: int) -> None:
    server = ExaServer()
    server.faults.append(Fault(status, b'{"requestId": "r", "error": "No credits", "tag": "%s"}' % tag.encode()))
    with pytest.raises(SourceFailure, match="No credits") as caught:
        found(exa_source(at(server.app), Waits()))
    assert caught.value.kind == "quota"


def test_a_missing_key_is_one_clear_line() -> None:
    with pytest.raises(InputError) as caught:
        exa(environment={})
    assert str(caught.value) == "evidence source 'exa' needs a key: set EXA_API_KEY in the environment"


def test_the_source_that_is_used_in_earnest(at: Serve) -> None:
    stored = format_utc(datetime.now(UTC) - timedelta(days=2))
    source = exa(at(ExaServer([Version(PAGE, stored, "A text.")]).app), {"EXA_API_KEY": API_KEY})
    assert len(found(source, datetime.now(UTC)).hits) == 1
    assert exa(environment={"EXA_API_KEY": API_KEY}).fingerprint == "exa-1:sdk 2.28:snapshot:auto:20000"
