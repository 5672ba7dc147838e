"""The martingale check of prices."""

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.martingale import DecileMean, MartingaleFit, martingale
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.tables.martingale import beliefs, martingale_fit


def martingale_check(material: Material) -> list[Figure]:
    """The paper's figure 5."""
    fit = martingale_fit(material.study)
    rows = beliefs(material.study)
    deciles = [DecileMean(one.mean_before, one.mean_after, one.count) for one in fit.deciles]
    shown = MartingaleFit(fit.slope, fit.intercept, fit.r2, deciles, fit.slope_interval)
    return [martingale(rows["p_before"].to_list(), rows["p_after"].to_list(), shown)]
