"""What other hours like the chosen one are worth: nulls at which a model without skill in timing scores at random.

A null gives one expected score per question, to be taken from the question's own score. It is NaN where the question
has no pivot, the pivot is outside of its window, the score at the pivot is undefined, or nothing matches.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DAY = 24

MATCHED_DAYS = 7
"""How many days apart two hours may be and still be about the same time to the end."""


@dataclass(frozen=True, eq=False)
class WindowHours:
    """A question's evaluation window, hour by hour.

    Attributes:
        kl: KL at every hour, bits, shape (hours,); NaN where it is undefined.
        first_hour: Number of the window's first hour, in whole hours since 1970-01-01T00:00Z.
        pivot: Position of the actual pivot among the hours; None without one.
    """

    kl: Floats
    first_hour: int
    pivot: int | None


def pivot_scores(windows: Sequence[WindowHours]) -> Floats:
    """The KL at each actual pivot; NaN without a pivot, with one outside of the window, or where it is undefined."""
    return np.array([np.nan if _pivot(window) is None else window.kl[window.pivot] for window in windows], dtype=float)


def same_time_of_day(windows: Sequence[WindowHours], days: int = MATCHED_DAYS) -> Floats:
    """Mean KL of a question over hours at the pivot's UTC hour of the day and about its time to the end.

    Those are the hours of the window that are whole days from the pivot, at most ``days``, the pivot itself included.

    Args:
        windows: One per question.
        days: Largest distance in days.

    Returns:
        The null score of each question, shape (questions,).
    """
    nulls = np.full(len(windows), np.nan)
    for index, window in enumerate(windows):
        pivot = _pivot(window)
        if pivot is not None:
            matched = np.arange(pivot - days * DAY, pivot + days * DAY + 1, DAY)
            nulls[index] = _mean(window.kl[matched[(matched >= 0) & (matched < len(window.kl))]])
    return nulls


def permuted_times(windows: Sequence[WindowHours]) -> Floats:
    """Mean KL of a question at the times that the model chose in all questions, over every permutation of them.

    A time is the share of its window that is gone at the pivot. In another window it stands for the nearest hour at
    the same UTC hour of the day, so that habits such as ends of days carry over. Under a random permutation each time
    is as likely as every other, so the mean over all permutations is the mean over all times: no draws are needed. The
    question's own time is one of them; times at which its KL is undefined are left out.

    Args:
        windows: One per question, all of one model.

    Returns:
        The null score of each question, shape (questions,).
    """
    donors = [(window, pivot) for window in windows if (pivot := _pivot(window)) is not None]
    shares = np.array([pivot / max(len(window.kl) - 1, 1) for window, pivot in donors])
    clock = np.array([(window.first_hour + pivot) % DAY for window, pivot in donors], dtype=np.int64)
    nulls = np.full(len(windows), np.nan)
    chosen = [index for index, window in enumerate(windows) if _pivot(window) is not None]
    if chosen:
        at_shares = _at([windows[index] for index in chosen], shares, clock)
        defined = ~np.isnan(at_shares)
        # A window's own time is defined, so none has a count of 0.
        nulls[chosen] = np.where(defined, at_shares, 0.0).sum(axis=1) / np.count_nonzero(defined, axis=1)
    return nulls


def other_markets(windows: Sequence[WindowHours]) -> Floats:
    """Mean KL of all other questions in the calendar hour of a question's pivot, where it is defined.

    Args:
        windows: One per question, each of another market.

    Returns:
        The null score of each question, shape (questions,); NaN where no other window has a KL in that hour.
    """
    nulls = np.full(len(windows), np.nan)
    if not windows:
        return nulls
    earliest = min(window.first_hour for window in windows)
    hours = max(window.first_hour + len(window.kl) for window in windows) - earliest
    kl = np.concatenate([window.kl for window in windows])
    hour_of = np.concatenate(
        [np.arange(len(window.kl)) + (window.first_hour - earliest) for window in windows], dtype=np.int64
    )
    defined = ~np.isnan(kl)
    totals = np.bincount(hour_of[defined], kl[defined], hours)
    counts = np.bincount(hour_of[defined], minlength=hours)
    for index, window in enumerate(windows):
        pivot = _pivot(window)
        if pivot is not None:
            hour = window.first_hour + pivot - earliest
            others = counts[hour] - 1
            if others > 0:
                # A difference of sums may fall a trace below 0.
                nulls[index] = max(totals[hour] - window.kl[pivot], 0.0) / others
    return nulls


def _pivot(window: WindowHours) -> int | None:
    """The pivot, where it has a score."""
    pivot = window.pivot
    if pivot is None or not 0 <= pivot < len(window.kl) or np.isnan(window.kl[pivot]):
        return None
    return pivot


def _mean(values: Floats) -> float:
    values = values[~np.isnan(values)]
    return float(values.mean()) if len(values) else float("nan")


def _at(windows: Sequence[WindowHours], shares: Floats, clock: NDArray[np.int64]) -> Floats:
    """KL of each window at shares of it, each moved to the nearest hour with its hour of the day that is in the window.

    Shape (windows, shares).
    """
    lengths = np.array([len(window.kl) for window in windows])
    last, first_hour = lengths[:, np.newaxis] - 1, np.array([[window.first_hour] for window in windows])
    earliest = (clock - first_hour) % DAY
    days = np.round((shares * last - earliest) / DAY).astype(np.int64)
    days = np.minimum(np.maximum(days, 0), (last - earliest) // DAY)
    hours = earliest + days * DAY
    inside = (hours >= 0) & (hours <= last)
    starts = (np.cumsum(lengths) - lengths)[:, np.newaxis]
    together = np.concatenate([window.kl for window in windows])
    return np.where(inside, together[np.where(inside, starts + hours, 0)], np.nan)
