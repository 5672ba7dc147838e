import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.market import Trade
from cruxbench_inspect.markets.polymarket.recorded_trades import recorded_trades
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.polymarket.trades import PAGE, ask_trades
from tests.loopback.in_turn import InTurn, answer
from tests.loopback.polymarket_faults import KINDS, Faults
from tests.loopback.polymarket_world import MarketWorld, WorldMarket
from tests.markets.polymarket.reaching import DAY, HOUR, reach

PATH = "/data/v2/trades"
WORLD = MarketWorld()
T0 = datetime(2026, 3, 1, tzinfo=UTC)


def asked(
    exchange: Polymarket,
    condition: str,
    since: datetime,
    asked_since: datetime | None = None,
    problems: list[str] | None = None,
) -> list[Trade]:
    """What is asked for, and then read from what was kept."""

    async def run() -> list[Trade]:
        await ask_trades(exchange.data, condition, since, asked_since)
        return list((await recorded_trades(exchange.data, condition, since, problems=problems)).trades)

    return anyio.run(run)


def truth(market: WorldMarket, since: datetime, now: datetime) -> list[tuple[float, str | None, float, float]]:
    """What was traded, a twin twice."""
    rows: list[tuple[float, str | None, float, float]] = []
    for trade in market.trades:
        token = None if trade.number % 97 == 96 else "Yes" if trade.yes else "No"
        if since.timestamp() <= trade.second and trade.indexed <= now.timestamp():
            rows += [(trade.second, token, trade.price, trade.shares)] * (2 if trade.twin else 1)
    return rows


def told(found: list[Trade]) -> list[tuple[float, str | None, float, float]]:
    return [(trade.moment.timestamp(), trade.token, trade.price, trade.shares) for trade in found]


def busy(world: MarketWorld, oddity: str = "none") -> WorldMarket:
    alike = (each for each in world.all if each.oddity == oddity)
    return max(alike, key=lambda each: each.activity * (min(each.closed_at, world.now) - each.opened))


def test_case_15_each_match_counts_once_and_equal_rows_of_a_page_are_trades_of_their_own(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)
    market = busy(reached.world)
    found = asked(reached.exchange(), market.condition_id, market.opened)
    assert told(found) == truth(market, market.opened, reached.world.now)
    assert len(found) > 3 * PAGE
    assert {trade.token for trade in found} == {"Yes", "No", None}
    assert all(fields["taker_only"] == "true" for fields in reached.asked(PATH))
    assert all(not {"start", "end", "offset"} & fields.keys() for fields in reached.asked(PATH))


@pytest.mark.parametrize("repeats", [1, 3, 40])
def test_case_15_rows_repeated_at_a_border_of_pages_count_once(tmp_path: Path, repeats: int) -> None:
    reached = reach(tmp_path, WORLD, Faults(border_repeats=repeats))
    market = busy(reached.world)
    assert told(asked(reached.exchange(), market.condition_id, market.opened)) == truth(
        market, market.opened, reached.world.now
    )


def test_case_15_pages_are_read_back_until_they_are_older_than_what_is_wanted(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)
    market = busy(reached.world)
    since = min(market.closed_at, reached.world.now) - 10 * DAY
    found = asked(reached.exchange(), market.condition_id, since)
    assert told(found) == truth(market, since, reached.world.now)
    assert len(reached.asked(PATH)) < len(market.trades) // PAGE


def test_labels_count_and_not_places(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)
    market = busy(reached.world, "no_first")
    assert told(asked(reached.exchange(), market.condition_id, market.opened)) == truth(
        market, market.opened, reached.world.now
    )


def test_trades_that_the_index_gets_late_come_when_it_is_asked_again(tmp_path: Path) -> None:
    world = MarketWorld()
    reached = reach(tmp_path, world)
    market = max((each for each in world.all if not world.is_closed(each)), key=lambda each: each.activity)
    end, since = world.now, world.now - 40 * DAY
    first = asked(reached.exchange(), market.condition_id, since)
    world.now = end + 3 * HOUR
    assert asked(reached.exchange(), market.condition_id, since) == first
    again = asked(reached.exchange(), market.condition_id, since, world.now)
    assert told(again) == truth(market, since, world.now)
    assert len(again) > len(first)


@pytest.mark.parametrize("kind", KINDS)
def test_case_16_faults_on_the_way_change_nothing(tmp_path: Path, kind: Any) -> None:
    reached = reach(tmp_path, WORLD, Faults(share=1, kinds=(kind,), times=2, wait=3))
    market = busy(reached.world)
    since = reached.world.now - 30 * DAY
    assert told(asked(reached.exchange(), market.condition_id, since)) == truth(market, since, reached.world.now)


def test_a_market_without_trades_has_none(tmp_path: Path) -> None:
    assert asked(reach(tmp_path).exchange(), "0x" + "0" * 64, T0) == []


@pytest.mark.parametrize(
    ("changes", "token"),
    [
        ({}, "Yes"),
        ({"outcome": "No", "outcome_index": 1}, "No"),
        ({"outcome": " YES ", "outcome_index": 1}, "Yes"),
        ({"outcome_index": 999}, None),
        ({"outcome": "Up"}, None),
        ({"outcome": ""}, None),
        ({"outcome": None}, None),
    ],
)
def test_an_unlabelled_row_is_of_no_token(tmp_path: Path, changes: dict[str, Any], token: str | None) -> None:
    (trade,) = asked(with_rows(tmp_path, [{**ROW, **changes}]), "0xc", T0)
    assert trade == Trade(moment=T0 + HOUR, token=token, price=0.25, shares=40)


@pytest.mark.parametrize(
    "changes",
    [{"price": None}, {"price": 1.5}, {"size": -1}, {"timestamp": "soon"}, {"price": "NaN"}, {"timestamp": 1e15}],
)
def test_a_row_that_is_no_trade_is_skipped_and_told(tmp_path: Path, changes: dict[str, Any]) -> None:
    problems: list[str] = []
    found = asked(with_rows(tmp_path, [ROW, {**ROW, **changes}, None]), "0xc", T0, problems=problems)
    assert len(found) == 1
    assert len(problems) == 2
    assert "condition 0xc: a trade that is none" in problems[0]


def test_pages_in_a_circle_are_told(tmp_path: Path) -> None:
    exchange = with_rows(tmp_path, [ROW], cursor="x", second=[{**ROW, "price": 0.3}])
    with pytest.raises(SourceFailure, match="in a circle"):
        asked(exchange, "0xc", T0)


MORE_WITHOUT_A_CURSOR = [
    {"has_more": True, "next_cursor": None},
    {"has_more": True, "next_cursor": ""},
    {"has_more": True},
]
BAD_PAGINATIONS = [*MORE_WITHOUT_A_CURSOR, [], {"has_more": "yes"}, {"has_more": True, "next_cursor": {"a": 1}}]


@pytest.mark.parametrize("pagination", BAD_PAGINATIONS)
def test_a_page_that_does_not_say_how_to_go_on_is_no_answer(tmp_path: Path, pagination: Any) -> None:
    reached = reach(tmp_path)
    page = answer(json={"data": [ROW], "pagination": pagination})
    exchange = reached.exchange()
    exchange.data.client.transport = InTurn(page).transport
    with pytest.raises(SourceFailure) as caught:
        asked(exchange, "0xc", T0)
    assert caught.value.kind == "bad_answer"
    exchange.data.client.transport = InTurn(page, page, answer(json={"data": [ROW], "pagination": None})).transport
    assert len(asked(exchange, "0xc", T0)) == 1


def test_the_word_that_there_is_no_more_ends_the_pages_whatever_the_cursor(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    exchange = reached.exchange()
    last = {"data": [ROW], "pagination": {"has_more": False, "next_cursor": "x"}}
    exchange.data.client.transport = InTurn(answer(json=last), answer(500)).transport
    assert len(asked(exchange, "0xc", T0)) == 1


ROW: dict[str, Any] = {
    "condition_id": "0xc",
    "token_id": "7",
    "side": "BUY",
    "size": 40,
    "price": "0.25",
    "timestamp": int((T0 + HOUR).timestamp()),
    "outcome": "Yes",
    "outcome_index": 0,
    "transaction_hash": "0x1",
    "proxy_wallet": "0x2",
}


def with_rows(folder: Path, rows: list[Any], cursor: str | None = None, second: list[Any] | None = None) -> Polymarket:
    """An exchange that has told these trades of condition 0xc."""
    reached = reach(folder)
    pagination = {"has_more": cursor is not None, "next_cursor": cursor}
    for query, page in (("condition=0xc", rows), (f"condition=0xc&cursor={cursor}", second or [])):
        body = json.dumps({"data": page, "pagination": pagination}).encode()
        request = f"polymarket-data/v2/trades?{query}&limit=1000&taker_only=true"
        reached.store.keep(request, reached.world.now, body)
    return reached.exchange(offline=True)
