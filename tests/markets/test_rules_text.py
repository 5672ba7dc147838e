"""A market's description as people read it, and what makes two texts the same."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.markets.rules_text import display_text, same_text_key


def test_html_entities_and_tags_become_plain_text() -> None:
    shown = display_text(
        "<p>Ministers &amp; &ldquo;Yes&rdquo;&#58; <a href='https://x.example/?a=1&b=2'>page</a></p>End"
    )
    assert shown == "Ministers & “Yes”: page\nEnd"


@pytest.mark.parametrize("text", ["if a <b and c> d", "x < 5 & y > 3", "AT&T; 5 &notathing; &copy 2026", "<Yes>"])
def test_what_is_no_html_stays(text: str) -> None:
    assert display_text(text) == text


def test_unicode_is_kept_and_composed() -> None:
    assert display_text("“Yes” – 5\u00a0% 🎉 caf" + "e\u0301") == "“Yes” – 5\u00a0% 🎉 café"


def test_an_escaped_tag_is_text() -> None:
    assert display_text("Write &lt;b&gt; for bold") == "Write <b> for bold"


@settings(deadline=None)
@given(st.text(max_size=60))
def test_shown_text_is_composed_and_has_no_edge_of_spaces(text: str) -> None:
    shown = display_text(text)
    assert unicodedata.is_normalized("NFC", shown) and shown == shown.strip()


def test_texts_that_differ_only_in_their_dress_have_one_key() -> None:
    one = same_text_key("Will “X” open—by\u00a0June 30?")
    assert one == same_text_key("<b>will</b> &quot;x&quot;  open-by june 30?") == 'will "x" open-by june 30?'
    assert one != same_text_key("Will “X” open by July 30?")


@settings(deadline=None)
@given(st.text(max_size=60))
def test_a_key_does_not_depend_on_case_or_spaces(text: str) -> None:
    plain = text.replace("<", "").replace("&", "")
    assert same_text_key(f"  {plain}\n") == same_text_key(plain)
