"""What a generator proposed and when, read from the end of its conversation and from its transcript."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import dropwhile

from inspect_ai.event import ErrorEvent, Event, SpanBeginEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.solver import TaskState
from pydantic import JsonValue

from cruxbench_inspect.crux import Crux, CruxFault, read_cruxes
from cruxbench_inspect.utc import format_utc

SOURCE = "cruxbench/cruxes"
"""The source of the info events that hold the hashes of cruxes and the moment when they were made."""


def proposed(state: TaskState, k: int) -> tuple[Crux | CruxFault, ...]:
    """Read the cruxes of a sample, whatever solver or agent wrote them.

    The answer is in the last message, if an assistant wrote it, else in the model's output; where neither holds a crux,
    in the last message of an assistant.

    Args:
        state: The sample after its solver.
        k: How many cruxes were asked for.

    Returns:
        Exactly k cruxes or faults: what is missing of them is a fault, too.
    """
    fault: CruxFault | None = None
    for text in dict.fromkeys((_text_at_the_end(state), state.output.completion, _last_assistant_text(state))):
        cruxes = read_cruxes(text, k)
        if not isinstance(cruxes, CruxFault):
            missing = CruxFault(kind="no_crux", detail=f"{k} cruxes were asked for, there are {len(cruxes)}")
            return cruxes + (missing,) * (k - len(cruxes))
        fault = cruxes if fault is None or fault.kind == "no_response" else fault
    return (_with_cause(fault, state),) * k


def _text_at_the_end(state: TaskState) -> str:
    last = state.messages[-1] if state.messages else None
    return last.text if isinstance(last, ChatMessageAssistant) else ""


def generation_error() -> str | None:
    """The error that ended this sample's solver, None if it came to its end.

    Inspect does not score such a sample in an evaluation, but does when a log is scored: what a provider's outage
    left behind must not be taken for the generator's answer then.
    """
    errors = (event for event in _generator_events() if isinstance(event, ErrorEvent))
    return next((event.error.message for event in errors), None)


def made_at() -> datetime | None:
    """When the cruxes of this sample were made: when the generator had come to its end, rounded up to a second.

    That is the completion of its last model call, tool call or other event in the transcript, whatever was done
    after it to score. It stays the same where a log is copied or scored again.

    Returns:
        The moment in UTC, None where the transcript has no event of the generator: a run that was imported was not
        made when its log was.
    """
    completed = (
        getattr(event, "completed", None) or event.timestamp
        for event in dropwhile(lambda event: not _begins(event, "solvers"), _generator_events())
    )
    last = max(completed, default=None)
    return None if last is None else (last + timedelta(microseconds=999_999)).replace(microsecond=0)


async def record_cruxes(state: TaskState) -> None:
    """Leave the SHA-256 of each crux (see ``Crux.sha256``) and when they were made in the transcript.

    It is a task's ``cleanup``, which Inspect runs for every sample, scored or not, whatever its solver.

    Args:
        state: The sample after its solver.
    """
    made = made_at()
    if made is None or generation_error() is not None:
        return
    cruxes: list[JsonValue] = [
        {"question": crux.question, "sha256": crux.sha256} if isinstance(crux, Crux) else {"fault": crux.kind}
        for crux in proposed(state, int(state.metadata["k"]))
    ]
    transcript().info({"made_at": format_utc(made), "cruxes": cruxes}, source=SOURCE)


def _generator_events() -> Iterator[Event]:
    """The events before the scorers'; what a generator may call a span of its own does not end them."""
    for event in transcript().events:
        if _begins(event, "scorers"):
            return
        yield event


def _begins(event: Event, span: str) -> bool:
    """Whether a part of the sample's run begins here."""
    return isinstance(event, SpanBeginEvent) and event.name == span and event.parent_id is None


def _last_assistant_text(state: TaskState) -> str:
    for message in reversed(state.messages):
        if isinstance(message, ChatMessageAssistant):
            return message.text
    return ""


def _with_cause(fault: CruxFault | None, state: TaskState) -> CruxFault:
    """The fault, named after why the provider stopped where that explains it."""
    fault = fault or CruxFault(kind="no_response", detail="the generator wrote nothing")
    if fault.kind in ("no_response", "no_crux") and state.output.choices:
        if state.output.stop_reason == "content_filter":
            return CruxFault(kind="refusal", detail="the provider's content filter stopped the answer")
        if state.output.stop_reason in ("max_tokens", "model_length"):
            return CruxFault(kind="truncated", detail="the answer reached the token limit before a complete crux")
    return fault
