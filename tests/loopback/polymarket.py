"""A prediction exchange on loopback: its listing at ``/gamma``, its data at ``/data``, its book at ``/clob``."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.polymarket_faults import Faults, Faulty
from tests.loopback.polymarket_prices import LongestWindow, book_history, history
from tests.loopback.polymarket_records import record, resolution
from tests.loopback.polymarket_world import MarketWorld, WorldMarket, WorldTrade

_PAGE = 100
_NO_FILTERS = ("after_cursor", "limit", "offset")
_SORTS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "id": lambda row: int(row["id"]),
    "createdAt": lambda row: row["createdAt"],
    "volume": lambda row: row["volume"],
    "volumeNum": lambda row: row["volumeNum"],
    "endDate": lambda row: row.get("endDate", ""),
}


def exchange(world: MarketWorld, faults: Faults | None = None) -> "Exchange":
    """The application of the three services, to be served."""
    return Exchange(world, faults or Faults())


class Exchange(Starlette):
    """The services.

    Attributes:
        world: What is true.
        faults: What goes wrong.
        requests: Every request so far: its path, and its fields in their order.
        instead: Is asked first about each request, and may answer it, or raise.
    """

    def __init__(self, world: MarketWorld, faults: Faults) -> None:
        self.world = world
        self.faults = faults
        self.requests: list[tuple[str, list[tuple[str, str]]]] = []
        self.instead: Callable[[Request], Response | None] = lambda request: None
        self._last: tuple[Any, list[dict[str, Any]]] | None = None
        self._traded_at = 0
        self._traded_rows: dict[tuple[str, bool], list[dict[str, Any]]] = {}
        faulty = Faulty(faults)

        def route(path: str, answer: Callable[[Request], Response]) -> Route:
            async def endpoint(request: Request) -> Response:
                self.requests.append((request.url.path, request.query_params.multi_items()))
                return self.instead(request) or faulty.instead(request) or answer(request)

            return Route(path, endpoint)

        super().__init__(
            routes=[
                route("/gamma/markets/keyset", self.listing),
                route("/gamma/markets", self._old_listing),
                route("/gamma/markets/{id}", self._market),
                route("/data/v2/prices-history", self._history),
                route("/data/v2/trades", self._trades),
                route("/data/v2/resolutions", self._resolutions),
                route("/clob/prices-history", self._book_history),
                route("/clob/markets/{condition_id}", self._book_market),
            ]
        )

    def listing(self, request: Request) -> Response:
        """A page of the listing."""
        asked = request.query_params
        if "offset" in asked:
            return JSONResponse({"error": "offset is not supported with keyset pagination"}, 422)
        rows = self._selected(asked)
        filters = [pair for pair in sorted(asked.multi_items()) if pair[0] not in _NO_FILTERS]
        begin = 0
        if asked.get("after_cursor"):
            cursor = _decoded(asked["after_cursor"])
            if cursor is None or cursor["filters"] != json.dumps(filters):
                return JSONResponse({"error": "invalid cursor"}, 400)
            begin = 1 + next((place for place, row in enumerate(rows) if row["id"] == cursor["id"]), len(rows))
        page = rows[begin : begin + min(int(asked.get("limit", _PAGE)), _PAGE)]
        if any(row["id"] == self.faults.broken_record for row in page):
            return JSONResponse({"error": "internal server error"}, 500)
        body: dict[str, Any] = {"markets": page}
        if page and page[-1]["id"] != rows[-1]["id"]:
            body["next_cursor"] = _encoded({"id": page[-1]["id"], "filters": json.dumps(filters)})
        elif self.faults.last_cursor is not False:
            body["next_cursor"] = self.faults.last_cursor
        return JSONResponse(body)

    def _old_listing(self, request: Request) -> Response:
        begin = int(request.query_params.get("offset", 0))
        if begin > 2_000:
            return JSONResponse({"error": "offset too large"}, 422)
        rows = self._selected(request.query_params)
        return JSONResponse(rows[begin : begin + min(int(request.query_params.get("limit", 20)), _PAGE)])

    def _selected(self, asked: QueryParams) -> list[dict[str, Any]]:
        """The records that the filters leave. A filter that is not known, or joined by commas, does nothing."""
        key = (self.world.now, *sorted(pair for pair in asked.multi_items() if pair[0] not in _NO_FILTERS))
        if self._last is None or self._last[0] != key:
            self._last = key, self._select(asked)
        return self._last[1]

    def _select(self, asked: QueryParams) -> list[dict[str, Any]]:
        closed = asked.get("closed", "false") == "true"
        tags = asked.get("include_tag") == "true"
        there = [market for market in self.world.all if self.world.is_there(market)]
        rows = [
            record(self.world, market, tags)
            for market in there
            if self.world.is_closed(market) == closed and _named(market, asked)
        ]
        for name, field in (("volume_num", "volumeNum"), ("start_date", "startDate"), ("end_date", "endDate")):
            for bound in ("min", "max"):
                wanted = asked.get(f"{name}_{bound}")
                if wanted is not None:
                    rows = [row for row in rows if _within(row.get(field), wanted, bound)]
        rows.sort(key=_SORTS.get(asked.get("order", "id"), _SORTS["id"]), reverse=asked.get("ascending") == "false")
        return rows

    def _market(self, request: Request) -> Response:
        market = self.world.by_id(request.path_params["id"])
        if market is None or not self.world.is_there(market):
            return JSONResponse({"type": "not found error", "error": "id not found"}, 404)
        return JSONResponse(record(self.world, market))

    def _history(self, request: Request) -> Response:
        asked = request.query_params
        market = self.world.by_token(asked.get("token_id", ""))
        if market is None:
            return _refused("unknown token", "token_id")
        try:
            rows = history(self.world, market, asked, self.faults)
        except ValueError as error:
            return _refused(str(error), None)
        begin = int((_decoded(asked["cursor"]) or {})["begin"]) if asked.get("cursor") else 0
        limit = min(int(asked.get("limit", 10_000)), self.faults.most_points)
        more = begin + limit < len(rows)
        cursor = _encoded({"begin": begin + limit}) if more else None
        page = {"limit": limit, "has_more": more, "next_cursor": cursor}
        return JSONResponse({"data": rows[begin : begin + limit], "pagination": page})

    def _book_history(self, request: Request) -> Response:
        market = self.world.by_token(request.query_params.get("market", ""))
        try:
            return JSONResponse(
                {"history": [] if market is None else book_history(self.world, market, request.query_params)}
            )
        except LongestWindow as error:
            return JSONResponse({"error": str(error)}, 400)

    def _trades(self, request: Request) -> Response:
        asked = request.query_params
        if "offset" in asked:
            return _refused("offset is not supported", "offset")
        market = self.world.by_condition(asked.get("condition", asked.get("condition_id", "")))
        if market is None:
            return JSONResponse({"data": [], "pagination": {"has_more": False, "next_cursor": None}})
        rows = self._traded(market, with_makers=asked.get("taker_only", "true") == "false")
        begin = int((_decoded(asked["cursor"]) or {})["begin"]) if asked.get("cursor") else 0
        # A cursor names a place from the oldest row on, so that new trades do not shift it.
        first = len(rows) - begin if begin else 0
        last = first + min(int(asked.get("limit", 100)), 1_000)
        page = rows[max(0, first - self.faults.border_repeats) if begin else 0 : last]
        more = last < len(rows)
        cursor = _encoded({"begin": len(rows) - last}) if more else None
        return JSONResponse({"data": page, "pagination": {"has_more": more, "next_cursor": cursor}})

    def _traded(self, market: WorldMarket, with_makers: bool) -> list[dict[str, Any]]:
        """All rows of a market, the newest first, made once a moment."""
        now = self.world.second
        if self._traded_at != now:
            self._traded_at, self._traded_rows = now, {}
        key = (market.id, with_makers)
        if key not in self._traded_rows:
            seen = [trade for trade in market.trades if trade.indexed <= now]
            rows = [row for trade in reversed(seen) for row in _trade_rows(market, trade)]
            if with_makers:
                rows = [each for row in rows for each in (row, _maker_row(row))]
            self._traded_rows[key] = rows
        return self._traded_rows[key]

    def _resolutions(self, request: Request) -> Response:
        wanted = request.query_params.getlist("condition_id")
        if not 1 <= len(wanted) <= 20:
            return _refused("between 1 and 20 conditions are wanted", "condition_id")
        found = [market for id in wanted if (market := self.world.by_condition(id)) is not None]
        return JSONResponse({"data": [resolution(self.world, market) for market in found]})

    def _book_market(self, request: Request) -> Response:
        market = self.world.by_condition(request.path_params["condition_id"])
        if market is None:
            return JSONResponse({"error": "market not found"}, 404)
        done = self.world.is_resolved(market)
        tokens = [
            {"token_id": token, "outcome": label, "price": 0.5, "winner": done and market.ending == label}
            for token, label in ((market.yes_token, "Yes"), (market.no_token, "No"))
        ]
        body = {"condition_id": market.condition_id, "closed": self.world.is_closed(market), "tokens": tokens}
        return JSONResponse({**body, "is_50_50_outcome": done and market.ending == "split"})


def _named(market: WorldMarket, asked: QueryParams) -> bool:
    named = {"id": market.id, "slug": market.slug, "condition_ids": market.condition_id}
    for field, value in named.items():
        wanted = [each for each in asked.getlist(field) if "," not in each]
        if wanted and value not in wanted:
            return False
    tokens = [each for each in asked.getlist("clob_token_ids") if "," not in each]
    return not tokens or market.yes_token in tokens or market.no_token in tokens


def _within(value: Any, wanted: str, bound: str) -> bool:
    if value is None:
        return False
    limit = float(wanted) if isinstance(value, float) else wanted
    return bool(value >= limit if bound == "min" else value <= limit)


def _trade_rows(market: WorldMarket, trade: WorldTrade) -> list[dict[str, Any]]:
    unlabelled = trade.number % 97 == 96
    index = int(trade.yes) if market.oddity == "no_first" else int(not trade.yes)
    row = {
        "condition_id": market.condition_id,
        "token_id": market.yes_token if trade.yes else market.no_token,
        "side": "BUY" if trade.buy else "SELL",
        "size": trade.shares,
        "price": trade.price,
        "timestamp": trade.second,
        "outcome": "" if unlabelled else "Yes" if trade.yes else "No",
        "outcome_index": 999 if unlabelled else index,
        "transaction_hash": f"0x{market.salt * 1_000_003 + trade.number:064x}",
        "proxy_wallet": f"0x{trade.number % 50:040x}",
        "slug": market.slug,
        "title": market.question,
    }
    return [row, row] if trade.twin else [row]


def _maker_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "side": "SELL" if row["side"] == "BUY" else "BUY", "proxy_wallet": f"0x{'f' * 40}"}


def _refused(error: str, parameter: str | None) -> Response:
    body = {"error": error, "code": "invalid_request", "retryable": False, "trace_id": "t-1", "parameter": parameter}
    return JSONResponse(body, 400)


def _encoded(cursor: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(cursor).encode()).decode()


def _decoded(cursor: str) -> dict[str, Any] | None:
    try:
        decoded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(cursor))
    except (binascii.Error, ValueError):
        return None
    return decoded
