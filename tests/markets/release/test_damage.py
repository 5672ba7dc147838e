"""Releases with parts missing or damaged: what is left is imported, and the notes say what is not."""

import json
import math
from datetime import datetime
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, read_eval_log

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.markets.release.importing import ImportReport, import_release
from cruxbench_inspect.markets.release.similarity_pairs import SIMILARITY_PAIRS
from cruxbench_inspect.utc import parse_utc
from tests.evaluating import aggregate, comparable, rescore, samples_of, score_of, values_of
from tests.mini_release import EARLY, FORECASTERS, IDS, LLAMA, OPUS, QWEN, MiniRelease

NOW = parse_utc("2026-11-30T08:00:00Z")
MODEL = f"anthropic/{OPUS}"


@pytest.fixture
def release(tmp_path: Path) -> MiniRelease:
    return MiniRelease(tmp_path / "checkout")


def imported(release: MiniRelease, logs: bool = True, now: datetime = NOW) -> ImportReport:
    folder = release.root.parent
    return import_release(release.root, folder / "set", folder / "logs" if logs else None, now=now)


def models(report: ImportReport, task: str = "cruxbench") -> list[str]:
    headers = [read_eval_log(str(path), header_only=True) for path in report.logs]
    return [header.eval.model for header in headers if header.eval.task == task]


def log_of(report: ImportReport, model: str, task: str = "cruxbench") -> EvalLog:
    for path in report.logs:
        header = read_eval_log(str(path), header_only=True)
        if (header.eval.model, header.eval.task) == (model, task):
            return read_eval_log(str(path))
    raise AssertionError(f"no log of {model}")


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def noted(report: ImportReport, *words: str) -> bool:
    return any(all(word in note for word in words) for note in report.notes)


def test_a_folder_that_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        import_release(tmp_path / "nowhere", tmp_path / "set", None, now=NOW)
    with pytest.raises(InputError, match="is no release: it has neither"):
        import_release(tmp_path, tmp_path / "set", None, now=NOW)


def test_without_a_log_folder_there_is_only_a_set(release: MiniRelease, tmp_path: Path) -> None:
    report = import_release(release.root, tmp_path / "set", None, now=NOW)
    assert report.logs == () and len(report.question_set.questions) == 12


@pytest.mark.parametrize("content", ["[]", "{}", '[{"id": 1}]', "[1", ""])
def test_no_usable_question(release: MiniRelease, content: str) -> None:
    for name in ("ultimates.json", "ultimates_w_news.json"):
        (release.root / "data" / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputProblems, match="ultimates|questions of"):
        imported(release)
    assert not (release.root.parent / "set").exists()


def test_questions_without_articles(release: MiniRelease) -> None:
    cut_off(release.root / "data" / "ultimates_w_news.json")
    report = imported(release, logs=False)
    assert noted(report, "ultimates_w_news.json", "is no JSON") and noted(report, "holds no articles")
    assert len(report.question_set.questions) == 12


def test_single_bad_questions_are_left_out(release: MiniRelease) -> None:
    file = "data/ultimates_w_news.json"
    release.change(file, 0, endDate="2500-12-31T00:00:00Z", events=[], question="Will Alvara open its harbour?")
    release.change(file, 1, active_windows=[])
    release.change(file, 2, id=IDS[4])
    window = release.read(file)[5]["active_windows"][0]
    release.change(file, 5, active_windows=[window | {"end": "2026-03-01T00:00:00+00:00"}])
    report = imported(release)
    assert noted(report, f"question {IDS[0]} is left out", "no scheduled close")
    assert noted(report, "1 values of endDate are no dates and times that can be used")
    assert noted(report, "record 1, active_windows")
    assert noted(report, f"question {IDS[4]} is left out", "more than once")
    assert noted(report, f"question {IDS[5]} is left out", "not within 30 days")
    kept = {int(question.id) for question in report.question_set.questions}
    assert kept == set(IDS) - {IDS[0], IDS[1], IDS[2], IDS[5]}
    assert noted(report, MODEL, "4 of its questions are not among the release's")


def test_damage_in_one_generator_loses_no_other(release: MiniRelease) -> None:
    for name in ("resolved.json", "resolved_raw.json", "subquestions.json"):
        cut_off(release.root / "outputs" / OPUS / name)
    report = imported(release)
    assert noted(report, MODEL, "is left out", "is no JSON")
    assert models(report) == [QWEN, LLAMA]
    forecasts = log_of(report, f"openai/{FORECASTERS[0]}", "forecast")
    assert forecasts.samples is not None
    given = []
    for sample in forecasts.samples:
        values = (sample.scores or {})["forecast"].value
        assert isinstance(values, dict)
        given.append(float(str(values[f"p_u_given_crux:{MODEL}"])))
    # Whether a missing forecast was to keep the baseline cannot be known without the cruxes.
    assert sum(map(math.isnan, given)) == 2


def test_verified_times_are_put_together_again_from_raw_ones(release: MiniRelease, tmp_path: Path) -> None:
    whole = log_of(imported(release), LLAMA)
    (release.root / "outputs" / LLAMA / "resolved.json").unlink()
    report = import_release(release.root, tmp_path / "again" / "set", tmp_path / "again" / "logs", now=NOW)
    assert noted(report, LLAMA, "its cruxes come from resolved_raw.json")
    assert aggregate(log_of(report, LLAMA), "voi_kl") == aggregate(whole, "voi_kl")


def test_without_verifications_rules_follow_from_times(release: MiniRelease) -> None:
    (release.root / "outputs" / "timestamp_verifications.json").unlink()
    (release.root / "outputs" / QWEN / "resolved.json").unlink()
    report = imported(release)
    assert noted(report, "there is no timestamp_verifications.json")
    qwen, opus = log_of(report, QWEN), log_of(report, MODEL)
    metadata = score_of(samples_of(qwen)[0]).metadata
    assert metadata is not None and (metadata["rule"], metadata["precision"]) == ("no_deadline", "deadline")
    assert "verifier" not in metadata and samples_of(qwen)[0].metadata["verify"] is False
    metadata = score_of(samples_of(opus)[0]).metadata
    assert metadata is not None and (metadata["rule"], metadata["precision"]) == ("yes_event", "stated")
    assert samples_of(opus)[0].metadata["verify"] is True
    assert noted(report, QWEN, "10 resolutions have no verified rule")


def test_cruxes_without_resolutions_are_left_to_be_scored(
    release: MiniRelease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    for name in ("resolved.json", "resolved_raw.json"):
        (release.root / "outputs" / OPUS / name).unlink()
    report = imported(release)
    log = log_of(report, MODEL)
    assert noted(report, MODEL, "`inspect score` has a judge settle them")
    assert all(not sample.scores and sample.metadata["evidence"] == "web" for sample in samples_of(log))
    assert all("Will the council" in sample.output.completion for sample in samples_of(log))
    scored = rescore(log)
    assert aggregate(scored, "coverage") == pytest.approx(1 / 12)
    assert all("made_at" not in (score_of(sample).metadata or {}) for sample in samples_of(scored))
    assert "no judge" in (score_of(samples_of(scored)[0]).explanation or "")


def test_a_single_crux_without_resolution_is_unscored(release: MiniRelease) -> None:
    file = f"outputs/{OPUS}/resolved.json"
    window = release.read(file)[0]["active_windows"][0]
    crux = {key: value for key, value in window["subquestions"][0].items() if key != "resolvable"}
    release.change(file, 0, active_windows=[window | {"subquestions": [crux]}])
    report = imported(release)
    sample = samples_of(log_of(report, MODEL))[0]
    assert score_of(sample).reason == "judge_failed" and values_of(sample)["coverage"] == 0.0
    assert noted(report, MODEL, "1 cruxes have no resolution")


def test_trusted_prices_that_are_missing_are_computed(release: MiniRelease, tmp_path: Path) -> None:
    whole = imported(release)
    for path in sorted((release.root / "data" / "hourly_prices_trusted").iterdir())[1:]:
        path.unlink()
    report = import_release(release.root, tmp_path / "again" / "set", tmp_path / "again" / "logs", now=NOW)
    assert report.question_set.manifest.prices == "trusted"
    assert sum("are computed of raw ones and volumes" in note for note in report.notes) == 11
    for one, other in zip(samples_of(log_of(report, LLAMA)), samples_of(log_of(whole, LLAMA)), strict=True):
        assert comparable(values_of(one)) == pytest.approx(comparable(values_of(other)), abs=1e-9)


def test_prices_of_one_market_are_missing(release: MiniRelease) -> None:
    for market_id in IDS[:2]:
        (release.root / "data" / "hourly_activity" / f"{market_id}.json").unlink()
    cut_off(release.root / "data" / "hourly_prices_trusted" / f"{IDS[0]}.json")
    (release.root / "data" / "hourly_prices_trusted" / f"{IDS[1]}.json").write_text('{"Yes": {"2025-09-18": 1.5}}')
    report = imported(release)
    assert noted(report, str(IDS[0]), "is no JSON") and noted(report, str(IDS[1]), "1.5 is not between 0 and 1")
    reasons = [score_of(sample).reason for sample in samples_of(log_of(report, LLAMA))]
    assert reasons[:3] == ["prices_missing", "prices_missing", None]


def test_raw_prices_need_their_volumes(release: MiniRelease) -> None:
    for path in (release.root / "data" / "hourly_prices_trusted").iterdir():
        path.unlink()
    (release.root / "data" / "hourly_activity" / f"{IDS[0]}.json").write_text('{"t0": "2025-09-18", "vol": [-1]}')
    report = imported(release, logs=False)
    assert noted(report, str(IDS[0]), "no raw prices", "amounts of USDC")
    assert len(report.question_set.prices["question_id"].unique()) == 11


def test_a_window_that_is_not_over_is_unscored(release: MiniRelease) -> None:
    report = imported(release, now=parse_utc("2025-10-25T00:00:00Z"))
    reasons = {int(sample.id): score_of(sample).reason for sample in samples_of(log_of(report, LLAMA))}
    assert reasons[IDS[0]] is None and reasons[IDS[11]] == "window_open"


def test_a_release_without_forecasts_and_similarities(release: MiniRelease) -> None:
    for path in (release.root / "outputs_forecast").rglob("*.json"):
        path.unlink()
    cut_off(release.root / "outputs" / "crossmodel_similarity_pairs.json")
    report = imported(release)
    assert noted(report, "holds no forecasts") and noted(report, "crossmodel_similarity_pairs.json is no JSON")
    assert len(report.logs) == 3 and not (report.logs[0].parent / SIMILARITY_PAIRS).exists()


def test_forecasts_that_are_damaged_or_of_unknown_questions(release: MiniRelease) -> None:
    folder = release.root / "outputs_forecast"
    cut_off(folder / FORECASTERS[1] / "baseline_pu.json")
    release.change(f"outputs_forecast/{FORECASTERS[0]}/baseline_pu.json", 0, ultimate_question="Will it rain?")
    release.change(f"outputs_forecast/{FORECASTERS[0]}/baseline_pu.json", 1, p_u=None)
    (folder / FORECASTERS[0] / "subq_pu__somebody.json").write_text("[]", encoding="utf-8")
    cut_off(folder / FORECASTERS[0] / f"subq_pu__{OPUS}.json")
    report = imported(release)
    assert noted(report, f"forecaster {FORECASTERS[1]} is left out")
    assert noted(report, "1 forecasts are of no question") and noted(report, "record 1, p_u")
    assert noted(report, "subq_pu__somebody.json names no generator") and noted(report, OPUS, "is no JSON")
    assert models(report, "forecast") == [f"openai/{FORECASTERS[0]}"]
    assert len(samples_of(log_of(report, f"openai/{FORECASTERS[0]}", "forecast"))) == 10


def test_prices_that_end_long_before_the_stated_closing(release: MiniRelease) -> None:
    file = "data/ultimates_w_news.json"
    place = IDS.index(EARLY)
    release.change(file, place, umaEndDate="2025-11-20T10:00:00Z", closedTime=None)
    report = imported(release)
    assert noted(report, "1 markets count as closed at their last price")
    assert score_of(samples_of(log_of(report, LLAMA))[place]).reason is None
    outcome = report.question_set.outcome(str(EARLY))
    assert outcome.resolved_at is not None and f"{outcome.resolved_at:%Y-%m-%d}" == "2025-10-13"


def test_what_cannot_be_written(release: MiniRelease, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="no part of a question set"):
        imported(release)
    (tmp_path / "logs").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        import_release(release.root, tmp_path / "other", tmp_path / "logs", now=NOW)


def test_the_set_of_another_release_is_replaced_only_when_told_to(release: MiniRelease, tmp_path: Path) -> None:
    imported(release, logs=False)
    release.change("data/ultimates_w_news.json", 0, question="Will Alvara open its harbour after all?")
    with pytest.raises(InputError, match="another question set"):
        imported(release, logs=False)
    report = import_release(release.root, tmp_path / "set", None, now=NOW, replace=True)
    line = json.loads((report.question_set.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert line["question"] == "Will Alvara open its harbour after all?"


def change_crux(release: MiniRelease, index: int, **changes: object) -> None:
    file = f"outputs/{OPUS}/resolved.json"
    window = release.read(file)[index]["active_windows"][0]
    release.change(file, index, active_windows=[window | {"subquestions": [window["subquestions"][0] | changes]}])


@pytest.mark.parametrize("written", ["around noon", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+05:00", 1e300])
def test_a_resolution_without_a_usable_time_is_told(release: MiniRelease, written: object) -> None:
    change_crux(release, 0, resolution_datetime=written)
    report = imported(release)
    assert len(models(report)) == 3 and noted(report, "1 values of resolution_datetime are no dates and times")
    assert noted(report, MODEL, "1 cruxes are resolvable, but without a usable answer or time")
    reasons = [score_of(sample).reason for sample in samples_of(log_of(report, MODEL))]
    assert reasons[:2] == ["unresolvable", None]


def test_a_resolution_without_a_usable_answer_is_told(release: MiniRelease) -> None:
    change_crux(release, 0, resolution="perhaps")
    assert noted(imported(release), MODEL, "1 cruxes are resolvable, but without a usable answer or time")


def test_a_market_without_a_usable_outcome_is_told(release: MiniRelease) -> None:
    release.change("data/ultimates_w_news.json", 0, resolution="50-50")
    report = imported(release, logs=False)
    assert noted(report, f"question {IDS[0]} has the resolution '50-50': its outcome is unknown")
    assert report.question_set.outcome(str(IDS[0])).outcome is None


@pytest.mark.parametrize("year", ["0001", "9999"])
@pytest.mark.parametrize("place", ["start", "end", "start_date", "end_date", "startDate", "endDate", "umaEndDate"])
def test_years_that_stand_for_no_date_end_no_import(release: MiniRelease, place: str, year: str) -> None:
    file, moment = "data/ultimates_w_news.json", f"{year}-12-31T23:59:59+05:00"
    if place in ("start_date", "end_date"):
        for valid in (True, False):
            change_crux(release, int(valid), **{place: moment, "valid_period": valid})
    elif place in ("start", "end"):
        release.change(file, 0, active_windows=[release.read(file)[0]["active_windows"][0] | {place: moment}])
    else:
        release.change(file, 0, **{place: moment})
    report = imported(release)
    assert len(models(report)) == 3
    assert len(report.question_set.questions) == (11 if place in ("start", "end") else 12)


@pytest.mark.parametrize("market_id", [None, True, "", "../../etc/passwd", "a/b", ".."])
def test_what_is_no_id(release: MiniRelease, market_id: object) -> None:
    release.change("data/ultimates_w_news.json", 0, id=market_id)
    report = imported(release, logs=False)
    assert noted(report, "record 0, id: is no id") and len(report.question_set.questions) == 11


def test_a_byte_order_mark_does_no_harm(release: MiniRelease) -> None:
    path = release.root / "data" / "ultimates_w_news.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert not noted(imported(release, logs=False), "is no JSON")


def test_nesting_without_end_is_named(release: MiniRelease) -> None:
    (release.root / "outputs" / OPUS / "resolved.json").write_text("[" * 200_000, encoding="utf-8")
    report = imported(release)
    assert noted(report, MODEL, "nested too deeply") and noted(report, MODEL, "its cruxes come from resolved_raw.json")


def test_records_that_contradict_each_other_are_told(release: MiniRelease) -> None:
    change_crux(release, 0, resolution_datetime="2025-09-25T10:00:00Z")
    change_crux(release, 1, resolution="No")
    file = f"outputs/{OPUS}/resolved.json"
    records = release.read(file)
    (release.root / file).write_text(json.dumps([*records, records[0] | {"active_windows": []}]), encoding="utf-8")
    report = imported(release)
    assert noted(report, MODEL, "2 verified times or answers are not those of its file, which count")
    assert noted(report, MODEL, "1 records of a question after the first one are left out")
    assert score_of(samples_of(log_of(report, MODEL))[0]).reason is None
