"""GDELT on loopback: the DOC 2.0 index, and the raw article lists."""

import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.loopback.faults import Fault


@dataclass(frozen=True)
class SeenArticle:
    """An article in the index.

    Attributes:
        url: Its address.
        title: Its title when it was first seen.
        seen: When that was, as ``20260110T031500Z``.
        text: Words of it that the index searches besides the title.
    """

    url: str
    title: str
    seen: str
    text: str = ""

    def row(self) -> dict[str, str]:
        """The article as the index gives it."""
        return {
            "url": self.url,
            "url_mobile": "",
            "title": self.title,
            "seendate": self.seen,
            "socialimage": "",
            "domain": re.sub(r"^https?://(?:www\.)?|/.*", "", self.url),
            "language": "English",
            "sourcecountry": "France",
        }


@dataclass
class GdeltServer:
    """The two services.

    Attributes:
        articles: What the index knows.
        lists: Contents of the article lists by 14 digits; a string or rows, packed when they are sent.
        faults: Wrong answers for the next requests.
        requests: The fields of every question to the index so far, and the digits of every list.
        heedless: Whether the index ignores the dates that it is asked for.
    """

    articles: Sequence[SeenArticle] = ()
    lists: Mapping[str, Sequence[Mapping[str, Any]] | bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)
    heedless: bool = False

    @property
    def app(self) -> Starlette:
        """The application."""
        return Starlette(
            routes=[Route("/api/v2/doc/doc", self._doc), Route("/gdeltv3/gal/{digits}.gal.json.gz", self._list)]
        )

    async def _doc(self, request: Request) -> Response:
        asked = dict(request.query_params)
        self.requests.append(asked)
        if self.faults:
            return self.faults.pop(0).response()
        if len(asked["query"]) > 250:
            return Response("Your query was too short or too long.", media_type="text/html")
        if (" OR " in asked["query"]) != bool(re.fullmatch(r"\(.+\)", asked["query"])):
            return Response("Queries containing OR'd terms must be surrounded by ().", media_type="text/html")
        words = re.sub(r"[()]", "", asked["query"])
        if any(len(word) < 3 for word in words.split() if word != "OR"):
            return Response("The specified phrase is too short.", media_type="text/html")
        if "-" in words:
            return Response("Your search contained an invalid character.", media_type="text/html")
        every = " OR " not in words
        wanted = [word.casefold() for word in words.split() if word != "OR"]
        rows = []
        for article in self.articles:
            content = f"{article.title} {article.text}".casefold()
            day = re.sub(r"[TZ]", "", article.seen)
            within = self.heedless or asked["startdatetime"] <= day <= asked["enddatetime"]
            if within and (all if every else any)(word in content for word in wanted):
                rows.append(article.row())
        # An index that found nothing says so with an empty object.
        return Response(json.dumps({"articles": rows[: int(asked["maxrecords"])]} if rows else {}))

    async def _list(self, request: Request) -> Response:
        digits = request.path_params["digits"]
        self.requests.append({"list": digits})
        if self.faults:
            return self.faults.pop(0).response()
        content = self.lists.get(digits)
        if content is None:
            return Response("<Error><Code>NoSuchKey</Code></Error>", 404, media_type="application/xml")
        packed = content if isinstance(content, bytes) else packed_list(content)
        return Response(packed, media_type="application/gzip")


def packed_list(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file of an article list."""
    return gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode(), mtime=0)
