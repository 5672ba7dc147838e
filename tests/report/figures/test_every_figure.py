import json
import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from xml.etree import ElementTree

import pytest

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import (
    breakdown,
    contamination,
    cost,
    estimator_variance,
    funnel,
    martingale,
    named_points,
    paired_differences,
    price_history,
    similarity_disagreement,
    similarity_heat_map,
    timing,
    voi_against_capability,
    voi_by_model,
    width_correlations,
    width_robustness,
)
from tests.report.figures.conftest import Built, Draw, Drawn
from tests.report.figures.sample_rows import FIGURES, NAN, ODD_NAMES, START, martingale_fit

SVG = "{http://www.w3.org/2000/svg}"
FIT = martingale.MartingaleFit(1.0, 0.0, 1.0, [])
PRICES = price_history.PriceHistory("U?", START, [0.5], [0.5], START, START)
NO_PRICES = price_history.PriceHistory("U?", START, [NAN], [NAN], START, START)
GROUP = similarity_disagreement.SimilarityGroup("0–1", 0, 1, 1, 0.0, (0.0, 0.79))

EMPTY: dict[str, Callable[[], Figure]] = {
    "voi_by_model": lambda: voi_by_model.voi_by_model([]),
    "voi_against_capability": lambda: voi_against_capability.voi_against_capability([]),
    "cost": lambda: cost.cost([named_points.ModelPoint("m", NAN, 0.1, NAN, NAN)]),
    "similarity_disagreement": lambda: similarity_disagreement.similarity_disagreement([]),
    "similarity_heat_map": lambda: similarity_heat_map.similarity_heat_map([]),
    "martingale": lambda: martingale.martingale([NAN], [0.5], FIT),
    "price_history": lambda: price_history.price_history(NO_PRICES, []),
    "means_by_width": lambda: width_robustness.means_by_width([]),
    "ranks_by_width": lambda: width_robustness.ranks_by_width([]),
    "capability_by_width": lambda: width_correlations.capability_by_width([]),
    "ranking_by_width": lambda: width_correlations.ranking_by_width([]),
    "estimator_variance": lambda: estimator_variance.estimator_variance([]),
    "breakdown": lambda: breakdown.breakdown([], by="Tag", name="by_tag"),
    "funnel": lambda: funnel.funnel([]),
    "paired_differences": lambda: paired_differences.paired_differences([]),
    "timing_percentiles": lambda: timing.timing_percentiles([timing.ResolutionTiming("m", "q", NAN, 1, 1)]),
    "kl_by_lead_time": lambda: timing.kl_by_lead_time([timing.ResolutionTiming("m", "q", 0.5, NAN, NAN)]),
    "contamination": lambda: contamination.contamination([contamination.CutoffLead("m", NAN, 0.1)]),
}

ONE_POINT: dict[str, Callable[[], Figure]] = {
    "voi_by_model": lambda: voi_by_model.voi_by_model([voi_by_model.ModelMean("m", 0.0, NAN, NAN, 1)]),
    "voi_against_capability": lambda: voi_against_capability.voi_against_capability(
        [named_points.ModelPoint("m", 0.0, 0.0, NAN, NAN)]
    ),
    "cost": lambda: cost.cost([named_points.ModelPoint("m", 1.0, 0.1, NAN, NAN)]),
    "similarity_disagreement": lambda: similarity_disagreement.similarity_disagreement(
        [similarity_disagreement.SimilarityPanel("Different outcome", [GROUP])]
    ),
    "similarity_heat_map": lambda: similarity_heat_map.similarity_heat_map(
        [similarity_heat_map.ModelPair("a", "b", 0.7, 1)]
    ),
    "martingale": lambda: martingale.martingale([0.5], [0.6], FIT),
    "price_history": lambda: price_history.price_history(PRICES, []),
    "means_by_width": lambda: width_robustness.means_by_width([width_robustness.WidthValue("KL", "m", 24, 0.1)]),
    "ranks_by_width": lambda: width_robustness.ranks_by_width([width_robustness.WidthValue("KL", "m", 24, 1)]),
    "capability_by_width": lambda: width_correlations.capability_by_width(
        [width_correlations.WidthCorrelation("KL", 24, 0.5)]
    ),
    "ranking_by_width": lambda: width_correlations.ranking_by_width(
        [width_correlations.WidthCorrelation("KL", 24, 1.0)]
    ),
    "estimator_variance": lambda: estimator_variance.estimator_variance(
        [estimator_variance.VarianceRatio("uniform", 0.5, 1.0)]
    ),
    "breakdown": lambda: breakdown.breakdown(
        [breakdown.GroupGain("politics", "m", 0.0, NAN, NAN, 1)], by="Tag", name="by_tag"
    ),
    "funnel": lambda: funnel.funnel([funnel.FunnelStage("all", 0)]),
    "paired_differences": lambda: paired_differences.paired_differences(
        [paired_differences.PairedDifference("a", "b", 0.0, NAN, NAN, NAN, 1)]
    ),
    "timing_percentiles": lambda: timing.timing_percentiles([timing.ResolutionTiming("m", "q", 1.0, 1, 1)]),
    "kl_by_lead_time": lambda: timing.kl_by_lead_time([timing.ResolutionTiming("m", "q", 0.5, 0.0, 0.0)]),
    "contamination": lambda: contamination.contamination([contamination.CutoffLead("m", -0.5, 0.1)]),
}

# One figure for every place of names: axes, texts, lanes, legends and headings.
ODD: dict[str, Callable[[Mapping[str, str]], Figure]] = {
    "voi_against_capability": lambda doubts: voi_against_capability.voi_against_capability(
        [named_points.ModelPoint(name, i, 0.1 * i, 0, 1) for i, name in enumerate(ODD_NAMES)], doubts=doubts
    ),
    "price_history": lambda doubts: price_history.price_history(
        PRICES,
        [
            price_history.ModelResolution(name, name, START + timedelta(days=i), "Yes", evidence=name)
            for i, name in enumerate(ODD_NAMES)
        ],
    ),
    "means_by_width": lambda doubts: width_robustness.means_by_width(
        [width_robustness.WidthValue(ODD_NAMES[0], name, width, width) for name in ODD_NAMES for width in (1, 48)],
        doubts=doubts,
    ),
    "breakdown": lambda doubts: breakdown.breakdown(
        [breakdown.GroupGain(name, name, 0.1, 0, 0.2, 3) for name in ODD_NAMES], by="Tag", name="by_tag", doubts=doubts
    ),
    "paired_differences": lambda doubts: paired_differences.paired_differences(
        [paired_differences.PairedDifference(name, "b", 0.1, 0, 0.2, 0.01, 3) for name in ODD_NAMES], doubts=doubts
    ),
}


def test_every_kind_is_covered() -> None:
    assert FIGURES.keys() == EMPTY.keys() == ONE_POINT.keys()


@pytest.mark.parametrize("name", FIGURES)
def test_draws_with_its_marks(name: str, drawn: Drawn) -> None:
    svg = drawn(name)
    ElementTree.fromstring(svg)  # noqa: S314
    assert "NaN" not in svg and "undefined" not in svg
    assert len(re.findall("<(?:path|line|text)", svg)) > 20


@pytest.mark.parametrize("name", FIGURES)
def test_is_the_same_for_the_same_rows(name: str, built: Built) -> None:
    spec = built(name).spec
    json.dumps(spec, allow_nan=False)
    # Altair counts up what nobody names.
    assert not re.search(r"(view|param|concat)_\d", json.dumps(dict(spec) | {"datasets": {}}))


@pytest.mark.parametrize("name", FIGURES)
def test_leaves_looks_to_the_theme(name: str, built: Built) -> None:
    figure = built(name)
    without_data = json.dumps(dict(figure.spec) | {"datasets": {}})
    assert "config" not in figure.spec
    assert not re.search(r'"(font|background|fill|stroke|scheme)":|#[0-9a-fA-F]{3,8}"', without_data)


@pytest.mark.parametrize("name", FIGURES)
def test_is_told_in_words(name: str, built: Built) -> None:
    figure = built(name)
    assert re.fullmatch("[a-z_]+", figure.name)
    assert figure.spec["description"] == figure.description
    assert re.search(r"\d", figure.description) and figure.description.endswith(".")
    assert figure.caption.endswith(".") and "](" not in figure.caption


def test_all_of_them_are_small(built: Built) -> None:
    sizes = {name: len(json.dumps(built(name).spec, separators=(",", ":"))) for name in FIGURES}
    assert sum(sizes.values()) < 1_000_000, sizes


@pytest.mark.parametrize("name", EMPTY)
def test_nothing_to_draw_is_said(name: str) -> None:
    with pytest.raises(ValueError, match="^there are no .+ to draw"):
        EMPTY[name]()


@pytest.mark.parametrize("name", ONE_POINT)
def test_one_point_draws(name: str, draw: Draw) -> None:
    figure = ONE_POINT[name]()
    json.dumps(figure.spec, allow_nan=False)
    svg = draw(figure)
    assert "NaN" not in svg
    assert 'aria-roledescription="' in svg
    assert "nan" not in figure.description + figure.caption


@pytest.mark.parametrize("name", ODD)
def test_odd_names_survive(name: str, draw: Draw) -> None:
    figure = ODD[name](dict.fromkeys(ODD_NAMES, "is odd: \"'\\ </script>"))
    values = {value for rows in figure.spec["datasets"].values() for row in rows for value in row.values()}
    assert values >= {*ODD_NAMES}
    svg = draw(figure)
    texts = {text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")}  # noqa: S314
    marks = 0 if name == "price_history" else len(ODD_NAMES)
    assert len({text for text in texts if text.startswith("†")}) >= min(marks, 3)
    assert "<script" not in svg


def test_the_martingale_figure_is_the_same_for_the_same_seed() -> None:
    beliefs = [i / 5000 for i in range(5000)]
    first, again, other = (martingale.martingale(beliefs, beliefs, martingale_fit(), seed=seed) for seed in (1, 1, 2))
    assert first.spec == again.spec
    assert first.spec != other.spec
