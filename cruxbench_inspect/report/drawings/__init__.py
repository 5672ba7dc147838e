"""The figures of a study: what each of them shows, from entries and scores."""

from cruxbench_inspect.report.drawings.contamination import leads_over_cutoffs
from cruxbench_inspect.report.drawings.costs import cost_of_information
from cruxbench_inspect.report.drawings.differences import differences
from cruxbench_inspect.report.drawings.estimators import estimator_variances
from cruxbench_inspect.report.drawings.funnels import funnels
from cruxbench_inspect.report.drawings.gains import gains
from cruxbench_inspect.report.drawings.martingale import martingale_check
from cruxbench_inspect.report.drawings.scores import (
    against_capability,
    against_forecasters,
    against_own_forecasts,
    means,
)
from cruxbench_inspect.report.drawings.timings import timings
from cruxbench_inspect.report.drawings.widths import widths

__all__ = [
    "against_capability",
    "against_forecasters",
    "against_own_forecasts",
    "cost_of_information",
    "differences",
    "estimator_variances",
    "funnels",
    "gains",
    "leads_over_cutoffs",
    "martingale_check",
    "means",
    "timings",
    "widths",
]
