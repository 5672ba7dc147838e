"""The paper's table 2: what each stage of the funnel left of the markets, from the manifest."""

from itertools import pairwise

from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.table import Cell, Column, Table


def funnel(question_set: QuestionSet) -> Table | None:
    """The funnel of a set, None where its manifest has none."""
    stages = question_set.manifest.funnel
    if not isinstance(stages, list):
        return None
    counts: list[tuple[str, int]] = []
    for stage in stages:
        if isinstance(stage, dict):
            left = stage.get("left")
            if isinstance(left, int):
                counts.append((str(stage.get("stage", "")), left))
    if not counts:
        return None
    rows: list[dict[str, Cell]] = [{"stage": counts[0][0], "left": counts[0][1]}]
    rows += [{"stage": name, "left": left, "dropped": before - left} for (_, before), (name, left) in pairwise(counts)]
    columns = (
        Column("stage", "Stage"),
        Column("left", "Left", "integer"),
        Column("dropped", "Dropped", "integer"),
    )
    return Table(
        f"funnel_{question_set.digest[:6]}",
        f"From all markets to {question_set.name}",
        columns,
        tuple(rows),
        (),
        "Table 2",
    )
