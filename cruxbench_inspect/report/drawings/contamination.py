"""What models may have known."""

import polars as pl

from cruxbench_inspect.report.drawings.entries import doubts_of
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.contamination import CutoffLead, contamination
from cruxbench_inspect.report.material import Material

_MONTH = 30.44  # days


def leads_over_cutoffs(material: Material) -> list[Figure]:
    """VOI by how long after the knowledge cutoff a window begins."""
    study = material.study
    found = []
    for label in material.shown:
        until = study.facts[label].cutoff_end
        if until is None:
            continue
        rows = study.scored(label).filter(pl.col("window_start").is_not_null())
        for start, voi in rows.select("window_start", "voi_kl").iter_rows():
            found.append(CutoffLead(label, (start.date() - until).days / _MONTH, voi))
    if not found:
        raise ValueError("VOI by lead over the knowledge cutoff: no cutoff is known; give them with --models.")
    return [contamination(found, models=material.shown, doubts=doubts_of(study))]
