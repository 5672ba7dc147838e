import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive_export import export
from cruxbench_inspect.evidence.cutoff import last_instant, rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.evidence_file import read_documents
from cruxbench_inspect.evidence.local_archive import LocalArchive
from tests.evidence.fake_source import make_document
from tests.extent import cases

COPY = make_document(
    None, text="A copy.", captured="2026-01-12T12:00:00Z", proof="A", version="https://archive.example/1"
)
CLAIM = make_document("2026-01-10", text="Changed.", modified="2026-01-11T09:00:00+01:00", excerpt=True)


def read(file: Path) -> list[Document]:
    with file.open("rb") as lines:
        return list(read_documents(lines, file))


def test_a_copy_without_a_date_is_dated_by_its_capture(tmp_path: Path) -> None:
    file = tmp_path / "evidence.jsonl"
    assert export([COPY, CLAIM], file) == (2, 0)
    copy, claim = read(file)
    assert claim == CLAIM
    assert copy == Document.model_validate({**COPY.model_dump(), "proof": "B", "published": "2026-01-12T12:00:00Z"})
    assert set(json.loads(file.read_text(encoding="utf-8").splitlines()[0])) == {
        "url", "title", "source", "published", "captured", "text", "version"
    }  # fmt: skip


def test_what_no_cutoff_admits_is_left_out(tmp_path: Path) -> None:
    documents = [
        make_document(None),
        make_document("2026-01-10", proof="A"),
        make_document("2026-01-10", url="https://kalshi.com/markets/a"),
        CLAIM,
    ]
    archive = LocalArchive(tmp_path / "my.archive")
    archive.add(documents)
    assert export(archive.documents(), tmp_path / "evidence.jsonl") == (1, 3)
    assert read(tmp_path / "evidence.jsonl") == [CLAIM]


def test_an_export_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    def stopped() -> Iterator[Document]:
        yield CLAIM
        raise KeyboardInterrupt

    file = tmp_path / "evidence.jsonl"
    export([CLAIM, COPY], file)
    before = file.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        export(stopped(), file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for target, why in (
        (tmp_path, "no file"),
        (tmp_path / "nowhere" / "evidence.jsonl", "the export cannot be written"),
    ):
        with pytest.raises(InputError, match=f"{target}: {why}"):
            export([CLAIM], target)
    assert list(tmp_path.iterdir()) == []


START = datetime(2026, 1, 1, tzinfo=UTC)
INSTANTS = st.integers(0, 5 * 86_400_000).map(lambda milliseconds: START + timedelta(milliseconds=milliseconds))


@st.composite
def moments(draw: st.DrawFn) -> str | None:
    """A date, a time without a zone, a time with one, or nothing."""
    moment = draw(INSTANTS)
    offset = timedelta(minutes=draw(st.integers(-12 * 60, 14 * 60)))
    local = (moment + offset).replace(tzinfo=None)
    zone = f"{'-' if offset < timedelta() else '+'}{abs(offset) // timedelta(hours=1):02}:"
    zone += f"{abs(offset) // timedelta(minutes=1) % 60:02}"
    return draw(st.sampled_from([local.date().isoformat(), local.isoformat(), local.isoformat() + zone, None]))


DOCUMENTS = st.builds(
    make_document,
    moments(),
    modified=moments(),
    captured=moments(),
    proof=st.sampled_from(["A", "B"]),
    url=st.sampled_from(["https://news.example/a", "https://polymarket.com/event/a", 'Ünïcode \\u0022 "x"']),
    title=st.text(max_size=20),
    text=st.text(max_size=60),
    version=st.sampled_from([None, "https://archive.example/1"]),
    excerpt=st.booleans(),
)


@given(st.lists(DOCUMENTS, max_size=8), st.lists(INSTANTS, min_size=5, max_size=5))
@settings(max_examples=cases(60, 150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_read_again_it_is_the_same_and_admits_no_more(
    tmp_path: Path, documents: list[Document], cutoffs: list[datetime]
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    written, left_out = export(documents, first)
    again = read(first)
    assert (len(again), written + left_out) == (written, len(documents))
    exported = [document for document in documents if rejection(document, datetime.max.replace(tzinfo=UTC)) is None]
    assert len(exported) == written
    for original, copy in zip(exported, again, strict=True):
        kept = {"proof", "published"} if original.published is None else {"proof"}
        assert copy.model_dump(exclude=kept) == original.model_dump(exclude=kept)
        before, after = last_instant(original), last_instant(copy)
        assert before is not None
        assert after is not None
        assert before <= after
        for cutoff in (*cutoffs, before, after):
            assert rejection(copy, cutoff) is not None or rejection(original, cutoff) is None
    export(again, second)
    assert second.read_bytes() == first.read_bytes()


@pytest.mark.parametrize(
    "content",
    [
        b'{"format": 1}\n',
        b'{"id": "bridge", "url": "https://markets.example/1", "question": "Will it open?"}\n',
        b"question_id,moment,yes_price\n",
        b'["url", "published", "text"]\n',
        b"\n",
        b"7\n",
        b"[" * 100_000,
        b"PK\x03\x04\xff\xfe",
    ],
)
def test_a_file_that_holds_something_else_is_never_replaced(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match="holds no documents"):
        export([CLAIM], file)
    assert file.read_bytes() == content


def test_an_earlier_export_and_an_empty_file_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "evidence.jsonl"
    file.touch()
    assert export([CLAIM, COPY], file) == (2, 0)
    assert export([CLAIM], file) == (1, 0)
    assert read(file) == [CLAIM]
