"""What articles announce."""

from datetime import date

import pytest

from cruxbench_inspect.keyword.announcements import announcements
from cruxbench_inspect.keyword.outcomes import outcome_of
from cruxbench_inspect.keyword.prompts import GeneratorPrompt, ShownArticle


def prompt(text: str, question: str = "Will Orla Venn win?") -> GeneratorPrompt:
    article = ShownArticle(title="News", source="Gazette", published=date(2025, 5, 30), text=text)
    return GeneratorPrompt(
        question=question,
        rules="",
        earliest=date(2025, 6, 1),
        latest=date(2025, 6, 30),
        articles=(article,),
        several=False,
    )


@pytest.mark.parametrize(
    ("text", "subject", "phrase", "due"),
    [
        ("The Harbour Board will open the north quay on 9 June 2025.", "the Harbour Board", "open the north quay", 9),
        ("On 9 June the court, which sits in Hallin, will hear Venn.", "the court", "hear Venn", 9),
        ("Solvane Labs plans to launch its scanner on June 12.", "Solvane Labs", "launch its scanner", 12),
        ("A hearing on the licence is scheduled for 11 June 2025.", "a hearing on the licence", "take place", 11),
        ("The report on the bridge is due on 11 June 2025.", "the report on the bridge", "be made public", 11),
        ("The council meets on Tuesday.", "the council", "meet", 3),
        ("It said that the museum will close on 20 June, but nobody knows why.", "the museum", "close", 20),
    ],
)
def test_a_scheduled_event(text: str, subject: str, phrase: str, due: int) -> None:
    found = announcements(prompt(text))
    assert [(each.sort, each.subject, each.phrase, each.due) for each in found] == [
        ("scheduled", subject, phrase, date(2025, 6, due))
    ]


def test_a_pronoun_stands_for_the_name_before() -> None:
    (found,) = announcements(prompt("All wait for the crane Otava. It will arrive on 9 June 2025."))
    assert found.subject == "the crane Otava"


@pytest.mark.parametrize(
    "text", ["The court will rule on 9 July 2025.", "The court ruled on 2 May 2025.", "Rain is likely."]
)
def test_what_lies_outside_or_behind_is_not_announced(text: str) -> None:
    assert announcements(prompt(text)) == []


def test_a_repeated_figure_comes_with_its_last_value() -> None:
    (found,) = announcements(
        prompt("The agency publishes the traffic count every Thursday. The last count was 432, after 410.")
    )
    assert (found.sort, found.figure, found.due) == ("repeated", "traffic count", date(2025, 6, 5))
    assert found.last is not None and found.last.value == 432


def test_an_expected_event() -> None:
    (found,) = announcements(
        prompt("Traces were left and they hope that an arrest will follow in the coming days or weeks.")
    )
    assert (found.sort, found.subject, found.phrase, found.due) == ("expected", "an arrest", "follow", None)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The court will rule on the merger on 9 June 2025.", "the court approve the merger"),
        ("The board will decide on 9 June 2025 whether to close the mine.", "the board close the mine"),
        ("The party will decide on 9 June 2025 whether it supports the bill.", "the party support the bill"),
        ("The court will rule on the appeal of Venn on 9 June 2025.", "the court uphold the appeal of Venn"),
        (
            "The bank will announce its rate decision on 9 June 2025. A cut of the rate is likely.",
            "the bank cut its rate",
        ),
        (
            "The office will publish results of the load test on the bridge on 9 June 2025.",
            "the bridge pass the load test",
        ),
    ],
)
def test_the_outcome_of_a_decision(text: str, outcome: str) -> None:
    shown = prompt(text)
    assert outcome_of(shown, announcements(shown)[0]) == outcome


def test_a_plain_event_has_no_outcome() -> None:
    shown = prompt("The Harbour Board will open the north quay on 9 June 2025.")
    assert outcome_of(shown, announcements(shown)[0]) is None
