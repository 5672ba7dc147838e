"""Matched nulls: against loops over hours."""

import math
from collections.abc import Mapping
from datetime import datetime

import pytest

from cruxbench_inspect.report.tables.nulls import matched_nulls
from tests.report.tables.direct_prices import HOUR, pivot_of
from tests.report.tables.logged import Logged, clustered_interval, mean, one_sided_p
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of

Hours = dict[datetime, float]


@pytest.mark.parametrize("label", LABELS)
def test_equals_loops_over_hours(sample: Sample, label: str) -> None:
    kl = {
        question: {hour: values["kl"] for hour, values in prices.every_hour(24).items()}
        for question, prices in sample.direct.items()
    }
    own: list[float] = []
    above: dict[str, dict[str, list[float]]] = {"clock": {}, "habit": {}, "hour": {}}
    for epoch in range(2 if label == "twice" else 1):
        pivots = _pivots(sample.logged[label], epoch, kl)
        for question, pivot in pivots.items():
            score = kl[question][pivot]
            own.append(score)
            nulls = {
                "clock": _same_hour(kl[question], pivot),
                "habit": _own_times(sample, kl, question, pivots),
                "hour": _other_markets(kl, question, pivot),
            }
            for name, null in nulls.items():
                if not math.isnan(null):
                    above[name].setdefault(question, []).append(score - null)

    row = rows_of(matched_nulls(sample.study, sample.widths))[label]

    assert row["count"] == len(own) > 5
    assert row["voi"] == close(mean(own))
    for name, by_question in above.items():
        # A question counts once, with the mean of its epochs.
        differences = [mean(values) for values in by_question.values()]
        events = [sample.logged[label][question].event for question in by_question]
        assert len(differences) > 5
        assert row[name] == close(mean(differences))
        assert row[f"{name}_interval"] == close(clustered_interval(differences, events))
        assert row[f"{name}_p"] == close(one_sided_p(differences))


def _pivots(rows: Mapping[str, Logged], epoch: int, kl: dict[str, Hours]) -> dict[str, datetime]:
    """The pivots of one scored epoch of each question, by its number, as far as they have a score in the window."""
    found = {}
    for question, row in rows.items():
        moment = row.moments[epoch] if epoch < len(row.moments) else None
        if moment is not None and pivot_of(moment) in kl[question]:
            found[question] = pivot_of(moment)
    return found


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
