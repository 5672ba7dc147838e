"""A table of the page: cells with their raw values and what they look like."""

from collections.abc import Mapping
from dataclasses import dataclass

from cruxbench_inspect.report.page.address import safe_address
from cruxbench_inspect.report.page.raw_values import raw_text
from cruxbench_inspect.report.table import DAGGER, INTERVALS, NOTHING, Cell, Column, Table, in_doubt

LINK = "_link"
"""Key of a row whose text is the address that its head links to."""

_SHORT = 26
"""Characters up to which a text is kept on one line."""

_LONG = 48
"""Characters from which on a text has a column wide enough to be read."""

_PORTRAIT = 115
"""Characters of a row that an upright sheet of paper has room for."""

_WRAPPED = 24
"""Characters of a line in a cell of text on paper."""

_TALL = 30
"""Rows from which on a table scrolls in its own box."""


@dataclass(frozen=True)
class PageCell:
    """A cell.

    Attributes:
        text: What is shown.
        raw: Its raw value, where the text is another; an interval's bounds with a space between them.
        missing: Whether there is no value.
    """

    text: str
    raw: str | None
    missing: bool


@dataclass(frozen=True)
class PageRow:
    """A row.

    Attributes:
        cells: Its cells.
        link: The address that its head links to.
        apart: Whether it is no model.
        mark: What stands before its head.
    """

    cells: list[PageCell]
    link: str | None
    apart: bool
    mark: str


@dataclass(frozen=True)
class PageTable:
    """A table.

    Attributes:
        table: The table that is shown.
        looks: A class for each column: ``number``, ``range`` (of two numbers), ``short``, ``text`` or ``long``.
        rows: Its rows.
        linked: Whether a row has a link.
        tall: Whether it scrolls in its own box.
        wide: Whether it is printed on sheets that lie on their side.
    """

    table: Table
    looks: list[str]
    rows: list[PageRow]
    linked: bool
    tall: bool
    wide: bool


def page_table(table: Table) -> PageTable:
    """A table for the page.

    Raises:
        ValueError: If a row's link is no relative or https address.
    """
    rows = [_row(table, row, number in table.emphasised) for number, row in enumerate(table.rows)]
    lengths = [max((len(row.cells[place].text) for row in rows), default=0) for place in range(len(table.columns))]
    looks = list(map(_look, table.columns, lengths))
    widths = map(_printed, table.columns, lengths)
    return PageTable(
        table,
        looks,
        rows,
        linked=any(row.link for row in rows),
        tall=len(rows) > _TALL,
        wide=sum(widths) > _PORTRAIT,
    )


def _row(table: Table, row: Mapping[str, Cell], apart: bool) -> PageRow:
    link = row.get(LINK)
    address = None if link is None else safe_address(str(link))
    cells = [_cell(column, row.get(column.key)) for column in table.columns]
    return PageRow(cells, address, apart, DAGGER if in_doubt(row) else "")


def _cell(column: Column, cell: Cell) -> PageCell:
    text = column.shown(cell)
    raw = " ".join(map(raw_text, cell)) if isinstance(cell, tuple) else raw_text(cell)
    return PageCell(
        text, None if raw == text else raw, missing=not raw.strip() or (isinstance(cell, tuple) and text == NOTHING)
    )


def _look(column: Column, length: int) -> str:
    if column.kind in INTERVALS:
        return "number range"
    if column.kind in {"number", "integer", "share", "p_value"}:
        return "number"
    return "short" if length <= _SHORT else "text" if length <= _LONG else "long"


def _printed(column: Column, length: int) -> int:
    """The characters of a column on paper, and the space after it."""
    head = max(map(len, column.title.split()), default=0)
    return 1 + max(head, min(length, _WRAPPED) if column.kind == "text" else length)
