"""Mean VOI over random timing, by groups of resolutions or questions."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import reference_rule, vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import FIELD, LABEL_LIMIT, model_order
from cruxbench_inspect.report.figures.panels import model_panels
from cruxbench_inspect.report.figures.wording import counted, sentences, signed


@dataclass(frozen=True)
class GroupGain:
    """What a model gains over random timing in one group.

    Attributes:
        group: The group, such as a rule or a tag.
        model: The model.
        gain: Mean VOI minus mean random-timing baseline, bits.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
        questions: How many questions it is over.
    """

    group: str
    model: str
    gain: float
    low: float
    high: float
    questions: int


def breakdown(
    gains: Sequence[GroupGain],
    *,
    by: str,
    name: str,
    models: Sequence[str] = (),
    doubts: doubt.Doubts = doubt.NO_DOUBTS,
) -> Figure:
    """A panel per model: points with intervals by group.

    Args:
        gains: In the order of groups.
        by: What the groups are, as in "Resolution rule".
        name: The figure's name.
        models: The order of panels.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If no group has a value.
    """
    kept, left_out = complete(gains, ["gain"], "groups")
    groups = list(dict.fromkeys(row.group for row in kept))
    present = {row.model for row in kept}
    order = [model for model in model_order((row.model for row in kept), models) if model in present]
    y = alt.Y("group:N", sort=groups, title=by, axis=alt.Axis(labelLimit=LABEL_LIMIT, grid=True))
    x = alt.X("gain:Q", title="VOI minus random (bits)", axis=alt.Axis(tickCount=3, format="~g", grid=True))
    tooltip = [
        alt.Tooltip(f"{FIELD}:N", title="Model"),
        alt.Tooltip("group:N", title=by),
        alt.Tooltip("gain:Q", title="VOI minus random", format="+.4f"),
        alt.Tooltip("low:Q", title="95% interval from", format="+.4f"),
        alt.Tooltip("high:Q", title="to", format="+.4f"),
        alt.Tooltip("questions:Q", title="Questions"),
        *doubt.tooltips(order, doubts),
    ]
    layers = [
        reference_rule.vertical(0),
        alt.Chart()
        .transform_filter(vega_lite.WITH_INTERVAL)
        .mark_rule(strokeWidth=2)
        .encode(y=y, x=alt.X("low:Q"), x2="high:Q", tooltip=tooltip),
        alt.Chart().mark_point(filled=True, size=60, opacity=1).encode(y=y, x=x, tooltip=tooltip),
    ]
    chart = model_panels(layers, "gains", order, width=150, height=max(24 * len(groups), 40), doubts=doubts)
    low, high = min(kept, key=lambda row: row.gain), max(kept, key=lambda row: row.gain)
    description = (
        f"Mean VOI minus random timing by {by[0].lower() + by[1:]} ({counted(len(groups), 'group')}) and model "
        f"({counted(len(order), 'model')}): from {signed(low.gain)} bits ({low.model}, {low.group}) to "
        f"{signed(high.gain)} bits ({high.model}, {high.group})."
    )
    rows = [
        {
            "group": row.group,
            FIELD: row.model,
            "gain": row.gain,
            "low": row.low,
            "high": row.high,
            "questions": row.questions,
        }
        for row in kept
    ]
    return Figure(
        name=name,
        title=f"Value of information over random timing by {by[0].lower() + by[1:]}",
        spec=vega_lite.spec(chart, description, gains=rows),
        description=description,
        caption=sentences(
            "Points right of the dashed line are better than random timing. Bars are 95% intervals.",
            doubt.sentence(order, doubts),
            left_out,
        ),
    )
