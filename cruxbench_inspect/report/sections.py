"""What a report's sections have in them, in their order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cruxbench_inspect.report.cases import cases
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.likeness import likeness
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.tables.breakdowns import breakdowns
from cruxbench_inspect.report.tables.comparisons import comparisons
from cruxbench_inspect.report.tables.contamination import contamination
from cruxbench_inspect.report.tables.correlations import correlations
from cruxbench_inspect.report.tables.costs import costs
from cruxbench_inspect.report.tables.direction_and_timing import direction_and_timing
from cruxbench_inspect.report.tables.estimators import estimators
from cruxbench_inspect.report.tables.failure_modes import failure_modes
from cruxbench_inspect.report.tables.forecasts import forecasts
from cruxbench_inspect.report.tables.informativeness import informativeness_of_cruxes
from cruxbench_inspect.report.tables.intervals import intervals
from cruxbench_inspect.report.tables.martingale import martingale_fit, martingale_table
from cruxbench_inspect.report.tables.measures import measures
from cruxbench_inspect.report.tables.nulls import matched_nulls
from cruxbench_inspect.report.tables.robustness import robustness
from cruxbench_inspect.report.tables.value_of_information import value_of_information

Part = Callable[[Material], Sequence[Table | Figure]]
"""Makes tables and figures; raises ValueError, with a sentence, where there is nothing to make them of."""


@dataclass(frozen=True)
class Plan:
    """A section that is to be made.

    Attributes:
        name: Its anchor.
        title: Its heading.
        text: What stands before its parts.
        tables: What makes its tables.
        figures: Names of the functions in ``drawings`` that draw its figures: those alone load Altair.
        published: Whether a leaderboard has it, too.
    """

    name: str
    title: str
    text: str
    tables: tuple[Part, ...] = ()
    figures: tuple[str, ...] = ()
    published: bool = False


def _table_of_pairs(material: Material) -> list[Table]:
    if len(material.study.labels) < 2:
        raise ValueError("With one model there are no differences between models.")
    return [comparisons(material.study, material.pairs)]


def _funnels(material: Material) -> list[Table]:
    if not material.funnels:
        raise ValueError("Table 2, the funnel: no manifest of these question sets has one.")
    return material.funnels


PLANS: tuple[Plan, ...] = (
    Plan(
        "result",
        "Result",
        "VOI is how far the market's price moved when the answer to a model's crux became known, in bits. **Random "
        "timing** is what an answer at any hour of the window would score, the **oracle** one at the best hour.",
        (lambda m: [value_of_information(m.study)], lambda m: [correlations(m.study)]),
        ("means", "against_capability"),
        published=True,
    ),
    Plan("differences", "Which models differ", "", (_table_of_pairs,), ("differences",), published=True),
    Plan(
        "robustness",
        "How sure it is",
        "",
        (
            lambda m: [intervals(m.study)],
            lambda m: [robustness(m.study, m.widths)],
            lambda m: [matched_nulls(m.study, m.widths)],
            lambda m: [measures(m.study, m.widths if m.widths.questions and m.study.has_one_width else None)],
        ),
        ("widths",),
        published=True,
    ),
    Plan(
        "contamination",
        "What models may have known",
        "",
        (lambda m: [contamination(m.study, m.lead_groups)],),
        ("leads_over_cutoffs",),
        published=True,
    ),
    Plan(
        "cruxes",
        "Cruxes",
        "",
        (
            lambda m: [failure_modes(m.study)],
            lambda m: [direction_and_timing(m.study)],
            lambda m: [informativeness_of_cruxes(m.study)],
        ),
        ("timings",),
    ),
    Plan("likeness", "How alike cruxes are", "", (likeness,)),
    Plan("breakdowns", "Where scores come from", "", (lambda m: breakdowns(m.study, m.groups),), ("gains",)),
    Plan(
        "forecasts",
        "Cruxes and forecasts",
        "",
        (lambda m: [forecasts(m.study)],),
        ("against_own_forecasts", "against_forecasters"),
    ),
    Plan(
        "prices",
        "Prices as beliefs",
        "",
        (lambda m: [martingale_table(martingale_fit(m.study))],),
        ("martingale_check",),
    ),
    Plan("costs", "Cost", "", (lambda m: [costs(m.study, m.costs)],), ("cost_of_information",)),
    Plan("questions", "Questions", "", (_funnels,), ("funnels",)),
    Plan(
        "cases",
        "Cruxes of one question",
        "The questions whose scores differ most between models, and are highest.",
        (cases,),
    ),
    Plan(
        "estimators",
        "Why KL",
        "This simulation does not depend on the logs.",
        (lambda m: [estimators()],),
        ("estimator_variances",),
    ),
)
