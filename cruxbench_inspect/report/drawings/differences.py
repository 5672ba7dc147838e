"""Paired differences as a matrix."""

import math

from cruxbench_inspect.inference.corrections import holm
from cruxbench_inspect.report.drawings.entries import doubts_of
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.paired_differences import PairedDifference, paired_differences
from cruxbench_inspect.report.material import Material


def differences(material: Material) -> list[Figure]:
    """Paired differences as a matrix."""
    corrected = holm([one.p for _, _, one in material.pairs])
    found = [
        PairedDifference(first, second, one.mean, *one.interval, p, one.count)
        for (first, second, one), p in zip(material.pairs, corrected, strict=True)
        if {first, second} <= {*material.shown}
    ]
    if not found:
        raise ValueError("With one model there is no matrix of differences.")
    if all(math.isnan(one.difference) for one in found):
        raise ValueError("Paired differences: no two models have scores for the same question.")
    return [paired_differences(found, models=material.shown, doubts=doubts_of(material.study))]
