"""How correlations depend on the averaging width: with capability, and of the ranking with that at the usual width."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.width_axis import width_axis
from cruxbench_inspect.report.figures.wording import counted, sentences, with_interval


@dataclass(frozen=True)
class WidthCorrelation:
    """A correlation at one averaging width.

    Attributes:
        measure: The measure.
        width: Averaging width in hours.
        value: The correlation.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
    """

    measure: str
    width: int
    value: float
    low: float = float("nan")
    high: float = float("nan")


def capability_by_width(correlations: Sequence[WidthCorrelation], *, score: str = "capability score") -> Figure:
    """Pearson's r between mean VOI and a score, by width and measure.

    Args:
        correlations: One row per measure and width.
        score: What the other score is.

    Raises:
        ValueError: If there is no correlation.
    """
    return _by_width(
        correlations,
        name="capability_by_width",
        title=f"Correlation with the {score} by averaging width",
        axis=f"Pearson's r with {score}",
        caption="Pearson's r over models between the mean of a measure and the score.",
        paper="Figure 8",
    )


def ranking_by_width(correlations: Sequence[WidthCorrelation], *, usual_width: int = 24) -> Figure:
    """Spearman's rho of the ranking of models at each width against that at the usual width, by measure.

    Args:
        correlations: One row per measure and width.
        usual_width: The width compared with, in hours.

    Raises:
        ValueError: If there is no correlation.
    """
    return _by_width(
        correlations,
        name="ranking_by_width",
        title="Stability of the ranking over averaging widths",
        axis=f"Spearman's rho with the ranking at {usual_width} hours",
        caption=f"Spearman's rho between the ranking of models at a width and at {usual_width} hours.",
        paper="Figure 9",
    )


def _by_width(
    correlations: Sequence[WidthCorrelation], *, name: str, title: str, axis: str, caption: str, paper: str
) -> Figure:
    kept, left_out = complete(correlations, ["value"], "correlations")
    measures = list(dict.fromkeys(row.measure for row in kept))
    bounds = [bound for row in kept for bound in (row.value, row.low, row.high) if bound == bound]
    scale = alt.Scale(domain=[math.floor(5 * min(0.0, *bounds)) / 5, 1], nice=False, clamp=True)
    domain = alt.Scale(domain=measures)
    legend = alt.Legend(title="Measure", labelLimit=220, orient="top", columns=2, symbolOpacity=1)
    base = alt.Chart(alt.NamedData("correlations")).encode(
        x=width_axis(),
        color=alt.Color("measure:N", scale=domain, legend=legend),
    )
    value = alt.Y("value:Q", scale=scale, title=axis)
    tooltip = [
        alt.Tooltip("measure:N", title="Measure"),
        alt.Tooltip("width:Q", title="Width (hours)"),
        alt.Tooltip("interval:N", title="Correlation"),
    ]
    # Bands of several measures would cover each other: only the first one, the headline, has its band.
    band = (
        base.transform_filter(vega_lite.WITH_INTERVAL)
        .transform_filter("datum.first")
        .mark_area(opacity=0.15, line=False)
        .encode(y=alt.Y("low:Q", scale=scale, title=axis), y2="high:Q")
    )
    lines = base.mark_line().encode(y=value, strokeDash=_dashes(measures), tooltip=tooltip)
    points = (
        base.transform_filter("datum.width % 6 === 0 || datum.width === 1")
        .mark_point(filled=True, size=45, opacity=1)
        .encode(y=value, shape=alt.Shape("measure:N", scale=domain, legend=legend), tooltip=tooltip)
    )
    banded = any(row.low == row.low and row.measure == measures[0] for row in kept)
    chart = alt.layer(*([band] if banded else []), lines, points).properties(
        width=vega_lite.CONTAINER, height=300, autosize=vega_lite.fit_width()
    )
    description = f"{axis} for {counted(len(measures), 'measure')} by averaging width. {_extremes(kept, measures)}"
    rows = [
        {
            "measure": row.measure,
            "width": row.width,
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "interval": with_interval(row.value, row.low, row.high, 2),
            "first": row.measure == measures[0],
        }
        for row in kept
    ]
    return Figure(
        name=name,
        title=title,
        spec=vega_lite.spec(chart, description, correlations=rows),
        description=description,
        caption=sentences(caption, f"The band is the 95% interval for {measures[0]}." if banded else "", left_out),
        paper=paper,
    )


def _dashes(measures: Sequence[str]) -> alt.StrokeDashValue:
    # With a scale they would be in the legend, around its points, whatever is said of that.
    rest = [
        {"test": {"field": "measure", "equal": measure}, "value": _DASHES[place % len(_DASHES)]}
        for place, measure in enumerate(measures)
    ]
    return alt.StrokeDashValue(value=[1, 0], condition=rest)


_DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3])


def _extremes(rows: Sequence[WidthCorrelation], measures: Sequence[str]) -> str:
    told = []
    for measure in measures:
        ordered = sorted((row for row in rows if row.measure == measure), key=lambda row: (row.value, row.width))
        low, high = ordered[0], ordered[-1]
        ends = [f"{row.value:.2f} at {counted(row.width, 'hour')}" for row in (low, high)]
        told.append(f"{measure}: {' to '.join(ends)}")
    return "; ".join(told) + "."
