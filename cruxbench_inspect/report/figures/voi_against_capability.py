"""Mean VOI against another score of the same models, such as a capability index or the quality of their forecasts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
from scipy.stats import linregress, pearsonr

from cruxbench_inspect.prices import Floats
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.named_points import HEIGHT, name_places, named_points
from cruxbench_inspect.report.figures.wording import counted, sentences, with_interval


@dataclass(frozen=True)
class ScoredModel:
    """A model with its mean VOI and another score.

    Attributes:
        model: Its name.
        score: The other score; NaN where there is none.
        mean: Mean VOI per question, bits.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
    """

    model: str
    score: float
    mean: float
    low: float
    high: float


def voi_against_capability(
    models: Sequence[ScoredModel],
    *,
    score_title: str = "Capability score",
    name: str = "voi_against_capability",
    title: str = "Value of information against capability",
    paper: str | None = "Figure 2",
) -> Figure:
    """Named points with intervals, the least-squares line, and Pearson's r with its Fisher interval.

    Args:
        models: One row per model.
        score_title: The other score with its direction or unit, such as "Brier score (lower is better)".
        name: The figure's name.
        title: The figure's title.
        paper: What it is called in the paper.

    Raises:
        ValueError: If no model has both scores.
    """
    kept, left_out = complete(models, ["score", "mean"], "models with both scores")
    scores = np.array([row.score for row in kept])
    across = _padded(scores.tolist(), 0.08)
    bounds = [bound for row in kept for bound in (row.mean, row.low, row.high) if not math.isnan(bound)]
    up = _padded(bounds, 0.1)
    places, right = name_places(
        [row.model for row in kept],
        [(row.score - across[0]) / (across[1] - across[0]) for row in kept],
        [row.mean for row in kept],
        up,
    )
    rows = [
        {
            "model": row.model,
            "score": row.score,
            "mean": row.mean,
            "low": row.low,
            "high": row.high,
            "interval": with_interval(row.mean, row.low, row.high, 4),
            "name_height": place,
            "name_right": to_the_right,
        }
        for row, place, to_the_right in zip(kept, places, right, strict=True)
    ]
    correlation, line = _association(scores, np.array([row.mean for row in kept]))
    x_scale = alt.Scale(domain=list(across), nice=False, zero=False)
    y_scale = alt.Scale(domain=list(up), nice=False, zero=False)
    x = alt.X("score:Q", scale=x_scale, title=score_title, axis=alt.Axis(tickCount=7))
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("score:Q", title=score_title),
        alt.Tooltip("interval:N", title="Mean VOI and 95% interval"),
    ]
    fitted = (
        alt.Chart(alt.NamedData("fitted_line"))
        .mark_line(strokeDash=[5, 3], opacity=0.5, clip=True, style=vega_lite.REFERENCE)
        .encode(x=x, y=alt.Y("mean:Q", scale=y_scale))
    )
    note = (
        alt.Chart(alt.NamedData("note"))
        .mark_text(align="left", style=vega_lite.ANNOTATION)
        .encode(x=alt.value(0), y=alt.value(-9), text="text:N")
    )
    chart = alt.layer(fitted, *named_points(alt.NamedData("models"), x, y_scale, tooltip), note).properties(
        width=vega_lite.CONTAINER, height=HEIGHT, autosize=vega_lite.fit_width()
    )
    best = max(kept, key=lambda row: row.mean)
    other = score_title[0].lower() + score_title[1:]
    description = (
        f"Mean VOI in bits against {other} for {counted(len(kept), 'model')}. {correlation}. The highest mean is "
        f"{with_interval(best.mean, best.low, best.high)} by {best.model}, whose other score is {best.score:.4g}."
    )
    return Figure(
        name=name,
        title=title,
        spec=vega_lite.spec(
            chart,
            description,
            models=rows,
            fitted_line=[{"score": at, "mean": line[0] + line[1] * at} for at in across] if line else [],
            note=[{"text": correlation}],
        ),
        description=description,
        caption=sentences(
            "Vertical bars are 95% t intervals over questions; the dashed line is the least-squares fit to the points. "
            "The interval of Pearson's r is Fisher's, over models.",
            left_out,
        ),
        paper=paper,
    )


def _association(scores: Floats, means: Floats) -> tuple[str, tuple[float, float] | None]:
    """Pearson's r in words, and intercept and slope of the line; None where a line has no meaning."""
    if len(scores) < 2 or np.ptp(scores) == 0:
        return "No correlation: fewer than two different scores", None
    fit = linregress(scores, means)
    line = float(fit.intercept), float(fit.slope)
    if len(scores) < 3 or np.ptp(means) == 0:
        return f"No correlation from {len(scores)} models", line
    result = pearsonr(scores, means)
    low, high = result.confidence_interval() if len(scores) > 3 else (math.nan, math.nan)
    return f"Pearson's r = {with_interval(float(result.statistic), low, high, 2)}, n = {len(scores)}", line


def _padded(values: Sequence[float], share: float) -> tuple[float, float]:
    low, high = min(values), max(values)
    pad = (high - low) * share or abs(high) * share or 1.0
    return low - pad, high + pad
