"""Every figure gets the values of the tables: they are read back from the data of its spec."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cruxbench_inspect.inference.estimator_variance import compare_estimators
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.drawings import (
    against_capability,
    against_own_forecasts,
    cost_of_information,
    differences,
    estimator_variances,
    funnels,
    gains,
    leads_over_cutoffs,
    martingale_check,
    means,
    timings,
    widths,
)
from cruxbench_inspect.report.drawings import estimators as drawn_estimators
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.gathering.forecast_run import ForecastRun
from cruxbench_inspect.report.likeness import likeness
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.tables.breakdowns import KINDS, breakdowns
from cruxbench_inspect.report.tables.comparisons import comparisons
from cruxbench_inspect.report.tables.costs import usd_per_question
from cruxbench_inspect.report.tables.forecasts import forecasts
from cruxbench_inspect.report.tables.funnel import funnel
from cruxbench_inspect.report.tables.martingale import martingale_fit, martingale_table
from cruxbench_inspect.report.tables.measures import TITLES, measures
from cruxbench_inspect.report.tables.value_of_information import value_of_information
from tests.report.tables.logged import mean, scored, scored_samples, t_interval
from tests.report.tables.sample_study import LABELS, Sample, bounds_of, rows_of

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def material(sample: Sample) -> Material:
    return sample.material


def test_means_are_those_of_table_1(material: Material) -> None:
    (figure,) = means(material)
    table = rows_of(value_of_information(material.study))
    assert [row["model"] for row in _data(figure, "models")] == material.study.labels
    for row in _data(figure, "models"):
        own = table[row["model"]]
        assert [row["mean"], row["low"], row["high"]] == _shown([own["voi"], *bounds_of(own)])
        assert row["label"] == f"{own['voi']:.3f}{own['stars']}"
        assert row["questions"] == own["questions"]
    references = {row["name"].lower(): row for row in _data(figure, "references")}
    for name, row in references.items():
        assert [row["mean"], row["low"], row["high"]] == _shown([table[name]["voi"], *bounds_of(table[name])])
    assert set(references) == {"random timing", "oracle"}


def test_capabilities_are_those_of_the_facts(material: Material) -> None:
    (figure,) = against_capability(material)
    table = rows_of(value_of_information(material.study))
    known = {label: facts.capability for label, facts in material.study.facts.items() if facts.capability is not None}
    rows = {row["model"]: row for row in _data(figure, "models")}
    assert {model: row["score"] for model, row in rows.items()} == known
    assert {model: row["mean"] for model, row in rows.items()} == {
        model: _shown([table[model]["voi"]])[0] for model in known
    }


def test_own_forecasts_are_those_of_the_table(material: Material) -> None:
    outcomes = {"q000": True, "q001": False, "q002": False}
    run = ForecastRun("here", "lab/keen", "", outcomes, {"q000": 0.7, "q001": 0.2, "q002": 0.9}, {})
    informed = replace(material, study=replace(material.study, forecasts=(run,)))
    (figure,) = against_own_forecasts(informed)
    (row,) = _data(figure, "models")
    assert (row["model"], row["score"]) == ("keen", _shown([forecasts(informed.study).rows[0]["brier"]])[0])
    assert figure.name == "voi_against_own_forecasts"


def test_differences_are_those_of_the_comparisons(material: Material) -> None:
    (figure,) = differences(material)
    cells = {(row["row"], row["column"]): row for row in _data(figure, "differences")}
    table = comparisons(material.study, material.pairs)
    assert len(cells) == 2 * len(table.rows)
    for row in table.rows:
        first, second = str(row["first"]), str(row["second"])
        assert cells[first, second]["difference"] == _shown([row["difference"]])[0]
        assert cells[second, first]["difference"] == -cells[first, second]["difference"]
        assert cells[first, second]["questions"] == row["questions"]
        assert cells[first, second]["significant"] == (float(str(row["holm"])) < 0.05)


def test_the_martingale_figure_has_the_tables_line(material: Material) -> None:
    (figure,) = martingale_check(material)
    (row,) = martingale_table(martingale_fit(material.study)).rows
    slope, intercept = float(str(row["slope"])), float(str(row["intercept"]))
    fitted = [one["after"] for one in _data(figure, "lines") if one["line"] == "Fitted line"]
    assert fitted == _shown([intercept, intercept + slope])
    assert len(_data(figure, "points")) == row["count"] == sum(one["count"] for one in _data(figure, "deciles"))
    gaps = [abs(one["after"] - one["before"]) for one in _data(figure, "deciles")]
    assert max(gaps) == pytest.approx(row["gap"], abs=2e-5)


def test_width_figures_have_means_ranks_and_correlations(material: Material) -> None:
    by_width, ranks, ranking, capability = widths(material)
    scores = material.widths
    found = {(row["measure"], row["model"], row["width"]): row["value"] for row in _data(by_width, "widths")}
    assert len(found) == 4 * 48 * (len(LABELS) + 1)
    table = rows_of(measures(material.study, scores))
    for measure, title in TITLES.items():
        for label in LABELS:
            assert [found[title, label, width] for width in range(1, 49)] == _shown(scores.means(label, measure))
            assert found[title, label, 24] == _shown([table[label][measure]])[0]
        assert found[title, "Random timing", 24] == _shown([table["random timing"][measure]])[0]
    placed = {(row["measure"], row["model"], row["width"]): row["value"] for row in _data(ranks, "widths")}
    rhos = {(row["measure"], row["width"]): row["value"] for row in _data(ranking, "correlations")}
    rs = {(row["measure"], row["width"]): row["value"] for row in _data(capability, "correlations")}
    capable = {label: known for label in LABELS if (known := material.study.facts[label].capability) is not None}
    for measure, title in TITLES.items():
        for width in (1, 7, 24, 48):
            now = [scores.means(label, measure)[width - 1] for label in LABELS]
            expected = stats.rankdata([-one for one in now])
            assert [placed[title, label, width] for label in LABELS] == expected.tolist()
            usual = [scores.means(label, measure)[23] for label in LABELS]
            assert rhos[title, width] == pytest.approx(stats.spearmanr(now, usual).statistic, abs=1e-4)
            of_capable = [scores.means(label, measure)[width - 1] for label in capable]
            assert rs[title, width] == pytest.approx(
                stats.pearsonr(of_capable, list(capable.values())).statistic, abs=1e-4
            )
    assert all(rhos[title, 24] == 1 for title in TITLES.values())


def test_a_model_without_scores_leaves_the_others_widths_alone(material: Material) -> None:
    study = material.study
    scores = {
        label: {name: values.copy() for name, values in own.items()} for label, own in material.widths.scores.items()
    }
    for values in scores["plain"].values():
        values[:] = math.nan
    found = widths(replace(material, study=study, widths=replace(material.widths, scores=scores)))
    assert [figure.name for figure in found] == ["means_by_width", "ranks_by_width", "ranking_by_width"]
    for figure, dataset in zip(found[:2], ("widths", "widths"), strict=True):
        models = {row["model"] for row in _data(figure, dataset)} - {"Random timing"}
        assert models == set(LABELS) - {"plain"}


def test_only_ranked_models_have_ranks_by_width(material: Material) -> None:
    study = replace(material.study, rank_all=False)
    ranked = [label for label in LABELS if study.why_unranked(label) is None]
    assert 1 < len(ranked) < len(LABELS)
    found = {figure.name: figure for figure in widths(replace(material, study=study))}
    assert {row["model"] for row in _data(found["means_by_width"], "widths")} == {*LABELS, "Random timing"}
    placed = {
        (row["measure"], row["model"], row["width"]): row["value"] for row in _data(found["ranks_by_width"], "widths")
    }
    assert {model for _, model, _ in placed} == set(ranked)
    for measure, title in TITLES.items():
        expected = stats.rankdata([-material.widths.means(label, measure)[23] for label in ranked])
        assert [placed[title, label, 24] for label in ranked] == expected.tolist()


def test_gains_are_those_of_the_breakdowns(material: Material) -> None:
    figures = gains(material)
    assert [figure.name for figure in figures] == [f"gain_by_{by.replace(' ', '_')}" for by in KINDS]
    for figure, table in zip(figures, breakdowns(material.study), strict=True):
        found = {(row["group"], row["model"]): row for row in _data(figure, "gains")}
        expected = {(row["group"], row["model"]): row for row in table.rows if row["model"] != "all models"}
        assert set(found) == set(expected)
        for key, row in expected.items():
            values = [found[key]["gain"], found[key]["low"], found[key]["high"]]
            assert values == _shown([row["above"], *bounds_of(row)])
            assert found[key]["questions"] == row["count"]


def test_timings_are_those_of_the_logs(sample: Sample, material: Material) -> None:
    percentiles, leads = timings(material)
    bins = _data(percentiles, "bins")
    points = [row for row in _data(leads, "timings") if "kl" in row]
    for label in LABELS:
        own = [
            row
            for row in scored_samples(sample.logged[label])
            if row.resolved_at is not None and not math.isnan(row.values["timing_percentile"])
        ]
        counts = np.histogram([row.values["timing_percentile"] for row in own], 10, (0, 1))[0]
        assert [row["count"] for row in bins if row["model"] == label] == counts.tolist()
        found = sorted((row["question"], row["days"], row["kl"]) for row in points if row["model"] == label)
        assert found == sorted(
            (
                row.question,
                round((row.resolved_at - row.start).total_seconds() / 86_400, 1),
                round(row.values["voi_kl"], 4),
            )
            for row in own
            if row.resolved_at is not None
        )


def test_leads_over_cutoffs_are_means_of_months(sample: Sample, material: Material) -> None:
    (figure,) = leads_over_cutoffs(material)
    found = {(row["model"], row["months"]): row for row in _data(figure, _only(figure))}
    expected: dict[tuple[str, float], list[float]] = {}
    for label in LABELS:
        until = material.study.facts[label].knows_until
        if until is not None:
            for row in scored(sample.logged[label]):
                month = math.floor((row.start.date() - until).days / 30.44) + 0.5
                expected.setdefault((label, month), []).append(row.values["voi_kl"])
    assert set(found) == set(expected)
    assert {label for label, _ in found} == {"keen", "plain", "twice"}
    for key, values in expected.items():
        assert found[key]["count"] == len(values)
        assert found[key]["mean"] == pytest.approx(mean(values), rel=1e-4)
        if len(values) > 1:
            assert [found[key]["low"], found[key]["high"]] == pytest.approx(t_interval(values), rel=1e-4, abs=1e-9)


def test_costs_are_those_of_the_table(material: Material) -> None:
    (figure,) = cost_of_information(material)
    usd = usd_per_question(material.study, material.costs)
    table = rows_of(value_of_information(material.study))
    found = {row["model"]: row for row in _data(figure, "models")}
    assert set(found) == {label for label, value in usd.items() if value is not None} == {"keen", "plain", "twice"}
    for label, row in found.items():
        assert [row["cost"], row["mean"]] == _shown([usd[label], table[label]["voi"]])


def test_the_funnel_has_its_stages(material: Material) -> None:
    (figure,) = funnels(material)
    table = funnel(next(iter(material.study.sets.values())))
    assert table is not None
    assert [row["left"] for row in _data(figure, "stages")] == [row["left"] for row in table.rows] == [3000, 200, 30]
    assert (figure.name, figure.title) == ("funnel", table.title)


def test_every_set_has_its_funnel(material: Material) -> None:
    (first,) = material.study.sets.values()

    def like(name: str, decimals: int, left: int) -> QuestionSet:
        rules = replace(first.manifest.price_rules, round_decimals=decimals)
        changed = {"name": name, "price_rules": rules, "funnel": [{"stage": "all", "left": left}]}
        return QuestionSet(first.manifest.model_copy(update=changed), Path(), "", first.questions, {}, first.prices)

    sets = {loaded.digest: loaded for loaded in (first, like("other", 4, 7), like("other", 5, 8))}
    figures = funnels(Material(replace(material.study, sets=sets), material.widths, material.prices, 3))
    assert [figure.name for figure in figures] == [f"funnel_{digest[:6]}" for digest in sets]
    assert [_data(figure, "stages")[-1]["left"] for figure in figures] == [30, 7, 8]
    titles = [figure.title for figure in figures]
    assert all(loaded.name in title for loaded, title in zip(sets.values(), titles, strict=True))
    assert len({*titles}) == 3


def test_models_in_doubt_are_marked_whether_or_not_they_have_a_rank(material: Material) -> None:
    study = material.study
    doubts = {label: study.doubts(label) for label in LABELS if study.doubts(label)}
    assert 0 < len(doubts) < len(LABELS)
    runs = tuple(ForecastRun(label, f"lab/{label}", "", {"q000": True}, {"q000": 0.7}, {}) for label in LABELS)
    unranked = Material(replace(study, rank_all=False, forecasts=runs), material.widths, material.prices, 3)
    for now, draws, end in (
        (material, (means, against_capability, cost_of_information), ""),
        (unranked, (means, against_own_forecasts), ", so it has no rank"),
    ):
        for draw in draws:
            (figure,) = draw(now)
            rows = _data(figure, "models")
            assert {row["model"]: row["doubt"] for row in rows} == {
                row["model"]: f"{doubts[row['model']]}{end}" if row["model"] in doubts else "none known" for row in rows
            }
    for draw in (differences, widths, gains, timings, leads_over_cutoffs):
        figure = draw(material)[0]
        named = {label for label in doubts if f"`{label}`" in figure.caption}
        assert named and all(str(doubts[label]) in json.dumps(figure.spec) for label in named)


def test_estimators_are_those_of_the_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = compare_estimators(draws=20, replications=40)
    monkeypatch.setattr(drawn_estimators, "comparisons_of_estimators", lambda: tuple(pairs))
    (figure,) = estimator_variances(None)  # type: ignore[arg-type]
    rows = _data(figure, "ratios")
    cells = [(f"{pair.prior} / {pair.noise}", cell) for pair in pairs for cell in pair.cells if cell.alpha > 0]
    assert [(row["pair"], row["alpha"], row["ratio"]) for row in rows] == [
        (name, *_shown([cell.alpha, cell.variance_ratio])) for name, cell in cells
    ]
    assert [row["test"] == "p < 0.05" for row in rows] == [cell.f_p < 0.05 for _, cell in cells]


def test_likeness_figures_have_the_tables_shares(material: Material) -> None:
    table, *figures = likeness(material)
    assert isinstance(table, Table)
    assert all(isinstance(figure, Figure) for figure in figures)
    by_name = {figure.name: figure for figure in figures if isinstance(figure, Figure)}
    different = {row["group"]: row for row in _data(by_name["similarity_disagreement"], "panel_1")}
    for row in table.rows:
        if not math.isnan(float(str(row["different"]))):
            assert different[row["group"]]["value"] == _shown([row["different"]])[0]
    pairs = _data(by_name["similarity_heat_map"], "pairs")
    assert len(pairs) == 6
    assert sum(row["count"] for row in pairs) == sum(int(str(row["count"])) for row in table.rows)


def _data(figure: Figure, name: str) -> Rows:
    rows: Rows = figure.spec["datasets"][name]
    return rows


def _only(figure: Figure) -> str:
    (name,) = figure.spec["datasets"]
    return str(name)


def _shown(values: Any) -> list[float]:
    """Numbers as figures have them: five significant digits."""
    return [float(f"{value:.5g}") for value in values]
