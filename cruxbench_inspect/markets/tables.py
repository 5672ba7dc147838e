"""Tables that users bring (CSV or Parquet): cells are read one by one, and everything that is wrong is collected."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.utc import parse_utc

SHOWN_ROWS = 3
"""How many rows with the same problem in the same column are told one by one."""

SHOWN_CHARACTERS = 80
"""How much of a wrong value a message shows."""


class TableProblems:
    """What is wrong in all tables of an import, in the order in which it was found."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str], list[str]] = {}

    def add(self, place: str, column: str, message: str, row: str = "") -> None:
        """Note a problem.

        Args:
            place: The file.
            column: The column, empty where it is the row or the file as a whole.
            message: What is wrong.
            row: The row and its value, such as ``row 7: 'abc'``.
        """
        self._rows.setdefault((place, column, message), []).append(row)

    def lines(self) -> list[str]:
        """One line for each problem; of many rows with the same one only the first are named."""
        lines = []
        for (place, column, message), rows in self._rows.items():
            where = f"{place}, column {column}" if column else place
            lines += [f"{where}, {row} {message}" if row else f"{where}: {message}" for row in rows[:SHOWN_ROWS]]
            if len(rows) > SHOWN_ROWS:
                lines.append(f"{where}: {len(rows) - SHOWN_ROWS} more rows with this problem ({message})")
        return lines

    def __bool__(self) -> bool:
        return bool(self._rows)


@dataclass(frozen=True)
class Row:
    """A row of a table. Reading a cell notes what is wrong with it, and then gives None.

    Attributes:
        place: The file.
        number: As a spreadsheet shows it: the header of a CSV file is row 1.
        cells: By column.
        problems: Where problems are noted.
    """

    place: str
    number: int
    cells: dict[str, object]
    problems: TableProblems

    def refuse(self, column: str, message: str) -> None:
        """Note that a cell is wrong; without a column, the row as a whole."""
        if not column:
            where = f"row {self.number}:"
        elif self.empty(column):
            where = f"row {self.number}"
        else:
            value = repr(self.cells[column])
            where = (
                f"row {self.number}: {value if len(value) <= SHOWN_CHARACTERS else f'{value[:SHOWN_CHARACTERS]}...'}"
            )
        self.problems.add(self.place, column, message, where)

    def empty(self, column: str) -> bool:
        """Whether a cell is missing, empty or blank."""
        value = self.cells.get(column)
        return value is None or (isinstance(value, str) and not value.strip())

    def text(self, column: str, required: bool = True) -> str | None:
        """The text of a cell, without spaces around it; a whole number counts as its digits."""
        if self.empty(column):
            if required:
                self.refuse(column, "is empty")
            return None
        value = self.cells[column]
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value).strip()
        self.refuse(column, "is no text")
        return None

    def texts(self, column: str) -> tuple[str, ...]:
        """The texts of a cell: a list, or one text in which semicolons stand between them."""
        value = self.cells.get(column)
        parts = value.split(";") if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(str(part).strip() for part in parts if part is not None and str(part).strip())

    def moment(self, column: str, required: bool = True) -> datetime | None:
        """The moment of a cell, in UTC."""
        if self.empty(column):
            if required:
                self.refuse(column, "is empty")
            return None
        value = self.cells[column]
        try:
            return parse_utc(value.isoformat() if isinstance(value, datetime) else str(value).strip())
        except (ValueError, OverflowError) as error:
            self.refuse(column, str(error))
            return None

    def amount(self, column: str) -> float | None:
        """The number of a cell, None where it is empty."""
        if self.empty(column):
            return None
        value = self.cells[column]
        try:
            number = float(value) if isinstance(value, str | int | float | Decimal) else math.nan
        except ValueError:
            number = math.nan
        if math.isfinite(number) and not isinstance(value, bool):
            return number
        self.refuse(column, "is no number")
        return None


def read_table(path: Path, required: Sequence[str], optional: Sequence[str], problems: TableProblems) -> Iterator[Row]:
    """The rows of a table.

    Args:
        path: A CSV file (UTF-8, commas) or a Parquet file, told apart by the ending.
        required: Columns that it has to have.
        optional: Columns that it may have; others are refused, so that a misspelt name does not go unnoticed.
        problems: Gets what is wrong with the columns; there are no rows then.

    Raises:
        InputError: If the file cannot be read at all, or has no rows.
    """
    table = _read(path)
    if path.suffix.lower() == ".csv":
        _check_widths(path, problems)
    known = [*required, *optional]
    found = ", ".join(table.columns)
    wrong = False
    for name in required:
        if name not in table.columns:
            hint = (
                " (separate the columns by commas)"
                if len(table.columns) == 1 and (";" in found or "\t" in found)
                else ""
            )
            problems.add(path.name, name, f"is missing; there are: {found}{hint}")
            wrong = True
    for name in table.columns:
        if name not in known:
            problems.add(path.name, name, f"is not known; known are: {', '.join(known)}")
            wrong = True
    if wrong:
        return
    if table.is_empty():
        raise InputError(f"{path} holds no rows")
    first = 2 if path.suffix.lower() == ".csv" else 1
    for number, cells in enumerate(table.iter_rows(named=True), start=first):
        yield Row(path.name, number, cells, problems)


def _check_widths(path: Path, problems: TableProblems) -> None:
    """Note rows with too few cells: a line that was cut off may end inside a number, which is then another one."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        try:
            width = len(next(rows, []))
            for number, row in enumerate(rows, start=2):
                if 0 < len(row) < width:
                    problems.add(path.name, "", "has too few cells: write a comma for each empty one", f"row {number}")
        except csv.Error as error:
            raise InputError(f"{path} cannot be read as csv, row {rows.line_num}: {error}") from None
        except UnicodeDecodeError:
            raise InputError(f"{path} cannot be read as csv: it is no UTF-8; save it as UTF-8") from None


def _read(path: Path) -> pl.DataFrame:
    kind = path.suffix.lower()
    if kind not in {".csv", ".parquet"}:
        raise InputError(f"{path}: give a file that ends in .csv or .parquet")
    try:
        if kind == ".parquet":
            return pl.read_parquet(path)
        return pl.read_csv(path, infer_schema=False, encoding="utf8")
    except pl.exceptions.NoDataError:
        raise InputError(f"{path} is empty") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path} cannot be read as {kind[1:]}: {str(error).splitlines()[0]}") from error
