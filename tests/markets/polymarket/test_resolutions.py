from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import Response

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.polymarket.records import read_market
from cruxbench_inspect.markets.polymarket.resolutions import OracleResolution, confirm, resolutions
from cruxbench_inspect.markets.polymarket.settings import DATA, PACES
from tests.loopback.in_turn import InTurn, answer
from tests.loopback.polymarket_records import record
from tests.loopback.polymarket_world import MarketWorld
from tests.markets.polymarket.reaching import DAY, Reached, reach

T0 = datetime(2026, 3, 1, tzinfo=UTC)


def market(**changes: Any) -> Market:
    plain: dict[str, Any] = {"id": "1", "source": "s", "question": "Will it?", "description": "", "opened": T0,
                             "closed_at": T0 + DAY, "settled": "unconfirmed", "outcome": "Yes"}  # fmt: skip
    return Market(**{**plain, **changes})


def oracle(**changes: Any) -> OracleResolution:
    plain: dict[str, Any] = {
        "condition_id": "0xc",
        "status": "resolved",
        "payouts": (1, 0),
        "resolved_at": T0 + 2 * DAY,
    }
    return OracleResolution(**{**plain, **changes})


def test_resolutions_come_in_batches_whatever_the_order(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    closed = [each for each in reached.world.all if reached.world.is_closed(each)][:45]
    wanted = [each.condition_id for each in closed]
    found = anyio.run(resolutions, reached.exchange().data, [*wanted, "0xunknown", wanted[0]])
    assert set(found) == set(wanted)
    assert len(reached.app.requests) == 3
    again = anyio.run(resolutions, reached.exchange().data, ["0xunknown", *reversed(wanted)])
    assert again == found
    assert len(reached.app.requests) == 3
    for each in closed:
        said = found[each.condition_id]
        assert said.status == ("resolved" if reached.world.is_resolved(each) else "disputed")
        assert said.rules_updated == (each.oddity == "note_added")
        if said.status == "resolved":
            assert said.resolved_at == each.closed_at


def test_a_price_that_is_not_set_is_none(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    unsettled = next(each for each in reached.world.all if not reached.world.is_closed(each))
    said = anyio.run(resolutions, reached.exchange().data, [unsettled.condition_id])[unsettled.condition_id]
    assert (said.price, said.proposed_price, said.payouts, said.resolved_at) == (None, None, None, None)
    assert said.status == "posed"


def test_case_3_an_outcome_without_a_status_is_confirmed_by_the_oracle(tmp_path: Path) -> None:
    reached = reach(tmp_path, MarketWorld(markets=600))
    seen = 0
    for truth in reached.world.all:
        found = read_market(record(reached.world, truth))
        if isinstance(found, Market) and found.settled == "unconfirmed":
            assert found.condition_id is not None
            said = anyio.run(resolutions, reached.exchange().data, [found.condition_id])
            confirmed = confirm(found, said.get(found.condition_id))
            assert (confirmed.settled, confirmed.outcome) == ("confirmed", truth.ending)
            assert (confirmed.resolution_status, confirmed.closed_at) == ("resolved", truth.closed_at)
            seen += 1
    assert seen >= 3


@pytest.mark.parametrize(
    ("changes", "said", "settled", "outcome"),
    [
        ({}, {}, "confirmed", "Yes"),
        ({"outcome": "No"}, {"payouts": (0, 1)}, "confirmed", "No"),
        ({"yes_first": False}, {"payouts": (0, 1)}, "confirmed", "Yes"),
        ({"outcome": "No", "yes_first": False}, {}, "confirmed", "No"),
        ({}, {"payouts": (0, 1)}, "disputed", None),
        ({}, {"payouts": (0.5, 0.5)}, "split", None),
        ({}, {"payouts": (0.7, 0.3)}, "no_label", None),
        ({}, {"payouts": None}, "unconfirmed", "Yes"),
        ({}, {"payouts": (1, 0, 0)}, "unconfirmed", "Yes"),
        ({}, {"status": "challenged", "payouts": None}, "disputed", None),
    ],
)
def test_what_the_oracle_says_counts(
    changes: dict[str, Any], said: dict[str, Any], settled: str, outcome: str | None
) -> None:
    found = confirm(market(**changes), oracle(**said))
    assert (found.settled, found.outcome) == (settled, outcome)


def test_only_what_is_unconfirmed_changes() -> None:
    assert confirm(market(), None) == market()
    assert confirm(market(), oracle(resolved_at=None)).closed_at == T0 + DAY
    proven = market(settled="confirmed")
    assert confirm(proven, oracle(payouts=(0, 1))) == proven


ROW: dict[str, Any] = {"condition_id": "0xc", "status": "Resolved", "payouts": [1_000_000, 0], "price": 1}


def said_by(folder: Path, body: Any) -> dict[str, OracleResolution]:
    exchange = reach(folder).exchange()
    exchange.data.client.transport = InTurn(answer(json=body)).transport
    return anyio.run(resolutions, exchange.data, ["0xc"])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {"payouts": (1, 0), "price": 1}),
        ({"payouts": '["500000", "500000"]', "price": "0.5"}, {"payouts": (0.5, 0.5), "price": 0.5}),
        ({"payouts": [0, 0], "price": 69}, {"payouts": None}),
        ({"payouts": [1, None], "price": 69.0}, {"payouts": None}),
        ({"resolved_at": "2026-03-01T00:00:00Z", "price": None}, {"resolved_at": T0, "payouts": (1, 0)}),
        ({"resolved_at": int(T0.timestamp()), "price": None}, {"resolved_at": T0, "payouts": (1, 0)}),
    ],
)
def test_rows_in_all_forms(tmp_path: Path, changes: dict[str, Any], expected: dict[str, Any]) -> None:
    found = said_by(tmp_path, {"data": [{**ROW, **changes}]})
    assert found == {"0xc": OracleResolution(condition_id="0xc", status="resolved", **expected)}


def test_of_several_rows_of_a_condition_the_final_one_counts(tmp_path: Path) -> None:
    rows = [{**ROW, "status": "posed"}, ROW, {**ROW, "status": "proposed"}, {**ROW, "condition_id": "0xother"}]
    assert {id: said.status for id, said in said_by(tmp_path, {"data": rows}).items()} == {"0xc": "resolved"}


@pytest.mark.parametrize("bad", [None, 7, {"status": "posed"}, {**ROW, "condition_id": None}, [ROW]])
def test_a_row_that_is_none_is_skipped_and_told(tmp_path: Path, bad: Any) -> None:
    exchange = reach(tmp_path).exchange()
    exchange.data.client.transport = InTurn(answer(json={"data": [bad, ROW]})).transport
    problems: list[str] = []
    found = anyio.run(resolutions, exchange.data, ["0xc"], None, problems)
    assert set(found) == {"0xc"}
    assert len(problems) == 1
    assert "a resolution that names no condition" in problems[0]


class Breaking:
    """A fictional exchange's resolutions, some of which break every answer that they are in."""

    def __init__(self, reached: Reached, broken: set[str], bad: Response) -> None:
        self.asked: list[list[str]] = []
        self._reached, self._broken, self._bad = reached, broken, bad
        reached.app.instead = self

    def __call__(self, request: Request) -> Response | None:
        wanted = request.query_params.getlist("condition_id")
        self.asked.append(wanted)
        return self._bad if self._broken.intersection(wanted) else None


HALF = Response('{"data": [{"condition_', media_type="application/json")
DOWN = Response('{"error": "down"}', 503)


def conditions(reached: Reached) -> list[str]:
    return sorted(each.condition_id for each in reached.world.all)[:65]


@pytest.mark.parametrize("place", [0, 1, 30, 64])
@pytest.mark.parametrize("bad", [HALF, DOWN], ids=["half", "down"])
def test_a_condition_that_breaks_its_batch_costs_itself_alone(tmp_path: Path, place: int, bad: Response) -> None:
    reached = reach(tmp_path)
    wanted = conditions(reached)
    Breaking(reached, {wanted[place]}, bad)
    failed = {"0xearlier": "a failure from before"}
    found = anyio.run(resolutions, reached.exchange().data, wanted, None, None, failed)
    assert failed.pop("0xearlier")
    assert set(failed) == {wanted[place]}
    assert "polymarket-data: " in failed[wanted[place]]
    assert sorted([*found, *failed]) == wanted
    later: dict[str, str] = {}
    offline = reached.exchange(offline=True).data
    assert anyio.run(resolutions, offline, wanted, None, None, later) == found
    assert set(later) == set(failed)
    with pytest.raises(SourceFailure):
        anyio.run(resolutions, reached.exchange().data, wanted)


def test_a_batch_that_fails_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    wanted = conditions(reached)
    Breaking(reached, set(wanted[20:40]), DOWN)
    failed: dict[str, str] = {}
    found = anyio.run(resolutions, reached.exchange().data, wanted, None, None, failed)
    assert set(failed) == set(wanted[20:40])
    assert set(found) == {*wanted[:20], *wanted[40:]}


def test_a_service_that_does_not_answer_at_all_is_not_asked_about_each_condition(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    wanted = conditions(reached)
    service = Breaking(reached, set(wanted), DOWN)
    failed: dict[str, str] = {}
    assert anyio.run(resolutions, reached.exchange().data, wanted, None, None, failed) == {}
    assert sorted(failed) == wanted
    assert [len(each) for each in service.asked[:: PACES[DATA].attempts]] == [20, 1, 1, 20, 20, 5]


def test_a_refusal_is_raised_also_where_failures_are_collected(tmp_path: Path) -> None:
    reached = reach(tmp_path)
    wanted = conditions(reached)
    Breaking(reached, {wanted[30]}, Response('{"error": "region"}', 403))
    with pytest.raises(SourceFailure) as caught:
        anyio.run(resolutions, reached.exchange().data, wanted, None, None, {})
    assert caught.value.kind == "auth"


@pytest.mark.parametrize("body", [[], {"data": None}, {"data": {"condition_id": "0xc"}}])
def test_what_is_no_answer_is_a_failure(tmp_path: Path, body: Any) -> None:
    with pytest.raises(SourceFailure) as caught:
        said_by(tmp_path, body)
    assert caught.value.kind == "bad_answer"
