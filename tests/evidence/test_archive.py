import json
import multiprocessing
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.cutoff import last_instant
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.evidence.source import SearchOutcome, SourceFailure
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, finish, make_document
from tests.extent import cases

LATER = parse_utc("2030-01-01T00:00:00Z")
ARREST = make_document("2026-01-10T12:00:00Z", title="Two arrested", text="Two suspects were arrested near Orly.")
CHARGES = make_document(
    "2026-01-12T12:00:00Z", title="Charges", text="The arrested men were charged with theft in Paris."
)
CAFE = make_document("2026-01-14", title="A café", text="The café of the Élysée reopened; the investigation goes on.")


def write_evidence(file: Path, documents: Sequence[Document]) -> Path:
    lines = [document.model_dump_json(exclude={"proof"}) for document in documents]
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return file


def databases(state: Path) -> list[Path]:
    return sorted((state / "cruxbench" / "archives").iterdir())


def search(archive: Archive, query: str, before: datetime = LATER, limit: int = 8) -> SearchOutcome:
    return anyio.run(archive.search, query, before, limit)


def titles(outcome: SearchOutcome) -> list[str]:
    return [hit.document.title for hit in outcome.hits]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(write_evidence(tmp_path / "evidence.jsonl", [ARREST, CHARGES, CAFE]))


def test_any_word_finds_and_the_best_match_comes_first(archive: Archive) -> None:
    assert titles(search(archive, "Who was charged with theft after arrests?")) == ["Charges", "Two arrested"]
    assert titles(search(archive, "nothing of that kind, zebra")) == []
    assert search(archive, "suspects").hits[0].document == ARREST


def test_word_forms_accents_and_case_are_one(archive: Archive) -> None:
    for query in ("CAFE", "cafés", "investigations", "elysee"):
        assert titles(search(archive, query)) == ["A café"], query


def test_the_date_limit_applies_before_the_count(tmp_path: Path) -> None:
    later = [make_document(f"2026-02-{day:02}", title="Arrested, arrested", text="Arrested.") for day in range(1, 20)]
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", [*later, ARREST]))
    assert titles(search(archive, "arrested", parse_utc("2026-01-20T00:00:00Z"), 2)) == ["Two arrested"]


@pytest.mark.parametrize(
    ("cutoff", "found"),
    [
        ("2026-01-10T12:00:00Z", []),
        ("2026-01-10T12:00:01Z", ["Two arrested"]),
        ("2026-01-15T11:59:59Z", ["Charges", "Two arrested"]),
        ("2026-01-15T12:00:00Z", ["A café", "Charges", "Two arrested"]),
    ],
)
def test_only_what_is_older_than_the_cutoff_is_found(archive: Archive, cutoff: str, found: list[str]) -> None:
    assert sorted(titles(search(archive, "arrested charged investigation", parse_utc(cutoff)))) == found


def test_what_the_date_rules_withhold_is_counted_by_reason(tmp_path: Path) -> None:
    undated = make_document(None, title="No date", text="Nobody knows when the arrested men were charged.")
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", [ARREST, CHARGES, CAFE, undated]))
    found = search(archive, "arrested charged", parse_utc("2026-01-11T00:00:00Z"))
    assert titles(found) == ["Two arrested"]
    assert found.rejected == {"published_after_cutoff": 1, "undated": 1}
    assert search(archive, "arrested", parse_utc("2026-01-13T00:00:00Z")).rejected == {"undated": 1}


def test_undated_documents_are_never_found_or_fetched(tmp_path: Path) -> None:
    undated = make_document(None, text="Undated arrest.")
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", [undated]))
    assert titles(search(archive, "arrest", datetime.max.replace(tzinfo=UTC))) == []
    assert anyio.run(archive.fetch, undated, LATER) is None


def test_a_document_is_fetched_by_what_it_says_and_only_from_before_the_cutoff(archive: Archive) -> None:
    assert anyio.run(archive.fetch, CHARGES, LATER) == CHARGES
    assert anyio.run(archive.fetch, CHARGES, parse_utc("2026-01-12T12:00:00Z")) is None
    assert anyio.run(archive.fetch, make_document(text="Elsewhere."), LATER) is None


def test_equal_ranks_keep_their_order(tmp_path: Path) -> None:
    twins = [make_document("2026-01-10", url=f"https://news.example/{number}") for number in range(50)]
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", twins))
    first = search(archive, "text", limit=8)
    assert len(first.hits) == 8
    assert search(archive, "text", limit=50).hits[:8] == first.hits


def test_a_snippet_shows_the_match_on_one_plain_line(tmp_path: Path) -> None:
    filler = "Nothing to see\nin this sentence. " * 100
    document = make_document(text=f"{filler}The <b>tiara</b> was recovered. {filler}")
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", [document]))
    snippet = search(archive, "tiara").hits[0].snippet
    assert "The <b>tiara</b> was recovered." in snippet
    assert "\n" not in snippet
    assert 200 < len(snippet) < 600


@pytest.mark.parametrize(
    "query",
    ['"', '""', "'", "arrested NEAR(", "NEAR", "AND OR NOT", "*", "^arrested", "title:arrested", "a:b:c", "-arrested",
     "arrested; DROP TABLE documents", "\x00arrested\x00", "😀", "😀 arrested", "(((", "{title text}:", "\ud800", "",
     "   ", "arrested " * 12_000, "\"" * 100_000, "日本語 arrested", "+arrested", "arrested*", "it is", "a",
     " ".join(f"word{number}" for number in range(10_000)), "2026-01-10 17:00 3.5"],
)  # fmt: skip
def test_a_query_is_arbitrary_text(archive: Archive, query: str) -> None:
    found = titles(search(archive, query))
    if "arrested" in query and not query.startswith("title:"):
        assert "Two arrested" in found


@given(st.text(st.sampled_from("ab \"'*^:()+-,{}\x00é1.") | st.characters(), max_size=60))
@settings(max_examples=cases(100, 200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_breaks_the_search(archive: Archive, query: str) -> None:
    assert len(search(archive, query).hits) <= 8


def test_it_is_built_once_and_named_by_its_content(tmp_path: Path, own_state: Path) -> None:
    file = write_evidence(tmp_path / "evidence.jsonl", [ARREST])
    first = Archive.open(file)
    (built,) = databases(own_state)
    before = built.stat()
    same = Archive.open(write_evidence(tmp_path / "copy.jsonl", [ARREST]))
    assert same.fingerprint == first.fingerprint
    assert built.stat().st_ino == before.st_ino
    other = Archive.open(write_evidence(file, [ARREST, CHARGES]))
    assert other.fingerprint != first.fingerprint
    assert len(databases(own_state)) == 2
    assert titles(search(first, "charged")) == []


def test_a_document_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    changed = ARREST.model_copy(update={"modified": CHARGES.published})
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", [ARREST, ARREST, changed]))
    assert len(search(archive, "arrested").hits) == 2
    assert len(search(archive, "arrested", parse_utc("2026-01-11T00:00:00Z")).hits) == 1


def test_wrong_lines_are_reported_and_nothing_is_kept(tmp_path: Path, own_state: Path) -> None:
    file = write_evidence(tmp_path / "evidence.jsonl", [ARREST])
    file.write_text(file.read_text(encoding="utf-8") + '{"url": "u"}\n', encoding="utf-8")
    for _ in range(2):
        with pytest.raises(InputProblems, match=r"line 2, field title: Field required"):
            Archive.open(file)
    assert databases(own_state) == []


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl: the evidence file cannot be read: No such file"):
        Archive.open(tmp_path / "nowhere.jsonl")


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("CRUXBENCH_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(InputError, match="Set CRUXBENCH_CACHE_DIR to a folder"):
        Archive.open(write_evidence(tmp_path / "evidence.jsonl", [ARREST]))


def test_a_half_built_or_damaged_database_is_not_used(tmp_path: Path, own_state: Path) -> None:
    file = write_evidence(tmp_path / "evidence.jsonl", [ARREST])
    Archive.open(file)
    (built,) = databases(own_state)
    whole = built.read_bytes()
    unfinished = built.with_name(f"{built.stem}.planted.building")
    unfinished.write_bytes(whole[: len(whole) // 2])
    for damaged in (b"", whole[:1000], b"no database" * 500):
        built.write_bytes(damaged)
        assert titles(search(Archive.open(file), "arrested")) == ["Two arrested"]
    assert databases(own_state) == sorted([built, unfinished])


def test_a_database_that_is_gone_is_an_outage(archive: Archive, own_state: Path) -> None:
    (built,) = databases(own_state)
    built.unlink()
    with pytest.raises(SourceFailure) as caught:
        search(archive, "arrested")
    assert (caught.value.source, caught.value.kind) == ("archive", "outage")


def _open_and_search(
    file: Path, start: "multiprocessing.synchronize.Event", answers: "multiprocessing.Queue[str]"
) -> None:
    start.wait()
    answers.put(search(Archive.open(file), "arrested word7").model_dump_json())


def test_processes_that_start_at_once_see_the_same(tmp_path: Path, own_state: Path) -> None:
    documents = [make_document("2026-01-10", text=f"Arrested word{number}.") for number in range(2000)]
    file = write_evidence(tmp_path / "evidence.jsonl", documents)
    context = multiprocessing.get_context("fork")
    start, answers = context.Event(), context.Queue()
    processes = [context.Process(target=_open_and_search, args=(file, start, answers)) for _ in range(4)]
    for process in processes:
        process.start()
    start.set()
    found = {answers.get(timeout=60) for _ in processes}
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert len(found) == 1
    assert json.loads(found.pop())["hits"][0]["document"]["text"] == "Arrested word7."
    (built,) = databases(own_state)
    assert sqlite3.connect(built).execute("SELECT count(*) FROM documents").fetchone() == (2000,)


def test_searches_at_the_same_time_see_the_same(archive: Archive) -> None:
    outcomes: list[SearchOutcome] = []

    async def once() -> None:
        outcomes.append(await archive.search("arrested", LATER, 8))

    async def many() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(40):
                group.start_soon(once)

    anyio.run(many)
    assert len(outcomes) == 40
    assert all(outcome == outcomes[0] for outcome in outcomes)


def as_given(moment: datetime, zone: timezone, form: str) -> str:
    """A moment as someone in a zone would state it."""
    local = moment.astimezone(zone)
    if form == "date":
        return local.date().isoformat()
    return (local.replace(tzinfo=None) if form == "no zone" else local).isoformat()


WEEK_START = datetime(2026, 1, 1, tzinfo=UTC)
FORMS = st.sampled_from(["instant", "no zone", "date"])
OFFSETS = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DATED = st.tuples(st.integers(0, 7 * 86_400_000), OFFSETS, FORMS, st.none() | st.tuples(st.integers(0, 10**8), FORMS))
"""A moment of publication in milliseconds, in a zone and a form, and how much later and in which form it changed."""


def dated_document(
    number: int, published: int, zone: timezone, form: str, change: tuple[int, str] | None
) -> tuple[Document, datetime]:
    """A document of class B and the moment when its text was really finished."""
    finished = WEEK_START + timedelta(milliseconds=published)
    fields = {"published": as_given(finished, zone, form)}
    if change is not None:
        finished += timedelta(milliseconds=change[0])
        fields["modified"] = as_given(finished, zone, change[1])
    return make_document(**fields, text=f"Text {number}."), finished


@given(st.lists(DATED, min_size=50, max_size=50), st.integers(0, 49), st.integers(-2, 2), st.integers(-1, 1))
@settings(
    max_examples=cases(40, 100),
    deadline=None,
    phases=[Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_nothing_on_or_after_the_cutoff_is_ever_returned(
    tmp_path: Path, drawn: list[tuple[int, timezone, str, tuple[int, str] | None]], near: int, seconds: int, tiny: int
) -> None:
    """Archives of 50 random documents each, at a cutoff near the moment of one of them."""
    dated = [dated_document(number, *fields) for number, fields in enumerate(drawn)]
    documents = [*(document for document, _ in dated), make_document(None, text="Text without a date.")]
    finished = {document.id: moment for document, moment in dated}
    cutoff = dated[near][1] + timedelta(seconds=seconds, microseconds=tiny)
    archive = Archive.open(write_evidence(tmp_path / "evidence.jsonl", documents))

    async def use(source: Archive | FakeSource) -> EvidenceSession:
        session = EvidenceSession(source, cutoff, limit=100)
        await session.search("text")
        for document in documents[:10]:
            await session.fetch(document.id)
        return session

    found = anyio.run(use, archive)
    careless = finish(use(FakeSource(documents, fetched=max(dated, key=lambda pair: pair[1])[0])))
    for session in (found, careless):
        shown = session.documents.values()
        assert [document for document in shown if finished[document.id] >= cutoff] == []
    whole_second = cutoff.replace(microsecond=0)
    bounds = {document.id: last_instant(document) for document in documents}
    provable = {name for name, last in bounds.items() if last is not None and last < whole_second}
    assert provable <= found.documents.keys()
    assert len(careless.documents) + careless.counts.rejected.total() >= len(documents)


def test_the_real_set_is_searched(reference_data: Path) -> None:
    archive = Archive.open(reference_data / "sets" / "louvre" / "evidence.jsonl")
    find = partial(search, archive, "suspects arrested Louvre")
    assert titles(find(parse_utc("2025-11-22T12:00:00Z")))[0] == "Two suspects arrested in the Louvre heist"
    assert "Two suspects arrested in the Louvre heist" not in titles(find(parse_utc("2025-10-26T00:00:00Z")))
