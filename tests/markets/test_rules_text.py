"""What of a market's description may be shown."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.markets.rules_text import as_of_rules, display_text, same_text_key

RULES = (
    "This market will resolve to “Yes” if the Alvara crossing opens by June 30, 2026, 11:59 PM ET.\n\n"
    "A trial run does not count. Updates on the operator's page count as announcements.\n\n"
    "The primary resolution source for this market will be the operator; additional context will not be considered."
)
NOTE = "The crossing carried its first paying passengers on June 2, so the condition is met."

HEADINGS = [
    "Additional context: {}",
    "Additional context (June 3, 2026): {}",
    "**Additional context** (added June 3, 2026, 5:00 PM ET): {}",
    "**Additional Context:** {}",
    "**Additional context**\n\n{}",
    "## Additional context\n{}",
    "ADDITIONAL CONTEXT\n{}",
    "June 3, 2026 - Additional context: {}",
    "[Update 6/3/2026] Additional context – {}",
    "Additional context added on June 3rd:\n\n{}",
    "Additional context as of June 3, 2026: {}",
    "“Additional context”: {}",
    "Additional&nbsp;context:&#32;{}",
    "<b>Additional context</b> (June 3): {}",
    "<p><strong>Additional context</strong></p><p>{}</p>",
    "Update (June 3, 2026): {}",
    "Clarification: {}",
    "> Note: additional context (June 3) {}",
]


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("gap", ["\n\n", "\n\n---\n\n", "\n", "<br><br>"])
def test_a_note_above_the_rules_is_cut_off(heading: str, gap: str) -> None:
    found = as_of_rules(heading.format(NOTE) + gap + RULES)
    assert found.text == RULES
    assert len(found.removed) == 1 and NOTE in found.removed[0]


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("gap", ["\n\n", "\n\n---\n\n", "\n", "<br/><br/>"])
def test_a_note_below_the_rules_is_cut_off(heading: str, gap: str) -> None:
    found = as_of_rules(RULES + gap + heading.format(f"{NOTE}\n\nThis market will therefore resolve to “Yes”."))
    assert found.text.removesuffix("---").strip() == RULES
    assert len(found.removed) == 1 and "therefore" in found.removed[0]


def test_several_notes_on_both_sides_are_cut_off() -> None:
    above = f"Additional context (June 3): {NOTE}\n\nAdditional context (June 1): A trial ran today.\n\nIt was free."
    found = as_of_rules(f"{above}\n\n{RULES}\n\nAdditional context (June 5): Settled.\n\nUpdate: Paid.")
    assert found.text == RULES
    assert [note.split(":")[0] for note in found.removed] == [
        "Additional context (June 3)",
        "Additional context (June 1)",
        "Additional context (June 5)",
        "Update",
    ]


def test_a_note_above_rules_that_open_in_no_known_way_is_its_first_paragraph() -> None:
    found = as_of_rules(f"Additional context: {NOTE}\n\nYes, if the crossing opens.\n\nNo, if it does not.")
    assert found.text == "Yes, if the crossing opens.\n\nNo, if it does not."


def test_the_resolution_source_after_a_note_stays() -> None:
    found = as_of_rules(
        f"This market is about a crossing.\n\nAdditional context: {NOTE}\n\nResolution source: the port."
    )
    assert found.text == "This market is about a crossing.\n\nResolution source: the port."


@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        "Additional context will not be considered. This market will resolve to Yes if it opens.",
        "Updates on December 5 count.\nUpdates from 2025 onward count.",
        "If additional context: unclear, this market resolves to No.",
        "The update of June 3 counts.",
        "",
    ],
)
def test_rules_without_a_note_are_not_touched(rules: str) -> None:
    assert as_of_rules(rules) == (rules, ())


LINE = st.sampled_from(
    [
        *RULES.split("\n\n"),
        "",
        "---",
        "Additional context:",
        f"Additional context (June 3): {NOTE}",
        "**Additional context**",
        "# Rules",
        "Some sentence.",
    ]
) | st.text(max_size=20)


@settings(deadline=None)
@given(st.lists(LINE, max_size=12).map("\n".join))
def test_what_is_left_is_a_subsequence_of_the_lines_and_has_no_note(description: str) -> None:
    found = as_of_rules(description)
    lines = iter(display_text(description).split("\n"))
    assert all(any(line.strip() == one.strip() for one in lines) for line in found.text.split("\n") if line)
    assert as_of_rules(found.text).removed == ()
    assert bool(found.removed) or found.text.split() == display_text(description).split()


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
