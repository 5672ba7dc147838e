"""An invented dump of closed markets as a listing shows them, with daily prices, of the size of the paper's.

Two thirds are matches of two teams; of the rest, many are of sports, crypto or weather, or short. Every stage of the
funnel finds something to drop. A market depends on the seed and its number alone.
"""

import io
import json
import math
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

MARKETS = 108_101
"""As many as the paper's dump has."""

COLLECTED = datetime(2026, 3, 25, tzinfo=UTC)

_DAY = timedelta(days=1)
_TEAMS = 0.64
_OLD = 0.19
_SHIFT = 1000
_NAMES = [
    first + last for first in "Bar Cor Del Fen Gal Hol Jas Kel Mar Nor".split() for last in "a en ick o um".split()
]
_OFFICES = ["the senate", "the cabinet", "the central bank", "the high court", "the assembly", "the commission"]
_PLAIN = [
    "Will {name} leave {office} by {day}?",
    "Will {office} of {name} raise its rate by {number} basis points before {day}?",
    "Will {name} win the election for {office} in {year}?",
    "Will inflation in {name} exceed {number}% in {month}?",
    "Will {name} and {other} sign a treaty about the conflict by {day}?",
    "Will {office} decide whether {name} meets its deficit target by {day}?",
    "Will the solution of {name} pass {office} before {day}?",
]
_SUBJECTS = [
    ("sports", "Will {name} win the NBA title in {year}?"),
    ("sports", "Will {name} be the MVP of the Super Bowl in {year}?"),
    ("crypto", "Will Bitcoin reach ${number}k by {day}?"),
    ("crypto", "Will {name} launch a token by {day}?"),
    ("weather", "Will it rain in {name} on {day}?"),
    ("culture", "Will {name} win Best Picture in {year}?"),
    ("culture", "How often will {name} tweet before {day}?"),
    ("culture", 'Will {name} say "{other}" on {day}?'),
]
_RULES = (
    'This market resolves to "Yes" if {claim} Otherwise, it resolves to "No". The primary source is what {office} '
    "publishes; a consensus of credible reports counts as well. "
)


def write_dump(path: Path, markets: int = MARKETS, seed: int = 1) -> None:
    """Write the dump as JSON lines, compressed by zstd; nothing is left behind half written."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    with (
        unfinished.open("wb") as file,
        zstandard.ZstdCompressor(level=3).stream_writer(file) as packed,
        io.TextIOWrapper(packed, encoding="utf-8") as lines,
    ):
        for number in range(markets):
            # A listing that shifts while it is read shows some markets twice.
            again = number >= _SHIFT and number % (2 * _SHIFT) == 0
            lines.write(json.dumps(raw_market(number - _SHIFT if again else number, seed), ensure_ascii=False) + "\n")
    unfinished.replace(path)


def window_volume_usdc(market_id: str, seed: int = 1) -> float:
    """What was traded in the window of a market: 1,000 USDC are exceeded by about three in four."""
    return random.Random(f"{seed}|volume|{market_id}").lognormvariate(math.log(4000), 2)


def raw_market(number: int, seed: int) -> dict[str, Any]:
    """One record, in the listing's own fields, and ``price_history``."""
    draw = random.Random(f"{seed}|{number}")
    teams = draw.random() < _TEAMS
    event = number // 3
    days = draw.randint(1, 4) if teams else min(500, int(draw.lognormvariate(math.log(45), 1.1)) + 1)
    closed_at = _closing(draw)
    opened = closed_at - days * _DAY - timedelta(minutes=draw.randrange(1440))
    early = 0 if draw.random() < 0.7 else draw.randint(1, 120)
    topic, question = (
        ("sports", "{name} against {other} on {day}") if teams else _question(random.Random(f"{seed}|{event}"))
    )
    question = _filled(question, draw, random.Random(f"{seed}|{event}"), closed_at + early * _DAY)
    won = draw.random() < 0.35
    history = _history(draw, opened, closed_at, won)
    opposite = {moment: round(1 - price, 4) for moment, price in history.items()}
    labels = ("Team A", "Team B") if teams else ("Yes", "No")
    sides = list(zip(labels, (history, opposite), (won, not won), strict=True))
    if draw.random() < 0.5:
        sides.reverse()
    prices = {label: series for label, series, _ in sides}
    unsettled = draw.random()
    return {
        "id": str(500_000 + number),
        "conditionId": f"0x{draw.getrandbits(256):064x}",
        "question": question,
        "slug": "-".join(question.lower().split()),
        "description": _description(draw),
        "outcomes": json.dumps(list(prices)),
        "outcomePrices": json.dumps(["0.5" if unsettled < 0.003 else str(int(paid)) for *_, paid in sides]),
        "clobTokenIds": json.dumps([str(draw.getrandbits(250)), str(draw.getrandbits(250))]),
        "volumeNum": round(draw.lognormvariate(math.log(60_000), 1.8), 2),
        "startDate": _iso(opened),
        "endDate": _iso(closed_at + early * _DAY),
        "closed": True,
        "closedTime": f"{closed_at:%Y-%m-%d %H:%M:%S}+00",
        "umaEndDate": _iso(closed_at),
        "umaResolutionStatus": "resolved" if unsettled > 0.004 else None,
        "umaResolutionStatuses": '["proposed"]',
        "negRisk": False,
        "negRiskOther": draw.random() < 0.02,
        "tags": [{"id": str(len(tag)), "label": tag.title(), "slug": tag} for tag in (topic, "all")],
        "events": [{"id": str(event), "title": "An event", "endDate": _iso(closed_at)}] if draw.random() < 0.97 else [],
        "price_history": json.dumps(prices) if draw.random() < 0.05 else prices,
    }


def _closing(draw: random.Random) -> datetime:
    if draw.random() < _OLD:
        return datetime(2025, 8, 31, tzinfo=UTC) - draw.random() * 400 * _DAY
    return datetime(2025, 9, 2, tzinfo=UTC) + draw.random() * (COLLECTED - datetime(2025, 9, 2, tzinfo=UTC))


def _question(draw: random.Random) -> tuple[str, str]:
    return ("politics", draw.choice(_PLAIN)) if draw.random() < 0.4 else draw.choice(_SUBJECTS)


def _filled(template: str, draw: random.Random, shared: random.Random, due: datetime) -> str:
    name, other = (f"{shared.choice(_NAMES)} {shared.choice(_NAMES)}" for _ in range(2))
    return template.format(
        name=name if draw.random() < 0.5 else draw.choice(_NAMES) + draw.choice(_NAMES).lower(),
        other=other,
        office=shared.choice(_OFFICES),
        number=draw.randrange(1, 200),
        day=f"{due:%B} {due.day}, {due.year}",
        month=f"{due:%B} {due.year}",
        year=due.year,
    )


def _description(draw: random.Random) -> str:
    rules = _RULES.format(claim="that happens as the question describes it.", office=draw.choice(_OFFICES))
    ending = "It resolves to any of the listed options." if draw.random() < 0.02 else ""
    return rules * draw.randint(6, 18) + ending


def _history(draw: random.Random, opened: datetime, closed_at: datetime, won: bool) -> dict[str, float]:
    """A price a day, some seconds after midnight, and a last one before the close; some days are missing."""
    noise = np.random.default_rng(draw.getrandbits(64))
    days = (closed_at - opened) // _DAY
    midnight = int(opened.timestamp()) // 86400 * 86400 + 7
    moments = midnight + np.arange(days) * 86400
    moments[0] = int(opened.timestamp()) + 60
    prices = _path(noise, days, draw.choice([0.02, 0.05, 0.3, 0.5, 0.7, 0.97]), won)
    present = noise.random(days) > 0.02
    present[[0, -1]] = True
    texts = np.datetime_as_string(moments[present].astype("datetime64[s]")).tolist()
    return dict(zip([f"{text}+00:00" for text in texts], prices[present].tolist(), strict=True))


def _path(noise: np.random.Generator, length: int, start: float, won: bool) -> NDArray[np.float64]:
    odds = math.log(start / (1 - start)) + np.cumsum(noise.normal(0, 0.15, length))
    drift = np.linspace(0, 1, length) ** 6 * (4 if won else -4)
    return np.asarray(np.round(1 / (1 + np.exp(-(odds + drift))), 4), dtype=np.float64)


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}Z"
