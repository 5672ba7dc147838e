"""Differences between every two models over the same questions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import LABEL_LIMIT, model_order
from cruxbench_inspect.report.figures.wording import counted, sentences, signed, with_interval


@dataclass(frozen=True)
class PairedDifference:
    """A difference.

    Attributes:
        model: The model whose mean it adds.
        other: The model whose mean it subtracts.
        difference: Mean of model minus other over common questions, bits.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
        corrected_p: Two-sided p value after the correction; NaN without one.
        questions: How many questions both have.
    """

    model: str
    other: str
    difference: float
    low: float
    high: float
    corrected_p: float
    questions: int


def paired_differences(
    differences: Sequence[PairedDifference],
    *,
    models: Sequence[str] = (),
    correction: str = "Holm's",
    level: float = 0.05,
    doubts: doubt.Doubts = doubt.NO_DOUBTS,
) -> Figure:
    """A matrix, row minus column, with the difference and its p value in every cell.

    Args:
        differences: Every pair once or both ways round; the other way round is filled in.
        models: The order of models.
        correction: What the p values are corrected by, in the possessive.
        level: A frame marks cells whose p value is below it.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If there is no difference.
    """
    kept, left_out = complete(differences, ["difference"], "differences")
    given = {(row.model, row.other) for row in kept}
    mirrored = [_reversed(row) for row in kept if (row.other, row.model) not in given]
    present = {name for row in kept for name in (row.model, row.other)}
    listed = model_order([name for row in kept for name in (row.model, row.other)], models)
    order = [name for name in listed if name in present]
    rows = [
        {
            "row": row.model,
            "column": row.other,
            "difference": row.difference,
            "text": signed(row.difference),
            "p_text": "" if math.isnan(row.corrected_p) else _p_text(row.corrected_p),
            "interval": with_interval(row.difference, row.low, row.high, 4),
            "significant": bool(row.corrected_p < level),
            "questions": row.questions,
            "doubt": "; ".join(f"{name} {doubts[name]}" for name in (row.model, row.other) if name in doubts)
            or "none known",
        }
        for row in (*kept, *mirrored)
    ]
    span = max(abs(row.difference) for row in kept) or 1.0
    names = doubt.labels(order, doubts)
    base = alt.Chart(alt.NamedData("differences")).encode(
        x=alt.X(
            "column:N",
            sort=order,
            title="minus",
            axis=alt.Axis(labelAngle=-35, labelLimit=LABEL_LIMIT, labelExpr=names),
        ),
        y=alt.Y("row:N", sort=order, title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT, labelExpr=names)),
        tooltip=[
            alt.Tooltip("row:N", title="Model"),
            alt.Tooltip("column:N", title="minus"),
            alt.Tooltip("interval:N", title="Difference and 95% interval (bits)"),
            alt.Tooltip("p_text:N", title=f"After {correction} correction"),
            alt.Tooltip("questions:Q", title="Common questions"),
            *doubt.tooltips(order, doubts),
        ],
    )
    # Pale cells keep their numbers readable on light and dark pages.
    cells = base.mark_rect(opacity=0.4).encode(
        color=alt.Color("difference:Q", scale=alt.Scale(range="diverging", domain=[-span, span]), legend=None)
    )
    frames = base.transform_filter("datum.significant").mark_rect(
        filled=False, strokeWidth=2, strokeDash=[1, 0], style=vega_lite.REFERENCE
    )
    chart = alt.layer(
        cells,
        frames,
        base.mark_text(dy=-7, style=vega_lite.ANNOTATION).encode(text="text:N"),
        base.mark_text(dy=8, style=vega_lite.ANNOTATION).encode(text="p_text:N"),
    ).properties(width=74 * len(order), height=42 * len(order))
    description = sentences(_description(kept, correction, level), doubt.names(order, doubts))
    return Figure(
        name="paired_differences",
        title="Paired differences between models",
        spec=vega_lite.spec(chart, description, differences=rows),
        description=description,
        caption=sentences(
            "Mean VOI of the row's model minus the column's, in bits, over questions that both have, with p values "
            f"after {correction} correction. A frame marks p < {level:g}.",
            doubt.sentence(order, doubts),
            left_out,
        ),
    )


def _reversed(row: PairedDifference) -> PairedDifference:
    return PairedDifference(row.other, row.model, -row.difference, -row.high, -row.low, row.corrected_p, row.questions)


def _p_text(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def _description(rows: Sequence[PairedDifference], correction: str, level: float) -> str:
    pairs = list({frozenset((row.model, row.other)): row for row in rows}.values())
    apart = [row for row in pairs if row.corrected_p < level]
    most = max(pairs, key=lambda row: abs(row.difference))
    most = most if most.difference >= 0 else _reversed(most)
    p = "" if math.isnan(most.corrected_p) else f", {_p_text(most.corrected_p)}"
    return (
        f"{counted(len(pairs), 'pair')} of models, {len(apart)} of them apart at p < {level:g} after {correction} "
        f"correction. The largest difference is {most.model} minus {most.other}: "
        f"{with_interval(most.difference, most.low, most.high)} bits{p}."
    )
