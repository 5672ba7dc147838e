"""What is known of models besides their scores: names, knowledge cutoffs, capability, prices."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from io import StringIO
from pathlib import Path

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.report.gathering.model_names import by_model, names_of_none

BESIDE_LOGS = "models.csv"
"""The file beside logs that has facts about their models."""

_FIELDS = ("model", "label", "knowledge_cutoff", "released", "capability")


@dataclass(frozen=True)
class ModelFacts:
    """What is known of a model.

    Attributes:
        model: Its name as in logs, or the last part of it.
        label: What it is called in a report, None for its own name.
        knowledge_cutoff: The last month that its training knows, as stated; its first day.
        released: The day of its release, or the last day of its month.
        capability: A capability score of any kind, higher is better.
    """

    model: str
    label: str | None = None
    knowledge_cutoff: date | None = None
    released: date | None = None
    capability: float | None = None

    @property
    def knows_until(self) -> date | None:
        """The day from which on a window is certainly new to it: its cutoff's month is over, and it is released."""
        days = [self.released] if self.released is not None else []
        if self.knowledge_cutoff is not None:
            days.append(_next_month(self.knowledge_cutoff))
        return max(days, default=None)

    @property
    def cutoff_end(self) -> date | None:
        """The day from which leads over the knowledge cutoff count, its month being over; else the release."""
        return self.released if self.knowledge_cutoff is None else _next_month(self.knowledge_cutoff)

    @property
    def cutoff_text(self) -> str | None:
        """The cutoff as tables have it."""
        if self.knowledge_cutoff is None:
            return None if self.released is None else f"{self.released:%Y-%m} (release)"
        # What a model may know reaches to its release, where that is later than what its maker states.
        later = self.released is not None and self.released > _next_month(self.knowledge_cutoff)
        return f"{self.knowledge_cutoff:%Y-%m}" + (f", released {self.released:%Y-%m-%d}" if later else "")


def read_facts(path: Path | None, logs: Sequence[str] = ()) -> dict[str, ModelFacts]:
    """What is known of models, by their names in small letters.

    That is the paper's eight, what files named ``models.csv`` beside logs add or replace, as an import of the authors'
    release leaves one there, and above both what a user's file says.

    Args:
        path: A CSV file with the columns ``model``, and any of ``label``, ``knowledge_cutoff`` (2025-08),
            ``released`` (2025-08 or 2025-08-21) and ``capability``.
        logs: The logs that are reported.

    Raises:
        InputProblems: If a line is wrong; every problem at once.
        InputError: If a file cannot be read.
    """
    built_in = files("cruxbench_inspect.report.gathering").joinpath("paper_models.csv").read_text(encoding="utf-8")
    facts = _parsed(built_in, "paper_models.csv")
    folders = sorted({Path(log.removeprefix("file://")).parent for log in logs})
    for file in [
        *(place for folder in folders if (place := folder / BESIDE_LOGS).is_file()),
        *([path] if path else []),
    ]:
        try:
            added = _parsed(file.read_text(encoding="utf-8-sig"), str(file))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise InputError(f"{file}: cannot be read: {error}") from error
        _add(facts, added)
    return facts


def facts_of(model: str, facts: Mapping[str, ModelFacts]) -> ModelFacts:
    """What is known of a model: by its whole name, else by the last part of it."""
    return by_model(facts, model) or ModelFacts(model)


def names_without(path: Path, models: Iterable[str]) -> list[str]:
    """The models of a user's file that none of some models is, such as misspelt ones.

    Args:
        path: As for ``read_facts``.
        models: The models of logs.
    """
    return names_of_none(_parsed(path.read_text(encoding="utf-8-sig"), str(path)), models)


def _add(facts: dict[str, ModelFacts], added: Mapping[str, ModelFacts]) -> None:
    """Put facts above others: what they leave out stays known, also of a model that others call by its whole name."""
    before = [name for name in facts if name not in added]
    for name, own in added.items():
        for known_as in (name, *(other for other in before if other.rsplit("/", 1)[-1] == name)):
            known = facts_of(known_as, facts)
            merged = {
                field: value if (value := getattr(own, field)) is not None else getattr(known, field)
                for field in _FIELDS
            }
            facts[known_as] = ModelFacts(**merged)


def _parsed(text: str, name: str) -> dict[str, ModelFacts]:
    reader = csv.DictReader(StringIO(text))
    unknown = set(reader.fieldnames or ()) - set(_FIELDS)
    if "model" not in (reader.fieldnames or ()) or unknown:
        raise InputError(
            f"{name}: the columns are {', '.join(reader.fieldnames or ['none'])}, and must be model and any of "
            f"{', '.join(_FIELDS[1:])}"
        )
    found: dict[str, ModelFacts] = {}
    problems: list[str] = []
    for row in reader:
        wrong: list[str] = []
        cells = {field: (row.get(field) or "").strip() for field in _FIELDS}
        if not cells["model"]:
            wrong.append("model is empty")
        elif cells["model"].lower() in found:
            wrong.append(f"model {cells['model']!r} stands in an earlier line, too")
        if None in row:
            wrong.append("there are more cells than columns")
        facts = ModelFacts(
            cells["model"],
            cells["label"] or None,
            _day("knowledge_cutoff", cells["knowledge_cutoff"], wrong),
            _day("released", cells["released"], wrong),
            _capability(cells["capability"], wrong),
        )
        found.setdefault(cells["model"].lower(), facts)
        problems += [f"line {reader.line_num}: {problem}" for problem in wrong]
    if problems:
        raise InputProblems(name, problems)
    return found


def _capability(text: str, wrong: list[str]) -> float | None:
    if not text:
        return None
    try:
        capability = float(text)
    except ValueError:
        capability = math.nan
    if not math.isfinite(capability):
        wrong.append(f"capability {text!r} is no number")
    return capability


def _next_month(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def _day(field: str, text: str, wrong: list[str]) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text if len(text) > 7 else f"{text}-01")
    except ValueError:
        wrong.append(f"{field} {text!r} is no month or day such as 2025-08 or 2025-08-21")
        return None
    # A release of which only the month is known may have been on its last day.
    return _next_month(day) - timedelta(days=1) if field == "released" and len(text) <= 7 else day
