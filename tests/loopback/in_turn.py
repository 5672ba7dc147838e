"""A service that gives prepared answers one after the other, reached without a connection."""

from collections.abc import Mapping
from typing import Any

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send


def answer(
    status: int = 200, content: bytes = b"", json: Any = None, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer with a body of bytes, or of JSON."""
    if json is not None:
        return JSONResponse(json, status, dict(headers or {}))
    return Response(content, status, dict(headers or {}))


class InTurn:
    """The service; its last answer is given again and again.

    Attributes:
        requests: The addresses that were asked for.
    """

    def __init__(self, *answers: Response) -> None:
        self.requests: list[str] = []
        self._answers = list(answers)

    @property
    def transport(self) -> httpx.ASGITransport:
        """What carries requests to it."""
        return httpx.ASGITransport(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        self.requests.append(str(Request(scope).url))
        given = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        await given(scope, receive, send)
