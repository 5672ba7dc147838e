"""A local archive where things go wrong or at the same time, and what its cutoffs and documents are."""

import multiprocessing
import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence import archive_writing
from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.source import SearchOutcome
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import make_document

BATCH = 500
"""Documents of a batch, here."""

LATER = parse_utc("2030-01-01T00:00:00Z")
ARREST = make_document("2026-01-10T12:00:00Z", title="Two arrested", text="Two suspects were arrested near Orly.")
COPY = make_document(
    None,
    title="Charges",
    text="The arrested men were charged.",
    captured="2026-01-12T12:00:00Z",
    proof="A",
    version="https://web.archive.org/web/20260112120000id_/https://news.example/a",
)
EXCERPT = make_document("2026-01-14", title="A café", text="The café where they were arrested.", excerpt=True)
UNDATED = make_document(None, title="Arrested once", text="Somebody was arrested.")
MARKET = make_document("2026-01-10", url="https://polymarket.com/event/arrested", text="Arrested: 97%.")
EVERYTHING = (ARREST, COPY, EXCERPT, UNDATED, MARKET)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches so small that several of them are quickly made."""
    monkeypatch.setattr(archive_writing.batches, "__defaults__", (BATCH,))


@pytest.fixture
def archive(tmp_path: Path) -> LocalArchive:
    return LocalArchive(tmp_path / "some" / "my.archive")


def numbered(first: int, count: int, word: str = "text") -> Iterator[Document]:
    for number in range(first, first + count):
        yield make_document("2026-01-10", url=f"https://news.example/{number}", text=f"A {word} of number {number}.")


def search(file: Path, query: str, before: str = "2030-01-01T00:00:00Z", limit: int = 8) -> SearchOutcome:
    return anyio.run(Archive.open(file).search, query, parse_utc(before), limit)


def test_documents_are_found_as_they_were_added(archive: LocalArchive) -> None:
    assert archive.add(EVERYTHING) == 5
    found = search(archive.file, "arrested")
    assert {hit.document.id: hit.document for hit in found.hits} == {
        document.id: document for document in (ARREST, COPY, EXCERPT)
    }
    assert found.rejected == {"undated": 1, "excluded_site": 1}
    assert anyio.run(Archive.open(archive.file).fetch, COPY, LATER) == COPY
    assert anyio.run(Archive.open(archive.file).fetch, MARKET, LATER) is None


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("2026-01-10T12:00:00Z", set()),
        ("2026-01-10T12:00:01Z", {ARREST.id}),
        ("2026-01-12T12:00:00Z", {ARREST.id}),
        ("2026-01-12T12:00:01Z", {ARREST.id, COPY.id}),
        ("2026-01-15T11:59:59Z", {ARREST.id, COPY.id}),
        ("2026-01-15T12:00:00Z", {ARREST.id, COPY.id, EXCERPT.id}),
    ],
)
def test_a_cutoff_withholds_what_is_not_older(archive: LocalArchive, before: str, found: set[str]) -> None:
    archive.add(EVERYTHING)
    assert {hit.document.id for hit in search(archive.file, "arrested", before).hits} == found
    assert {document.id for document in archive.documents(parse_utc(before))} == found


def test_what_is_there_is_not_added_again_and_the_fingerprint_tells_the_contents(archive: LocalArchive) -> None:
    prints = [Archive.open(archive.file).fingerprint]
    for documents, added in (([ARREST, ARREST], 1), ([ARREST], 0), ([], 0), ([ARREST, COPY], 1), ([EXCERPT], 1)):
        assert LocalArchive(archive.file).add(documents, noting=f"list {len(prints)}") == added
        prints.append(Archive.open(archive.file).fingerprint)
        assert (prints[-1] != prints[-2]) is bool(added)
    assert len(set(prints)) == 4
    assert archive.statistics().documents == 3


@pytest.mark.parametrize(
    "change",
    [
        {"source": "other"},
        {"modified": "2026-01-11T00:00:00Z"},
        {"captured": "2026-01-11T00:00:00Z"},
        {"text": "Other."},
        {"proof": "A", "captured": "2026-01-10T12:00:00Z"},
        {"published": "2026-01-10"},
    ],
)
def test_a_document_that_differs_is_another_one(archive: LocalArchive, change: dict[str, str]) -> None:
    other = Document.model_validate({**ARREST.model_dump(mode="json"), **change})
    assert archive.add([ARREST, other]) == 2
    assert set(archive.documents()) == {ARREST, other}


def test_a_document_whose_text_may_be_of_today_is_refused(archive: LocalArchive) -> None:
    with pytest.raises(ValueError, match=r"https://news\.example/a: a document of class C"):
        archive.add([ARREST, make_document("2026-01-01", proof="C")])
    assert archive.statistics().documents == 0


def test_what_was_read_is_noted_down_with_the_last_of_its_documents(archive: LocalArchive) -> None:
    def broken() -> Iterator[Document]:
        yield from numbered(0, 2 * BATCH)
        raise ConnectionError

    with pytest.raises(ConnectionError):
        archive.add(broken(), noting="https://lists.example/1")
    assert not archive.has_noted("https://lists.example/1")
    kept = archive.statistics().documents
    assert kept == BATCH
    assert archive.add(numbered(0, 2 * BATCH + 1), noting="https://lists.example/1") == 2 * BATCH + 1 - kept
    assert archive.has_noted("https://lists.example/1")
    archive.add([], noting="https://lists.example/empty")
    assert archive.has_noted("https://lists.example/empty")
    assert not archive.has_noted("https://lists.example/other")
    assert archive.statistics().lists == 2


def test_it_is_searched_while_documents_are_added(archive: LocalArchive) -> None:
    archive.add([ARREST])
    opened, seen = Archive.open(archive.file), list[SearchOutcome]()

    def documents() -> Iterator[Document]:
        yield from numbered(0, BATCH, word="arrested")
        seen.append(anyio.run(opened.search, "arrested", LATER, 8))  # In the middle of the first transaction.
        yield from numbered(BATCH, 1)
        seen.append(anyio.run(opened.search, "arrested", LATER, 8))

    archive.add(documents())
    assert [hit.document for hit in seen[0].hits] == [ARREST]
    assert len(anyio.run(opened.search, "arrested", LATER, 8).hits) == 8


def test_all_documents_come_in_the_order_of_their_dates(archive: LocalArchive) -> None:
    archive.add(reversed(EVERYTHING))
    assert list(archive.documents()) == [ARREST, COPY, EXCERPT, MARKET, UNDATED]


def _killed_while_adding(file: Path, whole: int) -> None:
    def documents() -> Iterator[Document]:
        yield from numbered(0, whole * BATCH + 1)
        os.kill(os.getpid(), signal.SIGKILL)

    LocalArchive(file).add(documents(), noting="https://lists.example/1")


@pytest.mark.parametrize("whole", [0, 1])
def test_killed_in_a_transaction_it_has_all_or_nothing_of_it(tmp_path: Path, whole: int) -> None:
    """The process dies where the documents after so many whole batches are read; the last of these is still open."""
    file = tmp_path / "my.archive"
    process = multiprocessing.get_context("fork").Process(target=_killed_while_adding, args=(file, whole))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    archive = LocalArchive(file)
    assert archive.statistics().documents == 0
    assert archive.add(numbered(0, whole * BATCH + 1), noting="https://lists.example/1") == whole * BATCH + 1
    check_whole(file)


def check_whole(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")  # Raises if it is not.


def leave_half_written(archive: LocalArchive, file: Path) -> None:
    """Copy an archive as a killed process leaves it: pages of an open transaction are already in the file."""
    with sqlite3.connect(archive.file, isolation_level=None) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE state SET digest = 'half'")
        connection.execute("UPDATE documents SET text = hex(zeroblob(3000))")
        shutil.copy(archive.file, file)
        shutil.copy(f"{archive.file}-journal", f"{file}-journal")
        connection.execute("ROLLBACK")
    assert Path(f"{file}-journal").stat().st_size > 0


@pytest.mark.parametrize("first", ["search", "add"])
def test_whoever_opens_it_first_undoes_what_is_half_written(archive: LocalArchive, tmp_path: Path, first: str) -> None:
    archive.add(numbered(0, 500, word="arrested"))
    fingerprint = Archive.open(archive.file).fingerprint
    killed = tmp_path / "killed.archive"
    leave_half_written(archive, killed)
    if first == "search":
        assert Archive.open(killed).fingerprint == fingerprint
        assert len(search(killed, "arrested", limit=1000).hits) == 500
    assert LocalArchive(killed).add(numbered(0, 501, word="arrested")) == 1
    check_whole(killed)


def test_an_empty_file_becomes_an_archive(tmp_path: Path) -> None:
    file = tmp_path / "my.archive"
    file.touch()
    assert LocalArchive(file).add([ARREST]) == 1


def write_foreign(file: Path, *statements: str) -> None:
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)


STATE = "CREATE TABLE state (format INTEGER, next_serial INTEGER, digest TEXT)"


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["CREATE TABLE recipes (name TEXT)"], "no local archive that can be read: no such table: state"),
        (["CREATE TABLE state (name TEXT)"], "no local archive that can be read: no such column: format"),
        ([STATE], "no local archive that can be read: it has no state"),
        ([STATE, "INSERT INTO state VALUES (1, 0, '')"], "a local archive of format 1, and this version reads format"),
    ],
)
def test_a_database_of_something_else_is_named(tmp_path: Path, statements: list[str], message: str) -> None:
    file = tmp_path / "foreign.sqlite"
    write_foreign(file, *statements)
    content = file.read_bytes()
    for opening in (Archive.open, LocalArchive):
        with pytest.raises(InputError, match=rf"foreign\.sqlite: {message}"):
            opening(file)
    assert file.read_bytes() == content


def test_a_damaged_archive_is_named(archive: LocalArchive) -> None:
    archive.add(numbered(0, 500))
    archive.file.write_bytes(archive.file.read_bytes()[:5000])
    for opening in (Archive.open, LocalArchive):
        with pytest.raises(InputError, match=r"my\.archive: no local archive"):
            opening(archive.file)


def test_what_is_no_archive_is_not_written_to(tmp_path: Path) -> None:
    file = tmp_path / "evidence.jsonl"
    file.write_text(ARREST.model_dump_json(exclude={"proof"}) + "\n", encoding="utf-8")
    content = file.read_bytes()
    with pytest.raises(InputError, match=r"evidence\.jsonl: no local archive, but something else"):
        LocalArchive(file)
    assert file.read_bytes() == content
    with pytest.raises(InputError, match="no local archive, but something else"):
        LocalArchive(tmp_path)
    with pytest.raises(InputError, match="no local archive can be made there"):
        LocalArchive(file / "my.archive")
    with pytest.raises(InputError, match="the evidence file cannot be read: Is a directory"):
        Archive.open(tmp_path)
