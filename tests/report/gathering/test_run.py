"""What a report reads of logs of real evaluations, and why it leaves a log out."""

import math
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, edit_score, read_eval_log, write_eval_log
from inspect_ai.scorer import ScoreEdit, match
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from cruxbench_inspect.judge.judgement import prompt_versions
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.gathering.forecast_run import read_forecast
from cruxbench_inspect.report.gathering.run import Run, ScoredSample, read_run
from cruxbench_inspect.report.gathering.unread import Unread
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.utc import parse_utc
from tasks.cruxbench import cruxbench
from tests.evaluating import comparable, evaluate, own_caches, rescore, samples_of
from tests.scripted_model import TOKENS, Answer, Call, Script, crux_json, judge, scripted
from tests.small_set import question, write_set

ANSWERS = {
    "harbour": crux_json(),
    "pier": "I would rather not.",
    "quay": crux_json(question="Will the judge break down by 7 March 2025?"),
}


def propose_by_name(call: Call) -> Answer:
    name = re.search(r"Alvara (\w+) crossing", call.messages[0].text)
    assert name is not None
    return ANSWERS[name[1]]


def breaks_down(call: Call) -> Answer:
    return RuntimeError("broken") if "break down" in call.crux["question"] else judge()(call)


def fails_at_the_pier(call: Call) -> Answer:
    return RuntimeError("no answer") if "Alvara pier" in call.messages[0].text else propose_by_name(call)


@solver
def always_the_same() -> Solver:
    """A strategy of one's own."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output.completion = ANSWERS["harbour"]
        return state

    return solve


class World(NamedTuple):
    """A question set, who proposes and judges, and a log of three questions: one scored, a zero, one unscored."""

    folder: Path
    generator: Script
    judges: Script
    log: EvalLog


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("runs")
    judges, generator = scripted(breaks_down), scripted(propose_by_name)
    questions = write_set(folder / "small", [question(name) for name in ANSWERS], judge=judges.name)
    with own_caches(folder / "caches"):
        yield World(questions, generator, judges, evaluate(questions, generator.name, folder / "logs"))


def run_of(log: EvalLog | str | Path) -> Run:
    """The run of a log, whose samples have the values that the log has."""
    location = log.location if isinstance(log, EvalLog) else str(log)
    run = read_run(location)
    assert isinstance(run, Run), run
    return run


def why_unread(location: str | Path) -> str:
    found = read_run(str(location))
    assert isinstance(found, Unread) and found.location == str(location)
    assert "\n" not in found.reason
    return found.reason


def values(samples: tuple[ScoredSample, ...]) -> list[Any]:
    return [comparable(dict(sample.values)) for sample in samples]


def logged(log: EvalLog, scorer: str = "voi") -> list[Any]:
    """The values of a log's whole samples, NaN and missing ones as None."""
    found = []
    for sample in samples_of(log):
        score = (sample.scores or {}).get(scorer)
        of_score = score.value if score is not None and isinstance(score.value, dict) else {}
        numbers = {key: of_score.get(key) for key in VALUES}
        found.append(
            {key: None if value is None or math.isnan(float(value)) else value for key, value in numbers.items()}
        )
    return found


def saved(log: EvalLog, path: Path) -> Path:
    """A log in a file of its own."""
    write_eval_log(log, str(path))
    return path


def test_the_run(world: World) -> None:
    run = run_of(world.log)
    spec = world.log.eval
    assert (run.location, run.eval_id, run.task_id) == (world.log.location, spec.eval_id, spec.task_id)
    assert (run.model, run.solver, run.status) == (world.generator.name, None, "success")
    assert run.created == parse_utc(spec.created)
    assert (run.set_name, Path(run.set_path)) == ("small", world.folder)
    assert (run.expected, run.limited, run.imported) == (3, False, False)
    assert run.asked == tuple(ANSWERS)
    digest = QuestionSet.load(world.folder).digest
    terms = run.terms
    assert (terms.questions, terms.question_set) == (digest, f"small 1 ({digest[:12]})")
    assert (terms.width, terms.k) == (24, 1)
    assert terms.resolver == terms.verifier == world.judges.name
    assert terms.prompts == " ".join(prompt_versions(True))
    assert str(spec.task_version).startswith(f"{run.benchmark} small-1-")


def test_its_samples(world: World) -> None:
    run = run_of(world.log)
    assert [(sample.question_id, sample.epoch) for sample in run.samples] == [("harbour", 1), ("pier", 1), ("quay", 1)]
    assert values(run.samples) == logged(world.log)
    assert [sample.reason for sample in run.samples] == [None, "no_crux", "judge_failed"]
    assert [sample.values["coverage"] for sample in run.samples] == [1.0, 1.0, 0.0]
    assert all(sample.is_scored for sample in run.samples)
    harbour, pier, _ = run.samples
    assert harbour.crux == "Will the Alvara harbour court uphold the licence by 7 March 2025?" and pier.crux is None
    assert harbour.metadata["event"] == "harbour" and harbour.metadata["tags"] == ["transport"]
    assert harbour.metadata["window_start"] == "2025-03-01T00:00:00Z"
    assert harbour.told["resolved_at"] == "2025-03-04T12:30:00Z" and harbour.told["rule"] == "yes_event"
    assert harbour.seconds is not None and harbour.seconds > 0


def test_what_was_used_by_role(world: World) -> None:
    harbour = run_of(world.log).samples[0]
    used = {one.role: one for one in harbour.usage}
    assert {role: one.model for role, one in used.items()} == {
        "generator": world.generator.name,
        "resolver": world.judges.name,
        "verifier": world.judges.name,
    }
    # The generator answers once, the resolver searches and submits, the verifier submits.
    totals = {role: one.tokens_in + one.tokens_out for role, one in used.items()}
    assert totals == {"generator": TOKENS, "resolver": 2 * TOKENS, "verifier": TOKENS}


def test_a_judge_that_is_the_subject_is_taken_off_what_that_used(tmp_path: Path) -> None:
    both: Script = scripted(lambda call: crux_json() if call.role == "generator" else judge()(call))
    questions = write_set(tmp_path / "small", judge=both.name)
    run = run_of(evaluate(questions, both.name, tmp_path / "logs"))
    used = {one.role: one.tokens_in + one.tokens_out for one in run.samples[0].usage}
    assert used == {"generator": TOKENS, "resolver": 2 * TOKENS, "verifier": TOKENS}
    assert run.samples[0].told["resolver_is_subject"] is True


def test_epochs_and_several_cruxes(tmp_path: Path) -> None:
    judges = scripted(judge())
    crux = crux_json().split("\n")[1]
    other = crux.replace("by 7 March", "before 7 March")
    both = scripted(lambda call: f'{{"cruxes": [{crux}, {other}]}}')
    questions = write_set(tmp_path / "small", [question("harbour"), question("pier")], judge=judges.name)
    log = evaluate(questions, both.name, tmp_path / "logs", epochs=2, task_args={"k": 2})
    run = run_of(log)
    assert (run.terms.k, run.expected, run.limited) == (2, 4, False)
    assert [(one.question_id, one.epoch) for one in run.samples] == [
        ("harbour", 1),
        ("harbour", 2),
        ("pier", 1),
        ("pier", 2),
    ]
    assert values(run.samples) == logged(log)
    assert run.samples[0].crux == (
        "Will the Alvara harbour court uphold the licence by 7 March 2025? "
        "Will the Alvara harbour court uphold the licence before 7 March 2025?"
    )
    assert run.samples[0].told["cruxes"] == 2


def test_a_solver_of_one_s_own(world: World, tmp_path: Path) -> None:
    log = evaluate(world.folder, world.generator.name, tmp_path, solver=always_the_same())
    assert run_of(log).solver == "always_the_same"


@pytest.mark.parametrize("options", [{"limit": 1}, {"sample_id": ["harbour"]}])
def test_a_part_of_the_questions(world: World, tmp_path: Path, options: dict[str, Any]) -> None:
    run = run_of(evaluate(world.folder, world.generator.name, tmp_path, epochs=2, **options))
    assert (run.limited, run.expected) == (True, 2)
    assert {sample.question_id for sample in run.samples} == {"harbour"}


def test_another_width_and_no_verifier(world: World, tmp_path: Path) -> None:
    log = evaluate(world.folder, world.generator.name, tmp_path, task_args={"width": 6, "verify": False})
    terms = run_of(log).terms
    assert (terms.width, terms.resolver, terms.verifier) == (6, world.judges.name, "")
    assert terms.prompts == " ".join(prompt_versions(False)) != " ".join(prompt_versions(True))


def test_a_run_in_which_nothing_was_judged(world: World, tmp_path: Path) -> None:
    run = run_of(evaluate(world.folder, world.generator.name, tmp_path, sample_id="pier"))
    assert (run.terms.resolver, run.terms.verifier, run.terms.prompts) == ("", "", "")


def test_generators_that_fail(world: World, tmp_path: Path) -> None:
    failing = scripted(fails_at_the_pier)
    run = run_of(evaluate(world.folder, failing.name, tmp_path, fail_on_error=False))
    assert run.status == "success"
    assert [sample.reason for sample in run.samples] == [None, "generation_failed", "judge_failed"]
    assert [sample.values["coverage"] for sample in run.samples] == [1.0, 0.0, 0.0]
    assert all(math.isnan(value) for key, value in run.samples[1].values.items() if key != "coverage")


def test_a_run_that_ended_in_an_error(world: World, tmp_path: Path) -> None:
    failing = scripted(fails_at_the_pier)
    (log,) = eval(
        cruxbench(questions=str(world.folder)),
        model=failing.name,
        log_dir=str(tmp_path),
        display="plain",
        fail_on_error=True,
        max_samples=1,
    )
    assert log.status == "error"
    run = run_of(log)
    assert run.status == "error" and run.expected == 3
    # The scorer scores samples with errors, too, so that their absence is seen.
    assert {sample.question_id: sample.reason for sample in run.samples} == {
        "harbour": None,
        "pier": "generation_failed",
        "quay": "judge_failed",
    }


def test_a_cancelled_run_with_what_it_has(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    log.status, log.samples, log.results = "cancelled", samples_of(log)[:1], None
    run = run_of(saved(log, tmp_path / "cancelled.eval"))
    assert (run.status, run.expected, len(run.samples), run.limited) == ("cancelled", 3, 1, False)
    assert run.asked == tuple(ANSWERS)
    assert values(run.samples) == logged(world.log)[:1]


def test_a_run_without_samples(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    log.status, log.samples, log.results = "cancelled", [], None
    assert why_unread(saved(log, tmp_path / "none.eval")) == "it has no samples (its status is cancelled)"


def test_deferred_and_then_scored(world: World, tmp_path: Path) -> None:
    unscored = evaluate(world.folder, world.generator.name, tmp_path, score=False)
    assert why_unread(unscored.location) == "nothing in it is scored: run inspect score on it"
    write_eval_log(rescore(read_eval_log(unscored.location)), unscored.location)
    assert values(run_of(unscored).samples) == logged(world.log)


def test_a_sample_without_a_score_among_others(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    samples_of(log)[0].scores = None
    run = run_of(saved(log, tmp_path / "partly.eval"))
    assert [sample.is_scored for sample in run.samples] == [False, True, True]
    assert all(math.isnan(value) for value in run.samples[0].values.values())
    assert (run.samples[0].reason, run.samples[0].crux) == (None, None)


def test_the_last_score_of_several_counts(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    for width in (48, *range(1, 11)):
        log = rescore(log, action="append", width=width)
    assert {"voi", "voi1", "voi10", "voi11"} <= set(samples_of(log)[0].scores or {})
    run = run_of(saved(log, tmp_path / "again.eval"))
    assert values(run.samples) == logged(log, "voi11") != logged(log, "voi2")
    assert run.terms.width == 10


def test_other_scorers_do_not_count(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    for sample in samples_of(log):
        assert sample.scores is not None
        score = sample.scores["voi"]
        sample.scores = {"voice": score.model_copy(update={"value": 1.0}), "voi": score, "my_voi2": score}
    assert values(run_of(saved(log, tmp_path / "others.eval")).samples) == logged(world.log)


def test_an_edited_score(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    before = logged(log)[1]
    changed = {**{key: math.nan if value is None else value for key, value in before.items()}, "voi_kl": 0.125}
    edit_score(log, "pier", "voi", ScoreEdit(value=changed))
    run = run_of(saved(log, tmp_path / "edited.eval"))
    assert run.samples[1].values["voi_kl"] == 0.125
    assert comparable(dict(run.samples[1].values)) == {**before, "voi_kl": 0.125}


def test_the_json_format(world: World, tmp_path: Path) -> None:
    path = saved(read_eval_log(world.log.location), tmp_path / "log.json")
    run, same = run_of(path), run_of(world.log)
    assert values(run.samples) == values(same.samples)
    assert (run.terms, run.eval_id, run.created, run.expected) == (same.terms, same.eval_id, same.created, 3)
    assert [(one.crux, one.reason, one.usage) for one in run.samples] == [
        (one.crux, one.reason, one.usage) for one in same.samples
    ]


def test_a_log_of_another_task(tmp_path: Path) -> None:
    task = Task(dataset=[Sample(input="2 + 2", target="4")], solver=generate(), scorer=match(), name="sums")
    log = evaluate("", scripted(lambda call: "4").name, tmp_path, task=task)
    assert why_unread(log.location) == "it is of the task 'sums'"
    found = read_run(log.location)
    assert isinstance(found, Unread) and found.task == "sums"
    forecast = read_forecast(log.location)
    assert isinstance(forecast, Unread) and forecast.reason == "it has no forecasts"


def test_a_log_that_does_not_tell_of_its_set(world: World, tmp_path: Path) -> None:
    log = read_eval_log(world.log.location)
    assert log.eval.metadata is not None
    del log.eval.metadata["set_digest"], log.eval.metadata["width"]
    assert why_unread(saved(log, tmp_path / "silent.eval")) == "it does not say its set_digest, width"


@pytest.mark.parametrize("name", ["empty.eval", "empty.json"])
@pytest.mark.parametrize("content", [b"", b"not a log at all\nin any way", b"[]", b"{}", b"PK\x03\x04"])
def test_files_that_are_no_logs(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert why_unread(path).startswith("it is damaged or no log: ")


def test_a_missing_file(tmp_path: Path) -> None:
    assert why_unread(tmp_path / "gone.eval").startswith("it is damaged or no log: ")


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_a_log_cut_in_half(world: World, tmp_path: Path, kind: str) -> None:
    whole = saved(read_eval_log(world.log.location), tmp_path / f"whole.{kind}")
    data = whole.read_bytes()
    for share in (1, 4, 8, 15):
        cut = tmp_path / f"cut{share}.{kind}"
        cut.write_bytes(data[: len(data) * share // 16])
        assert why_unread(cut).startswith("it is damaged or no log: ")
        assert isinstance(read_forecast(str(cut)), Unread)


def test_a_log_with_broken_bytes_is_read_or_left_out(world: World, tmp_path: Path) -> None:
    dice = random.Random(5)
    source = tmp_path / "source.eval"
    shutil.copyfile(world.log.location.removeprefix("file://"), source)
    data = source.read_bytes()
    kinds = set()
    for _ in range(80):
        broken = bytearray(data)
        for _ in range(dice.choice((1, 30))):
            # The end has the summaries, the header and the directory.
            broken[dice.randrange(len(data) * 3 // 4, len(data))] = dice.randrange(256)
        source.write_bytes(broken)
        found = read_run(str(source))
        kinds.add(type(found))
        if isinstance(found, Unread):
            assert "\n" not in found.reason
    assert kinds == {Run, Unread}
