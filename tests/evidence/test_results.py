import multiprocessing
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.results import DamagedAnswer, Recording, Request, ResultStore, Stored
from cruxbench_inspect.evidence.source import PartFailure, SearchOutcome, SourceFailure
from cruxbench_inspect.evidence.stored_source import StoredSource
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, make_document

CUTOFF = parse_utc("2026-01-11T12:00:00Z")
AFTER = parse_utc("2026-01-20T00:00:00Z")
DOCUMENT = make_document(
    "2026-01-10", modified="2026-01-10T10:00:00", title="Élysée 😀", text="“Quoted”\n<b>", version="https://a.example/1"
)
OTHER = make_document("2026-01-09", title="Other")


def request(call: str = "words") -> Request:
    return Request.of("fake", "fake-1", CUTOFF, "search", call, 8)


def search(source: StoredSource, query: str = "words", before: datetime = CUTOFF, limit: int = 8) -> SearchOutcome:
    return anyio.run(source.search, query, before, limit)


def fetch(source: StoredSource, document: Document = DOCUMENT) -> Document | None:
    return anyio.run(source.fetch, document, CUTOFF)


def test_an_answer_is_replayed_word_for_word_by_another_run() -> None:
    first = FakeSource([DOCUMENT, OTHER], fetched=DOCUMENT, rejected={"undated": 2})
    stored = StoredSource(first, ResultStore())
    outcome, document = search(stored), fetch(stored)
    assert outcome.rejected == {"undated": 2}
    assert [hit.document for hit in outcome.hits] == [DOCUMENT, OTHER]

    changed = FakeSource([OTHER], failure=SourceFailure("fake", "outage", "gone"))
    replay = StoredSource(changed, ResultStore())
    assert search(replay).model_dump_json() == outcome.model_dump_json()
    assert fetch(replay) == document == DOCUMENT
    assert changed.queries == [] and changed.fetches == []


def test_that_there_is_no_version_is_an_answer_too() -> None:
    source = FakeSource()
    stored = StoredSource(source, ResultStore())
    assert fetch(stored) is None
    assert fetch(stored) is None
    assert len(source.fetches) == 1


def test_each_request_source_and_cutoff_is_its_own() -> None:
    source = FakeSource([DOCUMENT])
    stored = StoredSource(source, ResultStore())
    search(stored)
    search(stored, query="other words")
    search(stored, limit=3)
    search(stored, before=CUTOFF - timedelta(seconds=1))
    other = FakeSource([OTHER])
    other.fingerprint = "fake-2"
    assert search(StoredSource(other, ResultStore())).hits[0].document == OTHER
    assert len(source.queries) == 4
    search(stored)
    assert len(source.queries) == 4


def test_a_failure_is_not_kept() -> None:
    source = FakeSource([DOCUMENT], failure=SourceFailure("fake", "rate_limit", "try later"))
    stored = StoredSource(source, ResultStore())
    for _ in range(2):
        with pytest.raises(SourceFailure, match="try later"):
            search(stored)
    source.failure = None
    assert len(search(stored).hits) == 1
    assert len(source.queries) == 3


def test_what_only_a_part_answered_is_asked_again() -> None:
    class Partly(FakeSource):
        async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
            outcome = await super().search(query, before, limit)
            part = PartFailure(source="part", kind="network", detail="gone")
            return outcome.model_copy(update={"failures": (part,)}) if len(self.queries) == 1 else outcome

    source = Partly([DOCUMENT])
    stored = StoredSource(source, ResultStore())
    assert search(stored).failures and not search(stored).failures
    assert len(source.queries) == 2
    assert not search(stored).failures
    assert len(source.queries) == 2


def test_an_answer_for_a_cutoff_to_come_is_asked_for_again() -> None:
    source = FakeSource([DOCUMENT])
    stored = StoredSource(source, ResultStore())
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    search(stored, before=tomorrow)
    search(stored, before=tomorrow)
    assert len(source.queries) == 2


def test_equal_requests_at_the_same_time_are_asked_once() -> None:
    class Slow(FakeSource):
        async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
            outcome = await super().search(query, before, limit)
            await anyio.lowlevel.checkpoint()
            return outcome

    source = Slow([DOCUMENT])
    outcomes: list[SearchOutcome] = []

    async def use() -> None:
        stored = StoredSource(source, ResultStore())

        async def once() -> None:
            outcomes.append(await stored.search("words", CUTOFF, 8))

        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(once)

    anyio.run(use)
    assert len(outcomes) == 10 and len(source.queries) == 1


def test_the_first_answer_stays(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "new" / "results.sqlite")
    assert store.get(request()) is None
    assert store.put(request(), Stored("1", AFTER), []) == "1"
    assert store.put(request(), Stored("2", AFTER), []) == "1"
    assert ResultStore(tmp_path / "new" / "results.sqlite").get(request()) == Stored("1", AFTER)


@pytest.mark.parametrize("first", [Stored("1", CUTOFF - timedelta(seconds=1)), Stored("1", AFTER, whole=False)])
def test_an_answer_that_may_still_change_is_replaced(tmp_path: Path, first: Stored) -> None:
    store = ResultStore(tmp_path / "results.sqlite")
    store.put(request(), first, [DOCUMENT])
    assert store.put(request(), Stored("2", AFTER), [OTHER]) == "2"
    assert Recording(store.file).get(request()) == Stored("2", AFTER)


def test_an_answer_that_was_changed_is_not_given(tmp_path: Path) -> None:
    stored = StoredSource(FakeSource([DOCUMENT]), store := ResultStore(tmp_path / "results.sqlite"))
    search(stored)
    with sqlite3.connect(store.file) as connection:
        connection.execute("UPDATE answers_2 SET answer = replace(answer, 'Quoted', 'Forged')")
    with pytest.raises(DamagedAnswer, match="was changed"):
        store.get(request())
    with pytest.raises(SourceFailure, match="was changed"):
        search(stored)


def test_versions_and_digests_of_documents_are_listed(tmp_path: Path) -> None:
    stored = StoredSource(FakeSource([DOCUMENT, OTHER]), store := ResultStore(tmp_path / "results.sqlite"))
    search(stored)
    with sqlite3.connect(store.file) as connection:
        rows = connection.execute("SELECT id, version, text_sha256 FROM documents_2").fetchall()
    expected = [(one.id, one.version, sha256(one.text.encode()).hexdigest()) for one in (DOCUMENT, OTHER)]
    assert sorted(rows) == sorted(expected)


def _put_many(
    file: Path, number: int, start: "multiprocessing.synchronize.Event", answers: "multiprocessing.Queue[list[str]]"
) -> None:
    start.wait()
    store = ResultStore(file)
    answers.put([store.put(request(f"{call}"), Stored(f"{number}", AFTER), []) for call in range(20)])


def test_processes_agree_on_each_answer(tmp_path: Path) -> None:
    file = tmp_path / "results.sqlite"
    context = multiprocessing.get_context("fork")
    start, answers = context.Event(), context.Queue()
    processes = [context.Process(target=_put_many, args=(file, number, start, answers)) for number in range(4)]
    for process in processes:
        process.start()
    start.set()
    seen = [answers.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    store = ResultStore(file)
    kept = [store.get(request(f"{call}")) for call in range(20)]
    assert seen == [[one.answer for one in kept if one is not None]] * 4


def test_a_store_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="Name a file in a folder that can be written"):
        ResultStore(tmp_path / "file" / "results.sqlite")


@pytest.mark.parametrize("use", [search, fetch])
def test_a_store_that_breaks_is_an_outage(tmp_path: Path, use: Callable[[StoredSource], Awaitable[object]]) -> None:
    stored = StoredSource(FakeSource([DOCUMENT]), ResultStore(tmp_path / "results.sqlite"))
    (tmp_path / "results.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(SourceFailure, match="the store of search results") as caught:
        use(stored)
    assert caught.value.kind == "outage"


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    archive = LocalArchive(tmp_path / "my.archive")
    before = archive.file.read_bytes()
    with pytest.raises(InputError, match="a database of something else"):
        ResultStore(archive.file)
    assert archive.file.read_bytes() == before
    ResultStore(ResultStore(tmp_path / "run.sqlite").file)
