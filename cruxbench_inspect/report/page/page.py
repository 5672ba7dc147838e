"""A report as one HTML page that needs no server and no network."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import vl_convert
from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from cruxbench_inspect.report.page.address import safe_address
from cruxbench_inspect.report.page.packed_figures import packed_figures
from cruxbench_inspect.report.page.page_table import page_table
from cruxbench_inspect.report.page.part_names import check_names
from cruxbench_inspect.report.page.printable import printable
from cruxbench_inspect.report.page.prose import fold, prose, sentence
from cruxbench_inspect.report.page.theme import DARK, LIGHT, PAGE_FONT
from cruxbench_inspect.report.report import Report
from cruxbench_inspect.report.table import Table

_SCRIPTS = ("document", "fitting", "figures", "tables", "page")
"""Scripts of the page in their order; they share one scope."""


def render_page(report: Report) -> str:
    """A report as an HTML page with its styles, its scripts and all data inside.

    Anchors are ``section-NAME``, ``table-NAME`` and ``figure-NAME``. A row of a table may have the key ``_link``: an
    address relative to the page, or one that starts with https, which its first cell of text links to. Titles, lead,
    warnings, descriptions and cells are text; texts, notes and captions are the markdown of ``prose``. Of a table's
    note with several paragraphs the first is shown, and opens the others. The scripts of Vega, 0.9 MB, are inside if
    there are figures.

    Raises:
        ValueError: If the name of a part is no name or stands twice, or a link is no relative or https address.
    """
    check_names(report)
    body = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    scripts = {"head": _script(_part("head.js")), "page": _script(f'(() => {{\n"use strict";\n{body}}})();')}
    if report.figures:
        scripts["vega"] = vega_scripts()
    return _template().render(
        report=report,
        viewer=None if report.viewer is None else safe_address(report.viewer),
        policy=_policy(scripts.values()),
        style=Markup(_part("style.css")),  # noqa: S704
        scripts=scripts,
        light=LIGHT,
        dark=DARK,
        page_font=Markup(PAGE_FONT),  # noqa: S704
        themes=_json({theme.name: theme.config(PAGE_FONT) for theme in (LIGHT, DARK)}),
        figures=_json(packed_figures(report.figures)),
    )


@cache
def vega_scripts() -> Markup:
    """The scripts that draw figures, for a script element: Vega, Vega-Lite and vega-embed."""
    return _script(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def _part(name: str) -> str:
    return (files("cruxbench_inspect.report.page") / "parts" / name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"fold": fold, "prose": prose, "sentence": sentence}
    environment.tests["table"] = lambda part: isinstance(part, Table)
    environment.globals["page_table"] = page_table
    return environment.from_string(_part("page.html.jinja"))


def _script(source: str) -> Markup:
    """A script for a script element, which nothing in it can end or comment out."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n")
    return Markup(re.sub(r"<(?=/script|script|!--)", r"\\x3c", lines, flags=re.IGNORECASE))  # noqa: S704


def _json(value: Any) -> Markup:
    """A value as JSON for a script element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026"))  # noqa: S704


def _policy(scripts: Iterable[str]) -> str:
    """A Content-Security-Policy: these scripts and no other, and nothing from the network."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
