"""Which of several forecasters' logs count."""

from collections.abc import Mapping, Sequence

from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.gathering.forecast_run import ForecastRun
from cruxbench_inspect.report.gathering.question_sets import newest_digest


def fullest(forecasts: Sequence[ForecastRun], sets: Mapping[str, QuestionSet]) -> tuple[list[ForecastRun], list[str]]:
    """One run of each forecaster on each set, the one with most forecasts, and a line for each of the others.

    Versions of one live round are one set.
    """
    kinds = {one: (one.model, newest_digest(one.questions, sets)) for one in forecasts}
    best: dict[tuple[str, str], ForecastRun] = {}
    for one in sorted(forecasts, key=lambda run: (len(run.baseline), sum(map(len, run.given.values())), run.location)):
        best[kinds[one]] = one
    stands_for = {one: best[kind] for one, kind in kinds.items()}
    return [one for one in forecasts if stands_for[one] is one], [
        f"{one.location}: {stands_for[one].location} has no fewer of its forecasts"
        for one in forecasts
        if stands_for[one] is not one
    ]
