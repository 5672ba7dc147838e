"""What became of cruxes: failure modes, direction, days and informativeness, against loops over the logs."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from inspect_ai.log import read_eval_log

from cruxbench_inspect.report.tables.direction_and_timing import direction_and_timing
from cruxbench_inspect.report.tables.failure_modes import failure_modes
from cruxbench_inspect.report.tables.informativeness import informativeness_of_cruxes
from tests.report.tables.direct_prices import HOUR, pivot_of
from tests.report.tables.logged import clustered_interval, mean, samples_of, scored, scored_samples, wilson
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of, with_rows

MODES = {"data_availability", "temporal", "observability", "no_crux"}


@pytest.mark.parametrize("label", LABELS)
def test_failure_modes_count_every_sample_once(sample: Sample, label: str) -> None:
    expected = Counter(_fates(sample, label))
    row = rows_of(failure_modes(sample.study))[label]
    epochs = 2 if label == "twice" else 1
    assert (row["epochs"], row["questions"]) == (epochs, 30 * epochs)
    counts = {key: count for key, count in row.items() if key not in ("model", "epochs", "questions") and count}
    assert counts == expected


def test_failure_modes_have_a_column_for_all_that_happened(sample: Sample) -> None:
    table = failure_modes(sample.study)
    happened = {fate for label in LABELS for fate in _fates(sample, label)}
    assert happened > MODES
    assert {column.key for column in table.columns} == {"model", "epochs", "questions"} | happened


@pytest.mark.parametrize("label", LABELS)
def test_direction_and_deadlines_equal_loops(sample: Sample, label: str) -> None:
    own = scored_samples(sample.logged[label])
    moved = [row for row in own if not math.isnan(row.values["signed_move"])]
    signed = [row.values["signed_move"] for row in moved]
    hits, counted = sum(value > 0 for value in signed), sum(value != 0 for value in signed)
    resolved = [row for row in own if row.values["resolved"] > 0]

    row = rows_of(direction_and_timing(sample.study))[label]

    assert row["signed"] == close(mean(signed))
    assert row["signed_interval"] == close(clustered_interval(signed, [one.event for one in moved]))
    assert row["hits"] == close(hits / counted)
    assert row["hits_interval"] == close(wilson(hits, counted))
    assert row["directions"] == counted
    assert row["settled"] == close(sum(one.reason == "after_settlement" for one in resolved) / len(resolved))
    assert row["date_only"] == close(sum(one.told.get("precision") == "date_only" for one in resolved) / len(resolved))
    assert row["deadline"] == close(sum(one.told.get("rule") == "no_deadline" for one in resolved) / len(resolved))


@pytest.mark.parametrize("label", ["keen", "twice"])
def test_days_without_an_hour_are_placed_at_each_of_their_hours(sample: Sample, label: str) -> None:
    scores: dict[str, list[float]] = {"voi": [], "lowest": [], "middle": [], "highest": []}
    days = 0
    for one in scored(sample.logged[label]):
        prices = sample.direct[one.question]
        by_epoch = []
        for epoch in one.scored_samples:
            moment = epoch.resolved_at
            values = [prices.at(moment, 24)["kl"]]
            if epoch.told.get("precision") == "date_only" and moment is not None:
                days += 1
                values = [prices.at(moment + number * HOUR + HOUR / 2, 24)["kl"] for number in range(24)]
            by_epoch.append(values)
        scores["voi"].append(one.values["voi_kl"])
        scores["lowest"].append(mean(min(values) for values in by_epoch))
        scores["middle"].append(mean(mean(values) for values in by_epoch))
        scores["highest"].append(mean(max(values) for values in by_epoch))
    assert days > 2

    row = rows_of(direction_and_timing(sample.study))[label]

    for name, expected in scores.items():
        assert row[name] == close(mean(expected))
    assert row["lowest"] < row["middle"] < row["highest"]  # type: ignore[operator]


@pytest.mark.parametrize("label", ["keen", "plain", "weak"])
def test_signed_moves_follow_from_prices(sample: Sample, label: str) -> None:
    for row in scored(sample.logged[label]):
        if row.resolved_at is not None and row.reason is None:
            both = sample.direct[row.question].beliefs(pivot_of(row.resolved_at), 24)
            assert both is not None
            up = (row.told["outcome"] == "Yes") == (row.told["yes_makes_u"] == "more")
            assert row.values["signed_move"] == close((both[1] - both[0]) * (1 if up else -1))


@pytest.mark.parametrize("label", LABELS)
def test_informativeness_equals_counts_of_answers(sample: Sample, label: str) -> None:
    ended = {
        question.id: sample.made.set.outcome(question.id).outcome == "Yes" for question in sample.made.set.questions
    }
    own = [one for one in scored_samples(sample.logged[label]) if one.values["resolved"] > 0 and "outcome" in one.told]
    plain = [(row.told["outcome"] == "Yes", ended[row.question]) for row in own]
    turned = [
        ((row.told["outcome"] == "Yes") == (row.told["yes_makes_u"] == "more"), ended[row.question]) for row in own
    ]

    row = rows_of(informativeness_of_cruxes(sample.study))[label]

    tpr, fpr, interval = _youden(plain)
    assert (row["tpr"], row["fpr"], row["j"]) == close((tpr, fpr, tpr - fpr))
    assert row["interval"] == close(interval)
    assert (row["positives"], row["negatives"]) == (sum(yes for _, yes in plain), sum(not yes for _, yes in plain))
    assert row["clustered"] == close(_bootstrap_j(plain, [one.event for one in own]))
    tpr, fpr, interval = _youden(turned)
    assert row["oriented"] == close(tpr - fpr)
    assert row["oriented_interval"] == close(interval)
    assert row["directions"] == len(own)


def test_the_most_informative_comes_first(sample: Sample) -> None:
    values = [row["j"] for row in informativeness_of_cruxes(sample.study).rows]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]


@pytest.mark.parametrize("label", ["keen", "twice"])
def test_the_signed_move_tells_the_direction_that_a_log_does_not_state(sample: Sample, label: str) -> None:
    untold = with_rows(sample.study, lambda rows: rows.with_columns(yes_makes_u=pl.lit(None, pl.String)))
    row = rows_of(informativeness_of_cruxes(untold))[label]
    moved = [
        one
        for one in scored_samples(sample.logged[label])
        if "outcome" in one.told and one.reason is None and one.values["signed_move"] != 0
    ]
    ended = sample.made.set.outcomes
    turned = [
        ((one.told["outcome"] == "Yes") == (one.told["yes_makes_u"] == "more"),
         ended[one.question].outcome == "Yes")
        for one in moved
    ]  # fmt: skip
    tpr, fpr, _ = _youden(turned)
    assert row["directions"] == len(moved)
    assert row["oriented"] == close(tpr - fpr)


def test_without_outcomes_there_is_a_sentence(sample: Sample) -> None:
    with pytest.raises(ValueError, match=r"no outcome of the questions is known\.$"):
        informativeness_of_cruxes(replace(sample.study, sets={}))


def _fates(sample: Sample, label: str) -> list[str]:
    """What the scores in a log's samples say became of each."""
    found = []
    for one in samples_of(read_eval_log(str(sample.paths[label]))):
        score = one.scores["voi"]
        mode = (score.metadata or {}).get("failure_mode")
        if not score.value["coverage"]:
            found.append(f"unscored: {score.reason}")
        elif score.value["resolved"]:
            found.append("resolved")
        else:
            found.append(str(mode if score.reason == "unresolvable" else score.reason))
    return found


def _youden(pairs: list[tuple[bool, bool]]) -> tuple[float, float, tuple[float, float]]:
    """TPR, FPR and Newcombe's interval of their difference."""
    yes = [answer for answer, ended in pairs if ended]
    no = [answer for answer, ended in pairs if not ended]
    tpr, fpr = sum(yes) / len(yes), sum(no) / len(no)
    (low_t, high_t), (low_f, high_f) = wilson(sum(yes), len(yes)), wilson(sum(no), len(no))
    below, above = math.hypot(tpr - low_t, high_f - fpr), math.hypot(high_t - tpr, fpr - low_f)
    return tpr, fpr, (tpr - fpr - below, tpr - fpr + above)


def _bootstrap_j(pairs: list[tuple[bool, bool]], events: list[str]) -> tuple[float, float]:
    """The percentile bootstrap over events with the documented draws, one resample after the other."""
    members: dict[str, list[tuple[bool, bool]]] = {}
    for pair, event in zip(pairs, events, strict=True):
        members.setdefault(event, []).append(pair)
    groups = list(members.values())
    found = []
    for drawn in np.random.default_rng(0).integers(0, len(groups), (4000, len(groups))).tolist():
        resample = [pair for place in drawn for pair in groups[place]]
        yes = [answer for answer, ended in resample if ended]
        no = [answer for answer, ended in resample if not ended]
        if yes and no:
            found.append(sum(yes) / len(yes) - sum(no) / len(no))
    return float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975))
