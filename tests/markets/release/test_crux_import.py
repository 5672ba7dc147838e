from typing import Any

import pytest

from cruxbench_inspect.crux import Crux, CruxFault
from cruxbench_inspect.markets.release.crux_import import import_crux
from cruxbench_inspect.markets.release.records import ReleasedCrux, VerifiedTime
from cruxbench_inspect.questions import Question
from cruxbench_inspect.utc import format_utc
from tests import small_set

QUESTION = Question.model_validate(small_set.question())
"""Its window is that from 2025-03-01 to 2025-03-08."""


def released(**changes: Any) -> ReleasedCrux:
    return ReleasedCrux.model_validate(
        {
            "question": "Will the court rule by 6 March 2025?",
            "background_information": "It sits.",
            "resolution_criteria": "Yes if a ruling is published.",
            "start_date": "2025-03-01",
            "end_date": "2025-03-06",
            "rationale": "It matters.",
            "valid_period": True,
            "resolvable": True,
            "resolution": "Yes",
            "resolution_datetime": "2025-03-04T12:30:00Z",
            "evidence": {"step1": "first", "step8_final_decision": "decided"},
            "source_urls": ["https://courier.example/ruling"],
            **changes,
        }
    )


def verified(**changes: Any) -> VerifiedTime:
    entry = {"model": "m", "old_datetime": "2025-03-04T12:30:00Z", "adjudicated_datetime": "2025-03-04T12:30:00Z",
             "rule": "yes_event", "time_precision": "stated", "rationale": "as stated"}  # fmt: skip
    return VerifiedTime.model_validate(entry | changes)


def test_a_verified_resolution() -> None:
    imported = import_crux(released(), verified(old_datetime="2025-03-05T00:00:00Z"), QUESTION)
    assert isinstance(imported.crux, Crux) and imported.crux.background == "It sits."
    resolution = imported.resolution
    assert resolution is not None and resolution.verification is not None
    assert (resolution.answer, resolution.rule, resolution.precision) == ("Yes", "yes_event", "stated")
    assert resolution.reasoning == "decided" and resolution.evidence[0].quote == ""
    assert resolution.verification.changed and resolution.verification.reason == "as stated"
    assert not imported.inferred and not imported.dates_moved


@pytest.mark.parametrize(
    ("answer", "moment", "rule", "precision"),
    [
        ("Yes", "2025-03-04T12:30:00Z", "yes_event", "stated"),
        ("Yes", "2025-03-04T00:00:00Z", "yes_event", "date_only"),
        ("No", "2025-03-06T23:59:59Z", "no_deadline", "deadline"),
        ("No", "2025-03-07T04:59:59Z", "no_deadline", "deadline"),
        ("no", "2025-03-05T00:00:00Z", "no_irreversible", "date_only"),
    ],
)
def test_rules_without_a_verifier(answer: str, moment: str, rule: str, precision: str) -> None:
    imported = import_crux(released(resolution=answer, resolution_datetime=moment), None, QUESTION)
    assert imported.resolution is not None and imported.resolution.moment is not None
    assert (imported.resolution.rule, imported.resolution.precision) == (rule, precision)
    assert format_utc(imported.resolution.moment) == moment and imported.inferred


@pytest.mark.parametrize(
    ("changes", "unsettled"),
    [
        ({"resolvable": False, "resolution": "", "resolution_datetime": ""}, False),
        ({"resolution": "ambiguous"}, True),
        ({"resolution_datetime": "soon"}, True),
    ],
)
def test_what_cannot_be_settled(changes: dict[str, Any], unsettled: bool) -> None:
    imported = import_crux(released(**changes), None, QUESTION)
    resolution = imported.resolution
    # The release gives no failure mode, so none is made up.
    assert resolution is not None and not resolution.resolvable and resolution.failure_mode == "unclassified"
    assert imported.unsettled == unsettled


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2025-02-27", "2025-03-06", ("2025-03-01", "2025-03-06")),
        ("", "2025-03-06T23:59:59Z", ("2025-03-01", "2025-03-06")),
        ("2025-03-01", "the end", ("2025-03-01", "2025-03-08")),
        ("2025-03-07", "2025-03-06", ("2025-03-06", "2025-03-06")),
        ("2025-03-02", "2025-03-06T22:00:00-05:00", ("2025-03-02", "2025-03-07")),
    ],
)
def test_dates_that_the_release_judged_all_the_same(start: str, end: str, expected: tuple[str, str]) -> None:
    imported = import_crux(released(start_date=start, end_date=end), verified(), QUESTION)
    assert isinstance(imported.crux, Crux) and imported.resolution is not None
    assert (str(imported.crux.start_date), str(imported.crux.end_date)) == expected
    assert imported.dates_moved == ((start, end[:10]) not in (expected, ("2025-03-02", "2025-03-06")))


def test_dates_that_it_did_not_judge_stay_as_they_are() -> None:
    unjudged = {"resolvable": None, "resolution": None, "resolution_datetime": None}
    late = import_crux(released(end_date="2025-03-20", valid_period=False, **unjudged), None, QUESTION)
    assert isinstance(late.crux, Crux) and str(late.crux.end_date) == "2025-03-20" and late.resolution is None
    inside = import_crux(released(valid_period=False, **unjudged), None, QUESTION)
    assert inside.resolution is not None and inside.resolution.failure_mode == "unclassified"


def test_no_crux() -> None:
    assert import_crux(None, None, QUESTION).crux == CruxFault(kind="no_response", detail="the message is empty")
    empty = import_crux(released(question=""), None, QUESTION)
    assert isinstance(empty.crux, CruxFault) and empty.crux.kind == "invalid_crux" and empty.resolution is None
