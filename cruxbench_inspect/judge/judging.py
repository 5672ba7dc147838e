"""Judging inside a scorer: earlier judgements first, then models, which are made only when one has to be asked."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.util import span

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.source import EvidenceSource
from cruxbench_inspect.judge.judgement import Attempts, Judgement, Judges, Terms, judge, prompt_versions
from cruxbench_inspect.judge.recall import carry_over, earlier_judgements, record


@dataclass(frozen=True)
class JudgeNames:
    """Names of the models that judge.

    Attributes:
        resolver: Settles cruxes.
        verifier: Checks times; None if they are not verified.
    """

    resolver: str
    verifier: str | None

    @classmethod
    def of_run(cls, default_resolver: str | None, default_verifier: str | None, verify: bool) -> "JudgeNames":
        """The models that a run has bound to the roles ``resolver`` and ``verifier``, else the defaults.

        Raises:
            InputError: If there is neither.
        """
        resolver = _name("resolver", default_resolver)
        return cls(resolver, _name("verifier", default_verifier) if verify else None)


async def judged(
    crux: Crux,
    open_source: Callable[[], EvidenceSource],
    evidence: str,
    cutoff: datetime,
    names: JudgeNames,
    replacing: bool,
    made_at: datetime | None = None,
) -> Judgement:
    """Judge a crux, or take the judgement that the transcript holds already under the same terms.

    Args:
        crux: The crux, free of faults.
        open_source: Opens the evidence source, when it is needed.
        evidence: The source's name.
        cutoff: The first moment whose documents are not shown.
        names: The judges.
        replacing: Whether this score replaces the earlier one, whose part of the transcript then has to be kept.
        made_at: When the crux was made, where what happened before does not count; whole seconds.
    """
    opens = made_at if made_at is not None and made_at > crux.opens else None
    terms = Terms(
        resolver=names.resolver,
        verifier=names.verifier,
        prompts=prompt_versions(names.verifier is not None, opens is not None),
        cutoff=cutoff,
        evidence=evidence,
        opens=opens,
    )
    earlier = earlier_judgements(crux, terms)
    for judgement, event in reversed(earlier):
        if judgement.resolution is not None:
            if replacing:
                carry_over(event)
            return judgement
    attempts = Attempts(
        resolver=max((judgement.attempts.resolver for judgement, _ in earlier), default=0),
        verifier=max((judgement.attempts.verifier for judgement, _ in earlier), default=0),
    )
    async with span("judge"):
        try:
            judges = Judges(
                _model("resolver", names.resolver),
                None if names.verifier is None else _model("verifier", names.verifier),
            )
        except Exception as error:  # A provider without a key or a package: the crux stays unjudged, the log is kept.
            unjudged = Judgement(crux_key=crux.key, terms=terms, trouble="judge_failed", attempts=attempts)
            judgement = unjudged.model_copy(update={"detail": f"no judge: {_message(error)}"})
        else:
            judgement = await judge(crux, open_source(), terms, judges, attempts)
        record(crux, judgement)
    return judgement


def _name(role: str, default: str | None) -> str:
    bound = model_roles().get(role)
    if bound is not None:
        return str(bound[0] if isinstance(bound, list) else bound)
    if default is None:
        raise InputError(
            f"the question set names no {role}, and this run names none either: add "
            f"--model-role {role}=PROVIDER/MODEL, such as --model-role {role}=anthropic/claude-sonnet-4-6"
        )
    return default


def _model(role: str, name: str) -> Model:
    return get_model(role=role, default=name)


def _message(error: Exception) -> str:
    # Inspect's errors about missing keys carry their text in an attribute, with markup for the terminal.
    text = re.sub(r"\[/?[a-z]+\]", "", str(getattr(error, "message", error)))
    return " ".join(text.split())[:300] or type(error).__name__
