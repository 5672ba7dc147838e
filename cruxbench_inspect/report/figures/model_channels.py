"""How models are told apart: the same order everywhere, colour never alone, and highlighting from the legend.

Figures with a mark per model take its colour from the model's place in ``models``: the same list for every figure of
a report gives a model the same colour in all of them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

FIELD = "model"
"""The field of a row that names its model."""

LABEL_LIMIT = 200
"""The width in pixels after which a name is cut short; its tooltip has it in full."""


def model_order(present: Iterable[str], models: Sequence[str] = ()) -> list[str]:
    """All models in order: the given ones, then others as they come."""
    return list(dict.fromkeys([*models, *present]))


def line_channels(order: Sequence[str], label: Any = alt.Undefined) -> tuple[alt.Color, alt.StrokeDash]:
    """Colour and dashes of a line by model, with one legend.

    Args:
        order: The models.
        label: The ``labelExpr`` of the legend.
    """
    legend = alt.Legend(
        title="Model",
        orient="top",
        columns=3,
        labelLimit=LABEL_LIMIT,
        labelExpr=label,
        symbolOpacity=1,
        # Long enough for a dash and its gap.
        symbolSize=300,
    )
    dashes = [_DASHES[place % len(_DASHES)] for place in range(len(order))]
    return (
        alt.Color(f"{FIELD}:N", scale=alt.Scale(domain=list(order)), legend=legend),
        alt.StrokeDash(f"{FIELD}:N", scale=alt.Scale(domain=list(order), range=dashes), legend=legend),
    )


def thickness(thick: str) -> Any:
    """Width of a line, with one that stands out."""
    # A line's size is its width: its stroke width Vega-Lite leaves to the theme. With a scale it would be in the
    # legend, whatever is said of that.
    return alt.when(alt.datum[FIELD] == thick).then(alt.value(4)).otherwise(alt.value(2))


def legend_highlight() -> alt.Parameter:
    """A selection of models by a click on the legend; all of them where none is clicked."""
    return alt.selection_point(name="chosen_models", fields=[FIELD], bind="legend")


def highlighted(selection: alt.Parameter) -> Any:
    """Opacity that lets models outside the selection recede."""
    return alt.when(selection).then(alt.value(1)).otherwise(alt.value(0.15))


_DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [4, 1], [14, 4], [6, 2, 2, 2, 2, 2], [3, 5])
