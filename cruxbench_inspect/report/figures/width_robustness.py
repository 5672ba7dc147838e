"""How means and rankings of models depend on the averaging width."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import (
    FIELD,
    highlighted,
    legend_highlight,
    line_channels,
    model_order,
    thickness,
)
from cruxbench_inspect.report.figures.panels import panels
from cruxbench_inspect.report.figures.width_axis import width_axis
from cruxbench_inspect.report.figures.wording import counted, sentences

RANDOM_TIMING = "Random timing"
"""The name of the baseline in the figures' data."""


@dataclass(frozen=True)
class WidthValue:
    """What a model has at one averaging width.

    Attributes:
        measure: The measure, as the panel's title.
        model: The model; ``RANDOM_TIMING`` for the baseline.
        width: Averaging width in hours.
        value: Mean of the measure, or rank.
    """

    measure: str
    model: str
    width: int
    value: float


def means_by_width(
    values: Sequence[WidthValue], *, models: Sequence[str] = (), doubts: doubt.Doubts = doubt.NO_DOUBTS
) -> Figure:
    """A panel per measure: the mean of each model and of random timing by width.

    Args:
        values: Means, in the order of panels.
        models: The order of models.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If there is no value.
    """
    kept, left_out = complete(values, ["value"], "means")
    order = [name for name in model_order((row.model for row in kept), models) if name != RANDOM_TIMING]
    drawn = [*order, RANDOM_TIMING] if any(row.model == RANDOM_TIMING for row in kept) else order
    # A label at the plot's edge would push its panel's heading up.
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=True, nice=False, padding=8))
    chart = _panels(_lines(alt.Chart().encode(x=width_axis(), y=y), drawn, doubts), kept).resolve_scale(y="independent")
    widths = sorted({row.width for row in kept})
    described = (
        f"Means by averaging width ({widths[0]} to {widths[-1]} hours) for {counted(len(order), 'model')}. "
        + _leaders(kept, widths, highest=True)
    )
    return Figure(
        name="means_by_width",
        title="Means by averaging width",
        spec=vega_lite.spec(chart, described, widths=_rows(kept)),
        description=described,
        caption=sentences(
            "The thick line is the random-timing baseline." if drawn != order else "",
            "Panels have scales of their own.",
            doubt.sentence(order, doubts),
            left_out,
        ),
        paper="Figure 8",
    )


def ranks_by_width(
    values: Sequence[WidthValue], *, models: Sequence[str] = (), doubts: doubt.Doubts = doubt.NO_DOUBTS
) -> Figure:
    """A panel per measure: the rank of each model by width, the first on top.

    Args:
        values: Ranks, in the order of panels.
        models: The order of models.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If there is no rank.
    """
    kept, left_out = complete([row for row in values if row.model != RANDOM_TIMING], ["value"], "ranks")
    order = model_order((row.model for row in kept), models)
    widths = sorted({row.width for row in kept})
    lowest = max(row.value for row in kept)
    base = alt.Chart().encode(
        x=width_axis(),
        y=alt.Y(
            "value:Q",
            title="Rank",
            scale=alt.Scale(domain=[0.6, lowest + 0.4], reverse=True, nice=False, zero=False),
            axis=alt.Axis(values=list(range(1, int(lowest) + 1)), format="d"),
        ),
    )
    chart = _panels(_lines(base, order, doubts), kept)
    described = (
        f"Ranks by averaging width ({widths[0]} to {widths[-1]} hours) for {counted(len(order), 'model')}. "
        + _leaders(kept, widths, highest=False)
    )
    return Figure(
        name="ranks_by_width",
        title="Ranks by averaging width",
        spec=vega_lite.spec(chart, described, widths=_rows(kept)),
        description=described,
        caption=sentences(
            "Ranks of models by their mean; 1 is the highest, ties share their average rank.",
            doubt.sentence(order, doubts),
            left_out,
        ),
        paper="Figure 9",
    )


def _lines(base: alt.Chart, order: Sequence[str], doubts: doubt.Doubts) -> alt.Chart:
    selection = legend_highlight()
    tooltip = [
        alt.Tooltip(f"{FIELD}:N", title="Model"),
        alt.Tooltip("width:Q", title="Width (hours)"),
        alt.Tooltip("value:Q", title="Value", format=".4~g"),
        *doubt.tooltips(order, doubts),
    ]
    colour, dash = line_channels(order, doubt.labels(order, doubts))
    size = thickness(RANDOM_TIMING)
    lines: alt.Chart = (
        base.mark_line()
        .encode(color=colour, strokeDash=dash, size=size, opacity=highlighted(selection), tooltip=tooltip)
        .properties(name="lines", data=alt.NamedData("widths"))
        .add_params(selection)
    )
    return doubt.calculated(lines, order, doubts)


def _panels(lines: alt.Chart, rows: Sequence[WidthValue]) -> alt.FacetChart:
    measures = list(dict.fromkeys(row.measure for row in rows))
    return panels(lines, "measure", measures, width=300, height=200, most=2)


def _rows(values: Sequence[WidthValue]) -> list[vega_lite.Row]:
    return [{"measure": row.measure, FIELD: row.model, "width": row.width, "value": row.value} for row in values]


def _leaders(values: Sequence[WidthValue], widths: Sequence[int], highest: bool) -> str:
    """Who leads each measure, and how often."""
    told = []
    models = [row for row in values if row.model != RANDOM_TIMING]
    for measure in dict.fromkeys(row.measure for row in models):
        leaders = []
        for width in widths:
            here = [row for row in models if row.measure == measure and row.width == width]
            if here:
                leaders.append((max if highest else min)(here, key=lambda row: row.value).model)
        most = max(dict.fromkeys(leaders), key=leaders.count)
        told.append(f"{measure}: {most} leads at {leaders.count(most)} of {counted(len(leaders), 'width')}")
    return "; ".join(told) + "." if told else ""
