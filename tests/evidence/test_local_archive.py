"""A local archive: added to over many runs, by many processes, killed at any time."""

import multiprocessing
import os
import signal
import sqlite3
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.archive_export import export
from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.evidence_file import read_documents
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.source import SearchOutcome
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import make_document

CUTOFF = parse_utc("2026-01-20T00:00:00Z")
STORED = make_document(
    None,
    url="https://news.example/stored",
    title="Stored",
    captured="2026-01-10T00:00:00Z",
    proof="A",
    version="https://archive.example/1",
)
LISTED = make_document("2026-01-11T00:00:00Z", url="https://news.example/listed", title="Listed", excerpt=True)
LATER = make_document("2026-01-25T00:00:00Z", url="https://news.example/later", title="Later")
MARKET = make_document("2026-01-01T00:00:00Z", url="https://polymarket.com/event/x", title="Market")
UNDATED = make_document(None, url="https://news.example/undated", title="Undated")
EVERYTHING = [STORED, LISTED, LATER, MARKET, UNDATED]


@pytest.fixture
def archive(tmp_path: Path) -> LocalArchive:
    return LocalArchive(tmp_path / "new" / "my.archive")


def search(file: Path, query: str = "text") -> SearchOutcome:
    outcome: SearchOutcome = anyio.run(Archive.open(file).search, query, CUTOFF, 8)
    return outcome


def test_what_is_added_is_found_and_each_document_once(archive: LocalArchive) -> None:
    assert archive.add([STORED, LISTED, STORED]) == 2
    assert archive.add(EVERYTHING) == 3
    assert archive.add(EVERYTHING) == 0
    outcome = search(archive.file)
    assert {hit.document.title for hit in outcome.hits} == {"Stored", "Listed"}
    assert [hit.document for hit in outcome.hits if hit.document.title == "Stored"] == [STORED]
    assert outcome.rejected == {"published_after_cutoff": 1, "undated": 1, "excluded_site": 1}
    assert anyio.run(Archive.open(archive.file).fetch, LISTED, CUTOFF) == LISTED
    assert anyio.run(Archive.open(archive.file).fetch, LATER, CUTOFF) is None


def test_its_fingerprint_follows_its_contents(archive: LocalArchive) -> None:
    archive.add([STORED])
    first = Archive.open(archive.file).fingerprint
    archive.add([STORED])
    assert Archive.open(archive.file).fingerprint == first
    archive.add([LISTED])
    assert Archive.open(archive.file).fingerprint != first


def test_versions_of_a_page_stay_beside_each_other(archive: LocalArchive) -> None:
    changes = {"text": "Another text.", "version": "https://archive.example/2"}
    second = Document(**{**{name: getattr(STORED, name) for name in Document.model_fields}, **changes})
    assert archive.add([STORED, second]) == 2
    assert {hit.document.version for hit in search(archive.file).hits} == {STORED.version, second.version}


def test_an_address_is_noted_together_with_its_documents(archive: LocalArchive) -> None:
    assert not archive.has_noted("list 1")
    archive.add([STORED], "list 1")
    archive.add([], "list 2")
    assert archive.has_noted("list 1") and archive.has_noted("list 2") and not archive.has_noted("list 3")


def test_statistics(archive: LocalArchive) -> None:
    archive.add(EVERYTHING, "list 1")
    found = archive.statistics()
    assert (found.documents, found.texts, found.undated, found.lists) == (5, 5, 2, 1)
    assert found.classes == {"A": 1, "B": 4} and found.sources == {"news": 5}
    assert (found.first, found.last) == ("2026-01-01T00:00:00Z", "2026-01-25T00:00:00Z")
    assert found.size == archive.file.stat().st_size


def _add_many(file: Path, number: int) -> None:
    archive = LocalArchive(file)
    for part in range(5):
        documents = [
            make_document(url=f"https://news.example/{number}/{part}/{one}", text=f"text of {number}")
            for one in range(20)
        ]
        archive.add([*documents, STORED], f"list {number} {part}")


def test_processes_add_at_the_same_time(tmp_path: Path) -> None:
    file = tmp_path / "my.archive"
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_add_many, args=(file, number)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=120)
        assert process.exitcode == 0
    found = LocalArchive(file).statistics()
    assert (found.documents, found.lists) == (4 * 5 * 20 + 1, 20)
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")


def _add_and_die(file: Path, ready: "multiprocessing.synchronize.Event") -> None:
    archive = LocalArchive(file)
    archive.add([STORED], "whole")
    with archive._writing() as connection:
        connection.execute("INSERT INTO lists VALUES ('half')")
        ready.set()
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_kill_in_the_middle_leaves_what_was_whole(tmp_path: Path) -> None:
    file = tmp_path / "my.archive"
    context = multiprocessing.get_context("fork")
    ready = context.Event()
    process = context.Process(target=_add_and_die, args=(file, ready))
    process.start()
    process.join(timeout=60)
    assert ready.is_set() and process.exitcode == -signal.SIGKILL
    archive = LocalArchive(file)
    assert archive.has_noted("whole") and not archive.has_noted("half")
    assert archive.add([LISTED]) == 1 and archive.statistics().documents == 2


def test_other_files_are_told_and_left_alone(tmp_path: Path) -> None:
    text, foreign = tmp_path / "text", tmp_path / "foreign"
    text.write_text("no archive", encoding="utf-8")
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE documents (id)")
    for file, message in ((text, "something else"), (foreign, "no local archive that can be read")):
        before = file.read_bytes()
        with pytest.raises(InputError, match=message):
            LocalArchive(file)
        assert file.read_bytes() == before
    with pytest.raises(InputError, match="no local archive that can be read"):
        Archive.open(foreign)
    with pytest.raises(InputError, match="no local archive"):
        LocalArchive(tmp_path / "text" / "below")


def test_an_archive_of_another_format_is_told(archive: LocalArchive) -> None:
    with sqlite3.connect(archive.file) as connection:
        connection.execute("UPDATE state SET format = 1")
    for use in (LocalArchive, Archive.open):
        with pytest.raises(InputError, match="a local archive of format 1"):
            use(archive.file)


def read_export(file: Path) -> list[Document]:
    with file.open("rb") as lines:
        return list(read_documents(lines, file))


def test_an_export_is_an_evidence_file(archive: LocalArchive, tmp_path: Path) -> None:
    archive.add(EVERYTHING)
    target = tmp_path / "evidence.jsonl"
    assert export(archive.documents(), target) == (3, 2)
    stored, listed, later = read_export(target)
    assert (stored.url, str(stored.published), stored.version, stored.proof) == (
        STORED.url,
        "2026-01-10T00:00:00Z",
        STORED.version,
        "B",
    )
    assert (listed, later) == (LISTED, LATER)
    assert export(archive.documents(CUTOFF), target) == (2, 0)
    assert {one.title for one in read_export(target)} == {"Stored", "Listed"}
    with pytest.raises(InputError, match="cannot be written"):
        export(archive.documents(), tmp_path / "missing" / "evidence.jsonl")


MOMENTS = st.none() | st.sampled_from(
    ["2026-01-19", "2026-01-20", "2026-01-19T23:59:59Z", "2026-01-20T00:00:00Z", "2026-01-19T20:00:00-05:00"]
    + ["2026-01-18", "2026-01-19T12:00:00", "2026-01-25", "2026-01-01T00:00:00Z"]
)


@settings(max_examples=200, deadline=None)
@given(published=MOMENTS, modified=MOMENTS, captured=MOMENTS, proof=st.sampled_from("AB"))
def test_an_export_admits_nothing_that_was_withheld(
    tmp_path_factory: pytest.TempPathFactory,
    published: str | None,
    modified: str | None,
    captured: str | None,
    proof: str,
) -> None:
    document = make_document(published, modified=modified, captured=captured, proof=proof)
    target = tmp_path_factory.getbasetemp() / "evidence.jsonl"
    export([document], target)
    for read in read_export(target):
        assert rejection(document, CUTOFF) is None or rejection(read, CUTOFF) is not None
