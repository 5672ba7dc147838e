"""Mean similarity of the cruxes of every two models."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.doubts import labels
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import LABEL_LIMIT, model_order
from cruxbench_inspect.report.figures.wording import counted, sentences


@dataclass(frozen=True)
class ModelPair:
    """Two models.

    Attributes:
        model: One of them.
        other: The other one.
        similarity: Mean similarity of their cruxes for one question.
        count: How many questions it is over.
    """

    model: str
    other: str
    similarity: float
    count: int


def similarity_heat_map(
    pairs: Sequence[ModelPair],
    *,
    models: Sequence[str] = (),
    similarity: str = "cosine similarity",
    paper: str | None = None,
) -> Figure:
    """A triangle of cells with their numbers.

    Args:
        pairs: Every pair once, its two models in any order.
        models: The order of models.
        similarity: What kind of similarity it is.
        paper: What it is called in the paper.

    Raises:
        ValueError: If no pair has a value.
    """
    kept, left_out = complete(pairs, ["similarity"], "pairs of models")
    order = model_order([name for pair in kept for name in (pair.model, pair.other)], models)
    rank = {name: index for index, name in enumerate(order)}
    rows = []
    for pair in kept:
        first, second = sorted((pair.model, pair.other), key=rank.__getitem__)
        rows.append({"column": first, "row": second, "similarity": pair.similarity, "count": pair.count})
    used = {name for row in rows for name in (row["column"], row["row"])}
    shown = [name for name in order if name in used]
    names = labels(shown)
    base = alt.Chart(alt.NamedData("pairs")).encode(
        x=alt.X(
            "column:N", sort=shown, title=None, axis=alt.Axis(labelAngle=-35, labelLimit=LABEL_LIMIT, labelExpr=names)
        ),
        y=alt.Y("row:N", sort=shown, title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT, labelExpr=names)),
        tooltip=[
            alt.Tooltip("column:N", title="Model"),
            alt.Tooltip("row:N", title="Other model"),
            alt.Tooltip("similarity:Q", title=f"Mean {similarity}", format=".3f"),
            alt.Tooltip("count:Q", title="Questions"),
        ],
    )
    # Pale cells keep their numbers readable on light and dark pages.
    cells = base.mark_rect(opacity=0.45).encode(
        color=alt.Color("similarity:Q", scale=alt.Scale(range="heatmap", zero=False), legend=None)
    )
    numbers = base.mark_text(style=vega_lite.ANNOTATION).encode(text=alt.Text("similarity:Q", format=".2f"))
    chart = alt.layer(cells, numbers).properties(width=64 * (len(shown) - 1), height=34 * (len(shown) - 1))
    low, high = min(kept, key=lambda pair: pair.similarity), max(kept, key=lambda pair: pair.similarity)
    description = (
        f"Mean {similarity} of cruxes for {counted(len(kept), 'pair')} of models: from {low.similarity:.2f} "
        f"({low.model} and {low.other}) to {high.similarity:.2f} ({high.model} and {high.other})."
    )
    return Figure(
        name="similarity_heat_map",
        title="Similarity of cruxes between models",
        spec=vega_lite.spec(chart, description, pairs=rows),
        description=description,
        caption=sentences(f"Mean {similarity} of two models' cruxes for the same question.", left_out),
        paper=paper,
    )
