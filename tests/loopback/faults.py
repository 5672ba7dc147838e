"""Answers that a service gives instead of the right one, for the next requests."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.responses import Response


@dataclass(frozen=True)
class Fault:
    """One wrong answer.

    Attributes:
        status: Its status.
        body: Its body.
        headers: Its headers.
        missing: So many bytes more are announced than come.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: int = 0

    def response(self) -> Response:
        """The answer."""
        response = Response(self.body, self.status, dict(self.headers))
        if self.missing:
            response.headers["content-length"] = str(len(self.body) + self.missing)
        return response


def too_many(retry_after: str | None = None) -> Fault:
    """A 429, with or without the time to wait."""
    return Fault(429, b"Too Many Requests", {} if retry_after is None else {"retry-after": retry_after})
