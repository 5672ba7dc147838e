"""Raw values of a table's cells as text, the same in CSV files and on the page."""

import math

from cruxbench_inspect.report.table import INTERVALS, Cell, Table


def raw_text(cell: Cell) -> str:
    """A single value: numbers with all their digits, ``true`` or ``false``, and nothing where it is missing."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell)


def data_keys(table: Table) -> list[str]:
    """Keys of a table's data files: its columns, then those that rows have beyond them, without ``_`` in front."""
    keys = [column.key for column in table.columns]
    beyond = (key for row in table.rows for key in row if not key.startswith("_"))
    return list(dict.fromkeys([*keys, *beyond]))


def interval_keys(table: Table) -> set[str]:
    """Keys whose values are intervals."""
    declared = {column.key for column in table.columns if column.kind in INTERVALS}
    return declared | {key for row in table.rows for key, cell in row.items() if isinstance(cell, tuple)}
