"""Names of a report's parts, which become file names and anchors."""

import re
from collections import Counter
from collections.abc import Iterable

from cruxbench_inspect.report.report import Report

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def check_names(report: Report) -> None:
    """Check that the names of sections, of tables and of figures are names, and each given once.

    Raises:
        ValueError: If one is not of small letters, digits and underscores, or stands twice.
    """
    _check("section", (section.name for section in report.sections))
    _check("table", (table.name for table in report.tables))
    _check("figure", (figure.name for figure in report.figures))


def _check(kind: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a {kind}: small letters, digits and underscores")
        if count > 1:
            raise ValueError(f"{count} parts are called {kind} {name!r}")
