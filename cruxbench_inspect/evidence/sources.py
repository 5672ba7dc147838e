"""Evidence sources by name."""

from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.source import EvidenceSource

SOURCE_NAMES = ("archive",)
"""The names that ``open_source`` knows."""


def open_source(name: str, evidence_file: Path | None) -> EvidenceSource:
    """Open a source by its name; an archive that is not built yet is built now.

    Args:
        name: One of ``SOURCE_NAMES``.
        evidence_file: The ``evidence.jsonl`` of the question set, None when it ships none.

    Raises:
        InputError: If the name is unknown, or an archive is asked for without an evidence file or with a wrong one.
    """
    if name not in SOURCE_NAMES:
        raise InputError(
            f"unknown evidence source {name!r}. Known: {', '.join(SOURCE_NAMES)}. Set evidence to one of them"
        )
    if evidence_file is None:
        raise InputError(
            f"evidence source {name!r}: the question set ships no evidence.jsonl. "
            "Add that file to the set and its manifest, or choose another evidence source"
        )
    return Archive.open(evidence_file)
