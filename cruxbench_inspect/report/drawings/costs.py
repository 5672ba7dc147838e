"""What information costs."""

from cruxbench_inspect.report.drawings.entries import doubts_of, point, scored_entries
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.cost import cost
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.tables.costs import usd_per_question


def cost_of_information(material: Material) -> list[Figure]:
    """Mean VOI against what a question costs."""
    usd = usd_per_question(material.study, material.costs)
    rows = scored_entries(material.study)
    if not any(usd[row.label] for row in rows):
        raise ValueError("VOI against cost: no price of a model is known; give them with --prices.")
    return [cost([point(row, usd[row.label]) for row in rows], doubts=doubts_of(material.study))]
