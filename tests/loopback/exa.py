"""Exa on loopback: its search with snapshots."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.faults import Fault

API_KEY = "exa-0123456789abcdef"
LIVE_OPTIONS = {"livecrawl", "livecrawlTimeout", "maxAgeHours", "subpages"}


@dataclass(frozen=True)
class Version:
    """A page as Exa stored it.

    Attributes:
        url: Its address.
        stored: When it was stored, as Exa writes it.
        text: Its text.
        more: Fields of the result in place of the usual ones, by their names on the wire; None leaves one out.
    """

    url: str
    stored: str
    text: str
    more: dict[str, Any] = field(default_factory=dict)

    def wire(self, characters: int) -> dict[str, Any]:
        """What is sent for it."""
        usual = {
            "id": self.url,
            "url": self.url,
            "title": f"Title of {self.stored}",
            "publishedDate": "2026-01-01T00:00:00.000Z",
            "author": "",
            "snapshotAt": self.stored,
            "text": self.text[:characters],
        }
        return {name: value for name, value in {**usual, **self.more}.items() if value is not None}


class ExaServer:
    """The service.

    Attributes:
        versions: What it has stored.
        honest: Whether it keeps to the snapshot that is asked for; otherwise it sends its newest versions.
        warnings: What it notes about requests.
        faults: What the next searches are answered instead; used up from the left.
        requests: The body of every search, in their order.
        app: To be served.
    """

    def __init__(self, versions: Sequence[Version] = (), *, honest: bool = True) -> None:
        self.versions = versions
        self.honest = honest
        self.warnings: list[dict[str, str]] = []
        self.faults: deque[Fault] = deque()
        self.requests: list[dict[str, Any]] = []
        self.app = Starlette(routes=[Route("/search", self._search, methods=["POST"])])

    async def _search(self, request: Request) -> Response:
        asked = await request.json()
        self.requests.append(asked)
        if self.faults:
            return self.faults.popleft().response()
        if request.headers["x-api-key"] != API_KEY:
            return JSONResponse({"requestId": "r", "error": "Invalid API key", "tag": "INVALID_API_KEY"}, 401)
        contents = asked["contents"]
        if "snapshotAsOf" not in contents or LIVE_OPTIONS & set(contents):
            error = "snapshotAsOf cannot be combined with live options"
            return JSONResponse({"requestId": "r", "error": error, "tag": "INVALID_REQUEST"}, 400)
        as_of = datetime.fromisoformat(contents["snapshotAsOf"])
        newest: dict[str, Version] = {}
        for version in sorted(self.versions, key=lambda version: version.stored):
            if not self.honest or datetime.fromisoformat(version.stored) <= as_of:
                newest[version.url] = version
        results = [version.wire(contents["text"]["maxCharacters"]) for version in newest.values()]
        body = {
            "requestId": "r",
            "resolvedSearchType": "neural",
            "results": results[: asked["numResults"]],
            "searchTime": 500.1,
            "costDollars": {"total": 0.015},
        }
        return JSONResponse({**body, "warnings": self.warnings} if self.warnings else body)
