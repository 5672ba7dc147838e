"""A live round from open markets to final scores, on a fictional exchange with a clock that is moved."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import polars as pl
import pytest
from starlette.responses import Response

from cruxbench_inspect import clock
from cruxbench_inspect.markets.build_options import BuildOptions
from cruxbench_inspect.markets.building import build
from cruxbench_inspect.markets.collection import Collection
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.updating import update
from cruxbench_inspect.markets.watching import Recorded, record_once
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import format_utc, parse_utc
from tests.e2e.test_live_scoring import as_made_at
from tests.evaluating import evaluate, rescore, samples_of, score_of
from tests.loopback.polymarket_world import MarketWorld
from tests.markets.polymarket.reaching import Reached, reach
from tests.markets.test_building import News, Silent
from tests.scripted_model import Answer, Call, Script, confirmed, scripted, tool_call

START = parse_utc("2026-03-26T00:00:00Z")
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
LATEST_END = re.compile(r"latest end date: (\d{4}-\d\d-\d\d)")


def proposing(call: Call) -> Answer:
    """A crux that ends a week before its window does, and never comes true."""
    end = LATEST_END.search(call.messages[-1].text)
    assert end is not None
    last = (datetime.fromisoformat(end[1]) - 7 * DAY).date().isoformat()
    crux = {
        "question": f"Will the matter be discussed in parliament by {last}?",
        "background": "It is on nobody's agenda.",
        "resolution_criteria": "Yes if it is discussed, as reported by the courier.",
        "start_date": f"{START:%Y-%m-%d}",
        "end_date": last,
        "rationale": "A discussion would make it likelier.",
        "yes_makes_u": "more likely",
    }
    return json.dumps(crux)


def judging(call: Call) -> Answer:
    """A judge that looks, and says No at the deadline."""
    if call.role == "verifier":
        return tool_call("submit_verification", **confirmed(call))
    if call.turn == 0:
        return tool_call("search", query="something was said about it")
    resolution: dict[str, Any] = {"resolvable": True, "reasoning": "Nothing was reported.", "answer": "No"}
    resolution |= {"rule": "no_deadline", "precision": "deadline", "local_time": None, "zone": None}
    document = call.found[0]
    return tool_call(
        "submit_resolution", **resolution, evidence=[{"document_id": document, "quote": "Something was said about it."}]
    )


class Round:
    """A round in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.set_folder = folder / "round"
        self.world = MarketWorld(seed=3, markets=24, now=START + timedelta(hours=2))
        self.collection = Collection.open(folder / "round-collection", lambda: self.world.now)
        self.reached: Reached = reach(self.collection.folder, self.world)
        self.judge: Script = scripted(judging)

    @property
    def set(self) -> QuestionSet:
        """The set as it is now."""
        return QuestionSet.load(self.set_folder)

    def build(self) -> QuestionSet:
        """Build it from what is open."""
        rules = FunnelRules(shortest_window_days=14)
        options = BuildOptions(name="round", rules=rules, live=START, smallest_volume_usdc=100, articles=3)

        async def run() -> None:
            await build(self.set_folder, options, self.reached.exchange(), News(), self.world.now, Silent())

        anyio.run(run)
        return self.set

    def watch(self, now: datetime) -> Recorded:
        """One pass of the recorder."""
        self.world.now = now

        async def run() -> Recorded:
            return await record_once(self.set, self.collection, self.reached.exchange(), News(), now, Silent())

        return anyio.run(run)

    def update(self, now: datetime) -> QuestionSet:
        """A new version, of what was recorded alone."""
        self.world.now = now

        async def run() -> None:
            await update(self.set, self.reached.exchange(offline=True), now, Silent(), ask=False)

        anyio.run(run)
        return self.set


def assert_recorded_at(hours: list[datetime], moment: datetime) -> None:
    """Hours reach to the last trade that was listed at a moment, or at least to a day before it."""
    assert moment - DAY - 4 * HOUR < max(hours) <= moment - 3 * HOUR


@pytest.fixture(scope="module")
def the_round(tmp_path_factory: pytest.TempPathFactory) -> Round:
    return Round(tmp_path_factory.mktemp("round"))


def test_a_round_from_its_first_command_to_final_scores(the_round: Round, tmp_path: Path) -> None:
    first = the_round.build()
    assert len(first.questions) >= 3
    assert all(question.window.start == START and question.articles for question in first.questions)

    roles = {"resolver": the_round.judge.name, "verifier": the_round.judge.name}
    generator = scripted(proposing)
    evidence = f"archive:{the_round.collection.evidence_archive}"
    the_round.watch(START + timedelta(hours=3))
    made = evaluate(
        the_round.set_folder, generator.name, tmp_path, score=False, model_roles=roles, task_args={"evidence": evidence}
    )
    for question in first.questions:
        market = the_round.world.by_id(question.market_id)
        assert market is not None
        (read,) = [call.text for call in generator.calls if f"<question>\\n{question.question}" in call.text]
        # Nothing that only happens later, or that is only in the market's record, is in what a generator reads.
        known = {f"{moment:%Y-%m-%d}" for moment in (question.closes, question.window.end)}
        assert {f"{market.closed_at:%Y-%m-%d}"} - known == set() or f"{market.closed_at:%Y-%m-%d}" not in read
        assert "Additional context" not in read

    in_time, late = as_made_at(made, START + timedelta(hours=5)), as_made_at(made, START + timedelta(hours=25))

    def reasons(log: Any, now: datetime) -> set[str | None]:
        with clock.at(now):
            scored = rescore(log, questions=str(the_round.set_folder), evidence=evidence)
        return {score_of(sample).reason for sample in samples_of(scored)}

    assert reasons(in_time, START + 2 * DAY) == {"window_open"}
    ends = max(question.window.end for question in first.questions)
    the_round.watch(START + 10 * DAY)
    tenth = the_round.update(START + 12 * DAY)
    # What was recorded counts, up to the moment of the recording and no further.
    assert_recorded_at(tenth.prices["hour"].to_list(), START + 10 * DAY)
    assert reasons(in_time, ends + 2 * DAY) == {"prices_pending"}

    the_round.watch(ends + 2 * DAY)
    second = the_round.update(ends + 2 * DAY + timedelta(hours=7))
    assert [one.version for one in second.manifest.earlier] == ["1", "2"] and second.manifest.version == "3"
    with clock.at(ends + 2 * DAY):
        provisional = rescore(in_time, questions=str(the_round.set_folder), evidence=evidence)
    told = [score_of(sample) for sample in samples_of(provisional)]
    assert {score.reason for score in told} <= {None, "after_settlement"}
    open_ones = [s for s in told if s.metadata and s.metadata.get("provisional")]
    assert open_ones
    assert all(score.metadata and score.metadata["scored_with"].startswith("3 ") for score in told)
    asked = the_round.judge.count("resolver", "verifier")
    assert asked

    final_day = ends + 7 * DAY
    the_round.watch(final_day)
    the_round.update(final_day + DAY)
    with clock.at(final_day):
        final = rescore(provisional, questions=str(the_round.set_folder), evidence=evidence)
        too_late = rescore(late, questions=str(the_round.set_folder), evidence=evidence)
    assert not any(s.metadata and s.metadata.get("provisional") for s in map(score_of, samples_of(final)))
    assert the_round.judge.count("resolver", "verifier") == asked
    assert {score_of(sample).reason for sample in samples_of(too_late)} == {"late_crux"}

    last = the_round.set
    for question in last.questions:
        market = the_round.world.by_id(question.market_id)
        assert market is not None
        closed = the_round.world.is_closed(market)
        assert last.outcome(question.id).outcome == (market.ending if closed else None)
    assert (the_round.set_folder / "questions.jsonl").read_bytes()
    assert last.manifest.files["questions.jsonl"] == first.manifest.files["questions.jsonl"]


def test_the_recorder_tells_of_changed_rules_and_of_markets_that_are_gone(tmp_path: Path) -> None:
    live = Round(tmp_path)
    question = live.build().questions[0]
    market = live.world.by_id(question.market_id)
    assert market is not None
    quiet = live.watch(START + timedelta(hours=3))
    assert (quiet.changed_rules, quiet.stale, quiet.problems) == ([], [], [])
    object.__setattr__(market, "rules", f"Additional context ({format_utc(START)[:10]}): it counts.\n\n{market.rules}")
    another, third = (live.world.by_id(one.market_id) for one in live.set.questions[1:3])
    object.__setattr__(another, "question", "Will something quite different happen?")
    object.__setattr__(third, "oddity", "up_down")
    changed = live.watch(START + DAY)
    assert changed.changed_rules == sorted([question.id, live.set.questions[1].id])
    assert [line.split(": ")[0] for line in changed.problems] == [live.set.questions[2].id]
    assert "cannot be read any more" in changed.problems[0] and not changed.stale
    object.__setattr__(market, "opened", START + 900 * DAY)
    gone = live.watch(START + 2 * DAY)
    assert gone.stale == [question.id]
    # What was recorded of it stays what the set is made of.
    later = live.update(START + 3 * DAY)
    hours = later.prices.filter(pl.col("question_id") == question.id, pl.col("price").is_not_null())["hour"].to_list()
    assert START + 10 * HOUR < max(hours) < START + DAY


def test_a_market_closes_while_the_oracle_cannot_be_asked(tmp_path: Path) -> None:
    live = Round(tmp_path)
    question = live.build().questions[0]
    market = live.world.by_id(question.market_id)
    assert market is not None
    live.watch(START + DAY)
    # Its record does not prove the outcome, so that the oracle has to be asked.
    object.__setattr__(market, "oddity", "no_oracle_status")
    object.__setattr__(market, "closed_at", START + 30 * HOUR)
    live.reached.app.instead = lambda request: Response("", 503) if "resolutions" in request.url.path else None
    closed = live.watch(START + 2 * DAY)
    assert [line.split(": ")[0] for line in closed.problems] == [question.id]
    later = live.update(START + 3 * DAY)
    assert later.outcome(question.id).outcome is None and later.outcome(question.id).resolved_at is None
    hours = later.prices.filter(pl.col("question_id") == question.id, pl.col("price").is_not_null())["hour"].to_list()
    # All that is not the oracle's was answered, up to the close.
    assert max(hours) == START + 29 * HOUR
    live.reached.app.instead = lambda request: None
    live.watch(START + 4 * DAY)
    known = live.update(START + 4 * DAY).outcome(question.id)
    assert (known.outcome, known.resolved_at) == (market.ending, market.closed_at)
