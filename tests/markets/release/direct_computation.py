"""The value of information straight from the release's files, by the method's formulas, for comparison."""

import json
import math
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

HOUR = timedelta(hours=1)


def kl(after: float, before: float) -> float:
    """KL(p' || p) of Bernoulli beliefs, bits."""
    after, before = (min(max(p, 1e-9), 1 - 1e-9) for p in (after, before))
    return after * math.log2(after / before) + (1 - after) * math.log2((1 - after) / (1 - before))


class DirectMarket:
    """One market's trusted prices and window."""

    def __init__(self, root: Path, question: dict[str, Any]) -> None:
        """Read the prices of a question's record."""
        file = root / "data" / "hourly_prices_trusted" / f"{question['id']}.json"
        yes = json.loads(file.read_text(encoding="utf-8"))["Yes"]
        self.prices = {datetime.fromisoformat(moment): price for moment, price in yes.items()}
        window = question["active_windows"][0]
        self.first = _floor(datetime.fromisoformat(window["start"]))
        self.last = _floor(datetime.fromisoformat(window["end"])) + 23 * HOUR

    def kl_at(self, pivot: datetime, width: int) -> float | None:
        """KL around a pivot hour; None without both means."""
        before = [self.prices.get(pivot - number * HOUR) for number in range(width)]
        after = [self.prices.get(pivot + (number + 1) * HOUR) for number in range(width)]
        known_before = [price for price in before if price is not None]
        known_after = [price for price in after if price is not None]
        if len(known_before) < width or len(known_after) < width:
            return None
        return kl(sum(known_after) / width, sum(known_before) / width)

    def value(self, moment: datetime, width: int) -> float:
        """KL around a resolution's time, 0 without both means."""
        hour = _floor(moment)
        return self.kl_at(hour if moment > hour else hour - HOUR, width) or 0.0

    def at_random(self, width: int) -> float:
        """The mean over the window's hours."""
        count = (self.last - self.first) // HOUR + 1
        hours = [self.kl_at(self.first + number * HOUR, width) for number in range(count)]
        known = [value for value in hours if value is not None]
        return sum(known) / len(known)


def _floor(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)
