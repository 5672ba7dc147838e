"""What logs say of every question, read by Inspect itself and averaged over epochs by hand, for comparison."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, read_eval_log
from scipy import stats


@dataclass(frozen=True)
class Logged:
    """One model's score of one question.

    Attributes:
        question: The question's id.
        values: Means over the epochs that have them, by key.
        about: The sample's metadata.
        told: The score's metadata of the first epoch with a score, else of the first.
        reason: Its reason.
        answer: Its answer.
        moments: Times of resolution of all epochs with a score, None where nothing was resolved.
        told_by_epoch: The metadata of all epochs.
        scored_epochs: The metadata of those with a score.
    """

    question: str
    values: Mapping[str, float]
    about: Mapping[str, Any]
    told: Mapping[str, Any]
    reason: str | None
    answer: str | None
    moments: tuple[datetime | None, ...]
    told_by_epoch: tuple[Mapping[str, Any], ...]
    scored_epochs: tuple[Mapping[str, Any], ...]

    @property
    def is_scored(self) -> bool:
        """Whether any epoch has a score."""
        return self.values["coverage"] > 0

    @property
    def event(self) -> str:
        """The question's event."""
        return str(self.about["event"])

    @property
    def resolved_at(self) -> datetime | None:
        """When the first scored epoch's crux was resolved."""
        return time_of(self.told)

    @property
    def start(self) -> datetime:
        """The window's start."""
        return datetime.fromisoformat(self.about["window_start"])

    def told_mean(self, key: str) -> float:
        """The mean of a number over the epochs that tell it."""
        return mean(told[key] for told in self.told_by_epoch if key in told)


def logged(path: Path) -> dict[str, Logged]:
    """All questions of a log that has whole samples, by id."""
    by_question: dict[str, list[Any]] = {}
    for sample in samples_of(read_eval_log(str(path))):
        by_question.setdefault(str(sample.id), []).append(sample)
    found = {}
    for question, samples in sorted(by_question.items()):
        scores = [sample.scores["voi"] for sample in sorted(samples, key=lambda one: one.epoch)]
        covered = [score for score in scores if score.value["coverage"] == 1.0]
        first = (covered or scores)[0]
        found[question] = Logged(
            question,
            {key: mean(score.value[key] for score in scores) for key in first.value},
            samples[0].metadata,
            first.metadata,
            first.reason,
            first.answer,
            tuple(time_of(score.metadata) for score in covered),
            tuple(score.metadata for score in scores),
            tuple(score.metadata for score in covered),
        )
    return found


def samples_of(log: EvalLog) -> list[Any]:
    """A log's samples."""
    assert log.samples
    return list(log.samples)


def scored(rows: Mapping[str, Logged]) -> list[Logged]:
    """Those with a score, by question."""
    return [row for row in rows.values() if row.is_scored]


def time_of(told: Mapping[str, Any]) -> datetime | None:
    """The time of resolution that a score's metadata tell."""
    text = told.get("resolved_at")
    return None if text is None else datetime.fromisoformat(text)


def mean(values: Iterable[float]) -> float:
    """The mean of what is a number."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def t_interval(values: list[float]) -> tuple[float, float]:
    """SciPy's t interval of a mean."""
    interval = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    return float(interval.low), float(interval.high)


def one_sided_p(values: list[float]) -> float:
    """SciPy's p value that a mean is above 0."""
    return float(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)


def clustered_error(values: list[float], clusters: list[str]) -> float:
    """The cluster-robust standard error of a mean, by loops."""
    middle = sum(values) / len(values)
    sums: dict[str, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - middle
    count = len(sums)
    return math.sqrt(count / (count - 1) * sum(total**2 for total in sums.values())) / len(values)


def clustered_interval(values: list[float], clusters: list[str]) -> tuple[float, float]:
    """Its t interval."""
    half = float(stats.t.ppf(0.975, len(set(clusters)) - 1)) * clustered_error(values, clusters)
    middle = sum(values) / len(values)
    return middle - half, middle + half


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's interval by its formula."""
    z = float(stats.norm.ppf(0.975))
    share = successes / trials
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return middle - half, middle + half
