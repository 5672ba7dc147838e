"""Reading ``evidence.jsonl``, the dated documents that a question set ships."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cruxbench_inspect.errors import InputProblems
from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.document import Document

MAX_PROBLEMS = 50
"""Reading stops after this many problems."""

_SHOWN_VALUE = 80
_PROOF = b',"proof":"B"}'


def read_documents(lines: Iterable[bytes], path: Path) -> Iterator[Document]:
    """The documents of an evidence file, in order and of class B: whoever made the set vouches for their dates.

    Args:
        lines: The lines of the file. Blank ones are passed over.
        path: The file, for messages.

    Raises:
        InputProblems: After the last document, with the line, field and value of everything that was wrong.
    """
    problems: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _read_document(line)
        except ValidationError as error:
            problems += [f"line {number}, {_describe(detail)}" for detail in error.errors(include_url=False)]
        except ValueError as error:
            problems.append(f"line {number}: {error}")
        if len(problems) >= MAX_PROBLEMS:
            problems.append(f"reading stopped at line {number}; there may be more")
            break
    if problems:
        raise InputProblems(str(path), problems)


def _read_document(line: bytes) -> Document:
    """The document of a line; the quick way for lines that are right, the other one says what is wrong."""
    content = line.strip()
    if content.endswith(b"}") and b'"proof"' not in content and b"\\u" not in content:
        try:
            return Document.model_validate_json(content[:-1] + _PROOF)
        except ValidationError:
            pass
    return _read_document_with_care(line)


def _read_document_with_care(line: bytes) -> Document:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON at column {error.colno}: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"no UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    if not isinstance(row, dict):
        raise ValueError(f"{_shorten(row)} is no JSON object")
    if "proof" in row:
        raise ValueError(f"field proof, value {_shorten(row['proof'])}: a file does not choose its proof class")
    return Document.model_validate({**row, "proof": "B"})


def _describe(detail: Any) -> str:
    field = ".".join(str(part) for part in detail["loc"])
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "missing":
        return f"field {field}: {message}"
    return f"field {field}, value {_shorten(detail['input'])}: {message}"


def _shorten(value: object) -> str:
    text = clean_line(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 1] + "…"
