"""A table as the text of a data file: CSV, JSON or Markdown."""

import csv
import io
import json
import re
from dataclasses import asdict

from cruxbench_inspect.report.page.json_value import json_value
from cruxbench_inspect.report.page.printable import printable
from cruxbench_inspect.report.page.raw_values import data_keys, interval_keys, raw_text
from cruxbench_inspect.report.table import Cell, Table


def table_csv(table: Table) -> str:
    """Raw values under the columns' keys; an interval is two columns, ``KEY_low`` and ``KEY_high``.

    Missing values are empty. A text that a spreadsheet would take for a formula begins with an apostrophe. Keys of rows
    that are no columns come last, but for those that start with ``_``.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    intervals = interval_keys(table)
    keys = data_keys(table)
    writer.writerow([name for key in keys for name in ([f"{key}_low", f"{key}_high"] if key in intervals else [key])])
    for row in table.rows:
        writer.writerow([value for key in keys for value in _values(row.get(key), key in intervals)])
    return text.getvalue()


def table_json(table: Table) -> str:
    """Raw values with titles, notes and columns; an interval is a list of two; null where there is no finite number."""
    keys = data_keys(table)
    content = {
        "name": table.name,
        "title": table.title,
        "paper": table.paper,
        "columns": [asdict(column) for column in table.columns],
        "rows": [{key: row[key] for key in keys if key in row} for row in table.rows],
        "emphasised": sorted(table.emphasised),
        "notes": list(table.notes),
    }
    return json.dumps(json_value(content), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def table_markdown(table: Table) -> str:
    """The table as it is shown, under its title, with its notes."""
    heading = f"## {_markdown_text(table.title)}"
    heads = [_markdown_text(column.title) for column in table.columns]
    rules = ["---" if column.kind in {"text", "truth"} else "---:" for column in table.columns]
    body = [list(map(_markdown_text, row)) for row in table.shown()]
    lines = ["| " + " | ".join(row) + " |" for row in (heads, rules, *body)]
    paper = [f"{table.paper} of the paper"] if table.paper else []
    return printable("\n\n".join([heading, *paper, "\n".join(lines), *table.shown_notes]) + "\n")


def _values(cell: Cell, interval: bool) -> list[str]:
    if not interval:
        text = printable(raw_text(cell))
        is_formula = isinstance(cell, str) and text.startswith(("=", "+", "-", "@", "\t"))
        return [f"'{text}" if is_formula else text]
    return [raw_text(bound) for bound in cell] if isinstance(cell, tuple) else ["", ""]


def _markdown_text(text: str) -> str:
    """A text on one line that no Markdown reader takes for markup."""
    plain = " ".join(printable(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\|*_`~]|\[(?=[^\]]*\]\())", r"\\\1", plain)
