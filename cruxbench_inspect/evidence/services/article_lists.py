"""GDELT's raw article lists: what it saw of world news, minute by minute since 2020, without a key.

There is no index of the files. They appear in the first minutes after each quarter of an hour, each with some hundred
articles; exact minutes, fields, how far back they are kept, and whether the host's certificate is in order (the files
are at ``https://storage.googleapis.com/data.gdeltproject.org`` as well), only a live run can show.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from cruxbench_inspect.evidence.clean_text import CleanLine
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.body import BodyRefused, unpack_gzip
from cruxbench_inspect.evidence.http.client import Answer, Pace, ServiceClient
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import format_utc

ARTICLE_LISTS = "https://data.gdeltproject.org"
"""Where the lists are."""

MAX_UNPACKED = 50_000_000
"""Bytes that a list may unpack to."""

_AFTER_A_QUARTER = 8  # minutes after each quarter of an hour at which a list may have appeared
# A list is named after its minute: all that it has was seen by the end of that minute, also where the file itself is
# published later.
_SEEN_WITHIN = timedelta(minutes=1)


def article_lists(base_url: str = ARTICLE_LISTS, transport: httpx.AsyncBaseTransport | None = None) -> "ArticleLists":
    """A client of the lists.

    Args:
        base_url: Their address. At any other than their own, requests are made without pauses.
        transport: What carries the requests; by default real connections.
    """
    pace = Pace(connections=4, interval=0.1).at(base_url, ARTICLE_LISTS)
    return ArticleLists(ServiceClient("gdelt-lists", base_url, pace=pace, transport=transport))


def minutes(first: date, last: date, *, every: bool = False) -> Iterator[datetime]:
    """The minutes at which lists may have appeared, in UTC.

    Args:
        first: The first day.
        last: The last day, included.
        every: Whether to name every minute, and not only the first ones after each quarter of an hour.
    """
    moment = datetime.combine(first, time(), UTC)
    end = datetime.combine(last, time(), UTC) + timedelta(days=1)
    while moment < end:
        if every or moment.minute % 15 < _AFTER_A_QUARTER:
            yield moment
        moment += timedelta(minutes=1)


@dataclass(frozen=True)
class ArticleList:
    """One list.

    Attributes:
        address: Its address.
        documents: Its articles of the languages and the pattern that were asked for: class B, dated as the list says
            (which is the stated time of publication or else the time at which it was seen), captured when the list was
            complete. The text is the page's description of itself.
        skipped: Lines that could not be read.
    """

    address: str
    documents: tuple[Document, ...]
    skipped: int


class ArticleLists:
    """Gets lists by their minute."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    def address(self, minute: datetime) -> str:
        """The address of the list of a minute."""
        return self._client.base_url.rstrip("/") + _path(minute)

    async def read(
        self, minute: datetime, languages: Collection[str] = ("en",), matching: re.Pattern[str] | None = None
    ) -> ArticleList | None:
        """The list of a minute, None when there is none, which is usual.

        Args:
            minute: An aware datetime on the whole minute.
            languages: Codes of the languages that are kept, as the lists name them, in any case; none keeps all.
            matching: What the title or the description has to match.

        Raises:
            SourceFailure: If the service could not answer, or the list as a whole cannot be read.
        """
        answer = await self._client.get(_path(minute), accept=(200, 404))
        if answer.status == 404:
            return None
        captured = format_utc(minute + _SEEN_WITHIN)
        wanted = {language.casefold() for language in languages}
        documents, read, skipped = [], 0, 0
        for line in _lines(answer):
            try:
                row = _Row.model_validate(json.loads(line, strict=False))
                document = _document(row, captured, answer.url)
            except (ValidationError, ValueError, RecursionError):
                skipped += 1
                continue
            read += 1
            if wanted and row.lang.casefold() not in wanted:
                continue
            if matching is None or matching.search(f"{row.title}\n{row.desc}"):
                documents.append(document)
        if skipped and not read:
            raise SourceFailure("gdelt-lists", "bad_answer", f"no line of {answer.url} can be read")
        return ArticleList(answer.url, tuple(documents), skipped)


# Whatever stands in its place, an article without a description is still of use.
_Optional = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")]


class _Row(BaseModel):
    """A line of a list."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    date: CleanLine
    url: Annotated[CleanLine, Field(pattern=r"^(?i:https?)://[^/?#]")]
    title: _Optional = ""
    desc: _Optional = ""
    domain: _Optional = ""
    outletName: _Optional = ""  # noqa: N815
    lang: _Optional = ""


def _path(minute: datetime) -> str:
    return f"/gdeltv3/gal/{minute.astimezone(UTC):%Y%m%d%H%M}00.gal.json.gz"


def _lines(answer: Answer) -> list[str]:
    """The list's lines that are not empty. The file itself is packed, unless something on the way has unpacked it."""
    content = answer.content
    if content.startswith(b"\x1f\x8b") or not content:
        try:
            content = unpack_gzip(content, MAX_UNPACKED)
        except BodyRefused as error:
            raise SourceFailure("gdelt-lists", "bad_answer", f"{answer.url} cannot be read: {error}") from None
    # Only a newline ends a line: texts may hold other breaks.
    return [line for line in content.decode("utf-8-sig", "replace").split("\n") if line.strip()]


def _document(row: _Row, captured: str, address: str) -> Document:
    host = urlsplit(row.url).hostname or ""
    values: dict[str, Any] = {
        "url": row.url,
        "title": row.title,
        "source": row.outletName or row.domain or host,
        "published": row.date,
        "captured": captured,
        "text": row.desc,
        "proof": "B",
        "version": address,
        "excerpt": True,
    }
    return Document.model_validate(values)
