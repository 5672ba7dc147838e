"""What a report consists of, before it is written as a page or as files."""

from dataclasses import dataclass

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.table import Table


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes:
        name: Its anchor: small letters and underscores.
        title: Its heading.
        text: Paragraphs before its parts, in markdown without links or raw HTML; blank lines part them.
        parts: Tables and figures in their order.
        missing: Why a table or a figure that belongs here is not there, one sentence each.
    """

    name: str
    title: str
    text: str = ""
    parts: tuple[Table | Figure, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """A report.

    Attributes:
        title: Its title.
        lead: The result in one or two sentences.
        sections: Its parts; the first one stands above the others.
        warnings: What a reader has to know before anything else, one sentence each.
        made_at: When it was made, as text in UTC.
        viewer: The address of a bundled log viewer beside the page, relative to it; None without one.
    """

    title: str
    lead: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...]
    made_at: str
    viewer: str | None = None

    @property
    def tables(self) -> list[Table]:
        """All tables."""
        return [part for section in self.sections for part in section.parts if isinstance(part, Table)]

    @property
    def figures(self) -> list[Figure]:
        """All figures."""
        return [part for section in self.sections for part in section.parts if isinstance(part, Figure)]
