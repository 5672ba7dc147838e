"""GDELT's DOC 2.0 index of world news: pages by words and dates, without their text and without a key.

How far back it really answers, and how it takes long queries, only a live run can show.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from cruxbench_inspect.evidence.clean_text import CleanLine, clean_line
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import Answer, Pace, ServiceClient
from cruxbench_inspect.evidence.query import telling_terms
from cruxbench_inspect.evidence.source import SourceFailure

GDELT = "https://api.gdeltproject.org"
"""Where the index is."""

PACE = Pace(connections=1, interval=5.0, wait=5.0, limited_wait=10.0)
"""One request in five seconds is what the index allows."""

REACH = timedelta(days=90)
"""The last three months are what the index promises to search."""

_PATH = "/api/v2/doc/doc"
_MOST = 250  # articles in one answer
_WORDS = 6  # that an article has to have all
_ANY_WORDS = 8
_SHORTEST_WORD = 3  # a shorter one makes the whole request fail
_SEEN = "%Y%m%dT%H%M%SZ"
_ASKED = "%Y%m%d%H%M%S"


def gdelt_doc(base_url: str = GDELT, transport: httpx.AsyncBaseTransport | None = None) -> "GdeltDoc":
    """A client of the index.

    Args:
        base_url: Its address. At any other than its own, requests are made without pauses.
        transport: What carries the requests; by default real connections.
    """
    return GdeltDoc(ServiceClient("gdelt", base_url, pace=PACE.at(base_url, GDELT), transport=transport))


class GdeltDoc:
    """Asks the index."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    def reaches(self, before: datetime, now: datetime) -> bool:
        """Whether the index promises to know the time right before a moment."""
        return before > now - REACH

    async def search(self, query: str, start: datetime, before: datetime, limit: int) -> list[Document]:
        """News pages that were first seen in a stretch of time.

        All telling words are asked for; where that finds fewer than the limit, any of them.

        Args:
            query: Plain words.
            start: The beginning of the stretch, inclusive.
            before: Its end, exclusive.
            limit: How many pages at most.

        Returns:
            Documents of class B, dated by when the index saw them, without text. The title is as it was then. An
            index that answers with later pages than it was asked for does not get them dropped here: the guard counts
            them.

        Raises:
            SourceFailure: If the index could not answer.
        """
        words = [word for word in _words(query) if len(word) >= _SHORTEST_WORD]
        if not words:
            return []
        found = await self._ask(" ".join(words[:_WORDS]), start, before)
        if len(found) < limit and len(words) > 1:
            found += await self._ask(f"({' OR '.join(words[:_ANY_WORDS])})", start, before)
        return _distinct(found)[:limit]

    async def _ask(self, query: str, start: datetime, before: datetime) -> list[Document]:
        params: dict[str, str | int] = {
            "query": query,
            "mode": "artlist",
            "format": "json",
            "startdatetime": start.astimezone(UTC).strftime(_ASKED),
            "enddatetime": (before.astimezone(UTC) - timedelta(seconds=1)).strftime(_ASKED),
            "maxrecords": _MOST,
            "sort": "hybridrel",
        }
        answer = await self._client.get(_PATH, params)
        return [document for row in _rows(answer) if (document := _document(row)) is not None]


class _Row(BaseModel):
    """An article of an answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: CleanLine
    title: CleanLine = ""
    seendate: str
    domain: CleanLine = ""


def _words(query: str) -> list[str]:
    """Words in which nothing is an operator: a dash excludes, a colon names a field."""
    parts = (part for term in telling_terms(query) for part in re.split(r"[^\w]+|_", term))
    return list(dict.fromkeys(part for part in parts if part))


def _rows(answer: Answer) -> Sequence[Any]:
    if not answer.content.strip():
        return []
    text = answer.content[:400].decode("utf-8", "replace")
    # Errors come as plain text with status 200.
    if "limit requests" in text.lower():
        raise SourceFailure("gdelt", "rate_limit", clean_line(text)[:200])
    content = answer.json("gdelt")
    articles = content.get("articles", []) if isinstance(content, dict) else None
    if not isinstance(articles, list):
        raise SourceFailure("gdelt", "bad_answer", f"no list of articles but {clean_line(text)[:120]!r}")
    return articles


def _document(row: Any) -> Document | None:
    """The article as a document; None where it has no address or no date that can be read."""
    try:
        read = _Row.model_validate(row)
        seen = datetime.strptime(read.seendate, _SEEN).replace(tzinfo=UTC)
        return Document.model_validate(
            {
                "url": read.url,
                "title": read.title,
                "source": read.domain,
                "published": seen.isoformat(),
                "text": "",
                "proof": "B",
            }
        )
    except (ValidationError, ValueError):
        return None


def _distinct(documents: Sequence[Document]) -> list[Document]:
    """One of those that have the same address, or the same title on the same day: agencies are on many hosts."""
    kept: dict[object, Document] = {}
    urls: set[str] = set()
    for document in documents:
        day = document.published.text[:10] if document.published else None
        title = re.sub(r"\W+", " ", document.title).casefold().strip()
        if document.url not in urls:
            urls.add(document.url)
            kept.setdefault((title, day) if title else document.url, document)
    return list(kept.values())
