"""The value of information of a crux: judged from dated evidence, measured on the market's prices."""

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from cruxbench_inspect import clock
from cruxbench_inspect.crux import Crux, CruxFault
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.source import EvidenceSource
from cruxbench_inspect.evidence.sources import absolute_name, open_source
from cruxbench_inspect.explanation import explain
from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.judge.judging import JudgeNames, judged
from cruxbench_inspect.proposals import generation_error, made_at, proposed
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.resolution import GRACE
from cruxbench_inspect.score_record import ScoredCrux, event_group, score_of
from cruxbench_inspect.score_record import metrics as metrics
from cruxbench_inspect.settlement import (
    GenerationTrouble,
    PriceTrouble,
    fault_of,
    is_late,
    settle,
    trouble_with_prices,
    unscored,
)
from cruxbench_inspect.utc import format_utc
from cruxbench_inspect.voi import WIDEST


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
        questions: The question set: a built-in name or a folder. Its digest must be the log's, or it must be a later
            version of that set.
        evidence: Name of the judge's evidence source.
        record: A file that keeps what the source answers, by request and cutoff; what it has is not asked again.
        width: Averaging width in hours, 1 to 48.
        verify: Whether the verifier checks the resolver's times.
    """
    # Of this scorer alone: its samples see one state of a set, and the next scorer sees what an update made of it.
    load = lru_cache(maxsize=8)(_question_set)

    async def score(state: TaskState, target: Target) -> Score:
        terms = _terms(state, questions, evidence, record, width, verify)
        question_set = load(terms.questions, state.metadata["set_digest"])
        question = question_set.question(state.metadata["question_id"])
        trusted = question_set.trusted(question.id)
        outcome = question_set.outcome(question.id)
        cruxes = proposed(state, int(state.metadata["k"]))

        error, made = generation_error(), made_at()
        trouble_with_all: GenerationTrouble | PriceTrouble | None = (
            "generation_failed" if error else trouble_with_prices(question, trusted, outcome, clock.now())
        )
        scored = []
        for crux in cruxes:
            judgement = None
            late = question_set.is_live and not error and (made is None or is_late(question, crux, made))
            trouble = "late_crux" if late else trouble_with_all
            if trouble is not None or trusted is None:
                settlement = unscored(trouble or "prices_missing")
            elif isinstance(crux, CruxFault) or fault_of(question, crux) is not None:
                settlement = settle(question, crux, None, trusted, outcome, terms.width)
            else:
                judgement = await _judge(state, question_set, question, crux, terms, made)
                settlement = (
                    settle(question, crux, judgement.resolution, trusted, outcome, terms.width)
                    if judgement.resolution is not None
                    else unscored(judgement.trouble or "judge_failed")
                )
            scored.append(ScoredCrux(crux, judgement, settlement))
        explanation = "\n\n".join(
            explain(
                question,
                item.crux,
                item.judgement.resolution if item.judgement else None,
                item.settlement,
                trusted,
                _detail(item, error, made),
            )
            for item in scored
        )
        manifest = question_set.manifest
        return score_of(
            question,
            scored,
            explanation,
            str(state.model),
            terms.width,
            made_at=made,
            other_version=None
            if question_set.digest == state.metadata["set_digest"]
            else f"{manifest.version} {question_set.digest[:12]}",
            event_group=event_group(scored[0].judgement, transcript().events),
        )

    return score


class _Terms(NamedTuple):
    questions: str
    evidence: str
    record: str | None
    width: int
    verify: bool


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


def _detail(item: ScoredCrux, error: str | None, made: datetime | None) -> str:
    """More about trouble, for people."""
    if item.judgement is not None:
        return item.judgement.detail
    if item.settlement.reason == "late_crux":
        return f"at {format_utc(made)}" if made else "the log does not tell when it was made"
    return error or ""


def _question_set(source: str, digest: str) -> QuestionSet:
    try:
        question_set = QuestionSet.load(source)
    except InputError as error:
        raise InputError(
            f"{error}\nThe question set of this log is read from there: name another place with -S questions=FOLDER"
        ) from None
    if not question_set.stands_for(digest):
        raise InputError(
            f"question set {source!r} (version {question_set.manifest.version}, digest {question_set.digest[:12]}) is "
            f"not the one that this log was made with (digest {digest[:12]}), nor a later version of it with the same "
            "questions: scores would not belong together. "
            "Name the right one with -S questions=FOLDER"
        )
    return question_set


@lru_cache(maxsize=8)
def _source(evidence: str, record: str | None, question_set: QuestionSet) -> EvidenceSource:
    return open_source(evidence, question_set.evidence_file, record)


async def _judge(
    state: TaskState, question_set: QuestionSet, question: Question, crux: Crux, terms: _Terms, made: datetime | None
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
        made_at=made if question_set.is_live else None,
    )
