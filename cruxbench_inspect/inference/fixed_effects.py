"""Model effects apart from how much each question offers: two-way fixed effects, also where scores are missing."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from cruxbench_inspect.inference.clustered import cluster_codes

Model = TypeVar("Model", bound=Hashable)


@dataclass(frozen=True)
class ModelEffect:
    """What a model scores above the mean of all models, on the same questions.

    Attributes:
        effect: The effect in the unit of the scores; those of all models sum to 0.
        standard_error: Cluster-robust standard error; NaN with fewer than two clusters of compared questions.
        interval: t interval with G - 1 degrees of freedom for G clusters; NaN where the standard error is.
    """

    effect: float
    standard_error: float
    interval: tuple[float, float]


def model_effects(
    scores: ArrayLike,
    models: Sequence[Model],
    questions: Sequence[Hashable],
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> dict[Model, ModelEffect]:
    """Fit score = model effect + question effect by least squares.

    Questions that only one model has do not count. Where every model has every question, an effect is the model's mean
    minus the mean of all models, with the interval of ``clustered_interval`` over the per-question deviations; for two
    models, the difference of the effects has the t interval of the paired difference. The variance is the sandwich
    estimator times G / (G - 1) (Cameron and Miller 2015, "A Practitioner's Guide to Cluster-Robust Inference"; question
    effects are nested in clusters and cost no degrees of freedom).

    Args:
        scores: One score per row.
        models: The model of each row.
        questions: The question of each row.
        clusters: The cluster of each row's question; each question is its own without.
        level: Confidence level in (0, 1).

    Returns:
        The effect of each model, in the order of their first rows.

    Raises:
        ValueError: A score is NaN or infinite, lengths differ, a model has a question twice, a question is in two
            clusters, or no chain of shared questions connects some models (a disconnected panel).
    """
    panel = _Panel.of(scores, models, questions, questions if clusters is None else clusters)
    names = list(dict.fromkeys(models))
    _check_connected(panel.present, names)
    effects, covariance, count = panel.fit()
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    half = float(stdtrit(count - 1, 0.5 + level / 2)) * errors if count > 1 else errors
    return {
        name: ModelEffect(float(effect), float(error), (float(effect - width), float(effect + width)))
        for name, effect, error, width in zip(names, effects, errors, half, strict=True)
    }


@dataclass(frozen=True)
class _Panel:
    """Scores as a table.

    Attributes:
        scores: Shape (questions, models); 0 where missing.
        present: 1 where there is a score, else 0.
        clusters: Cluster number of each question.
    """

    scores: NDArray[np.float64]
    present: NDArray[np.float64]
    clusters: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        scores: ArrayLike,
        models: Sequence[Hashable],
        questions: Sequence[Hashable],
        clusters: Sequence[Hashable],
    ) -> "_Panel":
        values = np.asarray_chkfinite(scores, dtype=np.float64)
        columns, rows, groups = (cluster_codes(labels, len(values)) for labels in (models, questions, clusters))
        shape = (len(set(questions)), len(set(models)))
        table, present, of_question = np.zeros(shape), np.zeros(shape), np.zeros(shape[0], dtype=np.int64)
        np.add.at(present, (rows, columns), 1.0)
        if np.any(present > 1.0):
            row, column = np.argwhere(present > 1.0)[0]
            name, question = list(dict.fromkeys(models))[column], list(dict.fromkeys(questions))[row]
            raise ValueError(f"model {name!r} has more than one score of question {question!r}")
        table[rows, columns] = values
        of_question[rows] = groups
        if np.any(of_question[rows] != groups):
            question = questions[int(np.argmax(of_question[rows] != groups))]
            raise ValueError(f"question {question!r} is in more than one cluster")
        return cls(table, present, of_question)

    def fit(self) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
        """Effects, their covariance matrix, and the number of clusters that it rests on."""
        sizes = self.present.sum(axis=1, keepdims=True)
        deviations = self.present * (self.scores - self.scores.sum(axis=1, keepdims=True) / sizes)
        normal = np.diag(self.present.sum(axis=0)) - (self.present / sizes).T @ self.present
        # Equal effects fit any score, so the normal equations leave their mean open: here it is 0.
        centre = np.full_like(normal, 1.0 / max(len(normal), 1))
        inverse = np.linalg.inv(normal + centre) - centre
        effects = inverse @ deviations.sum(axis=0)
        residuals = deviations - self.present * (effects - self.present @ effects[:, np.newaxis] / sizes)
        compared = sizes[:, 0] > 1.0
        labels, groups = np.unique(self.clusters[compared], return_inverse=True)
        count = len(labels)
        if count < 2:
            return effects, np.full_like(inverse, np.nan), count
        sums = np.zeros((count, len(effects)))
        np.add.at(sums, groups, residuals[compared])
        spread = sums @ inverse
        return effects, count / (count - 1) * spread.T @ spread, count


def _check_connected(present: NDArray[np.float64], names: Sequence[Hashable]) -> None:
    # A report of one model does without loading it.
    from scipy.sparse.csgraph import connected_components

    parts, part_of = connected_components(present.T @ present, directed=False) if names else (0, [])
    if parts > 1:
        groups = [[name for name, own in zip(names, part_of, strict=True) if own == part] for part in range(parts)]
        listed = " | ".join(", ".join(map(str, group)) for group in groups)
        raise ValueError(f"models of these groups share no questions, so they cannot be compared: {listed}")
