"""What a generator proposed, read from the end of its conversation."""

from inspect_ai.event import ErrorEvent, SpanBeginEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.solver import TaskState

from cruxbench_inspect.crux import Crux, CruxFault, read_cruxes


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
    for event in transcript().events:
        if isinstance(event, ErrorEvent):
            return event.error.message
        if isinstance(event, SpanBeginEvent) and event.name == "scorers":
            break  # a later error is the scorer's
    return None


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
