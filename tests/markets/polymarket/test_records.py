"""The cases of a market's record, by number where the list of cases has one."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.polymarket.records import Skipped, read_market
from tests.loopback.polymarket_records import record
from tests.loopback.polymarket_world import MarketWorld

PLAIN: dict[str, Any] = {
    "id": "1005025",
    "conditionId": "0x" + "9c" * 32,
    "question": "Will the crossing open by June 30, 2026?",
    "description": "It resolves to “Yes” if it opens.",
    "slug": "crossing-open",
    "outcomes": '["Yes", "No"]',
    "outcomePrices": '["0", "1"]',
    "clobTokenIds": '["71", "55"]',
    "volumeNum": 184223.51,
    "startDate": "2026-01-05T10:00:00Z",
    "endDate": "2026-06-30T12:00:00Z",
    "endDateIso": "2026-06-30",
    "closed": True,
    "closedTime": "2026-07-01 06:12:41+00",
    "umaResolutionStatus": "resolved",
    "umaResolutionStatuses": '["proposed"]',
    "umaEndDate": "2026-07-01T06:10:00Z",
    "negRisk": False,
    "events": [{"id": "77", "endDate": "2026-07-15T00:00:00Z"}],
    "tags": [{"id": "2", "label": "Politics", "slug": "politics"}],
}
TOKENS = dict(zip(("yes_token", "no_token"), json.loads(PLAIN["clobTokenIds"]), strict=True))


def market(**changes: Any) -> Market:
    found = read_market({**PLAIN, **changes})
    assert isinstance(found, Market), found
    return found


def skipped(raw: object) -> Skipped:
    found = read_market(raw)
    assert isinstance(found, Skipped), found
    return found


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in PLAIN.items() if name not in names}


def test_an_ordinary_record() -> None:
    found = market()
    assert found == Market(
        id="1005025",
        source="polymarket",
        condition_id="0x" + "9c" * 32,
        question="Will the crossing open by June 30, 2026?",
        description="It resolves to “Yes” if it opens.",
        slug="crossing-open",
        tags=("Politics",),
        event_id="77",
        opened=utc(2026, 1, 5, 10),
        closes=utc(2026, 6, 30, 12),
        closed_at=utc(2026, 7, 1, 6, 10),
        settled="confirmed",
        outcome="No",
        resolution_status="resolved",
        volume_usdc=184223.51,
        **TOKENS,
    )


@pytest.mark.parametrize("yes", ["Yes", "YES", " yes ", "“Yes”", "'yes'", "Yes\u00a0"])
@pytest.mark.parametrize("as_text", [True, False])
def test_case_1_yes_is_found_by_its_label(yes: str, as_text: bool) -> None:
    lists: dict[str, Any] = {"outcomes": ["No", yes], "outcomePrices": ["0", "1"], "clobTokenIds": ["55", "71"]}
    found = market(**{name: json.dumps(value) if as_text else value for name, value in lists.items()})
    assert (found.outcome, found.yes_token, found.no_token, found.yes_first) == ("Yes", "71", "55", False)


@pytest.mark.parametrize("outcomes", ["", "[]", None, [], "[", "Yes", 7, {}, "null"])
def test_case_2_outcomes_that_are_no_list(outcomes: Any) -> None:
    assert skipped({**PLAIN, "outcomes": outcomes}).reason == "no_outcomes"


@pytest.mark.parametrize(
    "outcomes",
    [
        ["Up", "Down"],
        ["FaZe", "illwill"],
        ["Yes"],
        ["Yes", "No", "Maybe"],
        ["Yes", "Yes"],
        [1, 0],
        [None, "No"],
    ],
)
def test_case_2_outcomes_that_are_not_yes_and_no(outcomes: Any) -> None:
    for form in (outcomes, json.dumps(outcomes)):
        found = skipped({**PLAIN, "outcomes": form})
        assert found.reason == "not_yes_no"
        assert "market 1005025: outcomes: [" in found.detail


def test_case_2_outcomes_are_missing() -> None:
    assert skipped(without("outcomes")).reason == "no_outcomes"


def test_case_3_closed_with_a_payout_but_no_status_is_unconfirmed_whatever_the_last_price() -> None:
    raw = without("umaResolutionStatus", "umaEndDate")
    found = read_market({**raw, "outcomePrices": '["1", "0"]', "umaResolutionStatuses": "[]", "lastTradePrice": 0.2,
                         "acceptingOrders": True})  # fmt: skip
    assert isinstance(found, Market)
    assert (found.settled, found.outcome, found.resolution_status) == ("unconfirmed", "Yes", None)
    assert found.closed_at == utc(2026, 7, 1, 6, 12, 41)


def test_case_4_in_the_middle_of_a_dispute() -> None:
    raw = {**without("umaResolutionStatus", "umaEndDate"), "umaResolutionStatuses": '["proposed", "disputed"]'}
    found = read_market({**raw, "outcomePrices": '["0.98", "0.02"]'})
    assert isinstance(found, Market)
    assert (found.settled, found.outcome) == ("disputed", None)


@pytest.mark.parametrize("status", ["proposed", "disputed", "requested"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_status_that_is_not_final_is_a_dispute_also_with_payouts(status: str, closed: bool) -> None:
    found = market(umaResolutionStatus=status, closed=closed)
    assert (found.settled, found.outcome) == ("disputed", None)


@pytest.mark.parametrize(
    ("prices", "settled"),
    [
        ('["0.5", "0.5"]', "split"),
        ('["0", "0"]', "no_label"),
        ('["0.5843", "0.4157"]', "no_label"),
        ('["0.98", "0.02"]', "no_label"),
        ('["1", "1"]', "no_label"),
        ("[]", "no_label"),
        (None, "no_label"),
        ('["1"]', "no_label"),
        ('["NaN", "1"]', "no_label"),
        ('["one", "zero"]', "no_label"),
    ],
)
def test_case_5_payouts_that_are_no_label(prices: Any, settled: str) -> None:
    found = market(outcomePrices=prices)
    assert (found.settled, found.outcome) == (settled, None)


@pytest.mark.parametrize(("prices", "outcome"), [(["0.9995", "0.0005"], "Yes"), ([0.0, 1.0], "No"), (["0", 1], "No")])
def test_payouts_may_be_off_by_a_thousandth_and_numbers(prices: Any, outcome: str) -> None:
    assert market(outcomePrices=prices).outcome == outcome


@pytest.mark.parametrize("statuses", ['["proposed"]', "[]", '["proposed", "disputed"]', None, [], "x"])
def test_the_stages_of_a_resolved_market_say_nothing(statuses: Any) -> None:
    assert market(umaResolutionStatuses=statuses).settled == "confirmed"


def test_an_open_market_has_no_end_whatever_it_pays_now() -> None:
    found = market(closed=False, umaResolutionStatus=None, umaResolutionStatuses="[]", outcomePrices='["1", "0"]')
    assert (found.settled, found.outcome, found.closed_at) == ("open", None, None)


def test_a_status_of_the_exchange_alone_is_no_proof() -> None:
    raw = {
        **without("umaResolutionStatus"),
        "resolutionStatus": "resolved",
        "positionIds": ["7", "8"],
        "clobTokenIds": None,
    }
    found = read_market(raw)
    assert isinstance(found, Market)
    assert (found.settled, found.resolution_status) == ("unconfirmed", "resolved")
    assert (found.yes_token, found.no_token) == ("7", "8")


@pytest.mark.parametrize(
    ("changes", "closes", "whole_day"),
    [
        ({}, utc(2026, 6, 30, 12), False),
        ({"endDate": "2027-12-31T00:00:00Z"}, utc(2027, 12, 31), False),
        ({"endDate": None}, utc(2026, 7, 15), False),
        ({"endDate": None, "events": [{"id": 7}]}, utc(2026, 6, 30), True),
        ({"endDate": None, "events": [], "endDateIso": None}, None, False),
        ({"endDate": "2500-12-31T00:00:00Z", "endDateIso": "2500-12-31", "events": []}, None, False),
        ({"endDate": "2500-12-31", "endDateIso": None, "events": [{"endDate": "2500-12-31T00:00:00Z"}]}, None, False),
        ({"endDate": "2026-06-30"}, utc(2026, 6, 30), True),
        ({"endDate": "no date", "endDateIso": None, "events": None}, None, False),
    ],
)
def test_case_6_the_scheduled_close(changes: dict[str, Any], closes: datetime | None, whole_day: bool) -> None:
    found = market(**changes)
    assert (found.closes, found.closes_whole_day) == (closes, whole_day)


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-10-01 01:30:54+00", utc(2026, 10, 1, 1, 30, 54)),
        ("2026-10-01 01:30:54.5+00", utc(2026, 10, 1, 1, 30, 54, 500_000)),
        ("2026-10-01T01:30:54.1234567Z", utc(2026, 10, 1, 1, 30, 54, 123_456)),
        ("2026-10-01T24:00:00Z", utc(2026, 10, 2)),
        ("2026-12-31T24:00:00Z", utc(2027, 1, 1)),
        ("2026-10-01T01:30:54", utc(2026, 10, 1, 1, 30, 54)),
        ("2026-10-01T03:30:54+02:00", utc(2026, 10, 1, 1, 30, 54)),
        (1790818254, utc(2026, 10, 1, 1, 30, 54)),
        (1790818254000, utc(2026, 10, 1, 1, 30, 54)),
        (1790818254000.0, utc(2026, 10, 1, 1, 30, 54)),
    ],
)
def test_times_in_all_forms(value: Any, moment: datetime) -> None:
    assert market(umaEndDate=None, closedTime=value).closed_at == moment
    assert market(umaEndDate=value, closedTime=None).closed_at == moment
    assert market(startDate=value).opened == moment


def test_when_it_closed_is_told_by_the_oracle_then_the_record_then_the_event() -> None:
    event = {"id": "77", "closedTime": "2026-07-02T00:00:00Z"}
    assert market(events=[event]).closed_at == utc(2026, 7, 1, 6, 10)
    assert market(events=[event], umaEndDate=None).closed_at == utc(2026, 7, 1, 6, 12, 41)
    assert market(events=[event], umaEndDate=None, closedTime=None).closed_at == utc(2026, 7, 2)


def test_fields_as_a_table_leaves_them() -> None:
    nan = float("nan")
    found = market(id=601697, closed=1.0, negRisk=1.0, volumeNum=nan, volume="25.5", slug=nan, conditionId=None,
                   events=[{"id": 77.0}], tags=["Politics", "World"], clobTokenIds=[71, "55"])  # fmt: skip
    assert (found.id, found.event_id, found.volume_usdc, found.slug) == ("601697", "77", 25.5, None)
    assert found.exclusive_group == "event 77"
    assert (found.yes_token, found.no_token, found.tags) == ("71", "55", ("Politics", "World"))
    assert market(id=601697.0).id == "601697"


@pytest.mark.parametrize("id", [None, "", "  ", float("nan"), 1.5, True, [], 1e300])
def test_a_record_without_an_id(id: Any) -> None:
    assert skipped({**PLAIN, "id": id}).reason == "no_id"


def test_tokens_that_have_lost_digits_are_none() -> None:
    assert market(clobTokenIds=[7.13e76, 5.5e76]).yes_token is None
    assert market(clobTokenIds='["1"]').yes_token is None


@pytest.mark.parametrize("volume", ["", "much", -5, None, float("inf")])
def test_a_volume_that_is_none(volume: Any) -> None:
    assert market(volumeNum=volume).volume_usdc is None


@pytest.mark.parametrize(
    ("tags", "event_tags", "expected"),
    [
        ([{"label": "NBA", "slug": "nba"}, {"slug": "sports"}], None, ("NBA", "sports")),
        (None, [{"label": "World"}], ("World",)),
        (["a", "a"], ["b", "a"], ("a", "b")),
        ('["Economy", "Fed"]', None, ("Economy", "Fed")),
        ("Economy", None, ("Economy",)),
        ([None, {}, 5, {"label": ""}], None, ("5",)),
    ],
)
def test_tags_of_the_market_and_of_its_event(tags: Any, event_tags: Any, expected: tuple[str, ...]) -> None:
    assert market(tags=tags, events=[{"id": "1", "tags": event_tags}]).tags == expected


GROUP = {"negRisk": True, "negRiskMarketID": "0xab"}


@pytest.mark.parametrize(
    ("changes", "placeholder"),
    [
        ({"negRiskOther": True}, True),
        ({**GROUP, "slug": "who-wins-other"}, True),
        ({**GROUP, "groupItemTitle": "Other"}, True),
        ({**GROUP, "groupItemTitle": "Person B"}, True),
        ({**GROUP, "slug": "placeholder-7"}, True),
        ({**GROUP, "slug": "will-his-brother-win", "groupItemTitle": "Mother Superior"}, False),
        ({**GROUP, "groupItemTitle": "Candidate Brown"}, False),
        ({"slug": "will-it-strike-other-countries"}, False),
        ({}, False),
    ],
)
def test_case_14_placeholders_of_a_group(changes: dict[str, Any], placeholder: bool) -> None:
    found = market(**changes)
    assert found.placeholder == placeholder
    assert found.exclusive_group == changes.get("negRiskMarketID")


def test_other_records_that_are_no_market() -> None:
    assert skipped([]).reason == "no_object"
    assert skipped("x" * 1_000).detail.endswith("…")
    assert skipped({**PLAIN, "question": " "}).reason == "no_question"
    assert skipped(without("startDate")).reason == "no_start"
    assert read_market({**without("startDate"), "createdAt": "2026-01-01T00:00:00.000001Z"}) != skipped({})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=300)
@given(changes=st.dictionaries(st.sampled_from(sorted(PLAIN)), JSON | JSON.map(json.dumps), max_size=5))
def test_whatever_a_field_holds_there_is_a_market_or_a_reason(changes: dict[str, Any]) -> None:
    found = read_market({**PLAIN, **changes})
    assert isinstance(found, Market | Skipped)
    if isinstance(found, Market):
        assert (found.outcome is not None) == (found.settled in ("confirmed", "unconfirmed"))


def test_every_market_of_a_world_ends_as_it_does_or_is_left_out() -> None:
    world = MarketWorld(markets=400)
    labels = set()
    for truth in world.all:
        found = read_market(record(world, truth))
        if truth.oddity in ("up_down", "teams", "no_outcomes"):
            assert isinstance(found, Skipped)
            continue
        assert isinstance(found, Market)
        labels.add(found.settled)
        if found.outcome is not None:
            assert found.outcome == truth.ending
            assert world.is_closed(truth)
        elif world.is_closed(truth):
            assert truth.oddity in ("disputed", "split", "no_payout")
        assert (found.yes_token, found.no_token) == (truth.yes_token, truth.no_token)
        assert found.placeholder == truth.placeholder
    assert labels >= {"confirmed", "unconfirmed", "split", "open", "no_label"}
