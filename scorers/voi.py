"""The value of information of a crux: judged from dated evidence, measured on the market's prices."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from inspect_ai.scorer import Metric, Score, Scorer, Target, ci, mean, scorer, stderr
from inspect_ai.solver import TaskState

from cruxbench_inspect.crux import Crux, CruxFault, restates
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.source import EvidenceSource
from cruxbench_inspect.evidence.sources import absolute_name, open_source
from cruxbench_inspect.explanation import explain
from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.judge.judging import JudgeNames, judged
from cruxbench_inspect.metrics import p_above_random
from cruxbench_inspect.prices import HourlySeries
from cruxbench_inspect.proposals import generation_error, proposed
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.resolution import GRACE
from cruxbench_inspect.settlement import (
    VALUES,
    GenerationTrouble,
    PriceTrouble,
    Settlement,
    fault_of,
    settle,
    trouble_with_prices,
    unscored,
)
from cruxbench_inspect.utc import format_utc
from cruxbench_inspect.voi import WIDEST


def metrics() -> dict[str, list[Metric]]:
    """Aggregates by key of the value, never of whole scores: those would not see unscored samples."""
    keyed: dict[str, list[Metric]] = {key: [mean(), stderr(), ci()] for key in VALUES}
    keyed["excess_kl"].append(p_above_random())
    return keyed


@scorer(metrics=metrics())
def voi(
    questions: str | None = None,
    evidence: str | None = None,
    record: str | None = None,
    width: int | None = None,
    verify: bool | None = None,
) -> Scorer:
    """Score cruxes by how far the market moved when they became known.

    A parameter that is not given is what the sample's metadata say, which is what the task was run with.

    Args:
        questions: The question set: a built-in name or a folder. Its digest must be the log's.
        evidence: Name of the judge's evidence source.
        record: A file that keeps what the source answers, by request and cutoff; what it has is not asked again.
        width: Averaging width in hours, 1 to 48.
        verify: Whether the verifier checks the resolver's times.
    """

    async def score(state: TaskState, target: Target) -> Score:
        terms = _terms(state, questions, evidence, record, width, verify)
        question_set = _question_set(terms.questions, state.metadata["set_digest"])
        question = question_set.question(state.metadata["question_id"])
        trusted = question_set.trusted(question.id)
        outcome = question_set.outcome(question.id)
        cruxes = proposed(state, int(state.metadata["k"]))

        error = generation_error()
        trouble: GenerationTrouble | PriceTrouble | None = (
            "generation_failed" if error else trouble_with_prices(question, trusted, outcome, datetime.now(UTC))
        )
        scored = []
        for crux in cruxes:
            judgement = None
            if trouble is not None or trusted is None:
                settlement = unscored(trouble or "prices_missing")
            elif isinstance(crux, CruxFault) or fault_of(question, crux) is not None:
                settlement = settle(question, crux, None, trusted, outcome, terms.width)
            else:
                judgement = await _judge(state, question_set, question, crux, terms)
                settlement = (
                    settle(question, crux, judgement.resolution, trusted, outcome, terms.width)
                    if judgement.resolution is not None
                    else unscored(judgement.trouble or "judge_failed")
                )
            scored.append(_Scored(crux, judgement, settlement))
        return _score(question, trusted, scored, state, terms, error or "")

    return score


class _Terms(NamedTuple):
    questions: str
    evidence: str
    record: str | None
    width: int
    verify: bool


class _Scored(NamedTuple):
    crux: Crux | CruxFault
    judgement: Judgement | None
    settlement: Settlement


def _terms(
    state: TaskState,
    questions: str | None,
    evidence: str | None,
    record: str | None,
    width: int | None,
    verify: bool | None,
) -> _Terms:
    told = state.metadata
    if "set_digest" not in told:
        raise InputError("the scorer voi scores samples of tasks/cruxbench.py: these have no question set in them")
    terms = _Terms(
        questions=told["set_path"] if questions is None else questions,
        evidence=told["evidence"] if evidence is None else absolute_name(evidence),
        record=record,
        width=told["width"] if width is None else width,
        verify=told["verify"] if verify is None else verify,
    )
    if type(terms.width) is not int or not 1 <= terms.width <= WIDEST:
        raise InputError(f"width is {terms.width!r}, and must be a whole number of hours from 1 to {WIDEST}")
    if type(terms.verify) is not bool:
        raise InputError(f"verify is {terms.verify!r}, and must be true or false")
    return terms


@lru_cache(maxsize=8)
def _question_set(source: str, digest: str) -> QuestionSet:
    try:
        question_set = QuestionSet.load(source)
    except InputError as error:
        raise InputError(
            f"{error}\nThe question set of this log is read from there: name another place with -S questions=FOLDER"
        ) from None
    if question_set.digest != digest:
        raise InputError(
            f"question set {source!r} (version {question_set.manifest.version}, digest {question_set.digest[:12]}) is "
            f"not the one that this log was made with (digest {digest[:12]}): scores would not belong together. "
            "Name the right one with -S questions=FOLDER"
        )
    return question_set


@lru_cache(maxsize=8)
def _source(evidence: str, record: str | None, question_set: QuestionSet) -> EvidenceSource:
    return open_source(evidence, question_set.evidence_file, record)


async def _judge(
    state: TaskState, question_set: QuestionSet, question: Question, crux: Crux, terms: _Terms
) -> Judgement:
    defaults = question_set.manifest.judges
    names = JudgeNames.of_run(
        defaults.resolver if defaults else None, defaults.verifier if defaults else None, terms.verify
    )
    return await judged(
        crux,
        lambda: _source(terms.evidence, terms.record, question_set),
        terms.evidence,
        question.window.end + GRACE,
        names,
        replacing=not state.scores,
    )


def _score(
    question: Question,
    trusted: HourlySeries | None,
    scored: Sequence[_Scored],
    state: TaskState,
    terms: _Terms,
    error: str,
) -> Score:
    """One score of all cruxes: the mean of their values, and unscored as a whole where one of them is."""
    missing = next((item.settlement for item in scored if not item.settlement.values["coverage"]), None)
    settlements = [missing] if missing else [item.settlement for item in scored]
    values = {key: _mean([settlement.values[key] for settlement in settlements]) for key in VALUES}
    reasons = dict.fromkeys(settlement.reason for settlement in settlements if settlement.reason)
    answers = [item.crux.question for item in scored if isinstance(item.crux, Crux)]
    return Score(
        value=values,
        answer="\n".join(answers) or None,
        explanation="\n\n".join(
            explain(
                question,
                item.crux,
                item.judgement.resolution if item.judgement else None,
                item.settlement,
                trusted,
                item.judgement.detail if item.judgement else error,
            )
            for item in scored
        ),
        reason=next(iter(reasons), None) if missing or all(settlement.reason for settlement in settlements) else None,
        metadata=_metadata(question, scored, state, terms),
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def _metadata(question: Question, scored: Sequence[_Scored], state: TaskState, terms: _Terms) -> dict[str, Any]:
    """Flat and small, since sample summaries carry it; of several cruxes the first is told. Without empty values."""
    crux, judgement, settlement = scored[0]
    told: dict[str, Any] = {"width": terms.width, "cruxes": len(scored)}
    if isinstance(crux, Crux):
        told["restates_question"] = restates(crux, question.question)
    if judgement is not None:
        told |= _told_of_judges(judgement, state)
    resolution = judgement.resolution if judgement else None
    if resolution is not None:
        told |= {
            "outcome": resolution.answer,
            "resolved_at": None if resolution.moment is None else format_utc(resolution.moment),
            "rule": resolution.rule,
            "precision": resolution.precision,
            "failure_mode": resolution.failure_mode,
        }
    told |= {"p_before": settlement.p_before, "p_after": settlement.p_after}
    told["provisional"] = settlement.provisional or None
    if settlement.sensitivity is not None:
        told |= {f"date_only_kl_{name}": value for name, value in settlement.sensitivity._asdict().items()}
    return {key: value for key, value in told.items() if value is not None}


def _told_of_judges(judgement: Judgement, state: TaskState) -> dict[str, Any]:
    terms, subject = judgement.terms, str(state.model)
    return {
        "resolver": terms.resolver,
        "verifier": terms.verifier,
        "resolver_is_subject": terms.resolver == subject,
        "verifier_is_subject": None if terms.verifier is None else terms.verifier == subject,
        "judge_prompts": " ".join(terms.prompts),
        "judge_attempts": judgement.attempts.resolver + judgement.attempts.verifier,
        "judge_tokens": judgement.tokens,
        "searches": judgement.searches,
        "documents": judgement.documents,
        "rejected": sum(judgement.rejected.values()),
    }
