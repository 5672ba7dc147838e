import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import Response

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.polymarket.listing import PATH, Filters, list_markets, one_market
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from tests.loopback.polymarket_faults import KINDS, Faults
from tests.loopback.polymarket_world import MarketWorld
from tests.markets.polymarket.reaching import DAY, Reached, reach

WORLD = MarketWorld(markets=420)
CLOSED = [market.id for market in WORLD.all if WORLD.is_there(market) and WORLD.is_closed(market)]
OPEN = [market.id for market in WORLD.all if WORLD.is_there(market) and not WORLD.is_closed(market)]


def listed(exchange: Polymarket, problems: list[str] | None = None, **filters: Any) -> list[dict[str, Any]]:
    async def collect() -> list[dict[str, Any]]:
        wanted = Filters(**{"closed": True, **filters})
        return [raw async for raw in list_markets(exchange.gamma, wanted, problems)]

    return anyio.run(collect)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


@pytest.mark.parametrize("last_cursor", ["", None, False])
def test_case_13_all_markets_of_a_kind_whatever_ends_the_pages(
    tmp_path: Path, last_cursor: Literal["", False] | None
) -> None:
    reached = reach(tmp_path, WORLD, Faults(last_cursor=last_cursor))
    assert len(CLOSED) > 200
    assert ids(listed(reached.exchange(), closed=True)) == CLOSED
    assert ids(listed(reached.exchange(), closed=False)) == OPEN


def test_case_13_each_request_says_closed_and_all_pages_have_the_same_filters(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)
    rows = listed(reached.exchange(), volume_min=20_000)
    asked = [dict(fields) for path, fields in reached.app.requests if path == f"/gamma{PATH}"]
    assert len(asked) > 1
    assert len({tuple((name, value) for name, value in each.items() if name != "after_cursor") for each in asked}) == 1
    assert asked[0]["closed"] == "true"
    assert asked[0]["order"] == "id"
    assert "offset" not in asked[0]
    assert all(row["tags"] for row in rows)


@pytest.mark.parametrize(
    "filters",
    [
        {"volume_min": 60_000},
        {"starts_after": WORLD.now - 200 * DAY, "starts_before": WORLD.now - 100 * DAY},
        {"ends_after": WORLD.now - 60 * DAY, "ends_before": WORLD.now + 30 * DAY},
    ],
)
def test_case_13_filters_hold_also_where_the_exchange_ignores_them(
    tmp_path: Path, filters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    honoured = listed(reach(tmp_path / "a", WORLD).exchange(), **filters)
    assert 0 < len(honoured) < len(CLOSED)
    monkeypatch.setattr(Filters, "params", lambda self: {"closed": "true", "unheard_of": "1"})
    assert listed(reach(tmp_path / "b", WORLD).exchange(), **filters) == honoured


def test_rows_that_come_twice_count_once(tmp_path: Path) -> None:
    reached = reach(tmp_path, MarketWorld(markets=30))
    gamma = reached.exchange().gamma
    rows = listed(reached.exchange())
    params = {"after_cursor": "x", "ascending": "true", "closed": "true", "include_tag": "true", "limit": "100",
              "order": "id"}  # fmt: skip

    async def tamper() -> None:
        first = await gamma.get(PATH, {**params, "after_cursor": []}, any_page)
        page = {"markets": [*first["markets"], first["markets"][0], None, {"question": "?"}], "next_cursor": "x"}
        keep(reached, {**params, "after_cursor": ""}, page)
        keep(reached, params, {"markets": first["markets"][-2:], "next_cursor": None})

    anyio.run(tamper)
    problems: list[str] = []
    assert listed(reached.exchange(), problems) == rows
    assert len(problems) == 2
    assert "without an id" in problems[0]


def test_pages_in_a_circle_are_told(tmp_path: Path) -> None:
    reached = reach(tmp_path, MarketWorld(markets=5))
    params = {"ascending": "true", "closed": "true", "include_tag": "true", "limit": "100", "order": "id"}
    keep(reached, {**params, "after_cursor": ""}, {"markets": [], "next_cursor": "x"})
    keep(reached, {**params, "after_cursor": "x"}, {"markets": [], "next_cursor": "x"})
    with pytest.raises(SourceFailure, match="in a circle"):
        listed(reached.exchange())


@pytest.mark.parametrize("kind", KINDS)
def test_case_16_faults_on_the_way_change_nothing(tmp_path: Path, kind: Any) -> None:
    reached = reach(tmp_path, WORLD, Faults(share=0.6, kinds=(kind,), times=3, wait=2))
    assert ids(listed(reached.exchange())) == CLOSED
    assert len(reached.waits) >= 3


@pytest.mark.parametrize("place", [0, 1, 57, 150, len(CLOSED) - 2, len(CLOSED) - 1])
def test_a_record_that_breaks_its_page_costs_itself_alone(tmp_path: Path, place: int) -> None:
    broken = CLOSED[place]
    reached = reach(tmp_path, WORLD, Faults(broken_record=broken))
    problems: list[str] = []
    rows = ids(listed(reached.exchange(), problems))
    assert sorted(rows, key=int) == [id for id in CLOSED if id != broken]
    assert len(problems) == 1
    before = CLOSED[place - 1] if place else "(none)"
    after = CLOSED[place + 1] if place + 1 < len(CLOSED) else "(none)"
    assert f"after market {before} and before market {after};" in problems[0]
    assert "HTTP 500" in problems[0]
    again: list[str] = []
    assert ids(listed(reached.exchange(offline=True), again)) == rows
    assert len(again) == 1


@pytest.mark.parametrize("place", [0, 57, len(CLOSED) - 1])
@pytest.mark.parametrize("half", [True, False])
def test_a_record_that_makes_its_page_no_whole_json_costs_itself_alone(tmp_path: Path, place: int, half: bool) -> None:
    reached = reach(tmp_path, WORLD)
    broken = CLOSED[place]
    mark = f'"id":"{broken}"'.encode()
    alter(reached, lambda body: body[: body.index(mark)] if half else body.replace(mark, mark[:-1]), mark)
    problems: list[str] = []
    rows = ids(listed(reached.exchange(), problems))
    assert sorted(rows, key=int) == [id for id in CLOSED if id != broken]
    assert len(problems) == 1
    assert "no whole JSON" in problems[0]
    again: list[str] = []
    assert ids(listed(reached.exchange(offline=True), again)) == rows
    assert len(again) == 1


@pytest.mark.parametrize("bad", [b"\\ud83d", b"\x0b", b"\xff", b"\xf0\x9f"])
def test_a_sign_that_json_forbids_costs_no_record(tmp_path: Path, bad: bytes) -> None:
    reached = reach(tmp_path, WORLD)
    begin = b'"question":"'
    alter(reached, lambda body: body.replace(begin, begin + bad, 3), begin)
    problems: list[str] = []
    rows = listed(reached.exchange(), problems)
    assert ids(rows) == CLOSED
    assert not problems
    assert all(row["question"].encode("utf-8") for row in rows)


def test_a_volume_may_stand_in_either_field(tmp_path: Path) -> None:
    plain = listed(reach(tmp_path / "a", WORLD).exchange(), volume_min=60_000)
    reached = reach(tmp_path / "b", WORLD)
    alter(reached, lambda body: re.sub(rb'"volumeNum":[^,}]+', b'"volumeNum":null', body), b"volumeNum")
    problems: list[str] = []
    assert ids(listed(reached.exchange(), problems, volume_min=60_000)) == ids(plain)
    assert not problems


def test_records_that_were_not_asked_for_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = listed(reach(tmp_path / "a", WORLD).exchange())
    monkeypatch.setattr(Filters, "params", lambda self: {"closed": "true"})
    problems: list[str] = []
    kept = ids(listed(reach(tmp_path / "b", WORLD).exchange(), problems, volume_min=60_000))
    out = [row["id"] for row in every if row["id"] not in kept]
    assert problems == [
        f"{len(out)} listed records are not as they were asked for by their volume, as of market {out[0]}"
    ]


@pytest.mark.parametrize(
    ("fault", "cause"), [("500", "outage"), ("200_half", "bad_answer"), ("200_html", "bad_answer")]
)
def test_a_listing_that_does_not_answer_at_all_fails(tmp_path: Path, fault: Any, cause: str) -> None:
    reached = reach(tmp_path, WORLD, Faults(share=1, kinds=(fault,), times=10_000))
    with pytest.raises(SourceFailure) as caught:
        listed(reached.exchange())
    assert caught.value.kind == cause
    with pytest.raises(SourceFailure) as caught:
        listed(reached.exchange(offline=True))
    assert caught.value.kind == "not_recorded"


def test_a_listing_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)

    async def some() -> None:
        rows = list_markets(reached.exchange().gamma, Filters(closed=True))
        for _ in range(120):
            await anext(rows)
        await rows.aclose()

    anyio.run(some)
    before = len(reached.app.requests)
    exchange = reached.exchange()
    assert ids(listed(exchange)) == CLOSED
    assert exchange.gamma.from_store == before == 2
    assert len(reached.app.requests) == -(-len(CLOSED) // 100)
    assert ids(listed(reached.exchange(offline=True))) == CLOSED


def test_one_market_is_found_closed_or_open(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)
    for id in (CLOSED[3], OPEN[3]):
        row = anyio.run(one_market, reached.exchange().gamma, id)
        assert row is not None
        assert row["id"] == id
        assert row["tags"]
    assert anyio.run(one_market, reached.exchange().gamma, "404") is None


def test_a_market_that_has_vanished_stays_in_what_was_kept(tmp_path: Path) -> None:
    world = MarketWorld(markets=420)
    reached = reach(tmp_path, world)
    market = next(each for each in world.all if each.oddity == "vanishes" and not world.is_closed(each))
    first = anyio.run(one_market, reached.exchange().gamma, market.id)
    assert first is not None
    world.now = market.closed_at + 11 * DAY
    assert anyio.run(one_market, reached.exchange().gamma, market.id, world.now) is None
    kept = list(reached.store.answers("polymarket-gamma"))
    assert len(kept) == 4  # asked as closed and as open, twice


def test_a_filter_that_is_ignored_is_no_vanished_market(tmp_path: Path) -> None:
    reached = reach(tmp_path, WORLD)
    with pytest.raises(SourceFailure, match="it lists other ones"):
        anyio.run(one_market, reached.exchange().gamma, "1,2")


def alter(reached: Reached, change: Callable[[bytes], bytes], mark: bytes) -> None:
    """Have every page of the listing changed that holds a mark."""

    def page(request: Request) -> Response | None:
        if not request.url.path.endswith(PATH):
            return None
        body = bytes(reached.app.listing(request).body)
        return Response(change(body) if mark in body else body, media_type="application/json")

    reached.app.instead = page


def any_page(page: Any) -> None:
    assert page["markets"]


def keep(reached: Reached, params: dict[str, str], page: Any, asked: datetime | None = None) -> None:
    """Keep an answer that the exchange never gave."""
    query = urlencode(sorted((name, value) for name, value in params.items() if value))
    reached.store.keep(f"polymarket-gamma{PATH}?{query}", asked or reached.world.now, json.dumps(page).encode())
