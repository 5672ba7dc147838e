import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.market import PricePoint
from cruxbench_inspect.markets.polymarket.price_history import CHUNK, ask_prices, daily_prices
from cruxbench_inspect.markets.polymarket.recorded_prices import recorded_prices
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from tests.loopback.in_turn import InTurn, answer
from tests.loopback.polymarket_faults import KINDS, Faults
from tests.loopback.polymarket_world import MarketWorld, WorldMarket
from tests.markets.polymarket.reaching import DAY, HOUR, reach

DATA = "/data/v2/prices-history"
CLOB = "/clob/prices-history"


def asked_prices(
    exchange: Polymarket, token: str, start: datetime, end: datetime, problems: list[str] | None = None
) -> list[PricePoint]:
    """What is asked for, and then read from what was kept."""

    async def run() -> list[PricePoint]:
        services = exchange.data, exchange.clob
        await ask_prices(*services, token, start, end)
        return list((await recorded_prices(*services, token, start, end, problems=problems)).points)

    return anyio.run(run)


def life(exchange: Polymarket, market: WorldMarket) -> list[PricePoint]:
    """All prices of a market, asked for far beyond its end."""
    return asked_prices(exchange, market.yes_token, market.opened, market.closed_at + 20 * DAY)


def recent(markets: int = 300) -> MarketWorld:
    """A world whose markets all lie within what is kept in half hours."""
    return MarketWorld(markets=markets, lifetime_days=50)


def test_half_hours_as_far_as_they_are_kept(tmp_path: Path) -> None:
    reached = reach(tmp_path, recent())
    market = reached.some()
    points = life(reached.exchange(), market)
    assert {point.resolution_seconds for point in points} == {1800}
    assert {point.source for point in points} == {"data_v2"}
    assert all(first.moment < second.moment for first, second in pairwise(points))
    assert [point.price for point in points] == [market.yes_price(int(point.moment.timestamp())) for point in points]
    assert points[0].moment - market.opened <= HOUR
    assert market.closed_at - points[-1].moment <= HOUR
    assert {int(fields["startTs"]) > market.closed_at.timestamp() for fields in reached.asked(CLOB)} == {True}


def test_the_other_token_has_the_other_prices(tmp_path: Path) -> None:
    reached = reach(tmp_path, recent())
    market = reached.some()
    exchange = reached.exchange()
    yes = life(exchange, market)
    no = asked_prices(exchange, market.no_token, market.opened, market.closed_at)
    assert [round(a.price + b.price, 6) for a, b in zip(yes, no, strict=True)] == [1.0] * len(yes)


@pytest.mark.parametrize("early", [True, False])
def test_case_11_the_payout_is_no_price(tmp_path: Path, early: bool) -> None:
    """Also where windows that end long before the settlement end with it."""
    world = MarketWorld(seed=3)
    reached = reach(tmp_path, world, Faults(early_settlement_points=early))
    for ending in ("Yes", "No"):
        market = reached.some(ending=ending)
        for end in (market.closed_at + 30 * DAY, market.closed_at, market.opened + 3 * DAY):
            points = asked_prices(reached.exchange(), market.yes_token, market.opened, end)
            assert points
            assert not [point for point in points if point.resolution_seconds == 0 or point.price in (0, 1)]
            assert points[-1].moment < min(end, market.closed_at)
        history = anyio.run(daily_prices, reached.exchange().data, reached.exchange().clob, market.yes_token)
        assert not [point for point in history if point.price in (0, 1)]


def test_no_window_ends_at_a_moment_that_is_used_as_a_cutoff(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    market = reached.some()
    for end in (market.closed_at.replace(minute=0, second=0), market.closed_at.replace(hour=0, minute=0, second=0)):
        asked_prices(reached.exchange(), market.yes_token, market.opened, end)
    ends = {int(fields["end"]) for fields in reached.asked(DATA)}
    assert all(end % 3600 == 1800 for end in ends)
    assert all(int(fields["end"]) - int(fields["start"]) == CHUNK for fields in reached.asked(DATA))


def test_case_10_what_is_no_longer_kept_in_half_hours_comes_coarse(tmp_path: Path) -> None:
    world = MarketWorld()
    reached = reach(tmp_path, world)
    market = next(each for each in world.all if each.oddity == "none" and each.closed_at < world.now - 120 * DAY)
    points = life(reached.exchange(), market)
    assert {point.resolution_seconds for point in points} == {10_800}
    assert abs(len(points) - (market.closed_at - market.opened) / (3 * HOUR)) < 5


def test_case_10_a_window_that_is_half_forgotten_is_whole(tmp_path: Path) -> None:
    world = MarketWorld()
    reached = reach(tmp_path, world)
    floor = world.now - 90 * DAY
    market = next(
        each for each in world.all
        if each.oddity == "none" and each.opened < floor - 20 * DAY and floor + 20 * DAY < each.closed_at < world.now
    )  # fmt: skip
    points = asked_prices(reached.exchange(), market.yes_token, floor - 18 * DAY, floor + 18 * DAY)
    widths = [point.resolution_seconds for point in points]
    assert widths == sorted(widths, reverse=True)
    assert set(widths) == {10_800, 1_800}
    assert max(second.moment - first.moment for first, second in pairwise(points)) <= 4 * HOUR


def test_case_10_the_book_is_asked_where_the_data_service_has_nothing(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    market = reached.some("no_data_v2")
    points = life(reached.exchange(), market)
    assert {point.source for point in points} == {"clob"}
    assert {point.resolution_seconds for point in points} == {3_600}
    assert all(6 <= point.moment.timestamp() % 3600 <= 28 for point in points)
    assert all("interval" not in fields for fields in reached.asked(CLOB))
    assert all(point.moment < market.closed_at for point in points)


def test_case_10_no_price_data_is_no_price(tmp_path: Path) -> None:
    reached = reach(tmp_path, MarketWorld(seed=2, markets=900))
    market = reached.some("no_prices")
    assert life(reached.exchange(), market) == []
    widths = [fields.get("bucket_seconds") for fields in reached.asked(DATA)][:3]
    assert widths == ["1800", None, "10800"]
    assert anyio.run(daily_prices, reached.exchange().data, reached.exchange().clob, market.yes_token) == []


def test_case_9_of_two_windows_that_tell_of_one_moment_the_later_counts(tmp_path: Path) -> None:
    world = recent()
    market = next(
        each for each in world.all
        if each.oddity == "none" and each.opened < world.now - 40 * DAY and not world.is_closed(each)
    )  # fmt: skip
    plain = asked_prices(reach(tmp_path / "a", world).exchange(), market.yes_token, market.opened, world.now)
    reached = reach(tmp_path / "b", world, Faults(border_points=True))
    points = asked_prices(reached.exchange(), market.yes_token, market.opened, world.now)
    borders = {datetime.fromtimestamp(int(fields["end"]), UTC) for fields in reached.asked(DATA)}
    told = {point.moment for point in plain}
    assert len(borders & told) >= 2
    assert [point for point in points if point.moment in told] == plain
    assert len({point.moment for point in points}) == len(points)


def test_case_12_prices_at_the_bounds_are_prices(tmp_path: Path) -> None:
    rows = [row(0, 0), row(1, 1), row(2, 0.5), row(3, 1.2), row(4, None), row(5, "0.25"), None, {"timestamp": "x"}]
    rows.append(row(6, 0.5, width=-1))
    problems: list[str] = []
    points = asked_prices(kept_window(tmp_path, rows), "7", START, START + DAY, problems)
    assert [point.price for point in points] == [0, 1, 0.5, 0.25]
    assert len(problems) == 5
    assert "token 7: a price from data_v2 that is none" in problems[0]


def test_exact_ticks_within_a_window_are_prices_and_its_last_one_is_not(tmp_path: Path) -> None:
    rows = [row(0, 0.2), row(1, 0.3, width=0), row(2, 0.4), row(3, 1, width=0)]
    points = asked_prices(kept_window(tmp_path, rows), "7", START, START + DAY)
    assert [point.price for point in points] == [0.2, 0.3, 0.4]


def test_pages_of_one_window_are_put_together(tmp_path: Path) -> None:
    world = recent()
    reached = reach(tmp_path / "a", world, Faults(most_points=100))
    market = reached.some()
    assert life(reached.exchange(), market) == life(reach(tmp_path / "b", world).exchange(), market)
    assert len(reached.asked(DATA)) > 8


@pytest.mark.parametrize("kind", KINDS)
def test_case_16_faults_on_the_way_change_nothing(tmp_path: Path, kind: Any) -> None:
    world = recent()
    market = reach(tmp_path / "x", world).some()
    plain = life(reach(tmp_path / "a", world).exchange(), market)
    assert life(reach(tmp_path / "b", world, Faults(share=1, kinds=(kind,), times=2)).exchange(), market) == plain


def test_a_service_that_does_not_answer_is_no_market_without_prices(tmp_path: Path) -> None:
    reached = reach(tmp_path, faults=Faults(share=1, kinds=("429_silent",), times=1_000))
    with pytest.raises(SourceFailure) as caught:
        life(reached.exchange(), reached.some())
    assert caught.value.kind == "rate_limit"


def test_a_window_is_asked_again_until_it_was_over_and_never_after(tmp_path: Path) -> None:
    world = recent()
    reached = reach(tmp_path, world)
    market = next(each for each in world.all if each.oddity == "none" and each.closed_at > world.now + 3 * DAY)
    end = world.now
    first = asked_prices(reached.exchange(), market.yes_token, market.opened, end)
    count = len(reached.asked(DATA))
    assert asked_prices(reached.exchange(), market.yes_token, market.opened, end) == first
    assert len(reached.asked(DATA)) == count
    world.now += DAY
    later = asked_prices(reached.exchange(), market.yes_token, market.opened, world.now)
    assert len(reached.asked(DATA)) - count <= 2
    assert 40 <= len(later) - len(first) <= 52
    assert asked_prices(reached.exchange(offline=True), market.yes_token, market.opened, world.now) == later


def test_a_whole_life_in_one_request(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    market = reached.some()
    points = anyio.run(daily_prices, reached.exchange().data, reached.exchange().clob, market.yes_token)
    assert len(reached.app.requests) == 1
    assert {point.resolution_seconds for point in points} == {43_200}
    days = {point.moment.date() for point in points}
    assert len(days) >= (market.closed_at - market.opened).days - 1
    odd = reached.some("no_data_v2")
    book = anyio.run(daily_prices, reached.exchange().data, reached.exchange().clob, odd.yes_token)
    assert {(point.source, point.resolution_seconds) for point in book} == {("clob", 86_400)}


@pytest.mark.parametrize("pagination", [{"has_more": True, "next_cursor": None}, {"has_more": True}, {"has_more": 1}])
def test_a_page_that_does_not_say_how_to_go_on_is_no_answer(tmp_path: Path, pagination: Any) -> None:
    exchange = reach(tmp_path).exchange()
    page = answer(json={"data": [row(0, 0.5)], "pagination": pagination})
    exchange.data.client.transport = InTurn(page).transport
    with pytest.raises(SourceFailure) as caught:
        anyio.run(daily_prices, exchange.data, exchange.clob, "7")
    assert caught.value.kind == "bad_answer"
    exchange.data.client.transport = InTurn(page, answer(json={"data": [row(0, 0.5)]})).transport
    assert len(anyio.run(daily_prices, exchange.data, exchange.clob, "7")) == 1


def test_the_word_that_there_is_no_more_ends_the_pages_whatever_the_cursor(tmp_path: Path) -> None:
    exchange = reach(tmp_path).exchange()
    last = {"data": [row(0, 0.5)], "pagination": {"has_more": False, "next_cursor": "x"}}
    exchange.data.client.transport = InTurn(answer(json=last), answer(500)).transport
    assert len(anyio.run(daily_prices, exchange.data, exchange.clob, "7")) == 1


START = datetime(2026, 3, 1, tzinfo=UTC)


def row(half_hours: int, price: Any, width: int = 1_800) -> dict[str, Any]:
    moment = int((START + half_hours * timedelta(minutes=30)).timestamp())
    return {"timestamp": moment, "price": price, "resolution_seconds": width}


def kept_window(folder: Path, rows: list[Any]) -> Polymarket:
    """An exchange that has told these prices of token 7 around ``START``, and tells no others."""
    reached = reach(folder)
    begin = (int(START.timestamp()) - 1_800) // CHUNK * CHUNK + 1_800
    query = f"bucket_seconds=1800&end={begin + CHUNK}&limit=10000&start={begin}&token_id=7"
    page = {"data": rows, "pagination": None}
    reached.store.keep(f"polymarket-data/v2/prices-history?{query}", reached.world.now, json.dumps(page).encode())
    empty = b'{"data": []}'
    reached.store.keep("polymarket-data/v2/prices-history?" + query.split("&", 1)[1], reached.world.now, empty)
    return reached.exchange(offline=True)
