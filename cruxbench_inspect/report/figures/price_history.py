"""The price of one question over time, with every model's resolution under it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.doubts import labels
from cruxbench_inspect.report.figures.model_channels import FIELD, LABEL_LIMIT, model_order
from cruxbench_inspect.report.figures.wording import counted, listed, literal, sentences

_PRICES, _GAP, _LANE = 220, 22, 22


@dataclass(frozen=True)
class PriceHistory:
    """Hourly prices of a question.

    Attributes:
        question: Its text.
        first: The first hour, aware.
        raw: Raw Yes price by hour, NaN where there is none; None where only trusted prices are known.
        trusted: Trusted price of the same hours.
        window_start: First hour of the evaluation window, aware.
        window_end: Its last hour, aware.
    """

    question: str
    first: datetime
    raw: Sequence[float] | None
    trusted: Sequence[float]
    window_start: datetime
    window_end: datetime


@dataclass(frozen=True)
class ModelResolution:
    """What became of one model's crux.

    Attributes:
        model: The model.
        crux: The crux's question.
        time: When it was resolved, aware; None where it was not, or has no time.
        answer: "Yes" or "No", or why there is none.
        rule: The resolution rule.
        precision: How exact the time is.
        before: Mean trusted price before; NaN without one.
        after: Mean trusted price after; NaN without one.
        kl: KL in bits; NaN without one.
        evidence: The title of its first evidence.
    """

    model: str
    crux: str
    time: datetime | None
    answer: str
    rule: str = ""
    precision: str = ""
    before: float = float("nan")
    after: float = float("nan")
    kl: float = float("nan")
    evidence: str = ""


def price_history(
    history: PriceHistory,
    resolutions: Sequence[ModelResolution],
    *,
    name: str = "price_history",
    models: Sequence[str] = (),
    paper: str | None = None,
) -> Figure:
    """Trusted and, where known, raw prices with the shaded window; below it a lane per model with its resolution.

    Only changes of the prices, rounded to 3 decimals, are in the data: lines go in steps.

    Args:
        history: The prices.
        resolutions: One row per model; those without a time are named in the caption.
        name: The figure's name.
        models: The order of models.
        paper: What it is called in the paper.

    Raises:
        ValueError: If there are no prices.
    """
    prices = _steps(history, "Trusted", history.trusted)
    if history.raw is not None:
        prices += _steps(history, "Raw", history.raw)
    values = [row["price"] for row in prices if isinstance(row["price"], float)]
    if not values:
        raise ValueError("there are no prices to draw")
    timed = [row for row in resolutions if row.time is not None]
    untimed = [literal(row.model) for row in resolutions if row.time is None]
    lanes = [model for model in model_order([row.model for row in timed], models) if model in {r.model for r in timed}]
    margin = max(0.08 * (max(values) - min(values)), 0.01)
    domain = [max(0.0, min(values) - margin), min(1.0, max(values) + margin)]
    x = alt.X(
        "time:T",
        scale=alt.Scale(type="utc"),
        title="Time (UTC)",
        axis=alt.Axis(format="%-d %b", tickCount=8, labelOverlap=True, grid=False),
    )
    y = alt.Y(
        "price:Q",
        scale=alt.Scale(domain=domain, range=[_PRICES, 0], nice=False, zero=False),
        title="Trusted price of Yes" if history.raw is None else "Price of Yes",
        axis=alt.Axis(orient="left", titleY=_PRICES / 2, tickCount=6),
    )
    window = (
        alt.Chart(alt.NamedData("window"))
        .mark_rect(opacity=0.12)
        .encode(x=alt.X("time:T", scale=alt.Scale(type="utc")), x2="end:T")
    )
    lines = (
        alt.Chart(alt.NamedData("prices"))
        .mark_line(interpolate="step-after", strokeWidth=1.5)
        .encode(
            x=x,
            y=y,
            strokeDash=alt.StrokeDash(
                "series:N", sort=["Trusted", "Raw"], legend=alt.Legend(title="Price", orient="top")
            ),
            opacity=alt.when(alt.datum.series == "Raw").then(alt.value(0.55)).otherwise(alt.value(1)),
        )
    )
    layers: list[alt.Chart | alt.LayerChart] = [window, lines]
    height = _PRICES
    if timed:
        height = _PRICES + _GAP + _LANE * len(lanes)
        layers += [_moments(x), _resolutions(x, lanes, model_order(lanes, models), height)]
    chart = (
        alt.layer(*layers)
        .resolve_scale(y="independent")
        .properties(width=vega_lite.CONTAINER, height=height, autosize=vega_lite.fit_width())
    )
    description = _description(history, timed, values)
    return Figure(
        name=name,
        title=history.question,
        spec=vega_lite.spec(
            chart,
            description,
            prices=prices,
            window=[{"time": _iso(history.window_start), "end": _iso(history.window_end + timedelta(hours=1))}],
            moments=[{"time": time} for time in sorted({_iso(row.time) for row in timed if row.time is not None})],
            resolutions=[_row(row, row.time) for row in timed if row.time is not None],
        ),
        description=description,
        caption=sentences(
            "The line is the trusted price; the question set has no raw ones." if history.raw is None else "",
            "" if history.raw is None else "Solid: trusted price; dashed: raw.",
            "Shaded: the evaluation window. A lane per model has its resolution.",
            f"Without a resolution time: {listed(untimed)}." if untimed else "",
        ),
        paper=paper,
    )


def _moments(x: alt.X) -> alt.Chart:
    # One line per moment: several on top of each other would look like more than one would.
    lines: alt.Chart = alt.Chart(alt.NamedData("moments")).mark_rule(opacity=0.5, style=vega_lite.REFERENCE)
    return lines.encode(x=x)


def _resolutions(x: alt.X, lanes: Sequence[str], order: Sequence[str], height: int) -> alt.Chart:
    marks: alt.Chart = alt.Chart(alt.NamedData("resolutions")).mark_point(filled=True, size=110, opacity=1)
    return marks.encode(
        x=x,
        y=alt.Y(
            f"{FIELD}:N",
            scale=alt.Scale(domain=list(lanes), range=[_PRICES + _GAP, height]),
            title=None,
            axis=alt.Axis(
                orient="left", grid=True, labelLimit=LABEL_LIMIT, labelExpr=labels(lanes), domain=False, ticks=False
            ),
        ),
        color=alt.Color(f"{FIELD}:N", scale=alt.Scale(domain=list(order)), legend=None),
        shape=alt.Shape(
            "answer:N",
            scale=alt.Scale(domain=["Yes", "No"], range=["triangle-up", "triangle-down"]),
            legend=alt.Legend(title="Answer", orient="top"),
        ),
        tooltip=[
            alt.Tooltip("model:N", title="Model"),
            alt.Tooltip("crux:N", title="Crux"),
            alt.Tooltip("answer:N", title="Answer"),
            alt.Tooltip("rule:N", title="Rule"),
            alt.Tooltip("shown:N", title="Time"),
            alt.Tooltip("precision:N", title="Precision"),
            alt.Tooltip("before:Q", title="Before", format=".3f"),
            alt.Tooltip("after:Q", title="After", format=".3f"),
            alt.Tooltip("kl:Q", title="KL (bits)", format=".4f"),
            alt.Tooltip("evidence:N", title="Evidence"),
        ],
    )


def _steps(history: PriceHistory, series: str, prices: Sequence[float]) -> list[vega_lite.Row]:
    rows: list[vega_lite.Row] = []
    held: float | None = None
    for hour, price in enumerate(prices):
        shown = None if math.isnan(price) else round(price, 3)
        if hour in (0, len(prices) - 1) or shown != held:
            rows.append({"time": _iso(history.first + timedelta(hours=hour)), "price": shown, "series": series})
        held = shown
    return rows


def _row(row: ModelResolution, time: datetime) -> vega_lite.Row:
    return {
        FIELD: row.model,
        "crux": row.crux,
        "answer": row.answer,
        "rule": row.rule,
        "precision": row.precision,
        "time": _iso(time),
        "shown": f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC",
        "before": row.before,
        "after": row.after,
        "kl": row.kl,
        "evidence": row.evidence,
    }


def _description(history: PriceHistory, timed: Sequence[ModelResolution], values: Sequence[float]) -> str:
    start, end = (f"{moment.astimezone(UTC):%Y-%m-%d}" for moment in (history.window_start, history.window_end))
    moved = [row for row in timed if not math.isnan(row.kl)]
    told = ""
    if moved:
        most = max(moved, key=lambda row: row.kl)
        told = (
            f"The largest move is {most.kl:.3f} bits, from {most.before:.3f} to {most.after:.3f}, at the resolution of "
            f"{most.model} ({most.answer})."
        )
    return sentences(
        f'{"Trusted price" if history.raw is None else "Price"} of Yes for "{history.question}", between '
        f"{min(values):.3f} and {max(values):.3f}; the evaluation window runs from {start} to {end}, with "
        f"{counted(len(timed), 'resolution')}.",
        told,
    )


def _iso(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
