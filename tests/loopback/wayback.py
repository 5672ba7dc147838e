"""A Wayback Machine on loopback: the index of captures (CDX) and the replay of their content."""

import base64
import gzip
import hashlib
import json
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote_plus, unquote, unquote_plus, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.faults import Fault

EXCLUDED = (
    "org.archive.util.io.RuntimeIOException: "
    "org.archive.wayback.exception.AdministrativeAccessControlException: Blocked Site Error\n"
)


@dataclass(frozen=True)
class StoredCapture:
    """One capture.

    Attributes:
        url: The address that was captured.
        timestamp: 14 digits, UTC.
        body: What the site sent.
        content_type: Its type.
        status: The status that the site sent.
        location: Where the site redirected to, an address of the web; with a status of 3xx.
        revisit: The archive only noted that nothing had changed: the index has ``-`` for the status.
        replay_to: The archive cannot show the copy and redirects to this address (relative or absolute).
        headers: Headers of the replay in place of its own; an empty value leaves one out.
        packed: The replay is sent with gzip.
    """

    url: str
    timestamp: str
    body: bytes = b""
    content_type: str = "text/html"
    status: int = 200
    location: str | None = None
    revisit: bool = False
    replay_to: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    packed: bool = False

    @property
    def key(self) -> str:
        """The form under which the index has the address: scheme, ``www.``, capitals and a last slash do not count."""
        return _key(self.url)

    def fields(self) -> dict[str, str]:
        """The capture as the index shows it."""
        digest = base64.b32encode(hashlib.sha1(self.body, usedforsecurity=False).digest()).decode()
        return {
            "urlkey": self.key,
            "timestamp": self.timestamp,
            "original": self.url,
            "mimetype": "warc/revisit" if self.revisit else self.content_type.partition(";")[0],
            "statuscode": "-" if self.revisit else str(self.status),
            "digest": digest,
            "length": str(len(self.body)),
        }


class WaybackServer:
    """The archive.

    Attributes:
        captures: What it has.
        excluded: Hosts whose owners did not want to be shown.
        none_found: The body when there is no capture: ``[]`` or nothing, the service does both.
        index_faults: What the next requests to the index are answered instead; used up from the left.
        replay_faults: The same for the replay.
        requests: Path and query of all requests, in their order.
        app: To be served.
    """

    def __init__(
        self, captures: Sequence[StoredCapture] = (), *, excluded: Sequence[str] = (), none_found: str = "[]"
    ) -> None:
        self.captures = list(captures)
        self.excluded = frozenset(excluded)
        self.none_found = none_found
        self.index_faults: deque[Fault] = deque()
        self.replay_faults: deque[Fault] = deque()
        self.requests: list[str] = []
        self.app = Starlette(routes=[Route("/cdx/search/cdx", self._index), Route("/web/{rest:path}", self._replay)])

    async def _index(self, request: Request) -> Response:
        self._note(request)
        if self.index_faults:
            return self.index_faults.popleft().response()
        asked = request.query_params
        if urlsplit(asked["url"]).hostname in self.excluded:
            return PlainTextResponse(EXCLUDED, 403)
        rows = [row for row in self._matching(asked["url"], asked.get("matchType", "exact")) if _within(row, asked)]
        rows = [row for row in rows if all(_passes(row, one) for one in asked.getlist("filter"))]
        rows = _collapsed(rows, asked.get("collapse"))
        names = asked["fl"].split(",") if "fl" in asked else [*StoredCapture("", "").fields()]
        rows, resume_key = _page(rows, asked)
        if asked.get("output") != "json":
            lines = [" ".join(row[name] for name in names) for row in rows]
            return PlainTextResponse("\n".join(lines + (["", resume_key] if resume_key else [])))
        if not rows:
            return PlainTextResponse(self.none_found)
        table = [names, *([row[name] for name in names] for row in rows), *([[], [resume_key]] if resume_key else [])]
        return Response(json.dumps(table), media_type="application/json")

    def _matching(self, url: str, how: str) -> list[dict[str, str]]:
        key = _key(url)
        found = [
            capture
            for capture in self.captures
            if (capture.key.startswith(key) if how == "prefix" else capture.key == key)
        ]
        return [capture.fields() for capture in sorted(found, key=lambda one: (one.key, one.timestamp))]

    async def _replay(self, request: Request) -> Response:
        self._note(request)
        if self.replay_faults:
            return self.replay_faults.popleft().response()
        place = re.fullmatch(r"/web/(\d{1,14})([a-z]{2}_)?/(.+)", request.url.path, re.DOTALL)
        if place is None:
            return PlainTextResponse("not in the archive", 404)
        url = place[3] + (f"?{request.url.query}" if request.url.query else "")
        if urlsplit(url).hostname in self.excluded:
            return PlainTextResponse("This URL has been excluded from the Wayback Machine.", 403)
        stored = [capture for capture in self.captures if capture.key == _key(url)]
        if not stored:
            return PlainTextResponse("The Wayback Machine has not archived that URL.", 404)
        digits = place[1].ljust(14, "0")
        nearest = min(stored, key=lambda one: abs(_seconds(one.timestamp) - _seconds(digits)))
        mode = place[2] or ""
        if nearest.timestamp != digits:
            return Response(status_code=302, headers={"location": f"/web/{nearest.timestamp}{mode}/{nearest.url}"})
        if nearest.replay_to is not None:
            return Response(status_code=302, headers={"location": nearest.replay_to})
        return self._copy(nearest, mode)

    def _copy(self, capture: StoredCapture, mode: str) -> Response:
        body = capture.body
        if mode != "id_":  # the page for people: with a banner and today's date
            body = b"<!-- FILE ARCHIVED ON " + capture.timestamp.encode() + b" --><div id='wm-ipp'>Banner</div>" + body
        headers = {
            "content-type": capture.content_type,
            "memento-datetime": http_date(capture.timestamp),
            "link": f'<{capture.url}>; rel="original", </web/timemap/link/{capture.url}>; rel="timemap"',
        }
        if capture.location is not None:
            headers["location"] = f"/web/{capture.timestamp}{mode}/{capture.location}"
        if capture.packed:
            body, headers["content-encoding"] = gzip.compress(body, mtime=0), "gzip"
        headers = {name: value for name, value in {**headers, **capture.headers}.items() if value}
        response = Response(body, capture.status)
        for name, value in headers.items():
            response.headers[name] = value
        return response

    def _note(self, request: Request) -> None:
        self.requests.append(request.url.path + (f"?{request.url.query}" if request.url.query else ""))


def http_date(digits: str) -> str:
    """14 digits as a date of HTTP."""
    return format_datetime(datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC), usegmt=True)


def _key(url: str) -> str:
    parts = urlsplit(url if "//" in url else f"http://{url}")
    host = re.sub(r"^www\d?\.", "", parts.hostname or "")
    query = f"?{parts.query}" if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}){unquote(parts.path).rstrip('/') or '/'}{query}".lower()


def _within(row: Mapping[str, str], asked: Mapping[str, str]) -> bool:
    """``from`` and ``to`` are inclusive and count by their own digits: ``to=2026`` is all of that year."""
    start, end = asked.get("from", ""), asked.get("to", "99999999999999")
    return row["timestamp"] >= start and row["timestamp"][: len(end)] <= end


def _passes(row: Mapping[str, str], expression: str) -> bool:
    name, _, pattern = expression.removeprefix("!").partition(":")
    return (re.fullmatch(pattern, row[name]) is None) == expression.startswith("!")


def _collapsed(rows: list[dict[str, str]], by: str | None) -> list[dict[str, str]]:
    """Of neighbours that agree in a field, or in its first characters, only the first."""
    if not by:
        return rows
    name, _, length = by.partition(":")
    end = int(length) if length else None
    kept: list[dict[str, str]] = []
    for row in rows:
        if not kept or kept[-1][name][:end] != row[name][:end]:
            kept.append(row)
    return kept


def _page(rows: list[dict[str, str]], asked: Mapping[str, str]) -> tuple[list[dict[str, str]], str | None]:
    """The rows that are shown, and the key of the next one where it is asked for."""
    if "resumeKey" in asked:
        key, _, digits = unquote_plus(asked["resumeKey"]).partition(" ")
        rows = [row for row in rows if (row["urlkey"], row["timestamp"]) > (key, digits.rstrip("!"))]
    limit = int(asked.get("limit", "150000"))
    if limit < 0:
        return rows[limit:], None
    more = len(rows) > limit and asked.get("showResumeKey") == "true"
    return rows[:limit], quote_plus(f"{rows[limit - 1]['urlkey']} {rows[limit - 1]['timestamp']}!") if more else None


def _seconds(digits: str) -> float:
    return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()
