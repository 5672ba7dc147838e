"""One Vega-Lite theme for all figures, light and dark, whose colours the page shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

PAGE_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
"""Fonts of figures and tables on the page: those of the reader's system."""

FILE_FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""Fonts of figures in files. The first is part of vl-convert, which draws no text at all in a font that it lacks."""


CROWD = "crowd"
"""The style of points so many that they lie on each other."""


@dataclass(frozen=True)
class Theme:
    """Colours of the page and its figures.

    Attributes:
        name: Which one it is.
        paper: Background.
        ink: Text.
        muted: Text of lesser weight, axis labels, baselines; still of contrast 4.5 to the paper.
        hairline: Rules and grids.
        accent: Links, focus and warnings.
        categories: Ten colours of models and the like, of contrast 3 to the paper and told apart by people with any
            of the three kinds of colour blindness.
        crowd: Points so many that they lie on each other.
        crowd_opacity: The opacity of each of them: all are seen, and where there are more it is denser.
        ramp: From few to many; ink is readable on the first four.
        diverging: From below over the middle to above; ink is readable on all of them.
    """

    name: Literal["light", "dark"]
    paper: str
    ink: str
    muted: str
    hairline: str
    accent: str
    categories: tuple[str, ...]
    crowd: str
    crowd_opacity: float
    ramp: tuple[str, ...]
    diverging: tuple[str, ...]

    def config(self, font: str) -> dict[str, Any]:
        """The Vega-Lite config.

        Specs name its scale ranges (``category``, ``ordinal``, ``ramp``, ``heatmap``, ``diverging``) and its mark
        styles: ``reference`` for lines such as a baseline, ``annotation`` for text inside a plot, ``crowd`` for points
        that lie on each other, ``muted`` for what stands back. Annotations are readable on ``heatmap`` and
        ``diverging``.

        Args:
            font: A CSS list of font families.
        """
        first = self.categories[0]
        return {
            "background": self.paper,
            "font": font,
            "padding": 5,
            "aria": False,
            "lineBreak": "\n",
            "view": {"stroke": None, "continuousWidth": 640, "continuousHeight": 320},
            "axis": {
                "domainColor": self.muted,
                "gridColor": self.hairline,
                "labelColor": self.muted,
                "labelFontSize": 12,
                "labelLimit": 220,
                "labelPadding": 6,
                "tickColor": self.muted,
                "tickSize": 4,
                "titleColor": self.ink,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
                "titlePadding": 10,
            },
            "axisY": {"domain": False, "ticks": False},
            "legend": {
                "columns": 4,
                "columnPadding": 18,
                "labelColor": self.ink,
                "labelFontSize": 12,
                "labelLimit": 200,
                "offset": 14,
                "orient": "bottom",
                "symbolBaseFillColor": self.muted,
                "symbolBaseStrokeColor": self.muted,
                "titleColor": self.muted,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
            },
            "header": {
                "labelColor": self.ink,
                "labelFontSize": 12,
                "titleColor": self.muted,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
            },
            "title": {
                "anchor": "start",
                "color": self.ink,
                "fontSize": 13,
                "fontWeight": 600,
                "subtitleColor": self.muted,
                "subtitleFontSize": 12,
            },
            "mark": {"color": first},
            "area": {"opacity": 0.25},
            "bar": {"color": first},
            "errorband": {"opacity": 0.15},
            "line": {"strokeWidth": 2},
            "point": {"filled": True, "size": 50},
            "rule": {"color": self.muted},
            "text": {"color": self.ink, "fontSize": 12},
            "style": {
                "reference": {"color": self.muted, "stroke": self.muted, "strokeDash": [4, 3], "strokeWidth": 1},
                "muted": {"color": self.muted, "fill": self.muted, "opacity": 0.45},
                "crowd": {"color": self.crowd, "fill": self.crowd, "opacity": self.crowd_opacity},
                "annotation": {"color": self.ink, "fill": self.ink, "fontSize": 11.5},
            },
            "range": {
                "category": list(self.categories),
                "ordinal": list(self.ramp[1:]),
                "ramp": list(self.ramp),
                "heatmap": list(self.ramp[:4]),
                "diverging": list(self.diverging),
            },
        }


LIGHT = Theme(
    name="light",
    paper="#ffffff",
    ink="#1c1e21",
    muted="#5f646b",
    hairline="#dfe1e4",
    accent="#8a3b00",
    categories=(
        "#1e279f",
        "#a65107",
        "#099dd0",
        "#0c371a",
        "#d16288",
        "#b18e00",
        "#6b5dd7",
        "#545465",
        "#512360",
        "#1a0143",
    ),
    crowd="#1e279f",
    crowd_opacity=0.5,
    ramp=("#eef2f9", "#c9d6ee", "#9db5e0", "#6f8fd0", "#4666bb", "#2b429f", "#1b2672"),
    diverging=("#d08a49", "#e3b283", "#f3dfc9", "#f5f5f5", "#d3dbf2", "#a3b4e4", "#7a90d6"),
)
"""For daylight, print and files."""

DARK = Theme(
    name="dark",
    paper="#131518",
    ink="#e4e6e9",
    muted="#9ba1a9",
    hairline="#2f3339",
    accent="#f0a35c",
    categories=(
        "#4c65e1",
        "#d39602",
        "#169bc3",
        "#5ee984",
        "#e85280",
        "#ab5c03",
        "#bab6ff",
        "#e6e8eb",
        "#904f9c",
        "#71c5af",
    ),
    crowd="#96b0f0",
    crowd_opacity=0.7,
    ramp=("#1b2030", "#243259", "#2f4688", "#4261b8", "#6483dc", "#96b0f0", "#d3dffc"),
    diverging=("#8a5726", "#6e4824", "#4a3423", "#25282d", "#2b3560", "#38488a", "#4459ab"),
)
"""For the dark."""


def themed(spec: Mapping[str, Any], theme: Theme, font: str) -> dict[str, Any]:
    """A spec with the theme in it; what the spec configures itself has precedence."""
    return {**spec, "config": _merged(theme.config(font), own_config(spec))}


def own_config(spec: Mapping[str, Any]) -> dict[str, Any]:
    """What a spec configures itself, without the size of 300 that altair gives to every chart."""
    config = dict(spec.get("config", {}))
    if "view" in config:
        sizes = ("continuousWidth", "continuousHeight")
        config["view"] = {key: value for key, value in config["view"].items() if key not in sizes or value != 300}
    return config


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(below)
    for key, value in above.items():
        under = result.get(key)
        result[key] = _merged(under, value) if isinstance(under, Mapping) and isinstance(value, Mapping) else value
    return result
