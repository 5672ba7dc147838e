"""What is read out of a market's question."""

import pytest

from cruxbench_inspect.audit.event_verbs import base_of, past_forms, present_form
from cruxbench_inspect.audit.question_event import event_of


@pytest.mark.parametrize(
    ("question", "verb", "subject", "target"),
    [
        ("Will Ilsa Morvane resign as mayor by January 31, 2026?", "resign", {"ilsa", "morvan"}, {"mayor"}),
        ("Will the US government shutdown end by November 15?", "end", {"us", "govern", "shutdo"}, set()),
        ("Will a ceasefire be signed in Gaza before 2026?", "sign", {"ceasef"}, {"gaza"}),
        ("Will Bitcoin hit $150,000 in October 2025?", "hit", {"bitcoi"}, {"150000"}),
        ("Will the Aurora probe land on Europa before April 30?", "land", {"aurora", "probe"}, {"europa"}),
        ("Will Harlan Voss be out as CEO by March 31, 2026?", "leave", {"harlan", "voss"}, {"ceo"}),
        ("Will Kite Studios xyzzle Ironvale 2 before September 15?", "xyzzle", {"kite", "studio"}, {"ironva", "2"}),
        ("Will it rain?", "", {"rain"}, set()),
    ],
)
def test_a_question_has_a_verb_a_subject_and_a_target(
    question: str, verb: str, subject: set[str], target: set[str]
) -> None:
    event = event_of(question)
    assert (event.verb, set(event.subject), set(event.target)) == (verb, subject, target)


@pytest.mark.parametrize(
    ("verb", "past", "present"),
    [
        ("resign", "resigned", "resigns"), ("step", "stepped", "steps"), ("win", "won", "wins"),
        ("pass", "passed", "passes"), ("deny", "denied", "denies"), ("release", "released", "releases"),
        ("veto", "vetoed", "vetoes"), ("ban", "banned", "bans"), ("visit", "visited", "visits"),
    ],
)  # fmt: skip
def test_forms_of_verbs(verb: str, past: str, present: str) -> None:
    assert past in past_forms(verb)
    assert present_form(verb) == present
    assert base_of(past) == verb
