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
class LoggedSample:
    """One model's score of one question in one epoch.

    Attributes:
        question: The question's id.
        values: The score's values by key.
        about: The sample's metadata.
        told: The score's metadata.
        reason: Its reason.
        answer: Its answer.
    """

    question: str
    values: Mapping[str, float]
    about: Mapping[str, Any]
    told: Mapping[str, Any]
    reason: str | None
    answer: str | None

    @property
    def is_scored(self) -> bool:
        """Whether it has a score."""
        return self.values["coverage"] == 1.0

    @property
    def event(self) -> str:
        """The question's event."""
        return str(self.about["event"])

    @property
    def start(self) -> datetime:
        """The window's start."""
        return datetime.fromisoformat(self.about["window_start"])

    @property
    def resolved_at(self) -> datetime | None:
        """When the crux was resolved, None if it was not."""
        text = self.told.get("resolved_at") if self.values["resolved"] > 0 else None
        return None if text is None else datetime.fromisoformat(text)

    @property
    def before(self) -> float:
        """The mean price before the crux, NaN where there is none."""
        return float(self.told.get("p_before", math.nan))


@dataclass(frozen=True)
class Logged:
    """One model's score of one question.

    Attributes:
        question: The question's id.
        samples: Its samples by epoch.
        values: Means over the epochs that have them, by key.
    """

    question: str
    samples: tuple[LoggedSample, ...]
    values: Mapping[str, float]

    @property
    def scored_samples(self) -> list[LoggedSample]:
        """The samples of the epochs with a score."""
        return [sample for sample in self.samples if sample.is_scored]

    @property
    def first(self) -> LoggedSample:
        """The sample of the first epoch with a score, else of the first."""
        return (self.scored_samples or list(self.samples))[0]

    @property
    def about(self) -> Mapping[str, Any]:
        """The samples' metadata."""
        return self.first.about

    @property
    def told(self) -> Mapping[str, Any]:
        """The metadata of the first epoch's score."""
        return self.first.told

    @property
    def reason(self) -> str | None:
        """Its reason."""
        return self.first.reason

    @property
    def answer(self) -> str | None:
        """Its answer."""
        return self.first.answer

    @property
    def is_scored(self) -> bool:
        """Whether any epoch has a score."""
        return self.values["coverage"] > 0

    @property
    def event(self) -> str:
        """The question's event."""
        return self.first.event

    @property
    def start(self) -> datetime:
        """The window's start."""
        return self.first.start

    @property
    def resolved_at(self) -> datetime | None:
        """When the first scored epoch's crux was resolved."""
        return self.first.resolved_at

    @property
    def moments(self) -> tuple[datetime | None, ...]:
        """Times of resolution of all epochs with a score, None where nothing was resolved."""
        return tuple(sample.resolved_at for sample in self.scored_samples)


def logged(path: Path) -> dict[str, Logged]:
    """All questions of a log that has whole samples, by id."""
    by_question: dict[str, list[Any]] = {}
    for sample in samples_of(read_eval_log(str(path))):
        by_question.setdefault(str(sample.id), []).append(sample)
    found = {}
    for question, own in sorted(by_question.items()):
        samples = tuple(_sample(sample) for sample in sorted(own, key=lambda one: one.epoch))
        means = {key: mean(sample.values[key] for sample in samples) for key in samples[0].values}
        found[question] = Logged(question, samples, means)
    return found


def samples_of(log: EvalLog) -> list[Any]:
    """A log's samples."""
    assert log.samples
    return list(log.samples)


def scored(rows: Mapping[str, Logged]) -> list[Logged]:
    """Those with a score, by question."""
    return [row for row in rows.values() if row.is_scored]


def scored_samples(rows: Mapping[str, Logged]) -> list[LoggedSample]:
    """All samples with a score, by question and epoch."""
    return [sample for row in rows.values() for sample in row.scored_samples]


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


def _sample(sample: Any) -> LoggedSample:
    score = sample.scores["voi"]
    return LoggedSample(str(sample.id), score.value, sample.metadata, score.metadata, score.reason, score.answer)
