"""Why KL: the simulation of two estimators."""

import math

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.estimator_variance import VarianceRatio, estimator_variance
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.tables.estimators import comparisons_of_estimators


def estimator_variances(material: Material) -> list[Figure]:
    """The paper's figure 10."""
    return [
        estimator_variance(
            [
                VarianceRatio(f"{pair.prior} / {pair.noise}", cell.alpha, cell.variance_ratio, cell.f_p < 0.05)
                for pair in comparisons_of_estimators()
                for cell in pair.cells
                if not math.isnan(cell.variance_ratio)
            ]
        )
    ]
