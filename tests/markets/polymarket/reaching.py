"""Reaching a fictional exchange without a connection."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from cruxbench_inspect.markets.answers import AnswerStore
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from tests.loopback.polymarket import Exchange, exchange
from tests.loopback.polymarket_faults import Faults
from tests.loopback.polymarket_world import MarketWorld, WorldMarket

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@dataclass
class Reached:
    """An exchange, and what asks it.

    Attributes:
        world: What is true.
        app: What answers.
        store: Where answers are kept.
        waits: Seconds that were waited.
    """

    world: MarketWorld
    app: Exchange
    store: AnswerStore
    waits: list[float] = field(default_factory=list)

    def exchange(self, **more: Any) -> Polymarket:
        """What asks, with nothing counted yet."""

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        return Polymarket.of_environment(
            self.store,
            lambda: self.world.now,
            environment={
                "CRUXBENCH_GAMMA_URL": "http://exchange/gamma",
                "CRUXBENCH_POLYMARKET_DATA_URL": "http://exchange/data",
                "CRUXBENCH_CLOB_URL": "http://exchange/clob",
            },
            transport=httpx.ASGITransport(self.app),
            sleep=sleep,
            **more,
        )

    def some(self, oddity: str = "none", **wanted: Any) -> WorldMarket:
        """The first market of a kind that is closed, or as it is wanted; an ordinary one is lively."""
        closed = wanted.pop("closed", True)
        return next(
            market
            for market in self.world.all
            if market.oddity == oddity
            and self.world.is_there(market)
            and self.world.is_closed(market) == closed
            and (oddity != "none" or market.activity > 0.3)
            and all(getattr(market, name) == value for name, value in wanted.items())
        )

    def asked(self, path: str) -> list[dict[str, str]]:
        """The fields of all requests to a path so far."""
        return [dict(fields) for asked, fields in self.app.requests if asked == path]


def reach(folder: Path, world: MarketWorld | None = None, faults: Faults | None = None) -> Reached:
    """An exchange whose answers are kept in a folder."""
    world = world or MarketWorld()
    return Reached(world, exchange(world, faults), AnswerStore(folder / "answers.sqlite"))
