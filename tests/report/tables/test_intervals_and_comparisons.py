"""How sure means are, and which models differ: against SciPy, loops and least squares with dummies."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.tables.comparisons import comparisons, difference, pairs
from cruxbench_inspect.report.tables.intervals import intervals, resolving_days
from tests.report.tables.logged import (
    Logged,
    clustered_error,
    clustered_interval,
    mean,
    scored,
    t_interval,
)
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of


@pytest.mark.parametrize("label", LABELS)
def test_intervals_equal_scipy_and_loops(sample: Sample, label: str) -> None:
    own = scored(sample.logged[label])
    values, events = [row.values["voi_kl"] for row in own], [row.event for row in own]
    days = [_day(row) for row in own]

    row = rows_of(intervals(sample.study))[label]

    assert row["voi"] == close(mean(values))
    assert row["t"] == close(t_interval(values))
    assert row["event"] == close(clustered_interval(values, events))
    assert row["day"] == close(clustered_interval(values, days))
    assert row["boot_event"] == close(_bootstrap_t(values, events))
    assert row["boot_day"] == close(_bootstrap_t(values, days))
    assert (row["events"], row["days"]) == (len(set(events)), len(set(days)))
    assert len(set(events)) < len(events)


def test_model_effects_equal_least_squares_with_dummies(sample: Sample) -> None:
    rows = [(label, row) for label in LABELS for row in scored(sample.logged[label])]
    questions = sorted({row.question for _, row in rows})
    design = np.zeros((len(rows), len(LABELS) + len(questions)))
    for number, (label, row) in enumerate(rows):
        design[number, LABELS.index(label)] = 1
        design[number, len(LABELS) + questions.index(row.question)] = 1
    values = np.array([row.values["voi_kl"] for _, row in rows])
    inverse = np.linalg.pinv(design.T @ design)
    found = inverse @ design.T @ values
    residuals = values - design @ found
    sums: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    for number, (_, row) in enumerate(rows):
        sums[row.event] = sums.get(row.event, np.zeros(design.shape[1])) + design[number] * residuals[number]
    count = len(sums)
    covariance = count / (count - 1) * inverse @ sum(np.outer(one, one) for one in sums.values()) @ inverse

    table = rows_of(intervals(sample.study))

    for number, label in enumerate(LABELS):
        contrast = np.zeros(design.shape[1])
        contrast[: len(LABELS)] = -1 / len(LABELS)
        contrast[number] += 1
        effect, half = contrast @ found, stats.t.ppf(0.975, count - 1) * math.sqrt(contrast @ covariance @ contrast)
        assert table[label]["effect"] == close(effect)
        assert table[label]["effect_interval"] == close((effect - half, effect + half))


def test_unresolved_cruxes_are_days_by_themselves(sample: Sample) -> None:
    days = resolving_days(sample.study.scored("weak"))
    own = scored(sample.logged["weak"])
    assert days == [_day(row) for row in own]
    assert sum(row.resolved_at is None for row in own) == sum(day.startswith("q") for day in days) > 3


def test_comparisons_equal_loops(sample: Sample) -> None:
    table = comparisons(sample.study, pairs(sample.study))
    means = {label: mean(row.values["voi_kl"] for row in scored(sample.logged[label])) for label in LABELS}
    order = sorted(LABELS, key=lambda label: -means[label])
    assert [(row["first"], row["second"]) for row in table.rows] == list(combinations(order, 2))
    for row in table.rows:
        values, events = _differences(sample, str(row["first"]), str(row["second"]))
        middle, error, count = mean(values), clustered_error(values, events), len(set(events))
        assert row["difference"] == close(middle)
        assert row["interval"] == close(clustered_interval(values, events))
        assert row["p"] == close(2 * stats.t.sf(abs(middle) / error, count - 1))
        assert row["flip"] == close(_flip_p(values, events))
        assert row["higher"] == close(sum(value > 0 for value in values) / len(values))
        assert row["ties"] == sum(value == 0 for value in values)
        assert row["questions"] == len(values)
        needed = row["needed"]
        assert isinstance(needed, float)
        size = abs(middle) / float(np.std(values, ddof=1))
        assert _power(size, int(needed)) >= 0.8 > _power(size, int(needed) - 1)
    assert any(row["ties"] for row in table.rows)


def test_corrections_are_holms_and_benjamini_and_hochbergs(sample: Sample) -> None:
    rows = comparisons(sample.study, pairs(sample.study)).rows
    p_values = [float(str(row["p"])) for row in rows]
    ordered = sorted(p_values)
    many = len(p_values)
    for row, p in zip(rows, p_values, strict=True):
        place = ordered.index(p)
        assert row["holm"] == close(min(1.0, max((many - k) * ordered[k] for k in range(place + 1))))
        assert row["fdr"] == close(min(1.0, *(many / (k + 1) * ordered[k] for k in range(place, many))))


def test_differences_are_antisymmetric(sample: Sample) -> None:
    for first, second in combinations(LABELS, 2):
        one, other = difference(sample.study, first, second), difference(sample.study, second, first)
        assert one.mean == close(-other.mean)
        assert one.interval == close((-other.interval[1], -other.interval[0]))
        assert (one.p, one.p_sign_flip) == close((other.p, other.p_sign_flip))
        assert one.share_first_higher + other.share_first_higher + one.ties / one.count == close(1.0)
        assert difference(sample.study, first, first).mean == 0


def test_the_better_one_comes_first(sample: Sample) -> None:
    study: Study = sample.study
    for first, second, _ in pairs(study):
        assert mean(study.scored(first)["voi_kl"]) >= mean(study.scored(second)["voi_kl"])


def _day(row: Logged) -> str:
    return row.question if row.resolved_at is None else f"{row.resolved_at:%Y-%m-%d}"


def _differences(sample: Sample, first: str, second: str) -> tuple[list[float], list[str]]:
    one, other = sample.logged[first], sample.logged[second]
    both = [key for key in one if one[key].is_scored and other[key].is_scored]
    return [one[key].values["voi_kl"] - other[key].values["voi_kl"] for key in both], [one[key].event for key in both]


def _sums(values: list[float], clusters: list[str]) -> dict[str, list[float]]:
    members: dict[str, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        members.setdefault(cluster, []).append(value)
    return members


def _bootstrap_t(values: list[float], clusters: list[str]) -> tuple[float, float]:
    """Bootstrap-t of a mean over the documented draws, one resample after the other."""
    members = list(_sums(values, clusters).values())
    middle, count = mean(values), len(members)
    centred = [(sum(one) - len(one) * middle, len(one)) for one in members]
    statistics = []
    for drawn in np.random.default_rng(0).integers(0, count, (2000, count)).tolist():
        chosen = [centred[place] for place in drawn]
        size = sum(many for _, many in chosen)
        shift = sum(total for total, _ in chosen) / size
        square = sum((total - many * shift) ** 2 for total, many in chosen)
        statistics.append(shift / (math.sqrt(count / (count - 1) * square) / size))
    lower, upper = (float(np.quantile(statistics, share, method="weibull")) for share in (0.025, 0.975))
    error = clustered_error(values, clusters)
    return middle - upper * error, middle - lower * error


def _flip_p(values: list[float], clusters: list[str]) -> float:
    """The two-sided sign-flip test over the documented draws, by loops."""
    sums = [total for one in _sums(values, clusters).values() if (total := sum(one))]
    assert len(sums) > 14
    signs = np.random.default_rng(0).integers(0, 2, (2_000, len(sums)), dtype=np.int8)
    observed = abs(sum(sums))
    totals = np.abs((1.0 - 2.0 * signs.astype(np.float64)) @ np.array(sums))
    return float(1 + np.count_nonzero(totals >= observed * (1 - 1e-12))) / 2_001


def _power(size: float, count: int) -> float:
    critical, shift = stats.t.ppf(0.975, count - 1), size * math.sqrt(count)
    return float(stats.nct.sf(critical, count - 1, shift) + stats.nct.cdf(-critical, count - 1, shift))
