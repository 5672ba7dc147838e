"""What tables and figures are made of; what several of them need is computed once."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.tables.breakdowns import Group, breakdown_groups
from cruxbench_inspect.report.tables.comparisons import Pair, pairs
from cruxbench_inspect.report.tables.contamination import LeadGroup, lead_groups
from cruxbench_inspect.report.tables.costs import RoleCost, role_costs
from cruxbench_inspect.report.tables.funnel import funnel
from cruxbench_inspect.report.widths import WidthScores

if TYPE_CHECKING:
    from cruxbench_inspect.report.embeddings.asking import Embeddings

MOST_SHOWN = 12
"""How many entries figures tell apart."""


@dataclass(frozen=True, eq=False)
class Material:
    """The material of a report.

    Attributes:
        study: Entries and their scores.
        widths: Their scores at all widths, as far as prices are known.
        prices: What models and searches cost.
        cases: How many questions are shown one by one.
        embeddings: Embeddings of the cruxes that are compared, None where none were asked for.
        figures: Whether figures are drawn.
    """

    study: Study
    widths: WidthScores
    prices: PriceList
    cases: int
    embeddings: "Embeddings | None" = None
    figures: bool = True

    @property
    def shown(self) -> list[str]:
        """The entries that figures with a part for each of them show: the first ones, as more cannot be told apart."""
        return self.study.labels[:MOST_SHOWN]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Paired differences of the first entries."""
        return pairs(self.study)

    @cached_property
    def groups(self) -> list[Group]:
        """Scores by rule, precision, lead time and tag."""
        return breakdown_groups(self.study)

    @cached_property
    def lead_groups(self) -> list[LeadGroup]:
        """Scores by lead over the knowledge cutoff."""
        return lead_groups(self.study)

    @cached_property
    def costs(self) -> list[RoleCost]:
        """Costs by role."""
        return role_costs(self.study, self.prices)

    @cached_property
    def funnels(self) -> list[Table]:
        """The funnels of the question sets that have one."""
        return [table for loaded in self.study.sets.values() if (table := funnel(loaded)) is not None]
