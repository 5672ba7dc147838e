"""When cruxes resolve."""

import polars as pl

from cruxbench_inspect.report.drawings.entries import doubts_of
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.timing import ResolutionTiming, kl_by_lead_time, timing_percentiles
from cruxbench_inspect.report.material import Material

_DAY = 86_400.0


def timings(material: Material) -> list[Figure]:
    """Timing percentiles and KL by lead time."""
    rows = material.study.samples.filter(
        pl.col("entry").is_in(material.shown),
        pl.col("resolved_at").is_not_null(),
        pl.col("window_start").is_not_null(),
        pl.col("timing_percentile").is_not_nan(),
    )
    found = [
        ResolutionTiming(
            row["entry"],
            row["question"],
            row["timing_percentile"],
            (row["resolved_at"] - row["window_start"]).total_seconds() / _DAY,
            row["voi_kl"],
        )
        for row in rows.iter_rows(named=True)
    ]
    if not found:
        raise ValueError("Timing of resolutions: no crux was resolved.")
    models, doubts = material.shown, doubts_of(material.study)
    return [
        timing_percentiles(found, models=models, doubts=doubts),
        kl_by_lead_time(found, models=models, doubts=doubts),
    ]
