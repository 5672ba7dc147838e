"""Matched nulls: against loops over hours."""

from datetime import datetime

import pytest

from cruxbench_inspect.report.tables.nulls import matched_nulls
from tests.report.tables.direct_prices import HOUR, pivot_of
from tests.report.tables.logged import Logged, clustered_interval, mean, one_sided_p, scored
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of

Hours = dict[datetime, float]


@pytest.mark.parametrize("label", LABELS)
def test_equals_loops_over_hours(sample: Sample, label: str) -> None:
    kl = {
        question: {hour: values["kl"] for hour, values in prices.every_hour(24).items()}
        for question, prices in sample.direct.items()
    }
    pivots = {row.question: pivot for row in scored(sample.logged[label]) if (pivot := _pivot(row, kl)) is not None}
    events = [sample.logged[label][question].event for question in pivots]
    nulls = {
        "clock": [_same_hour(kl[question], pivot) for question, pivot in pivots.items()],
        "habit": [_own_times(sample, kl, question, pivots) for question in pivots],
        "hour": [_other_markets(kl, question, pivot) for question, pivot in pivots.items()],
    }

    row = rows_of(matched_nulls(sample.study, sample.widths))[label]

    assert row["count"] == len(pivots) > 5
    assert row["voi"] == close(mean(kl[question][pivot] for question, pivot in pivots.items()))
    for name, null in nulls.items():
        differences = [kl[question][pivots[question]] - one for question, one in zip(pivots, null, strict=True)]
        assert row[name] == close(mean(differences))
        assert row[f"{name}_interval"] == close(clustered_interval(differences, events))
        assert row[f"{name}_p"] == close(one_sided_p(differences))


def _pivot(row: Logged, kl: dict[str, Hours]) -> datetime | None:
    """The first resolved epoch's pivot, where it is in the window and has both means."""
    moments = [moment for moment in row.moments if moment is not None]
    pivot = pivot_of(moments[0]) if moments else None
    return pivot if pivot in kl[row.question] else None


def _same_hour(hours: Hours, pivot: datetime) -> float:
    matched = [value for hour, value in hours.items() if hour.hour == pivot.hour]
    near = [hour for hour in hours if hour.hour == pivot.hour and abs(hour - pivot) <= 7 * 24 * HOUR]
    assert len(near) <= len(matched)
    return mean(hours[hour] for hour in near)


def _own_times(sample: Sample, kl: dict[str, Hours], question: str, pivots: dict[str, datetime]) -> float:
    """The mean over the times that the model chose anywhere, each at the nearest hour with its hour of the day."""
    own = sample.direct[question].hours
    values = []
    for donor, pivot in pivots.items():
        theirs = sample.direct[donor].hours
        share = theirs.index(pivot) / (len(theirs) - 1)
        place = share * (len(own) - 1)
        same_clock = [number for number, hour in enumerate(own) if hour.hour == pivot.hour]
        nearest = min(same_clock, key=lambda number: abs(number - place))
        values.append(kl[question].get(own[nearest], float("nan")))
    return mean(values)


def _other_markets(kl: dict[str, Hours], question: str, pivot: datetime) -> float:
    """The mean of all other questions in that hour, whatever the model made of them."""
    return mean(hours[pivot] for other, hours in kl.items() if other != question and pivot in hours)
