"""How long the generator and the judges took for a question, as far as logs tell it."""

import math
from dataclasses import dataclass

from cruxbench_inspect.report.gathering.run import Run, ScoredSample
from cruxbench_inspect.report.gathering.selection import Entry
from cruxbench_inspect.report.numbers import known, mean

ENOUGH = 0.9
"""The least share of samples whose time has to be known: those without it may be unlike the others."""

_JUDGES = ("resolver", "verifier")


@dataclass(frozen=True)
class RoleTimes:
    """Mean seconds of a sample; NaN where that is not known.

    Attributes:
        generator: The generator's.
        judges: Resolver and verifier together, in the run that asked them; 0 for samples without anything to judge.
        whole: From the beginning of a sample to its end, as it was run.
    """

    generator: float
    judges: float
    whole: float


def role_times(entry: Entry) -> RoleTimes:
    """The times of an entry, over all its samples."""
    runs = [(sample, _used_judges(run)) for run in entry.runs for sample in run.samples]
    return RoleTimes(
        _mean([_generator(sample, judged) for sample, judged in runs]),
        _mean([_judges(sample) for sample, _ in runs]),
        mean([sample.seconds for sample, _ in runs]),
    )


def _mean(seconds: list[float]) -> float:
    found = known(seconds)
    return mean(found) if len(found) >= ENOUGH * len(seconds) else math.nan


def _judges(sample: ScoredSample) -> float:
    if not sample.is_scored:
        return math.nan
    if "resolver" not in sample.told:
        # Nothing had to be judged.
        return 0.0
    seconds = sample.told.get("judge_seconds")
    # Several cruxes are judged at the same time.
    return float(seconds) if isinstance(seconds, int | float) and sample.told.get("cruxes", 1) == 1 else math.nan


def _generator(sample: ScoredSample, judged_in_run: bool) -> float:
    """What is left of a sample's time without the judges', which is part of it only if it was judged in its run.

    A run in which no judge used anything was scored later. Of the others it is known where judges used in the run what
    the score tells: answers from a cache are not used, and a log that was scored again tells of other judgements.
    """
    if sample.seconds is None:
        return math.nan
    used = _tokens_of_judges(sample)
    tokens, seconds = sample.told.get("judge_tokens"), _judges(sample)
    if not used and (seconds == 0 or (tokens and not judged_in_run)):
        return sample.seconds
    return sample.seconds - seconds if used and used == tokens and seconds <= sample.seconds else math.nan


def _used_judges(run: Run) -> bool:
    return any(_tokens_of_judges(sample) for sample in run.samples)


def _tokens_of_judges(sample: ScoredSample) -> int:
    return sum(used.tokens_in + used.tokens_out for used in sample.usage if used.role in _JUDGES)
