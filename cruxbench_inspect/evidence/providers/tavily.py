"""Tavily's news search through its SDK, to find pages only: their text comes from an archive of pages."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx
from pydantic import BaseModel, ConfigDict

from cruxbench_inspect import clock
from cruxbench_inspect.evidence.admitted_hits import admitted_hits
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import MARKETS
from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.joined import together
from cruxbench_inspect.evidence.page_archive import PageArchive
from cruxbench_inspect.evidence.providers.best_passage import best_passage
from cruxbench_inspect.evidence.providers.credentials import required_key
from cruxbench_inspect.evidence.providers.optional_package import optional_package, release_line
from cruxbench_inspect.evidence.providers.provider_transport import ProviderTransport
from cruxbench_inspect.evidence.providers.sdk_answers import answer_is_read
from cruxbench_inspect.evidence.providers.stated_date import stated_date
from cruxbench_inspect.evidence.source import FailureKind, Hit, PartFailure, SearchOutcome, SourceFailure

TAVILY = "https://api.tavily.com"
"""Where Tavily is."""

LOOKBACK = timedelta(days=45)
"""How far before the cutoff is searched: an evaluation window of 30 days, and some days before it."""

_MOST = 20
_DAY = timedelta(days=1)


def tavily(
    pages: PageArchive, base_url: str | None = None, environment: Mapping[str, str] = os.environ
) -> "TavilySource":
    """The source, with the key in ``TAVILY_API_KEY``.

    Args:
        pages: Has the text of the pages that are found.
        base_url: Its address, None for its own. At any other, requests are made without pauses.
        environment: Has the key.

    Raises:
        InputError: If the key or the SDK is missing.
    """
    key = required_key("tavily", "TAVILY_API_KEY", environment)
    pace = Pace(connections=4, interval=0.6) if base_url is None else Pace()  # 100 requests a minute are allowed
    return TavilySource(key, tavily_transport(key, pace), pages, base_url)


def tavily_transport(key: str, pace: Pace, **settings: Any) -> ProviderTransport:
    """What carries the requests to Tavily.

    Args:
        key: It is kept out of failures.
        pace: How Tavily wants to be asked.
        **settings: Other settings of ``ProviderTransport``.
    """
    return ProviderTransport("tavily", pace=pace, secrets=(key,), kind_of=_kind_of, **settings)


class TavilySource:
    """Finds pages by the dates that they claim (class C), and reads them as an archive stored them (class A).

    Nothing of what Tavily tells is shown, since it is of today: no answer, no excerpt, no title, and no address before
    a copy from before the cutoff proves that the page was there. So each search asks the archive for what it found.
    """

    name = "tavily"

    def __init__(
        self,
        key: str,
        transport: ProviderTransport,
        pages: PageArchive,
        base_url: str | None = None,
        *,
        lookback: timedelta = LOOKBACK,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        """Put the source together.

        Args:
            key: The API key.
            transport: What carries the requests.
            pages: Has the text of pages.
            base_url: Its address, None for its own.
            lookback: How far before the cutoff is searched.
            now: The time.

        Raises:
            InputError: If the SDK is missing.
        """
        with optional_package(self.name):
            from tavily import AsyncTavilyClient  # type: ignore[import-untyped]
        self._sdk: Callable[..., Any] = AsyncTavilyClient
        self._key = key
        self._transport = transport
        self._pages = pages
        self._base_url = (base_url or TAVILY).rstrip("/")
        self._lookback = lookback
        self._now = now
        where = "" if base_url is None else f"@{base_url}"
        self.fingerprint = f"tavily-2{where}:sdk {release_line('tavily-python')}:news:basic:{lookback.days}d"

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Search news of the days before a moment; those of its own day are left out, as only dates can be asked for.

        Raises:
            SourceFailure: If Tavily could not answer.
        """
        end = min(before, self._now()).astimezone(UTC)
        with answer_is_read(self.name):
            async with httpx.AsyncClient(
                transport=self._transport, base_url=self._base_url, timeout=self._transport.timeout
            ) as client:
                answer = await self._sdk(self._key, client=client).search(
                    query,
                    topic="news",
                    search_depth="basic",
                    start_date=(end - self._lookback).date().isoformat(),
                    end_date=(end - _DAY).date().isoformat(),
                    max_results=_MOST,
                    exclude_domains=sorted(MARKETS),
                    include_answer=False,
                    include_raw_content=False,
                    auto_parameters=False,
                )
            found = admitted_hits([_hit(result) for result in _Answer.model_validate(answer).results], before, limit)
        stored, failures = await self._stored([hit.document.url for hit in found.hits], before)
        if failures and not stored:
            raise together(self.name, failures)
        proven = admitted_hits(
            [Hit(document=document, snippet=best_passage(query, document.text)) for document in stored], before, limit
        )
        return SearchOutcome(
            hits=proven.hits,
            rejected=Counter(found.rejected) + Counter(proven.rejected),
            failures=tuple(PartFailure.of(failure) for failure in failures),
        )

    async def _stored(self, urls: Sequence[str], before: datetime) -> tuple[list[Document], list[SourceFailure]]:
        """The copies of pages, in their order; pages without one are left out."""
        copies: dict[int, Document] = {}
        failures: list[SourceFailure] = []

        async def get(index: int) -> None:
            try:
                copy = await self._pages.page(urls[index], before)
            except SourceFailure as failure:
                failures.append(failure)
            else:
                if copy is not None:
                    copies[index] = copy

        async with anyio.create_task_group() as group:
            for index in range(len(urls)):
                group.start_soon(get, index)
        return [copies[index] for index in sorted(copies)], failures

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """A document that this source found, which has its text already; a lead of class C as the archive stored it.

        Raises:
            SourceFailure: If the archive could not answer.
        """
        if document.text:
            return document
        return await self._pages.page(document.url, before) if document.proof == "C" else None


class _Result(BaseModel):
    """A result, as far as it is of use."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: str
    published_date: str | None = None


class _Answer(BaseModel):
    """An answer. It repeats the query; the SDK makes an empty list of results of any other object."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: str
    results: tuple[_Result, ...]


def _hit(result: _Result) -> Hit:
    """What the date rules are asked about; nobody is shown it."""
    host = (urlsplit(result.url).hostname or "").removeprefix("www.")
    stated = {"url": result.url, "title": "", "source": host, "published": stated_date(result.published_date)}
    return Hit(document=Document.model_validate({**stated, "text": "", "proof": "C"}), snippet="")


def _kind_of(status: int, body: Any) -> FailureKind | None:
    return "quota" if status in {432, 433} else None
