"""Similarities of the generators' cruxes, kept beside the logs under the names of their models."""

import json
from collections.abc import Mapping
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.layout import ReleaseLayout
from cruxbench_inspect.markets.release.names import match_name
from cruxbench_inspect.markets.release.question_import import ImportedQuestion
from cruxbench_inspect.markets.release.records import SimilarPair, read_records

SIMILARITY_PAIRS = "similarity_pairs.json"
"""The file in the log folder: a list of objects with question_id, a, b, cosine, same_resolution, date_gap_days."""


def write_similarity_pairs(layout: ReleaseLayout, questions: Mapping[str, ImportedQuestion], folder: Path) -> list[str]:
    """Write the pairs of known questions and generators; nothing where the release has none.

    Returns:
        Notes about what is missing.

    Raises:
        InputError: If the file cannot be written.
    """
    path = layout.similarity_pairs
    if not path.is_file():
        return [f"there is no {path.name}"]
    try:
        pairs, notes = read_records(path, SimilarPair)
    except InputError as error:
        return [str(error)]
    short_names = {name for pair in pairs for name in (pair.a, pair.b)}
    names = {short: match_name(short, layout.generators) for short in sorted(short_names)}
    notes += [f"{path.name} names {short!r}, no generator" for short in names if names[short] is None]
    ids = {" ".join(imported.question.question.split()): question_id for question_id, imported in questions.items()}
    rows = [
        {
            "question_id": ids.get(" ".join(pair.parent.split())),
            "a": names[pair.a],
            "b": names[pair.b],
            **pair.model_dump(include={"cosine", "same_resolution", "date_gap_days"}),
        }
        for pair in pairs
    ]
    known = [row for row in rows if None not in (row["question_id"], row["a"], row["b"])]
    if len(known) < len(rows):
        notes.append(f"{path.name}: {len(rows) - len(known)} pairs are of unknown questions or generators")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SIMILARITY_PAIRS).write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder / SIMILARITY_PAIRS} cannot be written: {error.strerror or error}") from error
    return notes
