"""Whether KL or entropy reduction is the steadier estimator of informativeness."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import reference_rule, vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.panels import panels
from cruxbench_inspect.report.figures.wording import counted, sentences


@dataclass(frozen=True)
class VarianceRatio:
    """One cell of the simulation.

    Attributes:
        pair: The distributions of p and q, as the panel's title.
        alpha: Informativeness of the crux, 0 to 1.
        ratio: Variance of the mean entropy reduction over that of the mean KL.
        significant: Whether the F test tells the two variances apart at 5%.
    """

    pair: str
    alpha: float
    ratio: float
    significant: bool = False


def estimator_variance(ratios: Sequence[VarianceRatio]) -> Figure:
    """A panel per pair of distributions: the ratio of variances by alpha, on a logarithmic scale around 1.

    Args:
        ratios: In the order of panels.

    Raises:
        ValueError: If there is no ratio above 0.
    """
    kept, left_out = complete(
        [row if row.ratio > 0 else VarianceRatio(row.pair, row.alpha, float("nan")) for row in ratios],
        ["alpha", "ratio"],
        "cells",
    )
    pairs = list(dict.fromkeys(row.pair for row in kept))
    span = max(1.5, max(max(row.ratio, 1 / row.ratio) for row in kept) ** 1.1)
    powers = math.floor(math.log10(span))
    base = alt.Chart().encode(
        x=alt.X("alpha:Q", title="alpha", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(values=[0, 0.5, 1])),
        y=alt.Y(
            "ratio:Q",
            title="Variance ratio",
            scale=alt.Scale(type="log", domain=[1 / span, span], nice=False),
            axis=alt.Axis(format="~g", values=[10.0**power for power in range(-powers, powers + 1)], grid=True),
        ),
    )
    layers = [
        reference_rule.horizontal(1),
        base.mark_line(),
        base.mark_point(size=40, opacity=1, filled=True).encode(
            shape=alt.Shape(
                "test:N",
                title="F test",
                scale=alt.Scale(domain=["p < 0.05", "p ≥ 0.05"], range=["circle", "cross"]),
                legend=alt.Legend(orient="top"),
            ),
            tooltip=[
                alt.Tooltip("pair:N", title="Distributions of p / q"),
                alt.Tooltip("alpha:Q", title="alpha"),
                alt.Tooltip("ratio:Q", title="Variance ratio", format=".3f"),
                alt.Tooltip("test:N", title="F test"),
            ],
        ),
    ]
    chart = panels(
        alt.LayerChart(data=alt.NamedData("ratios"), layer=layers), "pair", pairs, width=170, height=120, most=4
    )
    above = sum(row.ratio > 1 for row in kept)
    low, high = min(kept, key=lambda row: row.ratio), max(kept, key=lambda row: row.ratio)
    description = (
        f"Variance of entropy reduction over variance of KL for {counted(len(pairs), 'pair')} of distributions: above "
        f"1 in {above} of {counted(len(kept), 'cell')}, from {low.ratio:.2f} ({low.pair}, alpha {low.alpha:g}) to "
        f"{high.ratio:.2f} ({high.pair}, alpha {high.alpha:g})."
    )
    rows = [
        {
            "pair": row.pair,
            "alpha": row.alpha,
            "ratio": row.ratio,
            "test": "p < 0.05" if row.significant else "p ≥ 0.05",
        }
        for row in kept
    ]
    return Figure(
        name="estimator_variance",
        title="Variance of entropy reduction over variance of KL",
        spec=vega_lite.spec(chart, description, ratios=rows),
        description=description,
        caption=sentences("Above the dashed line KL is the steadier estimator. The scale is logarithmic.", left_out),
        paper="Figure 10",
    )
