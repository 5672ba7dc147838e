"""The simulated prices: a martingale to the tick, with Bayes' rule at the events."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cruxbench_inspect.demo.beliefs import Market, News, Signal, follow, lead, split
from cruxbench_inspect.demo.draws import Draws

HOURS = 60
SIGNALS = (Signal(12, 0.8, 0.4), Signal(24, 0.995, 0.6, ends=("No",)), Signal(36, 0.3, 0.55), Signal(48, 0.3, 0.0))
RUNS = 1500

Prices = NDArray[np.float64]


def _market(prior: float, tick: float = 0.005, floor: int = 1) -> Market:
    noise = np.full(HOURS, 0.006)
    noise[::5] = 0.0
    return Market(prior=prior, tick=tick, floor=floor, noise=noise)


@pytest.fixture(scope="module", params=[(0.005, 1), (0.001, 2)], ids=["coarse", "fine"])
def paths(request: pytest.FixtureRequest) -> Prices:
    """Prices in ticks of a leading market and of a follower, over many seeds: (run, market, hour)."""
    tick, floor = request.param
    runs = []
    for seed in range(RUNS):
        ticks, news = lead(_market(0.15 + 0.7 * (seed % 10) / 9, tick, floor), SIGNALS, Draws(seed, 0))
        runs.append([ticks, follow(_market(0.6, tick, floor), news, -0.75, Draws(seed, 1))])
    return np.array(runs, dtype=np.float64) * float(tick)


@pytest.mark.parametrize("market", [0, 1], ids=["leader", "follower"])
def test_the_mean_increment_is_zero_at_every_price(paths: Prices, market: int) -> None:
    prices = paths[:, market]
    before, steps = prices[:, :-1].ravel(), np.diff(prices, axis=1).ravel()
    tested = 0
    for low in np.arange(0.0, 1.0, 0.1):
        bucket = steps[(before >= low) & (before < low + 0.1)]
        if len(bucket) < 1000:
            continue
        tested += 1
        assert abs(bucket.mean()) < 3 * bucket.std(ddof=1) / np.sqrt(len(bucket)), f"bucket from {low:.1f}"
    assert tested >= 7


@pytest.mark.parametrize("market", [0, 1], ids=["leader", "follower"])
def test_the_mean_jump_at_each_event_is_zero(paths: Prices, market: int) -> None:
    for signal in SIGNALS:
        jumps = paths[:, market, signal.hour] - paths[:, market, signal.hour - 1]
        assert abs(jumps.mean()) < 3 * jumps.std(ddof=1) / np.sqrt(len(jumps))


def test_the_largest_moves_are_at_the_events(paths: Prices) -> None:
    moves = np.abs(np.diff(paths[:, 0], axis=1)).mean(axis=0)
    at_events = [signal.hour - 1 for signal in SIGNALS]
    elsewhere = np.delete(moves, at_events)
    assert min(moves[at_events]) > 3 * max(elsewhere)


def test_prices_stay_inside_their_range(paths: Prices) -> None:
    assert paths.min() > 0
    assert paths.max() < 1


def test_nothing_moves_without_trades() -> None:
    still = Market(prior=0.4, tick=0.001, floor=2, noise=np.zeros(HOURS))
    ticks, news = lead(still, SIGNALS[:1], Draws(3))
    assert set(np.flatnonzero(np.diff(ticks)).tolist()) == {11}
    assert news[0] is not None


def test_an_answer_that_ends_the_story_is_the_last_one() -> None:
    ended = 0
    for seed in range(60):
        _, news = lead(_market(0.3), SIGNALS, Draws(seed))
        decisive = news[1]
        if decisive and decisive.answer == "No":
            ended += 1
            assert news[2] is None
            assert news[3] is None
        else:
            assert None not in news
    assert ended > 0


def test_answers_come_as_often_as_the_market_believes() -> None:
    news = [lead(_market(0.4), SIGNALS[:1], Draws(seed))[1][0] for seed in range(2000)]
    hits = np.array([(item.answer == "Yes") - item.probability for item in news if isinstance(item, News)])
    assert len(hits) == 2000
    assert abs(hits.mean()) < 3 * hits.std(ddof=1) / np.sqrt(len(hits))


@given(
    belief=st.floats(0.01, 0.99),
    probability=st.floats(0.001, 0.999),
    gap=st.floats(-1.0, 1.0),
)
def test_the_two_posteriors_average_to_the_belief(belief: float, probability: float, gap: float) -> None:
    after_yes, after_no = split(belief, probability, gap, 0.005, 0.995)
    assert probability * after_yes + (1 - probability) * after_no == pytest.approx(belief, abs=1e-12)
    assert 0.005 - 1e-12 <= min(after_yes, after_no)
    assert max(after_yes, after_no) <= 0.995 + 1e-12
    assert abs(after_yes - after_no) <= abs(gap) + 1e-12


def test_bayes_rule_is_kept_where_there_is_room() -> None:
    prior, signal = 0.4, Signal(1, 0.8, 0.3)
    probability = prior * 0.8 + 0.6 * 0.3
    market = Market(prior=prior, tick=0.001, floor=2, noise=np.zeros(3))
    posteriors = {"Yes": prior * 0.8 / probability, "No": prior * 0.2 / (1 - probability)}
    for seed in range(20):
        ticks, news = lead(market, [signal], Draws(seed))
        assert news[0] is not None
        assert abs(ticks[-1] * 0.001 - posteriors[news[0].answer]) < 0.001
