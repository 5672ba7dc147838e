"""The hourly grid and the trusted price, against the method's words and real series."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.prices import (
    PriceRules,
    hourly_prices,
    hourly_volume,
    pivot_hour,
    round_prices,
    trailing_means,
    trusted_prices,
    window_hours,
)
from cruxbench_inspect.utc import HOUR, parse_utc

START = datetime(2025, 12, 28, tzinfo=UTC)


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def test_points_are_floored_to_the_hour_and_the_last_of_an_hour_wins() -> None:
    series = hourly_prices([at(0.1), at(1.9), at(1.2), at(2.0)], [0.1, 0.4, 0.3, 0.5])
    assert series.start == START
    assert series.values.tolist() == [0.1, 0.4, 0.5]


def test_gaps_are_filled_forward_and_never_back_or_between() -> None:
    series = hourly_prices([at(0), at(3), at(4)], [0.2, 0.8, 0.6], last=at(6))
    assert series.values.tolist() == [0.2, 0.2, 0.2, 0.8, 0.6, 0.6, 0.6]


def test_of_two_points_at_one_time_the_later_in_the_sequence_wins() -> None:
    assert hourly_prices([at(0), at(0)], [0.2, 0.3]).values.tolist() == [0.3]


def test_a_series_without_a_point_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        hourly_prices([], [])


def test_a_part_is_cut_to_what_there_is() -> None:
    series = hourly_prices([at(hour) for hour in range(5)], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert series.between(at(-3), at(1)).values.tolist() == [0.1, 0.2]
    assert series.between(at(3), at(9)).values.tolist() == [0.4, 0.5]
    assert series.between(at(3), at(9)).start == at(3)
    assert not len(series.between(at(7), at(9)).values)


def test_volume_is_summed_by_the_hour_inside_the_grid() -> None:
    volume = hourly_volume([at(-1), at(0.5), at(0.7), at(2), at(3)], [9, 1, 2, 4, 9], START, 3)
    assert volume.tolist() == [3, 0, 4]


def test_prices_are_rounded_by_the_thousandfold_half_to_even() -> None:
    prices = np.array([0.0005, 0.0015, 0.1235, 0.4444, 1.0])
    assert round_prices(prices, 3).tolist() == [round(1000 * price) / 1000 for price in prices.tolist()]


def test_real_trusted_prices_are_rebuilt(reference_data: Path) -> None:
    golden = json.loads((reference_data / "golden" / "trusted_1005025.json").read_text(encoding="utf-8"))
    moments = [parse_utc(text) for text in golden["raw_yes"]]
    series = hourly_prices(moments, list(golden["raw_yes"].values()))
    rebuilt = trusted_prices(series.values, np.array(golden["volume_usdc"]), PriceRules())
    assert len(rebuilt) == len(golden["trusted_yes"])
    np.testing.assert_allclose(rebuilt, golden["trusted_yes"], rtol=0, atol=1e-12)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 3000)), min_size=1, max_size=60),
    st.integers(0, 13),
    st.sampled_from([None, 3]),
)
def test_trusted_prices_follow_the_recursion(hours: list[tuple[float, float]], half: int, decimals: int | None) -> None:
    raw, volume = (np.array(part) for part in zip(*hours, strict=True))
    rules = PriceRules(volume_threshold_usdc=500, half_window_hours=half, round_decimals=decimals)
    trusted = trusted_prices(raw, volume, rules)
    expected: list[float] = []
    for hour, price in enumerate(raw.tolist()):
        rounded = price if decimals is None else round(1000 * price) / 1000
        weight = min(1.0, sum(volume[max(hour - half, 0) : hour + half + 1]) / 500)
        expected.append(rounded if not expected else weight * rounded + (1 - weight) * expected[-1])
    np.testing.assert_allclose(trusted, expected, rtol=0, atol=1e-12)


def test_volume_after_the_last_price_counts_and_too_little_volume_is_refused() -> None:
    rules = PriceRules(volume_threshold_usdc=10, half_window_hours=1, round_decimals=None)
    assert trusted_prices(np.array([0.2, 0.6]), np.array([0.0, 0.0, 5.0]), rules).tolist() == [0.2, 0.4]
    with pytest.raises(ValueError, match="2 prices need as many volumes"):
        trusted_prices(np.array([0.2, 0.6]), np.array([0.0]), rules)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(1, 12), st.integers(0, 3))
def test_trailing_means_are_means_over_whole_windows(values: list[float], widths: int, padding: int) -> None:
    means = trailing_means(np.array(values), widths, padding)
    assert means.shape == (widths, len(values) + padding)
    for width in range(1, widths + 1):
        for hour in range(len(values) + padding):
            whole = width - 1 <= hour < len(values)
            expected = np.mean(values[hour - width + 1 : hour + 1]) if whole else np.nan
            np.testing.assert_allclose(means[width - 1, hour], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("moment", "pivot"),
    [
        ("2025-10-26T10:00:00Z", "2025-10-26T09:00:00Z"),
        ("2025-10-26T10:20:00Z", "2025-10-26T10:00:00Z"),
        ("2025-10-26T00:00:00Z", "2025-10-25T23:00:00Z"),
        ("2025-11-20T23:59:59Z", "2025-11-20T23:00:00Z"),
        ("2025-10-26T10:00:00.000001Z", "2025-10-26T10:00:00Z"),
        ("2025-10-26T12:30:00+05:30", "2025-10-26T06:00:00Z"),
    ],
)
def test_the_pivot_is_the_latest_whole_hour_strictly_before(moment: str, pivot: str) -> None:
    assert pivot_hour(parse_utc(moment)) == parse_utc(pivot)


def test_a_window_has_the_hours_of_its_last_day() -> None:
    first, last = window_hours(parse_utc("2025-10-21T05:40:00Z"), parse_utc("2025-11-20T05:40:00Z"))
    assert first == parse_utc("2025-10-21T05:00:00Z")
    assert last == parse_utc("2025-11-21T04:00:00Z")
    assert (last - first) // HOUR + 1 == 744
