"""Scores at every averaging width, from the set's prices and the logged resolution times: no judge is asked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from cruxbench_inspect.prices import Floats
from cruxbench_inspect.report.gathering.score_rows import question_key
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.settlement import baseline_hours
from cruxbench_inspect.voi import WIDEST, InformationValues, Measures

MEASURES = Measures._fields
"""The four measures, as in ``voi.Measures``."""


@dataclass(frozen=True, eq=False)
class WidthScores:
    """Scores of all entries by width: row w-1 is for a width of w hours, columns are questions.

    Attributes:
        questions: The questions, by key: those that any entry has a score for, and whose prices are known.
        scores: By entry and measure, shape (WIDEST, questions); NaN where an entry has no score.
        random: The random-timing baseline by measure, same shape.
        oracle: The same for the oracle.
        timing: What gives everything else about a question's prices, by key, also of questions without a score.
    """

    questions: tuple[str, ...]
    scores: Mapping[str, Mapping[str, Floats]]
    random: Mapping[str, Floats]
    oracle: Mapping[str, Floats]
    timing: Mapping[str, InformationValues]

    @cached_property
    def place(self) -> dict[str, int]:
        """The column of a question."""
        return {key: number for number, key in enumerate(self.questions)}

    def means(self, label: str, measure: str) -> Floats:
        """Mean score of an entry by width, shape (WIDEST,), over the questions with a score at that width."""
        return _means(self.scores[label][measure])

    def baseline(self, measure: str) -> Floats:
        """Mean of the random-timing baseline by width."""
        return _means(self.random[measure])


def width_scores(study: Study) -> WidthScores:
    """Compute all scores at all widths.

    A score follows the scorer's rules: 0 without a crux that was resolved in time, and where a mean is missing although
    the series is complete; none where the log has none, and for entries with several cruxes a question, of which logs
    tell the times of the first alone. It is the mean over epochs.

    Args:
        study: Entries and sets. Questions without prices are left out.
    """
    timing: dict[str, InformationValues] = {}
    for loaded in study.sets.values():
        for question in loaded.questions:
            trusted = loaded.trusted(question.id)
            if trusted is not None:
                hours = baseline_hours(question, loaded.outcome(question.id))
                timing[question_key(loaded.digest, question.id, len(study.sets))] = InformationValues(trusted, *hours)
    scored = set(study.scores.filter(pl.col("coverage") > 0)["question"])
    questions = tuple(sorted(key for key in timing if key in scored))
    random = {name: _columns([getattr(timing[key].random_timing, name) for key in questions]) for name in MEASURES}
    oracle = {name: _columns([getattr(timing[key].oracle, name) for key in questions]) for name in MEASURES}
    labels = {label: number for number, label in enumerate(study.labels)}
    everything = {name: np.full((len(labels), WIDEST, len(questions)), np.nan) for name in MEASURES}
    place = {key: number for number, key in enumerate(questions)}
    known = study.scores.filter(
        pl.col("coverage") > 0, pl.col("question").is_in(questions), pl.col("entry").is_in(of_single_cruxes(study))
    )
    for (key,), rows in known.partition_by("question", as_dict=True).items():
        rows = rows.filter(pl.col("moments").list.len() > 0)
        if rows.is_empty():
            continue
        entries = [labels[entry] for entry in rows["entry"]]
        epochs = rows["moments"].list.len().to_numpy().astype(np.int64)
        starts = np.cumsum(epochs) - epochs
        for name, columns in zip(MEASURES, _around(rows, epochs, timing[str(key)]), strict=True):
            means = np.add.reduceat(columns, starts, axis=1) / epochs
            everything[name][entries, :, place[str(key)]] = means.T
    scores = {label: {name: everything[name][number] for name in MEASURES} for label, number in labels.items()}
    return WidthScores(questions, scores, random, oracle, timing)


def _around(rows: pl.DataFrame, epochs: NDArray[np.int64], timing: InformationValues) -> Floats:
    """The measures at every epoch's moment of one question's rows, shape (measures, WIDEST, epochs)."""
    moments = [moment for own in rows["moments"].to_list() for moment in own]
    provisional = np.repeat(rows["provisional"].to_numpy(), epochs)
    resolved = np.array([moment is not None for moment in moments], dtype=bool)
    at = timing.at([moment for moment in moments if moment is not None])
    ahead = np.isnan(at.after) & np.array([hour >= timing.first_hour for hour in at.hours], dtype=bool)
    values = np.zeros((len(MEASURES), WIDEST, len(moments)))
    # A missing mean makes 0, but one of hours that an unfinished series is still to have, nothing yet.
    values[:, :, resolved] = np.where(ahead & provisional[resolved], np.nan, np.nan_to_num(np.stack(at.values)))
    return values


def of_single_cruxes(study: Study) -> list[str]:
    """The entries with one crux a question; of several, logs tell the time of the first alone."""
    return [entry.label for entry in study.entries if all(run.terms.k == 1 for run in entry.runs)]


def _columns(arrays: list[Floats]) -> Floats:
    return np.stack(arrays, axis=1) if arrays else np.empty((WIDEST, 0))


def _means(values: Floats) -> Floats:
    counts = np.count_nonzero(~np.isnan(values), axis=1)
    totals = np.nansum(values, axis=1)
    return np.where(counts > 0, totals / np.maximum(counts, 1), math.nan)
