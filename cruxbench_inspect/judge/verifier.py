"""The verifier: sees crux, resolution and evidence, and may move the time, never the answer."""

from collections.abc import Mapping
from pathlib import Path

from inspect_ai.model import CachePolicy, ChatMessage, ChatMessageSystem, ChatMessageUser, Model

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.rendering import render_document
from cruxbench_inspect.judge.checks import verified
from cruxbench_inspect.judge.loop import Budget, run_loop
from cruxbench_inspect.judge.resolver import Resolved, as_data, crux_as_data
from cruxbench_inspect.judge.submission import SubmissionBox, submit_verification_tool
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
) -> Resolved:
    """Check the time of a settled crux.

    A correction that still fails the checks after it was mended is dropped: the resolver's time stands.

    Args:
        crux: The crux.
        resolution: The resolver's, with an answer.
        documents: The documents that it cites, by id.
        model: The verifier.
        budget: Its limits.
        cache: Where answered calls are looked up first.
    """
    box: SubmissionBox[Resolution] = SubmissionBox()
    submit = submit_verification_tool(
        lambda submission: box.submit(lambda: verified(submission, resolution, crux, documents))
    )
    cited = dict.fromkeys(item.document_id for item in resolution.evidence)
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=RULES.render()),
        ChatMessageUser(
            content=TASK.render(
                crux=crux_as_data(crux),
                opens=format_utc(crux.opens),
                deadline=format_utc(crux.deadline),
                resolution=as_data(_shown(resolution)),
                documents="\n".join(render_document(documents[name], SHOWN_CHARACTERS) for name in cited),
            )
        ),
    ]
    outcome = await run_loop(model, messages, [submit], "submit_verification", box, budget, cache)
    if box.accepted is None and box.refusal is not None and box.closed:
        kept = Verification(changed=False, reason=f"The correction failed the checks: {box.refusal}")
        return Resolved(resolution.model_copy(update={"verification": kept}), outcome)
    return Resolved(box.accepted, outcome)


def _shown(resolution: Resolution) -> dict[str, object]:
    fields = resolution.model_dump(
        mode="json", include={"answer", "rule", "precision", "local_time", "zone", "reasoning"}
    )
    fields["time_utc"] = None if resolution.moment is None else format_utc(resolution.moment)
    fields["evidence"] = [{"document_id": item.document_id, "quote": item.quote} for item in resolution.evidence]
    return fields
