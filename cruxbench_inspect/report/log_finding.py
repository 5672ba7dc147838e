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
    address = place if "://" in place else str(user_path(place))
    files, path = fsspec.core.url_to_fs(address)
    try:
        if any(sign in place for sign in "*?["):
            return [_address(files, one) for one in files.glob(path) if one.endswith(_SUFFIXES)]
        if files.isdir(path):
            return [log.name for log in list_eval_logs(address, recursive=True)]
        if files.exists(path):
            return [address]
    except (OSError, ValueError) as error:
        raise InputError(f"{place}: logs cannot be listed there: {error}") from error
    raise InputError(f"{place}: there is no such file or folder")


def _address(files: fsspec.AbstractFileSystem, path: str) -> str:
    return Path(path).as_posix() if "file" in files.protocol else str(files.unstrip_protocol(path))
