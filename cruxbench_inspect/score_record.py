"""The score of a sample's cruxes as a log keeps it: values, answer, explanation, and metadata that stay small."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from inspect_ai.event import Event, InfoEvent
from inspect_ai.scorer import Metric, Score, ci, mean, stderr

from cruxbench_inspect.cited_pages import page_ids
from cruxbench_inspect.crux import Crux, CruxFault, restates
from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.judge.recall import IMPORTED
from cruxbench_inspect.metrics import p_above_random
from cruxbench_inspect.questions import Question
from cruxbench_inspect.settlement import VALUES, DateOnlySensitivity, Settlement
from cruxbench_inspect.source_kinds import source_kinds
from cruxbench_inspect.utc import format_utc

VERIFIED = "cruxbench/release"
"""The source of the info events beside imported judgements that hold what the release's verifier said of a time."""


class ScoredCrux(NamedTuple):
    """A crux with all that its score follows from.

    Attributes:
        crux: What was proposed.
        judgement: How it was judged, None where there was nothing to judge.
        settlement: What it scored.
    """

    crux: Crux | CruxFault
    judgement: Judgement | None
    settlement: Settlement


def metrics() -> dict[str, list[Metric]]:
    """Aggregates by key of the value, never of whole scores: those would not see unscored samples."""
    keyed: dict[str, list[Metric]] = {key: [mean(), stderr(), ci()] for key in VALUES}
    keyed["excess_kl"].append(p_above_random())
    return keyed


def score_of(
    question: Question,
    scored: Sequence[ScoredCrux],
    explanation: str,
    subject: str,
    width: int,
    *,
    made_at: datetime | None = None,
    other_version: str | None = None,
    event_group: str | None = None,
) -> Score:
    """One score of all cruxes: the mean of their values, and unscored as a whole where one of them is.

    Args:
        question: The ultimate question.
        scored: Its cruxes, at least one.
        explanation: Their explanations.
        subject: The model under test.
        width: Averaging width in hours.
        made_at: When the cruxes were made, if that is known.
        other_version: Version and digest of the question set, where they are not those of the log.
        event_group: What the release's verifier calls the event that settled an imported crux.
    """
    of_sample = {
        "made_at": None if made_at is None else format_utc(made_at),
        "scored_with": other_version,
        "event_group": event_group,
    }
    missing = next((item.settlement for item in scored if not item.settlement.values["coverage"]), None)
    settlements = [missing] if missing else [item.settlement for item in scored]
    values = {key: _mean([settlement.values[key] for settlement in settlements]) for key in VALUES}
    reasons = dict.fromkeys(settlement.reason for settlement in settlements if settlement.reason)
    answers = [item.crux.question for item in scored if isinstance(item.crux, Crux)]
    return Score(
        value=values,
        answer="\n".join(answers) or None,
        explanation=explanation,
        reason=next(iter(reasons), None) if missing or all(settlement.reason for settlement in settlements) else None,
        metadata=_metadata(question, scored, subject, {"width": width, **of_sample}),
    )


def event_group(judgement: Judgement | None, events: Iterable[Event]) -> str | None:
    """What the release's verifier calls the event that settled a crux, from the transcript of an imported sample.

    Args:
        judgement: How the crux was judged; only with an imported judgement is there such an event.
        events: The transcript.
    """
    if judgement is None or judgement.terms.evidence != IMPORTED:
        return None
    for event in events:
        if isinstance(event, InfoEvent) and event.source == VERIFIED and isinstance(event.data, dict):
            verification = event.data.get("verification")
            if event.data.get("crux_key") == judgement.crux_key and isinstance(verification, dict):
                return str(verification["event_group"])
    return None


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def _metadata(
    question: Question, scored: Sequence[ScoredCrux], subject: str, of_sample: Mapping[str, Any]
) -> dict[str, Any]:
    """Flat and small, since sample summaries carry it. Without empty values.

    Of several cruxes the first is told, but what judges used is that of all.
    """
    crux, judgement, settlement = scored[0]
    # Equal cruxes are judged once.
    judged = list({one.judgement.crux_key: one.judgement for one in scored if one.judgement is not None}.values())
    told: dict[str, Any] = {**of_sample, "cruxes": len(scored)}
    if isinstance(crux, Crux):
        told["crux_sha256"] = crux.sha256
        told["restates_question"] = restates(crux, question.question)
        told["yes_makes_u"] = None if crux.yes_makes_u is None else crux.yes_makes_u.split()[0]
        told["source_kinds"] = ", ".join(source_kinds(crux.resolution_criteria))
    if judged:
        told |= _told_of_judges(judged, subject)
    resolution = judgement.resolution if judgement else None
    if resolution is not None:
        told |= {
            "outcome": resolution.answer,
            "resolved_at": None if resolution.moment is None else format_utc(resolution.moment),
            "rule": resolution.rule,
            "precision": resolution.precision,
            "failure_mode": resolution.failure_mode,
            "evidence_pages": " ".join(page_ids(cited.url for cited in resolution.evidence)) or None,
        }
    told |= {"p_before": settlement.p_before, "p_after": settlement.p_after}
    told["provisional"] = settlement.provisional or None
    told |= _sensitivity([one.settlement for one in scored])
    return {key: value for key, value in told.items() if value is not None}


def _sensitivity(settlements: Sequence[Settlement]) -> dict[str, float]:
    """The score with days for hours: of several cruxes the mean, to which those with an hour add what they score."""
    if not all(one.values["coverage"] for one in settlements) or all(one.sensitivity is None for one in settlements):
        return {}
    return {
        f"date_only_kl_{name}": _mean(
            [
                one.values["voi_kl"] if one.sensitivity is None else float(getattr(one.sensitivity, name))
                for one in settlements
            ]
        )
        for name in DateOnlySensitivity._fields
    }


def _told_of_judges(judged: Sequence[Judgement], subject: str) -> dict[str, Any]:
    terms = judged[0].terms
    return {
        "resolver": terms.resolver,
        "verifier": terms.verifier,
        "resolver_is_subject": terms.resolver == subject,
        "verifier_is_subject": None if terms.verifier is None else terms.verifier == subject,
        "judge_prompts": " ".join(terms.prompts),
        "judge_attempts": sum(one.attempts.resolver + one.attempts.verifier for one in judged),
        "judge_tokens": sum(one.tokens for one in judged),
        # Several are judged at the same time, which their sum would not be.
        "judge_seconds": judged[0].seconds if len(judged) == 1 else None,
        "searches": sum(one.searches for one in judged),
        "documents": sum(one.documents for one in judged),
        "rejected": sum(sum(one.rejected.values()) for one in judged),
    }
