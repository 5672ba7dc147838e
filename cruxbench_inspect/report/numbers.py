"""Means of what is known: numbers of which some are missing."""

import math
from collections.abc import Iterable


def known(values: Iterable[float | None]) -> list[float]:
    """The values that are there: neither None nor NaN."""
    return [float(value) for value in values if value is not None and not math.isnan(value)]


def mean(values: Iterable[float | None]) -> float:
    """The mean of the values that are there, NaN without any; exact but for one rounding, in any order."""
    found = known(values)
    return math.fsum(found) / len(found) if found else math.nan
