from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.crux import Crux, read_crux
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.rendering import render_document
from cruxbench_inspect.judge.checks import SHORTEST_QUOTE, resolution_of, verified
from cruxbench_inspect.judge.submission import Refused, ResolutionSubmission, TimeSubmission
from cruxbench_inspect.resolution import GRACE, Resolution, moment_of
from cruxbench_inspect.utc import format_utc, parse_utc
from tests.evidence.fake_source import make_document
from tests.scripted_model import crux_json

REPORT = make_document(
    "2025-11-06T12:00:00Z",
    title="Ruling “in full”",
    text="The court said: ‘The licence\n  stands’ – and that\u00a0is the end of it. Later the mayor spoke.",
)
NOTE = make_document("2025-10-28", title="Court sits", text="The judges of the harbour court heard the parties.")
DOCUMENTS = {document.id: document for document in (REPORT, NOTE)}
QUOTE = "Later the mayor spoke."


def crux(start: str = "2025-10-25", end: str = "2025-11-05") -> Crux:
    made = read_crux(crux_json(start_date=start, end_date=end))
    assert isinstance(made, Crux)
    return made


CRUX = crux()


def cite(document: Document = REPORT, quote: str = QUOTE) -> dict[str, str]:
    return {"document_id": document.id, "quote": quote}


def submission(**changes: Any) -> ResolutionSubmission:
    fields = {
        "resolvable": True,
        "answer": "Yes",
        "local_time": "2025-10-29T17:00:00",
        "zone": "Europe/Paris",
        "precision": "stated",
        "rule": "yes_event",
        "evidence": [cite()],
        "failure_mode": None,
        "reasoning": "The report says so.",
    }
    return ResolutionSubmission.model_validate({**fields, **changes})


def resolution(of: Crux = CRUX, **changes: Any) -> Resolution:
    return resolution_of(submission(**changes), of, DOCUMENTS, searches=1)


def refusal(of: Crux = CRUX, searches: int = 1, **changes: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        resolution_of(submission(**changes), of, DOCUMENTS, searches)
    return refused.value


def resolved_at(of: Crux = CRUX, **changes: Any) -> str:
    moment = resolution(of, **changes).moment
    assert moment is not None
    return format_utc(moment)


def test_a_good_submission_keeps_what_was_stated_and_what_was_cited() -> None:
    settled = resolution(evidence=[cite(), cite(NOTE, "heard the parties")])
    assert (settled.answer, settled.rule, settled.precision) == ("Yes", "yes_event", "stated")
    assert (settled.local_time, settled.zone) == ("2025-10-29T17:00:00", "Europe/Paris")
    assert [(item.document_id, item.published, item.proof) for item in settled.evidence] == [
        (REPORT.id, "2025-11-06T12:00:00Z", "B"),
        (NOTE.id, "2025-10-28", "B"),
    ]
    assert resolved_at() == "2025-10-29T16:00:00Z"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"evidence": []}, "evidence is empty: cite at least one document with a quote"),
        (
            {"evidence": [{"document_id": "doc-0000000000", "quote": QUOTE}]},
            "'doc-0000000000' was not returned by your tools: cite ids that they showed",
        ),
        (
            {"evidence": [cite(quote="The mayor spoke later.")]},
            f"the quote 'The mayor spoke later.' does not occur in {REPORT.id}: copy it exactly",
        ),
        ({"evidence": [cite(quote="the mayor")]}, "the quote 'the mayor' is too short to show anything"),
        ({"evidence": [cite(quote=" \n ".join("the mayor"))]}, "does not occur"),
        ({"evidence": [cite(quote="mayor" + " " * SHORTEST_QUOTE)]}, "is too short to show anything"),
    ],
)
def test_refused_for_its_evidence(changes: dict[str, Any], problem: str) -> None:
    refused = refusal(**changes)
    assert refused.kind == "evidence"
    assert problem in str(refused)


@pytest.mark.parametrize(
    "quote",
    [
        "the court said: 'the licence stands' - and that is the end of it.",
        "THE LICENCE   STANDS",
        "“The Licence stands".removeprefix("“"),
        "‘The licence stands’ — and that",
        "\tLater the\nmayor\u00a0spoke. ",
        'Ruling "in full"',
    ],
)
def test_a_quote_may_differ_in_its_quotation_marks_dashes_spaces_and_case(quote: str) -> None:
    assert resolution(evidence=[cite(quote=quote)]).evidence[0].quote == quote


def test_a_quote_may_be_copied_as_the_tools_show_it() -> None:
    said = 'The judge said: "Alder & Birch may build < 3 towers", and left.'
    document = REPORT.model_copy(update={"text": said})
    shown = render_document(document, 1000).splitlines()[1]
    assert "&quot;" in shown
    for quote in (said, shown, shown[10:40]):
        found = resolution_of(submission(evidence=[cite(document, quote)]), CRUX, {document.id: document}, 1)
        assert found.evidence[0].quote == quote


@pytest.mark.parametrize("field", ["modified", "captured"])
def test_a_page_can_report_what_happened_after_it_was_first_published(field: str) -> None:
    page = Document.model_validate({**REPORT.model_dump(), "published": "2025-10-26", field: "2025-10-29T16:30:00Z"})
    found = resolution_of(submission(evidence=[cite(page)]), CRUX, {page.id: page}, 1)
    assert found.moment == parse_utc("2025-10-29T16:00:00Z")


@pytest.mark.parametrize("zone", ["EST", "MST", "EST5EDT", "CET", "Etc/GMT+5", "posixrules", "localtime", "posix/UTC"])
def test_an_abbreviation_or_a_fixed_offset_is_no_zone(zone: str) -> None:
    with pytest.raises(ValueError, match="zone"):
        moment_of("2025-10-17T16:00:00", zone, "stated")


@pytest.mark.parametrize(
    ("local_time", "zone"), [("2025-10-17T16:00:00", "america/new york"), ("2025-10-17T20:00:00Z", None)]
)
def test_a_zone_is_read_however_it_is_spelt(local_time: str, zone: str | None) -> None:
    assert moment_of(local_time, zone, "stated") == parse_utc("2025-10-17T20:00:00Z")


def test_an_irreversible_no_is_an_event_before_the_deadline() -> None:
    refused = refusal(answer="No", rule="no_irreversible", local_time="2025-11-06T00:00:00", zone="UTC")
    assert "is after the deadline" in refused.problems[0]


def test_all_problems_of_the_evidence_are_told_at_once() -> None:
    refused = refusal(
        evidence=[cite(quote="the mayor"), cite(NOTE, QUOTE), {"document_id": "nowhere", "quote": QUOTE}, cite()]
    )
    assert [problem.split(" ")[0] for problem in refused.problems] == ["the", "the", "'nowhere'"]


@pytest.mark.parametrize("field", ["answer", "rule", "precision"])
def test_a_field_of_a_resolvable_crux_is_missing(field: str) -> None:
    refused = refusal(CRUX, 1, **{field: None})
    assert (refused.kind, refused.problems) == ("time", [f"{field} is missing"])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"answer": "No"}, "answer No does not go with rule yes_event"),
        ({"rule": "no_deadline", "precision": "deadline"}, "answer Yes does not go with rule no_deadline"),
        ({"rule": "no_irreversible"}, "answer Yes does not go with rule no_irreversible"),
        ({"precision": "deadline"}, "rule yes_event does not go with precision deadline"),
        ({"answer": "No", "rule": "no_deadline"}, "rule no_deadline does not go with precision stated"),
        (
            {"answer": "No", "rule": "no_irreversible", "precision": "deadline"},
            "rule no_irreversible does not go with precision deadline",
        ),
        ({"local_time": None}, "local_time is missing: precision stated needs one"),
        ({"local_time": None, "precision": "date_only"}, "local_time is missing: precision date_only needs one"),
        ({"local_time": "yesterday"}, "local_time 'yesterday' is no ISO 8601 time such as"),
        ({"local_time": "yesterday", "precision": "date_only"}, "local_time 'yesterday' is no date such as"),
        ({"local_time": "2025-10-29"}, "has no time of day: precision stated needs one"),
        ({"local_time": "2025-10-29", "precision": "convention"}, "has no time of day: precision convention needs one"),
        ({"zone": None}, "zone is missing: give the IANA name"),
        ({"zone": "Mars/Olympus"}, "zone 'Mars/Olympus' is no IANA time zone"),
        ({"zone": "../../etc/localtime"}, "is no IANA time zone"),
        ({"local_time": "2025-10-29T17:00:00+05:00"}, "has an offset that Europe/Paris does not have then"),
        ({"local_time": "2025-10-24T23:59:59", "zone": "UTC"}, "2025-10-24T23:59:59Z is outside of 2025-10-25T00:00"),
        (
            {"local_time": "2025-11-07T12:00:00", "zone": "UTC"},
            "is outside of 2025-10-25T00:00:00Z to 2025-11-07T11:59",
        ),
        ({"local_time": "2025-10-24", "precision": "date_only"}, "2025-10-24T00:00:00Z is outside of"),
        ({"local_time": "2025-11-06T12:00:01", "zone": "UTC"}, "is after every cited document was written"),
        ({"local_time": "0001-01-01T00:00:00", "zone": "Asia/Tokyo"}, "0001-01-01"),
        ({"local_time": "9999-12-31T23:59:59", "zone": "America/New_York"}, "9999-12-31"),
    ],
)
def test_refused_for_its_time(changes: dict[str, Any], problem: str) -> None:
    refused = refusal(**changes)
    assert refused.kind == "time"
    assert problem in str(refused)


def test_evidence_is_checked_before_the_time() -> None:
    refused = refusal(evidence=[], answer="No", local_time="1999-01-01T00:00:00")
    assert refused.problems == ["evidence is empty: cite at least one document with a quote"]


@pytest.mark.parametrize(
    ("local_time", "zone", "moment"),
    [
        ("2025-10-25T00:00:00", "UTC", "2025-10-25T00:00:00Z"),
        ("2025-11-06T12:00:00", "UTC", "2025-11-06T12:00:00Z"),
        ("2025-10-29T17:00:00+01:00", "Europe/Paris", "2025-10-29T16:00:00Z"),
        ("2025-10-25T20:00:00", "America/New_York", "2025-10-26T00:00:00Z"),
        ("2025-11-01T08:30", "America/New_York", "2025-11-01T12:30:00Z"),
        ("2025-11-03T08:30", "America/New_York", "2025-11-03T13:30:00Z"),
        # Clocks are set back: the time occurs twice, and the later instant is taken.
        ("2025-10-26T02:30:00", "Europe/Paris", "2025-10-26T01:30:00Z"),
        ("2025-11-02T01:30:00", "America/New_York", "2025-11-02T06:30:00Z"),
        ("2025-10-26T01:59:59", "Europe/Paris", "2025-10-25T23:59:59Z"),
        ("2025-10-26T03:00:00", "Europe/Paris", "2025-10-26T02:00:00Z"),
        # An offset tells the two apart.
        ("2025-10-26T02:30:00+02:00", "Europe/Paris", "2025-10-26T00:30:00Z"),
        ("2025-10-26T02:30:00+01:00", "Europe/Paris", "2025-10-26T01:30:00Z"),
    ],
)
def test_a_local_time_is_converted(local_time: str, zone: str, moment: str) -> None:
    assert resolved_at(local_time=local_time, zone=zone) == moment


def test_a_local_time_that_clocks_skip_has_the_offset_before_the_change() -> None:
    assert moment_of("2025-03-30T02:30:00", "Europe/Paris", "stated") == parse_utc("2025-03-30T01:30:00Z")
    assert moment_of("2025-03-30T01:59:00", "Europe/Paris", "stated") == parse_utc("2025-03-30T00:59:00Z")
    assert moment_of("2025-03-30T03:00:00", "Europe/Paris", "stated") == parse_utc("2025-03-30T01:00:00Z")


def test_a_date_is_midnight_in_utc_whatever_the_zone() -> None:
    for local_time in ("2025-10-29", "2025-10-29T17:00:00"):
        for zone in (None, "Asia/Tokyo", "Mars/Olympus"):
            moment = resolved_at(local_time=local_time, zone=zone, precision="date_only")
            assert moment == "2025-10-29T00:00:00Z"


def test_an_event_is_reported_after_it_happened_where_a_document_says_when_it_was_published() -> None:
    note = cite(NOTE, "heard the parties")
    assert resolved_at(evidence=[note], local_time="2025-10-29T11:00:00", zone="UTC") == "2025-10-29T11:00:00Z"
    assert "after every cited document" in str(
        refusal(evidence=[note], local_time="2025-10-29T12:00:00", zone="UTC")  # the date has ended everywhere
    )
    undated = make_document(None, captured="2025-11-20T00:00:00Z", proof="A", text=REPORT.text)
    settled = resolution_of(submission(evidence=[cite(undated)]), CRUX, {undated.id: undated}, 1)
    assert (settled.evidence[0].published, settled.evidence[0].proof) == ("", "A")


def test_that_a_right_lapses_can_be_reported_before() -> None:
    note = cite(NOTE, "heard the parties")
    moment = resolved_at(
        answer="No", rule="no_irreversible", evidence=[note], local_time="2025-11-01T00:00:00", zone="UTC"
    )
    assert moment == "2025-11-01T00:00:00Z"


@pytest.mark.parametrize(
    ("local_time", "zone", "moment"),
    [
        (None, None, "2025-11-05T23:59:59Z"),
        ("2025-11-05T23:59:59", "America/New_York", "2025-11-06T04:59:59Z"),
        ("2025-11-07T11:59:59", "UTC", "2025-11-07T11:59:59Z"),
        # What does not fit falls back to the deadline.
        ("2025-11-07T12:00:00", "UTC", "2025-11-05T23:59:59Z"),
        ("2025-11-05T12:00:00", "UTC", "2025-11-05T23:59:59Z"),
        ("2025-11-05T23:59:59", "Mars/Olympus", "2025-11-05T23:59:59Z"),
        ("2025-11-05", None, "2025-11-05T23:59:59Z"),
        ("the end", None, "2025-11-05T23:59:59Z"),
        ("0001-01-01T00:00:00", "Asia/Tokyo", "2025-11-05T23:59:59Z"),
    ],
)
def test_a_no_at_the_deadline(local_time: str | None, zone: str | None, moment: str) -> None:
    settled: dict[str, Any] = {"answer": "No", "rule": "no_deadline", "precision": "deadline"}
    assert resolved_at(local_time=local_time, zone=zone, **settled) == moment


def test_unresolvable_says_why() -> None:
    nothing: dict[str, Any] = dict.fromkeys(("answer", "rule", "precision", "local_time", "zone"))
    for mode in ("data_availability", "temporal", "observability"):
        settled = resolution(resolvable=False, failure_mode=mode, evidence=[], **nothing)
        assert (settled.resolvable, settled.failure_mode, settled.moment) == (False, mode, None)
        assert settled.reasoning == "The report says so."
    assert "failure_mode is missing" in str(refusal(resolvable=False, failure_mode=None))


def test_nothing_is_missing_before_somebody_searched() -> None:
    for mode in ("data_availability", "temporal", "observability"):
        refused = refusal(searches=0, resolvable=False, failure_mode=mode)
        assert refused.problems == ["nothing was searched: search before you conclude that nothing was reported"]


def time_submission(**changes: Any) -> TimeSubmission:
    fields = {
        "changed": False,
        "local_time": "2025-10-29T17:00:00",
        "zone": "Europe/Paris",
        "precision": "stated",
        "rule": "yes_event",
        "reason": "It stands there.",
    }
    return TimeSubmission.model_validate({**fields, **changes})


def test_a_verifier_confirms() -> None:
    before = resolution()
    after = verified(time_submission(), before, CRUX, DOCUMENTS)
    assert after.verification is not None
    assert (after.verification.changed, after.verification.moment_before) == (False, None)
    assert after.model_copy(update={"verification": None}) == before


def test_a_verifier_moves_the_time_and_nothing_else() -> None:
    before = resolution()
    after = verified(
        time_submission(local_time="2025-10-28", zone=None, precision="date_only"), before, CRUX, DOCUMENTS
    )
    assert after.moment == parse_utc("2025-10-28T00:00:00Z")
    assert (after.answer, after.evidence, after.reasoning) == (before.answer, before.evidence, before.reasoning)
    assert after.verification is not None
    assert after.verification.changed  # whatever it says of itself
    assert after.verification.moment_before == before.moment


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"rule": "no_deadline", "precision": "deadline"}, "does not go with the answer Yes, which stands"),
        ({"local_time": "2025-10-01T00:00:00"}, "it cannot count"),
        ({"local_time": "2025-11-06T23:00:00"}, "after every cited document"),
        ({"zone": None}, "zone is missing"),
    ],
)
def test_a_verifier_is_checked_as_well(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(Refused, match=problem):
        verified(time_submission(**changes), resolution(), CRUX, DOCUMENTS)


def test_a_verifier_may_turn_an_irreversible_no_into_one_at_the_deadline() -> None:
    before = resolution(answer="No", rule="no_irreversible")
    after = verified(
        time_submission(rule="no_deadline", precision="deadline", local_time=None, zone=None), before, CRUX, DOCUMENTS
    )
    assert (after.answer, after.rule, after.moment) == ("No", "no_deadline", CRUX.deadline)


@given(
    st.text(max_size=30) | st.datetimes().map(lambda moment: moment.isoformat()),
    st.none()
    | st.text(max_size=20)
    | st.sampled_from(["UTC", "Asia/Tokyo", "America/New_York", "Pacific/Apia", "Europe"]),
    st.sampled_from(["stated", "convention", "date_only", "deadline"]),
)
def test_whatever_a_judge_states_is_a_moment_or_a_message(local_time: str, zone: str | None, precision: Any) -> None:
    try:
        moment = moment_of(local_time, zone, precision)
    except ValueError as error:
        assert str(error)
    else:
        assert moment.utcoffset() == timedelta(0)


@given(st.datetimes(min_value=parse_utc("2025-10-20T00:00:00Z").replace(tzinfo=None)), st.booleans())
def test_an_accepted_time_lies_inside_the_dates(local: Any, deadline: bool) -> None:
    changes: dict[str, Any] = {"answer": "No", "rule": "no_deadline", "precision": "deadline"} if deadline else {}
    try:
        moment = resolution(local_time=local.isoformat(), **changes).moment
    except Refused as refused:
        assert refused.kind == "time" and not deadline
    else:
        assert moment is not None and CRUX.opens <= moment <= CRUX.deadline + GRACE
