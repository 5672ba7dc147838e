"""One whole sample of a log, as far as case pages use it: its messages, and what was noted in its transcript."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import from_json

from cruxbench_inspect.report.gathering.packed_log import opened, read_part

_ATTACHMENT = "attachment://"
_KINDS = ("info", "span_begin", "span_end")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Content(_Part):
    """A part of a message.

    Attributes:
        type: ``text``, or another kind.
        text: Its text, "" of other kinds.
    """

    type: str
    text: str = ""


class Message(_Part):
    """A message; see ``ChatMessage`` in Inspect."""

    role: str
    content: str | list[Content]

    @property
    def text(self) -> str:
        """All its texts."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if part.type == "text")


class Output(_Part):
    """What the model wrote last."""

    completion: str = ""


class Event(_Part):
    """A note in the transcript, or the beginning or end of a span; see Inspect's events.

    Attributes:
        event: ``info``, ``span_begin`` or ``span_end``.
        span_id: The span around it.
        source: Who noted it.
        data: What was noted.
        id: Of a span.
        parent_id: The span around a span.
        name: Of a span.
    """

    event: str
    span_id: str | None = None
    source: str | None = None
    data: Any = None
    id: str | None = None
    parent_id: str | None = None
    name: str | None = None


class WholeSample(_Part):
    """A sample; see ``EvalSample`` in Inspect.

    Attributes:
        events: Notes and spans alone.
    """

    metadata: dict[str, Any]
    messages: list[Message]
    output: Output
    events: list[Event]


def read_whole_sample(location: str, sample_id: str, epoch: int) -> WholeSample:
    """Read one sample, with its attachments in their places.

    What reading raises is what Inspect raises (``unread.DAMAGE``).
    """
    try:
        with opened(location) as (file, parts):
            sample = from_json(read_part(file, parts, f"samples/{sample_id}_epoch_{epoch}.json"))
        return WholeSample.model_validate(_resolved(_used(sample), sample.get("attachments", {})))
    except Exception:  # Whatever it is, Inspect says it, or reads the sample all the same.
        from inspect_ai.log import read_eval_log_sample

        whole = read_eval_log_sample(location, sample_id, epoch, resolve_attachments="core")
        return WholeSample.model_validate(_used(whole.model_dump(mode="json")))


def _used(sample: Mapping[str, Any]) -> dict[str, Any]:
    used = {name: sample[name] for name in ("metadata", "messages", "output") if name in sample}
    return {**used, "events": [event for event in sample["events"] if event["event"] in _KINDS]}


def _resolved(value: Any, attachments: Mapping[str, str]) -> Any:
    """A value with its attachments: long texts stand apart in a log, and once."""
    if isinstance(value, str):
        return attachments.get(value.removeprefix(_ATTACHMENT), value) if value.startswith(_ATTACHMENT) else value
    if isinstance(value, dict):
        return {key: _resolved(one, attachments) for key, one in value.items()}
    if isinstance(value, list):
        return [_resolved(one, attachments) for one in value]
    return value
