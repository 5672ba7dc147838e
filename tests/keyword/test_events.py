"""What sentences say about events."""

import pytest

from cruxbench_inspect.keyword.events import event_mentions, says_happened, says_prevented


def statuses(sentence: str, kind: str, headline: bool = False) -> list[str]:
    return [mention.status for mention in event_mentions(sentence, headline) if mention.kind == kind]


@pytest.mark.parametrize(
    ("sentence", "kind", "status"),
    [
        ("The court approved the merger.", "approve", "happened"),
        ("The party voted on 2 May 2025 at 19:45 to support the bill.", "approve", "happened"),
        ("The court ordered that he stays in custody.", "stay", "happened"),
        ("The ship sank off the coast.", "end", "happened"),
        ("Police report the arrest of two men.", "arrest", "happened"),
        ("The board left its rate unchanged.", "hold", "happened"),
        ("The court will approve the merger.", "approve", "open"),
        ("They hope that an arrest will follow.", "arrest", "open"),
        ("Two men would be charged.", "charge", "open"),
        ("It is unclear whether the court approved it.", "approve", "open"),
        ("No arrest has been made.", "arrest", "negated"),
        ("The bridge has not been reopened.", "open", "negated"),
        ("The board did not raise its rate.", "raise", "refused"),
        ("The party decided on 2 May not to support the bill.", "approve", "refused"),
        ("Shareholders failed to approve the offer.", "approve", "refused"),
        ("The party voted on 2 May against the bill.", "reject", "happened"),
    ],
)
def test_the_status_of_an_event(sentence: str, kind: str, status: str) -> None:
    assert statuses(sentence, kind)[:1] == [status]


def test_the_present_tense_reports_in_a_headline_alone() -> None:
    assert statuses("Court approves merger", "approve", headline=True) == ["happened"]
    assert statuses("The court approves mergers every month.", "approve") == ["open"]
    assert statuses("Court to approve merger", "approve", headline=True) == ["open"]


def test_a_noun_is_not_what_somebody_does() -> None:
    assert event_mentions("Will the strike be over by June?") == ()
    assert event_mentions("a rate of 1.5 percent or lower") == ()


def test_what_follows_from_what() -> None:
    assert says_happened("decide", "approve") and not says_happened("approve", "decide")
    assert says_prevented("approve", "reject") and says_prevented("launch", "end")
    assert not says_prevented("approve", "approve") and not says_prevented("approve", "delay")
