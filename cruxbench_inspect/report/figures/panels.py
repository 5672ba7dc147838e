"""Panels of one kind side by side, such as one for every model."""

import math
from collections.abc import Sequence

import altair as alt

from cruxbench_inspect.report.figures.doubts import NO_DOUBTS, Doubts, calculated, shown_names
from cruxbench_inspect.report.figures.model_channels import FIELD

_ROOM = 22
"""How many characters of a name a panel's head has room for."""


def model_panels(
    layers: Sequence[alt.Chart],
    data: str,
    order: Sequence[str],
    *,
    width: int = 160,
    height: int = 120,
    doubts: Doubts = NO_DOUBTS,
) -> alt.FacetChart:
    """A panel per model, at most four in a row.

    Args:
        layers: What a panel shows, without data.
        data: The name of the data, whose rows have the model.
        order: The models.
        width: The width of a panel in pixels.
        height: Its height in pixels.
        doubts: Why the comparison of a model is in doubt.
    """
    chart = alt.LayerChart(data=alt.NamedData(data), layer=list(layers))
    shown = shown_names(order, doubts, _ROOM)
    faceted = panels(
        chart,
        FIELD if all(name == model for model, name in shown.items()) else "name",
        list(shown.values()),
        width=width,
        height=height,
        most=4,
    )
    return calculated(faceted, order, doubts, _ROOM)


def panels(
    chart: alt.Chart | alt.LayerChart,
    field: str,
    order: Sequence[str],
    *,
    width: int,
    height: int,
    most: int,
) -> alt.FacetChart:
    """A panel per value of a field.

    Args:
        chart: What a panel shows, with its data.
        field: The field.
        order: Its values.
        width: The width of a panel in pixels.
        height: Its height in pixels.
        most: How many are in a row at most.
    """
    columns = math.ceil(len(order) / math.ceil(len(order) / most))
    facet = alt.Facet(f"{field}:N", sort=list(order), title=None, header=alt.Header(labelLimit=width))
    faceted: alt.FacetChart = chart.properties(width=width, height=height).facet(facet=facet, columns=columns)
    # Axes that panels share would stand under the empty places of the last row.
    return faceted.resolve_axis(x="independent") if len(order) % columns else faceted
