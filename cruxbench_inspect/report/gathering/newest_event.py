"""When anything last happened in a log, by the log itself: copying or unpacking a file changes what its folder says."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from cruxbench_inspect.report.gathering.packed_log import opened, read_part
from cruxbench_inspect.report.gathering.unread import DAMAGE
from cruxbench_inspect.utc import parse_utc


def newest_event(location: str) -> datetime | None:
    """The newest moment in the transcripts of a log's samples, where scoring and edits of scores leave events.

    All samples are read, one after the other.

    Args:
        location: The log.

    Returns:
        None where no sample can be read, or none has an event.
    """
    try:
        return max(_moments(_samples(location)), default=None)
    except DAMAGE:
        return None


def _moments(samples: Iterable[Mapping[str, Any]]) -> Iterator[datetime]:
    for sample in samples:
        yield from (parse_utc(event["timestamp"]) for event in sample["events"])


def _samples(location: str) -> Iterator[Mapping[str, Any]]:
    if location.endswith(".eval"):
        with opened(location) as (file, parts):
            for name in parts.namelist():
                if name.startswith("samples/"):
                    yield from_json(read_part(file, parts, name))
        return
    from inspect_ai.log import read_eval_log_samples

    for sample in read_eval_log_samples(location, all_samples_required=False):
        yield sample.model_dump(mode="json", include={"events"})
