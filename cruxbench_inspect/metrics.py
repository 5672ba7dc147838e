"""Metrics of the benchmark. They are registered, so that an edited log can be recomputed anywhere."""

from inspect_ai.scorer import Metric, SampleScore, metric


@metric(name="p_above_random")
def p_above_random() -> Metric:
    """One-sided p value of the paired t-test that scores lie above the random-timing baseline.

    For scores that are differences to it, one per question; NaN with fewer than two of them.
    """

    def metric(scores: list[SampleScore]) -> float:
        # Every start of Inspect loads this module: SciPy only when there is something to compute.
        from cruxbench_inspect.statistics import one_sided_p

        return one_sided_p([score.score.as_float() for score in scores])

    return metric
