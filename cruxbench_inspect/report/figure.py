"""A figure of a report: one Vega-Lite spec for the page and for all files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure.

    Attributes:
        name: Its name in file names and anchors: small letters and underscores.
        title: Its title, which is not in the spec.
        spec: A Vega-Lite spec with its data inside, without colours or fonts of its own but for scales by name: the
            theme is added where it is drawn.
        description: What it shows, for those who do not see it: one to three sentences with the numbers that matter.
        caption: What is to be read off it, and how it was made; markdown without links.
        paper: What it is called in the paper, None where the paper has none.
    """

    name: str
    title: str
    spec: Mapping[str, Any]
    description: str
    caption: str = ""
    paper: str | None = None
