"""What is true on a fictional exchange: its markets, their prices and trades at any moment, and how they end."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

Ending = Literal["Yes", "No", "split"]
HALF_HOUR = 1800

Oddity = Literal[
    "none", "no_first", "native_lists", "up_down", "teams", "no_outcomes", "no_oracle_status", "disputed", "split",
    "no_payout", "no_end_date", "year_2500", "vanishes", "no_data_v2", "no_prices", "note_added", "odd_times",
]  # fmt: skip
"""How the record of a market, or its data, differ from the ordinary."""

_ODDITIES: tuple[tuple[Oddity, int], ...] = (
    ("none", 70), ("no_first", 4), ("native_lists", 2), ("up_down", 3), ("teams", 3), ("no_outcomes", 1),
    ("no_oracle_status", 2), ("disputed", 1), ("split", 1), ("no_payout", 1), ("no_end_date", 1), ("year_2500", 1),
    ("vanishes", 1), ("no_data_v2", 3), ("no_prices", 1), ("note_added", 3), ("odd_times", 2),
)  # fmt: skip
_TAGS = (
    (("Politics", "World"), 40), (("Economy", "Finance"), 25), (("Tech", "Science"), 15), (("Sports", "Soccer"), 8),
    (("Crypto", "Crypto Prices"), 7), (("Weather",), 2), (("Mentions", "Culture"), 3),
)  # fmt: skip
_DEEDS = (
    "sign the {b} treaty", "raise its key rate", "appoint {b} as minister", "ratify the {b} accord",
    "open the {b} tunnel", "leave the {b} union", "approve the {b} merger", "win the {b} election",
    "publish the {b} report", "ban {b} imports", "launch the {b} probe", "end the {b} strike",
)  # fmt: skip
_SYLLABLES = ("al", "va", "ro", "mi", "ten", "dor", "ka", "lu", "sen", "bri", "qua", "zel", "no", "thi", "mar", "gos")


@dataclass(frozen=True)
class WorldEvent:
    """What one or several markets are about.

    Attributes:
        id: Its id.
        title: Its title.
        exclusive_group: The id shared by the markets of which at most one becomes Yes, None for a market on its own.
    """

    id: str
    title: str
    exclusive_group: str | None


class WorldTrade(NamedTuple):
    """One match as its taker sees it.

    Attributes:
        number: Its place among the trades of its market.
        second: When, in seconds since 1970.
        yes: Whether Yes tokens were traded.
        buy: Whether the taker bought.
        price: USDC per share of that token.
        shares: How many.
        indexed: When the exchange's index has it, in seconds since 1970.
        twin: Whether an equal row follows, which is a trade of its own.
    """

    number: int
    second: int
    yes: bool
    buy: bool
    price: float
    shares: float
    indexed: int
    twin: bool


@dataclass(frozen=True)
class WorldMarket:
    """A market, from its beginning to its end, whether that has come or not.

    Attributes:
        id: Its id, digits.
        condition_id: The key of its trades.
        question_id: The oracle's key.
        question: The question.
        rules: The resolution rules as they were written first.
        slug: Its name in addresses.
        event: What it is about.
        tags: Labels.
        opened: When trading begins.
        scheduled_close: The end that the record states; the rules' own deadline is later on that day.
        closed_at: When it closes for good.
        ending: How it ends.
        oddity: How it differs from the ordinary.
        placeholder: Whether it stands for "Other".
        yes_token: The token of Yes.
        no_token: The token of No.
        activity: Trades an hour, about.
        bulk: How many ordinary trades each of them is.
        salt: Where its chance comes from.
    """

    id: str
    condition_id: str
    question_id: str
    question: str
    rules: str
    slug: str
    event: WorldEvent
    tags: tuple[str, ...]
    opened: datetime
    scheduled_close: datetime
    closed_at: datetime
    ending: Ending
    oddity: Oddity
    placeholder: bool
    yes_token: str
    no_token: str
    activity: float
    bulk: int
    salt: int

    @cached_property
    def _news(self) -> tuple[tuple[int, float], ...]:
        """Moments in seconds and what they add to the log odds, the last one deciding."""
        chance = random.Random(self.salt)
        opened, closed = int(self.opened.timestamp()), int(self.closed_at.timestamp())
        last = max(opened + 1, closed - chance.randint(3, 30) * 3600)
        moments = sorted(chance.randint(opened, last) for _ in range(chance.randint(3, 8)))
        decisive = {"Yes": 5.0, "No": -5.0, "split": 0.0}[self.ending]
        start = chance.uniform(-1.3, 1.3)
        return (opened, start), *((moment, chance.gauss(0, 0.6)) for moment in moments), (last, decisive)

    def yes_price(self, second: int) -> float:
        """The Yes price of the half hour that a moment is in."""
        return _yes_price(self.salt, self._news, second)

    def has_price(self, second: int) -> bool:
        """Whether anything was recorded in the hour of a moment."""
        within = self.opened.timestamp() - HALF_HOUR < second < self.closed_at.timestamp()
        return within and self.oddity != "no_prices" and noise(self.salt + 1, second // 3600) > 0.02

    @cached_property
    def trades(self) -> tuple[WorldTrade, ...]:
        """All trades to its end, the oldest first."""
        opened, closed = int(self.opened.timestamp()), int(self.closed_at.timestamp())
        return _trades(self.salt, self._news, opened, closed, self.activity, self.bulk)

    def volume_usdc(self, second: int) -> float:
        """About what was traded until a moment, on a basis of the exchange's own."""
        opened, closed = self.opened.timestamp(), self.closed_at.timestamp()
        hours = max(0.0, (min(second, closed) - opened) / 3600)
        return round(hours * self.activity * self.bulk * 60 + 10 * noise(self.salt, 0), 6)

    def description(self, now: datetime) -> str:
        """The rules as they stand now."""
        if self.oddity == "note_added" and now >= self.closed_at - timedelta(days=1):
            day = f"{self.closed_at:%B} {self.closed_at.day}, {self.closed_at.year}"
            note = f"**Additional context ({day}):** This has happened; the market resolves {self.ending}."
            return f"{note}\n\n{self.rules}"
        return self.rules


@dataclass
class MarketWorld:
    """The markets of an exchange at a moment that can be moved.

    Attributes:
        seed: The same seed gives the same markets.
        markets: How many.
        now: The present, an aware datetime; what comes later is not told.
        odd: Whether some markets differ from the ordinary.
        lifetime_days: The longest life of a market; they opened at most 1.3 times that before ``now``.
        bulk: How many ordinary trades are one, so that there are fewer to read for the same volume.
        all: The markets, by growing id.
    """

    seed: int = 1
    markets: int = 300
    now: datetime = datetime(2026, 3, 25, tzinfo=UTC)
    odd: bool = True
    lifetime_days: int = 260
    bulk: int = 1
    all: list[WorldMarket] = field(init=False)

    def __post_init__(self) -> None:
        """Make the markets."""
        self.all = list(_markets(self))
        self._by_id = {market.id: market for market in self.all}
        self._by_condition = {market.condition_id: market for market in self.all}
        self._by_token = {token: market for market in self.all for token in (market.yes_token, market.no_token)}

    @property
    def second(self) -> int:
        """The present in seconds since 1970."""
        return int(self.now.timestamp())

    def by_id(self, id: str) -> WorldMarket | None:
        """The market of an id."""
        return self._by_id.get(id)

    def by_condition(self, condition_id: str) -> WorldMarket | None:
        """The market of a condition."""
        return self._by_condition.get(condition_id)

    def by_token(self, token: str) -> WorldMarket | None:
        """The market of a token."""
        return self._by_token.get(token)

    def is_closed(self, market: WorldMarket) -> bool:
        """Whether it has closed by now."""
        return self.now >= market.closed_at

    def is_resolved(self, market: WorldMarket) -> bool:
        """Whether its oracle has spoken by now; a dispute takes 20 days."""
        return self.now >= market.closed_at + timedelta(days=20 if market.oddity == "disputed" else 0)

    def is_there(self, market: WorldMarket) -> bool:
        """Whether the exchange lists it now."""
        gone = market.oddity == "vanishes" and self.now >= market.closed_at + timedelta(days=10)
        return market.opened <= self.now and not gone


def noise(salt: int, place: int) -> float:
    """A number from [0, 1) that depends on nothing but its arguments."""
    mixed = (salt * 0x9E3779B97F4A7C15 + place * 0xBF58476D1CE4E5B9 + 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return ((mixed ^ (mixed >> 31)) >> 11) / (1 << 53)


def _yes_price(salt: int, news: tuple[tuple[int, float], ...], second: int) -> float:
    slot = second // HALF_HOUR
    odds = sum(size for moment, size in news if moment <= slot * HALF_HOUR)
    odds += 0.12 * (noise(salt, slot) - 0.5)
    return round(min(max(1 / (1 + math.exp(-odds)), 0.0005), 0.9995), 4)


# Worlds of one seed have the same trades, and many tests begin with one.
@lru_cache(maxsize=500)
def _trades(
    salt: int, news: tuple[tuple[int, float], ...], opened: int, closed: int, activity: float, bulk: int
) -> tuple[WorldTrade, ...]:
    found: list[WorldTrade] = []
    for hour in range(opened // 3600, closed // 3600 + 1):
        count = int(2 * activity * noise(salt + 2, hour) + noise(salt + 3, hour))
        for place in range(count):
            chance = noise(salt + 4 + place, hour)
            second = hour * 3600 + int(3600 * (place + chance) / count)
            if not opened <= second < closed:
                continue
            yes = int(chance * 1000) % 3 > 0
            price = _yes_price(salt, news, second)
            lag = 7200 * chance if int(chance * 10_000) % 10 == 0 else 5
            twin = int(chance * 100_000) % 50 == 0
            shares = round(bulk * 20 * 10 ** (1.4 * noise(salt + 50 + place, hour)), 2)
            buy = int(chance * 100) % 2 == 0
            told = price if yes else round(1 - price, 4)
            found.append(WorldTrade(len(found), second, yes, buy, told, shares, second + int(lag), twin))
    return tuple(found)


def _markets(world: MarketWorld) -> Iterator[WorldMarket]:
    chance = random.Random(world.seed)
    number = 0
    while number < world.markets:
        event_id = str(20_000 + 7 * number)
        opened = _some_day(chance, world.now - timedelta(days=1.3 * world.lifetime_days), world.now)
        life = timedelta(days=chance.randint(5, world.lifetime_days))
        size = chance.randint(3, 6) if chance.random() < 0.06 else 1
        tags = chance.choices([tags for tags, _ in _TAGS], [weight for _, weight in _TAGS])[0]
        deadline = (opened + life).date()
        day = f"{deadline:%B} {deadline.day}, {deadline.year}"
        subject, deed = _name(chance), chance.choice(_DEEDS).format(b=_name(chance))
        group = None if size == 1 else f"0x{chance.getrandbits(256):064x}"
        title = f"Who will {deed} by {day}?" if group else f"Will {subject} {deed} by {day}?"
        event = WorldEvent(event_id, title, group)
        winner = chance.randrange(2 * size)
        names = [subject, *(_name(chance) for _ in range(size - 1))]
        for place in range(min(size, world.markets - number)):
            placeholder = group is not None and place == size - 1
            who = "anyone else" if placeholder else names[place]
            yield _market(world, chance, number, event, who, deed, opened, life, tags, winner == place, placeholder)
            number += 1


def _market(
    world: MarketWorld,
    chance: random.Random,
    number: int,
    event: WorldEvent,
    who: str,
    deed: str,
    opened: datetime,
    life: timedelta,
    tags: tuple[str, ...],
    wins: bool,
    placeholder: bool,
) -> WorldMarket:
    oddity = chance.choices([name for name, _ in _ODDITIES], [weight for _, weight in _ODDITIES])[0]
    if not world.odd or event.exclusive_group:
        oddity = "none"
    scheduled = (opened + life).replace(hour=12, minute=0, second=0)
    # The rules name 11:59 PM in New York, and the oracle takes some hours; an early Yes comes at any time before.
    in_time = scheduled + timedelta(hours=16 + chance.randint(3, 40), seconds=chance.randint(0, 3599))
    early = opened + (in_time - opened) * chance.uniform(0.3, 0.95)
    ending: Ending = "split" if oddity == "split" else "Yes" if wins else "No"
    day = f"{scheduled:%B} {scheduled.day}, {scheduled.year}"
    question = f"Will {who} {deed} by {day}?"
    rules = (
        f'This market will resolve to "Yes" if {who} happens to {deed} between market creation and {day}, 11:59 PM ET. '
        'Otherwise, this market will resolve to "No".\n\n'
        "The primary resolution source will be official information, or a consensus of credible reporting."
    )
    return WorldMarket(
        id=str(500_000 + 13 * number),
        condition_id=f"0x{chance.getrandbits(256):064x}",
        question_id=f"0x{chance.getrandbits(256):064x}",
        question=question,
        rules=rules,
        slug=question.lower().replace(",", "").replace("?", "").replace(" ", "-") + ("-other" if placeholder else ""),
        event=event,
        tags=tags,
        opened=opened,
        scheduled_close=scheduled,
        closed_at=early.replace(microsecond=0) if wins and chance.random() < 0.7 else in_time,
        ending=ending,
        oddity=oddity,
        placeholder=placeholder,
        yes_token=str(chance.getrandbits(250)),
        no_token=str(chance.getrandbits(250)),
        activity=chance.choice((0.1, 0.4, 0.8, 1.2)) / world.bulk,
        bulk=world.bulk,
        salt=chance.getrandbits(40),
    )


def _some_day(chance: random.Random, first: datetime, last: datetime) -> datetime:
    seconds = chance.randint(0, int((last - first).total_seconds()))
    return (first + timedelta(seconds=seconds)).replace(microsecond=0)


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(3)).capitalize()
