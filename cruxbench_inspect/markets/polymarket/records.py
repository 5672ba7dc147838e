"""Reading a record of the exchange's listing as a market, or saying why it is none."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import ValidationError

from cruxbench_inspect.markets.market import Market, Settled
from cruxbench_inspect.markets.polymarket.fields import (
    first_moment,
    flag_of,
    is_date,
    labels_of,
    list_of,
    moment_of,
    number_of,
    object_of,
    text_of,
    volume_of,
)

SOURCE = "polymarket"

PAID_AT_LEAST = 0.999
"""An outcome's final price from which on it has been paid."""

Reason = Literal[
    "no_object",
    "no_id",
    "no_question",
    "no_outcomes",
    "not_yes_no",
    "no_start",
    "bad_field",
    "bad_json",
    "cut_off",
    "duplicate_id",
]
"""Why a record is no market that can be used."""

_LAST_YEAR = 2100  # "2500-12-31" stands for no end at all
_UNFINISHED = frozenset({"proposed", "disputed", "requested", "challenged", "reproposed", "arbitration"})
_OTHER = re.compile(r"(?:^|-)others?(?:-|$)")
_NOBODY = re.compile(r"(?:^|-)placeholder(?:-|$)|^(?:person|player|candidate|company|team|option|movie)-[a-z]{1,2}$")


@dataclass(frozen=True)
class Skipped:
    """A record that is no market which can be used.

    Attributes:
        reason: Why, for counting.
        detail: Which record, which field, and its value, on one line.
    """

    reason: Reason
    detail: str


def read_market(raw: object) -> Market | Skipped:
    """A market from a record of the listing, or of a snapshot file that holds such records.

    Args:
        raw: Parsed JSON. Lists may be JSON in a text, numbers and flags may be as a table leaves them.
    """
    if not isinstance(raw, dict):
        return Skipped("no_object", f"no object but {_shown(raw)}")
    id = text_of(raw.get("id"))
    if id is None:
        return Skipped("no_id", f"id: {_shown(raw.get('id'))}")
    question = text_of(raw.get("question"))
    if question is None:
        return Skipped("no_question", f"market {id}: question: {_shown(raw.get('question'))}")
    outcomes = list_of(raw.get("outcomes"))
    if not outcomes:
        return Skipped("no_outcomes", f"market {id}: outcomes: {_shown(raw.get('outcomes'))}")
    labels = labels_of(outcomes)
    if sorted(labels) != ["no", "yes"]:
        return Skipped("not_yes_no", f"market {id}: outcomes: {_shown(outcomes)}")
    event = _first_event(raw)
    opened = first_moment(raw.get("startDate"), raw.get("createdAt"), raw.get("startDateIso"), event.get("startDate"))
    if opened is None:
        return Skipped("no_start", f"market {id}: startDate: {_shown(raw.get('startDate'))}")
    yes = labels.index("yes")
    tokens = [text_of(token) for token in list_of(raw.get("clobTokenIds")) or list_of(raw.get("positionIds")) or []]
    prices = [number_of(price) for price in list_of(raw.get("outcomePrices")) or []]
    closed = flag_of(raw.get("closed"))
    settled, outcome = _settled(raw, closed, prices, yes)
    closes, whole_day = _scheduled_close(raw, event)
    volume = volume_of(raw)
    group = _exclusive_group(raw, event)
    try:
        return Market(
            id=id,
            source=SOURCE,
            condition_id=text_of(raw.get("conditionId")),
            question=question,
            description=text_of(raw.get("description")) or "",
            slug=text_of(raw.get("slug")),
            tags=_tags(raw),
            event_id=text_of(event.get("id")),
            opened=opened,
            closes=closes,
            closes_whole_day=whole_day,
            closed_at=_closed_at(raw, event) if closed else None,
            settled=settled,
            outcome=outcome,
            resolution_status=_status(raw),
            volume_usdc=None if volume is None or volume < 0 else volume,
            yes_token=tokens[yes] if len(tokens) == 2 else None,
            no_token=tokens[1 - yes] if len(tokens) == 2 else None,
            yes_first=yes == 0,
            exclusive_group=group,
            placeholder=_is_placeholder(raw, group),
        )
    except ValidationError as error:
        first = error.errors()[0]
        return Skipped("bad_field", f"market {id}: {first['loc'][0]}: {first['msg']}: {_shown(first['input'])}")


def _settled(
    raw: Mapping[str, Any], closed: bool, prices: list[float | None], yes: int
) -> tuple[Settled, Literal["Yes", "No"] | None]:
    status = _status(raw)
    stages = labels_of(list_of(raw.get("umaResolutionStatuses")) or [])
    if not closed:
        under_way = status in _UNFINISHED or (status is None and bool(stages) and stages[-1] in _UNFINISHED)
        return "disputed" if under_way else "open", None
    if status in _UNFINISHED:
        return "disputed", None
    paid = [price is not None and price >= PAID_AT_LEAST for price in prices]
    empty = [price is not None and price <= 1 - PAID_AT_LEAST for price in prices]
    if len(prices) == 2 and sorted(paid) == sorted(empty) == [False, True]:
        outcome: Literal["Yes", "No"] = "Yes" if paid[yes] else "No"
        # Only the oracle's own status is proof: newer records have a status of the exchange's, for a second opinion.
        proven = status == "resolved" and text_of(raw.get("umaResolutionStatus")) is not None
        return "confirmed" if proven else "unconfirmed", outcome
    # The stages are history: they say that something is under way only where neither a status nor a payout says more.
    if status is None and stages and stages[-1] in _UNFINISHED:
        return "disputed", None
    return "split" if prices == [0.5, 0.5] else "no_label", None


def _closed_at(raw: Mapping[str, Any], event: Mapping[str, Any]) -> datetime | None:
    """When the market closed for good: by the oracle, else by its own or its event's record."""
    stated = (moment_of(value) for value in (raw.get("umaEndDate"), raw.get("closedTime"), event.get("closedTime")))
    return next((moment for moment in stated if moment is not None and moment.year < _LAST_YEAR), None)


def _status(raw: Mapping[str, Any]) -> str | None:
    status = text_of(raw.get("umaResolutionStatus")) or text_of(raw.get("resolutionStatus"))
    return status.lower() if status else None


def _scheduled_close(raw: Mapping[str, Any], event: Mapping[str, Any]) -> tuple[datetime | None, bool]:
    for value in (raw.get("endDate"), event.get("endDate"), raw.get("endDateIso")):
        moment = moment_of(value)
        if moment is not None and moment.year < _LAST_YEAR:
            return moment, is_date(value)
    return None, False


def _first_event(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    events = list_of(raw.get("events"))
    return object_of(events[0]) if events else {}


def _tags(raw: Mapping[str, Any]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for holder in (raw, *(object_of(event) for event in list_of(raw.get("events")) or [])):
        for tag in _tag_values(holder.get("tags")):
            label = text_of(tag.get("label")) or text_of(tag.get("slug")) if isinstance(tag, dict) else text_of(tag)
            if label is not None:
                found.setdefault(label)
    return tuple(found)


def _tag_values(value: object) -> Iterator[Any]:
    listed = list_of(value)
    if listed is not None:
        yield from listed
    elif isinstance(value, str):
        yield value


def _exclusive_group(raw: Mapping[str, Any], event: Mapping[str, Any]) -> str | None:
    group = text_of(raw.get("negRiskMarketID")) or text_of(event.get("negRiskMarketID"))
    if group is None and (flag_of(raw.get("negRisk")) or flag_of(event.get("negRisk"))):
        event_id = text_of(event.get("id"))
        return None if event_id is None else f"event {event_id}"
    return group


def _is_placeholder(raw: Mapping[str, Any], group: str | None) -> bool:
    if flag_of(raw.get("negRiskOther")):
        return True
    # A market on its own may well be about other things.
    names = (
        [text_of(raw.get("slug")) or "", (text_of(raw.get("groupItemTitle")) or "").replace(" ", "-")] if group else []
    )
    return any(_OTHER.search(name.casefold()) or _NOBODY.search(name.casefold()) for name in names)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
