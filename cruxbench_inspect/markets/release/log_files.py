"""Inspect logs that are written rather than run: the parts that all of them share."""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.event import InfoEvent, SampleInitEvent, ScoreEvent
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalPlan,
    EvalPlanStep,
    EvalSample,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
    recompute_metrics,
    write_eval_log,
)
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Metric, Score
from inspect_ai.util import registry_info
from inspect_ai.viewer import ViewerConfig
from pydantic import JsonValue

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.transcript import Transcript, identity
from cruxbench_inspect.utc import format_utc

SOLVER = "release"
"""What the logs name as their solver: the release's own script."""


@dataclass(frozen=True)
class LogHeader:
    """What a log says of itself.

    Attributes:
        task: Name of the task.
        version: Its version, which names the question set.
        task_file: Where the task is, if it is one of this project.
        model: The model that ran.
        created: The time of the import.
        dataset: Name of the question set.
        arguments: Of the task.
        metadata: Of the log.
        scorer: Name of the scorer.
        metrics: Its metrics by key of the score's value.
        headline: The key whose mean sums a log up.
        viewer: How the viewer lists its samples, None for its own way.
    """

    task: str
    version: str
    task_file: str | None
    model: str
    created: datetime
    dataset: str
    arguments: Mapping[str, Any]
    metadata: Mapping[str, Any]
    scorer: str
    metrics: Mapping[str, Sequence[Metric]]
    headline: str
    viewer: ViewerConfig | None = None


def build_sample(
    header: LogHeader,
    sample_id: str,
    shown: str,
    answer: str,
    metadata: Mapping[str, Any],
    score: Score | None,
    judging: Sequence[tuple[str, JsonValue]] = (),
) -> EvalSample:
    """A sample with its transcript.

    Args:
        header: The log's.
        sample_id: The question's id.
        shown: What the model was shown of the question.
        answer: What it answered.
        metadata: Of the sample: nothing from the future.
        score: None where it is to be scored yet.
        judging: Source and content of the info events that judging left.
    """
    name = identity(header.task, header.model, header.dataset, sample_id)
    assistant = ChatMessageAssistant(
        id=identity(name, "assistant"), content=answer, source="generate", model=header.model
    )
    output = ModelOutput.from_message(assistant)
    output.model = header.model
    transcript = Transcript(name, header.created)
    with transcript.span("init", "init"):
        sample = Sample(id=sample_id, input=shown, target="", metadata=dict(metadata))
        transcript.add(SampleInitEvent, sample=sample)
    if score is not None:
        with transcript.span("scorers", "scorers"), transcript.span(header.scorer, "scorer"):
            if judging:
                with transcript.span("judge", "judge"):
                    for source, content in judging:
                        transcript.add(InfoEvent, source=source, data=content)
            transcript.add(ScoreEvent, score=score, target="", scorer=header.scorer)
    return EvalSample(
        id=sample_id,
        epoch=1,
        input=shown,
        target="",
        messages=[ChatMessageUser(id=identity(name, "user"), content=shown, source="input"), assistant],
        output=output,
        scores=None if score is None else {header.scorer: score},
        metadata=dict(metadata),
        events=transcript.events,
        uuid=name,
        started_at=format_utc(header.created),
        completed_at=format_utc(header.created),
    )


def write_log(header: LogHeader, samples: Sequence[EvalSample], folder: Path) -> Path:
    """Write a log; that of an earlier import of the same run is replaced.

    Raises:
        InputError: If it cannot be written.
    """
    log_id = identity(header.task, header.model, header.dataset)
    log = EvalLog(
        status="success",
        eval=_spec(header, samples, log_id),
        plan=EvalPlan(steps=[EvalPlanStep(solver=SOLVER)]),
        stats=EvalStats(started_at=format_utc(header.created), completed_at=format_utc(header.created)),
        samples=list(samples),
    )
    recompute_metrics(log)
    written = f"{re.sub(r'[^0-9T]', '-', format_utc(header.created)[:19])}-00-00_{header.task}_{log_id}.eval"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = next(iter(sorted(folder.glob(f"*_{header.task}_{log_id}.eval"))), folder / written)
        with tempfile.TemporaryDirectory(prefix=".import-", dir=folder) as unfinished:
            write_eval_log(log, Path(unfinished) / written)
            os.replace(Path(unfinished) / written, place)
    except OSError as error:
        raise InputError(
            f"the log of {header.model} cannot be written to {folder}: {error.strerror or error}. "
            "Make room or choose another folder, then run the command again"
        ) from error
    return place


def _spec(header: LogHeader, samples: Sequence[EvalSample], log_id: str) -> EvalSpec:
    metrics = {
        key: [{"name": registry_info(metric).name, "options": {}} for metric in of_key]
        for key, of_key in header.metrics.items()
    }
    return EvalSpec.model_validate(
        {
            "eval_id": identity(log_id, "eval"),
            "run_id": identity(log_id, "run"),
            "task_id": log_id,
            "created": format_utc(header.created),
            "task": header.task,
            "task_version": header.version,
            "task_file": header.task_file,
            "task_display_name": header.task,
            "task_args": dict(header.arguments),
            "solver": SOLVER,
            "solver_args": {},
            "dataset": EvalDataset(
                name=header.dataset,
                samples=len(samples),
                sample_ids=[str(sample.id) for sample in samples],
                shuffled=False,
            ),
            "model": header.model,
            "config": EvalConfig(epochs=1),
            "metadata": dict(header.metadata),
            "scorers": [{"name": header.scorer, "options": {}, "metrics": metrics, "metadata": {}}],
            "headline_metric": HeadlineMetric(scorer=header.scorer, score=header.headline, metric="mean"),
            "viewer": header.viewer,
        }
    )
