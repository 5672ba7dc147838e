"""The records of a fictional exchange as its listing sends them at a moment."""

import json
from datetime import datetime
from typing import Any

from tests.loopback.polymarket_world import MarketWorld, WorldMarket

_TEAMS = ["Harbour FC", "Valley United"]


def record(world: MarketWorld, market: WorldMarket, tags: bool = True) -> dict[str, Any]:
    """A market's record as it is now."""
    labels = {"up_down": ["Up", "Down"], "teams": _TEAMS}.get(market.oddity, ["Yes", "No"])
    tokens, prices = [market.yes_token, market.no_token], _outcome_prices(world, market)
    if market.oddity == "no_first":
        labels, tokens, prices = labels[::-1], tokens[::-1], prices[::-1]
    as_text = (lambda values: values) if market.oddity == "native_lists" else json.dumps
    closed = world.is_closed(market)
    end = None if market.oddity == "no_end_date" else _iso(market.scheduled_close)
    end = "2500-12-31T00:00:00Z" if market.oddity == "year_2500" else end
    volume = market.volume_usdc(world.second)
    row: dict[str, Any] = {
        "id": market.id,
        "question": market.question,
        "conditionId": market.condition_id,
        "questionID": market.question_id,
        "slug": market.slug,
        "description": market.description(world.now),
        "outcomes": "" if market.oddity == "no_outcomes" else as_text(labels),
        "outcomePrices": as_text(prices),
        "clobTokenIds": as_text(tokens),
        "volume": str(volume),
        "volumeNum": volume,
        "liquidity": "1520.25",
        "startDate": _iso(market.opened, fraction=".1234567" if market.oddity == "odd_times" else ""),
        "startDateIso": f"{market.opened:%Y-%m-%d}",
        "createdAt": _iso(market.opened, fraction=".123"),
        "updatedAt": _iso(world.now),
        "active": True,
        "closed": closed,
        "acceptingOrders": market.oddity == "no_oracle_status" or not closed,
        "archived": False,
        "negRisk": market.event.exclusive_group is not None,
        "lastTradePrice": market.yes_price(min(world.second, int(market.closed_at.timestamp()) - 1)),
        "umaResolutionStatuses": json.dumps(_stages(world, market)),
        "events": [_event(world, market)],
    }
    if end is not None:
        row |= {"endDate": end, "endDateIso": end[:10]}
    if market.event.exclusive_group:
        row |= {"negRiskMarketID": market.event.exclusive_group, "groupItemTitle": market.question.split()[1]}
        row["negRiskOther"] = market.placeholder
    if tags:
        row["tags"] = [{"id": f"1{len(tag)}", "label": tag, "slug": tag.lower()} for tag in market.tags]
    if closed:
        row["closedTime"] = f"{market.closed_at:%Y-%m-%d %H:%M:%S}+00"
        if world.is_resolved(market) and market.oddity != "no_oracle_status":
            row |= {"umaResolutionStatus": "resolved", "umaEndDate": _iso(market.closed_at)}
            if market.oddity == "odd_times":
                row["umaEndDate"] = f"{market.closed_at:%Y-%m-%d}T24:00:00Z"
    return row


def resolution(world: MarketWorld, market: WorldMarket) -> dict[str, Any]:
    """What the oracle's feed says about a market now."""
    row: dict[str, Any] = {
        "condition_id": market.condition_id,
        "question_id": market.question_id,
        "event_id": market.event.id,
        "status": "posed",
        "was_disputed": market.oddity == "disputed" and world.is_closed(market),
        "was_arbitrated": False,
        "proposed_price": 69,
        "price": 69,
        "payouts": None,
        "resolved_at": None,
        "resolution_source": "reported",
        "reporter": "UMA_OO",
        "market_type": "INCREMENTAL_NEGRISK" if market.event.exclusive_group else "BINARY",
        "new_version_q": market.oddity == "note_added" and world.is_closed(market),
    }
    if world.is_resolved(market):
        yes = {"Yes": 1_000_000, "No": 0, "split": 500_000}[market.ending]
        payouts = [yes, 1_000_000 - yes]
        row |= {
            "status": "resolved",
            "price": yes / 1_000_000,
            "payouts": payouts[::-1] if market.oddity == "no_first" else payouts,
            "resolved_at": int(market.closed_at.timestamp()),
        }
    elif world.is_closed(market):
        row |= {"status": "disputed", "proposed_price": 1 if market.ending == "Yes" else 0}
    return row


def _outcome_prices(world: MarketWorld, market: WorldMarket) -> list[str]:
    if not world.is_closed(market):
        price = market.yes_price(world.second)
        return [str(price), str(round(1 - price, 4))]
    if not world.is_resolved(market):
        return ["0.98", "0.02"]
    if market.oddity == "no_payout":
        return ["0", "0"]
    return {"Yes": ["1", "0"], "No": ["0", "1"], "split": ["0.5", "0.5"]}[market.ending]


def _stages(world: MarketWorld, market: WorldMarket) -> list[str]:
    if not world.is_closed(market) or market.oddity == "no_oracle_status":
        return []
    return ["proposed", "disputed"] if market.oddity == "disputed" else ["proposed"]


def _event(world: MarketWorld, market: WorldMarket) -> dict[str, Any]:
    row: dict[str, Any] = {"id": market.event.id, "title": market.event.title, "startDate": _iso(market.opened)}
    row["endDate"] = "2500-12-31T00:00:00Z" if market.oddity == "year_2500" else _iso(market.scheduled_close)
    if world.is_closed(market):
        row["closedTime"] = _iso(market.closed_at)
    return row


def _iso(moment: datetime, fraction: str = "") -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"
