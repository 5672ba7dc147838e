import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.clean_text import clean_line, clean_text

TAGGED = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("plain", "plain"),
        ("two\r\nlines\rand\u2028more", "two\nlines\nand\nmore"),
        ("a\tb", "a\tb"),
        ("zero\u200bwidth\u200d\ufeff", "zerowidth"),
        (f"hidden{TAGGED} order", "hidden order"),
        ("right\u202eto left\u2066", "rightto left"),
        ("variation\ufe0f \U000e0101x", "variation x"),
        ("nul\x00 bell\x07 escape\x1b[31m", "nul bell escape[31m"),
        ("half a pair \ud83d.", "half a pair ."),
        ("see data:text/html;base64,PHNjcmlwdD4= now", "see [data link removed] now"),
        ("(DATA:,x)", "([data link removed])"),
        ("da\u200bta:text/plain,x", "[data link removed]"),
        ("the data: 5, 6 and metadata:a", "the data: 5, 6 and metadata:a"),
        ("the data: yes/no, the data; x, data:5", "the data: yes/no, the data; x, data:5"),
        *(
            (f"see {link} now", "see [data link removed] now")
            for link in (
                'data:text/html;charset="utf-8",AAAA',
                "data:text/html;charset='utf-8',AAAA",
                'data:text/html;a="b;c, d";base64,AAAA',
                "data:text/html; charset=utf-8,AAAA",
                "data:text/html ;charset = utf-8;base64,AAAA",
                "data:text/html;base64 ,AAAA",
                "data: text/html,AAAA",
                "data:text/html\n;base64,AAAA",
                "data:text/html;,AAAA",
                "data:;base64,AAAA",
                "data:image/svg+xml;utf8,AAAA",
                "Data:application/x-a.b+c;charset=,AAAA",
            )
        ),
        ("_data:text/html,AAAA-data:,x", "_[data link removed]"),
        ("a\U00013430b\U00013438c\u0600", "abc\u0600"),
        ("Élysée “quoted” 日本語 😀", "Élysée “quoted” 日本語 😀"),
    ],
)
def test_what_cannot_be_seen_is_removed(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


def test_a_line_has_no_breaks() -> None:
    assert clean_line("  a\n\n b\u2029c\td\xa0e ") == "a b c d e"


@given(
    st.lists(
        st.sampled_from(["data:", "text/html", "a/b", ";x=", "base64", *"da:t,;/x= \n\r\u200b\ufeff\"'<é"])
        | st.characters()
    ).map("".join)
)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert clean_line(clean_line(text)) == clean_line(text)
    assert "\x00" not in once
    once.encode("utf-8")


def test_links_made_to_cost_time_are_removed_in_passing() -> None:
    # A pattern that goes back for each of them would need hours.
    for piece in ('data:a/b;x="', "data:", "data:a/b;", "data:a/b;x", ";x", " ", "data:text/html ", "data:a/b;x=\"' "):
        clean_text("data:a/b" + piece * (300_000 // len(piece)))
