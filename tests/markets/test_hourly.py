"""Hourly prices and volumes from points and trades."""

from datetime import datetime, timedelta
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.markets.hourly import (
    first_provisional_hour,
    hourly_from_points,
    hourly_volume_usdc,
    joined,
    points_from_trades,
    price_rows,
    volume_threshold_usdc,
)
from cruxbench_inspect.markets.market import PricePoint, Trade
from cruxbench_inspect.prices import HourlySeries
from cruxbench_inspect.utc import HOUR, format_utc, parse_utc

START = parse_utc("2025-12-28T00:00:00Z")


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def point(hours: float, price: float, width: int = 0, source: str = "data_v2") -> PricePoint:
    return PricePoint(moment=at(hours), price=price, resolution_seconds=width, source=source)


def trade(hours: float, price: float, shares: float = 10, label: Any = "Yes") -> Trade:
    return Trade(moment=at(hours), token=label, price=price, shares=shares)


def by_hour(series: HourlySeries) -> dict[str, float]:
    return {format_utc(series.start + n * HOUR): value for n, value in enumerate(series.values.tolist())}


def test_case_8_missing_hours_late_points_and_two_points_in_an_hour() -> None:
    points = [
        PricePoint(moment=parse_utc(moment), price=price, source="clob")
        for moment, price in [
            ("2025-12-28T00:00:07Z", 0.50),
            ("2025-12-28T02:00:28Z", 0.54),
            ("2025-12-28T02:59:59Z", 0.55),
            ("2025-12-29T00:00:06Z", 0.60),
            ("2025-12-29T02:00:11Z", 0.70),
        ]
    ]
    found = hourly_from_points(points, at(0), at(26))
    assert found is not None
    prices = by_hour(found.series)
    assert prices["2025-12-28T01:00:00Z"] == 0.50
    assert prices["2025-12-28T02:00:00Z"] == 0.55
    assert prices["2025-12-29T01:00:00Z"] == 0.60
    assert prices["2025-12-29T02:00:00Z"] == 0.70
    assert set(prices.values()) == {0.5, 0.55, 0.6, 0.7}
    assert (found.gaps, found.filled_hours, found.longest_gap_hours) == (3, 23, 21)
    assert found.sources == {"clob": 4} and found.granularity_seconds == 0


def test_case_9_of_equal_moments_the_later_fetched_one_wins() -> None:
    for prices in ([0.2, 0.4], [0.4, 0.2]):
        found = hourly_from_points([point(0, price, 1800) for price in prices], at(0), at(0))
        assert found is not None and found.series.values.tolist() == [prices[-1]]


def test_case_10_without_points_there_is_no_price() -> None:
    assert hourly_from_points([], at(0), at(5)) is None
    assert hourly_from_points([point(9, 0.3)], at(0), at(5)) is None


def test_before_the_first_point_there_is_no_price() -> None:
    found = hourly_from_points([point(3.5, 0.3)], at(0), at(5))
    assert found is not None
    assert found.series.start == at(3) and found.series.values.tolist() == [0.3] * 3


def test_a_price_from_before_the_first_hour_is_carried_into_it() -> None:
    found = hourly_from_points([point(-30, 0.3, 1800), point(2, 0.4)], at(0), at(2))
    assert found is not None
    assert found.series.start == at(0) and found.series.values.tolist() == [0.3, 0.3, 0.4]
    assert found.sources == {"data_v2": 1} and found.filled_hours == 2 and found.granularity_seconds == 1800


def test_case_11_payouts_after_the_close_are_no_prices() -> None:
    points = [point(0.1, 0.6), point(2.4, 0.8), point(2.5, 1.0), point(4, 1.0)]
    found = hourly_from_points(points, at(0), at(9), closed_at=at(2.5))
    assert found is not None and found.series.values.tolist() == [0.6, 0.6, 0.8]


def test_an_hour_that_begins_with_the_close_has_no_price() -> None:
    found = hourly_from_points([point(0.1, 0.6)], at(0), at(9), closed_at=at(2))
    assert found is not None and found.series.last_hour == at(1)


def test_closed_before_the_first_hour_there_is_no_price() -> None:
    assert hourly_from_points([point(0.1, 0.6)], at(5), at(9), closed_at=at(2)) is None


def test_case_12_prices_of_0_and_1_of_an_open_market_stay() -> None:
    found = hourly_from_points([point(0, 0.0), point(1, 1.0)], at(0), at(1))
    assert found is not None and found.series.values.tolist() == [0.0, 1.0]


def test_a_wide_bucket_tells_nothing_before_its_last_hour() -> None:
    found = hourly_from_points([point(0, 0.2, 10800), point(3, 0.9, 10800)], at(0), at(6))
    assert found is not None
    assert found.series.start == at(2) and found.series.values.tolist() == [0.2] * 3 + [0.9] * 2
    assert found.granularity_seconds == 10800


def test_a_point_of_an_hour_or_less_belongs_to_the_hour_it_lies_in() -> None:
    points = [point(0.002, 0.2, 3600), point(1.5, 0.3, 1800), point(1.99, 0.4, 60)]
    found = hourly_from_points(points, at(0), at(1))
    assert found is not None and found.series.values.tolist() == [0.2, 0.4]


POINTS = st.lists(
    st.builds(
        point,
        st.integers(-100, 400).map(lambda quarters: quarters / 4),
        st.integers(0, 1000).map(lambda mills: mills / 1000),
        st.sampled_from([0, 60, 1800, 3600, 10800, 43200]),
    ),
    max_size=30,
    unique_by=lambda one: (one.moment, one.resolution_seconds),
)


@settings(deadline=None)
@given(POINTS, st.integers(0, 50), st.integers(0, 50), st.none() | st.integers(-20, 90))
def test_no_price_is_known_before_it_was_observed(
    points: list[PricePoint], first: int, length: int, closed: int | None
) -> None:
    close = None if closed is None else at(closed)
    found = hourly_from_points(points, at(first), at(first + length), close)
    if found is None:
        return
    assert at(first) <= found.series.start <= found.series.last_hour <= at(first + length)
    for hour, price in ((found.series.start + n * HOUR, p) for n, p in enumerate(found.series.values.tolist())):
        width = timedelta(hours=1)
        known = [
            p for p in points if p.moment + max(timedelta(seconds=p.resolution_seconds), width) <= hour + 2 * width
        ]
        assert price in [p.price for p in known if p.moment < hour + width]
        assert close is None or hour < close
    assert found.filled_hours + sum(found.sources.values()) == len(found.series.values)


@settings(deadline=None)
@given(POINTS.flatmap(lambda points: st.tuples(st.just(points), st.permutations(points))))
def test_the_order_of_points_with_different_moments_does_not_matter(
    both: tuple[list[PricePoint], list[PricePoint]],
) -> None:
    exact = [[p for p in points if p.resolution_seconds == 0] for points in both]
    one, other = (hourly_from_points(points, at(0), at(60)) for points in exact)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert by_hour(one.series) == by_hour(other.series)


def test_no_trades_are_converted_and_unlabelled_ones_are_counted() -> None:
    made = points_from_trades([trade(0.1, 0.9, 10, "No"), trade(1.2, 0.4), trade(1.9, 0.7, 10, None)])
    assert [(p.moment, p.price, p.source, p.resolution_seconds) for p in made.points] == [
        (at(0.1), 0.1, "trades", 0),
        (at(1.2), 0.4, "trades", 0),
    ]
    assert made.unlabelled == 1


TRADES = st.lists(
    st.builds(
        trade,
        st.integers(0, 12).map(lambda thirds: thirds / 3),
        st.integers(0, 100).map(lambda cents: cents / 100),
        st.floats(0, 1e9),
        st.sampled_from(["Yes", "No", None]),
    ),
    max_size=20,
)


@settings(deadline=None)
@given(TRADES.flatmap(lambda trades: st.tuples(st.just(trades), st.permutations(trades))))
def test_the_order_of_trades_does_not_matter(both: tuple[list[Trade], list[Trade]]) -> None:
    assert points_from_trades(both[0]) == points_from_trades(both[1])
    assert hourly_volume_usdc(both[0]) == hourly_volume_usdc(both[1])


def test_case_15_volume_counts_both_tokens_and_unlabelled_trades() -> None:
    trades = [trade(0.1, 0.25, 100), trade(0.9, 0.75, 100, "No"), trade(2, 0.5, 3, None)]
    assert hourly_volume_usdc(trades) == {at(0): 100.0, at(2): 1.5}


def test_case_15_the_threshold_depends_on_the_basis() -> None:
    assert (volume_threshold_usdc("two_sided"), volume_threshold_usdc("one_sided")) == (1000, 500)


def test_sums_are_exact() -> None:
    trades = [trade(0, 1.0, shares) for shares in (1e9, 0.001, 0.001, 0.001)]
    assert hourly_volume_usdc(trades) == hourly_volume_usdc(trades[::-1]) == {at(0): 1_000_000_000.003}


def test_trades_fill_what_the_exchange_no_longer_keeps() -> None:
    points = [point(0, 0.2, 10800), point(3, 0.3, 10800), point(6, 0.4, 1800), point(8, 0.5, 1800)]
    made = [point(h, p, source="trades") for h, p in ((2.5, 0.25), (3.5, 0.35), (6.2, 0.99), (8.5, 0.99))]
    found = joined(points, made)
    # A wide bucket is of its last hour: a trade in that hour counts more, one before it leaves it as it is.
    kept = [(at(2.5), 0.25), (at(3), 0.3), (at(3.5), 0.35), (at(6), 0.4), (at(8), 0.5)]
    assert [(p.moment, p.price) for p in found] == kept
    series = hourly_from_points(found, at(2), at(6))
    assert series is not None
    assert series.series.values.tolist() == [0.25, 0.35, 0.35, 0.3, 0.4]


def test_without_any_kept_points_trades_are_used_wherever_points_are_missing() -> None:
    made = [point(h, p, source="trades") for h, p in ((6.2, 0.99), (7.5, 0.45))]
    found = joined([point(6, 0.4, 1800)], made)
    assert [(p.moment, p.source) for p in found] == [(at(6), "data_v2"), (at(7.5), "trades")]


def test_trades_of_the_last_two_hours_are_provisional() -> None:
    assert first_provisional_hour(at(14.5)) == at(12)
    assert first_provisional_hour(at(14)) == at(12)


def test_rows_have_volume_also_where_there_is_no_price() -> None:
    prices = hourly_from_points([point(1, 0.3)], at(0), at(2))
    rows = price_rows("q", prices, {at(2): 7.5, at(9): 1.0}, at(0), at(3))
    assert rows["hour"].to_list() == [at(n) for n in range(4)]
    assert rows["price"].to_list() == [None, 0.3, 0.3, None]
    assert rows["volume_usdc"].to_list() == [0, 0, 7.5, 0]
    assert rows["question_id"].unique().to_list() == ["q"]


def test_rows_without_any_price() -> None:
    rows = price_rows("q", None, {at(0): 1.0}, at(0), at(1))
    assert rows["price"].null_count() == 2 and rows.schema["price"] == pl.Float64
