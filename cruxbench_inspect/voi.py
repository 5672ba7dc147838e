"""Value of information: how far trusted prices moved around a moment, and what chance and hindsight would score.

Pure maths. All information measures are in bits. Every width 1 .. W is computed at once, and what widths, measures
and cruxes share (the means and their logarithms) is computed once per question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.prices import Floats, HourlySeries, pivot_hour, trailing_means
from cruxbench_inspect.utc import HOUR

CLIP = 1e-9
"""Beliefs are clipped to [CLIP, 1 - CLIP] before logarithms are taken."""

WIDEST = 48
"""The largest averaging width of the paper's robustness sweep, in hours."""


class Measures(NamedTuple):
    """The four measures of a belief moving from p to p', arrays of one shape.

    Attributes:
        kl: KL(p' || p) between Bernoulli beliefs, bits. The headline measure.
        entropy_drop: H(p) - H(p'), bits; can be negative.
        abs_change: |p' - p|.
        squared_change: (p' - p)^2.
    """

    kl: Floats
    entropy_drop: Floats
    abs_change: Floats
    squared_change: Floats


def measures(before: Floats, after: Floats) -> Measures:
    """All four measures of beliefs that move from ``before`` to ``after`` (arrays of one shape; NaN stays NaN)."""
    return _measures(_Beliefs.of(before), _Beliefs.of(after))


@dataclass(frozen=True, eq=False)
class Pivots:
    """Beliefs around given moments, for every width.

    Attributes:
        hours: The pivot hour of each moment.
        before: Mean trusted price over the width's hours up to the pivot hour, shape (widths, moments), else NaN.
        after: The same over the hours that follow it.
        values: The measures, shape (widths, moments) each; NaN where one of the two means is missing.
    """

    hours: list[datetime]
    before: Floats
    after: Floats
    values: Measures


class InformationValues:
    """Everything that one question's trusted prices say about timing, for the widths 1 .. ``widest``.

    Row w-1 of each array is for an averaging width of w hours.
    """

    def __init__(self, trusted: HourlySeries, first: datetime, last: datetime, widest: int = WIDEST) -> None:
        """Prepare the means of a series.

        Args:
            trusted: Trusted hourly prices.
            first: First hour of the evaluation window.
            last: Last hour of the evaluation window.
            widest: The largest averaging width in hours.
        """
        self._trusted = trusted
        self._widest = widest
        # The mean after hour h over w hours is the trailing mean at h + w: padded, so that this is a skewed view.
        self._means = trailing_means(trusted.values, widest, padding=widest + 1)
        # Means lie between the extremes of what they are of.
        self._within = bool(np.all((trusted.values >= 2 * CLIP) & (trusted.values <= 1.0 - 2 * CLIP)))
        self._first = min(max(trusted.index(first), 0), len(trusted.values))
        self._last = min(trusted.index(last), len(trusted.values) - 1)

    def at(self, moments: Sequence[datetime]) -> Pivots:
        """Beliefs and measures around moments, shape (widths, len(moments))."""
        hours = [pivot_hour(moment) for moment in moments]
        positions = np.array([self._trusted.index(hour) for hour in hours], dtype=np.int64)
        rows = np.arange(self._widest)[:, np.newaxis]
        inside = (positions >= 0) & (positions < len(self._trusted.values))
        held = np.where(inside, positions, 0)
        before = np.where(inside, self._means[rows, held], np.nan)
        after = np.where(inside, self._means[rows, held + rows + 1], np.nan)
        return Pivots(hours, before, after, measures(before, after))

    @property
    def random_timing(self) -> Measures:
        """The random-timing baseline: the mean of each measure over the valid hours of the window, shape (widths,)."""
        return self._baselines.random_timing

    @property
    def oracle(self) -> Measures:
        """The maximum of each measure over the valid hours of the window, shape (widths,)."""
        return self._baselines.oracle

    @property
    def valid_hours(self) -> NDArray[np.int64]:
        """How many hours of the window have both means, shape (widths,)."""
        return self._baselines.valid_hours

    @property
    def first_hour(self) -> datetime:
        """The hour that the first value of ``at_every_hour`` is of."""
        return self._trusted.start + self._first * HOUR

    def at_every_hour(self, width: int) -> Measures:
        """The measures of one width at every hour of the window, shape (hours,); NaN where a mean is missing."""
        return Measures(*(values[0] for values in _measures(*self._in_window(width - 1, width))))

    def before_at_every_hour(self, width: int) -> Floats:
        """The mean price before a pivot at every hour of the window, shape (hours,); NaN where it is missing."""
        count = max(self._last - self._first + 1, 0)
        return np.asarray(self._means[width - 1, self._first : self._first + count])

    def timing_percentile(self, kl: float, width: int) -> float:
        """Share of the window's valid hours with a smaller KL, plus half of the ties; NaN without a KL or an hour."""
        hours = self.at_every_hour(width).kl
        hours = hours[~np.isnan(hours)]
        if not len(hours) or np.isnan(kl):
            return float("nan")
        return float((np.count_nonzero(hours < kl) + 0.5 * np.count_nonzero(hours == kl)) / len(hours))

    @cached_property
    def _baselines(self) -> "_Baselines":
        # A few widths at a time: temporaries that stay in the processor's cache halve the time of a sweep.
        rows = range(0, self._widest, _BLOCK)
        blocks = [_Baselines.of(*self._in_window(row, min(row + _BLOCK, self._widest))) for row in rows]
        return _Baselines(
            Measures(*map(np.concatenate, zip(*(block.random_timing for block in blocks), strict=True))),
            Measures(*map(np.concatenate, zip(*(block.oracle for block in blocks), strict=True))),
            np.concatenate([block.valid_hours for block in blocks]),
        )

    def _in_window(self, row: int, end: int) -> "tuple[_Beliefs, _Beliefs]":
        """Beliefs before and after every hour of the window, for the widths of rows ``row`` .. ``end`` - 1."""
        count = max(self._last - self._first + 1, 0)
        means = np.ascontiguousarray(self._means[row:end, self._first : self._first + count + end])
        beliefs = _Beliefs.of(means, self._within)
        return (
            _Beliefs(*(part[:, :count] for part in beliefs)),
            _Beliefs(*(_skewed(part, row + 1, count) for part in beliefs)),
        )


def signed_move(before: float, after: float, answer_is_yes: bool, yes_makes_more_likely: bool | None) -> float:
    """The move p' - p in the direction that the answer should have by the crux's own word; NaN if it gave none."""
    if yes_makes_more_likely is None:
        return float("nan")
    return (after - before) * (1.0 if answer_is_yes == yes_makes_more_likely else -1.0)


_BLOCK = 16


class _Baselines(NamedTuple):
    random_timing: Measures
    oracle: Measures
    valid_hours: NDArray[np.int64]

    @classmethod
    def of(cls, before: "_Beliefs", after: "_Beliefs") -> "_Baselines":
        moves = _moves(before, after)
        rows, count = moves.shape[1:]
        hours = np.full(rows, count, dtype=np.int64)
        sums, highest = moves.sum(axis=2), moves.max(axis=2, initial=-np.inf)
        # A missing mean makes the sum of its row NaN, which is cheaper to see than every cell.
        if np.isnan(sums).any():
            missing = np.isnan(moves[-1])
            hours -= np.count_nonzero(missing, axis=1)
            moves[:, missing] = -np.inf
            highest = moves.max(axis=2, initial=-np.inf)
            moves[:, missing] = 0.0
            sums = moves.sum(axis=2)
        squares = np.einsum("wh,wh->w", moves[-1], moves[-1])
        some = hours > 0
        return cls(
            Measures(*(np.where(some, total / np.maximum(hours, 1), np.nan) for total in (*sums, squares))),
            Measures(*(np.where(some, value, np.nan) for value in (*highest, highest[-1] ** 2))),
            hours,
        )


class _Beliefs(NamedTuple):
    """Bernoulli beliefs with what the measures need of them, so that logarithms are taken once per belief.

    Attributes:
        p: The beliefs.
        clipped: What logarithms are taken of.
        log_odds: log2(p / (1 - p)).
        log_no: log2(1 - p).
        information: -H(p), bits.
    """

    p: Floats
    clipped: Floats
    log_odds: Floats
    log_no: Floats
    information: Floats

    @classmethod
    def of(cls, p: Floats, within: bool = False) -> "_Beliefs":
        """Prepare beliefs; ``within`` says that none needs to be clipped."""
        # In place: fresh memory for every step would take longer than the arithmetic.
        log_odds, log_no, information = np.empty((3, *p.shape))
        clipped = p if within else np.clip(p, CLIP, 1.0 - CLIP)
        np.log2(np.subtract(1.0, clipped, out=log_no), out=log_no)
        np.subtract(np.log2(clipped, out=log_odds), log_no, out=log_odds)
        np.add(np.multiply(clipped, log_odds, out=information), log_no, out=information)
        return cls(p, clipped, log_odds, log_no, information)


def _measures(before: _Beliefs, after: _Beliefs) -> Measures:
    kl, entropy_drop, abs_change = _moves(before, after)
    return Measures(np.maximum(kl, 0.0, out=kl), entropy_drop, abs_change, abs_change * abs_change)


def _moves(before: _Beliefs, after: _Beliefs) -> Floats:
    """KL, entropy drop and absolute change, shape (3, ...).

    KL(p' || p) is -H(p') - (p' log2 p + (1 - p') log2(1 - p)), and exactly 0 at p' = p: both terms are then the same
    sum. Elsewhere rounding may leave it a trace below 0.
    """
    moves = np.empty((3, *before.p.shape))
    kl, entropy_drop, abs_change = moves
    np.add(np.multiply(after.clipped, before.log_odds, out=kl), before.log_no, out=kl)
    np.subtract(after.information, kl, out=kl)
    np.subtract(after.information, before.information, out=entropy_drop)
    np.abs(np.subtract(after.p, before.p, out=abs_change), out=abs_change)
    return moves


def _skewed(values: Floats, shift: int, count: int) -> Floats:
    """A view whose row r starts ``shift + r`` columns in: the hours after a pivot, for the width of each row."""
    row, item = values.strides
    return np.ndarray((len(values), count), np.float64, values.data, shift * item, (row + item, item))
