"""Notes that were added to a description later are cut off, wherever they stand and whatever they are called."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.markets.rules_text import as_of_rules, display_text

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

MORE_HEADINGS = [
    "Additional context regarding the first sailing:",
    "Additional context about the sailing (June 3):",
    "Second additional context (June 3):",
    "2nd Additional Context:",
    "Additional context was added on June 3.",
    "ADDITIONAL CONTEXT 6/3/26 -",
    "Added context (June 3):",
    "Further context:",
    "Context added June 3, 2026:",
    "Context (June 3):",
    "Clarification regarding the first sailing:",
    "Clarifications:",
    "Clarification on June 3,",
    "Market clarification (June 3):",
    "Official Clarification:",
    "Polymarket clarification (June 3):",
    "Note (June 3, 2026):",
    "Note:",
    "Please note that as of June 3",
    "Important note:",
    "Edit (June 3):",
    "EDIT:",
    "Update: June 3 —",
    "Update #2:",
    "Update regarding the sailing at 5:00 p.m. ET on Jun. 3:",
    "Bulletin Board update (June 3):",
    "Bulletin:",
    "Rules clarified on June 3:",
    "The rules were updated on June 3, 2026.",
    "Rules of this market have been clarified:",
    "Updated rules (June 3):",
    "Updated June 3:",
    "June 3, 2026 – Clarification:",
    "> Update from our team:",
    "Additional information (June 3):",
    "Addendum:",
    "[June 3]",
    "June 3, 2026, 5:00 PM ET:",
    "This market was updated on June 3.",
    "The following clarification was added on June 3, 2026.",
    "Polymarket has clarified on June 3 that",
    "Extra clarification 🚨",
    "Clarification from the exchange, June 3.",
    "Final outcome (June 3):",
    "N.B.:",
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


@pytest.mark.parametrize("heading", MORE_HEADINGS)
@pytest.mark.parametrize("gap", ["\n\n", "\n", "<br><br>"])
def test_a_note_of_any_name_is_cut_off_above_and_below(heading: str, gap: str) -> None:
    note = f"{heading} {NOTE}"
    for description in (f"{note}{gap}{RULES}", f"{RULES}{gap}{note}"):
        found = as_of_rules(description)
        assert found.text == RULES
        assert [NOTE in one for one in found.removed] == [True]


@pytest.mark.parametrize("heading", [one for one in MORE_HEADINGS if one[0] not in ">[" and not one.startswith("June")])
@pytest.mark.parametrize("mark", ["{}", "**{}**", "({})", "- {}", "[{}]"])
def test_a_note_in_the_line_of_the_rules_is_cut_off(heading: str, mark: str) -> None:
    note = mark.format(f"{heading} {NOTE}")
    found = as_of_rules(f"{RULES} {note}\n\nThis market will therefore resolve to “Yes”.")
    assert found.text == RULES
    assert len(found.removed) == 1 and NOTE in found.removed[0] and "therefore" in found.removed[0]


@pytest.mark.parametrize("glue", ["", " "])
def test_a_title_without_a_full_stop_before_it_opens_a_note(glue: str) -> None:
    rules = "This market resolves to Yes if the crossing opens by June 30, 2026, 11:59 PM ET"
    assert as_of_rules(f"{rules}{glue or ')'} Additional Context: {NOTE}").text.rstrip(")") == rules
    assert as_of_rules(f"<span>{rules}.{glue}</span><b>Additional context</b> {NOTE}").text == f"{rules}."


def test_a_note_in_the_first_line_ends_where_the_rules_open() -> None:
    found = as_of_rules(f"Will it open? Additional context (June 3): {NOTE}\n\nIf so, it counts.\n\n{RULES}")
    assert found.text == f"Will it open?\n\n{RULES}".replace("\n\n", "\n", 1)
    assert len(found.removed) == 1 and "If so" in found.removed[0]


@pytest.mark.parametrize("deadline", ["Dec. 31, 2026 at 11:59 PM ET", "Sept. 3", "11:59 p.m. ET on June 5", "June"])
@pytest.mark.parametrize("joint", [". ", " ", " - ", " (", ". June 3, 2026 - ", ".** ", "; "])
@pytest.mark.parametrize("name", ["Additional context", "Official Clarification"])
def test_a_deadline_before_a_note_in_its_line_is_whole(deadline: str, joint: str, name: str) -> None:
    rules = f"This market resolves to Yes if it opens by {deadline}"
    assert as_of_rules(f"{rules}{joint}{name}: {NOTE}").text.rstrip(".;*").removesuffix(" Official") == rules


@pytest.mark.parametrize(
    "line",
    [
        "This market will therefore resolve to “Yes”.",
        "This market will resolve to “Yes”.",
        "This market now resolves to “Yes” if nobody disputes it.",
        "This market resolves to the “Yes” outcome.",
        "This market will resolve to “Yes” based on the ruling of June 2.",
        "As the ferry sailed on June 2, this market will resolve to “Yes” if nobody disputes it.",
        "This market will resolve to “Yes” because it was announced on June 2, even if it ends.",
        "This market will resolve to “Yes” if it opens, which happened on June 2.",
        "This market refers to the crossing, and the sailing of June 2 qualifies.",
        "This market is about the crossing. Its opening was announced on June 2.",
        "In this case the condition is met.",
        "In the event of June 2 there were passengers.",
        "If so, this market will resolve to “Yes”.",
        "If the ruling of June 2 stands, this market will resolve to “Yes”.",
        "Resolves to “Yes”.",
        "Resolution source: the port says that it opened.",
        "Rules",
        "---",
        "# What this market says",
        "The ferry is full every day.",
    ],
)
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_what_a_note_concludes_belongs_to_it(line: str, gap: str) -> None:
    above = as_of_rules(f"Additional context (June 3):{gap}{NOTE}{gap}{line}{gap}{RULES}")
    below = as_of_rules(f"{RULES}{gap}Additional context (June 3):{gap}{NOTE}{gap}{line}")
    assert above.text == below.text == RULES
    assert line in above.removed[0] and line in below.removed[0]


@pytest.mark.parametrize(
    "rules",
    [
        "This market will resolve to “Yes.” if the crossing has opened by June 30.",
        "This market resolves according to the figures published by the port.",
        "This market will resolve to the company that carries most passengers.",
        "This market refers to the crossing at Alvara.",
        "This is a market on the crossing at Alvara.",
        "Resolves to “Yes” if it opens.",
        "If the crossing opens by June 30, this market will resolve to “Yes”. Otherwise, it resolves to “No”.",
        "**This market will resolve to “Yes”** if a sailing was announced by June 30.",
    ],
)
def test_rules_may_open_in_these_ways_after_a_note(rules: str) -> None:
    for gap in ("\n\n", "\n"):
        found = as_of_rules(f"Additional context (June 3): {NOTE}{gap}{rules}\n\nA trial does not count.")
        assert found.text == f"{rules}\n\nA trial does not count."


def test_a_conclusion_under_the_rules_is_cut_off_where_there_is_a_note() -> None:
    ending = "A trial does not count.\n\nThe condition is met, and this market therefore resolves to “Yes”."
    found = as_of_rules(f"Additional context: {NOTE}\n\n{RULES}\n\n{ending}")
    assert found.text == f"{RULES}\n\nA trial does not count." and len(found.removed) == 2
    assert as_of_rules(f"{RULES}\n\n{ending}") == (f"{RULES}\n\n{ending}", ())


def test_nothing_is_shown_if_no_rules_open_under_a_note() -> None:
    found = as_of_rules(f"**Additional context:** {NOTE}\n\nIt opened, so Yes.\n\nNo, if it did not.")
    assert found.text == "" and "so Yes" in found.removed[0]


def test_the_resolution_source_after_a_note_stays() -> None:
    found = as_of_rules(
        f"This market is about a crossing.\n\nAdditional context: {NOTE}\n\nResolution source: the port."
    )
    assert found.text == "This market is about a crossing.\n\nResolution source: the port."


@pytest.mark.parametrize(
    "line",
    [
        "Resolution source: Reuters says that it opened on June 2.",
        "Resolution source: Reuters says that it opened.",
        "The resolution source is the port, which announced the opening.",
        "The resolution source will be the port. It opened.",
        "The resolution source is the port's statement of June 2.",
        "Resolution source: https://port.example/alvara-crossing-is-open",
        "Resolution source: https://port.example/2026/open",
        "The resolution source confirms it.",
        "Resolution sources agree.",
        "The resolution source for this market has been the port.",
    ],
)
def test_a_source_that_tells_something_is_not_shown_after_a_note(line: str) -> None:
    found = as_of_rules(f"{RULES}\n\nAdditional context: {NOTE}\n\n{line}")
    assert found.text == RULES and line in found.removed[0]


@pytest.mark.parametrize(
    "line",
    [
        "The resolution source will be the port, however a consensus of credible reporting will also be used.",
        "**Resolution source:** https://port.example/crossing/",
        "The primary resolution source for this market is official information published by the port.",
    ],
)
def test_a_plain_source_is_shown_after_a_note(line: str) -> None:
    assert as_of_rules(f"{RULES}\n\nAdditional context: {NOTE}\n\n{line}").text == f"{RULES}\n\n{line}"


@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        "No updates or clarifications will be made to the market rules.",
        "Please note that this market is about the crossing, not the port.",
        "It resolves by the port's latest update (weekly), see the notes: they list each sailing.",
        "If the rules are updated on a later day, the market stays.",
        "Announcements by the following will count: the port, the state.",
        "Updates before 11:59 PM ET count. Updates posted to https://port.example count.",
        "A statement of any kind counts if there is additional context: it helps.",
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
        "Some rules. Additional context: told. Update (June 3).",
        "Clarification. Additional context, June 3 - Note: x",
        "This market therefore resolves to Yes.",
        "Resolution source: the port.",
    ]
) | st.text(max_size=20)


@settings(deadline=None)
@given(st.lists(LINE, max_size=12).map("\n".join))
def test_what_is_left_is_a_subsequence_of_the_lines_and_has_no_note(description: str) -> None:
    found = as_of_rules(description)
    lines = iter(display_text(description).split("\n"))
    assert all(any(one.strip().startswith(line.strip()) for one in lines) for line in found.text.split("\n") if line)
    assert as_of_rules(found.text).removed == ()
    assert bool(found.removed) or found.text.split() == display_text(description).split()
