"""Running the benchmark's task inside a test: evaluations and rescoring, in memory or from a log file."""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval, score
from inspect_ai.event import Event
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Score

from scorers.voi import voi
from tasks.cruxbench import cruxbench

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""

Values = dict[str, float]


def evaluate(questions: Path | str, model: str, log_dir: Path, task: Task | None = None, **options: Any) -> EvalLog:
    """Evaluate a model on a question set; options are those of ``inspect_ai.eval``, ``task_args`` the task's."""
    task = task or cruxbench(questions=str(questions), **options.pop("task_args", {}))
    # Every other display lays out tables, which takes longer than the evaluation.
    (log,) = eval(task, model=model, log_dir=str(log_dir), display="log", **options)
    assert log.status == "success", log.error
    return log


def rescore(log: EvalLog, action: Any = "overwrite", model: str = "none", **parameters: Any) -> EvalLog:
    """Score a log again; parameters are those of the scorer."""
    return score(log, voi(**parameters), action=action, model=model, display="log")


def samples_of(log: EvalLog) -> list[EvalSample]:
    """The samples by id and epoch."""
    assert log.samples is not None
    return sorted(log.samples, key=lambda sample: (str(sample.id), sample.epoch))


def score_of(sample: EvalSample) -> Score:
    """The sample's score of the scorer ``voi``."""
    assert sample.error is None, sample.error
    assert sample.scores is not None
    return sample.scores["voi"]


def values_of(sample: EvalSample) -> Values:
    """The values of the sample's score."""
    value = score_of(sample).value
    assert isinstance(value, dict)
    return {key: float(number) for key, number in value.items() if isinstance(number, int | float)}


def all_values(log: EvalLog) -> list[Values]:
    """The values of all samples, by id and epoch, with None for NaN, so that equal ones compare equal."""
    return [comparable(values_of(sample)) for sample in samples_of(log)]


def comparable(values: Values) -> Any:
    """Values in which NaN is None."""
    return {key: None if math.isnan(number) else number for key, number in values.items()}


def aggregate(log: EvalLog, key: str, metric: str = "mean") -> float:
    """An aggregate of the log."""
    assert log.results is not None
    (found,) = [scored for scored in log.results.scores if scored.name == key]
    return float(found.metrics[metric].value)


def judge_events(sample: EvalSample) -> list[Event]:
    """Model and tool events of the judges, which are those inside the scorer's span."""
    spans = {event.id: event for event in sample.events if event.event == "span_begin"}

    def inside(span_id: str | None) -> bool:
        while span_id is not None and span_id in spans:
            if spans[span_id].name == "judge":
                return True
            span_id = spans[span_id].parent_id
        return False

    return [event for event in sample.events if event.event in ("model", "tool") and inside(event.span_id)]


@contextmanager
def own_caches(folder: Path) -> Iterator[Path]:
    """Caches of the benchmark and of Inspect in a folder, for runs that several tests share."""
    names = {"CRUXBENCH_CACHE_DIR": "cruxbench", "INSPECT_CACHE_DIR": "inspect"}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update({name: str(folder / part) for name, part in names.items()})
    try:
        yield folder
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
