"""Cruxes of one question: the table, and the price with every model's resolution."""

from cruxbench_inspect.report.case_samples import read_case_samples
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.tables.questions import question_table, telling_questions


def cases(material: Material) -> list[Table | Figure]:
    """The questions on which models differ most, each with its table and, where prices are known, its figure."""
    study = material.study
    made: list[Table | Figure] = []
    for key in telling_questions(study, material.cases):
        samples = read_case_samples(study, material.shown, key)
        table = question_table(study, key, samples, material.shown)
        if material.figures:
            # Altair takes a second to load, which tables alone do not need.
            from cruxbench_inspect.report.price_figures import price_figures

            made += price_figures(study, material.shown, key, samples, f"price_{table.name}")
        made.append(table)
    return made
