"""A table of a report: raw values, and how each column is shown."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Interval = tuple[float, float]
Cell = str | float | int | bool | Interval | None
"""A raw value: text, number, truth, lower and upper bound, or nothing."""

Kind = Literal["text", "number", "integer", "share", "interval", "share_interval", "p_value", "truth"]
"""How a column is shown. ``share`` is a number from 0 to 1, shown in per cent; ``interval`` a pair of numbers, and
``share_interval`` a pair of shares."""

INTERVALS = frozenset({"interval", "share_interval"})
"""The kinds of columns with a lower and an upper bound."""

NOTHING = "–"
"""What is shown where there is no value."""

DOUBT = "_doubt"
"""Key of a row whose text says why the comparison of what the row is about with others is in doubt."""

DAGGER = "†"
"""Stands before the name of what is in doubt."""


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes:
        key: Its name in rows and data files.
        title: Its head.
        kind: How its cells are shown.
        digits: Decimals of numbers, shares and intervals.
        help: What it is, in a sentence with units.
    """

    key: str
    title: str
    kind: Kind = "text"
    digits: int = 3
    help: str = ""

    def shown(self, cell: Cell) -> str:
        """A cell as text."""
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return NOTHING
        if isinstance(cell, tuple):
            low, high = (self._share(bound) if self.kind == "share_interval" else self._number(bound) for bound in cell)
            return NOTHING if any(map(math.isnan, cell)) else f"[{low}, {high}]"
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if self.kind == "share" and isinstance(cell, float | int):
            return self._share(cell)
        if self.kind == "p_value" and isinstance(cell, float | int):
            return f"{cell:.3f}" if cell >= 0.0005 else f"{cell:.1e}"
        if self.kind == "integer" and isinstance(cell, float | int):
            return f"{round(cell):,}"
        return self._number(cell) if isinstance(cell, float | int) else cell

    def _number(self, value: float) -> str:
        return _rounded(value, self.digits)

    def _share(self, value: float) -> str:
        return f"{_rounded(100 * value, self.digits)}%"


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: Its name in file names and anchors: small letters and underscores.
        title: Its title.
        columns: Its columns.
        rows: Cells by the key of their column. A key without a column is only in data files, and one that begins with
            ``_`` in none.
        notes: Sentences under it, in markdown without links.
        paper: What it is called in the paper, None where the paper has none.
        emphasised: Numbers of the rows that are no model: baselines and the like, shown apart.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell], ...]
    notes: tuple[str, ...] = ()
    paper: str | None = None
    emphasised: frozenset[int] = field(default_factory=frozenset)

    @property
    def head(self) -> int:
        """The place of the column that says what a row is about: the first text."""
        return next((place for place, column in enumerate(self.columns) if column.kind == "text"), 0)

    @property
    def shown_notes(self) -> tuple[str, ...]:
        """The notes, after what the dagger means where a row has one."""
        return (_OF_DAGGER, *self.notes) if any(map(in_doubt, self.rows)) else self.notes

    def shown(self) -> list[list[str]]:
        """All cells as text, by row; what is in doubt with a dagger."""
        texts = [[column.shown(row.get(column.key)) for column in self.columns] for row in self.rows]
        for row, line in zip(self.rows, texts, strict=True):
            if in_doubt(row):
                line[self.head] = f"{DAGGER} {line[self.head]}"
        return texts


def in_doubt(row: Mapping[str, Cell]) -> bool:
    """Whether a row has a doubt."""
    return bool(row.get(DOUBT))


_OF_DAGGER = f"{DAGGER} Its comparison with others is in doubt; a note below says why."


def _rounded(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text
