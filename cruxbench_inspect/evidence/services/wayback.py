"""The Wayback Machine: which copies of a page it stored before a moment, and what is in them."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import httpx

from cruxbench_inspect.evidence.http.client import Answer, Pace, ServiceClient, whole_json
from cruxbench_inspect.evidence.services.wayback_address import archivable, digits_of, moment_of, same_host
from cruxbench_inspect.evidence.source import SourceFailure

INTERNET_ARCHIVE = "https://web.archive.org"

INDEX_PACE = Pace(connections=1, interval=2.5, limited_wait=60)
"""24 questions a minute; after a refusal at least a minute without any, since the archive's bans grow."""

REPLAY_PACE = Pace(connections=4, interval=0.125, limited_wait=60)
"""8 copies a second."""

MAX_REDIRECTS = 3

_FIELDS = ("timestamp", "original", "statuscode", "mimetype", "digest")
_TEXT_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
_REDIRECTS = (301, 302, 303, 307, 308)
_NO_COPY = (400, 403, 404, 405, 406, 410, 451)
_EXCLUDED = ("AccessControlException", "BlockedSite", "Blocked Site", "excluded from the Wayback Machine")
_ADDRESS = re.compile(r"/web/(\d{14})id_/(https?:/.+)", re.IGNORECASE | re.DOTALL)


def wayback(base_url: str = INTERNET_ARCHIVE, transport: httpx.AsyncBaseTransport | None = None) -> "Wayback":
    """A client of the Wayback Machine.

    Args:
        base_url: The archive's address. At any other than its own, requests are made without pauses.
        transport: What carries the requests; by default real connections.
    """
    return Wayback(
        ServiceClient("wayback-index", base_url, pace=INDEX_PACE.at(base_url, INTERNET_ARCHIVE), transport=transport),
        ServiceClient("wayback-replay", base_url, pace=REPLAY_PACE.at(base_url, INTERNET_ARCHIVE), transport=transport),
    )


@dataclass(frozen=True)
class Capture:
    """A copy that the archive says it has.

    Attributes:
        url: The address that was captured; it may differ from the one asked for in scheme, ``www.`` and the like.
        timestamp: When it was captured, in UTC.
        mimetype: The type of its content.
        digest: The same for copies with the same content.
    """

    url: str
    timestamp: datetime
    mimetype: str
    digest: str


@dataclass(frozen=True)
class Replayed:
    """The content of a copy, as the site once sent it.

    Attributes:
        body: The bytes.
        content_type: The header of that name; "" when there is none.
        timestamp: When the copy was captured that these bytes are from, in UTC.
        version: The address of that copy.
    """

    body: bytes
    content_type: str
    timestamp: datetime
    version: str


class Wayback:
    """Asks the archive's index (CDX) for captures and its replay for their content.

    The site that a page belongs to is never contacted: its address is only an argument.
    """

    def __init__(self, cdx: ServiceClient, replay: ServiceClient) -> None:
        self._cdx = cdx
        self._replay = replay

    async def captures(self, url: str, before: datetime, limit: int = 3) -> list[Capture]:
        """The latest captures of a page that differ from each other, from strictly before a moment, newest first.

        Only captures of a text that the site sent with status 200. Records that only say that nothing had changed
        (``revisit``) are left out: the copy that they refer to is in the index itself.

        Args:
            url: The page's address.
            before: An aware datetime.
            limit: How many at most.

        Returns:
            [] also where the site is excluded from the archive, or the address is none of the web.

        Raises:
            SourceFailure: If the index could not answer.
        """
        address = archivable(url)
        if address is None:
            return []
        query = [
            ("url", address),
            ("matchType", "exact"),
            # Inclusive, and by prefix: fewer digits would admit a whole day or year.
            ("to", digits_of(before - timedelta(seconds=1))),
            ("filter", "statuscode:200"),
            ("filter", f"mimetype:({'|'.join(re.escape(name) for name in sorted(_TEXT_TYPES))})"),
            # The last ones; more than are wanted, since many have the same content.
            ("limit", str(-max(4 * limit, 12))),
            ("output", "json"),
            ("fl", ",".join(_FIELDS)),
        ]
        # A comma and a colon are left as they are, as in the service's own examples.
        answer = await self._cdx.get(
            f"/cdx/search/cdx?{urlencode(query, safe=',:', quote_via=quote)}", accept=(200, 403), check=_check_table
        )
        captures = sorted(self._captures(answer, address, before), key=lambda one: one.timestamp, reverse=True)
        distinct: dict[str, Capture] = {}
        for capture in captures:
            distinct.setdefault(capture.digest, capture)
        return list(distinct.values())[:limit]

    def _captures(self, answer: Answer, address: str, before: datetime) -> Iterator[Capture]:
        for row in self._rows(answer):
            timestamp, original = moment_of(row["timestamp"]), archivable(str(row["original"]))
            mimetype = str(row["mimetype"]).partition(";")[0].strip().lower()
            if timestamp is None or original is None or timestamp >= before:
                continue
            if str(row["statuscode"]) == "200" and mimetype in _TEXT_TYPES and same_host(original, address):
                yield Capture(original, timestamp, mimetype, str(row["digest"]))

    def _rows(self, answer: Answer) -> Iterator[dict[str, Any]]:
        """The rows by their fields. The first one is the header, and an empty one stands before a resume key."""
        if not answer.content.strip() or _says_excluded(answer):
            return
        if answer.status != 200:
            raise SourceFailure(self._cdx.service, "auth", f"HTTP {answer.status}")
        table = answer.json(self._cdx.service)
        if not isinstance(table, list) or not all(isinstance(row, list) for row in table):
            raise SourceFailure(self._cdx.service, "bad_answer", "its JSON is no table")
        if not table:
            return
        header, *rows = table
        if not all(isinstance(name, str) for name in header) or not set(_FIELDS) <= set(header):
            raise SourceFailure(self._cdx.service, "bad_answer", f"a table without {', '.join(_FIELDS)}")
        for row in rows:
            if not row:
                return
            if len(row) == len(header):
                yield dict(zip(header, row, strict=True))

    async def replay(self, capture: Capture, before: datetime) -> Replayed | None:
        """The content of a capture, or of the one that the archive has in its place, from strictly before a moment.

        The archive answers with a redirect to the nearest capture, of any time, where it cannot show the one that was
        asked for, and to the next page where the site once did so. Redirects are followed only within the archive, to
        raw copies of the same host from before the moment.

        Args:
            capture: What ``captures`` returned.
            before: An aware datetime.

        Returns:
            None when the archive shows no such copy, or none that can be read (too large, damaged, packed in an
            unknown way).

        Raises:
            SourceFailure: If the archive could not answer, or answered with a page of its own.
        """
        address, timestamp = archivable(capture.url), capture.timestamp
        seen: set[str] = set()
        while address is not None and timestamp < before and same_host(address, capture.url):
            path = f"/web/{digits_of(timestamp)}id_/{address}"
            if path in seen or len(seen) > MAX_REDIRECTS:
                return None
            seen.add(path)
            answer = await self._get(path, (200, *_REDIRECTS, *_NO_COPY))
            if answer is None or _says_excluded(answer):
                return None
            if answer.status == 403 and "memento-datetime" not in answer.headers:
                raise SourceFailure(self._replay.service, "auth", "HTTP 403 without a copy: the archive refuses us")
            if answer.status in _NO_COPY:
                return None
            if answer.status == 200:
                return self._replayed(answer, path, address, timestamp)
            target = self._target(answer)
            if target is None:
                return None
            timestamp, address = target
        return None

    async def _get(self, path: str, accept: Collection[int]) -> Answer | None:
        try:
            return await self._replay.get(path, accept=accept)
        except SourceFailure as failure:
            # It is this copy that cannot be read, and none but this.
            if failure.kind == "bad_answer":
                return None
            raise

    def _target(self, answer: Answer) -> tuple[datetime, str | None] | None:
        """When and what a redirect leads to, None when that is no raw copy in the archive."""
        try:
            target = urlsplit(urljoin(answer.url, answer.headers.get("location", "")))
            own = urlsplit(self._replay.base_url)
        except ValueError:
            return None
        place = _ADDRESS.fullmatch(f"{target.path}?{target.query}" if target.query else target.path)
        if target.netloc.lower() != own.netloc.lower() or place is None:
            return None
        timestamp = moment_of(place[1])
        return None if timestamp is None else (timestamp, archivable(place[2]))

    def _replayed(self, answer: Answer, path: str, address: str, timestamp: datetime) -> Replayed | None:
        stated = answer.headers.get("memento-datetime")
        if stated is None:
            raise SourceFailure(self._replay.service, "bad_answer", "a page without Memento-Datetime: it is no copy")
        if _http_date(stated) != timestamp:
            return None
        original = _original(answer.headers.get("link", ""))
        if original is not None and not same_host(archivable(original) or "", address):
            return None
        content_type = answer.headers.get("content-type", "")
        return Replayed(answer.content, content_type, timestamp, self._replay.base_url.rstrip("/") + path)


def _check_table(answer: Answer) -> None:
    if answer.status == 200 and answer.content.strip() and not _says_excluded(answer):
        whole_json(answer)


def _says_excluded(answer: Answer) -> bool:
    """Whether the archive says that a site is excluded: by its owner, or by its robots.txt."""
    told = answer.headers.get("x-archive-wayback-runtime-error", "")
    if "memento-datetime" not in answer.headers and not answer.content.startswith(b"["):
        told += answer.content[:4000].decode("utf-8", "replace")
    return any(words in told for words in _EXCLUDED)


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _original(header: str) -> str | None:
    """The address in a ``Link`` header that was captured."""
    for url, parameters in re.findall(r"<([^<>]*)>([^<>]*)", header):
        relation = re.search(r'\brel\s*=\s*"?([^";,]*)', parameters)
        if relation and "original" in relation[1].split():
            return str(url)
    return None
