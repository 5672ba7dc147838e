"""The present moment, of which there is one for the whole program: tests and dry runs can put it elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def now() -> datetime:
    """The present moment in UTC."""
    return _present().astimezone(UTC)


@contextmanager
def at(moment: datetime | Callable[[], datetime]) -> Iterator[None]:
    """Put the present elsewhere, in all tasks and threads of the process, until the block ends.

    Blocks may be nested, but must not overlap otherwise. What Inspect writes into its logs keeps the real time.

    Args:
        moment: An aware moment at which time stands still, or a clock that is read each time.

    Raises:
        ValueError: If the moment is naive.
    """
    global _present
    if isinstance(moment, datetime) and moment.tzinfo is None:
        raise ValueError(f"the moment {moment.isoformat()} names no time zone")
    before = _present
    _present = (lambda: moment) if isinstance(moment, datetime) else moment
    try:
        yield
    finally:
        _present = before


def _real() -> datetime:
    return datetime.now(UTC)


# Of the module and not of a context: threads that are started inside a block do not inherit contexts.
_present: Callable[[], datetime] = _real
