"""GDELT's DOC 2.0 index of world news: pages by words and dates, without their text and without a key.

How far back it really answers, and how it takes long queries, only a live run can show.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from cruxbench_inspect.evidence.clean_text import CleanLine, clean_line
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import Answer, AskAgain, Pace, ServiceClient
from cruxbench_inspect.evidence.query import telling_terms
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import format_utc

GDELT = "https://api.gdeltproject.org"
"""Where the index is."""

PACE = Pace(connections=1, interval=5.5, wait=5.0, limited_wait=10.0)
"""One request in five seconds is what the index allows; not all requests travel equally fast."""

REACH = timedelta(days=90)
"""The last three months are what the index promises to search."""

_PATH = "/api/v2/doc/doc"
_MOST = 250  # articles in one answer
_WORDS = 6  # that an article has to have all
_ANY_WORDS = 8
_SHORTEST_WORD = 3  # a shorter one makes the whole request fail
_LONGEST_QUERY = 200  # characters; a little above, the request fails
_SEEN = "%Y%m%dT%H%M%SZ"
_ASKED = "%Y%m%d%H%M%S"
_ESCAPE = re.compile(r'\\(u[0-9a-fA-F]{4}|["\\/bfnrt])?')


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

        All telling words are asked for; where that finds fewer than the limit, any of them. Words of one or two
        letters are left out, since the index refuses them.

        Args:
            query: Plain words.
            start: The beginning of the stretch, inclusive.
            before: Its end, exclusive.
            limit: How many pages from the stretch at most.

        Returns:
            Documents of class B, dated by when the index saw them, without text. The title is as it was then. Later
            pages than it was asked for, should the index answer with any, are among them: the guard counts them.
            [] also where no word is left to ask for.

        Raises:
            SourceFailure: If the index could not answer.
        """
        words = [word for word in _words(query) if len(word) >= _SHORTEST_WORD]
        if not words:
            return []
        found = _distinct(await self._ask(_joined(words[:_WORDS], " "), start, before))
        if sum(_is_early(document, before) for document in found) < limit and len(words) > 1:
            any_word = f"({_joined(words[:_ANY_WORDS], ' OR ')})"
            found = _distinct([*found, *await self._ask(any_word, start, before)])
        early = [document for document in found if _is_early(document, before)]
        return [*early[:limit], *(document for document in found if not _is_early(document, before))]

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
        rows = _rows(await self._client.get(_PATH, params, check=_check))
        documents = [document for row in rows if (document := _document(row)) is not None]
        if rows and not documents:
            raise SourceFailure("gdelt", "bad_answer", f"none of {len(rows)} articles has an address and a date")
        return documents


# Whatever stands in its place, an article without a title is still of use.
_Optional = Annotated[CleanLine, BeforeValidator(lambda value: value if isinstance(value, str) else "")]


class _Row(BaseModel):
    """An article of an answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: Annotated[CleanLine, Field(pattern=r"^(?i:https?)://[^/?#]")]
    title: _Optional = ""
    seendate: CleanLine
    domain: _Optional = ""


def _words(query: str) -> list[str]:
    """Words in which nothing is an operator: a dash excludes, a colon names a field."""
    parts = (part for term in telling_terms(query) for part in re.split(r"[^\w]+|_", term))
    return list(dict.fromkeys(part for part in parts if part))


def _joined(words: Sequence[str], by: str) -> str:
    """The first words, as many as the index takes."""
    query = words[0][:_LONGEST_QUERY]
    for word in words[1:]:
        if len(query) + len(by) + len(word) > _LONGEST_QUERY:
            break
        query += by + word
    return query


def _is_early(document: Document, before: datetime) -> bool:
    return document.published is not None and document.published.latest < before


def _check(answer: Answer) -> None:
    """Have an answer asked for again that is an error told as text, or is cut short."""
    try:
        _rows(answer)
    except SourceFailure as failure:
        raise AskAgain(failure.kind, failure.detail) from None


def _rows(answer: Answer) -> Sequence[Any]:
    text = answer.content.decode("utf-8-sig", "replace").strip()
    if not text:
        return []
    if not text.startswith("{"):
        # Errors come as plain text with status 200.
        told = clean_line(text[:400])[:200]
        if "limit requests" in told.lower():
            raise SourceFailure("gdelt", "rate_limit", told)
        raise SourceFailure("gdelt", "bad_answer", f"no JSON but {told!r}")
    articles = _parsed(text).get("articles", [])
    if not isinstance(articles, list):
        raise SourceFailure("gdelt", "bad_answer", f"no list of articles but {clean_line(text[:400])[:120]!r}")
    return articles


def _parsed(text: str) -> dict[str, Any]:
    """An object of JSON whose strings may hold raw control characters, and backslashes that escape nothing."""
    repaired = _ESCAPE.sub(lambda match: match[0] if match[1] else "\\\\", text)
    try:
        content: dict[str, Any] = json.loads(repaired, strict=False)
    except (ValueError, RecursionError) as error:
        raise SourceFailure("gdelt", "bad_answer", f"its JSON is damaged or cut short: {error}") from None
    return content


def _document(row: Any) -> Document | None:
    """The article as a document; None where it has no address of the web or no date that can be read."""
    try:
        read = _Row.model_validate(row)
        host = urlsplit(read.url).hostname or ""
        seen = datetime.strptime(read.seendate, _SEEN).replace(tzinfo=UTC)
        return Document.model_validate(
            {
                "url": read.url,
                "title": read.title,
                "source": read.domain or host,
                "published": format_utc(seen),
                "text": "",
                "proof": "B",
            }
        )
    except (ValidationError, ValueError):
        return None


def _distinct(documents: Iterable[Document]) -> list[Document]:
    """One of those that have the same address, or the same title on the same day: agencies are on many hosts."""
    return _first_seen(_first_seen(documents, lambda document: document.url), _story)


def _first_seen(documents: Iterable[Document], same: Callable[[Document], Hashable]) -> list[Document]:
    """Of those that are the same, the one that was seen first, in the place of the best."""
    kept: dict[Hashable, Document] = {}
    for document in documents:
        known = kept.setdefault(same(document), document)
        if known.published and document.published and document.published.earliest < known.published.earliest:
            kept[same(document)] = document
    return list(kept.values())


def _story(document: Document) -> Hashable:
    title = re.sub(r"[\W_]+", " ", document.title).casefold().strip()
    return (title, document.published.earliest.date()) if title and document.published else document.url
