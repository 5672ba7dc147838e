"""What chance and hindsight score, by question."""

import polars as pl

from cruxbench_inspect.report.gathering.study import Study


def common_baselines(study: Study) -> tuple[list[float], list[float]]:
    """Random timing and oracle of all questions, in bits; none where scores of several widths have none in common."""
    if not study.has_one_width:
        return [], []
    return list(baseline_values(study, "random_kl").values()), list(baseline_values(study, "oracle_kl").values())


def baseline_values(study: Study, key: str) -> dict[str, float]:
    """A baseline of every question that any entry has it for.

    Args:
        study: The study.
        key: ``random_kl`` or ``oracle_kl``, in bits.

    Returns:
        By question. Of entries that were scored with different prices the first one's counts.
    """
    known = study.scores.filter(pl.col(key).is_not_nan()).sort("question", "entry").unique("question", keep="first")
    return dict(known.sort("question").select("question", key).iter_rows())
