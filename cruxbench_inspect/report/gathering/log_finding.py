"""Finding logs: files, folders, patterns and addresses, as Inspect reads them."""

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import fsspec

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.working_directory import user_path

_SUFFIXES = (".eval", ".json")

_LOG = re.compile(r".*\.eval|\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d.*\.json")
"""What logs are called; other JSON files beside them are none."""


def find_logs(places: Sequence[str]) -> list[str]:
    """The addresses of all logs at some places, each once, by name.

    Args:
        places: Files, folders (with their folders), or patterns with ``*``; also addresses such as ``s3://...``.

    Raises:
        InputError: If a place does not exist, or there is no log at any of them.
    """
    found: dict[str, None] = {}
    for place in places:
        found |= dict.fromkeys(_at(place))
    if not found:
        raise InputError(
            f"there is no Inspect log (*.eval or *.json) in {', '.join(places)}: name log files, or the "
            "folder that was given to --log-dir"
        )
    return sorted(found)


def _at(place: str) -> list[str]:
    try:
        files, path = fsspec.core.url_to_fs(place if "://" in place else str(user_path(place)))
        if files.exists(path):
            return _under(files, path)
        if any(sign in place for sign in "*?["):
            return [log for found in files.glob(path) for log in _under(files, found) if log.endswith(_SUFFIXES)]
    except Exception as error:  # Every store has errors of its own, such as those of missing keys.
        raise InputError(f"{place}: logs cannot be listed there: {str(error) or type(error).__name__}") from error
    raise InputError(f"{place}: there is no such file or folder")


def _under(files: fsspec.AbstractFileSystem, path: str) -> list[str]:
    if not files.isdir(path):
        return [_address(files, path)]
    # As Inspect lists logs, which takes more than a second to load.
    files.invalidate_cache(path)
    return [
        _address(files, about["name"])
        for _, _, inside in files.walk(path, detail=True, on_error="raise")
        for about in inside.values()
        if about["type"] == "file" and _LOG.fullmatch(PurePosixPath(about["name"]).name)
    ]


def _address(files: fsspec.AbstractFileSystem, path: str) -> str:
    """One way to write each place: logs that are named twice are read once."""
    bare = str(files._strip_protocol(path))
    return Path(bare).resolve().as_posix() if "file" in files.protocol else str(files.unstrip_protocol(bare))
