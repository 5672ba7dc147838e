"""Which logs stand for a model, and what entries are called."""

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
import pytest

from cruxbench_inspect.report.gathering.run import Run, ScoredSample, Terms
from cruxbench_inspect.report.gathering.selection import Selection, select

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def sample(number: int, coverage: float) -> ScoredSample:
    return ScoredSample(f"q{number}", 1, {}, {"coverage": coverage}, None, None, {}, None, (), True)


def run(
    location: str | Path,
    model: str = "lab/alpha",
    *,
    eval_id: str | None = None,
    task_id: str | None = None,
    day: int = 0,
    scored: int = 2,
    of: int = 2,
    solver: str | None = None,
    questions: str = "a",
) -> Run:
    terms = Terms(f"round {questions}", questions * 64, 24, "judge", "judge", "resolver-1", 1)
    return Run(
        location=str(location),
        eval_id=eval_id or f"eval of {location}",
        task_id=task_id or f"task of {location}",
        model=model,
        solver=solver,
        created=START + day * DAY,
        status="success",
        set_path="",
        set_name="round",
        expected=of,
        limited=False,
        imported=False,
        benchmark="1-A",
        terms=terms,
        samples=tuple(sample(number, float(number < scored)) for number in range(of)),
    )


def written(path: Path, hour: int) -> Path:
    """A log in which something happened last at some hour, and whose file is taken for older the newer it is."""
    # Runs and scoring may be at different places.
    zone = timezone(timedelta(hours=9 - hour))
    moments = [START + (hour - ago) * timedelta(hours=1) for ago in (0, 20)]
    events = [{"timestamp": moment.astimezone(zone).isoformat()} for moment in moments]
    with zipfile.ZipFile(path, "w") as parts:
        for name, content in (("header.json", {}), ("samples/a_epoch_1.json", {"events": events})):
            parts.writestr(zipfile.ZipInfo(name, (2026, 1, 1 + 20 - hour, 0, 0, 0)), json.dumps(content))
    touched = (START - hour * timedelta(hours=1)).timestamp()
    os.utime(path, (touched, touched))
    return path


def chosen(selection: Selection) -> dict[str, list[str]]:
    """The names of the logs of each entry, by label."""
    return {entry.label: [Path(one.location).stem for one in entry.runs] for entry in selection.entries}


def test_one_run_of_each_model() -> None:
    found = select([run("b.eval", "lab/beta"), run("a.eval")])
    assert chosen(found) == {"alpha": ["a"], "beta": ["b"]}
    assert [(entry.model, entry.solver) for entry in found.entries] == [("lab/alpha", None), ("lab/beta", None)]
    assert found.left_out == []


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_of_copies_of_an_evaluation_the_one_that_was_written_last_counts(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    places = [written(tmp_path / f"{name}.eval", hour) for name, hour in (("x", 5), ("y", 9), ("z", 1))]
    copies = [run(place, eval_id="same", task_id="same") for place in places]
    found = select([copies[number] for number in order])
    assert chosen(found) == {"alpha": ["y"]}
    assert sorted(found.left_out) == [
        f"{places[0]}: {places[1]} has newer scores",
        f"{places[2]}: {places[1]} has newer scores",
    ]


def test_a_copy_with_fewer_scores_counts_where_they_are_newer(tmp_path: Path) -> None:
    full = run(written(tmp_path / "full.eval", 1), eval_id="same", scored=2)
    fewer = run(written(tmp_path / "fewer.eval", 2), eval_id="same", scored=1)
    assert chosen(select([full, fewer])) == {"alpha": ["fewer"]}


def test_copies_elsewhere_than_on_a_disk() -> None:
    box = f"memory:///{uuid4().hex}"
    memory = fsspec.filesystem("memory")
    for name, hour in (("old", 1), ("new", 2)):
        memory.pipe(f"{box}/{name}.eval", b"log")
        memory.store[memory._strip_protocol(f"{box}/{name}.eval")].modified = START + hour * timedelta(hours=1)
    copies = [run(f"{box}/{name}.eval", eval_id="same", task_id="same") for name in ("new", "old")]
    found = select(copies)
    assert [entry.runs[0].location for entry in found.entries] == [f"{box}/new.eval"]


def test_a_place_that_keeps_no_times_goes_by_when_runs_began(tmp_path: Path) -> None:
    copies = [run(tmp_path / "gone" / f"{day}.eval", eval_id="same", day=day) for day in (3, 1, 2)]
    assert chosen(select(copies)) == {"alpha": ["3"]}


def test_of_retries_the_fullest_counts_and_of_equal_ones_the_last() -> None:
    tries = [
        run("first.eval", task_id="same", day=0, scored=1, of=3),
        run("second.eval", task_id="same", day=1, scored=3, of=3),
        run("third.eval", task_id="same", day=2, scored=3, of=3),
        run("fourth.eval", task_id="same", day=3, scored=2, of=3),
    ]
    found = select(tries)
    assert chosen(found) == {"alpha": ["third"]}
    assert found.left_out == [
        "first.eval: third.eval has a fuller try",
        "fourth.eval: third.eval has a fuller try",
        "second.eval: third.eval has a fuller try",
    ]


def test_models_that_share_an_eval_set_s_task_are_no_retries() -> None:
    found = select([run("a.eval", task_id="same"), run("b.eval", "lab/beta", task_id="same")])
    assert chosen(found) == {"alpha": ["a"], "beta": ["b"]}


def test_copies_of_retries(tmp_path: Path) -> None:
    full = run(written(tmp_path / "full.eval", 1), eval_id="two", task_id="same", day=1)
    old = run(written(tmp_path / "old.eval", 1), eval_id="one", task_id="same", scored=0)
    new = run(written(tmp_path / "new.eval", 2), eval_id="one", task_id="same", scored=1)
    found = select([full, old, new])
    assert chosen(found) == {"alpha": ["full"]}
    assert found.left_out == [
        f"{old.location}: {new.location} has newer scores",
        f"{new.location}: {full.location} has a fuller try",
    ]


def test_further_runs_of_a_model_are_entries_by_when_they_began() -> None:
    found = select([run("late.eval", day=5), run("early.eval", day=1), run("middle.eval", day=3)])
    assert chosen(found) == {"alpha": ["early"], "alpha #2": ["middle"], "alpha #3": ["late"]}


def test_strategies_are_entries_of_their_own() -> None:
    found = select([run("a.eval"), run("b.eval", solver="debate"), run("c.eval", solver="debate", day=1)])
    assert chosen(found) == {"alpha": ["a"], "alpha (debate)": ["b"], "alpha (debate) #2": ["c"]}
    assert [entry.solver for entry in found.entries] == [None, "debate", "debate"]


def test_two_question_sets_make_two_entries_of_a_model_that_ran_on_both() -> None:
    found = select([run("a.eval"), run("b.eval", questions="b"), run("c.eval", "lab/beta", questions="b")])
    assert chosen(found) == {"alpha [round a]": ["a"], "alpha [round b]": ["b"], "beta": ["c"]}


def test_pooled_rounds_are_one_entry() -> None:
    runs = [
        run("a1.eval", day=1),
        run("b1.eval", day=4, questions="b"),
        run("b2.eval", day=5, questions="b"),
        run("a2.eval", day=6),
        run("a3.eval", day=7),
        run("other.eval", "lab/beta", questions="b"),
    ]
    found = select(runs, pooled=True)
    assert chosen(found) == {"alpha": ["a1", "b1"], "alpha #2": ["b2", "a2"], "alpha #3": ["a3"], "beta": ["other"]}
    assert len({one.terms.questions for entry in found.entries for one in entry.runs}) == 2


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        ({}, {"lab/alpha", "other/alpha", "beta"}),
        ({"lab/alpha": "A"}, {"A", "alpha", "beta"}),
        ({"lab/alpha": "A", "other/alpha": "A"}, {"lab/alpha", "other/alpha", "beta"}),
        # A name that another model has anyway.
        ({"lab/alpha": "beta"}, {"lab/alpha", "alpha", "lab/beta"}),
    ],
)
def test_names_that_clash_are_whole_names(names: Mapping[str, str], labels: set[str]) -> None:
    runs = [run("a.eval"), run("b.eval", "other/alpha"), run("c.eval", "lab/beta")]
    assert set(chosen(select(runs, names.get))) == labels


@pytest.mark.parametrize("label", ["alpha #2", "alpha (debate)", "other/gamma"])
def test_labels_are_different_whatever_names_are_given(label: str) -> None:
    runs: list[Any] = [
        run("a.eval"),
        run("b.eval", day=1),
        run("c.eval", solver="debate"),
        run("d.eval", "lab/beta"),
        run("e.eval", "other/gamma"),
        run("f.eval", "third/gamma"),
    ]
    found = select(runs, {"lab/beta": label}.get)
    labels = [entry.label for entry in found.entries]
    assert len(set(labels)) == len(runs)


def test_a_model_s_name_without_a_provider() -> None:
    assert set(chosen(select([run("a.eval", "alpha"), run("b.eval", "hosted/lab/alpha")]))) == {
        "alpha",
        "hosted/lab/alpha",
    }


def test_a_run_keeps_what_it_is() -> None:
    one = replace(run("a.eval"), status="cancelled")
    (entry,) = select([one]).entries
    assert entry.runs == (one,)
