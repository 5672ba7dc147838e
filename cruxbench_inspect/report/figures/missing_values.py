"""Rows without a number are left out of a figure, and counted."""

import math
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def complete(rows: Sequence[T], fields: Sequence[str], what: str) -> tuple[list[T], str]:
    """The rows that have a number in every field.

    Args:
        rows: Dataclass instances.
        fields: Names of numeric fields.
        what: What a row is, in the plural, such as "models".

    Returns:
        The rows to draw, and a sentence that counts the others: empty where there are none.

    Raises:
        ValueError: If there is nothing to draw.
    """
    kept = [row for row in rows if all(_is_number(getattr(row, field)) for field in fields)]
    if not kept:
        raise ValueError(f"there are no {what} to draw" + (f": none of {len(rows)} has a value" if rows else ""))
    dropped = len(rows) - len(kept)
    return kept, f"Left out: {dropped} of {len(rows)} {what} without a value." if dropped else ""


def _is_number(value: float | None) -> bool:
    return value is not None and math.isfinite(value)
