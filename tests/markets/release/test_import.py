"""Importing a miniature release: the set, the logs, and what they score."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_sample_summaries

from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.markets.release.importing import JUDGES, ImportReport, import_release
from cruxbench_inspect.markets.release.names import model_name
from cruxbench_inspect.markets.release.records import VerifiedTime
from cruxbench_inspect.markets.release.similarity_pairs import SIMILARITY_PAIRS
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.sample_columns import sample_columns
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.utc import parse_utc
from tasks.cruxbench import cruxbench
from tests.evaluating import aggregate, all_values, comparable, rescore, samples_of, score_of, values_of
from tests.markets.release.direct_computation import DirectMarket
from tests.mini_release import (
    AFTER_THE_END,
    EAGER,
    EARLY,
    FORECASTERS,
    GENERATORS,
    IDS,
    INVALID,
    LLAMA,
    OPUS,
    QWEN,
    SILENT,
    UNRESOLVABLE,
    MiniRelease,
)

NOW = parse_utc("2026-11-30T08:00:00Z")


class Imported(NamedTuple):
    release: MiniRelease
    report: ImportReport
    log_dir: Path

    def log(self, model: str, task: str = "cruxbench") -> EvalLog:
        (log,) = [
            log
            for log in (read_eval_log(str(path)) for path in self.report.logs)
            if log.eval.model == model_name(model) and log.eval.task == task
        ]
        return log


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Imported]:
    folder = tmp_path_factory.mktemp("release")
    release = MiniRelease(folder / "checkout")
    yield Imported(release, import_release(release.root, folder / "set", folder / "logs", now=NOW), folder / "logs")


def test_the_set_is_valid_and_says_that_it_has_hindsight(imported: Imported) -> None:
    loaded = QuestionSet.load(imported.report.question_set.folder)
    assert [question.id for question in loaded.questions] == [str(market_id) for market_id in IDS]
    manifest = loaded.manifest
    assert manifest.flags == ("hindsight_dates",) and manifest.prices == "trusted" and manifest.evidence == "web"
    assert manifest.volume_basis == "two_sided" and manifest.judges == JUDGES and not manifest.fictional
    assert (
        manifest.counts
        == imported.report.counts
        == {
            "questions": 12,
            "windows_cut_short_of_scheduled_close": 1,
            "windows_past_scheduled_close": 0,
            "windows_from_3_days_before_close_on": 0,
            "closes_stated_by_rules": 12,
            "articles_not_before_window": 12,
            "articles_without_date": 12,
            "descriptions_with_later_notes": 1,
        }
    )


def test_questions_hold_what_the_release_says(imported: Imported) -> None:
    record = imported.release.read("data/ultimates.json")[0]
    question = imported.report.question_set.question(str(IDS[0]))
    assert (question.question, question.description) == (record["question"], record["description"])
    # The question says "by January 28", in New York.
    assert (record["endDate"], question.closes) == ("2026-01-28T12:00:00Z", parse_utc("2026-01-29T04:59:00Z"))
    assert question.opened == parse_utc(record["startDate"])
    assert question.window.start == datetime.fromisoformat(record["active_windows"][0]["start"])
    assert question.event_id == "45000" and question.tags == ("Transport", "Harbours")
    outcome = imported.report.question_set.outcome(question.id)
    assert outcome.outcome == "Yes" and outcome.resolved_at == parse_utc(record["umaEndDate"])


def test_later_notes_are_cut_off_the_description(imported: Imported) -> None:
    collected = imported.release.read("data/ultimates.json")[2]["description"]
    description = imported.report.question_set.question(str(IDS[2])).description
    assert "ferry" in collected and collected.startswith(description) and "ferry" not in description
    assert "ferry" not in str(samples_of(imported.log(OPUS))[2].input)


def test_only_dated_articles_from_before_the_window_are_kept(imported: Imported) -> None:
    for question in imported.report.question_set.questions:
        assert [article.title.split()[1] for article in question.articles] == ["0", "1"]
        assert all(article.published < question.window.start for article in question.articles)


def test_an_early_settlement_is_in_no_prompt(imported: Imported) -> None:
    record = imported.release.read("data/ultimates.json")[IDS.index(EARLY)]
    settled, last_price = parse_utc(record["umaEndDate"]), record["ph_end"] / 1000
    cut = record["active_windows"][0]["end"][:10]
    ends = {f"{settled:%Y-%m-%d}", f"{datetime.fromtimestamp(last_price, settled.tzinfo):%Y-%m-%d}", cut}
    question_set = imported.report.question_set
    lines = (question_set.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if json.loads(line)["id"] == str(EARLY)]
    (sample,) = [sample for sample in cruxbench(questions=str(question_set.folder)).dataset if sample.id == str(EARLY)]
    shown = line + sample.model_dump_json() + f"{imported.log(OPUS).model_dump()['samples'][3]['input']}"
    assert f"{question_set.question(str(EARLY)).closes:%Y-%m-%d}" in shown
    assert not [end for end in ends if end in shown]


@pytest.mark.parametrize(("generator", "width"), [*((name, 24) for name in GENERATORS), (LLAMA, 48)])
def test_values_are_those_of_a_direct_computation(imported: Imported, generator: str, width: int) -> None:
    log = imported.log(generator)
    if width != 24:
        log = rescore(log, width=width)
    samples = {int(sample.id): sample for sample in samples_of(log)}
    assert tuple(samples) == IDS
    expected = []
    for question in imported.release.read("data/ultimates.json"):
        market = DirectMarket(imported.release.root, question)
        crux = imported.release.released_crux(generator, question["id"])
        resolved = crux is not None and bool(crux.get("resolvable"))
        value = market.value(datetime.fromisoformat(crux["resolution_datetime"]), width) if crux and resolved else 0.0
        values = values_of(samples[question["id"]])
        assert tuple(values) == VALUES
        assert values["voi_kl"] == pytest.approx(value, abs=1e-9)
        if question["id"] in (IDS[0], EARLY):
            assert values["random_kl"] == pytest.approx(market.at_random(width), abs=1e-9)
        assert values["resolved"] == resolved and values["coverage"] == 1.0
        expected.append(value)
    assert sum(value > 0 for value in expected) >= 9
    assert aggregate(log, "voi_kl") == pytest.approx(sum(expected) / 12, abs=1e-9)


def test_rescoring_with_the_same_width_changes_nothing_and_asks_nobody(imported: Imported) -> None:
    log = imported.log(LLAMA)
    again = rescore(imported.log(LLAMA))
    assert all_values(again) == all_values(log)
    for before, after in zip(samples_of(log), samples_of(again), strict=True):
        assert score_of(after).explanation == score_of(before).explanation
        # No time of making, no prompts of ours, nothing lost.
        assert score_of(after).metadata == score_of(before).metadata
    assert not [event for sample in samples_of(again) for event in sample.events if event.event == "model"]
    told = score_of(samples_of(again)[0]).metadata or {}
    assert (told["judge_prompts"], told["event_group"]) == ("release", "vote") and "made_at" not in told
    twice = rescore(again, width=12)
    assert aggregate(twice, "coverage") == 1.0
    assert [(score_of(sample).metadata or {}) | {"width": 24} for sample in samples_of(rescore(twice, width=24))] == [
        score_of(sample).metadata for sample in samples_of(log)
    ]


def test_zero_has_its_reason(imported: Imported) -> None:
    reasons = {name: {int(sample.id): score_of(sample).reason for sample in samples_of(imported.log(name))}
               for name in GENERATORS}  # fmt: skip
    assert reasons[OPUS][INVALID] == "out_of_dates"
    assert reasons[QWEN][SILENT] == "no_response"
    assert reasons[LLAMA][AFTER_THE_END] == "after_settlement"
    assert {reasons[name][UNRESOLVABLE] for name in GENERATORS} == {"unresolvable"}
    assert reasons[OPUS][EAGER] is None


def test_a_crux_that_was_judged_with_dates_before_its_window_is_moved_into_it(imported: Imported) -> None:
    released = imported.release.released_crux(OPUS, EAGER)
    assert released is not None
    window = imported.report.question_set.question(str(EAGER)).window
    assert released["start_date"] < str(window.start.date())
    (sample,) = [sample for sample in samples_of(imported.log(OPUS)) if sample.id == str(EAGER)]
    assert json.loads(sample.output.completion)["start_date"] == str(window.start.date())
    assert any("they are moved into it" in note and model_name(OPUS) in note for note in imported.report.notes)


def test_a_log_says_what_a_log_of_the_task_says(imported: Imported) -> None:
    log, question_set = imported.log(QWEN), imported.report.question_set
    task = cruxbench(questions=str(question_set.folder))
    assert log.eval.task == "cruxbench" and log.eval.task_version == task.version
    assert log.eval.headline_metric == task.headline_metric
    assert log.eval.solver == "release" and log.status == "success"
    for sample, own in zip(samples_of(log), task.dataset, strict=True):
        assert own.metadata is not None
        assert sample.id == own.id
        assert sample.metadata.keys() == own.metadata.keys()
        assert {key for key in own.metadata if sample.metadata[key] != own.metadata[key]} <= {"evidence"}
    assert log.results is not None and log.results.headline is not None
    assert [score.name for score in log.results.scores] == list(VALUES)
    assert log.results.total_samples == log.results.completed_samples == 12


def test_the_judgement_with_the_verified_time_is_in_the_transcript(imported: Imported) -> None:
    sample = samples_of(imported.log(LLAMA))[0]
    judged, verified = [event.data for event in sample.events if isinstance(event, InfoEvent)]
    assert isinstance(judged, dict) and isinstance(verified, dict)
    resolution = Judgement.model_validate(judged["judgement"]).resolution
    assert resolution is not None and (resolution.rule, resolution.precision) == ("yes_event", "date_only")
    assert resolution.verification is not None and resolution.verification.changed
    assert resolution.verification.moment_before == parse_utc("2025-09-24T13:30:00Z")
    assert resolution.evidence[0].url == "https://courier.example/vote"
    assert VerifiedTime.model_validate(verified["verification"]).event_group == "vote"
    metadata = score_of(sample).metadata
    assert metadata is not None and metadata["resolver"] == JUDGES.resolver and metadata["judge_prompts"] == "release"
    explanation = score_of(sample).explanation or ""
    assert "Moved from" in explanation and "https://courier.example/vote" in explanation


def test_logs_are_listed_and_summarised_by_inspect(imported: Imported) -> None:
    listed = list_eval_logs(str(imported.log_dir))
    assert sorted(info.task for info in listed) == ["cruxbench"] * 3 + ["forecast"] * 2
    for info in listed:
        summaries = read_eval_log_sample_summaries(info)
        assert len(summaries) == 12 and all(summary.scores for summary in summaries)


def test_forecasts_with_and_without_cruxes(imported: Imported) -> None:
    log = imported.log(FORECASTERS[0], "forecast")
    questions = {str(each["id"]): each for each in imported.release.read("data/ultimates.json")}
    for sample in samples_of(log):
        assert sample.scores is not None
        values = sample.scores["forecast"].value
        assert isinstance(values, dict)
        yes = questions[str(sample.id)]["resolution"] == "Yes"
        assert values["brier"] == pytest.approx((0.25 - yes) ** 2)
        for generator in GENERATORS:
            crux = imported.release.released_crux(generator, int(sample.id))
            late = generator == LLAMA and int(sample.id) == AFTER_THE_END
            informs = crux is not None and bool(crux.get("resolvable")) and not late
            assert values[f"p_u_given_crux:{model_name(generator)}"] == (0.5 if informs else 0.25)
            assert values[f"brier_given_crux:{model_name(generator)}"] == pytest.approx(
                ((0.5 if informs else 0.25) - yes) ** 2
            )
    assert aggregate(log, "p_u") == pytest.approx(0.25)


def test_a_forecaster_that_is_a_generator_has_its_name(imported: Imported) -> None:
    assert aggregate(imported.log(QWEN, "forecast"), "p_u") == pytest.approx(0.3)


def test_the_viewer_lists_imported_runs_as_it_lists_ours(imported: Imported) -> None:
    specs = [read_eval_log(str(log), header_only=True).eval for log in imported.report.logs]
    ours = [spec for spec in specs if spec.task == "cruxbench"]
    assert len(ours) == 3 and all(spec.viewer == sample_columns() for spec in ours)


def test_the_table_of_capability_scores_is_beside_the_logs(imported: Imported) -> None:
    (table,) = imported.report.logs[0].parent.glob("epoch_eci_scores_*.csv")
    assert table.read_text(encoding="utf-8").startswith("model,score")
    assert any("epoch_eci_scores" in note for note in imported.report.notes)


def test_similarity_pairs_name_the_models_of_the_logs(imported: Imported) -> None:
    pairs = json.loads((imported.log_dir / SIMILARITY_PAIRS).read_text(encoding="utf-8"))
    assert len(pairs) == 36
    assert pairs[1] == {
        "question_id": str(IDS[0]),
        "a": "anthropic/claude-opus-4-6",
        "b": LLAMA,
        "cosine": pytest.approx(0.5 + IDS[0] % 7 / 20),
        "same_resolution": True,
        "date_gap_days": 0.0,
    }


def test_importing_again_gives_the_same_set_and_replaces_the_logs(imported: Imported, tmp_path: Path) -> None:
    folders = tmp_path / "set", tmp_path / "logs"
    first = import_release(imported.release.root, *folders, now=NOW)
    values = [all_values(read_eval_log(str(path))) for path in first.logs[:3]]
    second = import_release(imported.release.root, *folders, now=parse_utc("2027-01-01T00:00:00Z"))
    assert second.question_set.digest == first.question_set.digest == imported.report.question_set.digest
    assert second.logs == first.logs and len(list(folders[1].glob("*.eval"))) == 5
    assert [all_values(read_eval_log(str(path))) for path in second.logs[:3]] == values


def test_raw_prices_with_volumes_score_as_the_trusted_ones_do(imported: Imported, tmp_path: Path) -> None:
    release = MiniRelease(tmp_path / "checkout")
    for path in (release.root / "data" / "hourly_prices_trusted").iterdir():
        path.unlink()
    report = import_release(release.root, tmp_path / "set", tmp_path / "logs", now=NOW)
    assert report.question_set.manifest.prices == "raw"
    for raw, trusted in zip(report.logs[:3], imported.report.logs[:3], strict=True):
        for one, other in zip(
            samples_of(read_eval_log(str(raw))), samples_of(read_eval_log(str(trusted))), strict=True
        ):
            assert comparable(values_of(one)) == pytest.approx(comparable(values_of(other)), abs=1e-9)


def test_prices_are_hourly(imported: Imported) -> None:
    table = imported.report.question_set.prices
    assert table.schema["hour"] == pl.Datetime("us", "UTC") and table["volume_usdc"].null_count() == len(table)
