"""Writing documents as the ``evidence.jsonl`` of a question set."""

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive_state import is_database
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import is_excluded

_OPTIONAL = ("modified", "captured", "version", "excerpt")


def export(documents: Iterable[Document], target: Path) -> tuple[int, int]:
    """Write documents to a file, which is whole or not there at all.

    In such a file every document is of class B, and needs a date of publication. A stored copy that claims none is
    dated by its capture: it was there by then, and admission does not become easier.

    Args:
        documents: The documents.
        target: The file, or a link to it; documents that were exported there are replaced, another file never is.

    Returns:
        How many documents were written, and how many were left out: undated ones, and sites that are never evidence.

    Raises:
        InputError: If the file cannot be written, or something else than documents stands there.
    """
    target = target.resolve()
    if target.exists() and not target.is_file():
        raise InputError(f"{target}: no file, so nothing is exported there: name a file")
    if is_database(target):
        raise InputError(f"{target}: an archive stands there, and an export would replace it: name another file")
    if target.exists() and not _holds_documents(target):
        raise InputError(f"{target}: this file holds no documents, and an export would replace it: name another file")
    written = left_out = 0
    try:
        handle, name = tempfile.mkstemp(prefix=f"{target.name}.", suffix=".writing", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                for document in documents:
                    line = _line(document)
                    if line is None:
                        left_out += 1
                    else:
                        file.write(json.dumps(line, ensure_ascii=False) + "\n")
                        written += 1
            Path(name).chmod(0o644)
            Path(name).replace(target)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{target}: the export cannot be written: {error.strerror}") from error
    return written, left_out


def _holds_documents(file: Path) -> bool:
    """Whether a file is empty, or its first line is that of a document."""
    try:
        with file.open(encoding="utf-8") as opened:
            first = opened.readline()
        document = json.loads(first or "{}")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        return False
    return not first or (isinstance(document, dict) and {"url", "published", "text"} <= document.keys())


def _line(document: Document) -> dict[str, Any] | None:
    published = document.published or (document.captured if document.proof == "A" else None)
    if published is None or is_excluded(document.url) or (document.proof == "A" and document.captured is None):
        return None
    values = document.model_dump(mode="json", exclude={"proof"})
    optional = {name: values.pop(name) for name in _OPTIONAL}
    return {**values, "published": published.text, **{name: value for name, value in optional.items() if value}}
