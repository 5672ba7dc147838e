"""Entries that differ in width, or are two runs of one model: each is told as if it stood alone."""

import json
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from cruxbench_inspect.markets.release.importing import import_release
from cruxbench_inspect.report.building import Choices, build_report
from cruxbench_inspect.report.crux_similarity import imported_similarities
from cruxbench_inspect.report.gathering.price_list import read_prices
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.methods_text import methods_text
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.tables.breakdowns import LEADS, breakdowns
from cruxbench_inspect.report.tables.failure_modes import failure_modes
from cruxbench_inspect.report.tables.forecasts import forecastings
from cruxbench_inspect.report.tables.nulls import matched_nulls
from cruxbench_inspect.report.tables.robustness import robustness
from cruxbench_inspect.report.tables.value_of_information import value_of_information
from cruxbench_inspect.report.widths import width_scores
from cruxbench_inspect.utc import parse_utc
from tests.mini_release import MiniRelease
from tests.report.tables.sample_study import close, rows_of
from tests.synthetic_study import Subject, SyntheticStudy

NOW = parse_utc("2026-11-30T08:00:00Z")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """A log of a model for each of two widths; more of the first one's."""
    made = SyntheticStudy(tmp_path_factory.mktemp("widths"), 40)
    (narrow,) = made.write([Subject("lab/narrow", skill=0.5)], "narrow", width=6)
    (wide,) = made.write([Subject("lab/wide", skill=0.5)], "wide", width=48)
    return {6: str(narrow), 48: str(wide)}


def study_of(*logs: str) -> Study:
    return make_study(logs, {}, Options(allow_mixed=True))


@pytest.mark.parametrize(("width", "label"), [(6, "narrow"), (48, "wide")])
def test_an_entry_is_compared_at_its_own_width(logs: dict[int, str], width: int, label: str) -> None:
    alone, mixed = study_of(logs[width]), study_of(*logs.values())
    assert (alone.width_of(label), mixed.width_of(label)) == (width, width)
    for table in (robustness, matched_nulls):
        own, beside = (rows_of(table(study, width_scores(study)))[label] for study in (alone, mixed))
        assert own.keys() == beside.keys() and sum(isinstance(value, float) for value in own.values()) > 4
        for key in own.keys() - {"model"}:
            assert beside[key] == close(own[key])


def test_an_entry_with_scores_of_two_widths_has_no_hours_of_its_own(logs: dict[int, str], tmp_path: Path) -> None:
    log = read_eval_log(logs[6])
    for sample in (log.samples or [])[:5]:
        assert sample.scores is not None and sample.scores["voi"].metadata is not None
        sample.scores["voi"].metadata["width"] = 12
    write_eval_log(log, str(tmp_path / "both.eval"))
    study = study_of(str(tmp_path / "both.eval"))
    widths = width_scores(study)
    assert study.width_of("narrow") is None
    assert rows_of(matched_nulls(study, widths))["narrow"] == {"model": "narrow"}
    row = rows_of(robustness(study, widths))["narrow"]
    assert row["raw"] is None and "late" not in row and "moving" not in row


def test_what_came_with_an_import_is_of_the_import(tmp_path: Path) -> None:
    MiniRelease(tmp_path / "release")
    report = import_release(tmp_path / "release", tmp_path / "set", tmp_path / "logs", now=NOW)
    logs = [str(path) for path in report.logs]
    before = make_study(logs, {}, Options())
    rerun = next(path for path in logs if read_eval_log(path, header_only=True).eval.task.endswith("cruxbench"))
    log = read_eval_log(rerun)
    log.eval.eval_id, log.eval.task_id, log.eval.created = "again", "again", "2026-12-01T00:00:00+00:00"
    assert log.eval.metadata is not None and log.eval.metadata.pop("imported_from")
    again = tmp_path / "logs" / "again.eval"
    write_eval_log(log, str(again))

    study = make_study([*logs, str(again)], {}, Options())

    assert len(study.entries) == len(before.entries) + 1
    (second,) = {*study.labels} - {*before.labels}
    assert study.entries_of(log.eval.model) == [second.removesuffix(" #2")]
    assert {one.generator for one in forecastings(study)} == {one.generator for one in forecastings(before)}
    assert imported_similarities(study) == imported_similarities(before) is not None


def test_lead_times_are_in_their_order(logs: dict[int, str]) -> None:
    (table,) = [one for one in breakdowns(study_of(logs[6])) if one.name == "by_lead_time"]
    shown = list(dict.fromkeys(row["group"] for row in table.rows))
    names = [name for _, name in LEADS]
    assert len(shown) > 2 and shown == [name for name in [*names, "not resolved"] if name in shown]


def test_the_methods_tell_the_set_s_own_rules(tmp_path: Path) -> None:
    made = SyntheticStudy(tmp_path, 3)
    study = study_of(str(made.write([Subject("lab/one")])[0]))
    usual = "alpha = min(1, V / 1,000 USDC), where V is the volume from 12 hours before to 12 hours after it. "
    assert usual in methods_text(study, width_scores(study))
    rules = made.set.manifest.price_rules
    manifest = made.set.manifest.model_copy(
        update={"price_rules": type(rules)(volume_threshold_usdc=500, half_window_hours=6)}
    )
    object.__setattr__(study.sets[made.set.digest], "manifest", manifest)
    own = "alpha = min(1, V / 500 USDC), where V is the volume from 6 hours before to 6 hours after it. "
    assert own in methods_text(study, width_scores(study))


def test_pooled_runs_with_epochs_of_their_own(tmp_path: Path) -> None:
    made = [SyntheticStudy(tmp_path, 5, seed=seed, name=f"round-{seed}") for seed in (1, 2)]
    paths = [
        made[number].write([Subject("lab/both", epochs=epochs), *others])
        for number, (epochs, others) in enumerate(((1, []), (3, [Subject("lab/last")])))
    ]
    study = make_study([str(path) for own in paths for path in own], {}, Options(pooled=True))
    assert (study.epochs("both"), study.wanted("both"), study.coverage("both")) == ([1, 3], 20, 1.0)
    # The set that the second model has no run over is missing once.
    assert (study.wanted("last"), study.coverage("last"), study.why_unranked("both")) == (10, 0.5, None)
    row = rows_of(failure_modes(study))["both"]
    assert row["epochs"] is None and row["questions"] == 20
    resolved = [
        sum(sample.values["resolved"] > 0 for sample in run.samples) / run.epochs
        for entry in study.entries
        if entry.label == "both"
        for run in entry.runs
    ]
    assert rows_of(value_of_information(study))["both"]["resolved"] == close(sum(resolved))


def test_the_lead_of_mixed_widths_has_the_best_one_s_own_baseline(logs: dict[int, str], tmp_path: Path) -> None:
    study = study_of(*logs.values())
    report = build_report(study, read_prices(None), Choices(cases=0), NOW, tmp_path)
    best = study.labels[0]
    own = study.scored(best)["random_kl"].to_list()
    assert f"where random timing has {mean(own):.4f}." in report.lead
    (figure,) = [one for one in report.figures if one.name == "voi_by_model"]
    assert "Random timing" not in json.dumps(figure.spec)
