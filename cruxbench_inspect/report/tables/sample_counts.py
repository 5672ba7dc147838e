"""What became of an entry's samples, a question in an epoch each: what tables 1 and 9 of the paper count."""

import math
from collections import Counter
from dataclasses import dataclass

from cruxbench_inspect.report.gathering.run import ScoredSample
from cruxbench_inspect.report.gathering.study import Study

RESOLVED = "resolved"
NOT_RUN = "unscored: not run"
UNCLASSIFIED = "unclassified"
MODES = ("data_availability", "temporal", "observability", UNCLASSIFIED)


@dataclass(frozen=True)
class SampleCounts:
    """The samples of an entry.

    Attributes:
        epochs: How often each question was to be asked; None where runs over several sets differ in that.
        fates: How many samples ended in which way: ``resolved``, a failure mode, the reason of a score of 0, or
            ``unscored: `` and a reason. They add up to all samples that were wanted.
        resolved: Resolved samples, as a mean over epochs.
    """

    epochs: int | None
    fates: Counter[str]
    resolved: float

    @property
    def scored(self) -> int:
        """Samples with a score."""
        return sum(count for fate, count in self.fates.items() if not fate.startswith("unscored"))

    @property
    def rate(self) -> float:
        """Resolved samples, of those with a score; NaN without any."""
        return self.fates[RESOLVED] / self.scored if self.scored else math.nan


def sample_counts(study: Study, label: str) -> SampleCounts:
    """Count the samples of an entry.

    One with several cruxes counts as resolved if any of them was. Samples that a run ended before, and questions that
    it had not, are not run.
    """
    (entry,) = [entry for entry in study.entries if entry.label == label]
    fates = Counter(fate(sample) for run in entry.runs for sample in run.samples)
    resolved = sum(sum(fate(sample) == RESOLVED for sample in run.samples) / run.epochs for run in entry.runs)
    epochs = study.epochs(label)
    missing = Counter({NOT_RUN: study.wanted(label) - fates.total()})
    return SampleCounts(epochs[0] if len(epochs) == 1 else None, fates + missing, resolved)


def fate(sample: ScoredSample) -> str:
    """What became of a sample, as in ``SampleCounts.fates``."""
    if not sample.values["coverage"] > 0:
        return f"unscored: {sample.reason or 'not scored yet'}"
    if sample.values["resolved"] > 0:
        return RESOLVED
    if sample.reason in (None, "unresolvable"):
        mode = sample.told.get("failure_mode")
        return mode if mode in MODES else UNCLASSIFIED
    return str(sample.reason)
