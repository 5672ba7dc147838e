"""Listing the exchange's markets page by page, and looking up one of them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.asking import Asker
from cruxbench_inspect.markets.polymarket.fields import flag_of, moment_of, text_of, volume_of
from cruxbench_inspect.utc import format_utc

PATH = "/markets/keyset"
PAGE = 100
"""Records on a page."""


@dataclass(frozen=True)
class Filters:
    """What markets are listed. Bounds are inclusive; a record without the value is left out.

    Attributes:
        closed: Whether closed or open markets are listed; the exchange never lists both.
        volume_min: Least volume in USDC, as the exchange counts it.
        starts_after: Earliest start.
        starts_before: Latest start.
        ends_after: Earliest scheduled end.
        ends_before: Latest scheduled end.
    """

    closed: bool
    volume_min: float | None = None
    starts_after: datetime | None = None
    starts_before: datetime | None = None
    ends_after: datetime | None = None
    ends_before: datetime | None = None

    def params(self) -> dict[str, str]:
        """They as fields of a request."""
        fields = {
            "volume_num_min": None if self.volume_min is None else f"{self.volume_min:.6f}".rstrip("0").rstrip("."),
            "start_date_min": _iso(self.starts_after),
            "start_date_max": _iso(self.starts_before),
            "end_date_min": _iso(self.ends_after),
            "end_date_max": _iso(self.ends_before),
        }
        # Without this field only open markets are listed.
        closed = {"closed": "true" if self.closed else "false"}
        return closed | {name: value for name, value in fields.items() if value is not None}

    def misfit(self, raw: dict[str, Any]) -> str | None:
        """Which field of a record is not as they ask, None where all are.

        The exchange ignores filters that it does not know, so what it lists is looked at again.
        """
        if flag_of(raw.get("closed")) != self.closed:
            return "closed"
        if self.volume_min is not None:
            volume = volume_of(raw)
            if volume is None or volume < self.volume_min:
                return "volume"
        if not _within(raw.get("startDate"), self.starts_after, self.starts_before):
            return "startDate"
        return None if _within(raw.get("endDate"), self.ends_after, self.ends_before) else "endDate"


async def list_markets(
    asker: Asker, filters: Filters, problems: list[str] | None = None
) -> AsyncGenerator[dict[str, Any], None]:
    """The records of markets, each once, by growing id.

    A record that breaks every page it is on, so that there is an error or no whole JSON, is found by smaller pages;
    what lies behind it is then listed from the other end, by falling id.

    Args:
        asker: Asks the listing.
        filters: What is listed.
        problems: Takes one line for what could not be listed, and one for each field by which records were left out
            although they were listed.

    Raises:
        SourceFailure: If the listing does not answer.
    """
    told = problems if problems is not None else []
    walk = _Walk(asker, filters, told)
    async with aclosing(_both_ends(asker, filters, walk, told)) as records:
        async for raw in records:
            yield raw
    for field, ids in walk.misfits.items():
        told.append(f"{len(ids)} listed records are not as they were asked for by their {field}, as of market {ids[0]}")


async def _both_ends(
    asker: Asker, filters: Filters, walk: "_Walk", problems: list[str]
) -> AsyncGenerator[dict[str, Any], None]:
    try:
        async with aclosing(walk.records(ascending=True)) as records:
            async for raw in records:
                yield raw
        return
    except _Stuck as stuck:
        first = stuck
    try:
        async with aclosing(walk.records(ascending=False)) as records:
            async for raw in records:
                yield raw
        return
    except _Stuck as stuck:
        second = stuck
    if second.last is None and not await _answers(asker, filters, first.last is not None):
        raise first.failure
    ends = f"after market {first.last or '(none)'} and before market {second.last or '(none)'}"
    problems.append(f"the listing fails at a record {ends}; what lies between them is not listed: {first.failure}")


async def one_market(asker: Asker, id: str, since: datetime | None = None) -> dict[str, Any] | None:
    """The record of a market, closed or open; None when the exchange has none of this id.

    Args:
        asker: Asks the listing.
        id: The market's id.
        since: A kept answer asked before this moment does not count.

    Raises:
        SourceFailure: If the listing does not answer, or answers something else.
    """
    for closed in ("true", "false"):
        params = _look_up(id, closed)
        page = await asker.get(PATH, params, _check_page, since)
        for raw in page["markets"]:
            if isinstance(raw, dict) and text_of(raw.get("id")) == id:
                return raw
            raise SourceFailure(asker.client.service, "bad_answer", f"asked for market {id}, it lists other ones")
    return None


async def recorded_markets(asker: Asker, id: str, until: datetime | None = None) -> list[dict[str, Any]]:
    """The records of a market that were kept, whether or not the exchange still lists it, the newest first.

    Args:
        asker: Asked the listing, by ``one_market``.
        id: The market's id.
        until: Answers asked after this moment don't count.

    Raises:
        InputError: If the store of answers cannot be used.
    """
    found = []
    for closed in ("false", "true"):
        for kept in await asker.all_kept(PATH, _look_up(id, closed), _check_page, until):
            records = [raw for raw in kept.parsed["markets"] if isinstance(raw, dict) and text_of(raw.get("id")) == id]
            found += [(kept.asked, raw) for raw in records]
    # Of one moment, what is closed counts: it had closed while it was asked for.
    return [raw for _, raw in sorted(found, key=lambda one: one[0])][::-1]


def _look_up(id: str, closed: str) -> dict[str, str]:
    return {"id": id, "closed": closed, "include_tag": "true", "limit": "1"}


class _Stuck(Exception):
    """A listing goes no further, not even by one record.

    Attributes:
        failure: How it fails.
        last: The id of the last record before that, None where there was none.
    """

    def __init__(self, failure: SourceFailure, last: str | None = None) -> None:
        self.failure = failure
        self.last = last
        super().__init__(str(failure))


class _Walk:
    """Goes through a listing from either end.

    Attributes:
        misfits: The ids of records that were listed although they are not as was asked, by the field that differs.
    """

    def __init__(self, asker: Asker, filters: Filters, problems: list[str]) -> None:
        self._asker = asker
        self._filters = filters
        self._problems = problems
        self._seen: set[str] = set()
        self.misfits: dict[str, list[str]] = {}

    async def records(self, *, ascending: bool) -> AsyncGenerator[dict[str, Any], None]:
        """The records in one direction, until the end or until one that was read in the other direction.

        Raises:
            _Stuck: If a record breaks the page.
            SourceFailure: If the listing does not answer.
        """
        read: dict[str, None] = {}
        try:
            async with aclosing(self._pages(ascending)) as pages:
                async for page in pages:
                    for raw in page:
                        id = text_of(raw.get("id")) if isinstance(raw, dict) else None
                        if id is None:
                            self._problems.append(f"the listing has a record without an id: {str(raw)[:100]}")
                        elif id in self._seen:
                            return
                        elif id not in read:
                            read[id] = None
                            misfit = self._filters.misfit(raw)
                            if misfit is None:
                                yield raw
                            else:
                                self.misfits.setdefault(misfit, []).append(id)
        except _Stuck as stuck:
            raise _Stuck(stuck.failure, next(reversed(read), None)) from None
        finally:
            self._seen |= read.keys()

    async def _pages(self, ascending: bool) -> AsyncGenerator[list[Any], None]:
        params = _ordered(self._filters, ascending)
        cursors: set[str] = set()
        size, read_since = PAGE, 0
        while True:
            try:
                page = await self._asker.get(PATH, {**params, "limit": str(size)}, _check_page)
            except SourceFailure as failure:
                # Offline, the page is missing in the store because it was not answered then.
                if failure.kind not in ("outage", "bad_answer", "not_recorded"):
                    raise
                if size == 1:
                    raise _Stuck(failure) from None
                size, read_since = max(1, size // 5), 0
                continue
            yield page["markets"]
            cursor = page.get("next_cursor")
            if not cursor:
                return
            if cursor in cursors:
                raise SourceFailure(self._asker.client.service, "bad_answer", "the pages of the listing go in a circle")
            cursors.add(cursor)
            params["after_cursor"] = cursor
            # After a whole page in small pieces, whatever broke it was no record but has passed.
            read_since += len(page["markets"])
            if read_since >= PAGE:
                size = PAGE


def _ordered(filters: Filters, ascending: bool) -> dict[str, str]:
    # The id never changes, so nothing moves between pages while they are read.
    order = {"order": "id", "ascending": "true" if ascending else "false", "include_tag": "true"}
    return {**filters.params(), **order}


async def _answers(asker: Asker, filters: Filters, ascending: bool) -> bool:
    """Whether the listing answers at all, at the end at which it did before."""
    try:
        # Offline, the answer that was given then is as good.
        since = None if asker.offline else asker.clock()
        await asker.get(PATH, {**_ordered(filters, ascending), "limit": "1"}, _check_page, since)
    except SourceFailure:
        return False
    return True


def _check_page(page: Any) -> None:
    if not isinstance(page, dict) or not isinstance(page.get("markets"), list):
        raise ValueError("no page of markets")
    if not isinstance(page.get("next_cursor"), str | None):
        raise ValueError("next_cursor is no text")


def _within(value: object, first: datetime | None, last: datetime | None) -> bool:
    if first is None and last is None:
        return True
    moment = moment_of(value)
    return moment is not None and (first is None or moment >= first) and (last is None or moment <= last)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment)
