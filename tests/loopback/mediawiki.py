"""A MediaWiki on loopback: revisions of pages as of a moment, as its action API gives them."""

import itertools
import json
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.faults import Fault


@dataclass(frozen=True)
class WikiRevision:
    """One version of a page.

    Attributes:
        timestamp: When it was saved, ``2026-01-31T12:00:00Z``.
        text: Its wikitext; ``#REDIRECT [[X]]`` in the newest version makes the page a redirect of today.
        hidden: An administrator has hidden the text.
        model: The content model.
    """

    timestamp: str
    text: str
    hidden: bool = False
    model: str = "wikitext"


@dataclass(frozen=True)
class WikiPage:
    """A page with its history, in any order, under its title of today."""

    title: str
    revisions: Sequence[WikiRevision]


def moved_page(old: str, new: str, at: str, revisions: Sequence[WikiRevision]) -> list[WikiPage]:
    """What a move leaves: the history under the new title, and a redirect under the old one."""
    return [WikiPage(new, revisions), WikiPage(old, [WikiRevision(at, f"#REDIRECT [[{new}]]")])]


def error(code: str, retry_after: str | None = None, **more: Any) -> Fault:
    """An error as the API gives it: with status 200."""
    body = {"error": {"code": code, "info": f"The wiki says {code}.", **more}, "servedby": "mw1"}
    headers = {"content-type": "application/json", "mediawiki-api-error": code}
    return Fault(
        200, json.dumps(body).encode(), headers if retry_after is None else {**headers, "retry-after": retry_after}
    )


class MediaWikiServer:
    """The wiki.

    Attributes:
        faults: What the next requests are answered instead; used up from the left.
        requests: The query fields of all requests, in their order.
        user_agents: The ``User-Agent`` headers of all requests.
        app: To be served.
    """

    def __init__(self, pages: Sequence[WikiPage] = ()) -> None:
        self._pages: dict[str, tuple[int, WikiPage]] = {}
        self._revision_ids: dict[int, int] = {}
        self._numbers = itertools.count(1000)
        self.faults: deque[Fault] = deque()
        self.requests: list[dict[str, str]] = []
        self.user_agents: list[str] = []
        self.app = Starlette(routes=[Route("/w/api.php", self._api)])
        for page in pages:
            self.add(page)

    def add(self, page: WikiPage) -> None:
        """Put a page in, or in the place of the one of its title."""
        self._pages[page.title] = (next(self._numbers), page)
        for revision in sorted(page.revisions, key=lambda one: one.timestamp):
            self._revision_ids[id(revision)] = next(self._numbers)

    async def _api(self, request: Request) -> Response:
        asked = dict(request.query_params)
        self.requests.append(asked)
        agent = request.headers.get("user-agent", "")
        self.user_agents.append(agent)
        if not agent or agent.startswith("python-httpx"):
            return PlainTextResponse("Please set a user-agent and respect our robot policy", 403)
        if self.faults:
            return self.faults.popleft().response()
        if (asked.get("action"), asked.get("format"), asked.get("formatversion")) != ("query", "json", "2"):
            return error("unsupported").response()
        return Response(json.dumps({"batchcomplete": True, "query": self._query(asked)}), media_type="application/json")

    def _query(self, asked: dict[str, str]) -> dict[str, Any]:
        query: dict[str, Any] = {"pages": []}
        for given in asked["titles"].split("|"):
            title = given.replace("_", " ").strip()
            if re.match("(?:fr|de|wikt):", title):
                query.setdefault("interwiki", []).append({"title": title, "iw": title.partition(":")[0]})
                continue
            if not title or re.search(r"[#<>\[\]{}|]", title):
                query["pages"].append({"title": given, "invalidreason": "The title is bad.", "invalid": True})
                continue
            title = title[0].upper() + title[1:]
            if title != given:
                query.setdefault("normalized", []).append({"fromencoded": False, "from": given, "to": title})
            target = self._redirect(title) if "redirects" in asked else None
            if target:
                query.setdefault("redirects", []).append({"from": title, "to": target})
            query["pages"].append(self._page(target or title, asked))
        if not query["pages"]:
            del query["pages"]
        return query

    def _redirect(self, title: str) -> str | None:
        """Where the page redirects to today."""
        if title not in self._pages:
            return None
        newest = max(self._pages[title][1].revisions, key=lambda one: one.timestamp, default=None)
        match = re.match(r"#REDIRECT\s*\[\[([^\]|#]+)", newest.text, re.IGNORECASE) if newest else None
        return match[1] if match else None

    def _page(self, title: str, asked: dict[str, str]) -> dict[str, Any]:
        if title not in self._pages:
            return {"ns": 0, "title": title, "missing": True}
        number, page = self._pages[title]
        backwards = asked.get("rvdir", "older") == "older"
        revisions = sorted(page.revisions, key=lambda one: one.timestamp, reverse=backwards)
        if "rvstart" in asked:
            start = asked["rvstart"]
            revisions = [one for one in revisions if (one.timestamp <= start if backwards else one.timestamp >= start)]
        shown = [self._revision(one) for one in revisions[: int(asked.get("rvlimit", "10"))]]
        return {"pageid": number, "ns": 0, "title": title, **({"revisions": shown} if shown else {})}

    def _revision(self, revision: WikiRevision) -> dict[str, Any]:
        slot: dict[str, Any] = {"contentmodel": revision.model, "contentformat": "text/x-wiki"}
        slot |= {"texthidden": True} if revision.hidden else {"content": revision.text}
        number = self._revision_ids[id(revision)]
        return {"revid": number, "parentid": 0, "timestamp": revision.timestamp, "slots": {"main": slot}}
