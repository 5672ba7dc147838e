"""The measures and baselines, against published values, a direct computation and the method's properties."""

import json
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.prices import Floats, HourlySeries, window_hours
from cruxbench_inspect.utc import HOUR, parse_utc
from cruxbench_inspect.voi import CLIP, InformationValues, measures, signed_move

START = datetime(2025, 3, 1, tzinfo=UTC)
MEASURES = ("kl", "entropy_drop", "abs_change", "squared_change")


@pytest.fixture
def louvre(reference_data: Path) -> dict[str, Any]:
    golden: dict[str, Any] = json.loads((reference_data / "golden" / "640486.json").read_text(encoding="utf-8"))
    return golden


def golden_values(golden: dict[str, Any]) -> InformationValues:
    series = golden["hourly_trusted_yes"]
    window = golden["window"]
    return InformationValues(
        HourlySeries(parse_utc(series["t0"]), np.array(series["prices"])),
        *window_hours(parse_utc(window["start"]), parse_utc(window["end"])),
    )


def test_published_resolutions_have_the_published_kl(louvre: dict[str, Any]) -> None:
    models = list(louvre["release_kl"])
    assert len(models) == 8
    moments = [parse_utc(louvre["resolutions"][model]["resolution_datetime"]) for model in models]
    kl = golden_values(louvre).at(moments).values.kl[23]
    assert dict(zip(models, kl.round(6).tolist(), strict=True)) == louvre["release_kl"]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_baselines_of_a_real_market(louvre: dict[str, Any], measure: str) -> None:
    values, expected = golden_values(louvre), louvre["baselines_w24"]
    assert values.valid_hours[23] == expected["hours_with_both_means"]
    assert getattr(values.random_timing, measure)[23] == pytest.approx(expected[measure]["random_timing"], abs=1e-9)
    assert getattr(values.oracle, measure)[23] == pytest.approx(expected[measure]["oracle"], abs=1e-9)


def entropy(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def directly(prices: Floats, hour: int, width: int) -> dict[str, float] | None:
    if hour - width + 1 < 0 or hour + width >= len(prices):
        return None
    before, after = prices[hour - width + 1 : hour + 1].mean(), prices[hour + 1 : hour + width + 1].mean()
    p, q = (min(max(float(mean), CLIP), 1 - CLIP) for mean in (before, after))
    return {
        "kl": q * math.log2(q / p) + (1 - q) * math.log2((1 - q) / (1 - p)),
        "entropy_drop": entropy(p) - entropy(q),
        "abs_change": abs(after - before),
        "squared_change": (after - before) ** 2,
    }


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=3, max_size=40),
    st.integers(0, 10),
    st.integers(1, 40),
    st.integers(1, 9),
)
def test_every_width_equals_a_direct_computation(hours: list[float], first: int, length: int, widest: int) -> None:
    prices = np.array(hours)
    values = InformationValues(
        HourlySeries(START, prices), START + first * HOUR, START + (first + length - 1) * HOUR, widest
    )
    moments = [START + hour * HOUR + timedelta(minutes=20) for hour in range(-2, len(prices) + 2)]
    pivots = values.at(moments)
    for width in range(1, widest + 1):
        every_hour = [directly(prices, hour, width) for hour in range(-2, len(prices) + 2)]
        inside = [value for value in every_hour[first + 2 : first + length + 2] if value is not None]
        assert values.valid_hours[width - 1] == len(inside)
        for measure in MEASURES:
            expected = [math.nan if value is None else value[measure] for value in every_hour]
            np.testing.assert_allclose(getattr(pivots.values, measure)[width - 1], expected, rtol=1e-7, atol=1e-12)
            mean = np.mean([value[measure] for value in inside]) if inside else math.nan
            most = max((value[measure] for value in inside), default=math.nan)
            np.testing.assert_allclose(getattr(values.random_timing, measure)[width - 1], mean, rtol=1e-7, atol=1e-12)
            np.testing.assert_allclose(getattr(values.oracle, measure)[width - 1], most, rtol=1e-7, atol=1e-12)


def test_an_unmoved_market_scores_exactly_nothing() -> None:
    values = InformationValues(HourlySeries(START, np.full(200, 0.21)), START, START + 199 * HOUR)
    for measure in (*values.random_timing, *values.oracle):
        assert set(measure.tolist()) == {0.0}
    assert values.timing_percentile(0.0, 24) == 0.5


def test_the_percentile_counts_smaller_hours_and_half_of_the_ties() -> None:
    prices = np.concatenate([np.full(30, 0.2), np.full(30, 0.8)])
    values = InformationValues(HourlySeries(START, prices), START, START + 59 * HOUR)
    kl = values.at_every_hour(2).kl
    known = kl[~np.isnan(kl)]
    assert len(known) == 57
    assert values.timing_percentile(float(known.max()), 2) == pytest.approx(56.5 / 57)
    assert math.isnan(values.timing_percentile(math.nan, 2))
    assert math.isnan(InformationValues(HourlySeries(START, prices), START, START, 48).timing_percentile(0.1, 48))


def test_beliefs_are_clipped_and_certainty_stays_finite() -> None:
    found = measures(np.array([0.0, 1.0, 1.0]), np.array([1.0, 0.0, 1.0]))
    assert found.kl[:2] == pytest.approx(math.log2(1 / CLIP), rel=1e-3)
    assert found.kl[2] == 0.0
    assert found.abs_change.tolist() == [1.0, 1.0, 0.0]


@given(st.floats(0, 1), st.floats(0, 1))
def test_kl_is_never_negative_and_0_for_equal_beliefs(p: float, q: float) -> None:
    found = measures(np.array([p, p]), np.array([q, p]))
    assert found.kl[0] >= 0
    assert found.kl[1] == 0


def test_a_moment_far_outside_of_the_series_has_no_value() -> None:
    values = InformationValues(HourlySeries(START, np.full(100, 0.5)), START, START + 99 * HOUR)
    pivots = values.at([START - 50 * HOUR, START + 500 * HOUR])
    assert np.isnan(pivots.values.kl).all()
    assert pivots.hours == [START - 51 * HOUR, START + 499 * HOUR]


@pytest.mark.parametrize(
    ("yes", "more_likely", "expected"),
    [(True, True, 0.2), (True, False, -0.2), (False, True, -0.2), (False, False, 0.2)],
)
def test_the_move_is_signed_by_answer_and_stated_direction(yes: bool, more_likely: bool, expected: float) -> None:
    assert signed_move(0.3, 0.5, yes, more_likely) == pytest.approx(expected)
    assert math.isnan(signed_move(0.3, 0.5, yes, None))
