"""The release's capability scores, kept beside the logs as facts about their models, where a report finds them."""

import csv
import io
import math
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.layout import ReleaseLayout

MODELS = "models.csv"
"""The file in the log folder, with the columns model and capability."""

_COLUMNS = ["model", "capability"]
_NAMES = ("model", "modelname", "modelversion", "displayname", "name")
_SCORES = ("eci", "eciscore", "capability", "score")


def write_capability_scores(layout: ReleaseLayout, models: Iterable[str], folder: Path) -> list[str]:
    """Copy the release's tables, and write the scores of the models whose names they surely have.

    The tables are Epoch's: a row for each model with its name and score, under names of columns that changed over time.
    A file of the same name that is not an import's stays as it is.

    Args:
        layout: The release.
        models: The models of the logs.
        folder: The log folder.

    Returns:
        Notes about what was written and what is missing; none where the release has no table.

    Raises:
        InputError: If a file cannot be written.
    """
    tables = layout.capability_scores
    if not tables:
        return []
    notes: list[str] = []
    rows: dict[tuple[str, ...], set[float]] = {}
    for table in tables:
        try:
            # Of several tables the newest counts, which is the last by the date in its name.
            rows |= _read(table)
        except (OSError, UnicodeDecodeError, csv.Error, InputError) as error:
            notes.append(f"{table.name}: no capability scores are read from it: {error}")
    names = sorted(models)
    found = {name: score for name in names if (score := _score(name, rows)) is not None}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in tables:
            shutil.copyfile(table, folder / table.name)
            notes.append(f"{table.name} is copied to {folder}")
        notes += _write(folder / MODELS, found)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the capability scores cannot be written to {folder}: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        notes.append(f"no capability score is surely that of {', '.join(missing)}: give it to reports with --models")
    return notes


def _read(table: Path) -> dict[tuple[str, ...], set[float]]:
    """All scores by the words of a name."""
    reader = csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig")))
    folded = {re.sub(r"[\W_]+", "", column).casefold(): column for column in reader.fieldnames or ()}
    names = [folded[name] for name in _NAMES if name in folded]
    scores = [folded[name] for name in _SCORES if name in folded]
    if not names or not scores:
        raise InputError(f"its columns are {', '.join(reader.fieldnames or ['none'])}")
    found: dict[tuple[str, ...], set[float]] = {}
    for row in reader:
        try:
            score = float(row[scores[0]] or "")
        except ValueError:
            continue
        if math.isfinite(score):
            for words in {_words(row[name] or "") for name in names} - {()}:
                found.setdefault(words, set()).add(score)
    return found


def _score(model: str, rows: dict[tuple[str, ...], set[float]]) -> float | None:
    """The one score under a model's name, with or without what only says how it is served."""
    words = _words(model)
    while words:
        if words in rows:
            return next(iter(rows[words])) if len(rows[words]) == 1 else None
        if words[-1] in ("instruct", "preview", "tput") or words[-2:] == ("instruct", "turbo"):
            words = words[:-1]
        else:
            return None
    return None


def _words(name: str) -> tuple[str, ...]:
    """Words and numbers of a name's last part, whatever stands between them."""
    return tuple(re.findall(r"[^\W\d_]+|\d+", name.rsplit("/", 1)[-1].casefold()))


def _write(path: Path, found: dict[str, float]) -> list[str]:
    if path.exists():
        with path.open(encoding="utf-8-sig", newline="") as file:
            is_of_import = next(csv.reader(file), None) == _COLUMNS
        if not is_of_import:
            return [f"{path} is no import's, and stays as it is: no capability scores are written"]
        path.unlink()
    if not found:
        return []
    # The last part of a name is enough, and leaves what a user says of the whole name or its last part above it.
    rows = {name.rsplit("/", 1)[-1]: score for name, score in found.items()}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(sorted(rows.items()))
    return [f"capability scores of {len(rows)} models are in {path}"]
