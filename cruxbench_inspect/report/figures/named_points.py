"""Points with an interval each and their names beside them, placed so that they do not cover each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from cruxbench_inspect.report.figures.vega_lite import ANNOTATION, WITH_INTERVAL

HEIGHT = 340
"""The height in pixels of a plot of named points."""


def named_points(data: alt.NamedData, x: alt.X, y_scale: alt.Scale, tooltip: Sequence[alt.Tooltip]) -> list[alt.Chart]:
    """Layers of intervals, points and names.

    Args:
        data: Rows with ``model``, ``mean``, ``low``, ``high``, and what ``name_places`` returns for them:
            ``name_height`` and ``name_right``.
        x: The horizontal channel.
        y_scale: The scale of means.
        tooltip: What is shown of a row.
    """
    base = alt.Chart(data).encode(x=x, tooltip=list(tooltip))
    names = alt.Chart(data).encode(x=x, y=_means("name_height", y_scale), text="model:N")
    return [
        base.transform_filter(WITH_INTERVAL)
        .mark_rule(strokeWidth=1.5, opacity=0.5)
        .encode(y=_means("low", y_scale), y2="high:Q"),
        base.mark_point(filled=True, size=80, opacity=1).encode(y=_means("mean", y_scale)),
        names.transform_filter("datum.name_right").mark_text(align="left", dx=8, limit=_WIDEST, style=ANNOTATION),
        names.transform_filter("!datum.name_right").mark_text(align="right", dx=-8, limit=_WIDEST, style=ANNOTATION),
    ]


def name_places(
    names: Sequence[str], across: Sequence[float], heights: Sequence[float], domain: tuple[float, float]
) -> tuple[list[float], list[bool]]:
    """Where names stand: beside their points, or a few lines above or below.

    Args:
        names: The names.
        across: The place of each point from left (0) to right (1).
        heights: The value of each point.
        domain: The lowest and highest value of the vertical axis.

    Returns:
        The value at which each name stands, and whether it is to the right of its point.
    """
    span = domain[1] - domain[0]
    points = [
        (place * _WIDTH, (height - domain[0]) / span * HEIGHT) for place, height in zip(across, heights, strict=True)
    ]
    dots = [_Box(x - 6, x + 6, y - 6, y + 6) for x, y in points]
    placed: list[_Box] = []
    up, right = [0.0] * len(names), [True] * len(names)
    for index in sorted(range(len(names)), key=points.__getitem__):
        width = min(7.0 * len(names[index]), _WIDEST)
        others = [dot for place, dot in enumerate(dots) if place != index]
        _, _, up[index], right[index], box = min(
            (box.clutter(placed, others), order, y, to_right, box)
            for order, (y, to_right, box) in enumerate(_choices(points[index], width))
        )
        placed.append(box)
    return [domain[0] + y / HEIGHT * span for y in up], right


# A width that is common for a plot: the real one is the page's.
_WIDTH, _WIDEST, _LINE = 560, 240, 14


@dataclass(frozen=True, order=True)
class _Box:
    left: float
    right: float
    low: float
    high: float

    def clutter(self, names: "Sequence[_Box]", points: "Sequence[_Box]") -> int:
        """How bad it is to write here."""
        outside = self.left < 0 or self.right > _WIDTH or self.low < 0 or self.high > HEIGHT
        return 3 * outside + 3 * sum(map(self.meets, names)) + 2 * sum(map(self.meets, points))

    def meets(self, other: "_Box") -> bool:
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high


def _choices(point: tuple[float, float], width: float) -> list[tuple[float, bool, _Box]]:
    x, y = point
    choices = []
    for shift in (0, 1, -1, 2, -2, 3, -3):
        middle = y + shift * _LINE
        for to_right in (True, False):
            left = x + 8 if to_right else x - 8 - width
            box = _Box(left, left + width, middle - _LINE / 2, middle + _LINE / 2)
            choices.append((middle, to_right, box))
    return choices


def _means(field: str, scale: alt.Scale) -> alt.Y:
    return alt.Y(f"{field}:Q", scale=scale, title="Mean VOI (bits per question)")
