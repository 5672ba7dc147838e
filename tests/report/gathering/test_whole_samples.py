"""Whole samples are what Inspect reads, from logs of all kinds."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import InfoEvent, SpanBeginEvent, SpanEndEvent
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample, write_eval_log

from cruxbench_inspect.report.gathering.unread import DAMAGE
from cruxbench_inspect.report.gathering.whole_samples import read_whole_sample
from tests.evaluating import evaluate, own_caches, rescore
from tests.scripted_model import crux_json, generator, judge, scripted
from tests.small_set import question, report, write_set

LONG = "The court has heard the case of the crossing — for two years. " * 30


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EvalLog]:
    folder = tmp_path_factory.mktemp("whole")
    names = [question("harbour"), question("a b/c?")]
    questions = write_set(folder / "small", names, judge=scripted(judge()).name, evidence=[report(title=LONG.strip())])
    model = scripted(generator(crux_json(background=LONG)))
    with own_caches(folder / "caches"):
        yield evaluate(questions, model.name, folder / "logs", epochs=2)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect is not asked."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("Inspect was asked")

    monkeypatch.setattr("inspect_ai.log.read_eval_log_sample", refuse)


def expected(path: Path, name: str, epoch: int) -> list[Any]:
    sample = read_eval_log_sample(str(path), name, epoch, resolve_attachments="core")
    events = [one for one in sample.events if isinstance(one, InfoEvent | SpanBeginEvent | SpanEndEvent)]
    return [
        sample.metadata,
        [(message.role, message.text) for message in sample.messages],
        sample.output.completion,
        [
            (one.event, one.span_id, getattr(one, "source", None), getattr(one, "data", None), getattr(one, "id", None))
            + ((one.parent_id, one.name) if isinstance(one, SpanBeginEvent) else (None, None))
            for one in events
        ],
    ]


def found(path: Path, name: str, epoch: int) -> list[Any]:
    sample = read_whole_sample(str(path), name, epoch)
    return [
        sample.metadata,
        [(message.role, message.text) for message in sample.messages],
        sample.output.completion,
        [(one.event, one.span_id, one.source, one.data, one.id, one.parent_id, one.name) for one in sample.events],
    ]


@pytest.mark.parametrize("name", ["harbour", "a b/c?"])
@pytest.mark.parametrize("epoch", [1, 2])
def test_a_finished_log_is_read_as_inspect_reads_it(
    log: EvalLog, name: str, epoch: int, request: pytest.FixtureRequest
) -> None:
    path = Path(log.location.removeprefix("file://"))
    whole = expected(path, name, epoch)
    assert LONG.strip() in json.dumps(whole, ensure_ascii=False) and len(whole[3]) > 10
    request.getfixturevalue("alone")
    assert found(path, name, epoch) == whole


@pytest.mark.parametrize("action", ["append", "overwrite"])
def test_a_log_that_was_scored_again(log: EvalLog, tmp_path: Path, action: str) -> None:
    path = tmp_path / "again.eval"
    write_eval_log(rescore(read_eval_log(log.location), action), str(path))
    assert found(path, "harbour", 2) == expected(path, "harbour", 2)


def test_a_log_in_json_is_read_by_inspect(log: EvalLog, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    write_eval_log(read_eval_log(log.location), str(path))
    packed = Path(log.location.removeprefix("file://"))
    assert found(path, "harbour", 1) == found(packed, "harbour", 1)


def test_parts_of_messages_are_joined_as_inspect_joins_them(tmp_path: Path, log: EvalLog) -> None:
    changed = read_eval_log(log.location)
    assert changed.samples is not None
    data = changed.samples[0].model_dump(mode="json")
    data["messages"][-1]["content"] = [
        {"type": "text", "text": "One."},
        {"type": "reasoning", "reasoning": "Hm."},
        {"type": "text", "text": LONG},
    ]
    changed.samples[0] = type(changed.samples[0]).model_validate(data)
    path = tmp_path / "parts.eval"
    write_eval_log(changed, str(path))
    name, epoch = str(changed.samples[0].id), changed.samples[0].epoch
    assert found(path, name, epoch) == expected(path, name, epoch)
    assert found(path, name, epoch)[1][-1] == ("assistant", f"One.\n{LONG}")


def test_what_is_missing_or_damaged_is_told_as_inspect_tells_it(log: EvalLog, tmp_path: Path) -> None:
    path = tmp_path / "cut.eval"
    shutil.copy(log.location.removeprefix("file://"), path)
    with pytest.raises(IndexError):
        read_whole_sample(str(path), "harbour", 3)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DAMAGE):
        read_whole_sample(str(path), "harbour", 1)
    with pytest.raises(DAMAGE):
        read_whole_sample(str(tmp_path / "none.eval"), "harbour", 1)
