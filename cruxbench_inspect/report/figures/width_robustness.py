"""How means and rankings of models depend on the averaging width."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import (
    FIELD,
    LABEL_LIMIT,
    colour,
    dash,
    highlighted,
    legend_highlight,
    model_order,
    thickness,
)
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


def means_by_width(values: Sequence[WidthValue], *, models: Sequence[str] = ()) -> Figure:
    """A panel per measure: the mean of each model and of random timing by width.

    Args:
        values: Means, in the order of panels.
        models: The order of models.

    Raises:
        ValueError: If there is no value.
    """
    kept, left_out = complete(values, ["value"], "means")
    order = model_order((row.model for row in kept if row.model != RANDOM_TIMING), models)
    base = alt.Chart().encode(x=_width(), y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=True)))
    chart = _panels(_lines(base, order, RANDOM_TIMING in {row.model for row in kept}), kept).resolve_scale(
        y="independent"
    )
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
        caption=sentences("The thick line is the random-timing baseline. Panels have scales of their own.", left_out),
        paper="Figure 8",
    )


def ranks_by_width(values: Sequence[WidthValue], *, models: Sequence[str] = ()) -> Figure:
    """A panel per measure: the rank of each model by width, the first on top.

    Args:
        values: Ranks, in the order of panels.
        models: The order of models.

    Raises:
        ValueError: If there is no rank.
    """
    kept, left_out = complete([row for row in values if row.model != RANDOM_TIMING], ["value"], "ranks")
    order = model_order((row.model for row in kept), models)
    widths = sorted({row.width for row in kept})
    lowest = max(row.value for row in kept)
    base = alt.Chart().encode(
        x=_width(),
        y=alt.Y(
            "value:Q",
            title="Rank",
            scale=alt.Scale(domain=[0.6, lowest + 0.4], reverse=True, nice=False, zero=False),
            axis=alt.Axis(values=list(range(1, int(lowest) + 1)), format="d"),
        ),
    )
    chart = _panels(_lines(base, order), kept)
    described = (
        f"Ranks by averaging width ({widths[0]} to {widths[-1]} hours) for {counted(len(order), 'model')}. "
        + _leaders(kept, widths, highest=False)
    )
    return Figure(
        name="ranks_by_width",
        title="Ranks by averaging width",
        spec=vega_lite.spec(chart, described, widths=_rows(kept)),
        description=described,
        caption=sentences("Ranks of models by their mean; 1 is the highest, ties share their average rank.", left_out),
        paper="Figure 9",
    )


def _lines(base: alt.Chart, models: Sequence[str], baseline: bool = False) -> alt.Chart:
    order = [*models, RANDOM_TIMING] if baseline else list(models)
    selection = legend_highlight()
    tooltip = [
        alt.Tooltip(f"{FIELD}:N", title="Model"),
        alt.Tooltip("width:Q", title="Width (hours)"),
        alt.Tooltip("value:Q", title="Value", format=".4~g"),
    ]
    lines: alt.Chart = (
        base.mark_line()
        .encode(
            color=colour(order),
            strokeDash=dash(order),
            strokeWidth=thickness(order, RANDOM_TIMING),
            opacity=highlighted(selection),
            tooltip=tooltip,
        )
        .properties(name="lines")
        .add_params(selection)
    )
    return lines


def _panels(lines: alt.Chart, rows: Sequence[WidthValue]) -> alt.FacetChart:
    measures = list(dict.fromkeys(row.measure for row in rows))
    return lines.properties(data=alt.NamedData("widths"), width=300, height=200).facet(
        facet=alt.Facet("measure:N", sort=measures, title=None, header=alt.Header(labelLimit=LABEL_LIMIT + 80)),
        columns=2,
    )


def _width() -> alt.X:
    return alt.X("width:Q", title="Averaging width (hours)", axis=alt.Axis(values=[1, 12, 24, 36, 48]))


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
