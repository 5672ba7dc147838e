"""What the baseline submits as resolver and as verifier: the arguments of the two submitting tools."""

from datetime import UTC, date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

Precision = Literal["stated", "convention", "date_only", "deadline"]
Rule = Literal["yes_event", "no_deadline", "no_irreversible"]
FailureMode = Literal["data_availability", "temporal", "observability"]


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Timing(_Arguments):
    """When something became public: a local wall-clock time with its IANA zone, or a date alone."""

    local_time: str | None = None
    zone: str | None = None
    precision: Precision | None = None

    @property
    def moment(self) -> datetime | None:
        """The moment in UTC: midnight for a date alone, None for a deadline."""
        if self.local_time is None:
            return None
        local = datetime.fromisoformat(self.local_time)
        return local.replace(tzinfo=UTC if self.precision == "date_only" else ZoneInfo(self.zone or "UTC")).astimezone(
            UTC
        )

    @classmethod
    def on(cls, day: date) -> "Timing":
        """The timing of something that is dated to the day."""
        return cls(local_time=day.isoformat(), zone="UTC", precision="date_only")


DEADLINE = Timing(precision="deadline")
"""The timing of a No for want of an event."""


class Citation(_Arguments):
    """A cited document, with words that occur in it."""

    document_id: str
    quote: str


class Submission(_Arguments):
    """The arguments of ``submit_resolution``."""

    resolvable: bool
    answer: Literal["Yes", "No"] | None = None
    local_time: str | None = None
    zone: str | None = None
    precision: Precision | None = None
    rule: Rule | None = None
    evidence: tuple[Citation, ...] = ()
    failure_mode: FailureMode | None = None
    reasoning: str = ""

    @classmethod
    def settled(
        cls, answer: Literal["Yes", "No"], timing: Timing, rule: Rule, evidence: tuple[Citation, ...], reasoning: str
    ) -> "Submission":
        """A resolution with its time, rule and evidence."""
        return cls(
            resolvable=True,
            answer=answer,
            local_time=timing.local_time,
            zone=timing.zone,
            precision=timing.precision,
            rule=rule,
            evidence=evidence,
            reasoning=reasoning,
        )

    @classmethod
    def unresolvable(cls, mode: FailureMode, reasoning: str) -> "Submission":
        """The finding that the crux cannot be resolved, and why."""
        return cls(resolvable=False, failure_mode=mode, reasoning=reasoning)


class Verification(_Arguments):
    """The arguments of ``submit_verification``."""

    local_time: str | None = None
    zone: str | None = None
    precision: Precision | None = None
    rule: Rule | None = None
    changed: bool
    reason: str
