"""How long the measures of a whole study take: every question, generator, width and measure, with both baselines.

Run it with ``python -m benchmarks.width_sweep``. The size is the paper's: 293 questions, 8 generators, widths of 1 to
48 hours and 4 measures. The trusted series are synthetic, 936 hours each: a window of 744 hours with 96 on each side.
What is measured starts from trusted prices and moments of resolution. A random sample of cells is compared with a
direct computation, which takes two means per pivot hour and knows no shortcut.
"""

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.prices import Floats, HourlySeries
from cruxbench_inspect.utc import HOUR
from cruxbench_inspect.voi import CLIP, WIDEST, InformationValues, Measures, Pivots

WINDOW_HOURS = 744
MARGIN_HOURS = 96
TOLERANCE = 1e-12
"""How far a cell may be from its direct computation, bits or probability."""

_START = datetime(2025, 9, 1, tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class Case:
    """One question: its trusted prices, and when each generator's crux was resolved.

    Attributes:
        trusted: 936 hourly prices.
        first: First hour of the window.
        last: Last hour of the window.
        moments: One moment per generator, inside the window.
    """

    trusted: HourlySeries
    first: datetime
    last: datetime
    moments: list[datetime]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a sweep computes for one question: arrays of shape (widths, generators) and (widths,)."""

    pivots: Pivots
    random_timing: Measures
    oracle: Measures


def main(options: Sequence[str] | None = None) -> int:
    """Print the wall and CPU time of a sweep, what it computed, and how far its cells are from a direct computation.

    Returns:
        1 if a cell is farther from its direct computation than the tolerance, else 0.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=293, help="(default %(default)s)")
    parser.add_argument("--generators", type=int, default=8, help="(default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="measured after one warm-up (default %(default)s)")
    parser.add_argument("--checked", type=int, default=200, help="cells of each kind to check (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(options)
    draw = np.random.default_rng(arguments.seed)
    cases = synthetic_cases(arguments.questions, arguments.generators, draw)
    answers = sweep(cases)
    walls, cpus = zip(*(_timed(cases) for _ in range(arguments.runs)), strict=True)
    cells = len(cases) * arguments.generators * WIDEST * len(Measures._fields)
    hours = len(cases) * WINDOW_HOURS * WIDEST * len(Measures._fields)
    print(f"wall: {_spread(walls)}")
    print(f"CPU:  {_spread(cpus)}")
    print(
        f"calls: {len(cases)} series prepared, {len(cases)} times {arguments.generators} moments looked up, "
        f"{2 * len(cases)} baselines of {WIDEST} widths"
    )
    print(f"cells: {cells:,} at resolutions, {hours:,} at the hours of windows for the baselines")
    worst = largest_difference(cases, answers, arguments.checked, draw)
    print(f"largest difference from a direct computation of {2 * arguments.checked} cells: {worst:.1e}")
    return 0 if worst <= TOLERANCE else 1


def synthetic_cases(questions: int, generators: int, draw: np.random.Generator) -> list[Case]:
    """Questions whose prices wander in log odds, some towards an end; one window in ten opens with its market."""
    cases = []
    for number in range(questions):
        steps = draw.normal(0.0, 0.08, WINDOW_HOURS + 2 * MARGIN_HOURS)
        odds = draw.normal(0.0, 2.0) + np.cumsum(steps)
        first = _START + (0 if number % 10 == 0 else MARGIN_HOURS) * HOUR
        minutes = draw.integers(60, WINDOW_HOURS * 60, generators)
        cases.append(
            Case(
                trusted=HourlySeries(_START, 1.0 / (1.0 + np.exp(-odds))),
                first=first,
                last=first + (WINDOW_HOURS - 1) * HOUR,
                moments=[first + timedelta(minutes=int(minute)) for minute in minutes],
            )
        )
    return cases


def sweep(cases: Sequence[Case]) -> list[Answer]:
    """The measured computation."""
    answers = []
    for case in cases:
        values = InformationValues(case.trusted, case.first, case.last)
        answers.append(Answer(values.at(case.moments), values.random_timing, values.oracle))
    return answers


def largest_difference(
    cases: Sequence[Case], answers: Sequence[Answer], checked: int, draw: np.random.Generator
) -> float:
    """The largest difference of sampled cells from their direct computation; infinite where one of two is missing.

    Args:
        cases: The questions.
        answers: Their sweep.
        checked: How many resolutions to check, and how many baselines of a question at a width.
        draw: Where the sample comes from.
    """
    differences = []
    for _ in range(checked):
        question, width = int(draw.integers(len(cases))), int(draw.integers(1, WIDEST + 1))
        case, answer = cases[question], answers[question]
        generator = int(draw.integers(len(case.moments)))
        prices, row = case.trusted.values, width - 1
        pivot = int(np.ceil((case.moments[generator] - case.trusted.start) / HOUR)) - 1
        differences += [
            _difference(values[row, generator], expected)
            for values, expected in zip(answer.pivots.values, _direct(prices, pivot, width), strict=True)
        ]
        first = case.trusted.index(case.first)
        last = case.trusted.index(case.last)
        every = np.array([_direct(prices, hour, width) for hour in range(first, last + 1)])
        differences += [
            _difference(values[row], expected)
            for values, expected in zip(answer.random_timing, np.nanmean(every, axis=0), strict=True)
        ]
        differences += [
            _difference(values[row], expected)
            for values, expected in zip(answer.oracle, np.nanmax(every, axis=0), strict=True)
        ]
    return max(differences)


def _direct(prices: Floats, pivot: int, width: int) -> NDArray[np.float64]:
    """The four measures around one pivot hour, from two means."""
    if pivot - width + 1 < 0 or pivot + width >= len(prices):
        return np.full(len(Measures._fields), np.nan)
    before = float(np.mean(prices[pivot - width + 1 : pivot + 1]))
    after = float(np.mean(prices[pivot + 1 : pivot + width + 1]))
    p, q = (min(max(belief, CLIP), 1.0 - CLIP) for belief in (before, after))
    kl = q * np.log2(q / p) + (1.0 - q) * np.log2((1.0 - q) / (1.0 - p))
    return np.array([kl, _entropy(p) - _entropy(q), abs(after - before), (after - before) ** 2])


def _entropy(belief: float) -> float:
    return float(-belief * np.log2(belief) - (1.0 - belief) * np.log2(1.0 - belief))


def _difference(value: float, expected: float) -> float:
    if np.isnan(value) and np.isnan(expected):
        return 0.0
    difference = abs(float(value) - float(expected))
    return float("inf") if np.isnan(difference) else difference


def _timed(cases: Sequence[Case]) -> tuple[float, float]:
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    sweep(cases)
    return time.perf_counter() - wall, time.process_time() - cpu


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.3f} s (median of {len(seconds)}; {min(seconds):.3f} to {max(seconds):.3f})"


if __name__ == "__main__":
    sys.exit(main())
