"""The transcript of a sample that was not run here: spans and events with identities that do not change."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from inspect_ai.event import Event, SpanBeginEvent, SpanEndEvent

AnyEvent = TypeVar("AnyEvent", bound=Event)


def identity(*parts: str) -> str:
    """A name of 22 characters that depends on the parts alone."""
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()[:22]


class Transcript:
    """Events in order.

    Attributes:
        events: All so far.
    """

    def __init__(self, name: str, moment: datetime) -> None:
        """Begin a transcript.

        Args:
            name: What identities are made of.
            moment: The time that all events get.
        """
        self.events: list[Event] = []
        self._name = name
        self._moment = moment
        self._open: list[str] = []

    def add(self, kind: type[AnyEvent], **fields: Any) -> None:
        """Add an event to the innermost open span."""
        self._add(kind, self._open[-1], **fields)

    @contextmanager
    def span(self, name: str, kind: str) -> Iterator[None]:
        """A span around the events that are added inside."""
        span = identity(self._name, "span", str(len(self.events)))
        parent = self._open[-1] if self._open else None
        self._add(SpanBeginEvent, span, id=span, parent_id=parent, name=name, type=kind)
        self._open.append(span)
        yield
        self._open.pop()
        self._add(SpanEndEvent, span, id=span)

    def _add(self, kind: type[AnyEvent], span: str, **fields: Any) -> None:
        uuid = identity(self._name, "event", str(len(self.events)))
        self.events.append(kind(uuid=uuid, span_id=span, timestamp=self._moment, working_start=0.0, **fields))
