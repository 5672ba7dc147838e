from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.evidence.results import ResultStore
from cruxbench_inspect.evidence.sources import _open_part, absolute_name, check_name, open_source
from cruxbench_inspect.evidence.stored_source import StoredSource
from cruxbench_inspect.utc import parse_utc
from cruxbench_inspect.working_directory import user_path
from tests.evidence.fake_source import make_document


def write_evidence(file: Path) -> Path:
    file.write_text(make_document().model_dump_json(exclude={"proof"}) + "\n", encoding="utf-8")
    return file


def test_an_archive_needs_an_evidence_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ships no evidence\.jsonl"):
        open_source("archive", None)
    assert open_source("archive", write_evidence(tmp_path / "evidence.jsonl")).name == "archive"


def test_an_archive_of_ones_own_is_named_by_its_file(tmp_path: Path) -> None:
    file = write_evidence(tmp_path / "a+web.jsonl")
    assert open_source(f"archive:{file}", None).name == "archive"
    with pytest.raises(InputError, match="missing.jsonl"):
        open_source(f"archive:{tmp_path}/missing.jsonl", None)


@pytest.mark.parametrize(
    "name",
    [
        "web",
        "web+live",
        "archive+web",
        "archive:my.jsonl+web",
        "replay:a+b.sqlite",
        "exa+tavily",
        "replay:a.sqlite#archive+web",
    ],
)
def test_names_that_are_right(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wbe", "unknown evidence source 'wbe'. Known: archive, web"),
        ("", "unknown evidence source ''"),
        ("web+wbe", r"unknown evidence source 'web\+wbe'"),
        ("web:file", "unknown evidence source 'web:file'"),
        ("replay", "name the recording, as in evidence=replay:FILE"),
        ("replay:", "name the recording"),
        ("replay:file+web", "replayed alone"),
        ("live", "Join it"),
    ],
)
def test_names_that_are_wrong(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_name(name)
    with pytest.raises(InputError, match=message):
        open_source(name, None)


def test_files_in_names_become_absolute() -> None:
    assert absolute_name("archive+web") == "archive+web"
    assert absolute_name("archive:my.jsonl+web") == f"archive:{user_path('my.jsonl')}+web"
    assert absolute_name("replay:run.sqlite#archive+web") == f"replay:{user_path('run.sqlite#archive+web')}"
    assert absolute_name("replay:my+file#web") == f"replay:{user_path('my+file#web')}"


def test_a_joined_source_is_recorded_and_replayed_by_its_name(tmp_path: Path) -> None:
    file, record = write_evidence(tmp_path / "evidence.jsonl"), str(tmp_path / "run.sqlite")
    cutoff = parse_utc("2026-02-01T00:00:00Z")
    recorded = {}
    for name in ("archive", f"archive+archive:{file}"):
        source = open_source(name, file, record)
        recorded[source.name] = anyio.run(source.search, "words", cutoff, 8)
    assert set(recorded) == {"archive", "archive+archive"}
    with pytest.raises(InputError, match="holds answers of archive, archive\\+archive"):
        open_source(f"replay:{record}", None)
    for name, outcome in recorded.items():
        assert anyio.run(open_source(f"replay:{record}#{name}", None).search, "words", cutoff, 8) == outcome


@pytest.mark.parametrize(
    ("name", "key"), [("exa", "EXA_API_KEY"), ("asknews", "ASKNEWS_API_KEY"), ("tavily", "TAVILY_API_KEY")]
)
def test_all_runs_of_a_process_keep_to_one_pace(name: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider is made once for each key: two question sets in one process share its turns."""
    made = []
    for value in ("one", "one", "another"):
        monkeypatch.setenv(key, value)
        made.append(_open_part(name, None))
    first, again, other = (part.source for part in made if isinstance(part, StoredSource))
    assert first is again and first is not other


def test_a_source_with_a_record_keeps_what_it_answers(tmp_path: Path) -> None:
    source = open_source("archive", write_evidence(tmp_path / "evidence.jsonl"), str(tmp_path / "kept.sqlite"))
    assert isinstance(source, StoredSource) and (tmp_path / "kept.sqlite").is_file()


def test_a_recording_is_named_by_its_file_and_where_needed_its_source(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recording that can be read"):
        open_source(f"replay:{tmp_path}/missing", None)
    ResultStore(tmp_path / "empty#1")
    with pytest.raises(InputError, match="holds no answer of any source"):
        open_source(f"replay:{tmp_path}/empty#1", None)


def test_an_address_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXBENCH_WIKIPEDIA_URL", "en.wikipedia.org")
    with pytest.raises(InputProblems, match="CRUXBENCH_WIKIPEDIA_URL=en.wikipedia.org"):
        open_source("web", None)
