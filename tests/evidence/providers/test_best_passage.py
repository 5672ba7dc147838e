from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.providers.best_passage import best_passage


def test_the_passage_that_says_most_about_the_query() -> None:
    text = "\n".join(["Nothing of note happened. " * 40, "The strikes ended in Lyon on Monday.", "Weather. " * 100])
    passage = best_passage("strike Lyon", text)
    assert "strikes ended in Lyon" in passage
    assert len(passage) <= 400 and "\n" not in passage


def test_the_beginning_where_no_word_is_in_it() -> None:
    assert best_passage("strike", "First words. " + "More. " * 200).startswith("First words.")
    assert best_passage("the", "") == ""
    assert best_passage("", "A short text.") == "A short text."


@given(st.text(max_size=50), st.text(max_size=2000))
def test_any_text_has_a_passage(query: str, text: str) -> None:
    assert len(best_passage(query, text)) <= 400
