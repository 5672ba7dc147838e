"""What a market believes, hour by hour: Bayes' rule at events and mean-zero trading noise between them.

A price is a whole number of ticks. Every step keeps its mean: noise goes equally far up and down, a signal moves the
belief to one of two posteriors whose mean under the signal's own probabilities is the belief before it, and a posterior
between two ticks is rounded to one of them with the probabilities that keep its value on average. So the price is a
martingale exactly, with no clipping anywhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.demo.draws import Draws

Answer = Literal["Yes", "No"]


@dataclass(frozen=True)
class Signal:
    """A yes/no event that says something about the ultimate question U.

    Attributes:
        hour: Index of the hour in which its answer becomes public.
        if_true: P(answer is Yes | U comes true).
        if_false: P(answer is Yes | U comes false).
        ends: The answers after which nothing more is to come: later signals never happen.
    """

    hour: int
    if_true: float
    if_false: float
    ends: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class News:
    """What a signal turned out to be, and how it moved the belief.

    Attributes:
        hour: Index of the hour.
        answer: The answer that was drawn.
        probability: Of a Yes, as the market saw it just before.
        gap: Posterior after a Yes minus posterior after a No, before any shrinking into the price range.
    """

    hour: int
    answer: Answer
    probability: float
    gap: float


@dataclass(frozen=True)
class Market:
    """How a market trades.

    Attributes:
        prior: The belief at the first hour, in (0, 1).
        tick: Price step.
        floor: Lowest price in ticks; the highest is as far below 1.
        noise: Standard deviation of an hour's noise at price 0.5; 0 in hours without trades. Its length is the
            number of hours.
    """

    prior: float
    tick: float
    floor: int
    noise: NDArray[np.float64]


def lead(market: Market, signals: Sequence[Signal], draws: Draws) -> tuple[NDArray[np.int64], list[News | None]]:
    """Trade through signals whose answers are drawn from the market's belief.

    Args:
        market: The market.
        signals: In the order of their hours, at most one an hour.
        draws: The random choices.

    Returns:
        Prices in ticks for every hour, and for each signal its news, or None where an earlier one ended the matter.
    """
    news: list[News | None] = []
    ended = False

    def news_at(hour: int, belief: float) -> News | None:
        nonlocal ended
        if len(news) == len(signals) or signals[len(news)].hour != hour:
            return None
        signal = signals[len(news)]
        if ended:
            news.append(None)
            return None
        probability = belief * signal.if_true + (1 - belief) * signal.if_false
        answer: Answer = "Yes" if draws.chance(probability) else "No"
        after_no = belief * (1 - signal.if_true) / (1 - probability) if probability < 1 else belief
        after_yes = belief * signal.if_true / probability if probability > 0 else belief
        news.append(News(hour, answer, probability, after_yes - after_no))
        ended = answer in signal.ends
        return news[-1]

    ticks = _trade(market, news_at, draws)
    return ticks, news


def follow(market: Market, news: Sequence[News | None], strength: float, draws: Draws) -> NDArray[np.int64]:
    """Trade a related market through the news of another.

    Args:
        market: The related market.
        news: What ``lead`` returned for the other market.
        strength: The related market's gap as a multiple of the other's; negative where good news for one is bad
            news for the other.
        draws: The random choices.

    Returns:
        Prices in ticks for every hour.
    """
    by_hour = {item.hour: News(item.hour, item.answer, item.probability, item.gap * strength) for item in news if item}
    return _trade(market, lambda hour, belief: by_hour.get(hour), draws)


def split(belief: float, probability: float, gap: float, low: float, high: float) -> tuple[float, float]:
    """The two posteriors of a signal.

    They are ``gap`` apart and average to the belief. A gap that would leave [low, high] is shrunk, which is the same
    as a signal whose two likelihoods are pulled towards each other.

    Returns:
        The belief after a Yes and after a No.
    """
    up, down = (1 - probability) * gap, -probability * gap
    scale = 1.0
    for move in (up, down):
        room = high - belief if move > 0 else belief - low
        if abs(move) > room:
            scale = min(scale, room / abs(move))
    return belief + scale * up, belief + scale * down


def _trade(market: Market, news_at: Callable[[int, float], News | None], draws: Draws) -> NDArray[np.int64]:
    top = round(1 / market.tick)
    floor, ceiling = market.floor, top - market.floor
    ticks = np.empty(len(market.noise), dtype=np.int64)
    price = _round(market.prior * top, draws)
    for hour, deviation in enumerate(market.noise):
        if hour:
            price += _noise(price, float(deviation) * top, floor, ceiling, draws)
        news = news_at(hour, price / top)
        if news:
            after_yes, after_no = split(price / top, news.probability, news.gap, floor / top, ceiling / top)
            price = _round((after_yes if news.answer == "Yes" else after_no) * top, draws)
        ticks[hour] = price
    return ticks


def _round(value: float, draws: Draws) -> int:
    """A neighbouring whole number, with the probabilities that keep the value on average."""
    value = round(value, 9)
    below = int(value)
    return below + int(draws.chance(value - below))


def _noise(price: int, deviation: float, floor: int, ceiling: int, draws: Draws) -> int:
    """A move in ticks with mean 0, whose variance falls towards both ends of the price range."""
    if deviation == 0:
        return 0
    belief = price / (floor + ceiling)
    scaled = 2 * deviation * sqrt(belief * (1 - belief))
    size = max(1, round(1.5 * scaled))
    size = min(size, price - floor, ceiling - price)
    if size == 0 or not draws.chance(min(1.0, (scaled / size) ** 2)):
        return 0
    return size if draws.chance(0.5) else -size
