"""Exa's snapshots: pages as Exa had stored them by a moment, through its SDK."""

import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ConfigDict

from cruxbench_inspect import clock
from cruxbench_inspect.evidence.admitted_hits import admitted_hits
from cruxbench_inspect.evidence.dated_moment import DatedMoment
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import MARKETS
from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.providers.best_passage import best_passage
from cruxbench_inspect.evidence.providers.credentials import required_key
from cruxbench_inspect.evidence.providers.optional_package import optional_package, release_line
from cruxbench_inspect.evidence.providers.provider_transport import ProviderTransport
from cruxbench_inspect.evidence.providers.sdk_answers import answer_is_read
from cruxbench_inspect.evidence.providers.stated_date import stated_date
from cruxbench_inspect.evidence.source import FailureKind, Hit, SearchOutcome, SourceFailure
from cruxbench_inspect.utc import format_utc

if TYPE_CHECKING:
    from exa_py.api import Result, SearchResponse

EXA = "https://api.exa.ai"
"""Where Exa is."""

REACH = timedelta(days=150)
"""Snapshots go back five months from today, which are never fewer days."""

MAX_CHARACTERS = 20_000
"""Characters of a page's text that are asked for."""

_USED_UP = {"NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED"}


def exa(base_url: str | None = None, environment: Mapping[str, str] = os.environ) -> "ExaSource":
    """The source, with the key in ``EXA_API_KEY``.

    Args:
        base_url: Its address, None for its own. At any other, requests are made without pauses.
        environment: Has the key.

    Raises:
        InputError: If the key or the SDK is missing.
    """
    key = required_key("exa", "EXA_API_KEY", environment)
    pace = Pace(connections=4, interval=0.1) if base_url is None else Pace()  # 10 requests a second are allowed
    return ExaSource(key, exa_transport(key, pace), base_url)


def exa_transport(key: str, pace: Pace, **settings: Any) -> ProviderTransport:
    """What carries the requests to Exa.

    Args:
        key: It is kept out of failures.
        pace: How Exa wants to be asked.
        **settings: Other settings of ``ProviderTransport``.
    """
    return ProviderTransport("exa", pace=pace, secrets=(key,), kind_of=_kind_of, **settings)


class ExaSource:
    """Searches pages of which Exa had stored a version by the cutoff, and shows that version.

    Which pages it finds, and their order, follow from its index of today. A result that does not tell when its version
    was stored proves nothing and is dropped. Every request asks for a snapshot, which Exa serves from what it has
    stored; no other is made, since it could be answered with a page of today.
    """

    name = "exa"

    def __init__(
        self,
        key: str,
        transport: ProviderTransport,
        base_url: str | None = None,
        *,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        """Put the source together.

        Args:
            key: The API key.
            transport: What carries the requests.
            base_url: Its address, None for its own.
            now: The time.

        Raises:
            InputError: If the SDK is missing.
        """
        with optional_package(self.name):
            from exa_py import AsyncExa
        self._sdk = AsyncExa
        self._key = key
        self._transport = transport
        self._base_url = (base_url or EXA).rstrip("/")
        self._now = now
        where = "" if base_url is None else f"@{base_url}"
        self.fingerprint = f"exa-1{where}:sdk {release_line('exa-py')}:snapshot:auto:{MAX_CHARACTERS}"

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Search the versions that were stored before a moment.

        Raises:
            SourceFailure: If Exa could not answer, or does not reach back so far: ``bad_answer``, since it would only
                find nothing.
        """
        now = self._now()
        if before <= now - REACH:
            raise SourceFailure(
                self.name,
                "bad_answer",
                f"its snapshots go back to {format_utc(now - REACH)[:10]}, the cutoff is {format_utc(before)}",
            )
        as_of = (min(before, now) - timedelta(seconds=1)).replace(microsecond=0)
        with answer_is_read(self.name):
            response = await self._ask(query, as_of, limit)
            hits = [_hit(query, result) for result in response.results]
        _check_snapshots(response, hits)
        return admitted_hits(hits, before, limit)

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The document as it is, with the text of its version. None for one without any text."""
        return document if document.text else None

    async def _ask(self, query: str, as_of: datetime, limit: int) -> "SearchResponse[Result]":
        client = self._sdk(self._key, self._base_url)
        # The SDK takes no HTTP client, but keeps the one that is there, and closes it.
        client._client = httpx.AsyncClient(transport=self._transport, timeout=self._transport.timeout)
        async with client:
            return await client.search(
                query,
                type="auto",
                num_results=limit,
                exclude_domains=sorted(MARKETS),
                # No max_age_hours: Exa refuses it beside snapshot_as_of, which rules out pages of today by itself.
                contents={"text": {"max_characters": MAX_CHARACTERS}, "snapshot_as_of": format_utc(as_of)},
            )


class _Result(BaseModel):
    """A result. The SDK takes any types."""

    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)

    url: str
    title: str | None
    text: str | None
    published_date: str | None
    snapshot_at: str | None


def _hit(query: str, result: object) -> Hit:
    read = _Result.model_validate(result)
    text = read.text or ""
    document = Document.model_validate(
        {
            "url": read.url,
            "title": read.title or "",
            "source": urlsplit(read.url).hostname or "",
            "published": stated_date(read.published_date),
            "captured": _moment(read.snapshot_at),
            "text": text,
            "proof": "A",
            "excerpt": len(text) >= MAX_CHARACTERS,
        }
    )
    return Hit(document=document, snippet=best_passage(query, text))


def _moment(text: str | None) -> DatedMoment | None:
    try:
        return DatedMoment.parse(text or "")
    except ValueError:
        return None


def _check_snapshots(response: "SearchResponse[Result]", hits: list[Hit]) -> None:
    """Fail where Exa did not serve a snapshot: that it then showed nothing would be no sign that nothing was there."""
    for warning in response.warnings or ():
        if "snapshot" in f"{warning.path} {warning.message}".lower():
            raise SourceFailure("exa", "bad_answer", f"it warns about the snapshot: {warning.code}")
    if hits and not any(hit.document.captured for hit in hits):
        raise SourceFailure("exa", "bad_answer", f"none of {len(hits)} results tells when its version was stored")


def _kind_of(status: int, body: Any) -> FailureKind | None:
    return "quota" if isinstance(body, dict) and body.get("tag") in _USED_UP else None
