"""AskNews on loopback: access tokens, and the search of news by the time of the crawl."""

import base64
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from asknews_sdk.dto.news import SearchResponse, SearchResponseDictItem
from pydantic import AnyUrl
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.faults import Fault

API_KEY = "ask_0123456789abcdef"
CLIENT_ID = "client-0123456789"
CLIENT_SECRET = "secret/0123456789+abcdef"  # noqa: S105
TOKEN = "token-0123456789"  # noqa: S105


@dataclass(frozen=True)
class Article:
    """An article as AskNews has it.

    Attributes:
        url: Its address.
        crawled: When it was crawled.
        published: When it was published.
        more: Fields of the SDK's article in place of the usual ones.
    """

    url: str
    crawled: datetime
    published: datetime
    more: dict[str, Any] = field(default_factory=dict)

    def wire(self) -> dict[str, Any]:
        """What is sent for it, by the SDK's own model."""
        usual: dict[str, Any] = {
            "article_url": AnyUrl(self.url),
            "article_id": uuid5(NAMESPACE_URL, self.url),
            "classification": ["World"],
            "country": "France",
            "source_id": "The Example",
            "page_rank": 1000,
            "domain_url": "example.org",
            "eng_title": "An English title",
            "entities": {},
            "keywords": ["example"],
            "language": "en",
            "pub_date": self.published,
            "crawl_date": self.crawled,
            "summary": "A summary.",
            "key_points": ["One point.", "Another point."],
            "title": "Un titre",
            "sentiment": 0,
            "as_string_key": "[1]",
        }
        return SearchResponseDictItem.model_validate({**usual, **self.more}).model_dump(mode="json")


class AskNewsServer:
    """The service.

    Attributes:
        articles: What it has.
        faults: What the next searches are answered instead; used up from the left.
        token_faults: The same for access tokens.
        requests: The query of every search, in their order.
        tokens: How many access tokens were given.
        app: To be served.
    """

    def __init__(self, articles: Sequence[Article] = ()) -> None:
        self.articles = articles
        self.faults: deque[Fault] = deque()
        self.token_faults: deque[Fault] = deque()
        self.requests: list[dict[str, str]] = []
        self.tokens = 0
        self.app = Starlette(
            routes=[Route("/v1/news/search", self._search), Route("/oauth2/token", self._token, methods=["POST"])]
        )

    async def _token(self, request: Request) -> Response:
        if self.token_faults:
            return self.token_faults.popleft().response()
        # As the SDK encodes them: the id and the secret are percent-encoded, slashes are not.
        expected = base64.b64encode(f"{CLIENT_ID}:secret/0123456789%2Babcdef".encode()).decode()
        if request.headers["authorization"] != f"Basic {expected}":
            return JSONResponse({"error": "invalid_client"}, 401)
        self.tokens += 1
        return JSONResponse({"access_token": TOKEN, "scope": "news", "token_type": "bearer", "expires_in": 3600})

    async def _search(self, request: Request) -> Response:
        self.requests.append(dict(request.query_params))
        if self.faults:
            return self.faults.popleft().response()
        if request.headers["authorization"] not in {f"Bearer {API_KEY}", f"Bearer {TOKEN}"}:
            return JSONResponse({"code": 401000, "detail": "Unauthorized"}, 401)
        asked = request.query_params
        start, end = (datetime.fromtimestamp(int(asked[name]), UTC) for name in ("start_timestamp", "end_timestamp"))
        if (end - start).days > 160:
            return JSONResponse({"code": 400000, "detail": "The range is too long"}, 400)
        found = [article for article in self.articles if start <= article.crawled <= end]
        body = SearchResponse.model_validate({"as_dicts": [], "offset": 0}).model_dump(mode="json")
        body["as_dicts"] = [article.wire() for article in found[: int(asked["n_articles"])]]
        return JSONResponse(body)
