"""Which answers count, and until when a round is recorded."""

import itertools
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cruxbench_inspect.markets.polymarket.price_history import price_windows
from cruxbench_inspect.markets.updating import update
from cruxbench_inspect.markets.watching import Recorded, is_over, watch
from cruxbench_inspect.prices import pivot_hour
from cruxbench_inspect.settlement import complete
from tests.markets.polymarket.reaching import DAY, HOUR
from tests.markets.recorder.recording import (
    EMPTY,
    START,
    Recording,
    Trouble,
    a_world,
    assert_no_more,
    healthy,
    last_hours,
    prices_of,
    recorded,
    troubled,
)
from tests.markets.test_building import Silent


def test_a_record_whose_beginning_is_lost_still_goes_on(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    recording.update(73)
    before = prices_of(recording)
    border = int((START + 30 * HOUR).timestamp() * 1_000_000)
    with sqlite3.connect(recording.collection.folder / "answers.sqlite") as file:
        file.execute("DELETE FROM answers WHERE asked < ? AND request LIKE '%prices-history%'", [border])
    recording.watch(healthy(96))
    with sqlite3.connect(recording.collection.folder / "answers.sqlite") as file:
        file.execute("DELETE FROM answers WHERE request LIKE '%start=1773%' AND request LIKE '%prices-history%'")
    recording.update(97)
    assert set(before) <= set(prices_of(recording))
    assert max(last_hours(recording).values()) > START + 80 * HOUR


def test_what_was_asked_just_now_counts(built: Path, tmp_path: Path) -> None:
    """Requests are made after the moment that an update is of, since a clock goes on."""
    recording = recorded(built, tmp_path)
    now = recording.world.now = START + 72 * HOUR
    exchange = recording.reached.exchange()
    ticks = itertools.count(1)
    for asker in exchange.askers:
        asker.clock = lambda: now + next(ticks) * timedelta(milliseconds=20)
    anyio.run(lambda: update(recording.set, exchange, now, Silent()))
    assert max(last_hours(recording).values()) > START + 60 * HOUR
    assert min(last_hours(recording).values()) > START + 40 * HOUR


@pytest.mark.parametrize("lag", [2])
def test_a_late_answer_at_the_border_of_two_windows_leaves_no_false_hours(
    built: Path, tmp_path: Path, lag: int
) -> None:
    disturbed, quiet = recorded(built, tmp_path), Recording(tmp_path / "quiet", built, a_world())
    begins = price_windows(START.timestamp(), (START + 20 * DAY).timestamp())
    border = (datetime.fromtimestamp(max(begins), UTC) - START) // HOUR
    assert 24 < border < 20 * 24
    for hours in (border + 1, *range(border + 25, border + 50, 24)):
        disturbed.watch(troubled(hours, lag, prices="behind") if hours == border + 1 else healthy(hours))
        quiet.watch(healthy(hours))
        disturbed.update(hours + 1)
        quiet.update(hours + 1)
        assert_no_more(disturbed, quiet)
    assert disturbed.rows().height == quiet.rows().height


@pytest.mark.parametrize("only", ["coarse", "book"])
def test_a_window_that_was_told_coarsely_is_asked_finely_again(built: Path, tmp_path: Path, only: str) -> None:
    disturbed, quiet = recorded(built, tmp_path), Recording(tmp_path / "quiet", built, a_world())

    def instead(request: Request) -> Response | None:
        asked = request.query_params
        if not request.url.path.endswith("/v2/prices-history"):
            return None
        return None if only == "coarse" and asked.get("bucket_seconds") == "10800" else JSONResponse(EMPTY)

    disturbed.world.now = START + 20 * DAY
    disturbed.reached.app.instead = instead
    disturbed.update(20 * 24, ask=True)
    disturbed.reached.app.instead = lambda request: None
    quiet.watch(healthy(20 * 24))
    for recording in (disturbed, quiet):
        recording.watch(healthy(22 * 24))
        recording.update(22 * 24 + 1)
    assert_no_more(disturbed, quiet)
    assert disturbed.rows().height == quiet.rows().height


def test_a_round_that_is_watched_to_its_end_is_final(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    for day in range(1, 60, 6):
        recording.watch(healthy(24 * day))
        if is_over(recording.set, recording.world.now):
            break
    recording.update(24 * day + 1)
    loaded = recording.set
    for question in loaded.questions:
        trusted = loaded.trusted(question.id)
        assert trusted is not None and complete(question, trusted, loaded.outcome(question.id)), question.id


def test_a_listing_that_answers_with_nothing_keeps_no_price_from_being_recorded(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(24))
    recording.watch(troubled(96, markets="empty"))
    recording.update(97)
    assert min(last_hours(recording).values()) > START + 60 * HOUR


def test_damage_of_any_kind_is_told(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    with sqlite3.connect(recording.collection.folder / "answers.sqlite") as file:
        file.execute("UPDATE bodies SET packed = 'text' WHERE sha256 IN (SELECT sha256 FROM answers LIMIT 500)")
    assert any("was changed since it was kept" in line for line in recording.update(73).problems)


def test_an_empty_later_page_of_trades_ends_nothing(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    for day in range(1, 5):
        recording.watch(healthy(24 * day))
    recording.update(97)
    before = recording.set.prices
    now = recording.world.now = START + 7 * DAY

    def instead(request: Request) -> Response | None:
        is_later = "trades" in request.url.path and "cursor" in request.query_params
        return JSONResponse(EMPTY) if is_later else None

    recording.reached.app.instead = instead
    assert now - START == 7 * DAY
    told = recording.update(7 * 24, ask=True)
    assert any("without trades that a cursor leads to" in line for line in told.problems)
    both = before.join(recording.set.prices, on=["question_id", "hour"], suffix="_now")
    assert both.height == before.height
    assert (both["volume_usdc_now"] >= both["volume_usdc"] - 1e-9).all()


@pytest.mark.parametrize("trouble", ["empty"])
def test_no_price_is_told_after_a_payout(built: Path, tmp_path: Path, trouble: Trouble) -> None:
    recording = recorded(built, tmp_path)
    question = recording.set.questions[0]
    market = recording.world.by_id(question.market_id)
    assert market is not None
    recording.watch(healthy(24))
    closed = START + 100 * HOUR
    object.__setattr__(market, "closed_at", closed)
    for hours in (120, 144, 168):
        recording.watch(troubled(hours, 10, markets=trouble))
    recording.update(169)
    # Nobody told that it closed, but the exchange paid out.
    assert last_hours(recording)[question.id] < closed


def test_a_watch_goes_on_while_its_last_pass_fails(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    now = [max(question.window.end for question in recording.set.questions) + 9 * DAY]
    passes: list[Recorded] = []

    async def once() -> Recorded:
        return Recorded(problems=["something"] if len(passes) < 2 else [])

    async def sleep(seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)

    async def run() -> None:
        await watch(recording.set, once, lambda: now[0], DAY, sleep, passes.append)

    anyio.run(run)
    assert len(passes) == 3
    passes.clear()

    async def never() -> Recorded:
        return Recorded(problems=["something"])

    async def run_on() -> None:
        await watch(recording.set, never, lambda: now[0], DAY, sleep, passes.append)

    anyio.run(run_on)
    assert 1 <= len(passes) <= 7


def test_a_closure_counts_once_prices_are_known_up_to_it(built: Path, tmp_path: Path) -> None:
    """Else the hours that the record lacks would be taken for hours after the settlement."""
    recording = recorded(built, tmp_path)
    question = recording.set.questions[0]
    market = recording.world.by_id(question.market_id)
    assert market is not None
    recording.watch(healthy(96))
    object.__setattr__(market, "closed_at", START + 110 * HOUR)
    recording.watch(troubled(120, 10, prices="down"))
    recording.update(121)
    known = recording.set.outcome(question.id)
    assert known.outcome == market.ending and known.resolved_at is None
    trusted = recording.set.trusted(question.id)
    assert trusted is not None and not complete(question, trusted, known)
    recording.watch(healthy(144))
    recording.update(145)
    assert recording.set.outcome(question.id).resolved_at == market.closed_at
    assert last_hours(recording)[question.id] == pivot_hour(market.closed_at)
