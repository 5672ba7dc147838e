"""The verifier: sees crux, resolution and evidence, and may move the time, never the answer."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from inspect_ai.model import CachePolicy, ChatMessage, ChatMessageSystem, ChatMessageUser, Model

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.rendering import render_document
from cruxbench_inspect.judge.checks import verified
from cruxbench_inspect.judge.loop import Budget, run_loop
from cruxbench_inspect.judge.resolver import Resolved, as_data, crux_as_data, later_start
from cruxbench_inspect.judge.submission import SubmissionBox, TooEarly, submit_verification_tool
from cruxbench_inspect.prompts import Prompt
from cruxbench_inspect.resolution import Resolution, Verification
from cruxbench_inspect.utc import format_utc

SHOWN_CHARACTERS = 12_000
"""Characters of each cited document that the verifier sees."""

_PROMPTS = Path(__file__).parent / "prompts"
RULES = Prompt.read(_PROMPTS / "verifier.md")
TASK = Prompt.read(_PROMPTS / "verifier_task.md")
PROMPTS = (RULES, TASK)
"""All that the verifier is told."""


async def verify(
    crux: Crux,
    resolution: Resolution,
    documents: Mapping[str, Document],
    model: Model,
    budget: Budget,
    cache: CachePolicy,
    opens: datetime | None = None,
) -> Resolved:
    """Check the time of a settled crux.

    A correction that still fails the checks after it was mended is dropped: the resolver's time stands. Where only
    events from a later moment on count, and it says that the event came before, the event does not count either.

    Args:
        crux: The crux.
        resolution: The resolver's, with an answer.
        documents: The documents that it cites, by id.
        model: The verifier.
        budget: Its limits.
        cache: Where answered calls are looked up first.
        opens: The first moment that counts, where it is later than the crux's start date.
    """
    box: SubmissionBox[Resolution] = SubmissionBox()
    submit = submit_verification_tool(
        lambda submission: box.submit(lambda: verified(submission, resolution, crux, documents, opens))
    )
    cited = dict.fromkeys(item.document_id for item in resolution.evidence)
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=RULES.render()),
        ChatMessageUser(
            content=TASK.render(
                crux=crux_as_data(crux),
                opens=format_utc(opens or crux.opens),
                deadline=format_utc(crux.deadline),
                resolution=as_data(_shown(resolution)),
                documents="\n".join(render_document(documents[name], SHOWN_CHARACTERS) for name in cited),
            )
            + later_start(opens)
        ),
    ]
    outcome = await run_loop(model, messages, [submit], "submit_verification", box, budget, cache)
    if box.accepted is None and box.refusal is not None and box.closed:
        if opens is not None and isinstance(box.refusal, TooEarly):
            return Resolved(_without_the_event(resolution, crux, box.refusal), outcome)
        kept = Verification(changed=False, reason=f"The correction failed the checks: {box.refusal}")
        return Resolved(resolution.model_copy(update={"verification": kept}), outcome)
    return Resolved(box.accepted, outcome)


def _without_the_event(resolution: Resolution, crux: Crux, refusal: TooEarly) -> Resolution:
    """What is left of a resolution whose event came too early: No at the deadline, and nothing of a Yes."""
    if resolution.answer == "Yes":
        return Resolution.unresolvable("temporal", f"By the verifier the event came too early: {refusal}")
    moved = Verification(changed=True, reason=f"It came too early: {refusal}", moment_before=resolution.moment)
    deadline = {"moment": crux.deadline, "local_time": None, "zone": None, "precision": "deadline"}
    return resolution.model_copy(update={**deadline, "rule": "no_deadline", "verification": moved})


def _shown(resolution: Resolution) -> dict[str, object]:
    fields = resolution.model_dump(
        mode="json", include={"answer", "rule", "precision", "local_time", "zone", "reasoning"}
    )
    fields["time_utc"] = None if resolution.moment is None else format_utc(resolution.moment)
    fields["evidence"] = [{"document_id": item.document_id, "quote": item.quote} for item in resolution.evidence]
    return fields
