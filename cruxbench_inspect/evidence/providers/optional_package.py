"""Packages that only one source needs, and that are installed with it as an extra."""

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager

from cruxbench_inspect.errors import InputError


@contextmanager
def optional_package(source: str) -> Iterator[None]:
    """Import a source's packages in this block.

    Args:
        source: The source's name, which is that of the extra.

    Raises:
        InputError: If one of them is missing, with what to install.
    """
    try:
        yield
    except ImportError as error:
        raise InputError(
            f"evidence source {source!r}: {error}. Install what it needs with pip install 'cruxbench-inspect[{source}]'"
        ) from None


def release_line(package: str) -> str:
    """The first two numbers of an installed package's version, such as ``2.28``."""
    return ".".join(importlib.metadata.version(package).split(".")[:2])
