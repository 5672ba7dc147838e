"""Mean VOI against another score of the same models, such as a capability index or the quality of their forecasts."""

import math
from collections.abc import Sequence

import altair as alt
import numpy as np
from scipy.stats import linregress, pearsonr

from cruxbench_inspect.prices import Floats
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.named_points import Horizontal, ModelPoint, bounds, named_points
from cruxbench_inspect.report.figures.wording import counted, sentences, with_interval


def voi_against_capability(
    models: Sequence[ModelPoint],
    *,
    score_title: str = "Capability score",
    name: str = "voi_against_capability",
    title: str = "Value of information against capability",
    paper: str | None = "Figure 2",
    doubts: doubt.Doubts = doubt.NO_DOUBTS,
) -> Figure:
    """Named points with intervals, the least-squares line, and Pearson's r with its Fisher interval.

    Args:
        models: One row per model, with its other score.
        score_title: The other score with its direction or unit, such as "Brier score (lower is better)".
        name: The figure's name.
        title: The figure's title.
        paper: What it is called in the paper.
        doubts: Why the comparison of a model is in doubt. Line and correlation are over all models.

    Raises:
        ValueError: If no model has both scores.
    """
    kept, left_out = complete(models, ["across", "mean"], "models with both scores")
    names = [row.model for row in kept]
    scores = np.array([row.across for row in kept])
    low, high = _padded(scores.tolist(), 0.08)
    correlation, line = _association(scores, np.array([row.mean for row in kept]))
    fitted = alt.Chart(alt.NamedData("fitted_line")).mark_line(
        strokeDash=[5, 3], opacity=0.5, clip=True, style=vega_lite.REFERENCE
    )
    chart, rows = named_points(
        kept,
        Horizontal("score", score_title, low, high, alt.Axis(tickCount=7)),
        _padded(bounds(kept), 0.1),
        doubts,
        fitted,
    )
    note = (
        alt.Chart(alt.NamedData("note"))
        .mark_text(align="left", style=vega_lite.ANNOTATION)
        .encode(x=alt.value(0), y=alt.value(-9), text="text:N")
    )
    best = max(kept, key=lambda row: row.mean)
    description = sentences(
        f'Mean VOI in bits against "{score_title}" for {counted(len(kept), "model")}. {correlation}. The highest mean '
        f"is {with_interval(best.mean, best.low, best.high)} by {best.model}, whose other score is {best.across:.4g}.",
        doubt.names(names, doubts),
    )
    return Figure(
        name=name,
        title=title,
        spec=vega_lite.spec(
            chart + note,
            description,
            models=rows,
            fitted_line=[{"score": at, "mean": line[0] + line[1] * at} for at in (low, high)] if line else [],
            note=[{"text": correlation}],
        ),
        description=description,
        caption=sentences(
            "Vertical bars are 95% t intervals over questions; the dashed line is the least-squares fit to the points. "
            "The interval of Pearson's r is Fisher's, over models.",
            doubt.sentence(names, doubts, points=True),
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
