"""Mean VOI against what a question costs."""

import math
from collections.abc import Sequence

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.named_points import Horizontal, ModelPoint, bounds, named_points
from cruxbench_inspect.report.figures.wording import counted, listed, literal, sentences, with_interval


def cost(
    models: Sequence[ModelPoint],
    *,
    what: str = "Cost per question (US dollars)",
    doubts: doubt.Doubts = doubt.NO_DOUBTS,
) -> Figure:
    """Named points with intervals over a logarithmic scale of costs.

    Args:
        models: One row per model, with what a question cost. Those without a cost above 0 are named in the caption.
        what: What the cost is, with its unit.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If no model has a mean and a cost above 0.
    """
    priced = [row for row in models if row.across > 0]
    unknown = [literal(row.model) for row in models if not row.across > 0]
    kept, left_out = complete(priced, ["across", "mean"], "models with a known cost")
    names = [row.model for row in kept]
    ends = bounds(kept)
    vertical = min(0.0, *ends), max(1e-6, *ends) * 1.1
    chart, rows = named_points(kept, _horizontal([row.across for row in kept], what), vertical, doubts)
    description = sentences(
        f"Mean VOI against cost for {counted(len(kept), 'model')}: {_ends(kept)}", doubt.names(names, doubts)
    )
    return Figure(
        name="cost",
        title="Value of information against cost",
        spec=vega_lite.spec(chart, description, models=rows),
        description=description,
        caption=sentences(
            "The cost axis is logarithmic; vertical bars are 95% t intervals over questions.",
            doubt.sentence(names, doubts, points=True),
            f"Not shown, for lack of a known cost above 0: {listed(unknown)}." if unknown else "",
            left_out,
        ),
    )


def _horizontal(costs: Sequence[float], what: str) -> Horizontal:
    lowest, highest = math.log10(min(costs)), math.log10(max(costs))
    margin = max(0.08 * (highest - lowest), 0.15)
    low, high = 10 ** (lowest - margin), 10 ** (highest + margin)
    return Horizontal("cost", what, low, high, alt.Axis(format="~g", values=_ticks(low, high)), logarithmic=True)


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times every power of ten within the axis, so that its lines are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
    return [tick for tick in ticks if low <= tick <= high]


def _ends(models: Sequence[ModelPoint]) -> str:
    ordered = sorted(models, key=lambda row: (row.across, row.model))
    ends = ordered if len(ordered) == 1 else [ordered[0], ordered[-1]]
    shown = [
        f"{row.model} at ${row.across:.3g} scores {with_interval(row.mean, row.low, row.high)} bits" for row in ends
    ]
    return (
        f"the only one, {shown[0]}" if len(shown) == 1 else f"the cheapest, {shown[0]}; the dearest, {shown[1]}"
    ) + "."
