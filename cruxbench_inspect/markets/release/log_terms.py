"""What the imported logs tell of the question set, as logs of the task do, so that reports can mix them."""

from collections.abc import Mapping
from typing import Any

from cruxbench_inspect import BENCHMARK_VERSION, __version__
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.utc import format_utc

WIDTH = 24
"""Averaging width in hours of the paper's main table."""


def task_version(question_set: QuestionSet) -> str:
    """The version of a task that runs on a set."""
    return f"{BENCHMARK_VERSION} {question_set.name}-{question_set.manifest.version}-{question_set.digest[:12]}"


def about_set(question_set: QuestionSet) -> dict[str, Any]:
    """The set, in the metadata of a log and its samples."""
    return {
        "cruxbench_inspect": __version__,
        "set_name": question_set.name,
        "set_version": question_set.manifest.version,
        "set_digest": question_set.digest,
        "set_path": question_set.location,
    }


def sample_metadata(question: Question, about: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a sample: what was known at its window's start."""
    return {
        "question_id": question.id,
        "question": question.question,
        "event": question.event,
        "tags": list(question.tags),
        "window_start": format_utc(question.window.start),
        "window_end": format_utc(question.window.end),
        **{key: value for key, value in about.items() if key != "cruxbench_inspect"},
    }


def shown_text(question: Question) -> str:
    """The question as every prompt holds it; the release keeps no whole prompts."""
    return f"{question.question}\n\n{question.description}"
