"""Where the names of points stand, so that they do not cover each other or points."""

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT = 340
"""The height in pixels of a plot of named points."""

WIDEST = 240
"""The width in pixels after which a name is cut short."""


def name_places(
    names: Sequence[str],
    across: Sequence[float],
    heights: Sequence[float],
    domain: tuple[float, float],
    intervals: Sequence[tuple[float, float]] = (),
) -> tuple[list[float], list[bool]]:
    """Where names stand: beside their points, or a few lines above or below.

    Args:
        names: The names.
        across: The place of each point from left (0) to right (1).
        heights: The value of each point.
        domain: The lowest and highest value of the vertical axis.
        intervals: The lower and upper end of each point's vertical bar, NaN where it has none.

    Returns:
        The value at which each name stands, and whether it is to the right of its point.
    """
    span = domain[1] - domain[0]

    def pixels(height: float) -> float:
        return (height - domain[0]) / span * HEIGHT

    points = [(place * _WIDTH, pixels(height)) for place, height in zip(across, heights, strict=True)]
    bars = [
        _Box(x - 1, x + 1, pixels(low), pixels(high)) for (x, _), (low, high) in zip(points, intervals, strict=False)
    ]
    dots = [_Box(x - 6, x + 6, y - 6, y + 6) for x, y in points]
    placed: list[_Box] = []
    up, right = [0.0] * len(names), [True] * len(names)
    for index in sorted(range(len(names)), key=points.__getitem__):
        width = min(7.0 * len(names[index]), WIDEST)
        others = [dot for place, dot in enumerate(dots) if place != index]
        _, _, up[index], right[index], box = min(
            (box.clutter(placed, others, bars), order, y, to_right, box)
            for order, (y, to_right, box) in enumerate(_choices(points[index], width))
        )
        placed.append(box)
    return [domain[0] + y / HEIGHT * span for y in up], right


# A width that is common for a plot: the real one is the page's.
_WIDTH, _LINE = 560, 14


@dataclass(frozen=True, order=True)
class _Box:
    left: float
    right: float
    low: float
    high: float

    def clutter(self, names: "Sequence[_Box]", points: "Sequence[_Box]", bars: "Sequence[_Box]") -> int:
        """How bad it is to write here."""
        outside = self.left < 0 or self.right > _WIDTH or self.low < 0 or self.high > HEIGHT
        return (
            4 * outside
            + 4 * sum(map(self.meets, names))
            + 3 * sum(map(self.meets, points))
            + sum(map(self.meets, bars))
        )

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
