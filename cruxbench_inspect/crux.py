"""Cruxes: the model, reading one from what a generator writes, and its checks."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from cruxbench_inspect.crux_dates import read_date
from cruxbench_inspect.crux_text import find_json
from cruxbench_inspect.restatement import restatement

FaultKind = Literal["no_response", "refusal", "no_crux", "truncated", "invalid_crux", "out_of_dates"]
Direction = Literal["more likely", "less likely"]
CruxDate = Annotated[date, BeforeValidator(read_date)]
Text = Annotated[str, StringConstraints(strip_whitespace=True)]
NonEmptyText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Crux(BaseModel):
    """A binary subquestion that resolves inside the window and whose answer should move beliefs about U.

    Attributes:
        question: The subquestion.
        background: What one needs to know to understand it; may be empty.
        resolution_criteria: When it resolves Yes.
        start_date: First day (UTC) on which an event counts.
        end_date: Last day (UTC) on which an event counts.
        rationale: Why its answer should move beliefs about U; may be empty.
        yes_makes_u: The direction in which a Yes should move U, if the generator states one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: NonEmptyText
    background: Text = ""
    resolution_criteria: NonEmptyText
    start_date: CruxDate
    end_date: CruxDate
    rationale: Text = ""
    yes_makes_u: Direction | None = None

    @property
    def opens(self) -> datetime:
        """The first moment that counts: the start date at 00:00:00Z."""
        return datetime.combine(self.start_date, time.min, UTC)

    @property
    def deadline(self) -> datetime:
        """The last second that counts: the end date at 23:59:59Z."""
        return datetime.combine(self.end_date, time(23, 59, 59), UTC)

    @property
    def key(self) -> str:
        """SHA-256 (hex) of what a judge sees of the crux, blind to its spacing and Unicode composition."""
        texts = (self.question, self.background, self.resolution_criteria)
        folded = [" ".join(unicodedata.normalize("NFC", text).split()) for text in texts]
        content = json.dumps([*folded, self.start_date.isoformat(), self.end_date.isoformat()])
        return hashlib.sha256(content.encode()).hexdigest()

    @property
    def sha256(self) -> str:
        """SHA-256 (hex) of the whole crux: its fields in order, as JSON without spaces around them, in UTF-8."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class CruxFault(BaseModel):
    """Why there is no crux to judge: a fault of the generator, not an exception.

    Attributes:
        kind: ``no_response`` (nothing was written), ``refusal`` (the provider stopped the answer), ``no_crux`` (nothing
            that looks like a crux), ``truncated`` (cut off inside the JSON), ``invalid_crux`` (fields missing or
            unreadable) or ``out_of_dates``.
        detail: One line for people, with the field and its value where there is one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    detail: str


def read_crux(text: str) -> Crux | CruxFault:
    """Read the last complete crux of a model's message: the first of :func:`read_cruxes` with ``k=1``."""
    cruxes = read_cruxes(text, 1)
    return cruxes if isinstance(cruxes, CruxFault) else cruxes[0]


def read_cruxes(text: str, k: int) -> tuple[Crux | CruxFault, ...] | CruxFault:
    """Read the last complete answer of a model's message.

    - The answer is the last JSON value in the text that reads as a crux, or as a list of cruxes; where several are
      asked for, a lone crux only where there is no list. It may be wrapped in objects, as in ``{"crux": {...}}``.
      Drafts before it don't count, nor do later values that are cut off or don't read as cruxes.
    - A value that is cut off gives nothing, whatever is complete inside it.
    - What stands between closed reasoning tags is no answer; an unclosed tag hides nothing.
    - Of a list the first k count, and where one crux is asked for the last. Keys that a crux doesn't have are ignored.

    Args:
        text: The whole message.
        k: How many cruxes are asked for.

    Returns:
        At most k cruxes, at least one, with faults in the places of those that are malformed; or the fault of it all.

    Raises:
        ValueError: If k is below 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}, and at least 1 crux must be asked for")
    found = find_json(text, _holds_whole_crux)
    if not found.text.strip():
        return CruxFault(kind="no_response", detail="the message is empty")
    fault, alone = None, None
    for value in found.last_first(_holds_whole_crux):
        objects, listed = _find_cruxes(value)
        if not objects:
            continue
        cruxes = _read_all(objects[:k] if k > 1 else objects[-1:], listed and k > 1)
        faults = [crux for crux in cruxes if isinstance(crux, CruxFault)]
        if len(faults) == len(cruxes):
            fault = fault or faults[0]
        elif listed or k == 1:
            return cruxes
        else:
            alone = alone or cruxes
    if alone is not None:
        return alone
    if found.cut_off:
        return CruxFault(kind="truncated", detail="the message ends inside the JSON, before its closing bracket")
    return fault or CruxFault(
        kind="no_crux", detail="the message holds no JSON object with the fields of a crux outside its reasoning"
    )


def check_dates(crux: Crux, window_start: datetime, window_end: datetime) -> CruxFault | None:
    """Check that a crux starts and ends, in this order, on days (UTC) of the allowed stretch.

    Args:
        crux: The crux.
        window_start: An aware moment on the first allowed day.
        window_end: An aware moment on the last allowed day.
    """
    first, last = window_start.astimezone(UTC).date(), window_end.astimezone(UTC).date()
    if crux.start_date > crux.end_date:
        detail = f"start_date {crux.start_date} is after end_date {crux.end_date}"
    elif crux.start_date < first:
        detail = f"start_date {crux.start_date} is before the first allowed day, {first}"
    elif crux.end_date > last:
        detail = f"end_date {crux.end_date} is after the last allowed day, {last}"
    else:
        return None
    return CruxFault(kind="out_of_dates", detail=detail)


def restates(crux: Crux, ultimate_question: str) -> str | None:
    """Why a crux is the ultimate question again, in one line, or None (see :mod:`cruxbench_inspect.restatement`)."""
    return restatement(crux.question, ultimate_question)


_FIELDS: Final = {name.replace("_", ""): name for name in Crux.model_fields}
_DEEPEST_WRAPPER = 4
_DIRECTIONS: Final[dict[str, Direction]] = {
    **dict.fromkeys(("more likely", "more", "likelier", "up", "higher", "increase", "increases"), "more likely"),
    **dict.fromkeys(("less likely", "less", "unlikelier", "down", "lower", "decrease", "decreases"), "less likely"),
}


def _fields(value: Mapping[str, object]) -> dict[str, object]:
    """The fields of a crux in an object, whatever the case and spacing of its keys; null and NaN count as absent."""
    named = ((_FIELDS.get(re.sub(r"[^a-z]", "", key.lower())), content) for key, content in value.items())
    return {name: content for name, content in named if name and content is not None and content == content}


def _find_cruxes(value: object, nesting: int = 0) -> tuple[list[Mapping[str, object]], bool]:
    """The objects in a value that are meant as cruxes, in order, and whether they stand in a list."""
    if nesting > _DEEPEST_WRAPPER:
        return [], False
    if isinstance(value, list):
        return [crux for item in value for crux in _find_cruxes(item, nesting + 1)[0]], True
    if not isinstance(value, dict):
        return [], False
    fields = _fields(value)
    if not {"question", "resolution_criteria"} <= fields.keys():
        for content in reversed(value.values()):
            wrapped = _find_cruxes(content, nesting + 1)
            if wrapped[0]:
                return wrapped
    return ([value] if "question" in fields or len(fields) > 1 else []), False


def _holds_whole_crux(value: object) -> bool:
    required = {name for name, field in Crux.model_fields.items() if field.is_required()}
    return any(required <= _fields(found).keys() for found in _find_cruxes(value)[0])


def _read_all(objects: list[Mapping[str, object]], numbered: bool) -> tuple[Crux | CruxFault, ...]:
    cruxes: list[Crux | CruxFault] = []
    for place, fields in enumerate(map(_fields, objects)):
        if "yes_makes_u" in fields:
            stated = re.sub(r"[\W_]+", " ", str(fields["yes_makes_u"])).strip().lower()
            fields["yes_makes_u"] = _DIRECTIONS.get(stated)
        try:
            cruxes.append(Crux.model_validate(fields))
        except ValidationError as error:
            where = f"cruxes[{place}]." if numbered else ""
            detail = "; ".join(where + line for line in _problems(error))
            cruxes.append(CruxFault(kind="invalid_crux", detail=detail))
    return tuple(cruxes)


def _problems(error: ValidationError) -> list[str]:
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        field, value = problem["loc"][0], " ".join(repr(problem["input"]).split())
        shown = value if len(value) <= 80 else value[:79] + "…"
        match problem["type"]:
            case "missing":
                lines.append(f"{field} is missing")
            case "string_too_short":
                lines.append(f"{field} is empty")
            case "string_type":
                lines.append(f"{field} is not text: {shown}")
            case _:
                lines.append(f"{field} {shown}: {problem['msg'].removeprefix('Value error, ')}")
    return lines
