"""Scores at every width: against the logs, against the scorer's own rules, against loops, and against real series."""

import json
import math
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.markets.release.log_files import write_log
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA, write_set
from cruxbench_inspect.questions import Manifest, Outcome, Question, QuestionSet, Window
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.measures import LOGGED
from cruxbench_inspect.report.widths import MEASURES, width_scores
from cruxbench_inspect.resolution import Resolution
from cruxbench_inspect.settlement import settle
from cruxbench_inspect.utc import HOUR
from tests.report.tables.logged import logged, mean
from tests.report.tables.sample_study import LABELS, Sample, close
from tests.synthetic_study import DAY, Subject, SyntheticStudy, judged_sample, log_header

OTHERS = (1, 6, 23, 25, 48)
"""Widths that the logs do not have."""


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("measure", MEASURES)
def test_the_logs_own_width_gives_the_logged_scores(sample: Sample, label: str, measure: str) -> None:
    scores = sample.widths.scores[label][measure]
    for question, row in sample.logged[label].items():
        assert scores[23, sample.widths.place[question]] == close(row.values[LOGGED[measure]])


@pytest.mark.parametrize("label", LABELS)
def test_other_widths_equal_a_rescoring(sample: Sample, label: str) -> None:
    made = sample.made.set
    for question, row in sample.logged[label].items():
        about = made.question(question)
        for width in OTHERS:
            settled = [
                settle(
                    about, _crux(about, moment), _resolution(moment), sample.made.trusted[question],
                    made.outcome(question), width,
                )
                for moment in row.moments
            ]  # fmt: skip
            for measure in MEASURES:
                found = sample.widths.scores[label][measure][width - 1, sample.widths.place[question]]
                assert found == close(mean(one.values[LOGGED[measure]] for one in settled))


@pytest.mark.parametrize("width", [3, 24, 40])
def test_baselines_equal_loops_over_the_windows_hours(sample: Sample, width: int) -> None:
    for question, place in sample.widths.place.items():
        random, oracle = sample.direct[question].at_random(width), sample.direct[question].oracle(width)
        for measure in MEASURES:
            assert sample.widths.random[measure][width - 1, place] == close(random[measure])
            assert sample.widths.oracle[measure][width - 1, place] == close(oracle[measure])


def test_means_are_over_scored_questions(sample: Sample) -> None:
    for label in LABELS:
        found = sample.widths.means(label, "kl")
        assert found.shape == (48,)
        assert found[23] == close(mean(row.values["voi_kl"] for row in sample.logged[label].values()))
        direct = [
            mean(sample.direct[question].at(moment, 7)["kl"] for moment in row.moments)
            for question, row in sample.logged[label].items()
        ]
        assert found[6] == close(mean(direct))
    assert sample.widths.baseline("kl")[6] == close(
        mean(prices.at_random(7)["kl"] for prices in sample.direct.values())
    )


def test_golden_series_through_a_study(reference_data: Path, tmp_path: Path) -> None:
    golden = json.loads((reference_data / "golden" / "640486.json").read_text(encoding="utf-8"))
    made = _golden_set(golden, tmp_path)
    question, outcome = made.questions[0], made.outcome("640486")
    trusted = made.trusted("640486")
    assert trusted is not None
    logs = []
    for model, told in golden["resolutions"].items():
        moment = datetime.fromisoformat(told["resolution_datetime"])
        crux, resolution = _crux(question, moment), _resolution(moment)
        header = log_header(made, f"lab/{model}")
        settlement = settle(question, crux, resolution, trusted, outcome, 24)
        logs.append(
            write_log(header, [judged_sample(header, question, crux, resolution, settlement)], tmp_path / "logs")
        )

    scores = width_scores(make_study([str(path) for path in logs], {}, Options()))

    for model, kl in golden["release_kl"].items():
        assert scores.scores[model]["kl"][23, 0] == pytest.approx(kl, abs=6e-7)
    for measure in MEASURES:
        expected = golden["baselines_w24"][measure]
        assert scores.random[measure][23, 0] == close(expected["random_timing"])
        assert scores.oracle[measure][23, 0] == close(expected["oracle"])


@pytest.mark.parametrize("from_start", [True, False])
def test_only_what_is_still_to_come_has_no_score(tmp_path: Path, from_start: bool) -> None:
    synthetic = SyntheticStudy(tmp_path, questions=2, seed=8, early=1).set
    question = synthetic.questions[1]
    prices = synthetic.prices.filter(pl.col("question_id") == question.id, pl.col("hour") >= question.window.start)
    manifest = synthetic.manifest.model_copy(update={"files": {}})
    pending = Outcome(question_id=question.id, outcome=None)
    unfinished = write_set(tmp_path / "unfinished", manifest, [question], [pending], prices)
    trusted = unfinished.trusted(question.id)
    assert trusted is not None
    moment = trusted.start + 11 * HOUR if from_start else trusted.last_hour - 29 * HOUR
    crux, resolution = _crux(question, moment), _resolution(moment)
    settled = [settle(question, crux, resolution, trusted, pending, width) for width in range(1, 49)]
    assert settled[9].provisional
    header = log_header(unfinished, "lab/a", 10)
    log = write_log(header, [judged_sample(header, question, crux, resolution, settled[9])], tmp_path / "logs")

    scores = width_scores(make_study([str(log)], {}, Options()))

    assert scores.scores["a"]["kl"][:, 0] == close([one.values["voi_kl"] for one in settled])
    assert math.isnan(scores.scores["a"]["kl"][47, 0]) != from_start


def test_sets_with_equal_ids_are_kept_apart(tmp_path: Path) -> None:
    subjects = [Subject("lab/a", skill=0.5), Subject("lab/b")]
    made = [SyntheticStudy(tmp_path, questions=4, seed=seed, name=f"round-{seed}") for seed in (1, 2)]
    paths = [one.write(subjects, logs=one.set.name) for one in made]
    study = make_study([str(path) for pair in paths for path in pair], {}, Options(pooled=True))
    scores = width_scores(study)
    assert len(scores.questions) == len(study.questions) == 8
    for label, place in (("a", 0), ("b", 1)):
        by_set = [logged(pair[place]) for pair in paths]
        for one, rows in zip(made, by_set, strict=True):
            for question, row in rows.items():
                key = f"{question} ({one.set.digest[:6]})"
                assert scores.scores[label]["kl"][23, scores.place[key]] == close(row.values["voi_kl"])
        everything = [row.values["voi_kl"] for rows in by_set for row in rows.values()]
        assert scores.means(label, "kl")[23] == close(mean(everything))


def test_several_cruxes_a_question_have_scores_at_no_other_width(sample: Sample) -> None:
    study = sample.study
    entry = study.entries[0]
    runs = tuple(replace(run, terms=replace(run.terms, k=2)) for run in entry.runs)
    several = replace(study, entries=(replace(entry, runs=runs), *study.entries[1:]))
    scores = width_scores(several)
    assert np.isnan(scores.scores[entry.label]["kl"]).all()
    assert np.isnan(scores.means(entry.label, "kl")).all()
    assert not np.isnan(scores.means(study.labels[1], "kl")).any()


def _golden_set(golden: dict[str, Any], folder: Path) -> QuestionSet:
    window = Window(**{edge: datetime.fromisoformat(moment) for edge, moment in golden["window"].items()})
    question = Question(
        id="640486", source="polymarket", market_id="640486", question=golden["question"], description="As it says.",
        opened=window.start - HOUR, closes=window.start + 72 * DAY, window=window,
    )  # fmt: skip
    series = golden["hourly_trusted_yes"]
    first = datetime.fromisoformat(series["t0"])
    prices = pl.DataFrame(
        {
            "question_id": [question.id] * len(series["prices"]),
            "hour": [first + number * HOUR for number in range(len(series["prices"]))],
            "price": series["prices"],
            "volume_usdc": [None] * len(series["prices"]),
        },
        schema=PRICE_SCHEMA,
    )
    manifest = Manifest(
        format=1, name="golden", version="1", description="One market.", fictional=False, prices="trusted",
        evidence="none", files={},
    )  # fmt: skip
    return write_set(folder / "golden", manifest, [question], [Outcome(question_id="640486", outcome="No")], prices)


def _crux(question: Question, moment: datetime | None) -> Crux:
    return Crux(
        question="Will it be known?", resolution_criteria="A report.", start_date=question.window.start.date(),
        end_date=(moment or question.window.end).date(),
    )  # fmt: skip


def _resolution(moment: datetime | None) -> Resolution:
    if moment is None:
        return Resolution(resolvable=False, failure_mode="temporal")
    return Resolution(resolvable=True, answer="Yes", moment=moment, rule="yes_event", precision="stated")
