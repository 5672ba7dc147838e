"""The entries of a study that figures compare by their scores."""

import math

from cruxbench_inspect.report.figures.doubts import Doubts
from cruxbench_inspect.report.figures.named_points import ModelPoint
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.tables.value_of_information import ModelRow, model_row


def scored_entries(study: Study) -> list[ModelRow]:
    """The numbers of all entries that have a score, the highest mean first."""
    return [row for row in (model_row(study, label) for label in study.labels) if not math.isnan(row.voi)]


def point(row: ModelRow, across: float | None) -> ModelPoint:
    """An entry's mean VOI against another number, None where that is unknown."""
    return ModelPoint(row.label, math.nan if across is None else across, row.voi, *row.interval)


def doubts_of(study: Study) -> Doubts:
    """What speaks against comparing entries, by label, and that they have no rank where they have none."""
    return {
        label: doubt if study.why_unranked(label) is None else f"{doubt}, so it has no rank"
        for label in study.labels
        if (doubt := study.doubts(label)) is not None
    }
