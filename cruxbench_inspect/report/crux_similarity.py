"""How similar the cruxes of different models are for each question: of embeddings, imported ones, or of words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from cruxbench_inspect.inference.text_similarity import Floats, cosine, lexical_similarities_within
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.page.prose import literal

if TYPE_CHECKING:
    from cruxbench_inspect.report.embeddings.asking import Embeddings

LEXICAL = "lexical similarity"
"""What similarities are called that come from words and letters alone."""

MOST_COMPARED = 10
"""How many entries are compared, those with the highest mean scores: pairs are many, and say little of the others."""

Similarities = Mapping[tuple[str, str, str], float]
"""Similarities by question and two entries in the order of labels."""

_IMPORTED = "similarity_pairs.json"


def crux_similarities(material: Material) -> tuple[str, Similarities]:
    """The similarities that a report uses, and what they are: of embeddings, else imported ones, else lexical ones.

    Raises:
        ValueError: If imported similarities cannot be read.
    """
    study = material.study
    if material.embeddings is not None:
        return f"cosine similarity ({material.embeddings.model})", embedded_pairs(study, material.embeddings)
    return imported_similarities(study) or (LEXICAL, lexical_pairs(study))


def method(material: Material) -> str:
    """Which similarity a report uses, in a sentence of markdown for its methods.

    Raises:
        ValueError: If imported similarities cannot be read.
    """
    if material.embeddings is not None:
        return (
            "Two models' cruxes for the same question are compared by the cosine similarity of embeddings of their "
            f"questions by {literal(material.embeddings.model)}."
        )
    if imported_similarities(material.study):
        return "Two models' cruxes for the same question are compared by the cosine similarity that was imported."
    return (
        "Two models' cruxes for the same question are compared by a lexical similarity, the mean of two tf-idf "
        "cosines, over words and over characters. What a word weighs is of all these cruxes."
    )


def compared_cruxes(study: Study) -> list[str]:
    """The different cruxes of questions for which several entries have one."""
    return sorted({text for _, _, texts in _by_question(study) if len(texts) > 1 for text in texts})


def lexical_pairs(study: Study) -> dict[tuple[str, str, str], float]:
    """Lexical similarities of the cruxes of each question, with weights of all cruxes."""
    questions = list(_by_question(study))
    if all(len(texts) < 2 for _, _, texts in questions):
        return {}
    matrices = lexical_similarities_within([texts for _, _, texts in questions])
    found: dict[tuple[str, str, str], float] = {}
    for (question, labels, _), matrix in zip(questions, matrices, strict=True):
        found |= _pairs(question, labels, matrix)
    return found


def embedded_pairs(study: Study, embeddings: "Embeddings") -> dict[tuple[str, str, str], float]:
    """Cosine similarities of the cruxes of each question.

    Args:
        study: The study.
        embeddings: Has all of ``compared_cruxes``.
    """
    found: dict[tuple[str, str, str], float] = {}
    for question, labels, texts in _by_question(study):
        if len(texts) > 1:
            found |= _pairs(question, labels, cosine(np.stack([embeddings.vectors[text] for text in texts])))
    return found


def imported_similarities(study: Study) -> tuple[str, Similarities] | None:
    """The similarities that an import left beside the logs, and what they are; None without any for these entries."""
    models = {entry.model for entry in study.entries}
    labels = {model: of_model[0] for model in models if len(of_model := study.entries_of(model)) == 1}
    found: dict[tuple[str, str, str], float] = {}
    for folder in sorted({Path(location.removeprefix("file://")).parent for location in study.locations}):
        path = folder / _IMPORTED
        if not path.is_file():
            continue
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
            for row in rows:
                if row["a"] in labels and row["b"] in labels:
                    first, second = sorted((labels[row["a"]], labels[row["b"]]))
                    found[str(row["question_id"]), first, second] = float(row["cosine"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"Figures 4 and 11, similarity of cruxes: {path} cannot be read: {error}") from error
    return ("cosine similarity", found) if found else None


def _by_question(study: Study) -> Iterator[tuple[str, list[str], list[str]]]:
    """Questions with the labels and cruxes of the entries that have one, in the order of labels."""
    first = study.labels[:MOST_COMPARED]
    rows = study.scores.filter(pl.col("first_crux").is_not_null(), pl.col("entry").is_in(first)).sort(
        "question", "entry"
    )
    for (question,), own in rows.partition_by("question", as_dict=True, maintain_order=True).items():
        yield str(question), own["entry"].to_list(), own["first_crux"].to_list()


def _pairs(question: str, labels: Sequence[str], matrix: Floats) -> dict[tuple[str, str, str], float]:
    return {
        (question, labels[one], labels[other]): float(matrix[one, other])
        for one, other in combinations(range(len(labels)), 2)
    }
