"""Whether prices are a martingale: beliefs after a resolution against beliefs before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.wording import counted, number, sentences, signed
from cruxbench_inspect.report.page.theme import CROWD

MOST_POINTS = 3000
"""How many points are drawn at most."""


@dataclass(frozen=True)
class DecileMean:
    """A tenth of the cruxes, by their belief before.

    Attributes:
        before: Mean belief before.
        after: Mean belief after.
        count: How many cruxes it has.
    """

    before: float
    after: float
    count: int


@dataclass(frozen=True)
class MartingaleFit:
    """The regression of p' on p over all resolved cruxes.

    Attributes:
        slope: Its slope; 1 for a martingale.
        intercept: Its intercept; 0 for a martingale.
        r_squared: Share of variance explained.
        deciles: Means by tenths of p.
        slope_interval: 95% interval of the slope; NaN without one.
    """

    slope: float
    intercept: float
    r_squared: float
    deciles: Sequence[DecileMean]
    slope_interval: tuple[float, float] = (float("nan"), float("nan"))


def martingale(before: Sequence[float], after: Sequence[float], fit: MartingaleFit, *, seed: int = 0) -> Figure:
    """Points, the diagonal, the fitted line and decile means.

    Args:
        before: Mean trusted price before each resolution, shape (cruxes,).
        after: Mean trusted price after it, same shape; pairs with a NaN are left out.
        fit: The regression, made from all of them.
        seed: Of the draw that thins points to ``MOST_POINTS``.

    Raises:
        ValueError: If no crux has both beliefs, or the shapes differ.
    """
    beliefs = np.array([before, after], dtype=np.float64)
    present = beliefs[:, ~np.isnan(beliefs).any(axis=0)]
    count, dropped = present.shape[1], beliefs.shape[1] - present.shape[1]
    if not count:
        raise ValueError("there are no cruxes with a belief before and after their resolution to draw")
    drawn = present
    if count > MOST_POINTS:
        drawn = present[:, np.sort(np.random.default_rng(seed).choice(count, MOST_POINTS, replace=False))]
    points = [{"before": round(p, 3), "after": round(q, 3)} for p, q in drawn.T.tolist()]
    deciles = [
        {"before": row.before, "after": row.after, "count": row.count, "mark": "Decile mean"} for row in fit.deciles
    ]
    lines = [
        {"line": name, "before": float(at), "after": intercept + slope * at}
        for name, intercept, slope in (("Fitted line", fit.intercept, fit.slope), ("No drift (p' = p)", 0.0, 1.0))
        for at in (0, 1)
    ]
    scale = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("before:Q", scale=scale, title="Belief before, p", axis=alt.Axis(tickCount=5))
    y = alt.Y("after:Q", scale=scale, title="Belief after, p'", axis=alt.Axis(tickCount=5))
    legend = alt.Legend(title=None, orient="top")
    chart = alt.layer(
        alt.Chart(alt.NamedData("points"))
        .mark_point(filled=True, size=16 if count > _FEW else 36, style=CROWD)
        .encode(x=x, y=y),
        alt.Chart(alt.NamedData("lines"))
        .mark_line(clip=True, style=vega_lite.REFERENCE)
        .encode(x=x, y=y, strokeDash=alt.StrokeDash("line:N", sort=["Fitted line"], legend=legend)),
        alt.Chart(alt.NamedData("deciles"))
        .mark_point(size=110, strokeWidth=2, opacity=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("mark:N", scale=alt.Scale(range=["diamond"]), legend=legend),
            tooltip=[
                alt.Tooltip("before:Q", title="Mean p", format=".3f"),
                alt.Tooltip("after:Q", title="Mean p'", format=".3f"),
                alt.Tooltip("count:Q", title="Cruxes"),
            ],
        ),
    ).properties(width=vega_lite.CONTAINER, height=420, autosize=vega_lite.fit_width())
    description = _description(count, fit)
    return Figure(
        name="martingale",
        title="Beliefs after a resolution against beliefs before it",
        spec=vega_lite.spec(chart, description, points=points, lines=lines, deciles=deciles),
        description=description,
        caption=sentences(
            "Resolved cruxes with both means. Prices without drift lie around the diagonal. Diamonds are means of "
            "tenths of p.",
            f"A random {MOST_POINTS:,} of {count:,} points are drawn; line and means are over all."
            if count > MOST_POINTS
            else "",
            f"Left out: {dropped} of {beliefs.shape[1]} cruxes without both values." if dropped else "",
        ),
        paper="Figure 5",
    )


_FEW = 300
"""Points up to which they are drawn larger."""


def _description(count: int, fit: MartingaleFit) -> str:
    low, high = fit.slope_interval
    interval = f" (95% interval {low:.2f} to {high:.2f})" if low == low and high == high else ""
    gaps = [abs(row.after - row.before) for row in fit.deciles]
    return sentences(
        f"Belief after against belief before for {counted(count, 'crux', 'cruxes')}: slope {fit.slope:.2f}{interval}, "
        f"intercept {signed(fit.intercept, 4)}, R squared {number(fit.r_squared, 2)}.",
        f"Every decile mean lies within {100 * max(gaps):.1f} percentage points of the diagonal." if gaps else "",
    )
