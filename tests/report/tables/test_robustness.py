"""What the result rests on: against loops over logs and prices."""

import math
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from cruxbench_inspect.report.tables.robustness import robustness
from tests.report.tables.direct_prices import DirectPrices, pivot_of
from tests.report.tables.logged import mean, scored, scored_samples
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of


@pytest.mark.parametrize("label", LABELS)
def test_equals_loops(sample: Sample, label: str) -> None:
    own = scored(sample.logged[label])
    above = [row.values["excess_kl"] for row in own]
    voi = sorted((row.values["voi_kl"] for row in own), reverse=True)

    row = rows_of(robustness(sample.study, sample.widths))[label]

    assert row["above"] == close(mean(above))
    assert row["top"] == close(sum(voi[:10]) / sum(voi))
    assert row["flip"] == close(_flip_p(above, [one.event for one in own]))


@pytest.mark.parametrize("label", LABELS)
def test_parts_of_windows_are_compared_with_random_timing_over_the_same_hours(sample: Sample, label: str) -> None:
    own = scored_samples(sample.logged[label])
    late = [
        one for one in own if one.resolved_at is None or pivot_of(one.resolved_at) - one.start >= timedelta(hours=48)
    ]
    moving = [one for one in own if 0.1 < one.before < 0.9]
    assert 0 < len(moving) < len(own)

    row = rows_of(robustness(sample.study, sample.widths))[label]

    over_late = [one.values["voi_kl"] - _at_late_hours(sample.direct[one.question]) for one in late]
    assert row["late"] == close(mean(over_late))
    over_moving = [one.values["voi_kl"] - _at_moving_hours(sample.direct[one.question]) for one in moving]
    assert row["moving"] == close(mean(over_moving))
    # Random timing over all hours is another one.
    assert row["late"] != pytest.approx(mean(one.values["excess_kl"] for one in late))
    assert row["moving"] != pytest.approx(mean(one.values["excess_kl"] for one in moving))


@pytest.mark.parametrize("label", LABELS)
def test_raw_prices_and_volumes_equal_loops(sample: Sample, label: str) -> None:
    own = scored(sample.logged[label])
    raw = []
    for one in own:
        prices = sample.direct[one.question]
        values = [prices.at(moment, 24, raw=True)["kl"] for moment in one.moments]
        raw.append(mean(values) - prices.at_random(24, raw=True)["kl"])
    thirds = np.array_split(
        np.array([one.values["excess_kl"] for one in sorted(own, key=lambda one: sample.direct[one.question].traded)]),
        3,
    )

    row = rows_of(robustness(sample.study, sample.widths))[label]

    assert row["raw"] == close(mean(raw))
    assert row["raw"] != pytest.approx(row["above"])
    assert (row["thin"], row["middle"], row["thick"]) == close(tuple(float(third.mean()) for third in thirds))


def test_several_cruxes_a_question_have_no_score_on_raw_prices(sample: Sample) -> None:
    entry, *others = sample.study.entries
    runs = tuple(replace(run, terms=replace(run.terms, k=2)) for run in entry.runs)
    rows = rows_of(robustness(replace(sample.study, entries=(replace(entry, runs=runs), *others)), sample.widths))
    assert math.isnan(rows[entry.label]["raw"])  # type: ignore[arg-type]
    assert not math.isnan(rows[others[0].label]["raw"])  # type: ignore[arg-type]


def _at_late_hours(prices: DirectPrices) -> float:
    start = prices.first + timedelta(hours=48)
    return mean(values["kl"] for hour, values in prices.every_hour(24).items() if hour >= start)


def _at_moving_hours(prices: DirectPrices) -> float:
    found = []
    for hour, values in prices.every_hour(24).items():
        both = prices.beliefs(hour, 24)
        assert both is not None
        if 0.1 < both[0] < 0.9:
            found.append(values["kl"])
    return mean(found)


def _flip_p(values: list[float], clusters: list[str]) -> float:
    """The one-sided sign-flip test over the documented draws."""
    sums: dict[str, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value
    signs = np.random.default_rng(0).integers(0, 2, (2_000, len(sums)), dtype=np.int8)
    totals = (1.0 - 2.0 * signs.astype(np.float64)) @ np.array(list(sums.values()))
    observed = sum(sums.values())
    return float(1 + np.count_nonzero(totals >= observed - 1e-12 * sum(map(abs, values)))) / 2_001
