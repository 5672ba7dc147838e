"""Whatever goes wrong while a live round is recorded, nothing false comes of it."""

import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import QuestionSet
from tests.markets.polymarket.reaching import DAY, HOUR
from tests.markets.recorder.recording import (
    EMPTY,
    START,
    TROUBLES,
    Pass,
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

trouble = st.sampled_from(TROUBLES)
passes = st.lists(
    st.builds(
        Pass, hours=st.integers(3, 36 * 24), troubles=st.tuples(trouble, trouble, trouble, trouble),
        lag=st.integers(1, 20),
    ),
    min_size=1, max_size=5, unique_by=lambda one: one.hours,
).map(lambda found: sorted(found, key=lambda one: one.hours))  # fmt: skip


@settings(
    max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(passes=passes)
def test_what_is_known_is_what_an_undisturbed_recorder_knows_or_less(
    built: Path, tmp_path_factory: pytest.TempPathFactory, passes: list[Pass]
) -> None:
    folder = tmp_path_factory.mktemp("recorded")
    disturbed, quiet = Recording(folder / "a", built, a_world()), Recording(folder / "b", built, a_world())
    for one in passes:
        disturbed.watch(one)
        quiet.watch(healthy(one.hours))
    last = passes[-1].hours + 1
    disturbed.update(last)
    quiet.update(last)
    for recording in (disturbed, quiet):
        # What the set has from its building is known to both.
        assert recording.rows().height >= QuestionSet.load(built / "round").prices["price"].count()
    assert_no_more(disturbed, quiet)
    final = last + 24
    disturbed.watch(healthy(final))
    quiet.watch(healthy(final))
    disturbed.update(final + 1)
    quiet.update(final + 1)
    # One healthy pass mends all.
    assert disturbed.rows().height == quiet.rows().height
    assert_no_more(disturbed, quiet)
    assert disturbed.set.outcomes == quiet.set.outcomes
    shutil.rmtree(folder)


@pytest.mark.parametrize("trouble", ["empty", "damaged", "down"])
@pytest.mark.parametrize("service", ["prices", "trades"])
def test_a_bad_pass_takes_nothing_away(built: Path, tmp_path: Path, service: str, trouble: Trouble) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    recording.update(73)
    before, traded = prices_of(recording), recording.rows()["volume_usdc"].to_list()
    recording.watch(troubled(78, 10, **{service: trouble}))
    recording.update(79)
    assert set(before) <= set(prices_of(recording))
    assert sum(traded) <= sum(recording.rows()["volume_usdc"].to_list()) + 1e-6
    # Nothing is carried beyond what was told.
    flat = recording.rows().sort("question_id", "hour").group_by("question_id").agg(pl.col("price").tail(6).n_unique())
    assert min(flat["price"].to_list()) > 1


def test_an_empty_window_that_is_over_is_asked_again(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    recording.watch(troubled(20 * 24, prices="empty"))
    recording.update(20 * 24 + 1)
    known = last_hours(recording)
    assert max(known.values()) <= START + 72 * HOUR
    recording.update(20 * 24 + 1, ask=True)
    assert min(last_hours(recording).values()) > START + 18 * 24 * HOUR


def test_only_the_newest_window_is_empty(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(10 * 24))
    now = 20 * 24

    def instead(request: Request) -> Response | None:
        newest = int(request.query_params.get("start", request.query_params.get("startTs", 0)))
        return JSONResponse(EMPTY) if "prices" in request.url.path and newest > (START + 3 * DAY).timestamp() else None

    recording.reached.app.instead = instead
    update = recording.update(now, ask=True)
    assert update.problems == []
    border = max(int(fields["start"]) for fields in recording.reached.asked("/data/v2/prices-history"))
    assert max(last_hours(recording).values()) < datetime.fromtimestamp(border, UTC)
    recording.reached.app.instead = lambda request: None
    recording.update(now + 1, ask=True)
    assert min(last_hours(recording).values()) > START + 18 * 24 * HOUR


def test_a_pass_over_trades_that_broke_off_does_not_hide_the_one_before(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    recording.watch(troubled(40 * 24, trades="cut"))
    told = recording.update(40 * 24 + 1)
    assert told.problems == []
    assert min(last_hours(recording).values()) >= START + 40 * HOUR
    # A busy market's first page does not reach back to the pass before.
    assert min(last_hours(recording).values()) < START + 72 * HOUR


def test_a_vanished_market_keeps_its_volume_after_an_empty_answer(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    recording.update(73)
    before = recording.rows()["volume_usdc"].sum()
    recording.watch(troubled(96, trades="empty"))
    for question in recording.set.questions:
        object.__setattr__(recording.world.by_id(question.market_id), "opened", START + 900 * DAY)
    recording.watch(healthy(120))
    told = recording.update(121)
    assert told.stale == [] and recording.rows()["volume_usdc"].sum() >= before


def test_prices_that_were_recorded_finely_stay_fine(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(13 * 24))
    recording.update(13 * 24 + 1)
    before = prices_of(recording)
    # Half hours are not kept by the exchange any more, three hours are.
    recording.update(115 * 24, ask=True)
    assert set(before) <= set(prices_of(recording))
    assert len(prices_of(recording)) > len(before)


def test_a_market_that_opens_again_becomes_what_it_was(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    question = recording.set.questions[0]
    market = recording.world.by_id(question.market_id)
    assert market is not None
    recording.watch(healthy(72))
    recording.update(73)
    first = recording.set
    closes = market.closed_at
    object.__setattr__(market, "closed_at", START + 73 * HOUR)
    recording.watch(troubled(74, prices="down", trades="down"))
    recording.update(75)
    assert recording.set.outcome(question.id).outcome == market.ending
    object.__setattr__(market, "closed_at", closes)
    recording.watch(troubled(76, prices="down", trades="down"))
    recording.update(77)
    last = recording.set
    assert last.outcome(question.id).outcome is None
    assert last.digest == first.digest and last.manifest.version == "4"
    assert [one.version for one in last.manifest.earlier] == ["1", "3"]
    assert last.stands_for(first.digest)


def test_a_clock_that_goes_wrong_is_refused(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(72))
    recording.update(73)
    with pytest.raises(InputError, match="was updated at 2026-03-29T01:00:00Z, and now it is 2026-03-28T12:00:00Z"):
        recording.update(60)


def test_answers_of_a_later_time_do_not_count(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    market = recording.world.by_id(recording.set.questions[0].market_id)
    object.__setattr__(market, "closed_at", START + 80 * HOUR)
    recording.watch(healthy(72))
    recording.watch(healthy(100))
    recording.update(90)
    assert not any(outcome.outcome for outcome in recording.set.outcomes.values())
    assert max(last_hours(recording).values()) < START + 72 * HOUR


def test_an_oracle_that_was_not_recorded_is_told(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    question = recording.set.questions[0]
    market = recording.world.by_id(question.market_id)
    object.__setattr__(market, "closed_at", START + 30 * HOUR)
    object.__setattr__(market, "oddity", "no_oracle_status")
    recording.watch(troubled(72, resolutions="down"))
    told = recording.update(73)
    assert told.problems == [
        f"{question.id}: it is closed, and the oracle's word on it is not recorded; its outcome stays open"
    ]
    recording.watch(healthy(96))
    recording.watch(troubled(120, resolutions="empty"))
    told = recording.update(121)
    assert told.problems == [] and told.outcomes["open"] == len(recording.set.questions) - 1


def test_damage_is_told(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(troubled(72, trades="damaged"))
    told = recording.update(73)
    assert all("was changed since it was kept" in line for line in told.problems)
    assert len(told.problems) >= len(recording.set.questions)


def test_a_set_keeps_what_its_record_lost(built: Path, tmp_path: Path) -> None:
    recording = recorded(built, tmp_path)
    recording.watch(healthy(24))
    recording.watch(healthy(72))
    recording.update(73)
    before = prices_of(recording)
    with sqlite3.connect(recording.collection.folder / "answers.sqlite") as file:
        file.execute("DELETE FROM answers WHERE asked > ?", [int((START + 30 * HOUR).timestamp() * 1_000_000)])
    told = recording.update(74)
    assert prices_of(recording) == before and not told.is_new
    assert len(told.problems) == len(recording.set.questions)
    assert all("hours are not in the record any more; they stay as they were" in line for line in told.problems)
