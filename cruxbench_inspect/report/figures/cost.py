"""Mean VOI against what a question costs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.named_points import HEIGHT, name_places, named_points
from cruxbench_inspect.report.figures.wording import counted, listed, literal, sentences, with_interval


@dataclass(frozen=True)
class CostedModel:
    """A model with its mean VOI and its cost.

    Attributes:
        model: Its name.
        cost: US dollars per question; None where it is unknown.
        mean: Mean VOI per question, bits.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
    """

    model: str
    cost: float | None
    mean: float
    low: float
    high: float


def cost(models: Sequence[CostedModel], *, what: str = "Cost per question (US dollars)") -> Figure:
    """Named points with intervals over a logarithmic scale of costs.

    Args:
        models: One row per model. Those without a cost above 0 are named in the caption.
        what: What the cost is, with its unit.

    Raises:
        ValueError: If no model has a mean and a cost above 0.
    """
    priced = [(row, row.cost) for row in models if row.cost is not None and row.cost > 0]
    unknown = [literal(row.model) for row in models if row.cost is None or not row.cost > 0]
    kept, left_out = complete([row for row, _ in priced], ["cost", "mean"], "models with a known cost")
    logarithms = [math.log10(value) for row, value in priced if row in kept]
    lowest, highest = min(logarithms), max(logarithms)
    margin = max(0.08 * (highest - lowest), 0.15)
    lowest, highest = lowest - margin, highest + margin
    bounds = [bound for row in kept for bound in (row.mean, row.low, row.high) if not math.isnan(bound)]
    up = min(0.0, *bounds), max(1e-6, *bounds) * 1.1
    places, right = name_places(
        [row.model for row in kept],
        [(value - lowest) / (highest - lowest) for value in logarithms],
        [row.mean for row in kept],
        up,
    )
    rows = [
        {
            "model": row.model,
            "cost": row.cost,
            "mean": row.mean,
            "low": row.low,
            "high": row.high,
            "interval": with_interval(row.mean, row.low, row.high, 4),
            "name_height": place,
            "name_right": to_the_right,
        }
        for row, place, to_the_right in zip(kept, places, right, strict=True)
    ]
    x = alt.X(
        "cost:Q",
        scale=alt.Scale(type="log", domain=[10**lowest, 10**highest], nice=False),
        axis=alt.Axis(format="~g", values=_ticks(lowest, highest)),
        title=what,
    )
    y_scale = alt.Scale(domain=list(up), nice=False)
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("cost:Q", title=what, format=".3~g"),
        alt.Tooltip("interval:N", title="Mean VOI and 95% interval"),
    ]
    chart = alt.layer(*named_points(alt.NamedData("models"), x, y_scale, tooltip)).properties(
        width=vega_lite.CONTAINER, height=HEIGHT, autosize=vega_lite.fit_width()
    )
    description = f"Mean VOI against cost for {counted(len(kept), 'model')}: " + _ends(kept)
    return Figure(
        name="cost",
        title="Value of information against cost",
        spec=vega_lite.spec(chart, description, models=rows),
        description=description,
        caption=sentences(
            "The cost axis is logarithmic; vertical bars are 95% t intervals over questions.",
            f"Not shown, for lack of a known cost above 0: {listed(unknown)}." if unknown else "",
            left_out,
        ),
    )


def _ticks(lowest: float, highest: float) -> list[float]:
    """1, 2 and 5 times every power of ten within the axis, so that its lines are few."""
    powers = range(math.floor(lowest), math.ceil(highest) + 1)
    ticks = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
    return [tick for tick in ticks if 10**lowest <= tick <= 10**highest]


def _ends(models: Sequence[CostedModel]) -> str:
    ordered = sorted(models, key=lambda row: (row.cost or 0.0, row.model))
    ends = ordered if len(ordered) == 1 else [ordered[0], ordered[-1]]
    shown = [f"{row.model} at ${row.cost:.3g} scores {with_interval(row.mean, row.low, row.high)} bits" for row in ends]
    return (
        f"the only one, {shown[0]}" if len(shown) == 1 else f"the cheapest, {shown[0]}; the dearest, {shown[1]}"
    ) + "."
