"""What goes wrong at a fictional exchange, the same for the same request, whatever else is asked meanwhile."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Literal

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

Kind = Literal[
    "429_seconds", "429_date", "429_body", "429_silent", "503_retryable", "500", "200_error", "200_half",
    "200_html", "403_html",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "429_seconds", "429_date", "429_body", "429_silent", "503_retryable", "500", "200_error", "200_half",
    "200_html", "403_html",
)  # fmt: skip

_HTML = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>"


@dataclass
class Faults:
    """What goes wrong.

    Attributes:
        share: Share of the requests that are answered wrongly at first.
        kinds: In which ways, one for each such request.
        times: How often such a request fails until it is answered.
        wait: Seconds that a refusal asks to wait.
        broken_record: The id of a market whose record breaks every page that it is on.
        early_settlement_points: Whether a window of a settled market ends with the payout although it ends earlier.
        border_points: Whether a window gives a point at its end, which it should not.
        border_repeats: How many rows of trades each page repeats from the one before.
        last_cursor: What the last page names as its cursor: "" or None, or False where the field is missing.
        most_points: Bound on the points of one page of prices.
    """

    share: float = 0.0
    kinds: tuple[Kind, ...] = KINDS
    times: int = 1
    wait: int = 0
    broken_record: str | None = None
    early_settlement_points: bool = True
    border_points: bool = False
    border_repeats: int = 0
    last_cursor: Literal["", False] | None = None
    most_points: int = 10_000


class Faulty:
    """Decides which requests fail, and how."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._asked: Counter[str] = Counter()

    def instead(self, request: Request) -> Response | None:
        """The wrong answer to a request, None where it is to be answered."""
        text = f"{request.url.path}?{sorted(request.query_params.multi_items())}"
        digest = hashlib.sha256(text.encode()).digest()
        if int.from_bytes(digest[:4]) >= self._faults.share * 2**32 or self._asked[text] >= self._faults.times:
            return None
        self._asked[text] += 1
        kind = self._faults.kinds[digest[4] % len(self._faults.kinds)]
        return _ANSWERS[kind](self._faults.wait)


def _limited(headers: Mapping[str, str], **more: object) -> Response:
    body = {"error": "too many requests", "code": "rate_limited", "retryable": True, "trace_id": "t-2", **more}
    return JSONResponse(body, 429, dict(headers))


def _date(wait: int) -> Response:
    moment = datetime.fromtimestamp(datetime.now(UTC).timestamp() + wait, UTC)
    return _limited({"retry-after": format_datetime(moment, usegmt=True)})


def _half() -> Response:
    whole = json.dumps({"markets": [{"id": "1", "question": "Will it?"}], "data": [], "next_cursor": None})
    return Response(whole[: len(whole) // 2], media_type="application/json")


_ANSWERS: Mapping[Kind, Callable[[int], Response]] = {
    "429_seconds": lambda wait: _limited({"retry-after": str(wait)}),
    "429_date": _date,
    "429_body": lambda wait: _limited({}, retry_after_seconds=wait),
    "429_silent": lambda wait: _limited({}),
    "503_retryable": lambda wait: JSONResponse(
        {"error": "try again", "code": "dependency_unavailable", "retryable": True}, 503, {"retry-after": str(wait)}
    ),
    "500": lambda wait: JSONResponse({"error": "internal server error"}, 500),
    "200_error": lambda wait: JSONResponse({"error": "upstream request timeout"}),
    "200_half": lambda wait: _half(),
    "200_html": lambda wait: HTMLResponse(_HTML),
    "403_html": lambda wait: HTMLResponse(_HTML, 403),
}
