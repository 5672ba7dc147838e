"""Records of the release's files, read leniently: what a data frame made of them is undone here."""

import json
import math
import re
from collections import Counter
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.deadlines import LAST_YEAR


def read_moment(value: object) -> datetime:
    """Read a moment: ISO 8601 (UTC where no zone is named), the date of an e-mail, or seconds or milliseconds.

    Raises:
        ValueError: If the value is no moment, or is of a year that only stands for "no date", as 9999 does.
    """
    if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError("is no date and time")
    if isinstance(value, int | float):
        seconds = value / 1000 if abs(value) > _MILLISECONDS_FROM else value
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, OSError):
            raise ValueError("is no date and time") from None
    if isinstance(value, datetime):
        moment = value
    else:
        text = str(value).strip()
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            try:
                moment = parsedate_to_datetime(text)
            except ValueError:
                raise ValueError("is no date and time") from None
    if not _FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"is of the year {moment.year}, which stands for no date")
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


def _moment_or_none(value: object, info: ValidationInfo) -> object:
    if value is None or value != value or value == "":
        return None
    try:
        return read_moment(value)
    except ValueError:
        if info.context is not None and info.field_name is not None:
            info.context[info.field_name] += 1
        return None


def _text(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _id(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    written = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not _ID.fullmatch(written):
        raise ValueError("is no id: letters, digits, - and _, since files are named after it")
    return written


def _id_or_none(value: object) -> str | None:
    return None if value is None or value != value else _id(value)


def _flag(value: object) -> object:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return None if value is None or value != value else bool(value)


def _list(value: object) -> object:
    if isinstance(value, str) and value:
        return [value]
    return value if isinstance(value, list) else []


_MILLISECONDS_FROM = 1e11
_FIRST_YEAR = 1900
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")

Moment = Annotated[datetime, BeforeValidator(read_moment)]
MaybeMoment = Annotated[datetime | None, BeforeValidator(_moment_or_none)]
Text = Annotated[str, BeforeValidator(_text)]
Id = Annotated[str, BeforeValidator(_id)]
MaybeId = Annotated[str | None, BeforeValidator(_id_or_none)]
Flag = Annotated[bool | None, BeforeValidator(_flag)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class ReleasedArticle(_Record):
    """An article as the generators were shown it."""

    title: Text = ""
    url: Text = ""
    source: Text = ""
    pub_date: MaybeMoment = None
    summary: Text = ""


class ReleasedCrux(_Record):
    """A crux with its resolution, where it was judged.

    Attributes:
        valid_period: Whether its end date lies inside the window; only these were judged.
        resolvable: None where there is no resolution.
    """

    question: Text = ""
    background_information: Text = ""
    resolution_criteria: Text = ""
    start_date: Text = ""
    end_date: Text = ""
    rationale: Text = ""
    valid_period: Flag = None
    evidence: Any = None
    resolvable: Flag = None
    resolution: Text = ""
    resolution_datetime: MaybeMoment = None
    source_urls: Annotated[
        tuple[Text, ...],
        BeforeValidator(_list),
        Field(validation_alias=AliasChoices("source_urls", "source_url")),  # resolvers write either
    ] = ()


class ReleasedWindow(_Record):
    """An evaluation window; ``subquestions`` is None where no generator ran on it."""

    period_idx: int
    start: Moment
    end: Moment
    as_dicts: Annotated[tuple[ReleasedArticle, ...], BeforeValidator(_list)] = ()
    subquestions: tuple[ReleasedCrux, ...] | None = None


class ReleasedEvent(_Record):
    """The event of a market."""

    id: MaybeId = None
    slug: Text = ""
    closes: MaybeMoment = Field(default=None, alias="endDate")


class ReleasedQuestion(_Record):
    """A market with its window: an ultimate question."""

    id: Id
    question: Annotated[str, BeforeValidator(_text), Field(min_length=1)]
    description: Text = ""
    slug: Text = ""
    opened: MaybeMoment = Field(default=None, alias="startDate")
    created: MaybeMoment = Field(default=None, alias="createdAt")
    closes: MaybeMoment = Field(default=None, alias="endDate")
    resolution: Text = ""
    oracle_resolved: MaybeMoment = Field(default=None, alias="umaEndDate")
    closed: MaybeMoment = Field(default=None, alias="closedTime")
    tags: Annotated[tuple[Any, ...], BeforeValidator(_list)] = ()
    events: Annotated[tuple[ReleasedEvent, ...], BeforeValidator(_list)] = ()
    first_price: MaybeMoment = Field(default=None, alias="ph_start")
    last_price: MaybeMoment = Field(default=None, alias="ph_end")
    active_windows: tuple[ReleasedWindow, ...] = Field(min_length=1)


class GeneratedQuestion(_Record):
    """A question in a generator's file."""

    id: Id
    active_windows: tuple[ReleasedWindow, ...] = ()


class VerifiedTime(_Record):
    """What the verifier made of one generator's time."""

    model: str
    resolution: Text = ""
    old_datetime: MaybeMoment = None
    adjudicated_datetime: MaybeMoment = None
    rule: Text = ""
    event_group: Text = ""
    time_precision: Text = ""
    changed: Flag = None
    rationale: Text = ""


class VerifiedMarket(_Record):
    """The verifier's entries for one market."""

    market_id: Id
    entries: tuple[VerifiedTime, ...] = ()


class ReleasedForecast(_Record):
    """A forecast; questions are named by their text."""

    ultimate_question: str
    period_idx: int
    p_u: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class SimilarPair(_Record):
    """Two generators' cruxes for one question."""

    parent: str
    a: str
    b: str
    cosine: float
    same_resolution: Flag = None
    date_gap_days: float | None = None


Record = TypeVar("Record", bound=_Record)


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        InputError: If it cannot be read or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise InputError(f"{path} cannot be read: its values are nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path} is no JSON ({error}): it may have been cut off while it was downloaded") from None


def read_records(path: Path, model: type[Record]) -> tuple[list[Record], list[str]]:
    """Read a file with a list of records.

    Returns:
        The records that could be read, and a line about each that could not, and about moments that count as missing.

    Raises:
        InputError: If the file is no list.
    """
    content = read_json(path)
    if not isinstance(content, list):
        raise InputError(f"{path} holds {type(content).__name__}, not a list of records")
    records, problems = [], []
    unreadable: Counter[str] = Counter()
    for number, raw in enumerate(content):
        try:
            records.append(model.model_validate(raw, context=unreadable))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(map(str, first["loc"]))
            problems.append(f"{path.name}, record {number}, {field}: {first['msg'].removeprefix('Value error, ')}")
    models = _Record.__subclasses__()
    aliases = {name: field.alias or name for each in models for name, field in each.model_fields.items()}
    problems += [
        f"{path.name}: {count} values of {aliases[name]} are no dates and times that can be used, and count as missing"
        for name, count in unreadable.items()
    ]
    return records, problems
