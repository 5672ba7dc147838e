"""Table 1: against SciPy on the logs' own scores, and in print against the published table."""

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.tables.value_of_information import (
    ModelRow,
    model_row,
    stars,
    table_of_rows,
    value_of_information,
)
from tests.report.tables.logged import mean, one_sided_p, scored, scored_samples, t_interval
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of

P_OF_STARS = {"": 0.2, "*": 0.03, "**": 0.004, "***": 0.0004}


@pytest.fixture
def published(reference_data: Path) -> dict[str, Any]:
    path = reference_data / "spec" / "paper_facts.json"
    if not path.is_file():
        pytest.skip(f"no published values at {path}")
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return facts


@pytest.mark.parametrize("label", LABELS)
def test_equals_scipy_on_the_logs(sample: Sample, label: str) -> None:
    own = scored(sample.logged[label])
    voi = [row.values["voi_kl"] for row in own]
    above = [row.values["excess_kl"] for row in own]
    possible = [row.values["oracle_kl"] - row.values["random_kl"] for row in own]

    row = rows_of(value_of_information(sample.study))[label]

    assert row["voi"] == close(sum(voi) / len(voi))
    assert row["interval"] == close(t_interval(voi))
    assert row["excess"] == close(sum(above) / len(above))
    assert row["p"] == close(one_sided_p(above))
    assert row["stars"] == stars(one_sided_p(above))
    assert row["skill"] == close(sum(above) / sum(possible))
    assert row["percentile"] == close(mean(row.values["timing_percentile"] for row in own))
    epochs = scored_samples(sample.logged[label])
    resolved = sum("outcome" in one.told for one in epochs)
    repeats = 2 if label == "twice" else 1
    assert row["resolved"] == close(resolved / repeats)
    assert row["questions"] == len(own)
    assert row["rate"] == close(resolved / len(epochs))
    assert row["coverage"] == close(len(epochs) / (30 * repeats))


def test_scores_are_what_prices_say(sample: Sample) -> None:
    width = sample.study.width
    table = rows_of(value_of_information(sample.study))
    for label in LABELS:
        expected, above = [], []
        for row in scored(sample.logged[label]):
            prices = sample.direct[row.question]
            values = [prices.at(moment, width)["kl"] for moment in row.moments]
            expected.append(sum(values) / len(values))
            above.append(expected[-1] - prices.at_random(width)["kl"])
        assert table[label]["voi"] == close(mean(expected))
        assert table[label]["excess"] == close(mean(above))


def test_baselines_are_means_over_all_questions(sample: Sample) -> None:
    table = value_of_information(sample.study)
    for name, values in (
        ("random timing", [prices.at_random(24)["kl"] for prices in sample.direct.values()]),
        ("oracle", [prices.oracle(24)["kl"] for prices in sample.direct.values()]),
    ):
        row = rows_of(table)[name]
        assert row["voi"] == close(sum(values) / 30)
        assert row["interval"] == close(t_interval(values))
        assert row["questions"] == 30
    assert table.emphasised == {len(LABELS), len(LABELS) + 1}


def test_the_best_comes_first(sample: Sample) -> None:
    rows = value_of_information(sample.study).rows[: len(LABELS)]
    means = [row["voi"] for row in rows]
    assert means == sorted(means, reverse=True)  # type: ignore[type-var]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["model"] == "keen"


def test_the_sample_has_what_is_to_be_tested(sample: Sample) -> None:
    rows = [row for label in LABELS for row in sample.logged[label].values()]
    reasons = {row.reason for row in rows}
    assert {"search_outage", "unresolvable", "no_crux", "after_settlement", None} <= reasons
    assert any(0 < row.values["coverage"] < 1 for row in rows)
    assert any("date_only_kl_mean" in row.told for row in rows)
    events = [row.event for row in sample.logged["keen"].values()]
    assert len(set(events)) < len(events)


def test_stars_are_of_the_published_bounds() -> None:
    values = (0.05, 0.0499, 0.01, 0.0099, 0.001, 0.00099, math.nan)
    assert [stars(p) for p in values] == ["", "*", "*", "**", "**", "***", ""]


def test_unranked_models_have_no_rank_and_a_reason() -> None:
    half = "was scored on 5 of 10 questions (50.0%, and 95% are wanted)"
    knew = "may have known what happened in 3 of its windows"
    rows = [
        ModelRow("a", 0.1, (0.0, 0.2), 0.5, 5, 10, unranked=half, doubts=half),
        ModelRow("b", 0.2, (0.0, 0.2), 0.5, 5, 10),
        ModelRow("c", 0.2, (0.0, 0.2), 0.5, 5, 10, doubts=half),
        ModelRow("d", 0.05, (0.0, 0.2), 0.5, 5, 10),
        ModelRow("e", math.nan, (math.nan, math.nan), math.nan, 0, 0),
        ModelRow("f", 0.01, (0.0, 0.2), 0.5, 5, 10, unranked=knew, doubts=knew),
    ]
    table = table_of_rows(rows, [], [])
    assert [(row["model"], row["rank"]) for row in table.rows] == [
        ("b", 1), ("c", 1), ("a", None), ("d", 3), ("f", None), ("e", None),
    ]  # fmt: skip
    # Those that are ranked all the same are doubtful, too.
    assert tuple(note for note in table.notes if note.startswith("**")) == (
        "**c** was scored on 5 of 10 questions (50.0%, and 95% are wanted).",
        "**a** was scored on 5 of 10 questions (50.0%, and 95% are wanted), so it has no rank.",
        "**f** may have known what happened in 3 of its windows, so it has no rank.",
    )
    assert table.emphasised == frozenset()


def test_prints_the_published_table(published: dict[str, Any]) -> None:
    facts = dict(published["table1_voi_kl_bits"])
    random, oracle = facts.pop("random_timing"), facts.pop("oracle")
    count = published["n_questions"]
    rows = [
        ModelRow(
            name, own["mean4"], tuple(own["ci95"]), P_OF_STARS[own["stars"]], own["resolved"], count,
            rate=own["resolved"] / count, cutoff=own["knowledge_cutoff"],
        )
        for name, own in sorted(facts.items())
    ]  # fmt: skip

    table = table_of_rows(rows, _values(random, count), _values(oracle, count))

    shown = [dict(zip((column.key for column in table.columns), cells, strict=True)) for cells in table.shown()]
    assert [row["model"] for row in shown] == [*facts, "random timing", "oracle"]
    for rank, (row, own) in enumerate(zip(shown, facts.values(), strict=False), start=1):
        assert row["rank"] == str(rank)
        assert row["voi"] in _three(own)
        assert row["interval"] == "[{:.3f}, {:.3f}]".format(*own["ci95"])
        assert row["stars"] == own["stars"]
        assert row["resolved"] == str(own["resolved"])
        assert float(row["rate"].removesuffix("%")) == pytest.approx(100 * own["rate"], abs=0.051)
        assert row["cutoff"] == own["knowledge_cutoff"]
    for row, own in zip(shown[-2:], (random, oracle), strict=True):
        assert row["voi"] == f"{own['mean']:.3f}"
        assert row["interval"] == "[{:.3f}, {:.3f}]".format(*own["ci95"])
        assert row["rank"] == "–" and row["stars"] == ""


def _three(own: dict[str, Any]) -> set[str]:
    """The mean as published; a fourth decimal that is rounded itself leaves ties open."""
    return {f"{own['mean']:.3f}"} | ({f"{own['mean4']:.3f}"} if abs(own["mean4"] * 1e4 % 10 - 5) < 0.01 else set())


def _values(own: dict[str, Any], count: int) -> list[float]:
    """Values with the published mean and interval: half of them lower, half of them higher by one amount."""
    low, high = own["ci95"]
    for shift, wider in product((0, 1, -1, 2, -2, 3, -3, 4, -4), repeat=2):
        middle = own.get("mean4", own["mean"]) + shift * 1e-4
        half = (high - low) / 2 + wider * 1e-4
        apart = half * math.sqrt(count) / float(stats.t.ppf(0.975, count - 1))
        values = [middle + (-1) ** number * apart for number in range(count - 1)] + [middle]
        interval = t_interval(values)
        if (round(interval[0], 3), round(interval[1], 3), round(middle, 3)) == (low, high, own["mean"]):
            return values
    raise AssertionError(f"no values have the mean {own['mean']} and the interval {low} to {high}")


def test_model_row_of_a_study_is_the_tables(sample: Sample) -> None:
    table: Table = value_of_information(sample.study)
    for label in LABELS:
        row = model_row(sample.study, label)
        assert (row.voi, row.interval, row.p) == tuple(rows_of(table)[label][key] for key in ("voi", "interval", "p"))
        assert row.unranked is None
