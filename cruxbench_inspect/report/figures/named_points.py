"""Points with an interval each and their names beside them, placed so that they do not cover each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures.name_places import HEIGHT, WIDEST, name_places
from cruxbench_inspect.report.figures.vega_lite import ANNOTATION, CONTAINER, WITH_INTERVAL, Row, fit_width
from cruxbench_inspect.report.figures.wording import with_interval


@dataclass(frozen=True)
class ModelPoint:
    """A model with its mean VOI and another number.

    Attributes:
        model: Its name.
        across: The other number, such as a score or a cost; NaN where there is none.
        mean: Mean VOI per question, bits.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
    """

    model: str
    across: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Horizontal:
    """The horizontal axis of a plot of named points.

    Attributes:
        field: The name of the other number in the data.
        title: What it is, with its unit.
        low: The axis's left end.
        high: Its right end.
        axis: Its ticks.
        logarithmic: Whether its scale is logarithmic.
    """

    field: str
    title: str
    low: float
    high: float
    axis: alt.Axis
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Where a value is, from left (0) to right (1)."""
        low, high, at = (math.log(one) if self.logarithmic else one for one in (self.low, self.high, value))
        return (at - low) / (high - low)

    def channel(self) -> alt.X:
        """The channel of Vega-Lite."""
        scale = alt.Scale(
            type="log" if self.logarithmic else "linear", domain=[self.low, self.high], nice=False, zero=False
        )
        return alt.X(f"{self.field}:Q", title=self.title, axis=self.axis, scale=scale)


def bounds(points: Sequence[ModelPoint]) -> list[float]:
    """All means and ends of intervals."""
    return [bound for row in points for bound in (row.mean, row.low, row.high) if not math.isnan(bound)]


def named_points(
    points: Sequence[ModelPoint],
    horizontal: Horizontal,
    vertical: tuple[float, float],
    doubts: doubt.Doubts,
    *behind: alt.Chart,
) -> tuple[alt.LayerChart, list[Row]]:
    """The plot.

    Args:
        points: The models.
        horizontal: The axis of the other number.
        vertical: The lowest and highest mean on the other axis.
        doubts: Why the comparison of a model is in doubt.
        behind: Layers behind the points; they share the axes.

    Returns:
        The chart, whose data are named ``models``, and their rows.
    """
    models = [row.model for row in points]
    places, right = name_places(
        [doubt.marked(model, doubts) for model in models],
        [horizontal.share(row.across) for row in points],
        [row.mean for row in points],
        vertical,
        [(row.low, row.high) for row in points],
    )
    rows: list[Row] = [
        {
            "model": row.model,
            horizontal.field: row.across,
            "mean": row.mean,
            "low": row.low,
            "high": row.high,
            "interval": with_interval(row.mean, row.low, row.high, 4),
            "name_height": place,
            "name_right": to_the_right,
            **doubt.fields(row.model, doubts),
        }
        for row, place, to_the_right in zip(points, places, right, strict=True)
    ]
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip(f"{horizontal.field}:Q", title=horizontal.title, format=".4~g"),
        alt.Tooltip("interval:N", title="Mean VOI and 95% interval"),
        *doubt.tooltips(models, doubts),
    ]
    x = horizontal.channel()
    y_scale = alt.Scale(domain=list(vertical), nice=False, zero=False)
    data = alt.NamedData("models")
    base = alt.Chart(data).encode(x=x, tooltip=tooltip)
    texts = alt.Chart(data).encode(x=x, y=_means("name_height", y_scale), text="name:N")
    layers: list[alt.Chart] = [
        *(layer.encode(x=x, y=_means("mean", y_scale)) for layer in behind),
        base.transform_filter(WITH_INTERVAL)
        .mark_rule(strokeWidth=1.5, opacity=0.5)
        .encode(y=_means("low", y_scale), y2="high:Q"),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            y=_means("mean", y_scale), shape=doubt.point_shape(models, doubts)
        ),
        texts.transform_filter("datum.name_right").mark_text(align="left", dx=8, limit=WIDEST, style=ANNOTATION),
        texts.transform_filter("!datum.name_right").mark_text(align="right", dx=-8, limit=WIDEST, style=ANNOTATION),
    ]
    return alt.LayerChart(layer=layers).properties(width=CONTAINER, height=HEIGHT, autosize=fit_width()), rows


def _means(field: str, scale: alt.Scale) -> alt.Y:
    return alt.Y(f"{field}:Q", scale=scale, title="Mean VOI (bits per question)")
