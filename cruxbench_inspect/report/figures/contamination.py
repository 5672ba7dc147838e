"""VOI by how long after a model's knowledge cutoff a question's window opened."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import FIELD, model_order
from cruxbench_inspect.report.figures.panels import model_panels
from cruxbench_inspect.report.figures.wording import counted, sentences, with_interval
from cruxbench_inspect.statistics import t_interval


@dataclass(frozen=True)
class CutoffLead:
    """One question for one model.

    Attributes:
        model: The model.
        months: Months from its knowledge cutoff to the window's start; negative if the window opened before it, NaN
            where the cutoff is unknown.
        voi: VOI in bits.
    """

    model: str
    months: float
    voi: float


def contamination(
    leads: Sequence[CutoffLead],
    *,
    models: Sequence[str] = (),
    step: int = 1,
    doubts: doubt.Doubts = doubt.NO_DOUBTS,
) -> Figure:
    """A panel per model: means with 95% t intervals by lead over the cutoff.

    Args:
        leads: One row per model and question.
        models: The order of panels.
        step: Months per mean.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If no row has a lead and a VOI.
    """
    kept, left_out = complete(leads, ["months", "voi"], "scores")
    present = {row.model for row in kept}
    order = [model for model in model_order((row.model for row in kept), models) if model in present]
    rows: list[vega_lite.Row] = []
    for model in order:
        steps: dict[int, list[float]] = {}
        for row in kept:
            if row.model == model:
                steps.setdefault(math.floor(row.months / step), []).append(row.voi)
        for place, values in sorted(steps.items()):
            mean, (low, high) = float(np.mean(values)), t_interval(values)
            rows.append(
                {
                    FIELD: model,
                    "months": (place + 0.5) * step,
                    "mean": mean,
                    "low": low,
                    "high": high,
                    "count": len(values),
                    "span": f"{place * step} to {(place + 1) * step} months",
                    "interval": with_interval(mean, low, high, 4),
                    # Further away the line would squeeze the points; one line is enough.
                    "is_near": (is_near := place == min(steps) and place <= _NEAR),
                    # A panel without any would have no extent.
                    "cutoff": 0 if is_near else (place + 0.5) * step,
                    "side": "before the cutoff" if place < 0 else "after the cutoff",
                }
            )
    tooltip = [
        alt.Tooltip(f"{FIELD}:N", title="Model"),
        alt.Tooltip("span:N", title="Window start after the cutoff"),
        alt.Tooltip("interval:N", title="Mean VOI and 95% interval"),
        alt.Tooltip("count:Q", title="Questions"),
        *doubt.tooltips(order, doubts),
    ]
    x = alt.X(
        "months:Q",
        title="Months after cutoff",
        axis=alt.Axis(tickCount=4, tickMinStep=1),
        scale=alt.Scale(zero=False, padding=8),
    )
    layers = [
        alt.Chart()
        .mark_rule(strokeDash=[4, 3], style=vega_lite.REFERENCE)
        .encode(x=alt.X("cutoff:Q"), opacity=alt.condition("datum.is_near", alt.value(1), alt.value(0))),
        alt.Chart()
        .transform_filter(vega_lite.WITH_INTERVAL)
        .mark_rule(strokeWidth=1.5)
        .encode(x=x, y=alt.Y("low:Q", title="Mean VOI (bits)"), y2="high:Q", tooltip=tooltip),
        alt.Chart()
        .mark_point(filled=True, size=50, opacity=1)
        .encode(
            x=x,
            y=alt.Y("mean:Q", title="Mean VOI (bits)", axis=alt.Axis(tickCount=4)),
            shape=alt.Shape(
                "side:N",
                title="Window opened",
                scale=alt.Scale(domain=["after the cutoff", "before the cutoff"], range=["circle", "triangle-down"]),
                legend=alt.Legend(orient="top"),
            ),
            tooltip=tooltip,
        ),
    ]
    chart = model_panels(layers, "means", order, height=130, doubts=doubts).resolve_scale(x="independent")
    description = _description(kept, order)
    return Figure(
        name="contamination",
        title="Value of information by lead over the knowledge cutoff",
        spec=vega_lite.spec(chart, description, means=rows),
        description=description,
        caption=sentences(
            f"Means of {counted(step, 'month')} with 95% t intervals. Panels have horizontal scales of their own. The "
            "dashed line, where it is near, is the end of the model's knowledge cutoff, or its release where no cutoff "
            "is known: left of it a model may have known what happened.",
            doubt.sentence(order, doubts),
            left_out,
        ),
    )


_NEAR = 2


def _description(leads: Sequence[CutoffLead], order: Sequence[str]) -> str:
    before = [row.voi for row in leads if row.months < 0]
    after = [row.voi for row in leads if row.months >= 0]
    told = [
        f"{counted(len(values), 'score')} in windows that opened {side}, mean "
        f"{with_interval(float(np.mean(values)), *t_interval(values))} bits"
        for side, values in (("before the cutoff", before), ("after it", after))
        if values
    ]
    models = counted(len(order), "model")
    return f"VOI by months between knowledge cutoff and window start for {models}: {'; '.join(told)}."
