"""Stems and shared wording."""

from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.keyword.words import inverse_document_frequencies, matter, names, overlap, stem, stems


def test_forms_and_synonyms_share_a_stem() -> None:
    assert stem("approved") == stem("approves") == stem("approval") == stem("approving")
    assert stem("ferries") == stem("ferry")
    assert stem("heist") == stem("theft") and stem("tribunal") == stem("court's")


def test_names_are_capitalised_words_inside_a_sentence() -> None:
    assert names("Will the Trade Court of Hallin rule? Perhaps in June.") == ["Trade", "Court", "Hallin"]


def test_the_matter_weighs_names_twice() -> None:
    assert matter("Will the Hallin merger be blocked by 9 June?", without={stem("blocked")}) == {
        stem("hallin"): 2.0,
        stem("merger"): 1.0,
    }


@given(st.dictionaries(st.text(min_size=1), st.floats(0.1, 9)), st.sets(st.text(min_size=1)))
def test_an_overlap_is_a_share(weights: dict[str, float], present: set[str]) -> None:
    assert 0 <= overlap(weights, present) <= 1
    assert overlap(weights, set(weights)) == (1 if weights else 0)


def test_rare_words_weigh_more() -> None:
    weights = inverse_document_frequencies(["the port waits", "the port opens", "the museum opens"])
    assert weights[stem("museum")] > weights[stem("port")] > 0


@given(st.text(max_size=200))
def test_any_text_has_stems(text: str) -> None:
    assert all(stems(text))
