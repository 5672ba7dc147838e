"""Models whose comparison with others is in doubt are marked wherever a figure compares them."""

import json
from xml.etree import ElementTree

import pytest

from cruxbench_inspect.report.figure import Figure
from tests.report.figures.conftest import Built, Drawn
from tests.report.figures.sample_rows import DOUBTS, IN_DOUBT, MODELS

POINTS = ("voi_by_model", "voi_against_capability", "cost")
HOLLOW = "† Few scores or late cutoff"


@pytest.mark.parametrize("name", IN_DOUBT)
def test_names_of_models_in_doubt_have_a_dagger(name: str, drawn: Drawn) -> None:
    texts = {text.text for text in ElementTree.fromstring(drawn(name)).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314
    shown = {model for model in MODELS if model in texts or f"† {model}" in texts}
    assert shown >= {*DOUBTS}
    for model in shown:
        assert (f"† {model}" in texts, model in texts) == (model in DOUBTS, model not in DOUBTS)


@pytest.mark.parametrize("name", IN_DOUBT)
def test_what_the_mark_means_is_told(name: str, built: Built) -> None:
    figure = built(name)
    marks = "† and a hollow point mark" if name in POINTS else "† marks"
    assert (
        f"{marks} models whose comparison with others is in doubt, for too few scores or a knowledge cutoff or release "
        f"after the start of windows: `{MODELS[1]}` and `{MODELS[4]}`. Notes of table 1 say why." in figure.caption
    )
    # Paper and files have no tooltips.
    assert "tooltip" not in figure.caption.lower()
    assert _has_doubt_in_tooltip(figure)
    text = json.dumps(figure.spec)
    assert all(reason in text for reason in DOUBTS.values())


@pytest.mark.parametrize("name", IN_DOUBT)
def test_without_a_doubt_nothing_is_marked(name: str) -> None:
    figure = IN_DOUBT[name]({})
    text = json.dumps(figure.spec)
    assert "labelExpr" not in text and "calculate" not in text
    for rows in figure.spec["datasets"].values():
        assert all(row["name"] == row["model"] for row in rows if "standing" in row)
    assert "†" not in figure.caption + figure.description
    assert not _has_doubt_in_tooltip(figure)


@pytest.mark.parametrize("name", POINTS)
def test_points_in_doubt_are_hollow_and_have_a_legend(name: str, built: Built, drawn: Drawn) -> None:
    figure = built(name)
    for row in figure.spec["datasets"]["models"]:
        assert (row["standing"] == HOLLOW) == (row["model"] in DOUBTS)
        assert row["doubt"] == DOUBTS.get(row["model"], "none known")
    (shape,) = {
        json.dumps(layer["encoding"]["shape"]) for layer in figure.spec["layer"] if "shape" in layer["encoding"]
    }
    filled, hollow = json.loads(shape)["scale"]["range"]
    assert (filled, hollow.count("M")) == ("circle", 2)
    assert json.loads(shape)["scale"]["domain"] == ["No doubt known", HOLLOW]
    assert HOLLOW in drawn(name) and "No doubt known" in drawn(name)
    assert f"In doubt: {MODELS[1]} and {MODELS[4]}." in figure.description
    (alone,) = {
        layer["encoding"]["shape"]["legend"]
        for layer in IN_DOUBT[name]({}).spec["layer"]
        if "shape" in layer["encoding"]
    }
    assert alone is None


def _has_doubt_in_tooltip(figure: Figure) -> bool:
    return '{"field": "doubt", "title": "Doubt", "type": "nominal"}' in json.dumps(figure.spec)
