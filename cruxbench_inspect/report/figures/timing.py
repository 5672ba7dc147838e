"""When cruxes resolve: against the other hours of their window, and how long after its start."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import reference_rule, vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import FIELD, model_order
from cruxbench_inspect.report.figures.panels import model_panels
from cruxbench_inspect.report.figures.wording import counted, listed, sentences
from cruxbench_inspect.report.page.theme import CROWD

BINS = 10
"""Bins of timing percentiles."""

LEAD_STEP = 5
"""Days per step of the mean by lead time."""


@dataclass(frozen=True)
class ResolutionTiming:
    """The timing of one resolution.

    Attributes:
        model: The model.
        question: The question's text or id, for the tooltip.
        percentile: Timing percentile, 0 to 1; NaN without one.
        lead_days: Days from the window's start to the resolution; NaN without a time.
        kl: KL in bits; NaN without one.
    """

    model: str
    question: str
    percentile: float
    lead_days: float
    kl: float


def timing_percentiles(
    timings: Sequence[ResolutionTiming], *, models: Sequence[str] = (), doubts: doubt.Doubts = doubt.NO_DOUBTS
) -> Figure:
    """A histogram per model, with the height that random timing would have.

    Args:
        timings: One row per resolution.
        models: The order of panels.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If no resolution has a percentile.
    """
    kept, left_out = complete(timings, ["percentile"], "resolutions")
    order = _present(kept, models)
    rows: list[vega_lite.Row] = []
    told = []
    for model in order:
        percentiles = np.array([row.percentile for row in kept if row.model == model])
        counts, edges = np.histogram(percentiles, BINS, (0.0, 1.0))
        told.append(f"{model} {np.mean(percentiles):.2f}")
        rows += [
            {
                FIELD: model,
                "from": round(float(low), 3),
                "to": round(float(high), 3),
                "count": int(count),
                "share": int(count) / len(percentiles),
            }
            for count, low, high in zip(counts, edges, edges[1:], strict=False)
        ]
    layers = [
        alt.Chart()
        .mark_bar()
        .encode(
            x=alt.X(
                "from:Q",
                bin="binned",
                title="Timing percentile",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(values=[0, 0.5, 1], format=".0%"),
            ),
            x2="to",
            y=alt.Y("share:Q", title="Share", axis=alt.Axis(format=".0%", tickCount=4)),
            tooltip=[
                alt.Tooltip(f"{FIELD}:N", title="Model"),
                alt.Tooltip("from:Q", title="From", format=".0%"),
                alt.Tooltip("to:Q", title="To", format=".0%"),
                alt.Tooltip("count:Q", title="Resolutions"),
                *doubt.tooltips(order, doubts),
            ],
        ),
        reference_rule.horizontal(1 / BINS),
    ]
    chart = model_panels(layers, "bins", order, doubts=doubts)
    description = (
        f"Timing percentiles of {counted(len(kept), 'resolution')} by {counted(len(order), 'model')}; random timing "
        f"averages 0.50. Means: {listed(told)}."
    )
    return Figure(
        name="timing_percentiles",
        title="Timing percentiles by model",
        spec=vega_lite.spec(chart, description, bins=rows),
        description=description,
        caption=sentences(
            "The timing percentile is the share of the window's hours with a smaller KL, plus half of the ties. Bars "
            "above the dashed line on the right side mean timing better than random.",
            doubt.sentence(order, doubts),
            left_out,
        ),
    )


def kl_by_lead_time(
    timings: Sequence[ResolutionTiming], *, models: Sequence[str] = (), doubts: doubt.Doubts = doubt.NO_DOUBTS
) -> Figure:
    """KL of every resolution by days since the window's start, with means of steps of ``LEAD_STEP`` days.

    Args:
        timings: One row per resolution.
        models: The order of panels.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If no resolution has a lead time and a KL.
    """
    kept, left_out = complete(timings, ["lead_days", "kl"], "resolutions")
    order = _present(kept, models)
    rows: list[vega_lite.Row] = [
        {FIELD: row.model, "days": round(row.lead_days, 1), "kl": round(row.kl, 4), "question": row.question}
        for row in kept
    ]
    for model in order:
        steps: dict[int, list[float]] = {}
        for row in kept:
            if row.model == model:
                steps.setdefault(int(row.lead_days // LEAD_STEP), []).append(row.kl)
        rows += [
            {FIELD: model, "days": (step + 0.5) * LEAD_STEP, "mean": float(np.mean(values)), "count": len(values)}
            for step, values in sorted(steps.items())
        ]
    x = alt.X("days:Q", title="Days since window start", axis=alt.Axis(tickCount=4))
    # Points on the upper edge would push their panel's heading up.
    highest = 1.3 * max(row.kl for row in kept) or 0.001
    y_scale = alt.Scale(type="symlog", constant=0.001, domain=[0, highest], nice=False)
    axis = alt.Axis(values=[0, 0.001, 0.01, 0.1, 1], format="~g")
    mean = alt.Y("mean:Q", title="KL (bits)", scale=y_scale, axis=axis)
    means = alt.Chart().transform_filter("isValid(datum.mean)").encode(x=x, y=mean)
    tooltip = [
        alt.Tooltip("days:Q", title="Middle of the step (days)"),
        alt.Tooltip("mean:Q", title="Mean KL", format=".4f"),
        alt.Tooltip("count:Q", title="Resolutions"),
        *doubt.tooltips(order, doubts),
    ]
    layers = [
        alt.Chart()
        .transform_filter("isValid(datum.kl)")
        .mark_point(filled=True, size=14 if len(kept) > _FEW * len(order) else 28, style=CROWD)
        .encode(
            x=x,
            y=alt.Y("kl:Q", title="KL (bits)", scale=y_scale, axis=axis),
            tooltip=[
                alt.Tooltip("question:N", title="Question"),
                alt.Tooltip("days:Q", title="Days since window start"),
                alt.Tooltip("kl:Q", title="KL (bits)", format=".4f"),
            ],
        ),
        means.mark_line(style=vega_lite.REFERENCE),
        means.mark_point(shape="diamond", size=60, strokeWidth=2, opacity=1).encode(tooltip=tooltip),
    ]
    chart = model_panels(layers, "timings", order, doubts=doubts)
    return _lead_time_figure(chart, kept, rows, sentences(doubt.sentence(order, doubts), left_out))


_FEW = 100
"""Points of a panel up to which they are drawn larger."""


def _lead_time_figure(
    chart: alt.FacetChart,
    kept: Sequence[ResolutionTiming],
    rows: Sequence[vega_lite.Row],
    remarks: str,
) -> Figure:
    days, kls = np.array([(row.lead_days, row.kl) for row in kept]).T
    middle = float(np.max(days)) / 2
    halves = (("up to", kls[days <= middle]), ("after", kls[days > middle]))
    told = " and ".join(f"{np.mean(half):.4f} {side} {middle:.1f} days" for side, half in halves if len(half))
    description = (
        f"KL by days since the window's start for {counted(len(kept), 'resolution')} by "
        f"{counted(len({row.model for row in kept}), 'model')}. Mean KL in bits: {told}."
    )
    return Figure(
        name="kl_by_lead_time",
        title="KL by time since the window's start",
        spec=vega_lite.spec(chart, description, timings=rows),
        description=description,
        caption=sentences(
            f"Points are resolutions, diamonds means of {LEAD_STEP} days. The KL scale is linear up to about 0.001 "
            "bits and logarithmic above.",
            remarks,
        ),
    )


def _present(timings: Sequence[ResolutionTiming], models: Sequence[str]) -> list[str]:
    present = {row.model for row in timings}
    return [model for model in model_order((row.model for row in timings), models) if model in present]
