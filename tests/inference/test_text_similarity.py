"""Similarity of texts by hand and by its properties; numbers in questions by example."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.inference.text_similarity import cosine, lexical_similarities, numeric_thresholds

TEXTS = [
    "Will the Fed cut rates in March?",
    "Will the Federal Reserve lower its rate at the March meeting?",
    "Will the Senate confirm the nominee by June 30?",
    "Will the senate confirm a nominee before July?",
    "",
]


def test_similarity_is_the_mean_of_two_tf_idf_cosines() -> None:
    # Words: "ab", "cd", "ab cd" against "ab", "ef", "ab ef". Only "ab" is in both texts.
    rare = 1 + math.log(3 / 2)
    words = 1 / (1 + 2 * rare**2)
    # Characters of " ab ": " ab", "ab ", " ab " (as it is shorter than 5, once more in full). The other words alike.
    common = 1**2 + 1**2 + 2**2
    characters = common / (common + common * rare**2)
    found = lexical_similarities(["ab cd", "Ab, ef!"])
    assert found[0, 1] == pytest.approx((words + characters) / 2, rel=1e-9)


def test_like_texts_are_more_similar() -> None:
    found = lexical_similarities(TEXTS)
    assert found[2, 3] > 0.4 > found[0, 1] > found[0, 2] > 0
    assert found[2, 3] > found[1, 2]
    assert found[4].tolist() == [0, 0, 0, 0, 1]


def test_forms_of_writing_do_not_matter() -> None:
    found = lexical_similarities(["Rates AT 4.5%", "rates, at 4.5?", "ｒａｔｅｓ at 4.5", "other words", "", "?!"])
    assert found[:3, :3] == pytest.approx(np.ones((3, 3)))
    assert found[4, 5] == 1
    assert found[3, :3] == pytest.approx(np.zeros(3), abs=0.2)


def test_no_texts_and_one_text() -> None:
    assert lexical_similarities([]).shape == (0, 0)
    assert lexical_similarities(["one"]).tolist() == [[1.0]]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_similarity_is_symmetric_bounded_and_independent_of_order(texts: list[str]) -> None:
    found = lexical_similarities(texts)
    assert (found == found.T).all()
    assert (np.diag(found) == 1).all()
    assert ((found >= 0) & (found <= 1)).all()
    order = np.random.default_rng(len(texts)).permutation(len(texts))
    assert lexical_similarities([texts[index] for index in order]) == pytest.approx(
        found[np.ix_(order, order)], abs=1e-12
    )


def test_cosine_of_rows() -> None:
    matrix = np.random.default_rng(0).normal(size=(5, 8))
    found = cosine(matrix)
    for i in range(5):
        for j in range(5):
            lengths = math.sqrt(sum(matrix[i] ** 2)) * math.sqrt(sum(matrix[j] ** 2))
            assert found[i, j] == pytest.approx(sum(matrix[i] * matrix[j]) / lengths, abs=1e-9)
    assert (np.diag(found) == 1).all()
    assert (found == found.T).all()
    assert cosine(np.array([[1.0, 0.0], [-2.0, 0.0], [0.0, 3.0]])).tolist() == [[1, -1, 0], [-1, 1, 0], [0, 0, 1]]
    assert cosine(np.array([[1e-200, 1e-200], [1e200, 1e200]])) == pytest.approx(np.ones((2, 2)))
    assert cosine(np.zeros((0, 4))).shape == (0, 0)


def test_a_row_of_zeros_has_no_cosine() -> None:
    found = cosine(np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert np.isnan(found).tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize("matrix", [np.array([[1.0, math.nan]]), np.array([[math.inf]]), np.array([1.0, 2.0])])
def test_cosine_refuses_what_is_no_matrix_of_numbers(matrix: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    with pytest.raises(ValueError, match="finite"):
        cosine(matrix)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Will the Fed cut by 25 bps to 4.25%-4.50% in March 2026?", {"25 basis point", "4.25%", "4.5%"}),
        ("a 25-basis-point cut, or 0.25 percentage points", {"25 basis point", "0.25 percentage point"}),
        ("above $1.5 million, US$ 3bn, USD5m or $100,000", {"$1500000", "$3000000000", "$5000000", "$100000"}),
        ("3 billion euros, EUR 20 million, £4k, 100.0 dollars", {"€3000000000", "€20000000", "£4000", "$100"}),
        ("between 3 and 4 percent, $100-150 billion", {"3%", "4%", "$100000000000", "$150000000000"}),
        ("5 to 7 seats, at least 218 votes", {"5 seat", "7 seat", "218 vote"}),
        ("1,000 troops, 2,000 troops and 12,345.60 barrels", {"1000", "2000", "12345.6 barrel"}),
        ("10M people, 500k jobs, 30-day ceasefire", {"10000000 person", "500000 job", "30 day"}),
        ("below -0.5%, 4.25\u20134.50 per cent, \u22125 degrees", {"-0.5%", "4.25%", "4.5%", "-5 degree"}),
        ("the U.S. 50 states may 3 times", {"50 state", "3"}),
        ("exceed 5% in May 5% or by May 5", {"5%"}),
    ],
)
def test_numbers_take_one_form(text: str, expected: set[str]) -> None:
    assert numeric_thresholds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "on 2026-03-18, 31 March 2026, March 18, 2026, Dec. 5 or the 3rd of May",
        "between January 3 and February 14, 2026, or March 3-5",
        "3/31/2026, in 2026, during 2025-26, Q3 2026 or March 2026",
        "by 11:59 PM ET, 8:30 a.m., 23:59:59 UTC or 5 pm",
        "COVID-19, the G7, F-35, GPT-5.2, the S&P 500, Form 10-K",
        "H.R. 22, S. 1234, Article 5, the 118th Congress, No. 10",
        "3.5x, 5G, 1080p and 1.2.3",
        "9" * 60,
    ],
)
def test_dates_and_names_are_no_thresholds(text: str) -> None:
    assert numeric_thresholds(text) == frozenset()


@settings(deadline=None)
@given(st.text(alphabet="0123456789.,-$%€ kmbt/:MayQ", max_size=40))
def test_any_text_is_read(text: str) -> None:
    assert all(any(character.isdigit() for character in number) for number in numeric_thresholds(text))
