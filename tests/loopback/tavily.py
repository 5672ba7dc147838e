"""Tavily on loopback: its search of news."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.faults import Fault

API_KEY = "tvly-0123456789abcdef"


@dataclass(frozen=True)
class Page:
    """A page that Tavily knows.

    Attributes:
        url: Its address.
        published: Its date as Tavily writes it, None for a result without one.
        day: The date that counts for the search; None is found for every range.
    """

    url: str
    published: str | None
    day: date | None = None

    def wire(self) -> dict[str, Any]:
        """What is sent for it: title and content are of today, and tell what came later."""
        result = {
            "url": self.url,
            "title": "THE OUTCOME in a title",
            "score": 0.9,
            "content": "THE OUTCOME in a snippet",
            "raw_content": None,
        }
        return result if self.published is None else {**result, "published_date": self.published}


class TavilyServer:
    """The service.

    Attributes:
        pages: What it knows.
        faults: What the next searches are answered instead; used up from the left.
        requests: The body of every search, in their order.
        app: To be served.
    """

    def __init__(self, pages: Sequence[Page] = ()) -> None:
        self.pages = pages
        self.faults: deque[Fault] = deque()
        self.requests: list[dict[str, Any]] = []
        self.app = Starlette(routes=[Route("/search", self._search, methods=["POST"])])

    async def _search(self, request: Request) -> Response:
        asked = await request.json()
        self.requests.append(asked)
        if self.faults:
            return self.faults.popleft().response()
        if request.headers["authorization"] != f"Bearer {API_KEY}":
            return JSONResponse({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
        if asked["max_results"] > 20:
            return JSONResponse({"detail": {"error": "Max results must be less than or equal to 20."}}, 400)
        start, end = date.fromisoformat(asked["start_date"]), date.fromisoformat(asked["end_date"])
        found = [page for page in self.pages if page.day is None or start <= page.day <= end]
        return JSONResponse(
            {
                "query": asked["query"],
                "follow_up_questions": None,
                "answer": None,
                "images": [],
                "results": [page.wire() for page in found[: asked["max_results"]]],
                "response_time": 1.1,
                "request_id": "123e4567-e89b-12d3-a456-426614174111",
            }
        )
