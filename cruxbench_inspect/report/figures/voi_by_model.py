"""Mean VOI of every model with its interval, between chance and hindsight."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import doubts as doubt
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.model_channels import LABEL_LIMIT
from cruxbench_inspect.report.figures.wording import counted, sentences, with_interval


@dataclass(frozen=True)
class ModelMean:
    """The mean VOI of a model.

    Attributes:
        model: Its name.
        mean: Mean VOI per question, bits.
        low: Lower bound of its 95% interval; NaN without one.
        high: Upper bound of its 95% interval; NaN without one.
        questions: How many questions it is over.
        stars: Marks of significance against the random baseline, such as "**".
    """

    model: str
    mean: float
    low: float
    high: float
    questions: int
    stars: str = ""


@dataclass(frozen=True)
class ReferenceMean:
    """A mean that is no model's, in bits, with its 95% interval (NaN without one)."""

    mean: float
    low: float = float("nan")
    high: float = float("nan")


def voi_by_model(
    models: Sequence[ModelMean],
    random_timing: ReferenceMean | None = None,
    oracle: ReferenceMean | None = None,
    *,
    doubts: doubt.Doubts = doubt.NO_DOUBTS,
) -> Figure:
    """Points with intervals, the highest mean on top.

    The oracle is a line where it lies within the models' range, else a note at the right end of the axis: a scale
    that reached it would press all models together.

    Args:
        models: One row per model.
        random_timing: The random-timing baseline.
        oracle: The best hour of every window.
        doubts: Why the comparison of a model is in doubt.

    Raises:
        ValueError: If no model has a mean.
    """
    kept, left_out = complete(models, ["mean"], "models")
    kept = sorted(kept, key=lambda row: (-row.mean, row.model))
    lowest, highest = _domain(kept, random_timing)
    rows = [
        {
            "model": row.model,
            "mean": row.mean,
            "low": row.low,
            "high": row.high,
            "questions": row.questions,
            "label": f"{row.mean:.3f}{row.stars}",
            "interval": with_interval(row.mean, row.low, row.high, 4),
            **doubt.fields(row.model, doubts),
        }
        for row in kept
    ]
    names = [row.model for row in kept]
    data = alt.NamedData("models")
    axis = alt.Axis(labelLimit=LABEL_LIMIT, labelExpr=doubt.labels(names, doubts))
    y = alt.Y("model:N", sort=names, title=None, axis=axis)
    scale = alt.Scale(domain=[lowest, highest], nice=False, zero=False)
    x = alt.X("mean:Q", scale=scale, title="Mean VOI (bits per question)", axis=alt.Axis(tickCount=6))
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("interval:N", title="Mean and 95% interval"),
        alt.Tooltip("questions:Q", title="Questions"),
        *doubt.tooltips(names, doubts),
    ]
    layers: list[alt.Chart] = [
        alt.Chart(data)
        .transform_filter(vega_lite.WITH_INTERVAL)
        .mark_rule(strokeWidth=2)
        .encode(x=alt.X("low:Q", scale=scale), x2="high:Q", y=y, tooltip=tooltip),
        alt.Chart(data)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(x=x, y=y, shape=doubt.point_shape(names, doubts), tooltip=tooltip),
        alt.Chart(data).mark_text(dy=-11, style=vega_lite.ANNOTATION).encode(x=x, y=y, text="label:N"),
    ]
    references: list[vega_lite.Row] = []
    for name, reference, line in (("Oracle", oracle, -22), ("Random timing", random_timing, -8)):
        if reference is None or math.isnan(reference.mean):
            continue
        inside = reference.mean <= highest
        label = f"{name} {reference.mean:.3f}" + ("" if inside else ", beyond this axis →")
        references.append(
            {"name": name, "mean": reference.mean, "low": reference.low, "high": reference.high, "label": label}
        )
        layers = _reference_layers(name, inside, line, scale) + layers
    chart = alt.layer(*layers).properties(
        width=vega_lite.CONTAINER, height=38 * len(kept) + 10, autosize=vega_lite.fit_width()
    )
    description = sentences(_description(kept, random_timing, oracle), doubt.names(names, doubts))
    return Figure(
        name="voi_by_model",
        title="Mean value of information by model",
        spec=vega_lite.spec(chart, description, models=rows, references=references),
        description=description,
        caption=sentences(
            "Mean over questions with its 95% t interval; unresolved cruxes count as 0. "
            "The dashed line is the random-timing baseline, the band its interval.",
            doubt.sentence(names, doubts, points=True),
            left_out,
        ),
    )


def _domain(models: Sequence[ModelMean], random_timing: ReferenceMean | None) -> tuple[float, float]:
    shown: list[ModelMean | ReferenceMean] = [*models, *([random_timing] if random_timing else [])]
    bounds = [bound for row in shown for bound in (row.mean, row.low, row.high) if not math.isnan(bound)]
    lowest, highest = min(0.0, *bounds), max(1e-6, *bounds)
    return lowest * 1.08, highest + 0.08 * (highest - lowest)


def _reference_layers(name: str, inside: bool, line: int, scale: alt.Scale) -> list[alt.Chart]:
    base = alt.Chart(alt.NamedData("references")).transform_filter(f"datum.name === '{name}'")
    text = base.mark_text(align="left" if inside else "right", style=vega_lite.ANNOTATION).encode(
        x=alt.X("mean:Q", scale=scale) if inside else alt.value("width"), y=alt.value(line), text="label:N"
    )
    if not inside:
        return [text]
    return [
        base.transform_filter(vega_lite.WITH_INTERVAL)
        .mark_rect(opacity=0.15, clip=True)
        .encode(x=alt.X("low:Q", scale=scale), x2="high:Q"),
        base.mark_rule(strokeDash=[5, 3] if name == "Random timing" else [2, 2], style=vega_lite.REFERENCE).encode(
            x=alt.X("mean:Q", scale=scale)
        ),
        text,
    ]


def _description(models: Sequence[ModelMean], random_timing: ReferenceMean | None, oracle: ReferenceMean | None) -> str:
    first, last = models[0], models[-1]
    shown = f"Mean VOI in bits of {counted(len(models), 'model')}, from {first.model} at " + with_interval(
        first.mean, first.low, first.high
    )
    if len(models) > 1:
        shown += f" down to {last.model} at {with_interval(last.mean, last.low, last.high)}"
    others = [
        f"{name} scores {with_interval(row.mean, row.low, row.high)}"
        for name, row in (("random timing", random_timing), ("the oracle", oracle))
        if row is not None
    ]
    return sentences(shown + ".", (others[0][0].upper() + "; ".join(others)[1:] + ".") if others else "")
