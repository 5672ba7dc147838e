"""What an imported question shows: nothing that depends on when its market settled."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.markets.release.crux_import import import_crux
from cruxbench_inspect.markets.release.question_import import ImportedQuestion, import_questions
from cruxbench_inspect.markets.release.records import ReleasedCrux, ReleasedQuestion
from cruxbench_inspect.settlement import baseline_hours
from cruxbench_inspect.utc import format_utc, parse_utc

START = parse_utc("2025-10-05T00:00:10Z")


def imported(end: str | datetime, **changes: Any) -> ImportedQuestion:
    """A market that is scheduled until the start of 31 October, with a window of the release that ends at a moment."""
    window = {"period_idx": 0, "start": changes.pop("start", START), "end": end}
    record = {
        "id": 7,
        "question": "Will Alvara open its harbour?",
        "description": "Yes if a ship lands.",
        "startDate": "2025-08-01T00:00:00Z",
        "endDate": "2025-10-31T00:00:00Z",
        "resolution": "Yes",
        "active_windows": [window],
        **changes,
    }
    return import_questions([ReleasedQuestion.model_validate(record)]).by_id["7"]


RULES = "Yes if a ship lands by October 31, 2025, 11:59 PM ET."


@given(st.integers(1, 30 * 86400), st.integers(0, 80 * 86400), st.sampled_from(["", RULES]))
def test_nothing_that_is_shown_depends_on_the_settlement(lasts: int, later: int, rules: str) -> None:
    end = START + timedelta(seconds=lasts)
    settled = end + timedelta(seconds=later)
    moments = {"umaEndDate": settled, "closedTime": settled, "ph_end": 1000 * int(settled.timestamp())}
    at_schedule = imported(START + timedelta(days=23), description=rules)
    found = imported(end, description=rules, resolution="No", **moments)
    assert found.question == at_schedule.question
    # Baselines are those of the release all the same.
    first, last = baseline_hours(found.question, found.outcome)
    assert (first, last) == (parse_utc("2025-10-05T00:00:00Z"), end.replace(minute=0, second=0) + timedelta(hours=23))


@pytest.mark.parametrize(
    ("end", "rules", "shown", "kept"),
    [
        # The release's window ends 3 days before the last price, some seconds after a scheduled close: the same hours.
        ("2025-10-28T00:00:22Z", "", "2025-10-28T00:00:00Z", False),
        # The market settled early.
        ("2025-10-20T00:00:22Z", "", "2025-10-28T00:00:00Z", True),
        # It outlived its schedule.
        ("2025-11-04T00:00:10Z", "", "2025-10-28T00:00:00Z", True),
        # The deadline is that of the rules: one window ends 3 days before the last price, and one is shorter.
        ("2025-10-29T00:00:22Z", RULES, "2025-10-29T03:59:00Z", True),
        ("2025-10-28T00:00:22Z", RULES, "2025-10-29T03:59:00Z", True),
    ],
)
def test_windows(end: str, rules: str, shown: str, kept: bool) -> None:
    found = imported(end, description=rules)
    assert format_utc(found.question.window.end) == shown
    assert found.outcome.window_end == (parse_utc(end) if kept else None)


def test_the_close_is_the_deadline_that_the_rules_state() -> None:
    assert format_utc(imported("2025-10-29T00:00:22Z").question.closes) == "2025-10-31T00:00:00Z"
    assert format_utc(imported("2025-10-29T00:00:22Z", description=RULES).question.closes) == "2025-11-01T03:59:00Z"
    note = "Yes if a ship lands.\n\nAdditional context (October 20): the deadline is November 1, 2025, 9 PM ET."
    assert format_utc(imported("2025-10-29T00:00:22Z", description=note).question.closes) == "2025-10-31T00:00:00Z"
    nonsense = {"endDate": "2500-12-31T00:00:00Z", "events": []}
    assert format_utc(imported("2025-10-29T00:00:22Z", description=RULES, **nonsense).question.closes) == (
        "2025-11-01T03:59:00Z"
    )


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2025-10-27T23:59:50Z", "2025-10-28T00:00:00Z"),
        ("2025-10-28T00:00:00Z", "2025-10-31T00:00:00Z"),
        ("2025-10-30T23:59:50Z", "2025-10-31T00:00:00Z"),
        ("2025-10-31T00:00:00Z", "2025-11-30T00:00:00Z"),
        ("2025-11-20T00:00:10Z", "2025-12-20T00:00:10Z"),
    ],
)
def test_a_window_that_starts_when_its_market_should_be_over(start: str, end: str) -> None:
    for days in (1, 30):
        found = imported(parse_utc(start) + timedelta(days=days), start=start)
        assert found.question.window.end == parse_utc(end)


def test_what_differs_is_counted() -> None:
    ends = {1: "2025-10-20T00:00:22Z", 2: "2025-10-28T00:00:22Z", 3: "2025-11-04T00:00:10Z"}
    record = {"question": "Will it?", "startDate": "2025-08-01T00:00:00Z", "endDate": "2025-10-31T00:00:00Z"}
    records = [
        record | {"id": number, "active_windows": [{"period_idx": 0, "start": START, "end": end}]}
        for number, end in ends.items()
    ]
    records[2]["description"] = RULES
    counts = import_questions([ReleasedQuestion.model_validate(each) for each in records]).counts
    names = ("windows_cut_short_of_scheduled_close", "windows_past_scheduled_close", "closes_stated_by_rules")
    assert [counts[name] for name in names] == [1, 1, 1]


@pytest.mark.parametrize(
    ("answer", "moment", "rule"),
    [
        ("Yes", "2025-11-02T10:00:00Z", "yes_event"),
        ("No", "2025-11-03T23:59:59Z", "no_deadline"),
        ("No", "2025-10-30T10:00:00Z", "no_irreversible"),
    ],
)
def test_a_crux_that_ends_after_the_shown_window_keeps_its_resolution(answer: str, moment: str, rule: str) -> None:
    question = imported("2025-11-04T00:00:10Z").question
    released = ReleasedCrux.model_validate(
        {"question": "Will a ship sail?", "background_information": "It may.", "resolution_criteria": "Reports.",
         "start_date": "2025-10-05", "end_date": "2025-11-03", "rationale": "Ships.", "valid_period": True,
         "resolvable": True, "resolution": answer, "resolution_datetime": moment}
    )  # fmt: skip
    crux = import_crux(released, None, question)
    assert crux.ends_later and isinstance(crux.crux, Crux) and str(crux.crux.end_date) == "2025-10-28"
    assert crux.resolution is not None and crux.resolution.moment == parse_utc(moment)
    assert crux.resolution.rule == rule
