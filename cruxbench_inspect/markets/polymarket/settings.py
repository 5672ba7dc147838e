"""Where the exchange's services are, how they are asked, and what asks them."""

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

import anyio
import httpx
from pydantic import HttpUrl

from cruxbench_inspect.evidence.http.client import Pace, ServiceClient
from cruxbench_inspect.evidence.settings import ServiceAddresses
from cruxbench_inspect.markets.answers import AnswerStore
from cruxbench_inspect.markets.asking import Asker

GAMMA = "https://gamma-api.polymarket.com"
"""The listing of markets."""
DATA = "https://data-api.polymarket.com"
"""Prices, trades and resolutions."""
CLOB = "https://clob.polymarket.com"
"""The order book; its prices are the second choice."""

PACES: Mapping[str, Pace] = {
    # 300 listings in 10 seconds are allowed, and more of the others; what is too much is queued rather than refused.
    GAMMA: Pace(connections=4, interval=0.05, attempts=6),
    DATA: Pace(connections=8, interval=0.025, attempts=6),
    CLOB: Pace(connections=8, interval=0.025, attempts=6),
}
"""How each service is asked at its own address."""

_TIMEOUT = 60.0
_MAX_BYTES = 50_000_000
_MIRROR_WAIT = 0.05


class PolymarketAddresses(ServiceAddresses):
    """The addresses of all services with those of the exchange, each set by ``CRUXBENCH_<FIELD>`` in capitals."""

    gamma_url: HttpUrl = HttpUrl(GAMMA)
    polymarket_data_url: HttpUrl = HttpUrl(DATA)
    clob_url: HttpUrl = HttpUrl(CLOB)


@dataclass(frozen=True)
class Polymarket:
    """What asks the exchange's services.

    Attributes:
        gamma: Asks for listings.
        data: Asks for prices, trades and resolutions.
        clob: Asks the book for prices.
    """

    gamma: Asker
    data: Asker
    clob: Asker

    @classmethod
    def of_environment(
        cls,
        store: AnswerStore,
        clock: Callable[[], datetime],
        since: datetime | None = None,
        *,
        offline: bool = False,
        environment: Mapping[str, str] = os.environ,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> "Polymarket":
        """The exchange at the addresses of the environment.

        Args:
            store: Where answers are kept.
            clock: The present, an aware datetime.
            since: Kept answers asked before this moment don't count.
            offline: Whether only kept answers may be used.
            environment: Variables.
            transport: What carries requests, for tests.
            sleep: How to wait, for tests.

        Raises:
            InputProblems: If an address is none.
        """
        addresses = cast(PolymarketAddresses, PolymarketAddresses.of_environment(environment))

        def asker(name: str, own: str, base_url: HttpUrl) -> Asker:
            pace = PACES[own].at(str(base_url), own)
            if not pace.interval:
                pace = replace(pace, wait=_MIRROR_WAIT)
            client = ServiceClient(
                f"polymarket-{name}",
                str(base_url),
                pace,
                timeout=_TIMEOUT,
                max_bytes=_MAX_BYTES,
                transport=transport,
                sleep=sleep,
            )
            return Asker(client, store, clock, since, offline)

        return cls(
            asker("gamma", GAMMA, addresses.gamma_url),
            asker("data", DATA, addresses.polymarket_data_url),
            asker("clob", CLOB, addresses.clob_url),
        )

    @property
    def askers(self) -> tuple[Asker, Asker, Asker]:
        """All three, for counts."""
        return self.gamma, self.data, self.clob

    @property
    def damaged(self) -> list[str]:
        """What all three have found damaged in the store of answers so far, one line each."""
        return [line for asker in self.askers for line in asker.damaged]
