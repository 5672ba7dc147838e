"""Recording a live round, pass by pass, while a fictional exchange has its troubles."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import anyio
import polars as pl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cruxbench_inspect.markets.build_options import BuildOptions
from cruxbench_inspect.markets.building import build
from cruxbench_inspect.markets.collection import Collection
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.updating import Updated, update
from cruxbench_inspect.markets.watching import record_once
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import floor_hour, parse_utc
from tests.loopback.polymarket_world import MarketWorld
from tests.markets.polymarket.reaching import HOUR, Reached, reach
from tests.markets.test_building import Silent

START = parse_utc("2026-03-26T00:00:00Z")
MARKETS = 24
Trouble = Literal["none", "down", "empty", "behind", "cut", "damaged"]
TROUBLES: tuple[Trouble, ...] = ("none", "down", "empty", "behind", "cut", "damaged")
SERVICES = ("prices", "trades", "markets", "resolutions")
EMPTY = {"data": [], "markets": [], "history": [], "pagination": {"has_more": False, "next_cursor": None}}


@dataclass(frozen=True)
class Pass:
    """One pass of the recorder, and what is wrong with each service meanwhile."""

    hours: int
    troubles: tuple[Trouble, Trouble, Trouble, Trouble]
    lag: int


class Recording:
    """A round that is recorded in a folder of its own."""

    def __init__(self, folder: Path, built: Path, world: MarketWorld) -> None:
        shutil.copytree(built, folder)
        self.set_folder = folder / "round"
        self.world = world
        self.collection = Collection.open(folder / "round-collection", lambda: world.now)
        self.reached: Reached = reach(self.collection.folder, world)

    @property
    def set(self) -> QuestionSet:
        """The set as it is now."""
        return QuestionSet.load(self.set_folder)

    def watch(self, one: Pass) -> None:
        """Make a pass."""
        now = self.world.now = START + one.hours * HOUR
        troubles = dict(zip(SERVICES, one.troubles, strict=True))
        self.reached.app.instead = self._answer(troubles, one.lag)
        anyio.run(record_once, self.set, self.collection, self.reached.exchange(), None, now, Silent())
        self.reached.app.instead = lambda request: None
        for service, trouble in troubles.items():
            if trouble == "damaged":
                self._damage(now, service)

    def update(self, hours: float, *, ask: bool = False) -> Updated:
        """Make a new version of what was recorded, or of what is answered now as well."""
        now = self.world.now = START + hours * HOUR
        exchange = self.reached.exchange(offline=not ask)

        async def run() -> Updated:
            return await update(self.set, exchange, now, Silent(), ask=ask)

        return anyio.run(run)

    def rows(self, question_id: str | None = None) -> pl.DataFrame:
        """The hours with a price."""
        rows = self.set.prices.filter(pl.col("price").is_not_null())
        return rows if question_id is None else rows.filter(pl.col("question_id") == question_id)

    def _answer(self, troubles: dict[str, Trouble], lag: int) -> Callable[[Request], Response | None]:
        def instead(request: Request) -> Response | None:
            trouble = next(trouble for service, trouble in troubles.items() if service in request.url.path)
            if trouble == "down" or (trouble == "cut" and "cursor" in request.query_params):
                return Response("", 503)
            if trouble == "empty":
                return JSONResponse(EMPTY)
            if trouble == "behind" and request.url.path.startswith("/data/v2"):
                now, self.world.now = self.world.now, self.world.now - lag * HOUR
                try:
                    answers = {"prices-history": self.reached.app._history, "trades": self.reached.app._trades}
                    answer = answers.get(request.url.path.split("/")[-1])
                    return None if answer is None else answer(request)
                finally:
                    self.world.now = now
            return None

        return instead

    def _damage(self, asked: datetime, service: str) -> None:
        """Change what was kept of a pass and a service."""
        with sqlite3.connect(self.collection.folder / "answers.sqlite") as file:
            file.execute(
                "UPDATE answers SET sha256 = ? WHERE asked = ? AND request LIKE ?",
                ["0" * 64, int(asked.timestamp() * 1_000_000), f"%{service}%"],
            )


def build_round(folder: Path) -> None:
    """Build a live round into a folder."""
    world = a_world()
    collection = Collection.open(folder / "round-collection", lambda: world.now)
    reached = reach(collection.folder, world)
    options = BuildOptions(
        name="round", rules=FunnelRules(shortest_window_days=14), live=START, smallest_volume_usdc=100, articles=0
    )

    async def run() -> None:
        await build(folder / "round", options, reached.exchange(), None, world.now, Silent())

    anyio.run(run)
    reached.store.close()


def a_world() -> MarketWorld:
    """The exchange when the round is built."""
    return MarketWorld(seed=3, markets=MARKETS, bulk=3, now=START + 2 * HOUR)


def healthy(hours: int) -> Pass:
    """A pass without troubles."""
    return Pass(hours, ("none", "none", "none", "none"), 0)


def troubled(hours: int, lag: int = 10, **troubles: Trouble) -> Pass:
    """A pass with troubles by service."""
    prices, traded, markets, resolutions = (troubles.get(service, "none") for service in SERVICES)
    return Pass(hours, (prices, traded, markets, resolutions), lag)


def recorded(built: Path, folder: Path) -> Recording:
    return Recording(folder / "recorded", built, a_world())


def prices_of(recording: Recording) -> list[tuple[object, ...]]:
    return recording.rows().select("question_id", "hour", "price").rows()


def last_hours(recording: Recording) -> dict[str, datetime]:
    rows = recording.rows().group_by("question_id").agg(pl.col("hour").max())
    return dict(rows.iter_rows())


def assert_no_more(disturbed: Recording, quiet: Recording) -> None:
    known, truth = disturbed.rows(), quiet.rows()
    both = known.join(truth, on=["question_id", "hour"], how="left", suffix="_true")
    assert both["price_true"].null_count() == 0
    assert both["price"].equals(both["price_true"]), both.filter(pl.col("price") != pl.col("price_true"))
    # Twins that the border of two pages splits count once, and the pages of two passes have other borders.
    plain = both.filter(~pl.struct("question_id", "hour").is_in(hours_with_twins(quiet)))
    assert plain.height > 0.9 * both.height
    assert plain["volume_usdc"].equals(plain["volume_usdc_true"])
    for id, outcome in disturbed.set.outcomes.items():
        assert outcome.outcome in (None, quiet.set.outcome(id).outcome)


def hours_with_twins(recording: Recording) -> list[dict[str, object]]:
    found = []
    for question in recording.set.questions:
        market = recording.world.by_id(question.market_id)
        assert market is not None
        moments = (datetime.fromtimestamp(trade.second, UTC) for trade in market.trades if trade.twin)
        found += [{"question_id": question.id, "hour": floor_hour(moment)} for moment in moments]
    return found
