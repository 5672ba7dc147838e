"""What is drawn is what was given."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from scipy import stats

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
from cruxbench_inspect.report.figures.name_places import name_places
from tests.report.figures import sample_rows as rows
from tests.report.figures.conftest import Draw
from tests.report.figures.sample_rows import MODELS, NAN, START


def data(figure: Figure, name: str) -> list[Mapping[str, Any]]:
    drawn: list[Mapping[str, Any]] = figure.spec["datasets"][name]
    return drawn


def test_means_are_sorted_and_between_chance_and_oracle() -> None:
    given = rows.model_means()[::-1]
    figure = voi_by_model.voi_by_model(given, rows.RANDOM_TIMING, rows.ORACLE)
    drawn = data(figure, "models")
    assert [row["model"] for row in drawn] == list(MODELS)
    assert [row["mean"] for row in drawn] == list(rows.MEANS)
    assert [row["low"] for row in drawn] == pytest.approx([mean - 0.0061 for mean in rows.MEANS], rel=1e-4)
    assert "claude-opus-4-6 at 0.016 [0.010, 0.022]" in figure.description
    assert "Random timing scores 0.007 [0.006, 0.009]; the oracle scores 0.129 [0.100, 0.157]." in figure.description
    assert {row["name"]: row["label"] for row in data(figure, "references")} == {
        "Oracle": "Oracle 0.129, beyond this axis →",
        "Random timing": "Random timing 0.007",
    }


def test_an_oracle_within_reach_is_a_line() -> None:
    near = voi_by_model.ReferenceMean(0.02, 0.019, 0.021)
    figure = voi_by_model.voi_by_model(rows.model_means(), oracle=near)
    assert data(figure, "references")[0]["label"] == "Oracle 0.020"
    marks = [layer["mark"]["type"] for layer in figure.spec["layer"] if layer["data"]["name"] == "references"]
    assert marks == ["rect", "rule", "text"]


def test_missing_means_are_counted() -> None:
    figure = voi_by_model.voi_by_model([*rows.model_means(), voi_by_model.ModelMean("none", NAN, NAN, NAN, 0)])
    assert len(data(figure, "models")) == 8
    assert "Left out: 1 of 9 models without a value." in figure.caption


def test_correlation_and_line_are_those_of_scipy() -> None:
    given = rows.scored_models()
    figure = voi_against_capability.voi_against_capability(given)
    scores, means = [row.across for row in given], [row.mean for row in given]
    result = stats.pearsonr(scores, means)
    z, half = np.arctanh(result.statistic), stats.norm.ppf(0.975) / np.sqrt(len(given) - 3)
    label = f"r = {result.statistic:.2f} [{np.tanh(z - half):.2f}, {np.tanh(z + half):.2f}], n = 8"
    assert label in figure.description
    assert label in data(figure, "note")[0]["text"]
    fit = stats.linregress(scores, means)
    ends = data(figure, "fitted_line")
    assert [row["mean"] for row in ends] == pytest.approx(
        [fit.intercept + fit.slope * row["score"] for row in ends], rel=1e-3
    )
    assert [(row["score"], row["mean"]) for row in data(figure, "models")] == list(zip(scores, means, strict=True))


def test_a_name_evades_names_points_and_bars() -> None:
    heights, right = name_places(["one", "other"], [0.5, 0.52], [0.5, 0.5], (0, 1), [(NAN, NAN), (NAN, NAN)])
    assert (heights, right) == ([0.5, 0.5], [False, True])
    # The bar of the second crosses all places to the right of the first.
    _, right = name_places(["one", "far"], [0.5, 0.55], [0.5, 0.1], (0, 1), [(NAN, NAN), (0, 1)])
    assert right == [False, True]
    _, right = name_places(["one", "far"], [0.5, 0.55], [0.5, 0.1], (0, 1), [(NAN, NAN), (0, 0.2)])
    assert right == [True, True]


def test_the_same_figure_shows_forecasts() -> None:
    figure = voi_against_capability.voi_against_capability(
        rows.scored_models(), score_title="Brier score (lower is better)", name="voi_against_brier", paper=None
    )
    assert (figure.name, figure.paper) == ("voi_against_brier", None)
    assert 'against "Brier score (lower is better)"' in figure.description


@pytest.mark.parametrize(("count", "text"), [(1, "fewer than two"), (2, "from 2 models"), (3, "r = ")])
def test_few_models_have_no_correlation(count: int, text: str) -> None:
    figure = voi_against_capability.voi_against_capability(rows.scored_models()[:count])
    assert text in figure.description
    assert len(data(figure, "fitted_line")) == (0 if count == 1 else 2)
    assert "nan" not in figure.description


def test_models_without_a_cost_are_named() -> None:
    figure = cost.cost([*rows.costed_models(), named_points.ModelPoint("free", 0.0, 0.1, NAN, NAN)])
    assert {row["model"]: row["cost"] for row in data(figure, "models")} == {
        row.model: row.across for row in rows.costed_models() if row.across > 0
    }
    assert "Not shown, for lack of a known cost above 0: `llama-3.1-8b` and `free`." in figure.caption
    assert "claude-opus-4-6 at $0.81 scores 0.016" in figure.description


def test_similarity_groups_are_drawn_in_their_order() -> None:
    panels = rows.similarity_panels()
    groups = panels[0].groups
    turned = similarity_disagreement.SimilarityPanel(panels[0].title, groups[::-1])
    empty = similarity_disagreement.SimilarityPanel("Nothing", [])
    figure = similarity_disagreement.similarity_disagreement([turned, empty, *panels[1:]])
    assert [(row["group"], row["value"], row["count"]) for row in data(figure, "panel_1")] == [
        (group.label, group.value, group.count) for group in groups
    ]
    assert [row["high"] for row in data(figure, "panel_1")] == pytest.approx([group.interval[1] for group in groups])
    assert "Different outcome: 41% [37%, 45%] at 0.4–0.5, 16% [12%, 20%] at 0.8–0.9" in figure.description
    assert "Nothing has no values." in figure.caption


def test_bars_are_promised_for_panels_that_have_them() -> None:
    group = similarity_disagreement.SimilarityGroup
    shares = similarity_disagreement.SimilarityPanel("Answers", [group("a", 0, 1, 9, 0.5, (0.2, 0.8))])
    days = similarity_disagreement.SimilarityPanel("Days", [group("a", 0, 1, 9, 3.0, (NAN, NAN))], share=False)
    for panels, told in (
        ([shares], "Bars are 95% intervals (Wilson's)."),
        ([shares, days], "Bars are 95% intervals (Wilson's); there are none for “Days”."),
    ):
        figure = similarity_disagreement.similarity_disagreement(panels)
        assert figure.caption.endswith(told)
        assert data(figure, "panel_1")[0]["interval"] == "50.0% [20.0%, 80.0%]"
    assert "Bars" not in similarity_disagreement.similarity_disagreement([days]).caption


def test_the_heat_map_is_a_triangle_in_the_order_of_models() -> None:
    given = [similarity_heat_map.ModelPair(pair.other, pair.model, pair.similarity, 5) for pair in rows.model_pairs()]
    figure = similarity_heat_map.similarity_heat_map(given, models=MODELS)
    drawn = data(figure, "pairs")
    assert all(MODELS.index(row["column"]) < MODELS.index(row["row"]) for row in drawn)
    assert {(row["column"], row["row"]): row["similarity"] for row in drawn} == {
        (pair.model, pair.other): pytest.approx(pair.similarity, rel=1e-4) for pair in rows.model_pairs()
    }
    assert f"to {max(pair.similarity for pair in given):.2f}" in figure.description


def test_martingale_points_are_thinned_and_the_fit_is_told() -> None:
    before, after = rows.beliefs(5000)
    figure = martingale.martingale([*before, NAN], [*after, 0.5], rows.martingale_fit())
    points = data(figure, "points")
    assert len(points) == martingale.MOST_POINTS
    given = {(round(p, 3), round(q, 3)) for p, q in zip(before, after, strict=True)}
    assert {(row["before"], row["after"]) for row in points} <= given
    line = {row["before"]: row["after"] for row in data(figure, "lines") if row["line"] == "Fitted line"}
    assert line == {0.0: 0.0002, 1.0: 0.9989}
    assert "5,000 cruxes: slope 1.00 (95% interval 0.98 to 1.01), intercept +0.0002" in figure.description
    assert "within 0.2 percentage points" in figure.description
    assert "A random 3,000 of 5,000 points" in figure.caption
    assert "Left out: 1 of 5001" in figure.caption


def test_price_steps_give_back_every_hour() -> None:
    history = rows.history()
    figure = price_history.price_history(history, rows.resolutions(), models=MODELS)
    assert history.raw is not None
    for series, prices in (("Raw", history.raw), ("Trusted", history.trusted)):
        steps = {row["time"]: row["price"] for row in data(figure, "prices") if row["series"] == series}
        held, seen = None, []
        for hour in range(len(prices)):
            held = steps.get(f"{history.first + timedelta(hours=hour):%Y-%m-%dT%H:%M:%SZ}", held)
            seen.append(held)
        assert seen == [round(price, 3) for price in prices]
    assert data(figure, "window") == [{"time": "2025-11-03T00:00:00Z", "end": "2025-12-03T00:00:00Z"}]


def test_trusted_prices_alone_are_the_only_line_and_are_named() -> None:
    figure = price_history.price_history(replace(rows.history(), raw=None), rows.resolutions(), models=MODELS)
    assert {row["series"] for row in data(figure, "prices")} == {"Trusted"}
    told = json.dumps(figure.spec["layer"]) + figure.caption + figure.description
    assert "Trusted price of Yes" in told and "the question set has no raw ones" in told
    assert "dashed" not in told
    both = price_history.price_history(rows.history(), [])
    assert "dashed: raw" in both.caption and both.description.startswith("Price of Yes")


def test_every_resolution_has_its_lane() -> None:
    given = rows.resolutions()
    figure = price_history.price_history(rows.history(), given, models=MODELS)
    drawn = {row["model"]: row for row in data(figure, "resolutions")}
    assert list(drawn) == [row.model for row in given if row.time is not None]
    for row in given:
        if row.time is not None:
            assert drawn[row.model]["time"] == f"{row.time:%Y-%m-%dT%H:%M:%SZ}"
            assert (drawn[row.model]["crux"], drawn[row.model]["answer"]) == (row.crux, row.answer)
            assert drawn[row.model]["kl"] == pytest.approx(row.kl)
    assert len(data(figure, "moments")) == 2
    assert "Without a resolution time: `llama-3.1-8b`." in figure.caption
    assert "0.174 bits, from 0.412 to 0.655, at the resolution of claude-opus-4-6 (Yes)" in figure.description


def test_a_gap_in_prices_breaks_the_line() -> None:
    history = price_history.PriceHistory("U?", START, [0.5, NAN, 0.5], [0.5, 0.5, 0.5], START, START)
    figure = price_history.price_history(history, [])
    assert [row["price"] for row in data(figure, "prices") if row["series"] == "Raw"] == [0.5, None, 0.5]


def test_means_and_ranks_by_width_are_all_drawn() -> None:
    means, ranks = rows.width_means(), rows.width_ranks()
    figure = width_robustness.means_by_width(means, models=MODELS)
    drawn = {(row["measure"], row["model"], row["width"]): row["value"] for row in data(figure, "widths")}
    assert drawn == {(row.measure, row.model, row.width): pytest.approx(row.value, rel=1e-4) for row in means}
    bumps = width_robustness.ranks_by_width([*ranks, width_robustness.WidthValue("KL", "m", 3, NAN)], models=MODELS)
    assert len(data(bumps, "widths")) == len(ranks) == 4 * 8 * 48
    first = sum(row.value == 1 and row.model == MODELS[0] and row.measure == "KL (bits)" for row in ranks)
    assert f"KL (bits): {MODELS[0]} leads at {first} of 48 widths" in bumps.description
    assert f"Left out: 1 of {len(ranks) + 1} ranks" in bumps.caption


def test_the_baselines_line_is_thick_in_the_drawing(draw: Draw) -> None:
    few = [row for row in rows.width_means() if row.width in (1, 48) and row.model in (MODELS[0], "Random timing")]
    svg = draw(width_robustness.means_by_width(few, models=MODELS[:1]))
    widths = re.findall(r'<path aria-label="[^"]*Model: ([^";]*)[^>]* stroke-width="(\d)"', svg)
    assert set(widths) == {(MODELS[0], "2"), ("Random timing", "4")}


def test_correlations_by_width_tell_their_extremes() -> None:
    given = rows.width_correlations_rows()
    figure = width_correlations.capability_by_width(given)
    assert [row["value"] for row in data(figure, "correlations")] == pytest.approx(
        [row.value for row in given], rel=1e-4
    )
    assert "KL (bits): 0.60 at 1 hour to 0.89 at 48 hours" in figure.description
    assert "The band is the 95% interval for KL (bits)." in figure.caption
    assert "at 12 hours" in width_correlations.ranking_by_width(given, usual_width=12).description


def test_variance_ratios_and_their_tests() -> None:
    given = rows.variance_ratios()
    figure = estimator_variance.estimator_variance([*given, estimator_variance.VarianceRatio("none", 0.5, 0.0)])
    drawn = data(figure, "ratios")
    assert [row["ratio"] for row in drawn] == pytest.approx([row.ratio for row in given], rel=1e-4)
    assert [row["test"] == "p < 0.05" for row in drawn] == [row.significant for row in given]
    assert f"above 1 in {sum(row.ratio > 1 for row in given)} of 66 cells" in figure.description
    assert "Left out: 1 of 67 cells" in figure.caption


def test_gains_by_group() -> None:
    given = rows.group_gains()
    figure = breakdown.breakdown(given, by="Resolution rule", name="by_rule", models=MODELS[::-1])
    assert [(row["group"], row["model"]) for row in data(figure, "gains")] == [(row.group, row.model) for row in given]
    assert [row["gain"] for row in data(figure, "gains")] == pytest.approx([row.gain for row in given], rel=1e-4)
    assert figure.spec["facet"]["sort"] == list(MODELS[::-1])
    best = max(given, key=lambda row: row.gain)
    assert f"{best.gain:+.3f} bits ({best.model}, {best.group})" in figure.description


def test_funnel_stages_keep_their_order_and_numbers() -> None:
    figure = funnel.funnel([*rows.stages(), funnel.FunnelStage("final", 0)])
    drawn = data(figure, "stages")
    assert [row["left"] for row in drawn] == [stage.left for stage in rows.stages()] + [0]
    assert [row["number"] for row in drawn][:2] == ["108,101", "87,124"]
    assert len({row["stage"] for row in drawn}) == 8
    assert '108,101 markets at "raw markets", 0 after "final"' in figure.description


def test_a_funnel_is_named_as_it_is_told() -> None:
    figure = funnel.funnel(rows.stages(), name="funnel_ab12cd", title="From all markets to December")
    assert (figure.name, figure.title) == ("funnel_ab12cd", "From all markets to December")
    # Powers of ten alone have a line.
    assert figure.spec["layer"][0]["encoding"]["x"]["axis"]["values"] == [1, 10, 100, 1000, 10_000, 100_000]


def test_differences_are_mirrored_once() -> None:
    given = rows.differences()
    figure = paired_differences.paired_differences(given, models=MODELS)
    drawn = {(row["row"], row["column"]): row for row in data(figure, "differences")}
    assert len(drawn) == len(data(figure, "differences")) == 8 * 7
    for row in given:
        assert drawn[row.model, row.other]["difference"] == pytest.approx(row.difference, rel=1e-4)
        assert drawn[row.other, row.model]["difference"] == pytest.approx(-row.difference, rel=1e-4)
        assert drawn[row.other, row.model]["significant"] == (row.corrected_p < 0.05)
    assert drawn[MODELS[0], MODELS[7]]["text"] == "+0.007"
    assert drawn[MODELS[7], MODELS[0]]["text"] == "-0.007"
    assert drawn[MODELS[0], MODELS[7]]["p_text"] == "p < 0.001"
    assert "28 pairs of models, 1 of them apart at p < 0.05" in figure.description
    both = [*given, *[paired_differences.PairedDifference(row.other, row.model, -row.difference, -row.high, -row.low,
            row.corrected_p, row.questions) for row in given]]  # fmt: skip
    assert "28 pairs of models, 1 of them" in paired_differences.paired_differences(both).description


def test_timing_histograms_count_everything() -> None:
    given = rows.timings()
    figure = timing.timing_percentiles([*given, timing.ResolutionTiming(MODELS[0], "q", 1.0, NAN, NAN)])
    bins = [row for row in data(figure, "bins") if row["model"] == MODELS[0]]
    percentiles = [row.percentile for row in given if row.model == MODELS[0]]
    assert len(bins) == 10
    assert sum(row["count"] for row in bins) == len(percentiles) + 1
    assert bins[0]["count"] == sum(value < 0.1 for value in percentiles)
    assert sum(row["share"] for row in bins) == pytest.approx(1.0, abs=1e-4)
    assert (
        f"{MODELS[1]} {np.mean([row.percentile for row in given if row.model == MODELS[1]]):.2f}" in figure.description
    )


def test_means_by_lead_time() -> None:
    given = [timing.ResolutionTiming("m", f"q{i}", 0.5, days, kl)
             for i, (days, kl) in enumerate([(0.2, 0.1), (4.9, 0.3), (5.0, 0.8), (20.0, 0.4)])]  # fmt: skip
    figure = timing.kl_by_lead_time([*given, timing.ResolutionTiming("m", "q", 0.5, NAN, 0.1)])
    means = [(row["days"], row["mean"], row["count"]) for row in data(figure, "timings") if "mean" in row]
    assert means == [(2.5, 0.2, 2), (7.5, 0.8, 1), (22.5, 0.4, 1)]
    assert "0.4000 up to 10.0 days and 0.4000 after 10.0 days" in figure.description
    assert "Left out: 1 of 5 resolutions" in figure.caption


def test_contamination_means_and_intervals() -> None:
    given = [contamination.CutoffLead("m", months, voi)
             for months, voi in [(-0.5, 0.3), (0.1, 0.1), (0.9, 0.3), (0.5, 0.2)]]  # fmt: skip
    figure = contamination.contamination([*given, contamination.CutoffLead("unknown", NAN, 0.1)])
    before, after = data(figure, "means")
    assert (before["months"], before["mean"], before["low"], before["side"]) == (-0.5, 0.3, None, "before the cutoff")
    low, high = stats.t.interval(0.95, 2, 0.2, stats.sem([0.1, 0.3, 0.2]))
    assert (after["mean"], after["low"], after["high"]) == pytest.approx((0.2, low, high), rel=1e-4)
    assert "1 score in windows that opened before the cutoff, mean 0.300 bits" in figure.description
    assert "Left out: 1 of 5 scores" in figure.caption
