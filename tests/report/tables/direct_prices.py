"""What a question's prices say, straight from the files of a raw question set and by loops, for comparison."""

import json
import math
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl

HOUR = timedelta(hours=1)
MARGIN = 96 * HOUR
MEASURES = ("kl", "entropy_drop", "abs_change", "squared_change")


class DirectPrices:
    """Hourly prices of one question, from its window's first hour to its last one."""

    def __init__(self, question: dict[str, object], rows: pl.DataFrame) -> None:
        """Treat the prices of a question."""
        window = question["window"]
        assert isinstance(window, dict)
        self.first = _hour(window["start"])
        self.last = _hour(window["end"]) + 23 * HOUR
        inside = rows.filter(pl.col("hour").is_between(self.first - MARGIN, self.last + MARGIN)).sort("hour")
        self.raw = dict(inside.select("hour", "price").iter_rows())
        self.volume = dict(inside.select("hour", "volume_usdc").iter_rows())
        self.trusted: dict[datetime, float] = {}
        before = math.nan
        for hour, price in self.raw.items():
            around = sum(self.volume.get(hour + shift * HOUR, 0.0) for shift in range(-12, 13))
            weight = min(1.0, around / 1000)
            rounded = round(1000 * price) / 1000
            before = weight * rounded + (1 - weight) * before if self.trusted else rounded
            self.trusted[hour] = before
        self.start = next(iter(self.raw))
        assert list(self.raw) == [self.start + number * HOUR for number in range(len(self.raw))]
        self._values = {False: list(self.trusted.values()), True: list(self.raw.values())}
        self._known: dict[tuple[int, bool], dict[datetime, dict[str, float]]] = {}

    @property
    def traded(self) -> float:
        """USDC inside of the window."""
        return math.fsum(volume for hour, volume in self.volume.items() if self.first <= hour <= self.last)

    @property
    def hours(self) -> list[datetime]:
        """The window's hours that have a price."""
        return [hour for hour in self.trusted if self.first <= hour <= self.last]

    def beliefs(self, pivot: datetime, width: int, raw: bool = False) -> tuple[float, float] | None:
        """Mean prices before and after a pivot hour, None without both."""
        prices = self._values[raw]
        place = (pivot - self.start) // HOUR
        if place - width + 1 < 0 or place + width >= len(prices):
            return None
        return sum(prices[place - width + 1 : place + 1]) / width, sum(prices[place + 1 : place + width + 1]) / width

    def at(self, moment: datetime | None, width: int, raw: bool = False) -> dict[str, float]:
        """The measures around a resolution's time; zeros without a time or without both means."""
        both = None if moment is None else self.beliefs(pivot_of(moment), width, raw)
        return dict.fromkeys(MEASURES, 0.0) if both is None else measures(*both)

    def every_hour(self, width: int, raw: bool = False) -> dict[datetime, dict[str, float]]:
        """The measures at every hour of the window that has both means."""
        if (width, raw) not in self._known:
            self._known[width, raw] = {
                hour: measures(*both) for hour in self.hours if (both := self.beliefs(hour, width, raw)) is not None
            }
        return self._known[width, raw]

    def at_random(self, width: int, raw: bool = False) -> dict[str, float]:
        """The random-timing baseline."""
        found = self.every_hour(width, raw).values()
        return {name: sum(one[name] for one in found) / len(found) for name in MEASURES}

    def oracle(self, width: int) -> dict[str, float]:
        """The best hour, by measure."""
        return {name: max(one[name] for one in self.every_hour(width).values()) for name in MEASURES}


def read_prices(folder: Path) -> dict[str, DirectPrices]:
    """The prices of a set's questions by id."""
    table = pl.read_parquet(folder / "prices.parquet")
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    return {
        question["id"]: DirectPrices(question, table.filter(pl.col("question_id") == question["id"]))
        for question in questions
    }


def measures(before: float, after: float) -> dict[str, float]:
    """The four measures of a belief that moves."""
    p, q = (min(max(one, 1e-9), 1 - 1e-9) for one in (before, after))
    return {
        "kl": q * math.log2(q / p) + (1 - q) * math.log2((1 - q) / (1 - p)),
        "entropy_drop": _entropy(p) - _entropy(q),
        "abs_change": abs(after - before),
        "squared_change": (after - before) ** 2,
    }


def pivot_of(moment: datetime) -> datetime:
    """The latest whole hour strictly before a moment."""
    hour = moment.replace(minute=0, second=0, microsecond=0)
    return hour if moment > hour else hour - HOUR


def _entropy(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def _hour(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(minute=0, second=0, microsecond=0)
