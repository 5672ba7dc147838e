"""What counts in a study: which scores, of which questions, and what a reader is told first."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.set_writer import write_set
from cruxbench_inspect.questions import EarlierVersion, QuestionSet
from cruxbench_inspect.report.gathering.facts import ModelFacts
from cruxbench_inspect.report.gathering.study import Study, usage_of
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.widths import width_scores
from cruxbench_inspect.settlement import VALUES
from tests.evaluating import samples_of
from tests.synthetic_study import Subject, SyntheticStudy

COUNT = 12
ALPHA, BETA, GAMMA = (f"lab/{name}" for name in ("alpha", "beta", "gamma"))
Change = Callable[[EvalLog], None]


class World:
    """A question set with logs of three models, of which the third lacks scores."""

    def __init__(self, folder: Path) -> None:
        made = SyntheticStudy(folder, COUNT)
        subjects = [Subject(ALPHA, skill=0.8), Subject(BETA), Subject(GAMMA, unscored=0.3)]
        self.set = made.set
        self.logs = {one.name: str(path) for one, path in zip(subjects, made.write(subjects), strict=True)}
        other = SyntheticStudy(folder, COUNT, seed=2, name="other")
        self.other_set = other.set
        (path,) = other.write([Subject(BETA)], "other-logs")
        self.other = str(path)

    def changed(self, path: Path, change: Change, model: str = ALPHA, name: str | None = None) -> str:
        """A copy of a model's log as another run, with a change; under another model's name where one is given."""
        log = read_eval_log(self.logs[model])
        log.eval.eval_id, log.eval.task_id = f"eval of {path}", f"task of {path}"
        log.eval.model = name or model
        change(log)
        write_eval_log(log, str(path))
        return str(path)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("study"))


def study_of(*logs: str, facts: Mapping[str, ModelFacts] | None = None, **options: Any) -> Study:
    return make_study(logs, facts or {}, Options(**options))


def refused(*logs: str, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        study_of(*logs, **options)
    return error.value.message


def told(**about: Any) -> Change:
    """Change what a log and its samples say of their question set and terms."""

    def change(log: EvalLog) -> None:
        assert log.eval.metadata is not None
        log.eval.metadata |= about
        for sample in samples_of(log):
            sample.metadata |= about

    return change


def scores_told(**metadata: Any) -> Change:
    """Change the metadata of all scores."""

    def change(log: EvalLog) -> None:
        for sample in samples_of(log):
            assert sample.scores is not None and sample.scores["voi"].metadata is not None
            sample.scores["voi"].metadata |= metadata

    return change


def keep(count: int, **spec: Any) -> Change:
    """Keep only some samples."""

    def change(log: EvalLog) -> None:
        log.samples = samples_of(log)[:count]
        log.status = spec.get("status", log.status)
        log.eval.config.limit = spec.get("limit")

    return change


def values(sample: EvalSample) -> dict[str, float]:
    assert sample.scores is not None
    value = sample.scores["voi"].value
    assert isinstance(value, dict)
    return {key: math.nan if value[key] is None else float(value[key]) for key in VALUES}


def test_the_entries_and_their_scores(world: World) -> None:
    steps: list[tuple[int, int]] = []
    logs = list(world.logs.values())
    study = make_study(logs, {}, Options(), lambda done, of: steps.append((done, of)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    assert sorted(study.labels) == ["alpha", "beta", "gamma"]
    assert (study.width, study.locations, study.left_out, study.forecasts) == (24, tuple(logs), (), ())
    assert study.questions == tuple(sorted(question.id for question in world.set.questions))
    assert study.scores.height == 3 * COUNT
    for model, log in world.logs.items():
        rows = study.of(model.removeprefix("lab/"))
        samples = {str(sample.id): sample for sample in samples_of(read_eval_log(log))}
        assert rows["question"].to_list() == sorted(samples)
        for row in rows.iter_rows(named=True):
            sample = samples[row["question_id"]]
            assert {key: row[key] for key in VALUES} == pytest.approx(values(sample), abs=0, nan_ok=True)
            question = world.set.question(row["question_id"])
            assert (row["event"], row["tags"], row["set"]) == (question.event, list(question.tags), world.set.digest)
            assert (row["window_start"], row["window_end"]) == (question.window.start, question.window.end)
            assert row["epochs"] == 1
            assert row["moments"] == ([row["resolved_at"]] if row["coverage"] else [])


def test_entries_stand_in_the_order_of_their_means(world: World) -> None:
    study = study_of(*world.logs.values())
    means = [study.scored(label)["voi_kl"].mean() for label in study.labels]
    assert means == sorted(means, key=lambda mean: -float(str(mean)))


def test_a_question_by_its_key(world: World) -> None:
    study = study_of(world.logs[ALPHA])
    assert study.question("q003") == world.set.question("q003")
    assert study.question("unheard of") is None


def test_what_was_used(world: World) -> None:
    (entry,) = study_of(world.logs[ALPHA]).entries
    assert usage_of(entry) == [used for sample in entry.runs[0].samples for used in sample.usage]


def test_coverage_and_who_is_ranked(world: World) -> None:
    logs = list(world.logs.values())
    study = study_of(*logs)
    lost = sum(not values(sample)["coverage"] for sample in samples_of(read_eval_log(world.logs[GAMMA])))
    assert 1 <= lost < COUNT
    assert study.coverage("gamma") == pytest.approx(1 - lost / COUNT)
    assert study.coverage("alpha") == study.coverage("beta") == 1.0
    assert [study.why_unranked(label) for label in ("alpha", "beta")] == [None, None]
    doubt = (
        f"was scored on {COUNT - lost} of {COUNT} questions ({100 * (COUNT - lost) / COUNT:.1f}%, and 95% are wanted)"
    )
    assert study.why_unranked("gamma") == study.doubts("gamma") == doubt
    assert [study.doubts(label) for label in ("alpha", "beta")] == [None, None]
    ranked = study_of(*logs, rank_all=True)
    assert ranked.why_unranked("gamma") is None and ranked.doubts("gamma") == doubt


@pytest.mark.parametrize(("lost", "ranked"), [(0, True), (1, True), (2, False)])
def test_the_bound_of_coverage(tmp_path: Path, lost: int, ranked: bool) -> None:
    made = SyntheticStudy(tmp_path, 20)
    (path,) = made.write([Subject(ALPHA)])
    log = read_eval_log(str(path))
    log.samples = samples_of(log)[lost:]
    write_eval_log(log, str(path))
    study = study_of(str(path))
    assert study.coverage("alpha") == (20 - lost) / 20
    assert (study.why_unranked("alpha") is None) is ranked


def test_models_that_may_have_known(world: World) -> None:
    starts = sorted(question.window.start.date() for question in world.set.questions)
    cutoff = next(start for start in starts if start.month == 2)
    facts = {
        "alpha": ModelFacts("alpha", knowledge_cutoff=date(2026, 1, 1)),
        "beta": ModelFacts("beta", released=starts[0]),
        "gamma": ModelFacts("gamma", label="Third", released=cutoff, knowledge_cutoff=date(2025, 12, 1)),
    }
    study = study_of(*world.logs.values(), facts=facts)
    # A cutoff in January is sure to be over with the month; a release is over with its day.
    before = sum(start < date(2026, 2, 1) for start in starts)
    assert 0 < before < COUNT
    lost = sum(not values(sample)["coverage"] for sample in samples_of(read_eval_log(world.logs[GAMMA])))
    assert study.knew("alpha") == before
    assert study.why_unranked("alpha") == f"may have known what happened in {before} of its windows"
    assert study.knew("beta") == 0 and study.why_unranked("beta") is None
    # Of a cutoff and a release the later one counts, and all doubts are told.
    assert study.knew("Third") == sum(start < cutoff for start in starts) > 0
    doubts = (
        f"was scored on {COUNT - lost} of {COUNT} questions ({100 * (COUNT - lost) / COUNT:.1f}%, and 95% are wanted) "
        f"and may have known what happened in {study.knew('Third')} of its windows"
    )
    assert study.why_unranked("Third") == study.doubts("Third") == doubts
    ranked = study_of(*world.logs.values(), facts=facts, rank_all=True)
    assert [ranked.why_unranked(label) for label in ranked.labels] == [None] * 3
    assert [ranked.doubts(label) for label in ("alpha", "Third")] == [study.why_unranked("alpha"), doubts]


def test_epochs(world: World, tmp_path: Path) -> None:
    def twice(log: EvalLog) -> None:
        first = samples_of(log)
        again = [sample.model_copy(deep=True, update={"epoch": 2}) for sample in first]
        for one, two in zip(first, again, strict=True):
            assert one.scores is not None and two.scores is not None
            metadata = two.scores["voi"].metadata
            two.scores["voi"].value = {**values(two), "voi_kl": values(one)["voi_kl"] + 0.5}
            two.scores["voi"].metadata = {**(metadata or {}), "resolved_at": "2026-02-02T02:30:00Z"}
            two.scores["voi"].answer = f"Again: {one.id}"
        # The first epoch of the first question has no score: the second one tells.
        nothing = {**dict.fromkeys(VALUES, math.nan), "coverage": 0.0}
        first[0].scores = {"voi": first[0].scores["voi"].model_copy(update={"value": nothing, "reason": "rate_limit"})}  # type: ignore[index]
        log.samples = [*again, *first]
        log.eval.config.epochs = 2

    whole = {str(sample.id): values(sample) for sample in samples_of(read_eval_log(world.logs[ALPHA]))}
    rows = study_of(world.changed(tmp_path / "epochs.eval", twice)).of("alpha").to_dicts()
    assert [row["epochs"] for row in rows] == [2] * COUNT
    first, *others = rows
    assert first["voi_kl"] == pytest.approx(whole[first["question"]]["voi_kl"] + 0.5)
    assert (first["coverage"], first["crux"], len(first["moments"])) == (0.5, f"Again: {first['question']}", 1)
    for row in others:
        assert row["voi_kl"] == pytest.approx(whole[row["question"]]["voi_kl"] + 0.25)
        assert row["coverage"] == 1.0 and not str(row["crux"]).startswith("Again")
        assert len(row["moments"]) == 2 and row["moments"][0] == row["resolved_at"]


def test_one_model_and_one_question(world: World, tmp_path: Path) -> None:
    study = study_of(world.changed(tmp_path / "one.eval", keep(1, limit=1)))
    assert study.scores.height == 1 and len(study.questions) == COUNT
    assert study.warnings == ("Only a part of the questions was run by lab/alpha.",)
    assert study.why_unranked("alpha") == "was scored on 1 of 12 questions (8.3%, and 95% are wanted)"


def test_a_set_that_was_moved(world: World, tmp_path: Path) -> None:
    moved = world.changed(tmp_path / "moved.eval", told(set_path="/nowhere/synthetic"))
    study = study_of(moved)
    (warning,) = study.warnings
    assert warning.startswith(
        f"The question set synthetic 1 ({world.set.digest[:12]}) could not be loaded: there is no question set "
        "'/nowhere/synthetic'"
    )
    assert warning.endswith("; what needs its prices is left out. Name it with --questions FOLDER.")
    assert "\n" not in warning
    assert study.sets == {} and width_scores(study).questions == ()
    # All that logs tell is there.
    assert study.coverage("alpha") == 1.0 and len(study.questions) == COUNT and study.question("q000") is None
    found = study_of(moved, questions=(str(world.set.folder),))
    assert found.warnings == () and set(found.sets) == {world.set.digest}
    assert width_scores(found).questions == found.questions == study.questions
    assert found.scores.equals(study.scores)


def test_a_set_of_the_wrong_digest(world: World, tmp_path: Path) -> None:
    log = world.changed(tmp_path / "wrong.eval", told(set_path=world.other_set.location))
    study = study_of(log)
    assert study.warnings == (
        f"The question set at {world.other_set.location} is not the one that was run, synthetic 1 "
        f"({world.set.digest[:12]}); what needs its prices is left out. Name it with --questions FOLDER.",
    )
    assert study.sets == {}
    (again,) = study_of(log, questions=(world.other_set.location,)).warnings
    assert again.endswith("; what needs its prices is left out. None of --questions is that set.")
    assert study_of(log, questions=(world.other_set.location, world.set.location)).warnings == ()


def test_a_set_with_problems_is_a_warning_of_one_line(world: World, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{}", encoding="utf-8")
    log = world.changed(tmp_path / "log.eval", told(set_path=str(tmp_path / "broken")))
    (warning,) = study_of(log).warnings
    assert "problems; what needs its prices is left out" in warning and "\n" not in warning


def test_a_place_of_questions_that_is_none(world: World, tmp_path: Path) -> None:
    message = refused(world.logs[ALPHA], questions=(str(tmp_path / "gone"),))
    assert message.startswith(f"there is no question set '{tmp_path / 'gone'}'")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (scores_told(width=6), "The logs differ by averaging width in hours: 6 (1), 24 (1)."),
        (scores_told(resolver="judge/x"), "The logs differ by resolver: judge/resolver (1), judge/x (1)."),
        (scores_told(verifier="judge/x"), "The logs differ by verifier: judge/verifier (1), judge/x (1)."),
        (scores_told(judge_prompts="p-2"), "The logs differ by judges' prompts: p-2 (1), resolver-1 (1)."),
        (told(k=3), "The logs differ by number of cruxes: 1 (1), 3 (1)."),
    ],
)
def test_logs_that_differ(world: World, tmp_path: Path, change: Change, line: str) -> None:
    logs = [world.logs[ALPHA], world.changed(tmp_path / "other.eval", change, BETA)]
    message = refused(*logs)
    assert message == f"{line} Scores would not belong together: report them apart, or add --allow-mixed"
    mixed = study_of(*logs, allow_mixed=True)
    several = [one for one in mixed.warnings if one.startswith("Several cruxes a question were proposed by lab/beta: ")]
    assert len(several) == ("number of cruxes" in line)
    assert mixed.warnings == (line, *several) and sorted(mixed.labels) == ["alpha", "beta"]


def first_scores_told(**metadata: Any) -> Change:
    """Change the metadata of the first three scores alone, as where a part of a log was scored again."""

    def change(log: EvalLog) -> None:
        judged = [sample for sample in samples_of(log) if "resolver" in told_by(sample)]
        for sample in judged[:3]:
            told_by(sample).update(metadata)

    return change


def told_by(sample: EvalSample) -> dict[str, Any]:
    assert sample.scores is not None and sample.scores["voi"].metadata is not None
    return sample.scores["voi"].metadata


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (first_scores_told(width=6), "The logs differ by averaging width in hours: 6 and 24 (1)."),
        (first_scores_told(resolver="judge/x"), "The logs differ by resolver: judge/resolver and judge/x (1)."),
        (first_scores_told(verifier="judge/x"), "The logs differ by verifier: judge/verifier and judge/x (1)."),
        (first_scores_told(judge_prompts="p-2"), "The logs differ by judges' prompts: p-2 and resolver-1 (1)."),
    ],
)
def test_a_log_that_differs_within_itself(world: World, tmp_path: Path, change: Change, line: str) -> None:
    log = world.changed(tmp_path / "partly.eval", change)
    assert refused(log) == f"{line} Scores would not belong together: report them apart, or add --allow-mixed"
    mixed = study_of(log, allow_mixed=True)
    assert mixed.warnings == (line,) and mixed.labels == ["alpha"]
    # The width of most of its scores is the log's.
    assert mixed.width == 24


def test_a_crux_that_its_score_does_not_count_as_resolved_has_no_time(world: World, tmp_path: Path) -> None:
    whole = study_of(world.logs[ALPHA]).of("alpha").filter(resolved=1.0)
    lost, kept = whole["question"].to_list()[0], whole["question"].to_list()[1:]
    assert kept and whole["resolved_at"].null_count() == 0

    def edit(log: EvalLog) -> None:
        (sample,) = (one for one in samples_of(log) if one.id == lost)
        assert sample.scores is not None
        sample.scores["voi"].value = {**values(sample), "resolved": 0.0, "voi_kl": 0.0}
        assert told_by(sample)["resolved_at"] is not None

    study = study_of(world.changed(tmp_path / "edited.eval", edit))
    (row,) = study.of("alpha").filter(question=lost).to_dicts()
    assert (row["resolved"], row["coverage"], row["resolved_at"], row["moments"]) == (0.0, 1.0, None, [None])
    # Scores of other widths are made of these times: nothing was resolved at any width.
    widths = width_scores(study)
    assert not widths.scores["alpha"]["kl"][:, widths.place[lost]].any()
    others = study.of("alpha").filter(study.of("alpha")["question"].is_in(kept))
    assert others["resolved_at"].to_list() == whole["resolved_at"].to_list()[1:]


def test_logs_of_two_sets(world: World) -> None:
    logs = [world.logs[ALPHA], world.logs[BETA], world.other]
    line = (
        f"The logs differ by question set: other 1 ({world.other_set.digest[:12]}) (1), "
        f"synthetic 1 ({world.set.digest[:12]}) (2)."
    )
    assert refused(*logs) == (
        f"{line} Scores would not belong together: report them apart, or add --allow-mixed or --pool"
    )
    mixed = study_of(*logs, allow_mixed=True)
    assert mixed.warnings == (line,)
    names = [f"beta [{one.name} 1 ({one.digest[:12]})]" for one in (world.other_set, world.set)]
    assert sorted(mixed.labels) == ["alpha", *names]
    # Side by side each entry is about its own set.
    assert len(mixed.questions) == 2 * COUNT and {mixed.coverage(label) for label in mixed.labels} == {1.0}
    assert all(mixed.why_unranked(label) is None for label in mixed.labels)
    pooled = study_of(*logs, pooled=True)
    assert pooled.warnings == () and sorted(pooled.labels) == ["alpha", "beta"]
    assert (pooled.coverage("alpha"), pooled.coverage("beta")) == (0.5, 1.0)
    assert pooled.of("beta").height == 2 * COUNT and pooled.why_unranked("beta") is None
    assert width_scores(pooled).questions == pooled.questions
    assert {pooled.question(key) for key in pooled.questions} == {*world.set.questions, *world.other_set.questions}


@pytest.mark.parametrize(("more", "less"), [("more", "less"), ("more likely", "less likely")])
def test_directions_are_read_in_both_forms(world: World, tmp_path: Path, more: str, less: str) -> None:
    forms = {"more": more, "less": less}

    def change(log: EvalLog) -> None:
        for number, sample in enumerate(samples_of(log)):
            assert sample.scores is not None and sample.scores["voi"].metadata is not None
            metadata = sample.scores["voi"].metadata
            metadata["yes_makes_u"] = "up" if number == 0 else forms.get(str(metadata.get("yes_makes_u")), "")

    logs = world.changed(tmp_path / "forms.eval", change)
    before, after = (study_of(log).of("alpha")["yes_makes_u"].to_list() for log in (world.logs[ALPHA], logs))
    assert after == [None, *before[1:]] and {"more", "less"} <= set(after)


def test_fictional_questions_are_told_first(tmp_path: Path) -> None:
    made = SyntheticStudy(tmp_path, 3, fictional=True)
    (path,) = made.write([Subject(ALPHA)])
    told_first = "The questions of synthetic are fictional: scores on them say nothing about a model's skill."
    assert study_of(str(path)).warnings[0] == told_first


def test_one_of_two_sets_that_is_missing(world: World, tmp_path: Path) -> None:
    gone = world.changed(tmp_path / "gone.eval", told(set_path="/nowhere", set_digest="f" * 64, set_name="lost"), BETA)
    study = study_of(world.logs[ALPHA], gone, allow_mixed=True)
    known = sorted(question.id for question in world.set.questions)
    assert study.questions == tuple(sorted([*known, *(f"{key} (ffffff)" for key in known)]))
    # The prices of the other set are found by the same keys.
    assert list(width_scores(study).questions) == known == study.of("alpha")["question"].to_list()
    assert study.question(known[0]) is not None and study.question(f"{known[0]} (ffffff)") is None
    assert [warning.split(":")[0] for warning in study.warnings] == [
        "The logs differ by question set",
        "The question set lost 1 (ffffffffffff) could not be loaded",
    ]


def test_two_sets_that_are_both_missing_are_told_apart(world: World, tmp_path: Path) -> None:
    logs = [
        world.changed(tmp_path / f"{sign}.eval", told(set_path="/nowhere", set_digest=sign * 64), BETA)
        for sign in ("e", "f")
    ]
    study = study_of(*logs, allow_mixed=True)
    assert len(study.questions) == 2 * COUNT and study.sets == {}


def next_version(world: World, folder: Path) -> QuestionSet:
    """A later version of the set, with other prices and the same questions."""
    before = world.set.manifest
    last = EarlierVersion(version="1", digest=before.digest, questions=before.files["questions.jsonl"])
    manifest = before.model_copy(update={"version": "2", "earlier": (last,)})
    outcomes = list(world.set.outcomes.values())
    return write_set(folder, manifest, world.set.questions, outcomes, world.set.prices.head(-50))


@pytest.mark.parametrize("old_path", ["its own", "the new one", "gone"])
def test_a_later_version_of_a_set_is_not_another_set(world: World, tmp_path: Path, old_path: str) -> None:
    new = next_version(world, tmp_path / "next")
    assert new.digest != world.set.digest and new.stands_for(world.set.digest)
    path = {"its own": world.set.location, "the new one": new.location, "gone": "/nowhere"}[old_path]
    logs = [
        world.changed(tmp_path / "old.eval", told(set_path=path), ALPHA),
        world.changed(tmp_path / "new.eval", told(set_path=new.location, set_digest=new.digest, set_version="2"), BETA),
    ]
    study = study_of(*logs)
    assert (study.warnings, set(study.sets)) == ((), {new.digest})
    assert len(study.questions) == COUNT
    assert [study.coverage(label) for label in ("alpha", "beta")] == [1.0, 1.0]
    assert set(study.scores["set"]) == {new.digest}
    assert width_scores(study).questions == study.questions


def test_two_runs_of_a_model_on_two_versions_are_runs_on_one_set(world: World, tmp_path: Path) -> None:
    new = next_version(world, tmp_path / "next")
    about = {"set_path": new.location, "set_digest": new.digest, "set_version": "2"}
    study = study_of(world.logs[ALPHA], world.changed(tmp_path / "new.eval", told(**about)))
    assert sorted(study.labels) == ["alpha", "alpha #2"]


def test_what_a_reader_is_told_first(world: World, tmp_path: Path) -> None:
    logs = [
        world.changed(tmp_path / "a.eval", keep(COUNT, status="cancelled")),
        world.changed(tmp_path / "b.eval", keep(3, status="error"), BETA),
        world.changed(tmp_path / "c.eval", keep(5, limit=5), GAMMA),
        world.changed(tmp_path / "d.eval", scores_told(provisional=True), ALPHA, "lab/delta"),
        world.changed(tmp_path / "e.eval", scores_told(resolver_is_subject=True), ALPHA, "lab/epsilon"),
        world.changed(tmp_path / "f.eval", scores_told(verifier_is_subject=True), ALPHA, "lab/zeta"),
    ]
    assert study_of(*logs).warnings == (
        "Not finished (cancelled, error): the runs of lab/alpha, lab/beta.",
        "Only a part of the questions was run by lab/gamma.",
        f"{COUNT} scores are provisional: prices of their windows are not final yet.",
        "Judged by the model itself: lab/epsilon, lab/zeta.",
    )
    assert study_of(world.logs[ALPHA]).warnings == ()


def test_logs_that_do_not_count(world: World, tmp_path: Path) -> None:
    empty, other = tmp_path / "empty.eval", tmp_path / "other.eval"
    empty.write_bytes(b"")
    world.changed(other, lambda log: setattr(log.eval, "task", "mine/sums"))
    study = study_of(str(empty), world.logs[ALPHA], str(other))
    assert study.labels == ["alpha"]
    assert [line.split(": ")[0] for line in study.left_out] == [str(empty), str(other)]
    assert study.left_out[1] == f"{other}: it is of the task 'mine/sums'"


def test_copies_and_retries_do_not_count_twice(world: World, tmp_path: Path) -> None:
    copy = tmp_path / "copy.eval"
    copy.write_bytes(Path(world.logs[ALPHA]).read_bytes())
    retry = world.changed(tmp_path / "retry.eval", keep(2))
    log = read_eval_log(retry)
    log.eval.task_id = read_eval_log(world.logs[ALPHA]).eval.task_id
    write_eval_log(log, retry)
    study = study_of(world.logs[ALPHA], str(copy), retry)
    assert study.labels == ["alpha"] and study.scores.height == COUNT
    assert study.left_out == (f"{world.logs[ALPHA]}: {copy} has newer scores", f"{retry}: {copy} has a fuller try")


def test_no_log_that_counts(tmp_path: Path) -> None:
    places = [str(tmp_path / f"{number}.eval") for number in range(12)]
    for place in places:
        Path(place).write_bytes(b"nothing")
    first, *others = refused(*places).split("\n")
    assert first == "none of the 12 logs can be reported:"
    assert len(others) == 11 and others[-1] == "  - and 2 more"
    assert others[0].startswith(f"  - {places[0]}: it is damaged or no log: ")


def test_only_unscored_samples(world: World, tmp_path: Path) -> None:
    nothing = {**dict.fromkeys(VALUES, math.nan), "coverage": 0.0}

    def lose_all(log: EvalLog) -> None:
        for sample in samples_of(log):
            assert sample.scores is not None
            sample.scores["voi"].value = nothing

    study = study_of(world.changed(tmp_path / "lost.eval", lose_all), world.logs[BETA])
    assert study.labels == ["beta", "alpha"]
    assert study.coverage("alpha") == 0.0 and study.scored("alpha").height == 0
    assert study.why_unranked("alpha") == "was scored on 0 of 12 questions (0.0%, and 95% are wanted)"


def test_the_commonest_width(world: World, tmp_path: Path) -> None:
    wide = world.changed(tmp_path / "wide.eval", scores_told(width=48))
    study = study_of(world.logs[ALPHA], world.logs[BETA], wide, allow_mixed=True)
    assert study.width == 24
    assert (
        replace(study, entries=(study.entries[[e.runs[0].terms.width for e in study.entries].index(48)],)).width == 48
    )
