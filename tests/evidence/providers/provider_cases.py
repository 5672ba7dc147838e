"""The three providers side by side: each with its server, and a source that asks it without ever sleeping."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

import anyio
from starlette.types import ASGIApp

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.providers.asknews import AskNewsAccount, AskNewsSource, asknews_transport
from cruxbench_inspect.evidence.providers.exa import ExaSource, exa_transport
from cruxbench_inspect.evidence.providers.tavily import TavilySource, tavily_transport
from cruxbench_inspect.evidence.source import EvidenceSource, SearchOutcome
from cruxbench_inspect.utc import format_utc
from tests.loopback import asknews, exa, tavily
from tests.loopback.faults import Fault

NOW = datetime(2026, 3, 1, tzinfo=UTC)
BEFORE = datetime(2026, 1, 31, 12, tzinfo=UTC)


class Server(Protocol):
    """What the servers have in common."""

    @property
    def app(self) -> ASGIApp:
        """To be served."""

    @property
    def faults(self) -> deque[Fault]:
        """What the next searches are answered instead."""

    @property
    def requests(self) -> Sequence[object]:
        """What was asked."""


@dataclass
class StoredPagesOfTests:
    """An archive of pages, by address; without any of a test's own it has a copy of whatever page.

    Attributes:
        pages: The copies.
        asked: What was asked for.
    """

    pages: dict[str, Document] | None = None
    asked: list[tuple[str, datetime]] = field(default_factory=list)

    async def page(self, url: str, before: datetime) -> Document | None:
        """The page that a test put there, or a copy of a week before the moment."""
        self.asked.append((url, before))
        if self.pages is not None:
            return self.pages.get(url)
        captured = format_utc(before - timedelta(days=7))
        stated = {"url": url, "title": "A copy", "source": "n.example", "published": None, "captured": captured}
        return Document.model_validate({**stated, "text": "A strike began, says the copy.", "proof": "A"})


@dataclass
class Waits:
    """Stands in for time: who sleeps moves the clock."""

    seconds: list[float] = field(default_factory=list)
    now: float = 1000.0

    async def sleep(self, seconds: float) -> None:
        """Note a wait, and let others run."""
        self.seconds.append(seconds)
        self.now += seconds
        await anyio.lowlevel.checkpoint()

    def settings(self, **more: Any) -> dict[str, Any]:
        """Settings of a transport."""
        return {"sleep": self.sleep, "clock": lambda: self.now, **more}


def asknews_source(base_url: str, waits: Waits, interval: float = 0.0, **settings: Any) -> AskNewsSource:
    account = AskNewsAccount(api_key=settings.pop("key", asknews.API_KEY))
    return AskNewsSource(
        account, asknews_transport(account, interval, **waits.settings(**settings)), base_url, now=lambda: NOW
    )


def exa_source(base_url: str, waits: Waits, **settings: Any) -> ExaSource:
    key = settings.pop("key", exa.API_KEY)
    return ExaSource(key, exa_transport(key, Pace(), **waits.settings(**settings)), base_url, now=lambda: NOW)


def tavily_source(
    base_url: str, waits: Waits, pages: StoredPagesOfTests | None = None, **settings: Any
) -> TavilySource:
    key = settings.pop("key", tavily.API_KEY)
    transport = tavily_transport(key, Pace(), **waits.settings(**settings))
    return TavilySource(key, transport, pages or StoredPagesOfTests(), base_url, now=lambda: NOW)


def asknews_server() -> asknews.AskNewsServer:
    return asknews.AskNewsServer(
        [asknews.Article("https://n.example/a", datetime(2026, 1, 20, tzinfo=UTC), datetime(2026, 1, 19, tzinfo=UTC))]
    )


def exa_server() -> exa.ExaServer:
    return exa.ExaServer([exa.Version("https://n.example/a", "2026-01-20T00:00:00.000Z", "A strike began.")])


def tavily_server() -> tavily.TavilyServer:
    return tavily.TavilyServer(
        [tavily.Page("https://n.example/a-strike-began", "Tue, 20 Jan 2026 09:30:00 GMT", date(2026, 1, 20))]
    )


@dataclass(frozen=True)
class Provider:
    """One provider.

    Attributes:
        name: The source's name.
        server: Makes a server that has one document from before the cutoff.
        source: Makes a source that asks at an address.
        key: The key that the server knows.
    """

    name: str
    server: Callable[[], Server]
    source: Callable[..., EvidenceSource]
    key: str


PROVIDERS = [
    Provider("asknews", asknews_server, asknews_source, asknews.API_KEY),
    Provider("exa", exa_server, exa_source, exa.API_KEY),
    Provider("tavily", tavily_server, tavily_source, tavily.API_KEY),
]


def found(source: EvidenceSource, before: datetime = BEFORE, query: str = "strike", limit: int = 8) -> SearchOutcome:
    """What a source finds, asked from an event loop of its own."""
    return anyio.run(source.search, query, before, limit)


def fetched(source: EvidenceSource, document: Document, before: datetime = BEFORE) -> Document | None:
    """What a source fetches, asked from an event loop of its own."""
    return anyio.run(source.fetch, document, before)
