"""Writing a question-set folder (format 1): equal contents give equal bytes, and it is there whole or not at all."""

import glob
import hashlib
import io
import json
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl
from pydantic import BaseModel, JsonValue

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.evidence.evidence_file import read_documents
from cruxbench_inspect.markets.folder_swap import put_in_place
from cruxbench_inspect.question_files import load_folder
from cruxbench_inspect.questions import Manifest, Outcome, Question, QuestionSet
from cruxbench_inspect.working_directory import user_path

PRICE_SCHEMA = {
    "question_id": pl.String(),
    "hour": pl.Datetime("us", "UTC"),
    "price": pl.Float64(),
    "volume_usdc": pl.Float64(),
}
"""Columns of ``prices.parquet``."""

_UNFINISHED = ".writing"


def write_set(
    folder: Path,
    manifest: Manifest,
    questions: Iterable[Question],
    outcomes: Iterable[Outcome],
    prices: pl.DataFrame,
    evidence: Iterable[Mapping[str, JsonValue]] | None = None,
    *,
    replace: bool = False,
) -> QuestionSet:
    """Write a question set, check it as loading does, and only then put it in place.

    A full disk, a kill or a set that is not right leaves what was at ``folder`` as it was. One process at a time may
    write a set: another one's unfinished work is removed, and that one then reports so.

    Args:
        folder: Where to; its parents are made. Relative means from where the user stands.
        manifest: Everything but ``files``, which is filled in.
        questions: In any order, they are sorted by id.
        outcomes: In any order.
        prices: Columns of ``PRICE_SCHEMA``, rows in any order.
        evidence: Lines of ``evidence.jsonl`` in any order; None ships no evidence.
        replace: Whether another set at ``folder`` may be replaced.

    Returns:
        The set, loaded from its place.

    Raises:
        InputProblems: If the set is not valid: every problem that loading it would have.
        InputError: If something else is at ``folder``, or it cannot be written.
    """
    folder = user_path(str(folder)).resolve()
    by_id = sorted(questions, key=lambda question: question.id)
    by_question = sorted(outcomes, key=lambda outcome: outcome.question_id)
    files = {
        "questions.jsonl": _json_lines(by_id),
        "outcomes.jsonl": _json_lines(by_question),
        "prices.parquet": _parquet(prices),
    }
    if evidence is not None:
        files["evidence.jsonl"] = _evidence_lines(evidence)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = manifest.model_copy(update={"files": digests})
    # Prices that were told otherwise in between may come to be what they were: that version is this one then.
    earlier = tuple(one for one in manifest.earlier if one.digest != manifest.digest)
    files["manifest.json"] = _manifest_json(manifest.model_copy(update={"earlier": earlier}))
    try:
        if not _holds(folder, files):
            _refuse_other_contents(folder, replace)
            _write(folder, files)
    except OSError as error:
        raise InputError(
            f"the question set cannot be written to {folder}: {error.strerror or error}. "
            "Make room or choose another folder, then run the command again; what was there is as it was"
        ) from error
    return load_folder(folder, folder.as_posix())


def _json_lines(records: Iterable[BaseModel]) -> bytes:
    return b"".join(_line(record.model_dump(mode="json")) for record in records)


def _evidence_lines(rows: Iterable[Mapping[str, JsonValue]]) -> bytes:
    in_order = sorted(rows, key=lambda row: (str(row.get("published")), str(row.get("url")), _line(row)))
    return b"".join(map(_line, in_order))


def _line(row: Mapping[str, JsonValue]) -> bytes:
    return (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8")


def _parquet(prices: pl.DataFrame) -> bytes:
    table = io.BytesIO()
    in_order = prices.select(pl.col(name).cast(kind) for name, kind in PRICE_SCHEMA.items()).sort("question_id", "hour")
    in_order.rechunk().write_parquet(table, compression="zstd", compression_level=15, row_group_size=1 << 18)
    return table.getvalue()


def _manifest_json(manifest: Manifest) -> bytes:
    fields = {name: value for name, value in manifest.model_dump(mode="json").items() if value not in (None, [])}
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    """Whether a folder has these files and nothing else."""
    if not folder.is_dir() or {path.name for path in folder.iterdir()} != set(files):
        return False
    return all((folder / name).read_bytes() == content for name, content in files.items())


def _refuse_other_contents(folder: Path, replace: bool) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file: choose another place for the question set")
    found = {path.name for path in folder.iterdir()}
    if not found:
        return
    # What is no part of a question set would be lost with the folder: it is never replaced.
    foreign = sorted(found - {"manifest.json", "questions.jsonl", "outcomes.jsonl", "prices.parquet", "evidence.jsonl"})
    if foreign:
        raise InputError(
            f"{folder} holds {', '.join(foreign[:5])}, which is no part of a question set: choose another folder"
        )
    if not replace:
        raise InputError(
            f"{folder} holds another question set: choose another folder, or say that it is to be replaced"
        )


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    leftovers = list(folder.parent.glob(f".{glob.escape(folder.name)}.????????{_UNFINISHED}"))
    unfinished = folder.parent / f".{folder.name}.{secrets.token_hex(4)}{_UNFINISHED}"
    unfinished.mkdir()
    try:
        for leftover in leftovers:
            # Taken out of its writer's reach in one step, so that half of it is never put in place.
            leftover.rename(unfinished / leftover.name)
            shutil.rmtree(unfinished / leftover.name)
        for name, content in files.items():
            (unfinished / name).write_bytes(content)
        _check(unfinished, folder)
        put_in_place(unfinished, folder)
    finally:
        # Nothing, half a set, or the set that was replaced; what cannot be removed now, the next writing removes.
        shutil.rmtree(unfinished, ignore_errors=True)


def _check(unfinished: Path, folder: Path) -> None:
    try:
        evidence = load_folder(unfinished, folder.as_posix()).evidence_file
    except InputProblems as error:
        raise InputProblems(f"question set {folder} (not written)", error.problems) from None
    if evidence is not None:
        with evidence.open("rb") as lines:
            for _ in read_documents(lines, Path(f"{folder} (not written), {evidence.name}")):
                pass
