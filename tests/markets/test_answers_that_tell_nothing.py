"""Building where the exchange answers with nothing, or what it answered is damaged, or much later."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import anyio
import polars as pl
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cruxbench_inspect.markets.build_options import BuildOptions, NothingBuilt
from cruxbench_inspect.markets.building import build
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from tests.loopback.polymarket_world import MarketWorld
from tests.markets.polymarket.reaching import reach
from tests.markets.test_building import Silent, contents, made, world

_NONE = {"data": [], "pagination": {"has_more": False, "next_cursor": None}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    made(folder / "set", reach(folder / "collection", world()), articles=0)
    return contents(folder / "set")


def test_an_empty_list_of_trades_is_no_market_without_trades(tmp_path: Path, whole: dict[str, bytes]) -> None:
    reached = reach(tmp_path / "collection", world())
    asked: list[str] = []

    def instead(request: Request) -> Response | None:
        if "trades" not in request.url.path:
            return None
        condition = request.query_params["condition"]
        asked.append(condition)
        return JSONResponse(_NONE) if condition == asked[0] else None

    reached.app.instead = instead
    with pytest.raises(NothingBuilt, match="no trades are told of market"):
        made(tmp_path / "set", reached, articles=0)
    reached.app.instead = lambda request: None
    made(tmp_path / "set", reached, articles=0)
    assert contents(tmp_path / "set") == whole


def test_damaged_answers_are_told_and_asked_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    reached = reach(tmp_path / "collection", world())
    made(tmp_path / "set", reached, articles=0)
    with sqlite3.connect(tmp_path / "collection" / "answers.sqlite") as file:
        for service in ("trades", "prices-history"):
            file.execute("UPDATE answers SET sha256 = ? WHERE request LIKE ?", ["0" * 64, f"%/v2/{service}?%"])
    built = made(tmp_path / "set", reached, articles=0)
    told = [line for line in built.problems if "was changed since it was kept" in line]
    assert {service for service in ("/v2/trades", "/v2/prices-history") for line in told if service in line} == {
        "/v2/trades",
        "/v2/prices-history",
    }
    assert contents(tmp_path / "set") == whole


def test_a_build_that_goes_on_weeks_later_takes_trades_where_only_coarse_prices_are_left(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    """The hours that have become too old for fine prices have those of their trades."""
    begun = world(bulk=4)
    reached = reach(tmp_path / "collection", begun)
    now = begun.now
    stop = [0]

    def instead(request: Request) -> Response | None:
        stop[0] += "prices-history" in request.url.path and "interval" not in request.query_params
        return Response("", 400) if stop[0] else None

    reached.app.instead = instead
    with pytest.raises(NothingBuilt):
        made(tmp_path / "set", reached, articles=0)
    reached.app.instead = lambda request: None
    begun.now = now + timedelta(days=20)
    options = BuildOptions(name="trial", rules=FunnelRules(), articles=0)

    async def run() -> None:
        await build(tmp_path / "set", options, reached.exchange(), None, now, Silent(), replace=True)

    anyio.run(run)
    rows = pl.read_parquet(tmp_path / "set" / "prices.parquet")
    errors = []
    for id, hour, price, volume in rows.iter_rows():
        market = begun.by_id(id.removeprefix("polymarket-"))
        assert market is not None
        age = now - hour
        if price is not None and volume and timedelta(days=70) < age < timedelta(days=88):
            errors.append(abs(price - market.yes_price(int(hour.timestamp()) + 1800)))
    assert len(errors) > 30
    assert sum(errors) / len(errors) < 0.01


def test_trades_fill_windows_of_which_only_coarse_prices_are_told(tmp_path: Path) -> None:
    """The exchange may answer with nothing where a part of a window is too old for fine prices."""
    reached = reach(tmp_path / "collection", world(markets=60, bulk=1))
    floor = (reached.world.now - timedelta(days=90)).timestamp()

    def instead(request: Request) -> Response | None:
        asked = request.query_params
        is_old = asked.get("bucket_seconds") == "1800" and float(asked["start"]) < floor
        return JSONResponse(_NONE) if "prices-history" in request.url.path and is_old else None

    reached.app.instead = instead
    made(tmp_path / "set", reached, articles=0)
    assert mean_error(tmp_path / "set" / "prices.parquet", reached.world, 70, 88) < 0.002


def mean_error(prices: Path, exchange: MarketWorld, youngest: int, oldest: int) -> float:
    """How far prices of traded hours, of an age in days, are from what was true at the end of the hour."""
    errors = []
    for id, hour, price, volume in pl.read_parquet(prices).iter_rows():
        market = exchange.by_id(id.removeprefix("polymarket-"))
        assert market is not None
        is_wanted = timedelta(days=youngest) < exchange.now - hour < timedelta(days=oldest)
        if price is not None and volume and is_wanted:
            errors.append(abs(price - market.yes_price(int(hour.timestamp()) + 1800)))
    assert len(errors) > 30
    return float(sum(errors) / len(errors))
