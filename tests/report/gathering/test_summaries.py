"""Headers and summaries as Inspect reads them, with and without Inspect."""

import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
import inspect_ai.log
import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample_summaries, write_eval_log

from cruxbench_inspect.report.gathering.summaries import Header, SummarisedLog, Summary
from cruxbench_inspect.report.gathering.unread import DAMAGE
from tasks.cruxbench import cruxbench
from tests.evaluating import evaluate, own_caches, rescore, samples_of
from tests.scripted_model import Answer, Call, crux_json, judge, scripted
from tests.small_set import question, write_set

HEADER, SUMMARIES = "header.json", "summaries.json"
LONG = "Will it\nrain?  " * 200
ZSTANDARD = 93
"""The compression of Inspect, which it teaches ``zipfile``."""

Parts = dict[str, bytes]


def propose(call: Call) -> Answer:
    text = call.messages[0].text
    if "Alvara pier" in text:
        return RuntimeError(LONG)
    return crux_json(question="Will the judge break down by 7 March 2025?") if "Alvara quay" in text else crux_json()


def breaks_down(call: Call) -> Answer:
    return RuntimeError("broken") if "break down" in call.crux["question"] else judge()(call)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EvalLog]:
    """A finished log of a scored sample, one with an error, and one without a score of its own (NaN)."""
    folder = tmp_path_factory.mktemp("summaries")
    names = ["harbour", "pier", "quay"]
    questions = write_set(folder / "small", [question(name) for name in names], judge=scripted(breaks_down).name)
    with own_caches(folder / "caches"):
        yield evaluate(questions, scripted(propose).name, folder / "logs", fail_on_error=False, epochs=2)


def of_inspect(location: str) -> tuple[str, str]:
    """Header and summaries by Inspect, or what it raises; as text, in which NaN is equal to itself."""
    return (
        _outcome(lambda: Header.model_validate(read_eval_log(location, header_only=True))),
        _outcome(lambda: list(map(Summary.model_validate, read_eval_log_sample_summaries(location)))),
    )


def ours(location: str) -> tuple[str, str]:
    found = SummarisedLog(location)
    return _outcome(lambda: found.header), _outcome(lambda: found.summaries)


def _outcome(read: Callable[[], Any]) -> str:
    try:
        return repr(read())
    except DAMAGE as error:
        return f"{type(error).__name__}: {error}"


def takes_inspect(location: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether Inspect has to read the summaries of a log."""
    asked: list[str] = []

    def read(name: str) -> list[Any]:
        asked.append(name)
        return []

    with monkeypatch.context() as patch:
        patch.setattr(inspect_ai.log, "read_eval_log_sample_summaries", read)
        _ = SummarisedLog(location).summaries
    return bool(asked)


def parts_of(log: EvalLog) -> Parts:
    with zipfile.ZipFile(log.location.removeprefix("file://")) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(parts: Parts, path: Path, compression: int = ZSTANDARD) -> str:
    with zipfile.ZipFile(path, "w", compression) as target:
        for name, content in parts.items():
            target.writestr(name, content)
    return str(path)


def saved(log: EvalLog, path: Path) -> str:
    write_eval_log(log, str(path))
    return str(path)


def test_a_fresh_log(log: EvalLog, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ours(log.location) == of_inspect(log.location)
    summaries = SummarisedLog(log.location).summaries
    assert len(summaries) == 6 and sum(bool(one.error) for one in summaries) == 2
    assert "nan" in repr(summaries)
    assert not takes_inspect(log.location, monkeypatch)


def test_finished_logs_are_read_without_loading_inspect(log: EvalLog) -> None:
    program = (
        "import sys; from cruxbench_inspect.report.gathering.logs import read_log; "
        "read = read_log(sys.argv[1]); "
        "print(len(read.samples), *{'inspect_ai', 'altair', 'scipy.stats'}.intersection(sys.modules))"
    )
    command = [sys.executable, "-c", program, log.location.removeprefix("file://")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() == ["6"]


def test_a_report_of_tables_loads_only_what_it_needs(log: EvalLog, tmp_path: Path) -> None:
    program = (
        "import sys; from cruxbench_inspect.cli import main; "
        "main(sys.argv[1:], standalone_mode=False); "
        "print(*{'inspect_ai', 'altair', 'scipy.stats', 'httpx'}.intersection(sys.modules))"
    )
    arguments = ["report", log.location.removeprefix("file://"), "-o", str(tmp_path / "r"), "--no-figures"]
    command = [sys.executable, "-c", program, *arguments]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert "tables, 0 figures, 1 model" in lines[0] and lines[1:] == [""]


def test_rescored_logs(log: EvalLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = rescore(read_eval_log(log.location), action="append", width=6)
    location = saved(again, tmp_path / "again.eval")
    assert ours(location) == of_inspect(location) != of_inspect(log.location)
    assert not takes_inspect(location, monkeypatch)


def test_a_log_that_is_not_packed(log: EvalLog, tmp_path: Path) -> None:
    location = saved(read_eval_log(log.location), tmp_path / "log.json")
    assert ours(location) == of_inspect(location)


def test_cancelled_logs(log: EvalLog, tmp_path: Path) -> None:
    cancelled = read_eval_log(log.location)
    cancelled.status, cancelled.samples, cancelled.results = "cancelled", samples_of(cancelled)[:1], None
    location = saved(cancelled, tmp_path / "cancelled.eval")
    assert ours(location) == of_inspect(location)
    assert SummarisedLog(location).header.status == "cancelled" and len(SummarisedLog(location).summaries) == 1


def test_a_run_that_ended_in_an_error(log: EvalLog, tmp_path: Path) -> None:
    questions = (log.eval.metadata or {})["set_path"]
    (failed,) = eval(
        cruxbench(questions=questions),
        model=scripted(propose).name,
        log_dir=str(tmp_path),
        display="plain",
        max_samples=1,
    )
    assert failed.status == "error"
    assert ours(failed.location) == of_inspect(failed.location)


def test_an_unfinished_log_has_only_its_journal(log: EvalLog, tmp_path: Path) -> None:
    journal = {name: content for name, content in parts_of(log).items() if name not in (HEADER, SUMMARIES)}
    location = packed(journal, tmp_path / "unfinished.eval")
    assert ours(location) == of_inspect(location)
    assert SummarisedLog(location).header.status == "started" and len(SummarisedLog(location).summaries) == 6
    for name in (HEADER, SUMMARIES):
        location = packed({**journal, name: parts_of(log)[name]}, tmp_path / f"without-{name}.eval")
        assert ours(location) == of_inspect(location)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, ZSTANDARD])
def test_every_compression(log: EvalLog, compression: int, tmp_path: Path) -> None:
    location = packed(parts_of(log), tmp_path / "packed.eval", compression)
    # What Inspect cannot unpack is no log for a report either, unless the standard library can.
    expected = of_inspect(log.location if compression == zipfile.ZIP_LZMA else location)
    assert ours(location) == expected


def test_another_file_system(log: EvalLog, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"memory:///{uuid4().hex}/a.eval"
    fsspec.filesystem("memory").pipe(address, Path(log.location.removeprefix("file://")).read_bytes())
    assert ours(address) == of_inspect(log.location) == of_inspect(address)
    assert not takes_inspect(address, monkeypatch)


def changed(log: EvalLog, path: Path, change: Callable[[list[Any]], None]) -> str:
    """A log with other summaries than Inspect would have written."""
    parts = parts_of(log)
    summaries = json.loads(parts[SUMMARIES])
    change(summaries)
    return packed({**parts, SUMMARIES: json.dumps(summaries).encode()}, path)


@pytest.mark.parametrize(
    ("key", "value", "is_kept"),
    [
        ("text", LONG, False),
        ("text", "a" * 1024, True),
        ("text", "a" * 1025, False),
        ("text", "two  spaces", False),
        ("text", " edge", False),
        ("text", "no\u2003break\u00a0at all", False),
        ("text", "x" * 500 + " " + "-long-" * 80, True),
        ("list", ["word"] * 20, True),
        ("list", ["word"] * 200, False),
        ("nested", {"a": [1, None, 2.5, {"b": "two  spaces\n"}]}, True),
        ("number", float("nan"), True),
        ("number", float("-inf"), True),
        ("number", 10**30, True),
        ("number", 0.1 + 0.2, True),
        ("nothing", None, True),
        ("truth", True, True),
        ("unscored_reason", "no answer", False),
        ("sign", "\ud800", False),
    ],
)
def test_what_inspect_would_change_is_read_by_it(
    log: EvalLog, key: str, value: Any, is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(summaries: list[Any]) -> None:
        summaries[0]["metadata" if key != "unscored_reason" else "unused"] = {key: value}
        score = next(score for summary in summaries for score in (summary["scores"] or {}).values())
        score["metadata"][key] = value
        score["reason"] = None

    location = changed(log, tmp_path / "changed.eval", change)
    assert ours(location) == of_inspect(location)
    assert takes_inspect(location, monkeypatch) is not is_kept


@pytest.mark.parametrize("field", ["answer", "reason"])
@pytest.mark.parametrize("text", [LONG, "short", "", None])
def test_texts_of_scores(log: EvalLog, field: str, text: str | None, tmp_path: Path) -> None:
    def change(summaries: list[Any]) -> None:
        for summary in summaries:
            for score in (summary["scores"] or {}).values():
                score[field] = text

    location = changed(log, tmp_path / "changed.eval", change)
    assert ours(location) == of_inspect(location)


@pytest.mark.parametrize("value", [1, 0.5, "C", True, [1, 2.5, "a"], {"a": None, "b": True, "c": 1}, float("nan"), {}])
def test_values_of_other_scorers(log: EvalLog, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(summaries: list[Any]) -> None:
        for summary in summaries:
            summary["scores"] = {"other": {"value": value}}

    location = changed(log, tmp_path / "changed.eval", change)
    assert ours(location) == of_inspect(location)
    assert not takes_inspect(location, monkeypatch)


def test_of_a_sample_that_was_run_again_the_last_summary_counts(log: EvalLog, tmp_path: Path) -> None:
    def change(summaries: list[Any]) -> None:
        summaries.append({**summaries[0], "total_time": 77.0})

    location = changed(log, tmp_path / "twice.eval", change)
    assert ours(location) == of_inspect(location)
    found = SummarisedLog(location).summaries
    assert len(found) == 6 and found[0].total_time == 77.0


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"[1]", b'[{"id": 1}]', b"[", b"\xff\xfe", b'[{"id": "a", "epoch": "x"}]', b"null"]
)
@pytest.mark.parametrize("name", [HEADER, SUMMARIES])
def test_parts_that_are_none(log: EvalLog, name: str, content: bytes, tmp_path: Path) -> None:
    location = packed({**parts_of(log), name: content}, tmp_path / "broken.eval")
    assert ours(location) == of_inspect(location)


def test_old_headers(log: EvalLog, tmp_path: Path) -> None:
    parts = parts_of(log)
    header = json.loads(parts[HEADER])
    del header["eval"]["eval_id"], header["eval"]["task_id"]
    header["eval"]["created"] = "2025-03-01T12:00:00"
    location = packed({**parts, HEADER: json.dumps(header).encode()}, tmp_path / "old.eval")
    assert ours(location) == of_inspect(location)
    assert SummarisedLog(location).header.eval.eval_id


def test_broken_bytes_are_told_as_inspect_tells_them(log: EvalLog, tmp_path: Path) -> None:
    dice, path = random.Random(3), tmp_path / "broken.eval"
    data = Path(log.location.removeprefix("file://")).read_bytes()
    whole, as_whole = ours(log.location), 0
    for number in range(60):
        broken = bytearray(data[: len(data) * dice.randrange(1, 16) // 16] if number % 4 == 0 else data)
        broken[dice.randrange(len(broken) * 3 // 4, len(broken))] = dice.randrange(256)
        path.write_bytes(broken)
        assert ours(str(path)) == of_inspect(str(path))
        as_whole += ours(str(path)) == whole
    assert 0 < as_whole < 45


def test_missing_files(tmp_path: Path) -> None:
    for name in ("gone.eval", "gone.json"):
        assert ours(str(tmp_path / name)) == of_inspect(str(tmp_path / name))
