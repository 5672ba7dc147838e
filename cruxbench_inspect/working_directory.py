"""Where the user stands: the working directory before Inspect changes it to the task file's folder."""

from pathlib import Path

USER_DIRECTORY = Path.cwd()
"""The working directory at the time this module was loaded, which Inspect does when a command starts."""


def user_path(path: str) -> Path:
    """An absolute path for what a user wrote, read from where the user stands; ``~`` is the home folder."""
    return (USER_DIRECTORY / Path(path).expanduser()).resolve()
