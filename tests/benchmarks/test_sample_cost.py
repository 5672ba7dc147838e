from pathlib import Path

from benchmarks.sample_cost import worlds
from cruxbench_inspect.demo.build import write
from cruxbench_inspect.questions import QuestionSet


def test_worlds_make_one_set_of_different_questions(tmp_path: Path) -> None:
    write(worlds(2), tmp_path)
    question_set = QuestionSet.load(tmp_path)
    first, second = ([q for q in question_set.questions if q.id.endswith(f"-{number}")] for number in (0, 1))
    assert len(first) == len(second) == len(question_set.questions) / 2
    assert {question.articles for question in first}.isdisjoint(question.articles for question in second)
    assert all(question_set.trusted(question.id) is not None for question in second)
