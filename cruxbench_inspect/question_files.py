"""Reading a question-set folder (format 1): every file is checked, and all problems are reported at once."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import polars as pl
from pydantic import BaseModel, ValidationError

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.questions import Manifest, Outcome, Question, QuestionSet

REQUIRED = ("questions.jsonl", "outcomes.jsonl", "prices.parquet")
"""Files that every set has."""

SHOWN_CHARACTERS = 80
"""How much of a wrong value a message shows."""

Model = TypeVar("Model", bound=BaseModel)


def load_folder(folder: Path, location: str) -> QuestionSet:
    """Load a question-set folder.

    Args:
        folder: Where it lies.
        location: What to load it by again: a built-in name or the folder's absolute path.

    Raises:
        InputError: If the manifest cannot be read.
        InputProblems: With every problem of the other files.
    """
    manifest = _manifest(folder)
    problems = list(_file_problems(folder, manifest))
    if problems:
        raise InputProblems(f"question set {folder}", problems)
    questions = list(_records(folder / "questions.jsonl", Question, lambda question: question.id, problems))
    # Where a question could not be read, its rows in other files are no problem of their own.
    known = None if problems else {question.id for question in questions}
    outcomes = list(_records(folder / "outcomes.jsonl", Outcome, lambda outcome: outcome.question_id, problems))
    problems.extend(
        f"outcomes.jsonl, question_id: {outcome.question_id!r} is no question of the set"
        for outcome in outcomes
        if known is not None and outcome.question_id not in known
    )
    prices = _prices(folder / "prices.parquet", manifest, known, problems)
    if not questions and not problems:
        problems.append("questions.jsonl: holds no question")
    if problems:
        raise InputProblems(f"question set {folder}", problems)
    return QuestionSet(
        manifest=manifest,
        folder=folder,
        location=location,
        questions=tuple(questions),
        outcomes={outcome.question_id: outcome for outcome in outcomes},
        prices=prices,
    )


def _manifest(folder: Path) -> Manifest:
    path = folder / "manifest.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder} is no question set: it has no manifest.json") from None
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}") from None
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        raise InputProblems(str(path), list(_validation_problems("manifest.json", error))) from None


def _file_problems(folder: Path, manifest: Manifest) -> Iterator[str]:
    for name in REQUIRED:
        if name not in manifest.files:
            yield f"manifest.json, files: {name} is not listed"
    if "evidence.jsonl" not in manifest.files and (folder / "evidence.jsonl").exists():
        yield "manifest.json, files: evidence.jsonl is there, but not listed"
    for name, expected in manifest.files.items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: is listed in manifest.json, but missing"
            continue
        actual = hashlib.sha256(path.read_bytes()).hexdigest()
        if actual != expected:
            yield f"{name}: has the SHA-256 digest {actual}, manifest.json says {expected} (was it changed?)"


def _records(path: Path, model: type[Model], key: Callable[[Model], str], problems: list[str]) -> Iterator[Model]:
    seen: dict[str, int] = {}
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        problems.append(f"{path.name}: is no UTF-8 at byte {error.start}")
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name} line {number}"
        try:
            record = model.model_validate(json.loads(line))
        except ValidationError as error:
            problems.extend(_validation_problems(place, error))
            continue
        except ValueError as error:
            problems.append(f"{place}: is no JSON: {error}")
            continue
        if key(record) in seen:
            problems.append(f"{place}: {key(record)!r} stands in line {seen[key(record)]} already")
            continue
        seen[key(record)] = number
        yield record


def _validation_problems(place: str, error: ValidationError) -> Iterator[str]:
    for detail in error.errors():
        field = ".".join(str(part) for part in detail["loc"])
        message = detail["msg"].removeprefix("Value error, ")
        # A check over several fields has the whole record as its input: its message names the values itself.
        shown = "" if isinstance(detail["input"], dict) else f", got {_shown(detail['input'])}"
        yield f"{place}{f', {field}' if field else ''}: {message}{shown}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def _prices(path: Path, manifest: Manifest, known: set[str] | None, problems: list[str]) -> pl.DataFrame:
    try:
        prices = pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        problems.append(f"{path.name}: is no parquet file ({str(error).splitlines()[0]})")
        return pl.DataFrame()
    found = _price_problems(prices, manifest, known)
    problems.extend(f"{path.name}{problem}" for problem in found)
    return prices


def _price_problems(prices: pl.DataFrame, manifest: Manifest, known: set[str] | None) -> list[str]:
    missing = [name for name in ("question_id", "hour", "price", "volume_usdc") if name not in prices.columns]
    if missing:
        return [f", column {name}: is missing (columns: {', '.join(prices.columns)})" for name in missing]
    problems = []
    hour = prices.schema["hour"]
    if not isinstance(hour, pl.Datetime) or hour.time_zone != "UTC":
        problems.append(f", column hour: holds {hour}, not datetimes in UTC")
    if prices.schema["question_id"] != pl.String:
        problems.append(f", column question_id: holds {prices.schema['question_id']}, not text")
    for name in ("price", "volume_usdc"):
        if not (prices.schema[name].is_numeric() or prices[name].null_count() == len(prices)):
            problems.append(f", column {name}: holds {prices.schema[name]}, not numbers")
    if problems:
        return problems
    rows = prices.with_row_index("row", offset=1)
    checks: list[tuple[str, pl.Expr, str]] = [
        ("question_id", pl.col("question_id").is_null(), "is empty"),
        ("hour", pl.col("hour").is_null(), "is empty"),
        ("hour", pl.col("hour") != pl.col("hour").dt.truncate("1h"), "is no whole hour"),
        (
            "hour",
            pl.struct("question_id", "hour").is_duplicated() & pl.col("hour").is_not_null(),
            "stands there more than once for a question",
        ),
        ("price", ~pl.col("price").is_between(0, 1) | pl.col("price").is_nan(), "is not between 0 and 1"),
        ("volume_usdc", (pl.col("volume_usdc") < 0) | ~pl.col("volume_usdc").is_finite(), "is no amount of USDC"),
    ]
    if known is not None:
        checks.append(("question_id", ~pl.col("question_id").is_in(sorted(known)), "is no question of the set"))
    if manifest.prices == "trusted":
        checks.append(("price", pl.col("price").is_null(), "is empty in a set of trusted prices"))
    for column, wrong, message in checks:
        bad = rows.filter(wrong)
        if len(bad):
            first = bad.row(0, named=True)
            more = f" (and {len(bad) - 1} more rows)" if len(bad) > 1 else ""
            place = f" row {first['row']} (question {first['question_id']!r}), {column}"
            problems.append(f"{place}: {_shown(first[column])} {message}{more}")
    if manifest.prices == "raw":
        problems.extend(
            f", column volume_usdc: is empty for question {name!r}, and raw prices need it"
            for name in rows.group_by("question_id")
            .agg(pl.col("volume_usdc").count())
            .filter(pl.col("volume_usdc") == 0)["question_id"]
        )
    return problems
