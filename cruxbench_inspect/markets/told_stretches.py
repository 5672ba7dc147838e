"""Stretches of time that an exchange told of: only within them does silence mean that nothing happened.

Pure. A stretch is its beginning and its end, aware datetimes; the end is exclusive.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

Stretch = tuple[datetime, datetime]

LAG = timedelta(days=1)
"""An answer may be of an earlier time than it is asked at, but surely not of one so much earlier."""


def told_run(stretches: Iterable[Stretch], by: datetime) -> Stretch | None:
    """The time without a break that an exchange told of, as far as it begins early enough.

    Args:
        stretches: In any order; they may overlap.
        by: When it has to have begun.

    Returns:
        The last run that begins by then, else the first one; None where there is none.
    """
    runs: list[Stretch] = []
    for start, end in sorted(stretches):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(runs[-1][1], end))
        else:
            runs.append((start, end))
    early = [run for run in runs if run[0] <= by]
    return early[-1] if early else runs[0] if runs else None


def within(moment: datetime, stretches: Iterable[Stretch]) -> bool:
    """Whether a moment is in one of the stretches."""
    return any(start <= moment < end for start, end in stretches)
