"""Rows of every kind of figure, seeded, the size of a run of eight models over 293 questions."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial

import numpy as np

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import (
    breakdown,
    contamination,
    cost,
    estimator_variance,
    funnel,
    martingale,
    named_points,
    paired_differences,
    price_history,
    similarity_disagreement,
    similarity_heat_map,
    timing,
    voi_against_capability,
    voi_by_model,
    width_correlations,
    width_robustness,
)

MODELS = (
    "claude-opus-4-6",
    "gemini-3.1-pro-preview",
    "gpt-5.4",
    "deepseek-v3.1",
    "qwen3-235b-a22b",
    "llama-3.3-70b",
    "llama-3.1-8b",
    "gpt-3.5-turbo",
)
MEANS = (0.0158, 0.0136, 0.0129, 0.0117, 0.0115, 0.0105, 0.0100, 0.0088)
MEASURES = ("KL (bits)", "Entropy reduction (bits)", "Absolute change", "Squared change")
START = datetime(2025, 11, 3, tzinfo=UTC)
NAN = float("nan")

ODD_NAMES = (
    """"quoted" 'name' \\ back""",
    "<script>alert(1)</script> & more",
    "a very long name " * 12,
    "模型 — naïve ☃ 🦀",
    "vendor/model[0].x:y`*_",
    "",
)


DOUBTS: Mapping[str, str] = {
    MODELS[1]: "may have known what happened in 14 of its windows",
    MODELS[4]: "was scored on 200 of 293 questions (68.3%, and 95% are wanted), so it has no rank",
}


def model_means() -> list[voi_by_model.ModelMean]:
    return [
        voi_by_model.ModelMean(model, mean, mean - 0.0061, mean + 0.0061, 293, "**" if mean > 0.015 else "")
        for model, mean in zip(MODELS, MEANS, strict=True)
    ]


def model_points(across: Sequence[float]) -> list[named_points.ModelPoint]:
    return [
        named_points.ModelPoint(row.model, value, row.mean, row.low, row.high)
        for row, value in zip(model_means(), across, strict=True)
    ]


def scored_models() -> list[named_points.ModelPoint]:
    return model_points((155.2, 154.1, 153.0, 139.8, 137.5, 128.1, 118.6, 110.2))


def costed_models() -> list[named_points.ModelPoint]:
    return model_points((0.81, 0.22, 0.31, 0.012, 0.008, 0.009, NAN, 0.002))


def similarity_groups(scale: float = 1.0) -> list[similarity_disagreement.SimilarityGroup]:
    values = (0.41, 0.38, 0.33, 0.27, 0.16)
    return [
        similarity_disagreement.SimilarityGroup(
            f"{0.4 + 0.1 * i:.1f}–{0.5 + 0.1 * i:.1f}",
            0.4 + 0.1 * i,
            0.5 + 0.1 * i,
            312 * (i + 1),
            value * scale,
            ((value - 0.04) * scale, (value + 0.04) * scale),
        )
        for i, value in enumerate(values)
    ]


def similarity_panels() -> list[similarity_disagreement.SimilarityPanel]:
    panel = similarity_disagreement.SimilarityPanel
    return [
        panel("Different outcome", similarity_groups()),
        panel("Median difference of resolution dates (days)", similarity_groups(20), share=False),
        panel("Same numeric threshold", similarity_groups(0.5)),
        panel("Same kind of source", similarity_groups(1.7)),
    ]


def model_pairs() -> list[similarity_heat_map.ModelPair]:
    rng = np.random.default_rng(1)
    return [
        similarity_heat_map.ModelPair(model, other, float(rng.uniform(0.6, 0.9)), 280)
        for i, model in enumerate(MODELS)
        for other in MODELS[i + 1 :]
    ]


@cache
def beliefs(count: int = 2088) -> tuple[tuple[float, ...], tuple[float, ...]]:
    rng = np.random.default_rng(2)
    before = rng.beta(0.6, 1.2, count)
    after = np.clip(before + rng.normal(0, 0.25, count) * before * (1 - before), 0.001, 0.999)
    return tuple(before.tolist()), tuple(after.tolist())


def martingale_fit() -> martingale.MartingaleFit:
    deciles = [martingale.DecileMean(0.05 + 0.1 * i, 0.052 + 0.1 * i, 208) for i in range(10)]
    return martingale.MartingaleFit(0.9987, 0.0002, 0.962, deciles, (0.985, 1.012))


@cache
def history() -> price_history.PriceHistory:
    rng = np.random.default_rng(3)
    hours = 30 * 24 + 2 * 96
    moves = np.where(rng.random(hours) < 0.3, rng.normal(0, 0.012, hours), 0)
    moves[500] = 0.25
    raw = np.round(np.clip(0.35 + np.cumsum(moves), 0.02, 0.98), 3)
    trusted = np.array([raw[max(0, hour - 6) : hour + 1].mean() for hour in range(hours)])
    return price_history.PriceHistory(
        "Will the central bank cut its rate at the December meeting?",
        START - timedelta(hours=96),
        raw.tolist(),
        trusted.tolist(),
        START,
        START + timedelta(hours=30 * 24 - 1),
    )


def resolutions() -> list[price_history.ModelResolution]:
    rows = []
    for i, model in enumerate(MODELS):
        time = START + timedelta(days=29, hours=23, minutes=59) if i % 3 else START + timedelta(days=16, hours=20)
        rows.append(
            price_history.ModelResolution(
                model,
                f"Will inflation in October be above {2 + i / 10:.1f}% when it is published?",
                None if i == 6 else time,
                "Yes" if i % 3 == 0 else "No",
                "no_deadline" if i % 3 else "yes_event",
                "deadline" if i % 3 else "stated",
                0.412,
                0.655 - i / 100,
                0.1741 - i / 100,
                "Statistics office: inflation at 2.9%",
            )
        )
    return rows


@cache
def width_means() -> list[width_robustness.WidthValue]:
    rng = np.random.default_rng(4)
    names = (*MODELS, width_robustness.RANDOM_TIMING)
    rows = []
    for place, measure in enumerate(MEASURES):
        for i, name in enumerate(names):
            level = 0.016 - 0.001 * i + 0.001 * place
            for width in range(1, 49):
                value = level * (0.4 + 0.6 * width / 48) + float(rng.normal(0, 0.0002))
                rows.append(width_robustness.WidthValue(measure, name, width, value))
    return rows


@cache
def width_ranks() -> list[width_robustness.WidthValue]:
    cells: dict[tuple[str, int], list[width_robustness.WidthValue]] = {}
    for row in width_means():
        if row.model != width_robustness.RANDOM_TIMING:
            cells.setdefault((row.measure, row.width), []).append(row)
    return [
        width_robustness.WidthValue(row.measure, row.model, row.width, float(rank))
        for cell in cells.values()
        for rank, row in enumerate(sorted(cell, key=lambda row: -row.value), 1)
    ]


def width_correlations_rows() -> list[width_correlations.WidthCorrelation]:
    return [
        width_correlations.WidthCorrelation(
            measure, width, 0.9 - 0.1 * i - 0.3 / width, 0.5 - 0.1 * i - 0.3 / width, 0.97 - 0.01 * i
        )
        for i, measure in enumerate(MEASURES)
        for width in range(1, 49)
    ]


def variance_ratios() -> list[estimator_variance.VarianceRatio]:
    rng = np.random.default_rng(5)
    pairs = ("beta(2,2)/beta(2,2)", "beta(2,5)/beta(5,2)", "beta(5,2)/beta(2,5)", "beta(5,5)/beta(5,5)",
             "jeffreys/uniform", "beta(2,5)/uniform")  # fmt: skip
    return [
        estimator_variance.VarianceRatio(pair, a / 10, float(np.exp(rng.normal(0.4, 0.5))), a > 2)
        for pair in pairs
        for a in range(11)
    ]


def group_gains() -> list[breakdown.GroupGain]:
    rng = np.random.default_rng(6)
    return [
        breakdown.GroupGain(group, model, gain, gain - 0.008, gain + 0.008, 60)
        for group in ("yes_event", "no_deadline", "no_irreversible")
        for model in MODELS
        for gain in [float(rng.normal(0.004, 0.005))]
    ]


def stages() -> list[funnel.FunnelStage]:
    named = (("raw markets", 108101), ("price history ends in time", 87124), ("has a resolution", 86819),
             ("first of equal texts", 84043), ("resolved", 84035), ("has a Yes", 30524), ("final", 293))  # fmt: skip
    return [funnel.FunnelStage(name, left, f"Markets: {name}.") for name, left in named]


def differences() -> list[paired_differences.PairedDifference]:
    rows = []
    for i, model in enumerate(MODELS):
        for j in range(i + 1, len(MODELS)):
            gap = MEANS[i] - MEANS[j]
            p = 0.0004 if gap > 0.0065 else min(1.0, 0.004 / gap / 8)
            rows.append(
                paired_differences.PairedDifference(model, MODELS[j], gap, gap - 0.004, gap + 0.004, p, 293 - j)
            )
    return rows


@cache
def timings() -> list[timing.ResolutionTiming]:
    rng = np.random.default_rng(7)
    rows = []
    for i, model in enumerate(MODELS):
        for number in range(293):
            lead = 29.99 if rng.random() < 0.6 else float(rng.uniform(0, 30))
            kl = float(np.round(rng.exponential(0.01) ** 1.5, 6)) if rng.random() < 0.8 else 0.0
            rows.append(
                timing.ResolutionTiming(model, f"question-{number:03}", float(rng.beta(1.3, 1 + 0.03 * i)), lead, kl)
            )
    return rows


@cache
def leads() -> list[contamination.CutoffLead]:
    rng = np.random.default_rng(8)
    cutoffs = (0, 9, 1, 2, 3, 23, 23, 50)
    return [
        contamination.CutoffLead(model, float(rng.uniform(-1, 5)) + after, float(rng.exponential(0.012)))
        for model, after in zip(MODELS, cutoffs, strict=True)
        for _ in range(293)
    ]


RANDOM_TIMING = voi_by_model.ReferenceMean(0.0073, 0.006, 0.009)
ORACLE = voi_by_model.ReferenceMean(0.129, 0.1, 0.157)

IN_DOUBT: dict[str, Callable[[Mapping[str, str]], Figure]] = {
    "voi_by_model": lambda doubts: voi_by_model.voi_by_model(model_means(), RANDOM_TIMING, ORACLE, doubts=doubts),
    "voi_against_capability": lambda doubts: voi_against_capability.voi_against_capability(
        scored_models(), doubts=doubts
    ),
    "cost": lambda doubts: cost.cost(costed_models(), doubts=doubts),
    "means_by_width": lambda doubts: width_robustness.means_by_width(width_means(), models=MODELS, doubts=doubts),
    "ranks_by_width": lambda doubts: width_robustness.ranks_by_width(width_ranks(), models=MODELS, doubts=doubts),
    "breakdown": lambda doubts: breakdown.breakdown(
        group_gains(), by="Resolution rule", name="breakdown", models=MODELS, doubts=doubts
    ),
    "paired_differences": lambda doubts: paired_differences.paired_differences(
        differences(), models=MODELS, doubts=doubts
    ),
    "timing_percentiles": lambda doubts: timing.timing_percentiles(timings(), models=MODELS, doubts=doubts),
    "kl_by_lead_time": lambda doubts: timing.kl_by_lead_time(timings(), models=MODELS, doubts=doubts),
    "contamination": lambda doubts: contamination.contamination(leads(), models=MODELS, doubts=doubts),
}
"""Every figure that compares models by a score, from realistic rows and doubts, by its name."""

FIGURES: dict[str, Callable[[], Figure]] = {
    **{name: partial(made, DOUBTS) for name, made in IN_DOUBT.items()},
    "similarity_disagreement": lambda: similarity_disagreement.similarity_disagreement(similarity_panels()),
    "similarity_heat_map": lambda: similarity_heat_map.similarity_heat_map(model_pairs(), models=MODELS),
    "martingale": lambda: martingale.martingale(*beliefs(), martingale_fit()),
    "price_history": lambda: price_history.price_history(history(), resolutions(), models=MODELS),
    "capability_by_width": lambda: width_correlations.capability_by_width(width_correlations_rows()),
    "ranking_by_width": lambda: width_correlations.ranking_by_width(width_correlations_rows()),
    "estimator_variance": lambda: estimator_variance.estimator_variance(variance_ratios()),
    "funnel": lambda: funnel.funnel(stages()),
}
"""Every figure, from realistic rows, by its name."""
