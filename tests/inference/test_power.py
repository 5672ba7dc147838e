"""Power against numerical integration, simulation and its own inverses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from cruxbench_inspect.inference.power import detectable_difference, power_of, questions_needed

INFINITY = float("inf")
NAN = float("nan")


@pytest.mark.parametrize(
    ("difference", "deviation", "count", "level"),
    [(0.5, 1.0, 20, 0.05), (0.004, 0.03, 293, 0.05), (-0.2, 0.5, 10, 0.01), (0.0, 1.0, 8, 0.05)],
)
def test_power_is_the_integral_over_the_sample_variance(
    difference: float, deviation: float, count: int, level: float
) -> None:
    critical = stats.t.ppf(1 - level / 2, count - 1)
    shift = difference / deviation * math.sqrt(count)

    def rejected(variance: float) -> float:
        bound = critical * math.sqrt(variance / (count - 1))
        return float(
            (stats.norm.sf(bound - shift) + stats.norm.cdf(-bound - shift)) * stats.chi2.pdf(variance, count - 1)
        )

    spread = 12 * math.sqrt(2 * (count - 1))
    edges = (max(0.0, count - 1 - spread), count - 1 + spread)
    expected, _ = integrate.quad(rejected, *edges, epsabs=1e-12, epsrel=1e-12, limit=500)
    assert power_of(difference, deviation, count, level) == pytest.approx(expected, abs=1e-9)


def test_power_without_a_difference_is_the_level() -> None:
    assert power_of(0.0, 1.0, 30, 0.03) == pytest.approx(0.03, abs=1e-9)


@pytest.mark.parametrize(("effect", "count"), [(0.3, 40), (0.6, 12), (0.0, 25)])
def test_power_agrees_with_simulation(effect: float, count: int) -> None:
    draws = 40000
    differences = np.random.default_rng(17).standard_normal((draws, count)) + effect
    found = float(np.mean(stats.ttest_1samp(differences, 0, axis=1).pvalue < 0.05))
    expected = power_of(effect, 1.0, count)
    assert found == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / draws))


def test_the_numbers_of_the_textbook() -> None:
    # G*Power 3.1, "means: difference between two dependent means", two-sided, power 0.8 and 0.95, level 0.05.
    assert [questions_needed(effect, 1.0) for effect in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert questions_needed(0.5, 1.0, power=0.95) == 54


@given(st.floats(0.05, 3), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([0.01, 0.05]))
@settings(max_examples=40)
def test_one_question_less_does_not_suffice(effect: float, power: float, level: float) -> None:
    count = int(questions_needed(effect, 1.0, power, level))
    assert power_of(effect, 1.0, count, level) >= power
    assert count == 2 or power_of(effect, 1.0, count - 1, level) < power


@given(st.integers(2, 2000), st.floats(0.001, 10), st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=40)
def test_the_detectable_difference_has_the_power(count: int, deviation: float, power: float) -> None:
    difference = detectable_difference(count, deviation, power)
    assert power_of(difference, deviation, count) == pytest.approx(power, abs=1e-9)


@given(st.floats(0.05, 1), st.integers(2, 500), st.floats(0.001, 1000))
@settings(max_examples=30)
def test_only_the_ratio_matters_and_more_questions_help(effect: float, count: int, deviation: float) -> None:
    power = power_of(effect, 1.0, count)
    assert power_of(-effect * deviation, deviation, count) == pytest.approx(power, abs=1e-9)
    assert power_of(effect, 1.0, count + 1) > power - 1e-12


def test_what_is_certain_and_what_is_hopeless() -> None:
    assert power_of(0.1, 0.0, 2) == power_of(INFINITY, 1.0, 2) == 1.0
    assert questions_needed(0.1, 0.0) == questions_needed(INFINITY, 1.0) == 2
    assert questions_needed(0.0, 1.0) == questions_needed(0.1, INFINITY) == questions_needed(1e-9, 1.0) == INFINITY
    assert power_of(0.1, INFINITY, 50) == pytest.approx(0.05, abs=1e-9)
    assert detectable_difference(50, 0.0) == 0.0
    assert detectable_difference(50, INFINITY) == INFINITY


@pytest.mark.parametrize(
    "value",
    [
        power_of(NAN, 1.0, 10),
        power_of(0.1, NAN, 10),
        power_of(0.1, 1.0, 1),
        power_of(0.0, 0.0, 10),
        power_of(INFINITY, INFINITY, 10),
        questions_needed(NAN, 1.0),
        questions_needed(0.1, NAN),
        questions_needed(0.0, 0.0),
        detectable_difference(1, 1.0),
        detectable_difference(10, NAN),
    ],
)
def test_what_is_not_defined(value: float) -> None:
    assert math.isnan(value)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        power_of(0.1, -1.0, 10)
    with pytest.raises(ValueError, match="level"):
        power_of(0.1, 1.0, 10, level=0.0)
    for power in (0.04, 1.0, NAN):
        with pytest.raises(ValueError, match="power"):
            questions_needed(0.1, 1.0, power=power)
        with pytest.raises(ValueError, match="power"):
            detectable_difference(10, 1.0, power=power)
