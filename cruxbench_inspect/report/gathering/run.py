"""One log as a report sees it: a model's run over a question set, and its scores."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from cruxbench_inspect.report.gathering.summaries import Header, SampleScore, SummarisedLog, Summary, TokenUsage
from cruxbench_inspect.report.gathering.unread import DAMAGE, Unread, damage
from cruxbench_inspect.settlement import VALUES

MIXED = " and "
"""What stands between several judges, or prompts, of one run."""

_VOI = re.compile(r"voi(\d*)")


@dataclass(frozen=True)
class Terms:
    """What has to be equal for runs to be compared.

    Attributes:
        question_set: Name, version and beginning of the digest of the question set.
        questions: Digest of the set as it was run.
        width: Averaging width in hours.
        resolver: The judge that settles; "" where nothing was judged.
        verifier: The judge that checks times; "" without one.
        prompts: Versions of the judges' prompts.
        k: Cruxes a question.
        widths: All widths of its scores; more than one where a part was scored again at another.
    """

    question_set: str
    questions: str
    width: int
    resolver: str
    verifier: str
    prompts: str
    k: int
    widths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Usage:
    """What a sample used of one model.

    Attributes:
        model: The model.
        role: ``generator``, ``resolver``, ``verifier`` or another role's name.
        tokens_in: Tokens read, those from a cache included.
        tokens_cached: Those that were read from a cache.
        tokens_out: Tokens written.
        cost: USD as Inspect has it; None where it does not know.
    """

    model: str
    role: str
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    cost: float | None


@dataclass(frozen=True)
class ScoredSample:
    """One sample.

    Attributes:
        question_id: The question.
        epoch: The repetition, from 1.
        metadata: What the task says of the question.
        values: Keys as in ``settlement.VALUES``; NaN where undefined.
        reason: Why the score is 0 by rule, or missing.
        crux: The cruxes' questions, as far as a summary has them.
        told: The score's metadata.
        seconds: How long the sample ran.
        usage: What was used, by model and role.
        is_scored: Whether it has a score at all.
    """

    question_id: str
    epoch: int
    metadata: Mapping[str, Any]
    values: Mapping[str, float]
    reason: str | None
    crux: str | None
    told: Mapping[str, Any]
    seconds: float | None
    usage: tuple[Usage, ...]
    is_scored: bool


@dataclass(frozen=True, eq=False)
class Run:
    """A log of the task ``cruxbench``.

    Attributes:
        location: The log.
        eval_id: Inspect's name of the evaluation; copies that were scored again share it.
        task_id: Inspect's name of the task in an eval set; retries share it.
        model: The model under test.
        solver: The strategy, None for the task's own.
        created: When it was begun.
        status: ``success``, ``cancelled``, ``error`` or ``started``.
        set_path: Where the question set was.
        set_name: Its name.
        expected: Samples that were to be run.
        limited: Whether only a part of the set was to be run.
        imported: Whether the log was imported rather than run.
        benchmark: Version of the benchmark.
        terms: What has to be equal.
        samples: What it has, by question and epoch.
        asked: Ids of the questions that were to be asked, as far as the log names them.
    """

    location: str
    eval_id: str
    task_id: str
    model: str
    solver: str | None
    created: datetime
    status: str
    set_path: str
    set_name: str
    expected: int
    limited: bool
    imported: bool
    benchmark: str
    terms: Terms
    samples: tuple[ScoredSample, ...]
    asked: tuple[str, ...] = ()

    @cached_property
    def epochs(self) -> int:
        """How often each question was to be asked."""
        planned = self.expected // len(self.asked) if self.asked else 1
        return max(planned, *(sample.epoch for sample in self.samples))


def read_run(location: str) -> Run | Unread:
    """Read a log's header and the summaries of its samples; whole samples are not read.

    Returns:
        The run, or why it is left out: another task's log, a damaged one, one without a score.
    """
    log = SummarisedLog(location)
    try:
        spec = log.header.eval
        task = spec.task.split("/")[-1]
        if task != "cruxbench":
            return Unread(location, f"it is of the task {spec.task!r}", task)
        missing = {"set_digest", "set_name", "width"} - set(spec.metadata or {})
        if missing:
            return Unread(location, f"it does not say its {', '.join(sorted(missing))}")
        samples = tuple(
            sorted(
                (_sample(summary, spec.model) for summary in log.summaries),
                key=lambda one: (one.question_id, one.epoch),
            )
        )
        if not samples:
            return Unread(location, f"it has no samples (its status is {log.header.status})")
        if not any(sample.is_scored for sample in samples):
            return Unread(location, "nothing in it is scored: run inspect score on it")
        return _run(location, log.header, samples)
    except DAMAGE as error:
        return Unread(location, damage(error))


def _run(location: str, header: Header, samples: tuple[ScoredSample, ...]) -> Run:
    spec, about = header.eval, header.eval.metadata or {}
    dataset = spec.dataset.samples or len({sample.question_id for sample in samples})
    selected = len(spec.dataset.sample_ids or []) or dataset
    config = spec.config
    limited = config.limit is not None or config.sample_id is not None
    told = [sample.told for sample in samples]
    widths = sorted({int(one["width"]) for one in told if one.get("width") is not None})
    terms = Terms(
        question_set=f"{about['set_name']} {about.get('set_version', '')} ({str(about['set_digest'])[:12]})",
        questions=str(about["set_digest"]),
        width=int(_commonest(told, "width") or about["width"]),
        resolver=_all(told, "resolver"),
        verifier=_all(told, "verifier"),
        prompts=_all(told, "judge_prompts"),
        k=int(about.get("k", 1)),
        widths=tuple(widths),
    )
    return Run(
        location=location,
        eval_id=spec.eval_id,
        task_id=spec.task_id,
        model=spec.model,
        solver=None if spec.solver in (None, "propose", "release") else spec.solver,
        created=spec.created,
        status=header.status,
        set_path=str(about.get("set_path", "")),
        set_name=str(about["set_name"]),
        expected=(dataset if not limited else min(dataset, selected)) * (config.epochs or 1),
        limited=limited,
        imported="imported_from" in about,
        benchmark=str(spec.task_version).split(" ")[0],
        terms=terms,
        samples=samples,
        asked=tuple(map(str, spec.dataset.sample_ids or ())),
    )


def _sample(summary: Summary, subject: str) -> ScoredSample:
    score = _newest_score(summary.scores or {})
    values = score.value if score is not None and isinstance(score.value, Mapping) else {}
    told = (score.metadata or {}) if score is not None else {}
    metadata = summary.metadata
    return ScoredSample(
        question_id=str(metadata.get("question_id", summary.id)),
        epoch=summary.epoch,
        metadata=metadata,
        values={key: _number(values.get(key)) for key in VALUES},
        reason=score.reason if score is not None else ("generation_failed" if summary.error else None),
        crux=score.answer if score is not None else None,
        told=told,
        seconds=summary.total_time,
        usage=_usage(summary, subject, told),
        is_scored=score is not None,
    )


def _newest_score(scores: Mapping[str, SampleScore]) -> SampleScore | None:
    """The score of the scorer ``voi``; of those that were added to it later, the last."""
    own = {int(match[1] or 0): score for name, score in scores.items() if (match := _VOI.fullmatch(name))}
    return own[max(own)] if own else None


def _usage(summary: Summary, subject: str, told: Mapping[str, Any]) -> tuple[Usage, ...]:
    """By role; what a judge used that is the subject itself is taken off what the subject used."""
    roles = {role: usage for role, usage in sorted(summary.role_usage.items()) if role in ("resolver", "verifier")}
    found = [_used(str(told.get(role, "")), role, usage) for role, usage in roles.items()]
    own = summary.model_usage.get(subject)
    if own is not None:
        whole = _used(subject, "generator", own)
        judged = [one for one in found if one.model == subject]
        found.append(
            replace(
                whole,
                tokens_in=whole.tokens_in - sum(one.tokens_in for one in judged),
                tokens_cached=whole.tokens_cached - sum(one.tokens_cached for one in judged),
                tokens_out=whole.tokens_out - sum(one.tokens_out for one in judged),
                cost=None if whole.cost is None else whole.cost - sum(one.cost or 0.0 for one in judged),
            )
        )
    return tuple(found)


def _used(model: str, role: str, usage: TokenUsage) -> Usage:
    cached = usage.input_tokens_cache_read or 0
    return Usage(
        model=model,
        role=role,
        tokens_in=usage.input_tokens + cached + (usage.input_tokens_cache_write or 0),
        tokens_cached=cached,
        tokens_out=usage.output_tokens,
        cost=usage.total_cost,
    )


def _commonest(told: list[Mapping[str, Any]], key: str) -> Any:
    values = [one[key] for one in told if one.get(key) is not None]
    return max(sorted(set(values)), key=values.count) if values else None


def _all(told: list[Mapping[str, Any]], key: str) -> str:
    return MIXED.join(sorted({str(one[key]) for one in told if one.get(key) is not None}))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
