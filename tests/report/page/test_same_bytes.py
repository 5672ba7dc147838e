"""The same report gives the same files, whatever was drawn before."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.page.files import FORMATS, write_files
from cruxbench_inspect.report.page.svg_ids import with_own_ids
from tests.report.sample_report import report

NASTY = """ id="clip1" clip-path="url(#clip1)" <clipPath id="clip1"> 'clip1' """


def clipped(name: str, text: str = "text") -> Figure:
    """A figure with two clip paths and a gradient, the three kinds of ids that Vega counts up."""
    rows = [{"a": 1, "b": 2, "text": text}, {"a": 3, "b": 1, "text": text}]
    x: dict[str, Any] = {"field": "a", "type": "quantitative", "scale": {"domain": [0, 2]}}
    y = {"field": "b", "type": "quantitative"}
    colour = {"field": "b", "type": "quantitative", "scale": {"range": "ramp"}}
    lines = {"mark": {"type": "line", "clip": True}, "encoding": {"x": x, "y": y}}
    points = {"mark": {"type": "point", "clip": True}, "encoding": {"x": x, "y": y, "color": colour}}
    texts = {"mark": "text", "encoding": {"x": x, "y": y, "text": {"field": "text"}, "tooltip": {"field": "text"}}}
    spec = {"data": {"values": rows}, "layer": [lines, points, texts], "width": 100, "height": 50}
    return Figure(name, "T", spec, "D")


def test_figures_have_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    figures = [clipped("one"), clipped("two", "other"), clipped("three")]
    for folder, order in (("first", figures), ("second", figures[::-1])):
        write_files(report(*order), tmp_path / folder, formats=[one for one in FORMATS if one != "html"])
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).rglob("*") if path.is_file()}
        for folder in ("first", "second")
    )
    assert len(first) == 3 * 4
    assert first == second
    assert first["one.svg"] == first["three.svg"] != first["two.svg"]
    assert first["one.svg"].count(b"<clipPath") == 2


@pytest.mark.parametrize("text", ["text", NASTY])
def test_every_reference_keeps_what_it_refers_to(tmp_path: Path, text: str) -> None:
    write_files(report(clipped("one"), clipped("two", text)), tmp_path, formats=["svg"])
    svg = (tmp_path / "figures/two.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(svg)  # noqa: S314
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    referred = {
        value.removeprefix("url(#").removesuffix(")")
        for each in root.iter()
        for value in each.attrib.values()
        if value.startswith("url(#")
    }
    assert ids == ["linearGradient1", "clipPath1", "clipPath2"] or ids == ["clipPath1", "clipPath2", "linearGradient1"]
    assert referred == {*ids}
    assert [each.text for each in root.iter() if each.text].count(text.strip() if text is NASTY else text) == 2


def test_texts_are_no_ids() -> None:
    drawing = (
        '<svg><clipPath id="clip7"></clipPath><g aria-label=\'x\' clip-path="url(#clip7)" class="clip7">'
        '<text title="a > b id=clip7"> id="clip7" url(#clip7)</text><g id="clip70" fill="url(#clip70)"></g></g></svg>'
    )
    assert with_own_ids(drawing) == drawing.replace('id="clip7">', 'id="clipPath1">', 1).replace(
        '="url(#clip7)"', '="url(#clipPath1)"'
    )
    assert with_own_ids("<svg></svg>") == "<svg></svg>"
