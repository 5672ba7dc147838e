import socket
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.replay import ReplaySource
from cruxbench_inspect.evidence.results import ResultStore
from cruxbench_inspect.evidence.source import SearchOutcome, SourceFailure
from cruxbench_inspect.evidence.stored_source import StoredSource
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, make_document

CUTOFF = parse_utc("2026-01-11T12:00:00Z")
DOCUMENT = make_document("2026-01-10", captured="2026-01-10", version="https://a.example/1")
WHOLE = make_document("2026-01-10", text="The whole text.")


def record(file: Path, **changes: str) -> None:
    source = FakeSource([DOCUMENT], fetched=WHOLE, rejected={"undated": 2})
    for name, value in changes.items():
        setattr(source, name, value)
    stored = StoredSource(source, ResultStore(file))
    anyio.run(stored.search, "words", CUTOFF, 8)
    anyio.run(stored.fetch, DOCUMENT, CUTOFF)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    file = tmp_path / "recording + #1.sqlite"
    record(file)
    return file


def test_a_recording_answers_alone(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a replay opens no connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    source = ReplaySource.open(recording, None)
    outcome: SearchOutcome = anyio.run(source.search, "words", CUTOFF, 8)
    assert [hit.document for hit in outcome.hits] == [DOCUMENT] and outcome.rejected == {"undated": 2}
    assert anyio.run(source.fetch, DOCUMENT, CUTOFF) == WHOLE
    assert source.name == "fake"


@pytest.mark.parametrize(
    "change", [("other words", CUTOFF, 8), ("words", CUTOFF, 9), ("words", CUTOFF - timedelta(seconds=1), 8)]
)
def test_a_missing_search_is_named(recording: Path, change: tuple[Any, ...]) -> None:
    with pytest.raises(
        SourceFailure, match=rf"has no answer to \[\"search\", \"{change[0]}\", {change[2]}\]"
    ) as caught:
        anyio.run(ReplaySource.open(recording, None).search, *change)
    assert caught.value.kind == "not_recorded"


def test_a_missing_fetch_is_named(recording: Path) -> None:
    other = make_document(url="https://news.example/other")
    with pytest.raises(SourceFailure, match="https://news.example/other") as caught:
        anyio.run(ReplaySource.open(recording, None).fetch, other, CUTOFF)
    assert caught.value.kind == "not_recorded"


def test_of_several_fingerprints_the_latest_answer_counts(recording: Path) -> None:
    with sqlite3.connect(recording) as connection:
        connection.execute("UPDATE answers_2 SET asked = '2026-01-12T00:00:00Z'")
    newer = FakeSource([])
    newer.fingerprint = "fake-2"
    anyio.run(StoredSource(newer, ResultStore(recording)).search, "words", CUTOFF, 8)
    outcome: SearchOutcome = anyio.run(ReplaySource.open(recording, None).search, "words", CUTOFF, 8)
    assert outcome.hits == ()


def test_of_several_sources_one_is_named(recording: Path) -> None:
    record(recording, name="second")
    with pytest.raises(InputError, match="holds answers of fake, second; say which: evidence=replay:.*#NAME"):
        ReplaySource.open(recording, None)
    assert ReplaySource.open(recording, "second").name == "second"
    with pytest.raises(InputError, match="not of third"):
        ReplaySource.open(recording, "third")


def test_an_answer_of_another_form_is_told(recording: Path) -> None:
    answer = '{"hits": 1}'
    with sqlite3.connect(recording) as connection:
        connection.create_function("digest", 0, lambda: __import__("hashlib").sha256(answer.encode()).hexdigest())
        connection.execute("UPDATE answers_2 SET answer = ?, sha256 = digest()", [answer])
    with pytest.raises(SourceFailure, match="in a form that this version does not know"):
        anyio.run(ReplaySource.open(recording, None).search, "words", CUTOFF, 8)


@pytest.mark.parametrize("content", [None, b"", b"not a database, but long enough to look like one" * 99])
def test_a_file_that_is_no_recording_is_told(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError, match="no recording that can be read"):
        ReplaySource.open(file, None)
    assert file.exists() == (content is not None)
