"""The resolver: settles a crux with the tools ``search`` and ``fetch`` over dated evidence."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from inspect_ai.model import CachePolicy, ChatMessage, ChatMessageSystem, ChatMessageUser, Model

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.evidence.tools import fetch_tool, search_tool
from cruxbench_inspect.judge.checks import resolution_of
from cruxbench_inspect.judge.loop import Budget, LoopOutcome, run_loop
from cruxbench_inspect.judge.submission import SubmissionBox, submit_resolution_tool
from cruxbench_inspect.prompts import Prompt
from cruxbench_inspect.resolution import FailureMode, Resolution
from cruxbench_inspect.utc import format_utc

_PROMPTS = Path(__file__).parent / "prompts"
RULES = Prompt.read(_PROMPTS / "resolver.md")
TASK = Prompt.read(_PROMPTS / "resolver_task.md")
PROMPTS = (RULES, TASK)
"""All that the resolver is told."""

LATER_START = Prompt.read(_PROMPTS / "later_start.md")
"""What resolver and verifier are told besides where only events after the crux's making count."""


@dataclass(frozen=True)
class Resolved:
    """What a resolver or a verifier came to.

    Attributes:
        resolution: None if it did not submit anything within its budget.
        loop: What it took.
    """

    resolution: Resolution | None
    loop: LoopOutcome


async def resolve(
    crux: Crux,
    session: EvidenceSession,
    model: Model,
    budget: Budget,
    cache: CachePolicy,
    opens: datetime | None = None,
) -> Resolved:
    """Settle one crux.

    Args:
        crux: The crux.
        session: Evidence bound to the judge's cutoff; new for each resolution.
        model: The resolver.
        budget: Its limits.
        cache: Where answered calls are looked up first.
        opens: The first moment that counts, where it is later than the crux's start date.
    """
    box: SubmissionBox[Resolution] = SubmissionBox()
    submit = submit_resolution_tool(
        lambda submission: box.submit(
            lambda: resolution_of(submission, crux, session.documents, session.counts.searches, opens)
        )
    )
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=RULES.render()),
        ChatMessageUser(
            content=TASK.render(
                crux=crux_as_data(crux),
                opens=format_utc(opens or crux.opens),
                deadline=format_utc(crux.deadline),
                cutoff=format_utc(session.cutoff),
            )
            + later_start(opens)
        ),
    ]
    tools = [search_tool(session), fetch_tool(session), submit]
    outcome = await run_loop(model, messages, tools, "submit_resolution", box, budget, cache)
    if box.accepted is None and box.refusal is not None and box.closed:
        mode: FailureMode = "temporal" if box.refusal.kind == "time" else "data_availability"
        return Resolved(Resolution.unresolvable(mode, f"The submission failed the checks: {box.refusal}"), outcome)
    return Resolved(box.accepted, outcome)


def later_start(opens: datetime | None) -> str:
    """What a judge's task ends with where only events from a later moment than the start date on count."""
    return "" if opens is None else "\n" + LATER_START.render(opens=format_utc(opens))


def crux_as_data(crux: Crux) -> str:
    """The parts of a crux that judges see, as JSON in which nothing can be taken for a tag."""
    fields = crux.model_dump(
        mode="json", include={"question", "background", "resolution_criteria", "start_date", "end_date"}
    )
    return as_data(fields)


def as_data(value: object) -> str:
    """JSON in which nothing can be taken for a tag."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")
