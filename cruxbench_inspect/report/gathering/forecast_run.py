"""Logs of forecasters: P(U) at the window's start, without a crux and given the cruxes of each generator."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cruxbench_inspect.report.gathering.summaries import SummarisedLog
from cruxbench_inspect.report.gathering.unread import DAMAGE, Unread, damage
from cruxbench_inspect.report.numbers import mean

_GIVEN = "p_u_given_crux:"


@dataclass(frozen=True, eq=False)
class ForecastRun:
    """A log of the task ``forecast``.

    Attributes:
        location: The log.
        model: The forecaster.
        questions: Digest of the question set.
        outcomes: Whether the question ended Yes, by question id; open ones are left out.
        baseline: P(U) without a crux, by question id.
        given: P(U) given a crux, by generator and question id.
    """

    location: str
    model: str
    questions: str
    outcomes: Mapping[str, bool]
    baseline: Mapping[str, float]
    given: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class ForecastQuality:
    """How good forecasts are.

    Attributes:
        count: Questions with a forecast and an outcome.
        brier: Mean squared error.
        auc: Share of pairs of a Yes and a No question that are ordered right, ties half; NaN without both.
    """

    count: int
    brier: float
    auc: float


def read_forecast(location: str) -> ForecastRun | Unread:
    """Read a forecaster's log: its header and summaries."""
    log = SummarisedLog(location)
    try:
        spec, summaries = log.header.eval, log.summaries
    except DAMAGE as error:
        return Unread(location, damage(error))
    outcomes: dict[str, bool] = {}
    baseline: dict[str, float] = {}
    given: dict[str, dict[str, float]] = {}
    for summary in summaries:
        score = (summary.scores or {}).get("forecast")
        if score is None or not isinstance(score.value, Mapping):
            continue
        question = str(summary.metadata.get("question_id", summary.id))
        outcome = (score.metadata or {}).get("outcome")
        if outcome in ("Yes", "No"):
            outcomes[question] = outcome == "Yes"
        for key, value in score.value.items():
            if not isinstance(value, int | float) or math.isnan(value):
                continue
            if key == "p_u":
                baseline[question] = float(value)
            elif key.startswith(_GIVEN):
                given.setdefault(key.removeprefix(_GIVEN), {})[question] = float(value)
    if not baseline:
        return Unread(location, "it has no forecasts")
    digest = str((spec.metadata or {}).get("set_digest", ""))
    return ForecastRun(location, spec.model, digest, outcomes, baseline, given)


def quality(forecasts: Mapping[str, float], outcomes: Mapping[str, bool]) -> ForecastQuality:
    """Brier score and area under the ROC curve over the questions that have ended."""
    pairs = [(forecast, outcomes[question]) for question, forecast in forecasts.items() if question in outcomes]
    yes = np.array([forecast for forecast, ended in pairs if ended])
    no = np.array([forecast for forecast, ended in pairs if not ended])
    right = (1 + np.sign(np.subtract.outer(yes, no))) / 2
    auc = float(right.mean()) if right.size else math.nan
    return ForecastQuality(len(pairs), mean((forecast - ended) ** 2 for forecast, ended in pairs), auc)
