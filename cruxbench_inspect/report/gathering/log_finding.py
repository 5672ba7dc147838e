"""Finding logs: files, folders, patterns and addresses, as Inspect reads them."""

from collections.abc import Sequence
from pathlib import Path

import fsspec
from inspect_ai.log import list_eval_logs

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.working_directory import user_path

_SUFFIXES = (".eval", ".json")


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
    address = _address(files, path)
    if not files.isdir(path):
        return [address]
    return [_address(files, log.name) for log in list_eval_logs(address, recursive=True)]


def _address(files: fsspec.AbstractFileSystem, path: str) -> str:
    """One way to write each place: logs that are named twice are read once."""
    bare = str(files._strip_protocol(path))
    return Path(bare).resolve().as_posix() if "file" in files.protocol else str(files.unstrip_protocol(bare))
