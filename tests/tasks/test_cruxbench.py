import json
from pathlib import Path
from typing import Any

import pytest

from cruxbench_inspect import BENCHMARK_VERSION
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.utc import format_utc
from tasks.cruxbench import cruxbench
from tests.small_set import question, write_set


def everything_in(sample: Any) -> str:
    """All that a sample holds, as text."""
    return json.dumps(sample.model_dump(mode="json"), ensure_ascii=False)


def test_samples_of_the_demo_set_hold_nothing_of_the_future() -> None:
    question_set = QuestionSet.load("demo")
    samples = {sample.id: everything_in(sample) for sample in cruxbench().dataset}
    assert list(samples) == [question.id for question in question_set.questions]
    assert question_set.evidence_file is not None
    documents = [json.loads(line) for line in question_set.evidence_file.read_text(encoding="utf-8").splitlines()]
    compared = 0
    for one in question_set.questions:
        held = samples[one.id]
        late = [document for document in documents if document["published"][:10] >= format_utc(one.window.start)[:10]]
        assert late
        for document in late:
            compared += 1
            assert document["text"] not in held
            assert json.dumps(document["text"], ensure_ascii=False)[1:-1] not in held
            assert document["url"] not in held
        outcome = question_set.outcome(one.id)
        if outcome.resolved_at is not None:
            assert format_utc(outcome.resolved_at) not in held
    assert compared > 1000


def test_a_sample_s_fields() -> None:
    question_set = QuestionSet.load("demo")
    sample = cruxbench(width=12, verify=False).dataset[0]
    one = question_set.question(str(sample.id))
    assert isinstance(sample.input, str)
    assert (sample.target, sample.choices, sample.files, sample.setup) == ("", None, None, None)
    assert sample.metadata == {
        "question_id": one.id,
        "question": one.question,
        "event": one.event,
        "tags": list(one.tags),
        "window_start": format_utc(one.window.start),
        "window_end": format_utc(one.window.end),
        "set_name": "demo",
        "set_version": question_set.manifest.version,
        "set_digest": question_set.digest,
        "set_path": "demo",
        "evidence": "archive",
        "width": 12,
        "verify": False,
        "k": 1,
    }


def test_a_question_without_an_event_is_an_event_of_its_own(tmp_path: Path) -> None:
    lines = [question("harbour"), question("pier", event_id="the port")]
    folder = write_set(tmp_path / "small", lines, judge="cruxbench/keyword")
    events = [(sample.metadata or {})["event"] for sample in cruxbench(questions=str(folder)).dataset]
    assert events == ["harbour", "the port"]


def test_the_version_names_the_question_set(tmp_path: Path) -> None:
    first = write_set(tmp_path / "small", judge="cruxbench/keyword")
    second = write_set(tmp_path / "other" / "small", judge="cruxbench/keyword", outcomes=[])
    third = write_set(tmp_path / "third" / "small", judge="scripted/other")
    versions = [cruxbench(questions=str(folder)).version for folder in (first, second, third)]
    assert str(versions[0]).startswith(f"{BENCHMARK_VERSION} small-1-")
    assert versions[0] != versions[1]
    assert versions[0] == versions[2]


def test_a_relative_folder_is_read_from_where_the_user_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path / "small", judge="cruxbench/keyword")
    monkeypatch.setattr("cruxbench_inspect.working_directory.USER_DIRECTORY", tmp_path)
    sample = cruxbench(questions="small").dataset[0]
    assert sample.metadata is not None
    assert sample.metadata["set_path"] == (tmp_path / "small").as_posix()


@pytest.mark.parametrize("number", [0, 1, 10])
def test_how_many_articles_are_shown(number: int) -> None:
    question_set = QuestionSet.load("demo")
    for sample in list(cruxbench(articles=number).dataset)[:5]:
        shown = min(number, len(question_set.question(str(sample.id)).articles))
        assert str(sample.input).count("<article published=") == shown
        assert ("(no articles were found)" in str(sample.input)) == (shown == 0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"questions": "nowhere"}, "there is no question set 'nowhere'"),
        ({"evidence": "the stars"}, "unknown evidence source 'the stars'. Known: archive"),
        ({"width": 0}, "width is 0, and must be a whole number from 1 to 48"),
        ({"width": 49}, "width is 49"),
        ({"width": "wide"}, "width is 'wide'"),
        ({"width": True}, "width is True"),
        ({"verify": "maybe"}, "verify is 'maybe'"),
        ({"record": "/"}, "search results cannot be stored there"),
        ({"width": 24.5}, "width is 24.5"),
        ({"articles": -1}, "articles is -1, and must be a whole number from 0"),
        ({"k": 0}, "k is 0, and must be a whole number from 1"),
    ],
)
def test_a_wrong_parameter_is_told_at_once(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        cruxbench(**parameters)
    assert message in str(refused.value)


def test_an_archive_without_evidence_is_told_at_once(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "small", judge="cruxbench/keyword")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["files"]["evidence.jsonl"]
    (folder / "evidence.jsonl").unlink()
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match="ships no evidence.jsonl"):
        cruxbench(questions=str(folder))


def test_the_viewer_shows_each_value_under_a_label() -> None:
    task = cruxbench()
    assert task.viewer is not None and task.viewer.task_samples_view is not None
    view = task.viewer.task_samples_view
    view = view[0] if isinstance(view, list) else view
    assert set(view.score_labels or {}) == set(VALUES)
    assert set(view.score_color_scales or {}) <= set(VALUES)
    headline = task.headline_metric
    assert (getattr(headline, "scorer", None), getattr(headline, "score", None)) == ("voi", "voi_kl")
