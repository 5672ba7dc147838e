"""Links from tables to a bundled log viewer that stands beside the page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from cruxbench_inspect.report.gathering.run import Run, ScoredSample
from cruxbench_inspect.report.gathering.score_rows import told_sample
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Table

SAMPLE = "_sample"
"""The key of a row that names the question's id, so that its model's sample is linked and not the whole log."""

_LINK = "_link"


@dataclass(frozen=True)
class Viewer:
    """A bundled log viewer.

    Attributes:
        address: Of its page, relative to the report's.
        folder: Where it is.
    """

    address: str
    folder: Path

    @classmethod
    def beside(cls, folder: Path) -> "Viewer | None":
        """The viewer in a report's folder, or in the folder around it; None where there is none."""
        places = {"viewer/index.html": folder / "viewer", "../viewer/index.html": folder.parent / "viewer"}
        return next((cls(name, place) for name, place in places.items() if (place / "index.html").is_file()), None)


def with_links(table: Table, study: Study, viewer: Viewer) -> Table:
    """A table whose rows of one model each link to its log, or to its sample where rows name one.

    Logs that the viewer does not have are not linked.
    """
    logs = {
        entry.label: [(Path(run.location).name, _told_epochs(run)) for run in entry.runs] for entry in study.entries
    }

    def linked(row: Mapping[str, Cell]) -> Mapping[str, Cell]:
        sample = row.get(SAMPLE)
        for file, epochs in logs.get(str(row.get("model")), []):
            if (sample is None or sample in epochs) and (viewer.folder / "logs" / file).is_file():
                place = "" if sample is None else f"/samples/sample/{quote(str(sample), safe='')}/{epochs[str(sample)]}"
                return {**row, _LINK: f"{viewer.address}#/logs/{quote(file)}{place}"}
        return row

    return replace(table, rows=tuple(map(linked, table.rows)))


def _told_epochs(run: Run) -> dict[str, int]:
    """The epoch of each question whose words tables tell, by question id."""
    by_question: dict[str, list[ScoredSample]] = {}
    for sample in run.samples:
        by_question.setdefault(sample.question_id, []).append(sample)
    return {question: told_sample(samples).epoch for question, samples in by_question.items()}
