"""Two-way fixed effects against means, a dummy-variable regression and known truth."""

import math

import numpy as np
import pytest
from scipy import stats

from cruxbench_inspect.inference.clustered import clustered_interval, clustered_standard_error
from cruxbench_inspect.inference.fixed_effects import model_effects
from cruxbench_inspect.inference.paired import paired_difference

Rows = tuple[list[float], list[str], list[int]]


def panel(seed: int, effects: list[float], questions: int, missing: float, clusters: int | None = None) -> Rows:
    """Scores with large question effects and noise that questions of one cluster share."""
    generator = np.random.default_rng(seed)
    clusters = clusters or questions
    offers = generator.exponential(3.0, questions)
    shared = generator.normal(0, 0.5, (clusters, len(effects)))
    scores, models, labels = [], [], []
    for question in range(questions):
        for model, effect in enumerate(effects):
            # What is hard is missing more often, which biases plain means.
            if generator.random() >= missing * (1.5 if (offers[question] > 3) == (model == 0) else 0.5):
                noise = shared[question % clusters, model] + generator.normal(0, 0.5)
                scores.append(float(effect + offers[question] + noise))
                models.append(f"m{model}")
                labels.append(question)
    return scores, models, labels


def test_a_balanced_panel_gives_differences_of_means() -> None:
    scores, models, questions = panel(1, [0.3, 0.0, -0.1], 30, 0.0)
    table = np.reshape(scores, (30, 3))
    clusters = [question // 3 for question in range(30)]
    results = model_effects(scores, models, questions, [question // 3 for question in questions])
    deviations = table - table.mean(axis=1, keepdims=True)
    for column, result in enumerate(results.values()):
        assert result.effect == pytest.approx(table[:, column].mean() - table.mean(), abs=1e-9)
        assert result.standard_error == pytest.approx(
            clustered_standard_error(deviations[:, column], clusters), abs=1e-9
        )
        assert result.interval == pytest.approx(clustered_interval(deviations[:, column], clusters), abs=1e-9)
    assert list(results) == ["m0", "m1", "m2"]


def test_two_models_have_the_paired_difference() -> None:
    scores, models, questions = panel(2, [0.3, 0.0], 40, 0.4)
    by_model = {name: dict[int, float]() for name in ("m0", "m1")}
    for score, model, question in zip(scores, models, questions, strict=True):
        by_model[model][question] = score
    both = sorted(by_model["m0"].keys() & by_model["m1"].keys())
    assert 5 < len(both) < 35
    first, second = ([by_model[name][question] for question in both] for name in ("m0", "m1"))
    paired = paired_difference(first, second)
    results = model_effects(scores, models, questions)
    assert results["m0"].effect - results["m1"].effect == pytest.approx(paired.mean, abs=1e-9)
    low, high = results["m0"].interval
    assert (2 * low, 2 * high) == pytest.approx(paired.interval, abs=1e-9)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_an_unbalanced_panel_is_the_regression_on_dummies(level: float) -> None:
    scores, models, questions = panel(3, [0.3, 0.0, -0.1, 0.2], 25, 0.3)
    names, numbers = sorted(set(models)), sorted({q for q in questions if questions.count(q) > 1})
    kept = [place for place, question in enumerate(questions) if question in numbers]
    clusters = np.array([questions[place] % 12 for place in kept])
    # Deviation coding: the last model has minus the sum of the other effects.
    design = np.zeros((len(kept), len(names) - 1 + len(numbers)))
    for row, place in enumerate(kept):
        column = names.index(models[place])
        design[row, : len(names) - 1] = -1.0 if column == len(names) - 1 else 0.0
        if column < len(names) - 1:
            design[row, column] = 1.0
        design[row, len(names) - 1 + numbers.index(questions[place])] = 1.0
    target = np.array(scores)[kept]
    coefficients = np.linalg.lstsq(design, target, rcond=None)[0]
    residuals, bread = target - design @ coefficients, np.linalg.inv(design.T @ design)
    sums = [design[clusters == label].T @ residuals[clusters == label] for label in np.unique(clusters)]
    count = len(sums)
    covariance = count / (count - 1) * bread @ sum(np.outer(part, part) for part in sums) @ bread
    contrasts = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)])
    effects = contrasts @ coefficients[: len(names) - 1]
    errors = np.sqrt(np.diag(contrasts @ covariance[: len(names) - 1, : len(names) - 1] @ contrasts.T))
    quantile = stats.t.ppf(0.5 + level / 2, count - 1)

    results = model_effects(scores, models, questions, [question % 12 for question in questions], level)
    for name, effect, error in zip(names, effects, errors, strict=True):
        assert results[name].effect == pytest.approx(effect, abs=1e-9)
        assert results[name].standard_error == pytest.approx(error, abs=1e-9)
        expected = (effect - quantile * error, effect + quantile * error)
        assert results[name].interval == pytest.approx(expected, abs=1e-9)


def test_effects_without_noise_are_exact() -> None:
    # A chain: each model shares one question with the next.
    models, questions = ["a", "b", "b", "c", "c", "d"], [1, 1, 2, 2, 3, 3]
    truth = {"a": 0.5, "b": 0.1, "c": -0.4, "d": -0.2}
    scores = [truth[model] + 10.0 * question for model, question in zip(models, questions, strict=True)]
    results = model_effects(scores, models, questions)
    assert {name: result.effect for name, result in results.items()} == pytest.approx(truth, abs=1e-9)


def test_known_effects_are_recovered_and_covered() -> None:
    truth = [0.4, 0.1, -0.1, -0.4]
    estimates, covered, plain = [], [], []
    for seed in range(200):
        scores, models, questions = panel(1000 + seed, truth, 120, 0.3, clusters=60)
        results = model_effects(scores, models, questions, [question % 60 for question in questions])
        estimates.append([results[f"m{model}"].effect for model in range(4)])
        intervals = [results[f"m{model}"].interval for model in range(4)]
        covered.append([low <= effect <= high for (low, high), effect in zip(intervals, truth, strict=True)])
        means = [np.mean([s for s, name in zip(scores, models, strict=True) if name == f"m{m}"]) for m in range(4)]
        plain.append(np.array(means) - np.mean(means))
    spread = np.std(estimates, axis=0) / math.sqrt(200)
    assert np.all(np.abs(np.mean(estimates, axis=0) - truth) < 4 * spread)
    assert 0.93 <= np.mean(covered) <= 0.97
    assert abs(np.mean(plain, axis=0)[0] - truth[0]) > 0.3


def test_order_of_rows_does_not_matter() -> None:
    scores, models, questions = panel(4, [0.3, 0.0, -0.1], 20, 0.3)
    order = np.random.default_rng(0).permutation(len(scores))
    expected = model_effects(scores, models, questions)
    mixed = [(scores[place], models[place], questions[place]) for place in order]
    results = model_effects([row[0] for row in mixed], [row[1] for row in mixed], [row[2] for row in mixed])
    for name, result in results.items():
        assert result.effect == pytest.approx(expected[name].effect, abs=1e-9)
        assert result.interval == pytest.approx(expected[name].interval, abs=1e-9)


def test_a_disconnected_panel_is_refused() -> None:
    with pytest.raises(ValueError, match=r"share no questions, so they cannot be compared: a, b \| c"):
        model_effects([1.0, 2.0, 3.0, 4.0], ["a", "b", "b", "c"], [1, 1, 2, 3])


def test_too_little_data() -> None:
    assert model_effects([], [], []) == {}
    alone = model_effects([0.1, 0.4], ["a", "a"], [1, 2])["a"]
    assert alone.effect == 0.0
    one_cluster = model_effects([0.1, 0.4, 0.2, 0.3], ["a", "b", "a", "b"], [1, 1, 2, 2], ["x"] * 4)["a"]
    assert one_cluster.effect == pytest.approx(-0.1, abs=1e-12)
    for result in (alone, one_cluster):
        assert all(math.isnan(value) for value in (result.standard_error, *result.interval))


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="model 'a' has more than one score of question 7"):
        model_effects([0.1, 0.2, 0.3], ["b", "a", "a"], [7, 7, 7])
    with pytest.raises(ValueError, match="question 1 is in more than one cluster"):
        model_effects([0.1, 0.2], ["a", "b"], [1, 1], ["x", "y"])
    with pytest.raises(ValueError, match="NaN"):
        model_effects([0.1, float("nan")], ["a", "b"], [1, 1])
    with pytest.raises(ValueError, match="labels"):
        model_effects([0.1, 0.2], ["a", "b"], [1])
