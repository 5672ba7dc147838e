"""The martingale check against least squares by hand; the simulation's table against what the simulation gave."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from cruxbench_inspect.inference.estimator_variance import PAIRS, compare_estimators
from cruxbench_inspect.report.tables import estimators as module
from cruxbench_inspect.report.tables.estimators import estimators
from cruxbench_inspect.report.tables.martingale import beliefs, martingale_fit, martingale_table
from tests.report.tables.direct_prices import pivot_of
from tests.report.tables.logged import mean, scored_samples
from tests.report.tables.sample_study import LABELS, Sample, close, with_rows

Floats = np.ndarray[Any, np.dtype[np.float64]]


def test_the_fit_equals_least_squares_by_hand(sample: Sample) -> None:
    rows = [
        (one.told["p_before"], one.told["p_after"], one.question, pivot_of(one.resolved_at))
        for label in LABELS
        for one in scored_samples(sample.logged[label])
        if one.resolved_at is not None and "p_before" in one.told
    ]
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    design = np.column_stack([np.ones(len(rows)), x])
    line = np.linalg.lstsq(design, y, rcond=None)[0]
    residuals = y - design @ line
    questions, hours = [row[2] for row in rows], [row[3] for row in rows]
    bread = np.linalg.inv(design.T @ design)
    parts = [_meat(design, residuals, names) for names in (questions, hours, list(zip(questions, hours, strict=True)))]
    variance = bread @ (parts[0] + parts[1] - parts[2]) @ bread
    freedom = min(len(set(questions)), len(set(hours))) - 1
    halves = stats.t.ppf(0.975, freedom) * np.sqrt(np.diag(variance))
    apart = line - np.array([0.0, 1.0])
    wald = float(apart @ np.linalg.inv(variance) @ apart) / 2

    (row,) = martingale_table(martingale_fit(sample.study)).rows

    assert row["count"] == len(rows) > 30
    assert (row["intercept"], row["slope"]) == close(tuple(line))
    assert row["r2"] == close(float(np.corrcoef(x, y)[0, 1] ** 2))
    assert row["slope_interval"] == close((line[1] - halves[1], line[1] + halves[1]))
    assert row["intercept_interval"] == close((line[0] - halves[0], line[0] + halves[0]))
    assert row["p"] == close(float(stats.f.sf(wald, 2, freedom)))
    assert row["gap"] == close(_largest_gap(x, y))


def test_beliefs_are_those_around_the_pivot(sample: Sample) -> None:
    for row in beliefs(sample.study).iter_rows(named=True):
        both = sample.direct[row["question"]].beliefs(pivot_of(row["resolved_at"]), 24)
        assert (row["p_before"], row["p_after"]) == close(both)


def test_too_few_cruxes_are_told_in_a_sentence(sample: Sample) -> None:
    known = beliefs(sample.study).head(9)
    few = with_rows(sample.study, lambda rows: rows.join(known, on=["entry", "question"], how="semi"))
    assert beliefs(few).height == 9
    with pytest.raises(ValueError, match=r"it takes 10 cruxes with both prices, and there are 9\.$"):
        martingale_fit(few)


def test_the_simulations_table_sums_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = compare_estimators(draws=40, replications=60)
    monkeypatch.setattr(module, "comparisons_of_estimators", lambda: tuple(pairs))

    table = estimators()

    assert [(row["prior"], row["noise"]) for row in table.rows] == [(one.name, other.name) for one, other in PAIRS]
    for row, pair in zip(table.rows, pairs, strict=True):
        cells = [cell for cell in pair.cells if cell.alpha > 0]
        ratios = [cell.variance_entropy_drop / cell.variance_kl for cell in cells]
        smaller = sum(ratio > 1 for ratio in ratios)
        assert (row["smaller"], row["compared"]) == (smaller, len(cells))
        assert row["sign_p"] == close(stats.binomtest(smaller, len(cells)).pvalue)
        assert (row["least"], row["most"]) == close((min(ratios), max(ratios)))
        tails = [stats.f(59, 59).sf(ratio) for ratio in ratios]
        assert row["significant"] == sum(2 * tail < 0.05 for tail in tails)
        assert row["error"] == close(max(abs(cell.mean_kl - cell.mutual_information) for cell in pair.cells))
        assert 0 < row["error"] < 0.05  # type: ignore[operator]


def _meat(design: Floats, residuals: Floats, names: list[Any]) -> Floats:
    sums: dict[Any, Floats] = {}
    for row, residual, name in zip(design, residuals, names, strict=True):
        sums[name] = sums.get(name, np.zeros(2)) + row * residual
    clusters, count = len(sums), len(residuals)
    factor = clusters / (clusters - 1) * (count - 1) / (count - 2)
    meat: Floats = factor * sum((np.outer(one, one) for one in sums.values()), np.zeros((2, 2)))
    return meat


def _largest_gap(x: Floats, y: Floats) -> float:
    """By tenths of x: a value on an edge belongs to the lower tenth."""
    edges = sorted(set(np.quantile(x, [step / 10 for step in range(1, 10)]).tolist()))
    groups: dict[int, list[int]] = {}
    for place, value in enumerate(x.tolist()):
        groups.setdefault(sum(edge < value for edge in edges), []).append(place)
    return max(abs(mean(y[places].tolist()) - mean(x[places].tolist())) for places in groups.values())
