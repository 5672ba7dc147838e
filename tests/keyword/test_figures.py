"""Figures in prose and thresholds of questions."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.keyword.figures import Figure, Threshold, figures, threshold

DAY = date(2025, 6, 9)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The count was 1,432 on 9 June 2025 at 15:00, up from 410.", [Figure(1432, False)]),
        ("It reported 377 thousand claims, after 382 thousand the week before.", [Figure(377_000, False)]),
        ("Inflation stayed at or above 3.4 percent.", [Figure(3.4, True, "above", True)]),
        ("The rate fell below 4.6 per cent.", [Figure(4.6, True, "below", False)]),
        ("The rate did not fall below 4.6%.", [Figure(4.6, True, "above", True)]),
        ("It was the first since 2019.", []),
    ],
)
def test_the_figures_of_a_sentence(sentence: str, expected: list[Figure]) -> None:
    assert figures(sentence, DAY) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Will the next count be above 432?", Threshold("above", 432, False, False)),
        ("Will inflation be at least 3.4 per cent?", Threshold("above", 3.4, True, True)),
        ("Will fewer than 2 million people vote?", Threshold("below", 2e6, False, False)),
    ],
)
def test_the_threshold_of_a_question(question: str, expected: Threshold) -> None:
    found = threshold(question)
    assert found is not None and found[0] == expected


def test_a_question_without_a_number_has_no_threshold() -> None:
    assert threshold("Will the court rule over the merger?") is None


NUMBERS = st.integers(0, 6).map(float)


@given(
    st.sampled_from(["above", "below"]),
    NUMBERS,
    st.booleans(),
    NUMBERS,
    st.sampled_from(["above", "below"]),
    st.booleans(),
)
def test_a_bounded_figure_decides_what_all_its_values_agree_on(
    direction: str, limit: float, inclusive: bool, bound: float, relation: str, closed: bool
) -> None:
    asked = Threshold("above" if direction == "above" else "below", limit, False, inclusive)
    figure = Figure(bound, False, "above" if relation == "above" else "below", closed)
    possible = [value / 2 for value in range(-20, 40) if _within(value / 2, relation, bound, closed)]
    answers = {asked.met_by(Figure(value, False)) for value in possible}
    assert asked.met_by(figure) == (answers.pop() if len(answers) == 1 else None)


def _within(value: float, relation: str, bound: float, closed: bool) -> bool:
    return (closed and value == bound) or (value > bound if relation == "above" else value < bound)
