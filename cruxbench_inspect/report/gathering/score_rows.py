"""A study's tables of scores: one row for each entry and question, or for each sample."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import polars as pl

from cruxbench_inspect.report.gathering.resolving_events import resolving_events
from cruxbench_inspect.report.gathering.run import Run, ScoredSample
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.utc import parse_utc

_TOLD_TEXT = ("outcome", "rule", "precision")
_TOLD_NUMBERS = ("p_before", "p_after")
SCORES_SCHEMA: dict[str, pl.DataType] = {
    "entry": pl.String(),
    "question": pl.String(),
    "question_id": pl.String(),
    "set": pl.String(),
    "event": pl.String(),
    "tags": pl.List(pl.String()),
    "window_start": pl.Datetime("us", "UTC"),
    "window_end": pl.Datetime("us", "UTC"),
    **{key: pl.Float64() for key in VALUES},
    "reason": pl.String(),
    "crux": pl.String(),
    "first_crux": pl.String(),
    "resolved_at": pl.Datetime("us", "UTC"),
    "moments": pl.List(pl.Datetime("us", "UTC")),
    "resolved_by": pl.List(pl.String()),
    "source_kinds": pl.List(pl.String()),
    **{key: pl.String() for key in _TOLD_TEXT},
    "yes_makes_u": pl.String(),
    **{key: pl.Float64() for key in _TOLD_NUMBERS},
    "provisional": pl.Boolean(),
    "epochs": pl.Int64(),
}
"""One row for each entry and question: numbers are means over the epochs that have them, texts are the first's. Or one
row for each sample, with its own numbers and texts: what is told of cruxes is told of them.
``moments`` are the times of resolution of all scored epochs, null where nothing was resolved; ``resolved_by`` tells the
event that resolved the crux, and ``source_kinds`` is null where a log does not have it."""


def question_key(digest: str, question_id: str, sets: int) -> str:
    """What a question is called in a study: its id, with its set's digest where there are several sets."""
    return question_id if sets <= 1 else f"{question_id} ({digest[:6]})"


def told_sample(samples: Sequence[ScoredSample]) -> ScoredSample:
    """Of a question's epochs the one whose words tables tell: the first that has a score, if one has."""
    return next((sample for sample in samples if sample.values["coverage"] == 1.0), samples[0])


def score_rows(label: str, run: Run, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """The rows of a run.

    Args:
        label: The entry's label.
        run: The run.
        counts: How many sets there are, for the names of questions, by a set's digest.
    """
    by_question: dict[str, list[ScoredSample]] = {}
    for sample in run.samples:
        by_question.setdefault(sample.question_id, []).append(sample)
    return [_row(label, run, counts[run.terms.questions], samples) for samples in by_question.values()]


def sample_rows(label: str, run: Run, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """The rows of a run's samples; arguments are those of ``score_rows``."""
    return [_row(label, run, counts[run.terms.questions], [sample]) for sample in run.samples]


def _row(label: str, run: Run, sets: int, samples: Sequence[ScoredSample]) -> dict[str, Any]:
    first = told_sample(samples)
    about, told = first.metadata, first.told
    return {
        "entry": label,
        "question": question_key(run.terms.questions, first.question_id, sets),
        "question_id": first.question_id,
        "set": run.terms.questions,
        "event": str(about.get("event", first.question_id)),
        "tags": [str(tag) for tag in about.get("tags", [])],
        "window_start": _moment(about.get("window_start")),
        "window_end": _moment(about.get("window_end")),
        **{key: mean([sample.values[key] for sample in samples]) for key in VALUES},
        "reason": first.reason,
        "crux": first.crux,
        "first_crux": _first_crux(first),
        "resolved_at": _resolved_at(first),
        "moments": [_resolved_at(sample) for sample in samples if sample.values["coverage"] == 1.0],
        "resolved_by": list(dict.fromkeys(event for sample in samples for event in _events(sample))),
        "source_kinds": _listed(told.get("source_kinds")),
        **{key: told.get(key) for key in _TOLD_TEXT},
        "yes_makes_u": _direction(told.get("yes_makes_u")),
        **{key: mean([_float(sample.told.get(key)) for sample in samples]) for key in _TOLD_NUMBERS},
        "provisional": bool(told.get("provisional")),
        "epochs": len(samples),
    }


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _direction(text: str | None) -> str | None:
    """The direction as "more" or "less"; some logs have "more likely"."""
    word = (text or "").partition(" ")[0]
    return word if word in ("more", "less") else None


def _listed(names: str | None) -> list[str] | None:
    return None if names is None else [name for name in names.split(", ") if name]


def _resolved_at(sample: ScoredSample) -> datetime | None:
    """When a crux was resolved, as far as its score counts it as resolved."""
    return _moment(sample.told.get("resolved_at")) if sample.values["resolved"] > 0 else None


def _first_crux(sample: ScoredSample) -> str | None:
    """The first of a sample's cruxes, which its answer has a line for each of."""
    is_one = sample.crux is None or sample.told.get("cruxes", 1) == 1
    return sample.crux if is_one or sample.crux is None else sample.crux.partition("\n")[0]


def _events(sample: ScoredSample) -> list[str]:
    told = sample.told
    pages = told.get("evidence_pages", "").split()
    return resolving_events(_resolved_at(sample), told.get("rule"), pages, told.get("event_group"))


def _moment(text: object) -> datetime | None:
    return parse_utc(text) if isinstance(text, str) else None
