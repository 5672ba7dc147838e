"""A generator's run as an Inspect log: the cruxes of the release, scored as this project scores its own."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.scorer import Score
from pydantic import JsonValue

from cruxbench_inspect.crux import CruxFault
from cruxbench_inspect.explanation import explain
from cruxbench_inspect.judge.judgement import Judgement, Terms
from cruxbench_inspect.judge.recall import IMPORTED, SOURCE
from cruxbench_inspect.markets.release.crux_import import ImportedCrux
from cruxbench_inspect.markets.release.generator_runs import GeneratorRun
from cruxbench_inspect.markets.release.log_files import LogHeader, build_sample, write_log
from cruxbench_inspect.markets.release.log_terms import WIDTH, about_set, sample_metadata, shown_text, task_version
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.resolution import GRACE
from cruxbench_inspect.sample_columns import sample_columns
from cruxbench_inspect.score_record import VERIFIED, ScoredCrux, metrics, score_of
from cruxbench_inspect.settlement import Settlement, settle, trouble_with_prices, unscored


def write_generator_log(run: GeneratorRun, question_set: QuestionSet, now: datetime, folder: Path) -> Path:
    """Write a generator's log.

    Args:
        run: Its cruxes.
        question_set: The imported set.
        now: The present moment: what is not over yet is unscored.
        folder: The log folder.

    Returns:
        The log's path.

    Raises:
        InputError: If it cannot be written.
    """
    about = {**about_set(question_set), "width": WIDTH, "verify": run.times_are_verified, "k": 1}
    evidence = IMPORTED if run.is_judged else question_set.manifest.evidence
    judges = question_set.manifest.judges
    header = LogHeader(
        task="cruxbench",
        version=task_version(question_set),
        task_file="tasks/cruxbench.py",
        model=run.name,
        created=now,
        dataset=question_set.name,
        arguments={"questions": question_set.location, "width": WIDTH, "k": 1},
        metadata={
            "default_judges": judges.model_dump() if judges else {},
            "imported_from": run.file,
            "evidence": evidence,
            **about,
        },
        scorer="voi",
        metrics=metrics(),
        headline="voi_kl",
        viewer=sample_columns(),
    )
    samples = [
        _sample(header, run, question_set, question, about, now)
        for question in question_set.questions
        if question.id in run.cruxes
    ]
    return write_log(header, samples, folder)


def _sample(
    header: LogHeader,
    run: GeneratorRun,
    question_set: QuestionSet,
    question: Question,
    about: Mapping[str, Any],
    now: datetime,
) -> EvalSample:
    crux = run.cruxes[question.id]
    judgement = _judgement(crux, question, question_set, run) if run.is_judged else None
    judging: list[tuple[str, JsonValue]] = []
    if judgement is not None and not isinstance(crux.crux, CruxFault):
        judging.append(
            (SOURCE, {"crux": crux.crux.model_dump(mode="json"), "judgement": judgement.model_dump(mode="json")})
        )
        if entry := run.verified.get(question.id):
            verification = entry.model_dump(mode="json")
            judging.append((VERIFIED, {"crux_key": judgement.crux_key, "verification": verification}))
    return build_sample(
        header,
        question.id,
        shown_text(question),
        crux.text,
        sample_metadata(question, {**about, "evidence": IMPORTED if judging else question_set.manifest.evidence}),
        _score(run, crux, judgement, question_set, question, now) if run.is_judged else None,
        judging,
    )


def _judgement(
    crux: ImportedCrux, question: Question, question_set: QuestionSet, run: GeneratorRun
) -> Judgement | None:
    """The release's resolution as a judgement of the set's judges, so that rescoring finds it again."""
    judges = question_set.manifest.judges
    if judges is None or isinstance(crux.crux, CruxFault) or crux.resolution is None:
        return None
    return Judgement(
        crux_key=crux.crux.key,
        terms=Terms(
            resolver=judges.resolver,
            verifier=judges.verifier if run.times_are_verified else None,
            prompts=(IMPORTED,),
            cutoff=question.window.end + GRACE,
            evidence=IMPORTED,
        ),
        resolution=crux.resolution,
        fingerprint=IMPORTED,
    )


def _score(
    run: GeneratorRun,
    crux: ImportedCrux,
    judgement: Judgement | None,
    question_set: QuestionSet,
    question: Question,
    now: datetime,
) -> Score:
    trusted, outcome = question_set.trusted(question.id), question_set.outcome(question.id)
    trouble = trouble_with_prices(question, trusted, outcome, now)
    settlement: Settlement
    detail = ""
    if trouble is not None or trusted is None:
        settlement = unscored(trouble or "prices_missing")
    elif run.lacks_resolution(question):
        settlement, detail = unscored("judge_failed"), "the release holds no resolution of it"
    else:
        settlement = settle(question, crux.crux, crux.resolution, trusted, outcome, WIDTH)
    explanation = explain(question, crux.crux, crux.resolution, settlement, trusted, detail)
    entry = run.verified.get(question.id) if judgement is not None else None
    return score_of(
        question,
        [ScoredCrux(crux.crux, judgement, settlement)],
        explanation,
        run.name,
        WIDTH,
        event_group=None if entry is None else entry.event_group,
    )
