from collections.abc import Mapping
from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pytest
import vl_convert
from numpy.typing import NDArray

from cruxbench_inspect.report.page.theme import CROWD, DARK, FILE_FONT, LIGHT, PAGE_FONT, Theme, own_config, themed
from tests.report.figures.sample_rows import FIGURES

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
Vector = NDArray[np.float64]

# Machado, Oliveira and Fernandes 2009, severity 1, in linear RGB.
COLOUR_BLINDNESS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}


@THEMES
def test_text_has_contrast_of_wcag_aa(theme: Theme) -> None:
    for colour in (theme.ink, theme.muted, theme.accent):
        assert contrast(colour, theme.paper) >= 4.5


@THEMES
def test_marks_have_contrast_of_wcag_aa(theme: Theme) -> None:
    assert len(set(theme.categories)) == 10
    for colour in theme.categories:
        assert contrast(colour, theme.paper) >= 3


@THEMES
def test_points_that_lie_on_each_other_are_seen_alone(theme: Theme) -> None:
    # As a browser mixes them.
    mixed = [
        round(theme.crowd_opacity * above + (1 - theme.crowd_opacity) * below)
        for above, below in zip(*(bytes.fromhex(colour[1:]) for colour in (theme.crowd, theme.paper)), strict=True)
    ]
    assert contrast("#" + bytes(mixed).hex(), theme.paper) >= 2.5
    assert theme.config(PAGE_FONT)["style"][CROWD]["opacity"] == theme.crowd_opacity
    for name in ("martingale", "kl_by_lead_time"):
        marks = [layer["mark"] for layer in _layers(FIGURES[name]().spec) if "mark" in layer]
        crowds = [mark for mark in marks if mark.get("style") == CROWD]
        assert len(crowds) == 1 and "opacity" not in crowds[0]


@THEMES
def test_annotations_are_readable_on_heat_maps(theme: Theme) -> None:
    ranges = theme.config(PAGE_FONT)["range"]
    for colour in (*ranges["heatmap"], *ranges["diverging"]):
        assert contrast(theme.ink, colour) >= 4.5


@THEMES
@pytest.mark.parametrize("blindness", COLOUR_BLINDNESS)
def test_categories_are_told_apart(theme: Theme, blindness: str) -> None:
    seen = [oklab(np.clip(COLOUR_BLINDNESS[blindness] @ linear(colour), 0, 1)) for colour in theme.categories]
    nearest = min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2))
    # About four times the smallest difference that is seen side by side, 0.02 in OKLab.
    assert nearest > 0.075


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_compiles_in_both_themes(name: str) -> None:
    spec = FIGURES[name]().spec
    # A compiler needs no rows, and sees fewer faster.
    few = {**spec, "datasets": {key: rows[:3] for key, rows in spec["datasets"].items()}}
    for theme in (LIGHT, DARK):
        compiled = vl_convert.vegalite_to_vega(themed(few, theme, PAGE_FONT))
        assert compiled["background"] == theme.paper
        assert compiled["marks"]


def test_a_spec_keeps_its_own_config_but_for_the_default_size() -> None:
    spec = alt.Chart(alt.NamedData("rows")).mark_point().encode(x="a:Q").configure_legend(columns=7).to_dict()
    assert spec["config"]["view"] == {"continuousWidth": 300, "continuousHeight": 300}
    config = themed(spec, LIGHT, FILE_FONT)["config"]
    assert own_config(spec) == {"legend": {"columns": 7}, "view": {}}
    assert config["legend"]["columns"] == 7
    assert config["legend"]["orient"] == "bottom"
    assert config["view"]["continuousWidth"] == 640
    assert config["font"] == FILE_FONT
    assert "config" in spec and "background" not in spec["config"]


@THEMES
def test_colours_and_font_are_in_the_drawing(theme: Theme) -> None:
    values = [{"model": f"model {number}", "voi": number} for number in range(4)]
    spec: dict[str, Any] = {
        "data": {"values": values},
        "mark": "bar",
        "encoding": {
            "y": {"field": "model", "type": "nominal"},
            "x": {"field": "voi", "type": "quantitative"},
            "color": {"field": "model", "type": "nominal"},
        },
    }
    drawing = vl_convert.vegalite_to_svg(themed(spec, theme, FILE_FONT))
    for colour in (theme.paper, theme.ink, *theme.categories[:4]):
        assert f'"{colour}"' in drawing
    assert "Liberation Sans" in drawing
    # In a font that is not there, vl-convert would leave all text out.
    with_text, without = (vl_convert.svg_to_png(drawing.replace("model 1", text)) for text in ("model 1", ""))
    assert with_text != without


def _layers(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*spec.get("spec", spec)["layer"]]


def linear(colour: str) -> Vector:
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2.1, contrast ratio."""
    dark, light = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def oklab(rgb: Vector) -> Vector:
    """Ottosson 2020."""
    to_cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.793617785, -0.0040720468],
            [1.9779984951, -2.428592205, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.808675766],
        ]
    )
    return np.asarray(to_lab @ np.cbrt(to_cones @ rgb), dtype=np.float64)
