"""A report as files: the page, each table as data and text, each figure as pictures."""

import json
import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Literal, get_args

import vl_convert

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.page.json_value import json_value
from cruxbench_inspect.report.page.page import render_page
from cruxbench_inspect.report.page.part_names import check_names
from cruxbench_inspect.report.page.pdf_order import with_sorted_resources
from cruxbench_inspect.report.page.svg_ids import with_own_ids
from cruxbench_inspect.report.page.table_files import table_csv, table_json, table_markdown
from cruxbench_inspect.report.page.theme import FILE_FONT, LIGHT, themed
from cruxbench_inspect.report.report import Report
from cruxbench_inspect.report.table import Table

Format = Literal["html", "csv", "json", "md", "svg", "png", "pdf"]
"""``html`` is the page, ``csv`` and ``md`` are of tables, ``svg``, ``png`` and ``pdf`` of figures, ``json`` of both."""

FORMATS: tuple[Format, ...] = get_args(Format)

_GENERATOR = '<meta name="generator" content="cruxbench report">'
_PART = re.compile(r'id="(table|figure)-([a-z][a-z0-9_]*)"')
_PNG_SCALE = 2.0

_WIDTH = 680
"""Width in pixels of figures that fit the page."""


def write_files(
    report: Report,
    folder: Path,
    formats: Collection[Format] = FORMATS,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Write a report into a folder, which is made if it is not there.

    The files are ``index.html``, ``tables/NAME.csv|json|md`` and ``figures/NAME.svg|png|pdf|json``. Figures are light;
    their JSON is the Vega-Lite spec with its data and its theme. The same figure gives the same bytes, but for PDF with
    characters that ``FILE_FONT`` lacks. Each file is whole or as it was before. Tables and figures of an earlier report
    in the folder that this one has not are removed; other files stay.

    Args:
        report: The report.
        folder: The folder.
        formats: What to write.
        progress: Called after each file with how many are done and how many there are to be.

    Returns:
        The files, in the order in which they were written.

    Raises:
        InputError: If a file cannot be written, or another page is in the place of the report's.
        ValueError: If a name, a link, or a format of the report is none.
    """
    check_names(report)
    if unknown := sorted(set(formats) - set(FORMATS)):
        raise ValueError(f"{', '.join(unknown)}: no format of a report; there are {', '.join(FORMATS)}")
    check_place(folder)
    files = dict(_files(report, formats))
    earlier = _earlier_parts(folder)
    written = []
    for name, content in files.items():
        data = content()
        _write(folder / name, data)
        written.append(folder / name)
        if progress is not None:
            progress(len(written), len(files))
    _remove_others(folder, earlier, files)
    return written


def check_place(folder: Path) -> None:
    """See that a report replaces no other page, such as that of a log viewer.

    Args:
        folder: Where the report is to be.

    Raises:
        InputError: If it would, or there is a file in place of the folder.
    """
    page = folder / "index.html"
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: name a folder with -o")
    try:
        is_free = not page.exists() or _GENERATOR in page.read_text(encoding="utf-8", errors="replace")[:4096]
    except OSError:
        # Writing tells what the matter is.
        return
    if not is_free:
        raise InputError(f"{page} is not the page of a report, and would be replaced: name another folder with -o")


def _earlier_parts(folder: Path) -> list[tuple[str, str]]:
    """Kinds and names of the tables and figures of a report that the folder has already."""
    try:
        page = (folder / "index.html").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return _PART.findall(page) if _GENERATOR in page[:4096] else []


def _remove_others(folder: Path, earlier: Iterable[tuple[str, str]], files: Collection[str]) -> None:
    for kind, name in earlier:
        for suffix in FORMATS:
            path = f"{kind}s/{name}.{suffix}"
            if path not in files:
                (folder / path).unlink(missing_ok=True)


def _files(report: Report, formats: Collection[Format]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Names of files, with what makes their content."""
    if "html" in formats:
        yield "index.html", lambda: render_page(report).encode()
    for ending, text in {"csv": table_csv, "json": table_json, "md": table_markdown}.items():
        if ending in formats:
            for table in report.tables:
                yield f"tables/{table.name}.{ending}", partial(_encoded, text, table)
    for figure in report.figures:
        picture = _Picture(figure)
        if "json" in formats:
            yield f"figures/{figure.name}.json", picture.json
        if "svg" in formats:
            yield f"figures/{figure.name}.svg", picture.svg
        if "png" in formats:
            yield f"figures/{figure.name}.png", picture.png
        if "pdf" in formats:
            yield f"figures/{figure.name}.pdf", picture.pdf


def _encoded(text: Callable[[Table], str], table: Table) -> bytes:
    return text(table).encode()


class _Picture:
    """A figure in all formats, drawn once."""

    def __init__(self, figure: Figure) -> None:
        spec = themed(json_value(figure.spec), LIGHT, FILE_FONT)
        self._spec = spec | ({"width": _WIDTH} if spec.get("width") == "container" else {})
        self._drawn = cache(self._draw)

    def json(self) -> bytes:
        return (json.dumps(self._spec, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n").encode()

    def svg(self) -> bytes:
        return self._drawn().encode()

    def png(self) -> bytes:
        return vl_convert.svg_to_png(self._drawn(), scale=_PNG_SCALE)

    def pdf(self) -> bytes:
        return with_sorted_resources(vl_convert.svg_to_pdf(self._drawn()))

    def _draw(self) -> str:
        return with_own_ids(vl_convert.vegalite_to_svg(self._spec, allowed_base_urls=[]))


def _write(path: Path, data: bytes) -> None:
    """Write a file beside its place, then move it there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".writing", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{path}: the report cannot be written: {error.strerror or error}. "
            "Name a folder that you may write to, on a disk with free space."
        ) from error
