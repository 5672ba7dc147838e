"""How figures mark models whose comparison with others is in doubt: a dagger before the name, a hollow point."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import altair as alt

from cruxbench_inspect.report.figures.model_channels import FIELD
from cruxbench_inspect.report.figures.short_names import short_names
from cruxbench_inspect.report.figures.vega_lite import Row
from cruxbench_inspect.report.figures.wording import listed, literal
from cruxbench_inspect.report.table import DAGGER

Chart = TypeVar("Chart", alt.Chart, alt.FacetChart)

Doubts = Mapping[str, str]
"""Why the comparison of a model is in doubt, as the rest of a sentence that begins with its name, by its name."""

NO_DOUBTS: Doubts = MappingProxyType({})
"""No model is in doubt."""

ROOM = 30
"""How many characters of a name a label has room for."""


def marked(model: str, doubts: Doubts) -> str:
    """A model's name, with a dagger where there is a doubt."""
    return f"{DAGGER} {model}" if model in doubts else model


def shown_names(models: Sequence[str], doubts: Doubts, most: int = ROOM) -> dict[str, str]:
    """What to write for each of some models: its name, cut where it is long, and marked where there is a doubt."""
    short = short_names(models, most)
    return {model: marked(model, doubts).replace(model, short.get(model, model)) for model in models}


def labels(models: Sequence[str], doubts: Doubts = NO_DOUBTS) -> Any:
    """The ``labelExpr`` of an axis or a legend of models; undefined where all names are written as they are."""
    return _written(models, doubts, "datum.value") or alt.Undefined


def fields(model: str, doubts: Doubts) -> Row:
    """What a row says of a model's doubt: ``name`` for texts, ``standing`` for points, ``doubt`` for the tooltip."""
    standing = _IN_DOUBT if model in doubts else _WITHOUT
    return {"name": marked(model, doubts), "standing": standing, "doubt": doubts.get(model, _NONE)}


def point_shape(models: Sequence[str], doubts: Doubts) -> alt.Shape:
    """Hollow points for ``standing``, with a legend where a model is in doubt."""
    # A legend without a model in doubt would raise doubts.
    legend = alt.Legend(title=None, orient="bottom", columns=1) if _any(models, doubts) else None
    return alt.Shape(
        "standing:N", scale=alt.Scale(domain=[_WITHOUT, _IN_DOUBT], range=["circle", _RING]), legend=legend
    )


def tooltips(models: Sequence[str], doubts: Doubts) -> list[alt.Tooltip]:
    """The line of a tooltip that has ``doubt``; none where no model is in doubt."""
    return [alt.Tooltip("doubt:N", title="Doubt")] if _any(models, doubts) else []


def calculated(chart: Chart, models: Sequence[str], doubts: Doubts, most: int = ROOM) -> Chart:
    """A chart of many rows per model, which need not have ``name`` and ``doubt`` themselves.

    Where all names are written as they are it has no ``name``, and where no model is in doubt no ``doubt``.
    """
    written = _written(models, doubts, f"datum.{FIELD}", most)
    if written:
        chart = chart.transform_calculate(name=written)
    if not _any(models, doubts):
        return chart
    reason = f"{json.dumps({model: doubts[model] for model in models if model in doubts})}[datum.{FIELD}]"
    return chart.transform_calculate(doubt=f"isValid({reason}) ? {reason} : '{_NONE}'")


def sentence(models: Sequence[str], doubts: Doubts, *, points: bool = False) -> str:
    """What the mark means and which models have it, for a caption; empty where no model is in doubt.

    Args:
        models: The models of the figure.
        doubts: The doubts.
        points: Whether points are hollow, too.
    """
    found = [literal(model) for model in models if model in doubts]
    if not found:
        return ""
    marks = f"{DAGGER} and a hollow point mark" if points else f"{DAGGER} marks"
    return (
        f"{marks} models whose comparison with others is in doubt, for too few scores or a knowledge cutoff or release "
        f"after the start of windows: {listed(found)}. Notes of table 1 say why."
    )


def names(models: Sequence[str], doubts: Doubts) -> str:
    """Which models are in doubt, for a description; empty where none is."""
    found = [model for model in models if model in doubts]
    return f"In doubt: {listed(found)}." if found else ""


_NONE = "none known"
_WITHOUT = "No doubt known"
# Short enough for a narrow page.
_IN_DOUBT = f"{DAGGER} Few scores or late cutoff"

# A circle with a round hole: a fill is all that a point of the theme has.
_RING = "M0,-1A1,1,0,1,1,0,1A1,1,0,1,1,0,-1ZM0,-0.6A0.6,0.6,0,1,0,0,0.6A0.6,0.6,0,1,0,0,-0.6Z"


def _written(models: Sequence[str], doubts: Doubts, name: str, most: int = ROOM) -> str:
    """An expression of what to write for a model; empty where all names are written as they are."""
    changed = {model: shown for model, shown in shown_names(models, doubts, most).items() if shown != model}
    if not changed:
        return ""
    written = f"{json.dumps(changed, ensure_ascii=False)}[{name}]"
    return f"isValid({written}) ? {written} : {name}"


def _any(models: Sequence[str], doubts: Doubts) -> bool:
    return any(model in doubts for model in models)
