"""Drawing of figures in tests."""

from collections.abc import Callable

import pytest
import vl_convert

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.vega_lite import CONTAINER

Draw = Callable[[Figure], str]


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
