import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.query import MAX_CHARACTERS, plain_query


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("  louvre   arrest\n", "louvre arrest"),
        ("arrest after:2026-06-01 louvre", "arrest louvre"),
        ('site:news.example "crown jewels" -inurl:live', '"crown jewels"'),
        ('intitle:"two arrested" Paris', "Paris"),
        ("BEFORE:2027-01-01", ""),
        ("aft\u200ber:2026-06-01 x", "x"),
        ("talks at 17:00, score 3:2", "talks at 17:00, score 3:2"),
        ("what happened after: an update", "what happened after: an update"),
        ("http://169.254.169.254/ data", "http://169.254.169.254/ data"),
    ],
)
def test_only_words_remain(query: str, words: str) -> None:
    assert plain_query(query) == words


@given(st.text())
def test_no_operator_survives(text: str) -> None:
    query = plain_query(f"{text} after:2026-06-01 {text}")
    assert "2026-06-01" not in query
    assert len(query) <= MAX_CHARACTERS
    assert query == query.strip()


def test_a_long_query_is_cut() -> None:
    assert len(plain_query("word " * 20_000)) <= MAX_CHARACTERS
