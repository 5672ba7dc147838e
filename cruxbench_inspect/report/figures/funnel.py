"""What each stage of the selection of questions left."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.wording import counted


@dataclass(frozen=True)
class FunnelStage:
    """A stage.

    Attributes:
        name: What it is called.
        left: How many markets it left.
        keeps: What stays, in a sentence.
    """

    name: str
    left: int
    keeps: str = ""


def funnel(
    stages: Sequence[FunnelStage], *, name: str = "funnel", title: str = "From all markets to the question set"
) -> Figure:
    """Bars on a logarithmic scale, each with its number, in the order of stages.

    Args:
        stages: From the first to the last.
        name: The figure's name.
        title: The figure's title.

    Raises:
        ValueError: If there is no stage.
    """
    if not stages:
        raise ValueError("there are no stages of a funnel to draw")
    # Stages may share a name: their place tells them apart.
    rows = [
        {
            "stage": f"{place}. {stage.name}",
            "left": stage.left,
            # A logarithm has no place for 0.
            "bar": max(stage.left, 1),
            "number": f"{stage.left:,}",
            "keeps": stage.keeps,
        }
        for place, stage in enumerate(stages, 1)
    ]
    most = max(stage.left for stage in stages)
    highest = max(most, 10) * 3
    x = alt.X(
        "bar:Q",
        scale=alt.Scale(type="log", domain=[1, highest], nice=False),
        axis=alt.Axis(format="~s", values=[10**power for power in range(math.floor(math.log10(highest)) + 1)]),
        title="Markets left (logarithmic scale)",
    )
    base = alt.Chart(alt.NamedData("stages")).encode(
        y=alt.Y("stage:N", sort=None, title=None, axis=alt.Axis(labelLimit=300)),
        tooltip=[
            alt.Tooltip("stage:N", title="Stage"),
            alt.Tooltip("keeps:N", title="Keeps"),
            alt.Tooltip("number:N", title="Left"),
        ],
    )
    chart = alt.layer(
        base.mark_bar().encode(x=x, x2=alt.datum(1)),
        base.mark_text(align="left", dx=5, style=vega_lite.ANNOTATION).encode(x=x, text="number:N"),
    ).properties(width=vega_lite.CONTAINER, height=24 * len(stages), autosize=vega_lite.fit_width())
    first, last = stages[0], stages[-1]
    description = f'{counted(len(stages), "stage")}: {first.left:,} markets at "{first.name}"'
    description += f', {last.left:,} after "{last.name}".' if len(stages) > 1 else "."
    return Figure(
        name=name,
        title=title,
        spec=vega_lite.spec(chart, description, stages=rows),
        description=description,
        caption="The scale is logarithmic: lengths are not proportional to counts, the numbers are exact.",
        paper=None,
    )
