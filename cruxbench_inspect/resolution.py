"""How a crux was settled: answer, time and the evidence for both; and the conversion of stated local times to UTC."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Literal, Self
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, model_validator

from cruxbench_inspect.utc import UtcDatetime

Answer = Literal["Yes", "No"]

Precision = Literal["stated", "convention", "date_only", "deadline"]
"""How well a time is known: a source states it; a documented release time; a date alone; the crux's own deadline."""

Rule = Literal["yes_event", "no_deadline", "no_irreversible"]
"""Why an answer became known at its time: the event; the deadline passed; Yes had become impossible for good."""

FailureMode = Literal["data_availability", "temporal", "observability"]
"""Why a crux cannot be settled: no source reports it; no reliable time; public evidence cannot show it."""

JudgeTrouble = Literal["no_evidence", "search_outage", "rate_limit", "judge_failed"]
"""Why a crux could not be judged: trouble of ours, which never counts against a generator."""

JUDGEMENTS = "cruxbench/judgement"
"""The source of the notes in a transcript that hold judgements."""

GRACE = timedelta(hours=36)
"""How long after a crux's end date a time may lie, and how long after the window's end evidence is searched."""


class Evidence(BaseModel):
    """A document that a judge's tools returned, with words of it.

    Attributes:
        document_id: The id under which the tools showed it.
        published: As its source gives it: a date, a moment, or nothing.
        quote: Words that occur in it.
        proof: Its proof class (A, B or C).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    document_id: str
    url: str
    title: str
    published: str
    quote: str
    proof: str


class Verification(BaseModel):
    """What the verifier made of a resolution's time.

    Attributes:
        changed: Whether it moved the time.
        moment_before: The resolver's time, where it was moved.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    changed: bool
    reason: str
    moment_before: UtcDatetime | None = None


class Resolution(BaseModel):
    """A settled crux, or the reason why it cannot be settled.

    Attributes:
        moment: When the answer became public, UTC.
        local_time: The time as the evidence states it, with its IANA zone in ``zone``.
        failure_mode: Given for unresolvable cruxes only; ``unclassified`` where an imported judgement gives none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    resolvable: bool
    answer: Answer | None = None
    moment: UtcDatetime | None = None
    local_time: str | None = None
    zone: str | None = None
    precision: Precision | None = None
    rule: Rule | None = None
    evidence: tuple[Evidence, ...] = ()
    failure_mode: FailureMode | Literal["unclassified"] | None = None
    reasoning: str = ""
    verification: Verification | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        settled = (self.answer, self.moment, self.precision, self.rule)
        if self.resolvable and (None in settled or self.failure_mode is not None):
            raise ValueError("a resolvable crux has an answer, a moment, a precision and a rule, and no failure mode")
        if not self.resolvable and (settled != (None, None, None, None) or self.failure_mode is None):
            raise ValueError("an unresolvable crux has a failure mode, and no answer, moment, precision or rule")
        return self

    @classmethod
    def unresolvable(cls, failure_mode: FailureMode | Literal["unclassified"], reasoning: str) -> Self:
        """A crux that cannot be settled, and why."""
        return cls(resolvable=False, failure_mode=failure_mode, reasoning=reasoning)


def moment_of(local_time: str, zone: str | None, precision: Precision) -> datetime:
    """Convert a time as a source states it to UTC.

    A local time that occurs twice, when clocks are set back, is read as the later one: the answer was public by then.
    One that does not occur, when they are set forward, is read with the offset before the change. An offset in the
    text has to be the zone's; it tells the two readings of a time that occurs twice apart.

    Args:
        local_time: ISO 8601 wall-clock time without an offset; a date alone for precision ``date_only``.
        zone: IANA name of the time zone; not used for a date alone.
        precision: For ``date_only`` the moment is 00:00:00Z of the date.

    Returns:
        The moment in UTC.

    Raises:
        ValueError: With a message for whoever gave the time.
    """
    if precision == "date_only":
        try:
            return datetime.combine(date.fromisoformat(local_time[:10]), time(), UTC)
        except ValueError:
            raise ValueError(f"local_time {local_time!r} is no date such as 2025-10-26") from None
    try:
        stated = datetime.fromisoformat(local_time)
    except ValueError:
        raise ValueError(f"local_time {local_time!r} is no ISO 8601 time such as 2025-10-29T17:00:00") from None
    if len(local_time) <= len("2025-10-29"):
        raise ValueError(f"local_time {local_time!r} has no time of day: precision {precision} needs one")
    if zone is None and stated.utcoffset() != timedelta():
        raise ValueError("zone is missing: give the IANA name of the time zone, such as Europe/Paris or UTC")
    place = ZoneInfo(_zone_name("UTC" if zone is None else zone))
    try:
        return _moment_in(stated, place)
    except OverflowError:
        raise ValueError(f"local_time {local_time!r} is too near the first or the last year") from None


def _moment_in(stated: datetime, place: ZoneInfo) -> datetime:
    local = stated.replace(tzinfo=place, fold=0)
    first, second = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
    moment = max(first, second)
    if stated.tzinfo is None:
        return moment
    given = stated.astimezone(UTC)
    if given not in (first, moment):
        raise ValueError(
            f"local_time {stated.isoformat()!r} has an offset that {place.key} does not have then: give the wall-clock "
            "time without an offset"
        )
    return given


def _zone_name(zone: str) -> str:
    """The name of a place's time zone, however it is spelt, or UTC.

    Fixed offsets and abbreviations such as EST are refused: who writes them in summer mostly means EDT.
    """
    name = _zone_names().get(zone.strip().replace(" ", "_").casefold())
    if name is None:
        raise ValueError(
            f"zone {zone!r} is no IANA time zone of a place, such as Europe/Paris, America/New_York or UTC"
        )
    return name


@cache
def _zone_names() -> dict[str, str]:
    regions = (
        "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Europe Indian Mexico Pacific"
    )
    places = [name for name in available_timezones() if name.partition("/")[0] in (*regions.split(), "Mexico", "US")]
    return {name.casefold(): name for name in (*places, "UTC", "GMT", "Etc/UTC")}
