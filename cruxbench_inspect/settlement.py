"""Where question, crux, resolution and prices meet: the values of a score, and the reason for an abnormal one."""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import numpy as np

from cruxbench_inspect.crux import Crux, CruxFault, check_dates
from cruxbench_inspect.prices import HourlySeries, pivot_hour, window_hours
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.questions import Outcome, Question
from cruxbench_inspect.resolution import GRACE, JudgeTrouble, Resolution
from cruxbench_inspect.utc import HOUR, floor_hour
from cruxbench_inspect.voi import InformationValues, Measures, signed_move

PriceTrouble = Literal["prices_missing", "prices_pending", "window_open"]
"""Why a question cannot be scored, or not yet."""

GenerationTrouble = Literal["generation_failed", "late_crux"]
"""Why there is nothing to score: the run of the generator ended in an error, or was too late for a live round."""

VALUES = (
    "voi_kl",
    "entropy_drop",
    "abs_change",
    "squared_change",
    "random_kl",
    "oracle_kl",
    "excess_kl",
    "timing_percentile",
    "signed_move",
    "resolved",
    "coverage",
)
"""Keys of a score's value: bits, probabilities, shares; NaN where undefined."""

IN_TIME = timedelta(hours=24)
"""How long after its window's start a crux of a live round may be made."""

EDGE = 24 * HOUR
"""How long after the window's start a complete series may begin, or end before the market's closure."""


class DateOnlySensitivity(NamedTuple):
    """Scores in bits with a date-only event placed at every hour of its day."""

    lowest: float
    mean: float
    highest: float


@dataclass(frozen=True)
class Settlement:
    """What one crux scored.

    Attributes:
        values: Keys as in ``VALUES``.
        reason: Why the score is 0 by rule, or missing; None for an ordinary score.
        pivot: The pivot hour, where the crux was resolved.
        p_before: Mean trusted price over the width's hours up to the pivot hour.
        p_after: The same after it.
        sensitivity: For date-only times.
        provisional: Whether the prices are not final yet.
    """

    values: dict[str, float]
    reason: str | None = None
    pivot: datetime | None = None
    p_before: float | None = None
    p_after: float | None = None
    sensitivity: DateOnlySensitivity | None = None
    provisional: bool = False


def unscored(reason: GenerationTrouble | PriceTrouble | JudgeTrouble) -> Settlement:
    """No score: every value is NaN, and coverage 0."""
    return Settlement({**dict.fromkeys(VALUES, math.nan), "coverage": 0.0}, reason)


def trouble_with_prices(
    question: Question, trusted: HourlySeries | None, outcome: Outcome, now: datetime
) -> PriceTrouble | None:
    """Whether a question can be scored yet: not before its window and the time for evidence after it are over.

    Args:
        question: The question.
        trusted: Its trusted prices.
        outcome: What is known of its outcome.
        now: The present moment.

    Returns:
        The reason why not, or None.
    """
    if now < question.window.end + GRACE:
        return "window_open"
    if trusted is None:
        return "prices_missing"
    first, last = question.window.hours
    if trusted.start > first + EDGE or (trusted.last_hour < last and not complete(question, trusted, outcome)):
        return "prices_pending"
    return None


def complete(question: Question, trusted: HourlySeries, outcome: Outcome) -> bool:
    """Whether a question's prices are final: until then a score is provisional.

    They are when they begin with the window or before it, and reach 96 hours past it or the end of a market that
    closed before, at the known time or as scheduled.
    """
    first, last = question.window.hours
    closure = floor_hour(outcome.resolved_at or question.closes)
    enough = min(last + MARGIN, closure - EDGE)
    return trusted.start <= first + EDGE and trusted.last_hour >= enough


def baseline_hours(question: Question, outcome: Outcome) -> tuple[datetime, datetime]:
    """First and last hour of the window that the random-timing baseline and the oracle are taken over."""
    return window_hours(question.window.start, outcome.window_end or question.window.end)


def is_late(question: Question, crux: Crux | CruxFault, made_at: datetime) -> bool:
    """Whether a crux of a live round was made too late to be scored: a day after its window's start, or when over."""
    return made_at > question.window.start + IN_TIME or (isinstance(crux, Crux) and made_at > crux.deadline)


def fault_of(question: Question, crux: Crux | CruxFault) -> CruxFault | None:
    """The fault that makes a crux score 0 without being judged, if it has one."""
    if isinstance(crux, CruxFault):
        return crux
    return check_dates(crux, question.window.start, question.window.end)


def settle(
    question: Question,
    crux: Crux | CruxFault,
    resolution: Resolution | None,
    trusted: HourlySeries,
    outcome: Outcome,
    width: int,
) -> Settlement:
    """Score one crux.

    Args:
        question: The ultimate question, whose prices can be scored (see ``trouble_with_prices``).
        crux: What the generator proposed.
        resolution: How it was settled; None for a crux with a fault, which is not judged.
        trusted: Trusted prices of the question.
        outcome: What is known of the question's outcome.
        width: Averaging width W in hours.

    Returns:
        The values and what explains them.
    """
    timing = InformationValues(trusted, *baseline_hours(question, outcome), widest=width)
    provisional = not complete(question, trusted, outcome)
    fault = fault_of(question, crux)
    if isinstance(crux, CruxFault) or fault is not None:
        return _zero(timing, width, fault.kind if fault else "no_crux", provisional)
    if resolution is None:
        raise ValueError("a crux without a fault needs a resolution")
    if resolution.moment is None:
        return _zero(timing, width, "unresolvable", provisional)

    sensitivity = None
    if resolution.precision == "date_only":
        sensitivity = _over_the_day(timing, resolution.moment, width, trusted.last_hour if provisional else None)
    pivots = timing.at([resolution.moment])
    before, after = float(pivots.before[width - 1, 0]), float(pivots.after[width - 1, 0])
    if math.isnan(before) or math.isnan(after):
        too_late = pivots.hours[0] + width * HOUR > trusted.last_hour
        if too_late and provisional:
            return unscored("prices_pending")
        reason = "after_settlement" if too_late else "before_first_price"
        zero = _zero(timing, width, reason, provisional, resolved=True, pivot=pivots.hours[0])
        return replace(zero, sensitivity=sensitivity)

    direction = None if crux.yes_makes_u is None else crux.yes_makes_u == "more likely"
    scores = Measures(*(values[:, 0] for values in pivots.values))
    values = _values(timing, width, scores)
    values["timing_percentile"] = timing.timing_percentile(values["voi_kl"], width)
    values["signed_move"] = signed_move(before, after, resolution.answer == "Yes", direction)
    values["resolved"] = 1.0
    return Settlement(values, None, pivots.hours[0], before, after, sensitivity, provisional)


def _values(timing: InformationValues, width: int, scores: Measures | None) -> dict[str, float]:
    row = width - 1
    values = dict.fromkeys(VALUES, math.nan)
    measured = {name: 0.0 if scores is None else float(getattr(scores, name)[row]) for name in Measures._fields}
    values["voi_kl"] = measured.pop("kl")
    values.update(measured)
    values["random_kl"] = float(timing.random_timing.kl[row])
    values["oracle_kl"] = float(timing.oracle.kl[row])
    values["excess_kl"] = values["voi_kl"] - values["random_kl"]
    values["resolved"] = 0.0
    values["coverage"] = 1.0
    return values


def _zero(
    timing: InformationValues,
    width: int,
    reason: str,
    provisional: bool,
    resolved: bool = False,
    pivot: datetime | None = None,
) -> Settlement:
    values = _values(timing, width, None)
    values["resolved"] = float(resolved)
    return Settlement(values, reason, pivot, provisional=provisional)


def _over_the_day(
    timing: InformationValues, day: datetime, width: int, unfinished_at: datetime | None
) -> DateOnlySensitivity | None:
    """The scores of an event in the middle of each hour of its day, by the same rules: 0 where a mean is missing.

    Args:
        timing: The question's prices.
        day: The day's first moment.
        width: Averaging width in hours.
        unfinished_at: The last hour of a series that is to go on, None of a complete one. What needs later prices is
            not known yet, and left out.
    """
    moments = [pivot_hour(day) + (number + 1) * HOUR + timedelta(minutes=30) for number in range(24)]
    pivots = timing.at(moments)
    scores = np.nan_to_num(pivots.values.kl[width - 1])
    known = [
        float(score)
        for score, hour in zip(scores, pivots.hours, strict=True)
        if unfinished_at is None or hour + width * HOUR <= unfinished_at
    ]
    return DateOnlySensitivity(min(known), sum(known) / len(known), max(known)) if known else None
