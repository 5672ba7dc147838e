"""Judgements in a transcript: written there once, found there again when a log is rescored."""

from collections.abc import Mapping
from uuid import uuid4

from inspect_ai.event import (
    EventTree,
    EventTreeSpan,
    InfoEvent,
    SpanBeginEvent,
    SpanEndEvent,
    event_sequence,
    event_tree,
)
from inspect_ai.log import transcript
from inspect_ai.util import current_span_id
from pydantic import JsonValue, ValidationError

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.judge.judgement import Judgement, Terms
from cruxbench_inspect.resolution import JUDGEMENTS

SOURCE = JUDGEMENTS
"""The source of the info events that hold judgements."""


IMPORTED = "release"
"""What stands for the evidence source of judgements that were imported with the runs that they belong to."""


def record(crux: Crux, judgement: Judgement) -> None:
    """Write a crux and its judgement into the transcript."""
    content: dict[str, JsonValue] = {
        "crux": crux.model_dump(mode="json"),
        "judgement": judgement.model_dump(mode="json"),
    }
    transcript().info(content, source=SOURCE)


def earlier_judgements(crux: Crux, terms: Terms) -> list[tuple[Judgement, InfoEvent]]:
    """Judgements of a crux under the same terms that scorers left in the transcript of this sample, oldest first.

    What solvers write there does not count: the system under test must not be its own judge. Neither do records in
    another form, which another version may have left.
    """
    found = []
    events = transcript().events
    spans = {event.id: event for event in events if isinstance(event, SpanBeginEvent)}
    for event in events:
        if not isinstance(event, InfoEvent) or event.source != SOURCE or not isinstance(event.data, dict):
            continue
        try:
            judgement = Judgement.model_validate(event.data.get("judgement"))
        except ValidationError:
            continue
        if (
            judgement.crux_key == crux.key
            and _are_equal(judgement.terms, terms)
            and _outermost(event.span_id, spans) == "scorers"
        ):
            found.append((judgement, event))
    return found


def _are_equal(earlier: Terms, terms: Terms) -> bool:
    """Whether terms are the same; what was imported was judged by prompts that are not ours, and stays as it is."""
    if earlier.evidence == IMPORTED:
        earlier = earlier.model_copy(update={"prompts": terms.prompts})
    return earlier == terms


def carry_over(event: InfoEvent) -> None:
    """Repeat the work behind an earlier judgement in this transcript, since rescoring may replace the earlier part.

    The copied spans get identities of their own: the originals are still in the transcript, which may be copied from
    again, for another crux that is equal or by another scorer.

    Args:
        event: The info event of the judgement; the span around it is repeated, with the original times.
    """
    events = transcript().events
    span = _find(event_tree(events), event.span_id)
    copies: dict[str | None, str | None] = {span.parent_id if span else event.span_id: current_span_id()}
    for original in list(event_sequence(span)) if span is not None else [event]:
        changes: dict[str, object] = {"uuid": None}
        if isinstance(original, SpanBeginEvent):
            copies[original.id] = uuid4().hex
            changes["parent_id"] = copies[original.parent_id]
        if isinstance(original, SpanBeginEvent | SpanEndEvent):
            changes["id"] = copies[original.id]
        changes["span_id"] = copies.get(original.span_id, original.span_id)
        # Inspect has no public way to add an event that already happened.
        transcript()._event(original.model_copy(update=changes))


def _outermost(span_id: str | None, spans: Mapping[str, SpanBeginEvent]) -> str | None:
    """The name of the outermost span around an event: init, solvers or scorers."""
    name, seen = None, set[str]()
    while span_id is not None and span_id in spans and span_id not in seen:
        seen.add(span_id)
        name, span_id = spans[span_id].name, spans[span_id].parent_id
    return name


def _find(tree: EventTree, span_id: str | None) -> EventTreeSpan | None:
    for node in tree:
        if isinstance(node, EventTreeSpan):
            found = node if node.id == span_id else _find(node.children, span_id)
            if found is not None:
                return found
    return None
