"""What commands that write question sets have in common."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cruxbench_inspect.questions import Judges

PATH = click.Path(path_type=Path)
EXISTING = click.Path(path_type=Path, exists=True)


def beside(target: Path, what: str) -> Path:
    """A place beside a question set that is named after it."""
    whole = target.resolve()
    return whole.with_name(f"{whole.name}-{what}")


def judges_of(resolver: str | None, verifier: str | None) -> "Judges | None":
    """The default judges that a command names.

    Raises:
        UsageError: If only one of them is named.
    """
    from cruxbench_inspect.questions import Judges

    if resolver is None and verifier is None:
        return None
    if resolver is None or verifier is None:
        raise click.UsageError("name both judges, --resolver and --verifier, or none")
    return Judges(resolver=resolver, verifier=verifier)
