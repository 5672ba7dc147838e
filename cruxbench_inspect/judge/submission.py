"""What judges submit, and the tools that they submit it with."""

from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from inspect_ai.tool import Tool, tool
from pydantic import BaseModel, ConfigDict, Field

from cruxbench_inspect.resolution import Answer, FailureMode, Precision, Rule

CHANCES = 2
"""How often a submission may be made: once, and once more to mend it."""

Checked = TypeVar("Checked")


class Citation(BaseModel):
    """A document that a judge cites.

    Attributes:
        document_id: As the tools showed it.
        quote: Words copied from it.
    """

    model_config = ConfigDict(frozen=True)

    document_id: str = Field(description="The id of a document that search or fetch returned.")
    quote: str = Field(description="Words copied from that document, exactly as they stand there.")


class ResolutionSubmission(BaseModel):
    """The arguments of ``submit_resolution``, as the model gave them."""

    model_config = ConfigDict(frozen=True)

    resolvable: bool
    answer: Answer | None
    local_time: str | None
    zone: str | None
    precision: Precision | None
    rule: Rule | None
    evidence: tuple[Citation, ...]
    failure_mode: FailureMode | None
    reasoning: str


class TimeSubmission(BaseModel):
    """The arguments of ``submit_verification``, as the model gave them."""

    model_config = ConfigDict(frozen=True)

    changed: bool
    local_time: str | None
    zone: str | None
    precision: Precision
    rule: Rule
    reason: str


class Refused(Exception):
    """A submission that does not pass the mechanical checks.

    Attributes:
        problems: One line each, for the model.
        kind: What kind of problem decides: of the evidence or of the time.
    """

    def __init__(self, problems: list[str], kind: Literal["evidence", "time"]) -> None:
        self.problems = problems
        self.kind = kind
        super().__init__("; ".join(problems))


class TooEarly(Refused):
    """A submission with a time before the first moment that counts."""


class SubmissionBox(Generic[Checked]):
    """Takes submissions of one judge, checks them, and lets it mend one.

    Attributes:
        accepted: The checked result, once there is one.
        refusal: The last refusal, once there is one.
    """

    def __init__(self) -> None:
        self.accepted: Checked | None = None
        self.refusal: Refused | None = None
        self._made = 0

    @property
    def closed(self) -> bool:
        """Whether nothing more is taken: accepted, or out of chances."""
        return self.accepted is not None or self._made >= CHANCES

    def submit(self, check: Callable[[], Checked]) -> str:
        """Take a submission; the answer is a text for the model."""
        if self.closed:
            return "Nothing more is taken: a submission was made already."
        self._made += 1
        try:
            self.accepted = check()
        except Refused as refusal:
            self.refusal = refusal
            problems = "\n".join(f"- {problem}" for problem in refusal.problems)
            ending = "Mend this and submit once more." if self._made < CHANCES else "The submission is closed."
            return f"Not accepted:\n{problems}\n{ending}"
        return "Accepted."


@tool(name="submit_resolution")
def submit_resolution_tool(submit: Callable[[ResolutionSubmission], str]) -> Tool:
    """The tool that ends a resolver's work."""

    async def execute(
        resolvable: bool,
        reasoning: str,
        answer: Answer | None = None,
        rule: Rule | None = None,
        local_time: str | None = None,
        zone: str | None = None,
        precision: Precision | None = None,
        evidence: list[Citation] | None = None,
        failure_mode: FailureMode | None = None,
    ) -> str:
        """Submit how the crux is settled. This ends your work.

        Args:
            resolvable: Whether the crux can be settled with Yes or No.
            reasoning: Two or three sentences: what decides it, and why at this time.
            answer: Yes or No; left out for an unresolvable crux.
            rule: yes_event, no_deadline or no_irreversible; left out for an unresolvable crux.
            local_time: Wall-clock time without an offset, such as 2025-10-29T17:00:00, or a date for date_only.
            zone: IANA name of the time zone of local_time, such as Europe/Paris or UTC.
            precision: stated, convention, date_only or deadline; left out for an unresolvable crux.
            evidence: The documents that show it, each with a quote.
            failure_mode: data_availability, temporal or observability; for an unresolvable crux only.
        """
        return submit(
            ResolutionSubmission(
                resolvable=resolvable,
                answer=answer,
                local_time=local_time or None,
                zone=zone or None,
                precision=precision,
                rule=rule,
                evidence=tuple(evidence or ()),
                failure_mode=failure_mode,
                reasoning=reasoning,
            )
        )

    return execute


@tool(name="submit_verification")
def submit_verification_tool(submit: Callable[[TimeSubmission], str]) -> Tool:
    """The tool that ends a verifier's work."""

    async def execute(
        changed: bool,
        rule: Rule,
        precision: Precision,
        reason: str,
        local_time: str | None = None,
        zone: str | None = None,
    ) -> str:
        """Submit the checked time. This ends your work.

        Args:
            changed: Whether you correct the resolver's time, precision or rule.
            rule: yes_event, no_deadline or no_irreversible.
            precision: stated, convention, date_only or deadline.
            reason: One or two sentences: why the time is right, or what was wrong with it.
            local_time: Wall-clock time without an offset, or a date for date_only; left out for a deadline.
            zone: IANA name of the time zone of local_time.
        """
        return submit(
            TimeSubmission(
                changed=changed,
                local_time=local_time or None,
                zone=zone or None,
                precision=precision,
                rule=rule,
                reason=reason,
            )
        )

    return execute
