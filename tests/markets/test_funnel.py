import json
import random
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.funnel import FunnelResult, run_funnel
from cruxbench_inspect.markets.funnel_frame import SCHEMA, OtherMarket, Row, funnel_frame
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stages import live_stages, stages, trailing_volume, window_volume
from cruxbench_inspect.markets.keywords import KeywordList
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.market_stages import similar_text
from tests.extent import cases
from tests.markets.plain_funnel import invented, plain_funnel

DAY = timedelta(days=1)
OPENED = datetime(2025, 10, 1, 0, 0, 10, tzinfo=UTC)
ROUND = datetime(2026, 12, 1, tzinfo=UTC)


def market(market_id: str = "1", *, prices: list[float] | None = None, first: datetime = OPENED, **fields: Any) -> Row:
    """A market that passes every stage unless a field says otherwise, with a price a day."""
    complete = {
        "source": "test",
        "question": f"Will minister {market_id}x resign?",
        "description": "Rules.",
        "opened": OPENED,
        "closes": OPENED + 100 * DAY,
        "settled": "confirmed",
        "outcome": "No",
        "resolution_status": "resolved",
        "volume_usdc": 1000.0,
    }
    prices = [0.5] * 100 if prices is None else prices
    seconds = int(first.timestamp()) + 86400 * np.arange(len(prices), dtype=np.int64)
    return Market(id=market_id, **complete | fields), seconds, np.array(prices, dtype=np.float64)


invented_once = cache(invented)


def funnel(*rows: Row, **rules: Any) -> FunnelResult:
    return run_funnel(funnel_frame(rows), stages(FunnelRules(**rules)))


def kept(*rows: Row, **rules: Any) -> list[str]:
    return funnel(*rows, **rules).kept["id"].to_list()


@pytest.mark.parametrize("seed", range(1, 1 + cases(2, 10)))
@pytest.mark.parametrize("matching", ["words", "substrings"])
@pytest.mark.parametrize(
    "others", [{}, {"window_end": "last_price", "placeholders": True, "volume_basis": "one_sided"}]
)
def test_every_stage_agrees_with_plain_python(seed: int, matching: str, others: dict[str, Any]) -> None:
    rows = invented_once(1500, seed)
    rules = FunnelRules(seed=seed, matching=matching, **others)
    draw = random.Random(seed)
    volumes = {row.id if isinstance(row, OtherMarket) else row[0].id: draw.choice([500, 1000, 1000.01]) for row in rows}

    result = run_funnel(funnel_frame(rows), stages(rules))
    result = result.then(window_volume(rules, volumes))

    counts, dropped, survivors = plain_funnel(rows, rules, volumes)
    assert result.left == tuple(counts)
    for stage, ids in dropped.items():
        assert set(result.dropped.filter(pl.col("stage") == stage)["id"]) == ids, result.stages[stage].name
    assert result.kept.select("id", "period", "window_start", "window_end").rows() == [
        (survivor.market_id, survivor.period, survivor.start, survivor.end) for survivor in survivors
    ]
    assert len(survivors) > 2


def test_every_stage_but_the_choice_of_a_window_drops_some_of_the_invented_markets() -> None:
    result = run_funnel(funnel_frame(invented(2500, 1)), stages(FunnelRules()))
    dropping = set(result.dropped["stage"])
    idle = [stage.name for number, stage in enumerate(result.stages) if number not in dropping]
    assert idle == ["one window per question"]


def test_counts_and_reasons_account_for_every_market() -> None:
    rows = invented(600, 5)
    result = run_funnel(funnel_frame(rows), stages(FunnelRules()))
    assert result.markets == 600 == result.kept.height + result.dropped.height
    assert result.dropped["why"].null_count() == 0
    for number, left in enumerate(result.left):
        assert left == 600 - result.dropped.filter(pl.col("stage") <= number).height
    ids = {row.id if isinstance(row, OtherMarket) else row[0].id for row in rows}
    for market_id in ids:
        assert result.explain(market_id).startswith(f"market {market_id} ")


def test_a_market_without_a_fault_passes_and_has_its_window() -> None:
    result = funnel(market(prices=[0.5] * 40))
    assert result.kept.select("id", "period", "window_start", "window_end").rows() == [
        ("1", 0, OPENED, OPENED + 30 * DAY)
    ]
    assert result.explain("1") == "market 1 is left after 19 stages"


@pytest.mark.parametrize(
    ("row", "stage", "why"),
    [
        (market(first=datetime(2025, 5, 1, tzinfo=UTC)), 2, "its last price is 2025-08-08T00:00:00Z"),
        (market(prices=[]), 2, "its last price is missing"),
        (market(settled="split", outcome=None), 3, "its outcome is a split payout"),
        (market(settled="disputed", outcome=None), 3, "its outcome is disputed"),
        (market(settled="open", outcome=None), 3, "its outcome is open"),
        (
            market(settled="unconfirmed", resolution_status=None),
            5,
            "its status is missing, and no second opinion confirms its outcome",
        ),
        (
            market(settled="unconfirmed", resolution_status="resolved"),
            5,
            "its status is resolved, and no second opinion confirms its outcome",
        ),
        (OtherMarket("1", "A against B", "confirmed", "resolved", OPENED), 6, "its outcomes are not Yes and No"),
        (market(tags=("World", "Sports")), 7, "it has the tag Sports"),
        (market(question="What will he say?"), 8, 'the question has "say" (words)'),
        (
            market(closes=OPENED + 60 * DAY - timedelta(seconds=1)),
            10,
            "it runs 59 whole days, from 2025-10-01T00:00:10Z to 2025-11-30T00:00:09Z",
        ),
        (market(closes=None), 9, "it has no scheduled close, and its rules state no deadline"),
        (market(question="Will two NFL's teams merge?"), 11, 'the question has "NFL" (sports)'),
        (market(prices=[0.5] * 29), 12, "its Yes history has 29 points"),
        (market(placeholder=True), 13, "it is a placeholder of its group"),
        (
            market(description="It counts any of the listed names."),
            16,
            'the description or question has "any of the listed" (description_phrases)',
        ),
        (market(prices=[0.1] * 40), 17, "its daily prices are decided throughout each period (periods: 2)"),
        (
            market(prices=[0.5] * 100, first=OPENED + 94 * DAY),
            18,
            "no active period (of 4) has enough days before its last price (2026-04-12T00:00:10Z) and its scheduled "
            "close (2026-01-09T00:00:10Z)",
        ),
    ],
)
def test_a_dropped_market_is_explained_by_stage_and_values(row: Row, stage: int, why: str) -> None:
    result = funnel(market("other"), row)
    assert result.kept["id"].to_list() == ["other"]
    assert result.explain("1") == f"market 1 was dropped at stage {stage} ({result.stages[stage - 1].name}): {why}"


def test_the_deadline_that_the_rules_state_decides_about_windows() -> None:
    """A record dates a day's deadline to its noon or its beginning, or not at all."""
    rules = 'This market resolves to "Yes" if it opens by January 20, 2026, 11:59 PM ET.'
    binding = datetime(2026, 1, 21, 4, 59, tzinfo=UTC)
    for closes in (datetime(2026, 1, 20, tzinfo=UTC), datetime(2026, 1, 20, 12, tzinfo=UTC), None):
        result = funnel(market(closes=closes, description=rules, prices=[0.5] * 200, first=binding - 30 * DAY))
        (deadline,), (end,) = result.kept["deadline"], result.kept["window_end"]
        assert deadline == binding and end == binding - 3 * DAY


def test_markets_of_one_exclusive_group_are_of_one_event() -> None:
    rows = [
        market(str(n), question=f"Will {name} win?", exclusive_group="0xab") for n, name in enumerate(["Ann", "Bo"])
    ]
    assert funnel(*rows).kept.height == 1


def test_an_unknown_market_is_an_error_with_its_id() -> None:
    with pytest.raises(InputError, match="market 77 is not among the 1 markets of the funnel"):
        funnel(market()).explain("77")


def test_an_empty_dump_is_an_error() -> None:
    with pytest.raises(InputError, match="there is no market"):
        funnel()


def test_duplicate_ids_count_once_and_the_first_record_is_explained() -> None:
    result = funnel(market(), market(question="Something else?"), market("2", tags=("crypto",)), market("2"))
    assert result.left[0] == 2
    assert result.explain("1") == "market 1 is left after 19 stages"
    assert "it has the tag crypto" in result.explain("2")


def test_a_second_opinion_stands_for_a_missing_status() -> None:
    assert kept(market(settled="confirmed", resolution_status=None)) == ["1"]


def test_of_equal_questions_the_first_one_stays_even_if_it_is_dropped_later() -> None:
    assert kept(market("1", question="Q?", tags=("crypto",)), market("2", question="Q?", volume_usdc=1e6)) == []


def test_of_similar_questions_the_one_most_traded_stays() -> None:
    texts = ["Will X go by May 31, 2026?", "will X go by June 30 2026", "Will X go by March 1?"]
    rows = [market(str(number), question=text) for number, text in enumerate(texts)]
    rows[1] = market("1", question=texts[1], volume_usdc=5000.0)
    rows[0] = market("0", question=texts[0], volume_usdc=None)
    result = funnel(*rows)
    assert result.kept["id"].to_list() == ["1"]
    assert result.explain("0").endswith("market 1 asks the same but for dates and numbers, and more was traded in it")


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Will X reach $40,000.50 by May 5th, 2026?", "will x reach by 5th"),
        ("MAYBE in May-June: 2nd   term?", "maybe in 2nd term"),
        ("Élan d'été 2026", "élan dété"),
        ("2026?", ""),
    ],
)
def test_similar_texts_are_compared_without_months_numbers_and_punctuation(question: str, left: str) -> None:
    assert pl.DataFrame({"q": [question]}).select(similar_text(pl.col("q"))).item() == left


def test_one_market_of_an_event_is_drawn_whatever_the_order_and_the_rest() -> None:
    rows = [market(str(number), event_id="e") for number in range(6)]
    drawn = kept(*rows)
    assert len(drawn) == 1
    assert kept(*rows[::-1], market("other", event_id="f")) in ([*drawn, "other"], ["other", *drawn])
    assert len({kept(*rows, seed=seed)[0] for seed in range(40)}) > 3


def test_markets_without_an_event_are_not_one_event() -> None:
    assert len(kept(*(market(str(number), event_id=None) for number in range(4)))) == 4


def test_a_group_is_represented_by_one_market_and_never_by_its_placeholder() -> None:
    group = [market(str(number), event_id="e") for number in range(12)]
    other = market("other", event_id="e", placeholder=True)
    drawn = {tuple(kept(*group, other, seed=seed)) for seed in range(30)}
    assert all(len(each) == 1 for each in drawn) and ("other",) not in drawn


def test_substrings_drop_what_whole_words_keep() -> None:
    questions = ["Will the election be held?", "Will inflation fall?", "Whether it ends?", "A deficit?", "A solution?"]
    rows = [market(str(number), question=question) for number, question in enumerate(questions)]
    assert len(kept(*rows)) == 5
    assert kept(*rows, matching="substrings") == []


def test_the_window_does_not_tell_of_an_early_settlement_unless_asked_to() -> None:
    early = market(prices=[0.5] * 35 + [0.99])
    ours, theirs = funnel(early).kept, funnel(early, window_end="last_price").kept
    assert (ours["window_end"] - ours["window_start"]).to_list() == [30 * DAY]
    assert (theirs["window_end"] - theirs["window_start"]).to_list() == [30 * DAY]
    shorter = market(prices=[0.5] * 31)
    ours, theirs = funnel(shorter).kept, funnel(shorter, window_end="last_price").kept
    assert (ours["window_end"] - ours["window_start"]).to_list() == [30 * DAY]
    assert (theirs["window_end"] - theirs["window_start"]).to_list() == [27 * DAY]


def test_prices_of_any_order_are_sorted() -> None:
    whole = market(prices=[0.1] * 50 + [0.5] * 50)
    assert not isinstance(whole, OtherMarket)
    row, seconds, prices = whole
    shuffled = np.random.default_rng(1).permutation(100)
    frame, other = funnel_frame([(row, seconds, prices)]), funnel_frame([(row, seconds[shuffled], prices[shuffled])])
    assert frame.equals(other)
    assert dict(frame.schema) == SCHEMA


def test_the_volume_inside_the_window_has_to_be_more_than_the_amount_of_its_basis() -> None:
    rows = [market(str(number), volume_usdc=100.0 - number) for number in range(4)]
    volumes = {"0": 500.0, "1": 500.01, "2": 1000.0, "3": 1000.01}
    for basis, left in (("two_sided", ["3"]), ("one_sided", ["1", "2", "3"])):
        rules = FunnelRules(volume_basis=basis)
        result = funnel(*rows).then(window_volume(rules, volumes))
        assert result.kept["id"].to_list() == left
        assert result.explain("0").endswith(": 500.0 USDC were traded inside its window")
    rules = FunnelRules(window_volume_usdc=0)
    assert funnel(*rows).then(window_volume(rules, volumes)).kept.height == 4


def test_a_missing_volume_is_no_reason_to_drop_a_market() -> None:
    with pytest.raises(KeyError):
        funnel(market()).then(window_volume(FunnelRules(), {}))


def test_the_table_and_the_record_have_every_stage_with_its_count() -> None:
    rules = FunnelRules()
    result = run_funnel(funnel_frame([market("1"), market("2", tags=("crypto",))]), stages(rules))
    lines = result.table().splitlines()
    assert lines[0].split() == ["markets", "2"]
    assert len(lines) == 1 + len(stages(rules)) and sum(line.endswith(" -1") for line in lines) == 1
    record = json.loads(json.dumps(result.record()))
    assert [(line["stage"], line["left"]) for line in record] == result.counts
    assert record[10]["parameters"] == {"shortest_horizon_days": 60}


def test_rules_survive_json_with_their_keywords() -> None:
    rules = FunnelRules(seed=3, matching="substrings", excluded_tags=(), subjects=(KeywordList.read("awards"),))
    assert FunnelRules.model_validate_json(rules.model_dump_json()) == rules


def test_rules_may_exclude_nothing() -> None:
    row = market(question="Will Bitcoin tweet?", tags=("crypto",), description="any of the listed")
    assert kept(row, excluded_tags=(), question_words=(), subjects=(), description_phrases=()) == ["1"]


@pytest.mark.parametrize(
    "wrong",
    [{"certain": 0.5}, {"period_days": 31}, {"volume_basis": "both"}, {"fewest_pionts": 3}, {"earliest": "2025"}],
)
def test_rules_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        FunnelRules(**wrong)


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_a_further_market_changes_no_choice_of_others(draw: random.Random) -> None:
    rows = [market(str(number), event_id=str(number % 7)) for number in range(40)]
    more = market("further", question="Entirely different?", event_id="own")
    at = draw.randrange(len(rows))
    before, after = funnel(*rows).kept, funnel(*rows[:at], more, *rows[at:]).kept
    columns = ("id", "period", "window_start", "window_end")
    assert after.filter(pl.col("id") != "further").select(columns).equals(before.select(columns))


def open_market(market_id: str = "1", **fields: Any) -> Row:
    defaults: dict[str, Any] = {
        "opened": ROUND - 50 * DAY,
        "first": ROUND - 50 * DAY,
        "closes": ROUND + 60 * DAY,
        "settled": "open",
        "outcome": None,
        "resolution_status": None,
        "prices": [0.5] * 100,
    }
    return market(market_id, **defaults | fields)


def live(*rows: Row) -> FunnelResult:
    return run_funnel(funnel_frame(rows, before=ROUND), live_stages(FunnelRules(), ROUND))


def test_a_live_round_starts_all_windows_at_its_midnight() -> None:
    result = live(open_market("1"), open_market("2", closes=ROUND + 20 * DAY))
    assert result.kept.select("id", "period", "window_start", "window_end").rows() == [
        ("1", 0, ROUND, ROUND + 30 * DAY),
        ("2", 0, ROUND, ROUND + 17 * DAY),
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (open_market(settled="confirmed", outcome="Yes"), "its outcome is confirmed"),
        (open_market(prices=[0.5] * 49 + [0.1] + [0.5] * 50), "its last price before the start is 0.1"),
        (open_market(prices=[0.5] * 49 + [0.95] + [0.5] * 50), "its last price before the start is 0.95"),
        (open_market(first=ROUND - 20 * DAY), "its Yes history has 20 points"),
        (
            open_market(opened=ROUND - 80 * DAY, closes=ROUND + 10 * DAY - timedelta(seconds=1)),
            "its scheduled close, 2026-12-10T23:59:59Z, comes too soon",
        ),
    ],
)
def test_a_live_round_drops_what_is_known_at_its_start(row: Row, why: str) -> None:
    result = live(open_market("other"), row)
    assert result.kept["id"].to_list() == ["other"]
    assert result.explain("1").endswith(f": {why}")


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=50, max_size=50))
def test_no_price_of_the_future_changes_a_live_round(future: list[float]) -> None:
    rows = [open_market(prices=[0.5] * 50), open_market(prices=[0.5] * 50 + future)]
    first, second = (live(row).kept for row in rows)
    assert first.equals(second) and first.height == 1


def test_a_round_of_which_nothing_is_left_still_has_its_columns() -> None:
    nothing = live(open_market(settled="confirmed", outcome="Yes"))
    assert nothing.kept.is_empty() and nothing.kept.schema == live(open_market()).kept.schema
    nothing, something = funnel(market(tags=("crypto",))), funnel(market())
    assert nothing.kept.is_empty() and nothing.kept.schema == something.kept.schema


def test_a_live_round_refuses_prices_of_the_future() -> None:
    with pytest.raises(ValueError, match="before=start"):
        run_funnel(funnel_frame([open_market()]), live_stages(FunnelRules(), ROUND))


def test_a_live_round_counts_the_volume_before_its_start() -> None:
    rules = FunnelRules(volume_basis="one_sided")
    result = live(open_market("1"), open_market("2")).then(trailing_volume(rules, {"1": 500.0, "2": 501.0}))
    assert result.kept["id"].to_list() == ["2"]
    assert result.explain("1").endswith("500.0 USDC were traded in the 30 days before the start")
