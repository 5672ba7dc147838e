"""How question sets were chosen."""

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.funnel import FunnelStage, funnel
from cruxbench_inspect.report.material import Material


def funnels(material: Material) -> list[Figure]:
    """What each stage of the funnel left, for every question set that has one."""
    tables = material.funnels
    if not tables:
        raise ValueError("The funnel as a figure: no manifest of these question sets has one.")
    # A set's name may be another's, too; the names of tables have its digest.
    titles = [table.title for table in tables]
    return [
        funnel(
            [FunnelStage(str(row["stage"]), int(left)) for row in table.rows if isinstance(left := row["left"], int)],
            name="funnel" if len(tables) == 1 else table.name,
            title=table.title
            if titles.count(table.title) == 1
            else f"{table.title} ({table.name.removeprefix('funnel_')})",
        )
        for table in tables
    ]
