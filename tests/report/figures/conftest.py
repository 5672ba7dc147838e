"""Drawing of figures in tests."""

from collections.abc import Callable
from functools import cache

import pytest
import vl_convert

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.vega_lite import CONTAINER
from tests.report.figures.sample_rows import FIGURES

Draw = Callable[[Figure], str]
Built = Callable[[str], Figure]
Drawn = Callable[[str], str]


@pytest.fixture(scope="session")
def draw() -> Draw:
    """A function that draws a figure as SVG, 640 pixels wide where it would fit its container."""

    def drawn(figure: Figure) -> str:
        spec = dict(figure.spec)
        if spec.get("width") == CONTAINER:
            spec["width"] = 640
        svg: str = vl_convert.vegalite_to_svg(spec)
        return svg

    return drawn


@pytest.fixture(scope="session")
def built() -> Built:
    """A function that makes a figure of ``FIGURES``, once."""
    return cache(lambda name: FIGURES[name]())


@pytest.fixture(scope="session")
def drawn(built: Built, draw: Draw) -> Drawn:
    """A function that draws a figure of ``FIGURES``, once."""
    return cache(lambda name: draw(built(name)))
