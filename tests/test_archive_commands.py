"""The ``cruxbench archive`` commands, as a user runs them."""

import json
import os
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cruxbench_inspect.cli import main
from cruxbench_inspect.evidence import bulk_import
from cruxbench_inspect.evidence.services.article_lists import minutes
from tests.evaluating import evaluate
from tests.evidence.fake_source import make_document
from tests.loopback.faults import Fault
from tests.loopback.world import QUOTE, RULING_PAGE, RULING_TITLE, World, harbour_world
from tests.scripted_model import generator, judge, scripted
from tests.small_set import report, write_set


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The services, and days that are over after the hours that have lists."""
    monkeypatch.setattr(bulk_import, "minutes", _some_minutes)
    world = harbour_world()
    row = {"date": "2025-03-04T12:40:00Z", "url": RULING_PAGE, "title": RULING_TITLE, "domain": "courier.news"}
    row |= {"desc": "The licence of the crossing is upheld.", "lang": "en", "outletName": "Courier"}
    other = {**row, "url": "https://courier.news/football", "title": "Football", "desc": "A match was won."}
    french = {**row, "url": "https://courrier.news/jugement", "title": "Le jugement", "lang": "fr"}
    world.gdelt.lists = {"20250304124500": [row, other, french], "20250304130100": [row]}
    with world.served() as settings:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        yield world


def _some_minutes(first: date, last: date) -> Iterator[datetime]:
    return (minute for minute in minutes(first, last) if 12 <= minute.hour < 14)


def run(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["archive", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_documents_of_files_are_added_searched_and_exported(tmp_path: Path) -> None:
    archive, file, target = tmp_path / "my.archive", tmp_path / "evidence.jsonl", tmp_path / "out.jsonl"
    documents = [make_document("2026-01-10T12:00:00Z", title="Arrest"), make_document("2026-02-10", title="Charges")]
    file.write_text("".join(one.model_dump_json(exclude={"proof"}) + "\n" for one in documents), encoding="utf-8")
    assert "2 documents added" in run("add", archive, file).output
    assert "0 documents added" in run("add", archive, file).output
    for searched in (archive, file):
        result = run("search", searched, "text", "--before", "2026-01-20")
        assert 'title="Arrest"' in result.output and "Charges" not in result.stdout
        assert "withheld: 1 published_after_cutoff" in result.stderr
    assert "2 (2 of class B), 2 with a text" in run("stats", archive).output
    assert "1 documents, 0 left out" in run("export", archive, target, "--before", "2026-01-20T00:00:00Z").output
    assert [json.loads(line)["title"] for line in target.read_text(encoding="utf-8").splitlines()] == ["Arrest"]


def written(file: Path, count: int) -> Path:
    documents = [make_document(f"2026-01-{number % 28 + 1:02}", title=f"Title {number}") for number in range(count)]
    lines = (one.model_copy(update={"url": f"https://a.org/{n}"}) for n, one in enumerate(documents))
    file.write_text("".join(one.model_dump_json(exclude={"proof"}) + "\n" for one in lines), encoding="utf-8")
    return file


def test_an_export_never_replaces_an_archive(tmp_path: Path) -> None:
    archive, other = tmp_path / "my.archive", tmp_path / "other.archive"
    file = written(tmp_path / "evidence.jsonl", 3)
    run("add", archive, file)
    run("add", other, file)
    before = archive.read_bytes(), other.read_bytes()
    for target in (archive, other):
        assert "an archive stands there" in run("export", archive, target, code=1).output
    assert (archive.read_bytes(), other.read_bytes()) == before


def test_an_export_into_a_question_set_says_what_its_manifest_needs(tmp_path: Path) -> None:
    archive, folder = tmp_path / "my.archive", write_set(tmp_path / "set", judge=None)
    run("add", archive, written(tmp_path / "more.jsonl", 3))
    output = run("export", archive, folder / "evidence.jsonl").output
    name, digest = json.loads("{" + output.splitlines()[-1].split(": ", 1)[1] + "}").popitem()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["files"][name] != digest
    manifest["files"][name] = digest
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    validated = CliRunner().invoke(main, ["questions", "validate", str(folder)])
    assert validated.exit_code == 0 and "3 documents" in validated.output


def test_an_export_follows_a_link_and_spares_what_is_no_file(tmp_path: Path) -> None:
    archive, real, link = tmp_path / "my.archive", tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    run("add", archive, written(tmp_path / "evidence.jsonl", 3))
    link.symlink_to(real)
    run("export", archive, link)
    assert link.is_symlink() and len(real.read_text(encoding="utf-8").splitlines()) == 3
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "pipe", tmp_path):
        assert "no file" in run("export", archive, target, code=1).output
    assert (tmp_path / "pipe").is_fifo()


def test_an_export_tells_what_a_moment_leaves_out(tmp_path: Path) -> None:
    archive = tmp_path / "my.archive"
    run("add", archive, written(tmp_path / "evidence.jsonl", 28))
    output = run("export", archive, tmp_path / "out.jsonl", "--before", "2026-01-08T12:00:00Z").output
    assert "7 documents, 0 left out" in output and "21 others are not certainly from before" in output


def test_a_folder_is_no_file_of_documents(tmp_path: Path) -> None:
    result = run("add", tmp_path / "my.archive", tmp_path, code=1)
    assert f"{tmp_path}: the file cannot be read" in result.output and "Traceback" not in result.output


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file that is an archive."""
    folder = tmp_path_factory.mktemp("sound")
    run("add", folder / "my.archive", written(folder / "evidence.jsonl", 1_000))
    return (folder / "my.archive").read_bytes()


@pytest.mark.parametrize("command", ["stats", "export", "search", "add"])
@pytest.mark.parametrize("pattern", [b"\x00", b"\xff", b"\x41\xc3"])
def test_a_damaged_archive_is_told_in_one_line(tmp_path: Path, sound: bytes, command: str, pattern: bytes) -> None:
    archive, file = tmp_path / "my.archive", written(tmp_path / "evidence.jsonl", 10)
    content = bytearray(sound)
    middle = len(content) // 8
    content[middle : 7 * middle] = (pattern * len(content))[: 6 * middle]
    archive.write_bytes(content)
    arguments: dict[str, list[str | Path]] = {
        "stats": [],
        "export": [tmp_path / "out"],
        "search": ["title 7", "--before", "2026-03-01"],
    }
    result = run(command, archive, *arguments.get(command, [file]), code=1)
    assert isinstance(result.exception, SystemExit), result.exception
    assert len(result.output.splitlines()) == 1 and str(archive) in result.output


def test_article_lists_of_some_days_are_added_and_not_read_again(tmp_path: Path, world: World) -> None:
    archive = tmp_path / "my.archive"
    first = run("add", archive, "--gdelt", "2025-03-04", "--match", "licen[cs]e")
    assert "2 documents added from 2 article lists; 0 lines could not be read" in first.output
    asked = len(world.gdelt.requests)
    assert (
        "0 documents added from 0 article lists"
        in run("add", archive, "--gdelt", "2025-03-04", "--match", "licen[cs]e").output
    )
    assert len(world.gdelt.requests) == asked
    wider = run("add", archive, "--gdelt", "2025-03-04..2025-03-04", "--language", "en", "--language", "fr")
    assert "2 documents added" in wider.output
    shown = run("search", archive, "licence crossing", "--before", "2025-03-05").output
    assert RULING_TITLE in shown
    assert "No documents" in run("search", archive, "licence", "--before", "2025-03-04T12:40:00Z").output


def test_an_import_that_fails_keeps_what_it_has_and_goes_on(tmp_path: Path, world: World) -> None:
    archive = tmp_path / "my.archive"
    world.gdelt.faults = [Fault(403, b"Forbidden")]
    failed = run("add", archive, "--gdelt", "2025-03-04", code=1)
    assert "auth" in failed.output and "the same command goes on from there" in failed.output
    assert "3 documents added" in run("add", archive, "--gdelt", "2025-03-04").output


def test_texts_are_added_as_they_were_stored(tmp_path: Path, world: World) -> None:
    archive = tmp_path / "my.archive"
    run("add", archive, "--gdelt", "2025-03-04", "--match", "licence")
    added = run("add", archive, "--texts", "2025-03-09")
    assert "1 texts added; of 0 pages there is no copy" in added.output
    asked = len(world.wayback.requests)
    assert "0 texts added" in run("add", archive, "--texts", "2025-03-09").output
    assert len(world.wayback.requests) == asked
    assert QUOTE.split()[2] in run("search", archive, "ruling cannot be appealed", "--before", "2025-03-09").output
    assert "of class A" in run("stats", archive).output


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("add", "new"), 2, "nothing to add"),
        (("add", "new", "missing.jsonl"), 2, "does not exist"),
        (("add", "new", "--gdelt", "2025-13-01"), 2, "is no stretch of days such as 2025-10-19..2025-10-26"),
        (("add", "new", "--gdelt", "2025-03-05..2025-03-04"), 2, "ends before it begins"),
        (("add", "new", "--gdelt", "2025-03-04", "--match", "("), 2, "is no regular expression"),
        (("search", "missing", "words", "--before", "2025-03-05"), 2, "does not exist"),
        (("search", ".", "words", "--before", "soon"), 2, "is no moment such as 2025-10-27"),
        (("search", ".", "words", "--before", "2025-03-05"), 1, "cannot be read"),
        (("stats", "."), 1, "no local archive"),
    ],
)
def test_bad_arguments_are_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments, code=code)
    assert message in result.output and "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("command", ["add", "search", "stats", "export"])
def test_help_shows_an_example(command: str) -> None:
    assert f"cruxbench archive {command} my" in run(command, "--help").output


def test_a_log_is_audited(tmp_path: Path) -> None:
    evaluate("demo", "cruxbench/keyword", tmp_path / "logs", limit=2)
    target = tmp_path / "audit.json"
    result = run("audit", tmp_path / "logs", "--json", target)
    assert "1 log, 2 samples" in result.output and "95% (Wilson)" in result.output
    told = json.loads(target.read_text(encoding="utf-8"))
    assert told["everything"]["items"] > 0 and told["everything"]["flagged"] == 0


def test_a_log_with_a_leak_ends_in_exit_code_one(tmp_path: Path) -> None:
    leak = report(text=f"Updated 2 July 2025: {QUOTE}, and on 30 June 2025 the crossing was opened to traffic.")
    questions = write_set(tmp_path / "small", judge=scripted(judge()).name, evidence=(leak,))
    evaluate(questions, scripted(generator()).name, tmp_path / "logs")
    result = run("audit", tmp_path / "logs", code=1)
    assert "Updated 2 July 2025" in result.output and "judge" in result.output


def test_an_audit_of_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = CliRunner().invoke(main, ["archive", "audit", str(tmp_path / "empty")])
    assert "Traceback" not in result.output
    assert "no" in result.output.lower()


def test_an_auditor_without_a_key_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = run("audit", tmp_path, "--auditor", "openai/gpt-5.4", code=1)
    assert "the auditor 'openai/gpt-5.4' cannot be used" in result.output and "Traceback" not in result.output
