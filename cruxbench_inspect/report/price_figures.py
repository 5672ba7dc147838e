"""The price of one question with every model's resolution: the paper's figures 6 and 7. Whole samples are read here."""

import math
from collections.abc import Sequence

from inspect_ai.event import InfoEvent
from inspect_ai.log import read_eval_log_sample
from pydantic import ValidationError

from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.judge.recall import SOURCE
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.price_history import ModelResolution, PriceHistory, price_history
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.unread import DAMAGE


def price_figures(study: Study, shown: Sequence[str], key: str, name: str) -> list[Figure]:
    """The figure of a question, none where its prices are not known.

    Args:
        study: The study.
        shown: The entries whose resolutions are shown.
        key: The question.
        name: The figure's name.
    """
    history = _history(study, key)
    if history is None:
        return []
    resolutions = _resolutions(study, shown, key)
    return [price_history(history, resolutions, name=name, models=shown, paper="Figures 6 and 7")]


def _history(study: Study, key: str) -> PriceHistory | None:
    question = study.question(key)
    loaded = next((one for one in study.sets.values() if question in one.questions), None)
    if question is None or loaded is None:
        return None
    raw, trusted = loaded.untreated(question.id), loaded.trusted(question.id)
    if raw is None or trusted is None:
        return None
    return PriceHistory(
        question.question,
        trusted.start,
        raw.values.tolist(),
        trusted.values.tolist(),
        question.window.start,
        question.window.hours[1],
    )


def _resolutions(study: Study, shown: Sequence[str], key: str) -> list[ModelResolution]:
    found = []
    for entry in [entry for entry in study.entries if entry.label in shown]:
        for row in study.of(entry.label).iter_rows(named=True):
            if row["question"] != key:
                continue
            locations = [
                run.location for run in entry.runs if any(s.question_id == row["question_id"] for s in run.samples)
            ]
            found.append(
                ModelResolution(
                    model=entry.label,
                    crux=row["crux"] or "no crux",
                    time=row["resolved_at"],
                    answer=row["outcome"] or (row["reason"] or "").replace("_", " "),
                    rule=(row["rule"] or "").replace("_", " "),
                    precision=(row["precision"] or "").replace("_", " "),
                    before=_number(row["p_before"]),
                    after=_number(row["p_after"]),
                    kl=_number(row["voi_kl"]),
                    evidence=_evidence(locations[0], row["question_id"]) if locations else "",
                )
            )
    return found


def _evidence(location: str, question_id: str) -> str:
    """The title of the first document that a judge cited; empty where there is none, or the log has no such sample."""
    try:
        sample = read_eval_log_sample(location, id=question_id, epoch=1)
    except DAMAGE:
        return ""
    for event in reversed(sample.events):
        if isinstance(event, InfoEvent) and event.source == SOURCE and isinstance(event.data, dict):
            try:
                judgement = Judgement.model_validate(event.data.get("judgement"))
            except ValidationError:
                continue
            if judgement.resolution is not None and judgement.resolution.evidence:
                cited = judgement.resolution.evidence[0]
                return f"{cited.title} ({cited.published[:10]})"
    return ""


def _number(value: float | None) -> float:
    return math.nan if value is None else value
