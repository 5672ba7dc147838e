"""The funnel once more, market by market in plain Python, and invented markets on which every stage matters."""

import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np

from cruxbench_inspect.markets.deadlines import stated_deadline
from cruxbench_inspect.markets.funnel_frame import OtherMarket, Row
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.keywords import KeywordList
from cruxbench_inspect.markets.market import Market, Settled

DAY = timedelta(days=1)
START = datetime(2025, 5, 1, tzinfo=UTC)


def invented(count: int, seed: int) -> list[Row]:
    """Markets of every kind, in the order of a listing that shows some of them twice."""
    draw = random.Random(seed)
    rows: list[Row] = []
    while len(rows) < count:
        if rows and draw.random() < 0.03:
            rows.append(draw.choice(rows))
        rows.append(_invented(draw, str(600_000 + len(rows))))
    return rows[:count]


def _invented(draw: random.Random, market_id: str) -> Row:
    opened = START + draw.random() * 200 * DAY
    life = draw.choice([3, 20, 34, 45, 70, 120, 200]) + draw.random()
    days = [opened + day * DAY for day in range(int(life)) if draw.random() < 0.9]
    question = draw.choice(
        [
            "Will {name} resign by {month} {number}, 2026?",
            "Will {name} win the election by {month} {number}?",
            "Will {name} win the NFL's title in {month}?",
            "Will DeFi grow in {name}?",
            "Will {name} win best director?",
            "Will the deficit of {name} exceed {number}.5%?",
            "Will {name} say {number} words in {month}?",
            "Will {name} post {number} tweets?",
        ]
    ).format(
        name=f"{draw.choice('ABCDEFGHIJ')}{draw.choice('aeiou')}{draw.choice('lmn')}",
        month=draw.choice(["March", "may", "June"]),
        number=draw.randrange(1, 5),
    )
    status = draw.choice(["resolved"] * 8 + [None, "proposed"])
    if draw.random() < 0.1:
        settled: Settled = draw.choice(["confirmed", "confirmed", "unconfirmed", "no_label", "open"])
        return OtherMarket(market_id, question, settled, status, days[-1] if days else None)
    outcome = draw.choice(["Yes", "No", None]) if draw.random() < 0.2 else "No"
    prices = _prices(draw, len(days))
    seconds = [int(day.timestamp()) for day in days]
    if draw.random() < 0.2:
        order = draw.sample(range(len(days)), len(days))
        seconds, prices = [seconds[index] for index in order], [prices[index] for index in order]
    market = Market(
        id=market_id,
        source="invented",
        question=question,
        description=draw.choice(
            ["The rules.", "It counts ANY of the Listed names.", "Humanity\u2019s Last Exam decides."]
        )
        if draw.random() < 0.2
        else "Rules.",
        tags=draw.choice([("Politics",), ("World", "SPORTS"), ("crypto ",), ("Weather",), (), ("Sportsmanship",)]),
        event_id=draw.choice([None, *(str(number) for number in range(150))]),
        opened=opened,
        closes=None if draw.random() < 0.05 else opened + (life + draw.choice([-5, 0, 0.1, 90])) * DAY,
        settled="split" if outcome is None else "unconfirmed" if draw.random() < 0.2 else "confirmed",
        outcome=outcome,
        resolution_status=status,
        volume_usdc=draw.choice([None, 10.0, 20.0, 20.0, draw.random() * 1e6]),
        placeholder=draw.random() < 0.05,
    )
    return market, np.array(seconds, dtype=np.int64), np.array(prices, dtype=np.float64)


def _prices(draw: random.Random, count: int) -> list[float]:
    level, prices = draw.choice([0.02, 0.05, 0.5, 0.6, 0.98]), []
    for _ in range(count):
        level = min(1.0, max(0.0, level + draw.gauss(0, 0.02)))
        prices.append(draw.choice([round(level, 3), round(level, 3), 0.1, 0.9]) if draw.random() < 0.02 else level)
    return prices


@dataclass(frozen=True)
class Survivor:
    """A market that is left, with its window."""

    market_id: str
    period: int
    start: datetime
    end: datetime


def plain_funnel(
    rows: list[Row], rules: FunnelRules, volumes: dict[str, float]
) -> tuple[list[int], dict[int, set[str]], list[Survivor]]:
    """All stages at the paper's parameters; seed, matching, placeholders and the end of windows are the rules'.

    Returns:
        What is left after every stage, the ids that each stage dropped, and the survivors.
    """
    counts: list[int] = []
    dropped: dict[int, set[str]] = {}
    left = [_Plain.of(row) for row in rows]

    def stage(kept: list[_Plain]) -> None:
        nonlocal left
        stays = {id(market) for market in kept}
        dropped[len(counts)] = {market.id for market in left if id(market) not in stays}
        counts.append(len(kept))
        left = kept

    stage(_first(left, lambda market: market.id))
    stage([market for market in left if market.last and market.last >= datetime(2025, 9, 1, tzinfo=UTC)])
    stage([market for market in left if market.settled])
    stage(_first(left, lambda market: market.question))
    stage([market for market in left if market.resolved])
    stage([market for market in left if market.market])
    stage([m for m in left if not {t.strip().lower() for t in m.tags} & {"sports", "crypto", "weather"}])
    stage([market for market in left if not _any(rules.question_words, market.question, rules)])
    stage([m for m in left if m.deadline])
    stage([m for m in left if (_end(m) - m.opened).total_seconds() >= 60 * 86400])
    stage([market for market in left if not _any(rules.subjects, market.question, rules)])
    stage([market for market in left if len(market.points) >= 30])
    stage([market for market in left if rules.placeholders or not market.placeholder])
    groups: dict[str, list[_Plain]] = defaultdict(list)
    for market in left:
        groups[market.event or f"no event {market.id}"].append(market)
    drawn = {min(group, key=lambda market: _digest(rules.seed, market.id)).id for group in groups.values()}
    stage([market for market in left if market.id in drawn])
    ordered = sorted(left, key=lambda market: -1.0 if market.volume is None else market.volume, reverse=True)
    stage(_first(ordered, lambda market: _normal(market.question)))
    stage([m for m in left if not _any(rules.description_phrases, f"{m.description} {m.question}", rules)])
    active = {market.id: _active(market) for market in left}
    stage([market for market in left if active[market.id]])
    found = {market.id: _windows(market, active[market.id], rules) for market in left}
    stage([market for market in left if found[market.id]])
    chosen = {m.id: min(found[m.id], key=lambda window: _digest(rules.seed, m.id, window.period)) for m in left}
    stage(list(left))
    smallest = 1000 if rules.volume_basis == "two_sided" else 500
    stage([market for market in left if volumes[market.id] > smallest])
    return counts, dropped, [chosen[market.id] for market in left]


class _Plain:
    """A market with nothing computed ahead."""

    def __init__(self, row: OtherMarket | Market, points: list[tuple[datetime, float]]) -> None:
        self.id, self.question, self.points = row.id, row.question, points
        self.market = isinstance(row, Market)
        self.settled, self.resolved = row.settled in ("confirmed", "unconfirmed"), row.settled == "confirmed"
        if isinstance(row, OtherMarket):
            self.last = row.last_point
            return
        self.last = points[-1][0] if points else None
        self.tags, self.event, self.volume, self.placeholder = row.tags, row.event_id, row.volume_usdc, row.placeholder
        self.opened, self.closes, self.description = row.opened, row.closes, row.description
        # How a deadline is read has tests of its own.
        self.deadline = stated_deadline(row.description, row.question, row.opened, row.closes) or row.closes

    @classmethod
    def of(cls, row: Row) -> "_Plain":
        if isinstance(row, OtherMarket):
            return cls(row, [])
        market, seconds, prices = row
        points = zip(seconds.tolist(), prices.tolist(), strict=True)
        return cls(market, sorted((datetime.fromtimestamp(second, UTC), price) for second, price in points))


def _first(markets: list[_Plain], key: Callable[[_Plain], str]) -> list[_Plain]:
    seen: dict[str, _Plain] = {}
    for market in markets:
        seen.setdefault(key(market), market)
    return list(seen.values())


def _any(lists: tuple[KeywordList, ...], text: str, rules: FunnelRules) -> bool:
    words = [(keyword.word, keyword.forms) for keywords in lists for keyword in keywords.keywords]
    if rules.matching == "substrings":
        return any(word.lower().replace("'", "\u2019") in text.lower().replace("'", "\u2019") for word, _ in words)
    tokens = re.findall(r"\w+", text.lower())
    for word, forms in words:
        for form in (word, *forms):
            *head, tail = re.findall(r"\w+", form.lower())
            for at in range(len(tokens) - len(head)):
                same_tail = tokens[at + len(head)] in (tail, tail + "s", tail + "es")
                if same_tail and tokens[at : at + len(head)] == head:
                    return True
    return False


def _normal(question: str) -> str:
    months = ["march", "may", "june"]
    words = ["".join(re.findall(r"\w", word)) for word in re.sub(r"\b\d+\b", "", question.lower()).split()]
    return " ".join(word for word in words if word and word not in months)


def _digest(seed: int, *key: object) -> str:
    return hashlib.sha256("|".join([str(seed), *map(str, key)]).encode()).hexdigest()


def _anchor(market: _Plain) -> datetime:
    return max(market.points[0][0], datetime(2025, 9, 1, tzinfo=UTC))


def _active(market: _Plain) -> list[int]:
    assert market.last is not None
    daily: dict[date, float] = {}
    for moment, price in market.points:
        daily[moment.date()] = price
    day, price = market.points[0][0].date(), market.points[0][1]
    while day <= market.last.date():
        price = daily.setdefault(day, price)
        day += DAY
    whole_days = int((market.last - _anchor(market)).total_seconds() // 86400)
    active = []
    for index in range(max(1, (whole_days + 29) // 30)):
        start = _anchor(market) + index * 30 * DAY
        end = min(start + 30 * DAY, market.last)
        seen = [
            price for day, price in daily.items() if start <= datetime(day.year, day.month, day.day, tzinfo=UTC) <= end
        ]
        if any(price > 0.1 for price in seen) and any(price < 0.9 for price in seen):
            active.append(index)
    return active


def _end(market: _Plain) -> datetime:
    end = market.closes or market.deadline
    assert end is not None
    return end


def _windows(market: _Plain, active: list[int], rules: FunnelRules) -> list[Survivor]:
    assert market.last is not None and market.deadline is not None
    found = []
    for index in active:
        start = _anchor(market) + index * 30 * DAY
        ends = [start + 30 * DAY, market.last - 3 * DAY]
        scheduled = [start + 30 * DAY, market.deadline - 3 * DAY]
        shown = min(ends if rules.window_end == "last_price" else scheduled)
        if min(min(ends), shown) - start >= 7 * DAY:
            found.append(Survivor(market.id, index, start, shown))
    return found
