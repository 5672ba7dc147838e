"""From an altair chart to the spec of a figure, with its data beside it under names."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt

Row = Mapping[str, object]

CONTAINER = "container"
"""A width that fits the page; who draws a file puts a number in its place. Facets and concatenations have none."""

REFERENCE = "reference"
"""The style of baselines, diagonals and other lines that are no data, for a theme's ``config.style``."""

ANNOTATION = "annotation"
"""The style of text inside a plot, for a theme's ``config.style``."""

WITH_INTERVAL = "isValid(datum.low) && isValid(datum.high)"
"""A filter for rows whose fields ``low`` and ``high`` are there."""


def spec(chart: alt.TopLevelMixin, description: str, **datasets: Iterable[Row]) -> dict[str, Any]:
    """The spec of a chart.

    Args:
        chart: A chart whose data are ``alt.NamedData`` of the given names.
        description: What it shows, for those who do not see it.
        datasets: Rows by name. Numbers are rounded to five significant digits; NaN becomes null.

    Returns:
        A Vega-Lite spec without a ``config``, the same for the same input.
    """
    made: dict[str, Any] = chart.to_dict()
    # altair's default theme sets sizes, which are for the theme of the page.
    made.pop("config", None)
    rows = {name: [_shown(row) for row in rows] for name, rows in datasets.items()}
    return made | {"description": description, "datasets": rows}


def fit_width() -> alt.AutoSizeParams:
    """Sizing for a width of ``CONTAINER``: axes and labels count towards it, the height is the plot's own."""
    return alt.AutoSizeParams(type="fit-x", contains="padding")


def significant(value: float, digits: int = 5) -> float:
    """A number rounded to significant digits."""
    return float(f"{value:.{digits}g}")


def _shown(row: Row) -> dict[str, object]:
    return {key: _visible(value) for key, value in row.items()}


def _visible(value: object) -> object:
    if not isinstance(value, float):
        return value
    return significant(value) if math.isfinite(value) else None
