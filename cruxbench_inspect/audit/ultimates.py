"""The market's question of a sample, with the outcome that only the mechanical checks may use."""

from collections.abc import Mapping
from typing import Any

from cruxbench_inspect.audit.items import Ultimate
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import parse_utc


class Ultimates:
    """Looks up questions in the question sets of logs, or in one that is named.

    A set may be newer than the log, with outcomes that were not known then: what counts is the question.

    Attributes:
        problems: One line for each set that cannot be read and each set that lacks questions.
    """

    def __init__(self, questions: QuestionSet | None = None) -> None:
        """Look questions up in a set, or if none is given in those that the samples name."""
        self._given = questions
        self._sets: dict[str, QuestionSet | None] = {}
        self._unreadable: dict[str, None] = {}
        self._unknown: dict[str, set[str]] = {}

    @property
    def problems(self) -> list[str]:
        """One line for each set that cannot be read and each set that lacks questions."""
        unknown = (
            f"question set {name!r}: lacks {len(ids)} of the samples' questions, or has them in other words, such as "
            f"{min(ids)!r}: their outcomes are not looked for"
            for name, ids in self._unknown.items()
        )
        return [*self._unreadable, *unknown]

    def of(self, metadata: Mapping[str, Any]) -> Ultimate:
        """The question of a sample; without an outcome where its set cannot tell it.

        Args:
            metadata: The sample's metadata, as the benchmark's task writes them.
        """
        text, asked = str(metadata["question"]), parse_utc(metadata["window_start"])
        question_set = self._given or self._set(str(metadata["set_path"]))
        if question_set is None:
            return Ultimate(text, asked)
        name = metadata["question_id"]
        known = next((question for question in question_set.questions if question.id == name), None)
        if known is None or known.question != text:
            self._unknown.setdefault(question_set.name, set()).add(str(name))
            return Ultimate(text, asked)
        outcome = question_set.outcome(known.id)
        return Ultimate(text, asked, outcome.outcome, outcome.resolved_at)

    def _set(self, path: str) -> QuestionSet | None:
        if path not in self._sets:
            try:
                self._sets[path] = QuestionSet.load(path)
            except InputError as error:
                self._sets[path] = None
                first = str(error).splitlines()[0]
                self._unreadable[f"{first}: outcomes are not looked for; name the set with --questions"] = None
        return self._sets[path]
