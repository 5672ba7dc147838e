"""Sentences and quotes are exact parts of a text."""

from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.keyword.sentences import quote, sentences


def test_sentences_end_at_stops_but_not_at_abbreviations() -> None:
    text = "Dr. A. Smith spoke at 3.40 p.m. sharp. She left!  “Why?” Nobody knows"
    assert sentences(text) == ["Dr. A. Smith spoke at 3.40 p.m. sharp.", "She left!", "“Why?”", "Nobody knows"]


@given(st.text(max_size=500))
def test_every_sentence_and_quote_occurs_in_the_text(text: str) -> None:
    for sentence in sentences(text):
        assert sentence in text
        part = quote(sentence, 40)
        assert part in sentence and 0 < len(part) <= 40


def test_a_quote_is_cut_between_words() -> None:
    assert quote("one two three", 9) == "one two"
