"""A log's header and the summaries of its samples, as far as a report uses them.

Inspect shortens every text of a summary when it reads one, although texts are short since they were written: that would
take most of the time of a report. So finished packed logs are read here, all others by Inspect, with equal results.
What a report does not use is not checked.
"""

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import IO, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import to_json

from cruxbench_inspect.report.gathering.packed_log import opened, read_part
from cruxbench_inspect.utc import UtcDatetime

_HEADER = "header.json"
_SUMMARIES = "summaries.json"
_REDUCTIONS = "reductions.json"

_UTF_8 = 0x800
"""The flag of a part whose name is in UTF-8; others are in ASCII, or damaged."""

_LONGEST = 1024
"""Characters of a text, or of the JSON of another value, that Inspect leaves as they are."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True, protected_namespaces=())


class Dataset(_Part):
    """What was to be asked.

    Attributes:
        samples: How many samples the dataset has.
        sample_ids: The ids of those that were selected.
    """

    samples: int | None = None
    sample_ids: list[str | int] | None = None


class Config(_Part):
    """How much of the dataset was to be run.

    Attributes:
        limit: Number or range of samples; None for all.
        sample_id: Selected samples; None for all.
        epochs: Repetitions of each sample.
    """

    limit: int | tuple[int, int] | None = None
    sample_id: str | int | list[str | int] | None = None
    epochs: int | None = None


class Spec(_Part):
    """What was evaluated; see ``EvalSpec`` in Inspect."""

    eval_id: str = Field(min_length=1)
    task: str
    task_id: str = ""
    task_version: int | str = 0
    created: UtcDatetime
    model: str
    solver: str | None = None
    dataset: Dataset
    config: Config
    metadata: dict[str, Any] | None = None


class Header(_Part):
    """The beginning of a log; see ``EvalLog`` in Inspect."""

    status: Literal["started", "success", "cancelled", "error"] = "started"
    eval: Spec


class TokenUsage(_Part):
    """What a sample used of one model; see ``ModelUsage`` in Inspect."""

    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_cache_write: int | None = None
    input_tokens_cache_read: int | None = None
    total_cost: float | None = None


class SampleScore(_Part):
    """A score; see ``Score`` in Inspect."""

    value: str | int | float | bool | Sequence[str | int | float | bool] | Mapping[str, str | int | float | bool | None]
    answer: str | None = None
    reason: str | None = None
    metadata: dict[str, Any] | None = None


class Summary(_Part):
    """A sample; see ``EvalSampleSummary`` in Inspect."""

    id: int | str
    epoch: int
    metadata: dict[str, Any] = {}
    scores: dict[str, SampleScore] | None = None
    model_usage: dict[str, TokenUsage] = {}
    role_usage: dict[str, TokenUsage] = {}
    total_time: float | None = None
    error: str | None = None


class SummarisedLog:
    """A log without its samples; what reading it raises is what Inspect raises (``unread.DAMAGE``)."""

    def __init__(self, location: str) -> None:
        """Name a log; nothing is read yet.

        Args:
            location: A path, or an address as Inspect takes it.
        """
        self.location = location

    @cached_property
    def header(self) -> Header:
        """The header."""
        if self._packed is not None:
            return self._packed[0]
        # Inspect takes more than a second to load, and finished logs do without it.
        from inspect_ai.log import read_eval_log

        return Header.model_validate(read_eval_log(self.location, header_only=True))

    @cached_property
    def summaries(self) -> list[Summary]:
        """The summaries, each sample once."""
        if self._packed is not None:
            return self._packed[1]
        from inspect_ai.log import read_eval_log_sample_summaries

        return list(map(Summary.model_validate, read_eval_log_sample_summaries(self.location)))

    @cached_property
    def _packed(self) -> tuple[Header, list[Summary]] | None:
        """What a finished packed log says; None of any that Inspect would read otherwise, or not at all."""
        if not self.location.endswith(".eval"):
            return None
        try:
            with opened(self.location) as (file, parts):
                header = Header.model_validate_json(read_part(file, parts, _HEADER))
                summaries = _SUMMARIES_OF.validate_json(read_part(file, parts, _SUMMARIES))
                if not _is_sound(file, parts):
                    return None
        except Exception:  # Whatever it is, Inspect says it, or reads the log all the same.
            return None
        return (header, _newest(summaries)) if all(map(_stays_as_written, summaries)) else None


_SUMMARIES_OF = TypeAdapter(list[Summary])


def _is_sound(file: IO[bytes], parts: zipfile.ZipFile) -> bool:
    """Whether nothing else is damaged that Inspect reads with a header; raises what ``read_part`` does."""
    if _REDUCTIONS in parts.namelist():
        read_part(file, parts, _REDUCTIONS)
    return all(part.filename.isascii() or part.flag_bits & _UTF_8 for part in parts.infolist())


def _newest(summaries: Iterable[Summary]) -> list[Summary]:
    """Of a sample that was run again, the last summary."""
    return list({(str(summary.id), summary.epoch): summary for summary in summaries}.values())


def _stays_as_written(summary: Summary) -> bool:
    """Whether Inspect takes a summary as it is: without texts to shorten or reasons to look for elsewhere."""
    if not _is_short(summary.metadata):
        return False
    for score in (summary.scores or {}).values():
        told = score.metadata or {}
        if not all(map(_is_short_text, (score.answer or "", score.reason or ""))) or not _is_short(told):
            return False
        if score.reason is None and told.get("unscored_reason") is not None:
            return False
    return True


def _is_short(metadata: Mapping[str, Any]) -> bool:
    for value in metadata.values():
        if isinstance(value, str):
            if not _is_short_text(value):
                return False
        elif not isinstance(value, int | float) and len(to_json(value, indent=2)) > _LONGEST:
            return False
    return True


def _is_short_text(text: str) -> bool:
    return len(text) <= _LONGEST and " ".join(text.split()) == text
