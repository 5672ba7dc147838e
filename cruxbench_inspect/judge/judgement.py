"""One judgement: resolver, then verifier, with trouble of ours kept apart from what the crux is worth."""

import logging
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import anyio
from inspect_ai.model import CachePolicy, Model
from inspect_ai.util import span
from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.evidence.source import EvidenceSource
from cruxbench_inspect.judge import resolver, verifier
from cruxbench_inspect.judge.loop import Budget, LoopOutcome
from cruxbench_inspect.judge.resolver import LATER_START
from cruxbench_inspect.prompts import Prompt
from cruxbench_inspect.resolution import JudgeTrouble, Resolution
from cruxbench_inspect.utc import UtcDatetime

logger = logging.getLogger(__name__)

ATTEMPTS = 2
"""How often a judge that comes to no submission is asked, before the crux stays unjudged for now."""


class Terms(BaseModel):
    """What a judgement depends on besides the crux and the evidence; equal terms make it reusable.

    Attributes:
        resolver: Name of the resolver.
        verifier: Name of the verifier, None if times are not verified.
        prompts: Versions of the prompts.
        cutoff: The first moment whose documents are not shown.
        evidence: Name of the evidence source.
        opens: The first moment that counts, where it is later than the crux's start date.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    resolver: str
    verifier: str | None
    prompts: tuple[str, ...]
    cutoff: UtcDatetime
    evidence: str
    opens: UtcDatetime | None = None


class Attempts(BaseModel):
    """How many attempts each judge has used up on a crux: without a submission it would end so again from the cache.

    Trouble with a provider or a source uses up none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    resolver: int = 0
    verifier: int = 0


class Judgement(BaseModel):
    """What came of judging one crux.

    Attributes:
        crux_key: The crux's key.
        terms: What it depends on.
        resolution: None where there was trouble.
        trouble: Trouble of ours.
        detail: What the trouble was, for people.
        attempts: What the judges have used up so far, over all runs that this log saw.
        tokens: Tokens of the judges' calls, cached ones included.
        searches: Searches that were answered.
        documents: Documents that were shown.
        rejected: Documents withheld by the date rules, by reason.
        fingerprint: All that the source's answers depended on besides the requests.
        seconds: How long the judges took in the run that asked them; None where that is not known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    crux_key: str
    terms: Terms
    resolution: Resolution | None = None
    trouble: JudgeTrouble | None = None
    detail: str = ""
    attempts: Attempts = Attempts()
    tokens: int = 0
    searches: int = 0
    documents: int = 0
    rejected: Mapping[str, int] = {}
    fingerprint: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class Judges:
    """The models that judge.

    Attributes:
        resolver: Settles cruxes.
        verifier: Checks times; None leaves them as the resolver gave them.
        budget: Limits of each of the two on one crux.
    """

    resolver: Model
    verifier: Model | None
    budget: Budget = Budget()


def prompt_versions(verify: bool, later_start: bool = False) -> tuple[str, ...]:
    """Versions of the prompts that a judgement uses.

    Args:
        verify: Whether times are verified.
        later_start: Whether cruxes may count from a later moment than their start dates.
    """
    prompts = (*resolver.PROMPTS, *(verifier.PROMPTS if verify else ()), *((LATER_START,) if later_start else ()))
    return tuple(prompt.version for prompt in prompts)


async def judge(
    crux: Crux, source: EvidenceSource, terms: Terms, judges: Judges, earlier: Attempts | None = None
) -> Judgement:
    """Judge one crux.

    It does not raise for trouble with models or sources: an exception would end the scoring of a whole log.

    Args:
        crux: The crux, free of faults.
        source: Where evidence comes from.
        terms: What the judgement depends on, the cutoff among it.
        judges: The models.
        earlier: Attempts that earlier runs used up; their answers are not asked for again, new ones are.
    """
    judgement = Judgement(crux_key=crux.key, terms=terms, attempts=earlier or Attempts())
    # Equal cruxes of one process are judged one after the other: the second finds every answer in the cache.
    async with _lock(f"{crux.key} {terms.model_dump_json()}"):
        begun = anyio.current_time()
        for _ in range(ATTEMPTS):
            used_up, tokens = judgement.attempts, judgement.tokens
            judgement = await _attempt(crux, source, judges, terms, used_up)
            judgement = judgement.model_copy(update={"tokens": judgement.tokens + tokens})
            if judgement.attempts == used_up:
                break
        return judgement.model_copy(update={"seconds": round(anyio.current_time() - begun, 3)})


async def _attempt(crux: Crux, source: EvidenceSource, judges: Judges, terms: Terms, attempts: Attempts) -> Judgement:
    session = EvidenceSession(source, terms.cutoff)
    tokens = 0

    def judgement(
        resolution: Resolution | None,
        trouble: JudgeTrouble | None = None,
        detail: str = "",
        used_up: Attempts = attempts,
    ) -> Judgement:
        return Judgement(
            crux_key=crux.key,
            terms=terms,
            resolution=resolution,
            trouble=trouble,
            detail=detail,
            attempts=used_up,
            tokens=tokens,
            searches=session.counts.searches,
            documents=len(session.documents),
            rejected=dict(session.counts.rejected),
            fingerprint=source.fingerprint,
        )

    try:
        async with span("resolver"):
            resolved = await resolver.resolve(
                crux, session, judges.resolver, judges.budget, _cache(resolver.PROMPTS, attempts.resolver), terms.opens
            )
        tokens += resolved.loop.tokens
        resolution = resolved.resolution
        trouble = _trouble_with_evidence(resolution, session)
        if trouble is not None:
            return judgement(None, trouble, _about_evidence(session))
        if resolution is None:
            return judgement(None, "judge_failed", *_shortfall("resolver", resolved.loop, attempts))
        if not session.counts.searches:
            return judgement(None, "judge_failed", "the resolver searched nothing", _used_up("resolver", attempts))
        if judges.verifier is None or not resolution.resolvable:
            return judgement(resolution)
        async with span("verifier"):
            checked = await verifier.verify(
                crux,
                resolution,
                session.documents,
                judges.verifier,
                judges.budget,
                _cache(verifier.PROMPTS, attempts.verifier),
                terms.opens,
            )
        tokens += checked.loop.tokens
        if checked.resolution is None:
            return judgement(None, "judge_failed", *_shortfall("verifier", checked.loop, attempts))
        return judgement(checked.resolution)
    except Exception as error:  # Whatever a provider raises is trouble of ours, and must not end the whole scoring.
        causes = _causes(error)
        detail = _shown(causes[-1])
        logger.warning("judging failed: %s", detail)
        return judgement(None, "rate_limit" if any(map(_is_rate_limit, causes)) else "judge_failed", detail)


def _shortfall(judge: Literal["resolver", "verifier"], loop: LoopOutcome, attempts: Attempts) -> tuple[str, Attempts]:
    """What to say of a judge without a submission, and what is used up.

    One that ran out of time goes on from its cached answers when it is run again; the others would only repeat.
    """
    told = f"the {judge} submitted nothing within its {loop.shortfall} limit"
    return told, attempts if loop.shortfall == "time" else _used_up(judge, attempts)


def _used_up(judge: Literal["resolver", "verifier"], attempts: Attempts) -> Attempts:
    return attempts.model_copy(update={judge: getattr(attempts, judge) + 1})


def _cache(prompts: Sequence[Prompt], attempt: int) -> CachePolicy:
    versions = ",".join(prompt.version for prompt in prompts)
    return CachePolicy(expiry=None, per_epoch=False, scopes={"prompts": versions, "attempt": str(attempt)})


def _trouble_with_evidence(resolution: Resolution | None, session: EvidenceSession) -> JudgeTrouble | None:
    """Whether the lack of evidence is ours: an outage proves nothing, and an empty archive is no news blackout.

    Neither is an archive of which nothing but titles could be read.
    """
    proven = resolution is not None and resolution.rule in ("yes_event", "no_irreversible")
    if session.failures and not proven:
        return "rate_limit" if all(failure.kind == "rate_limit" for failure in session.failures) else "search_outage"
    if session.counts.searches and (not session.documents or (session.read_nothing and not proven)):
        return "no_evidence"
    return None


def _about_evidence(session: EvidenceSession) -> str:
    if session.failures:
        return "; ".join(dict.fromkeys(str(failure) for failure in session.failures))
    counts = session.counts
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.rejected.most_common())
    rejected = f"{counts.rejected.total()} documents rejected by the date rules" + (f" ({reasons})" if reasons else "")
    titles = f", of {len(session.documents)} documents only the titles could be read" if session.documents else ""
    return f"{counts.searches} searches, {rejected}{titles}"


def _causes(error: BaseException) -> list[BaseException]:
    """An error and what it was raised from: Inspect raises one of its own when the retries of a call are used up."""
    return [error, *(_causes(error.__cause__) if error.__cause__ is not None else [])]


def _is_rate_limit(error: BaseException) -> bool:
    # Providers name the status of an answer differently.
    limited = 429 in (getattr(error, "status_code", None), getattr(error, "code", None))
    return limited or "ratelimit" in type(error).__name__.lower()


def _shown(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]


_locks: "weakref.WeakValueDictionary[str, anyio.Lock]" = weakref.WeakValueDictionary()


def _lock(key: str) -> anyio.Lock:
    lock = _locks.get(key)
    if lock is None:
        lock = _locks[key] = anyio.Lock()
    return lock
