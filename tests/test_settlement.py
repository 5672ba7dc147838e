import math
from datetime import datetime, timedelta
from typing import Any, get_args

import pytest

from cruxbench_inspect.crux import Crux, CruxFault, FaultKind, read_crux
from cruxbench_inspect.prices import HourlySeries, hourly_prices
from cruxbench_inspect.questions import Outcome, Question
from cruxbench_inspect.resolution import GRACE, JudgeTrouble, Resolution
from cruxbench_inspect.settlement import (
    VALUES,
    GenerationTrouble,
    PriceTrouble,
    Settlement,
    fault_of,
    settle,
    trouble_with_prices,
    unscored,
)
from cruxbench_inspect.utc import HOUR, format_utc, parse_utc
from tests.scripted_model import crux_json
from tests.small_set import FIRST_PRICE, LAST_PRICE, RULING, WINDOW_END, jump, outcome, question

QUESTION = Question.model_validate(question())
LAST_HOUR = parse_utc("2025-03-08T23:00:00Z")
CLOSED = Outcome.model_validate(outcome())
OPEN = Outcome(question_id=QUESTION.id, outcome=None)
NOW = parse_utc("2025-06-01T00:00:00Z")


def kl(after: float, before: float) -> float:
    """KL(after || before) between Bernoulli beliefs, in bits."""
    return after * math.log2(after / before) + (1 - after) * math.log2((1 - after) / (1 - before))


def entropy(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def prices(first: datetime = FIRST_PRICE, last: datetime = LAST_PRICE, price: Any = None) -> HourlySeries:
    hours = [first + number * HOUR for number in range((last - first) // HOUR + 1)]
    return hourly_prices(hours, [(price or jump(0.25, 0.75))(hour) for hour in hours])


def crux(**changes: str) -> Crux:
    made = read_crux(crux_json(**changes))
    assert isinstance(made, Crux)
    return made


def resolved(moment: datetime = RULING, answer: Any = "Yes", precision: Any = "stated") -> Resolution:
    rule = "yes_event" if answer == "Yes" else "no_irreversible"
    return Resolution(resolvable=True, answer=answer, moment=moment, precision=precision, rule=rule)


def settled(
    of: Crux | CruxFault | None = None,
    resolution: Resolution | None = None,
    trusted: HourlySeries | None = None,
    known: Outcome = CLOSED,
    width: int = 24,
) -> Settlement:
    of = of or crux()
    if resolution is None and isinstance(of, Crux) and fault_of(QUESTION, of) is None:
        resolution = resolved()
    return settle(QUESTION, of, resolution, prices() if trusted is None else trusted, known, width)


def closed_at(moment: str) -> Outcome:
    return Outcome(question_id=QUESTION.id, outcome="Yes", resolved_at=parse_utc(moment))


def check_zero(settlement: Settlement, reason: str, resolved: float = 0.0) -> None:
    values = settlement.values
    assert settlement.reason == reason
    assert list(values) == list(VALUES)
    assert [values[name] for name in ("voi_kl", "entropy_drop", "abs_change", "squared_change")] == [0.0] * 4
    assert (values["resolved"], values["coverage"]) == (resolved, 1.0)
    # The baselines are the question's and do not depend on the crux.
    ordinary = settled().values
    assert values["random_kl"] == ordinary["random_kl"] > 0
    assert values["oracle_kl"] == ordinary["oracle_kl"] > values["random_kl"]
    assert values["excess_kl"] == -values["random_kl"]
    assert math.isnan(values["timing_percentile"]) and math.isnan(values["signed_move"])
    assert (settlement.p_before, settlement.p_after, settlement.sensitivity) == (None, None, None)


def check_unscored(settlement: Settlement, reason: str) -> None:
    assert settlement.reason == reason
    assert list(settlement.values) == list(VALUES)
    assert settlement.values["coverage"] == 0.0
    assert all(math.isnan(value) for name, value in settlement.values.items() if name != "coverage")


def test_an_ordinary_score() -> None:
    settlement = settled()
    values = settlement.values
    assert settlement.reason is None and settlement.sensitivity is None
    assert settlement.pivot == parse_utc("2025-03-04T12:00:00Z")
    assert (settlement.p_before, settlement.p_after) == (0.25, 0.75)
    assert values["voi_kl"] == pytest.approx(kl(0.75, 0.25), abs=1e-12)
    assert values["entropy_drop"] == pytest.approx(0, abs=1e-12)
    assert (values["abs_change"], values["squared_change"]) == (0.5, 0.25)
    assert values["oracle_kl"] == values["voi_kl"]
    assert values["excess_kl"] == values["voi_kl"] - values["random_kl"]
    # 8 days of hours: all have a smaller KL but the pivot itself, which is half a tie.
    assert values["timing_percentile"] == (8 * 24 - 0.5) / (8 * 24)
    assert (values["signed_move"], values["resolved"], values["coverage"]) == (0.5, 1.0, 1.0)


def test_measures_and_random_timing_by_hand() -> None:
    trusted = prices(price=jump(0.2, 0.6))
    values = settled(trusted=trusted, width=1).values
    assert values["voi_kl"] == pytest.approx(kl(0.6, 0.2), abs=1e-12)
    assert values["entropy_drop"] == pytest.approx(entropy(0.2) - entropy(0.6), abs=1e-12)
    assert values["random_kl"] == pytest.approx(kl(0.6, 0.2) / (8 * 24), abs=1e-12)
    wider = settled(trusted=trusted, width=2).values
    moves = [kl(0.4, 0.2), kl(0.6, 0.2), kl(0.6, 0.4)]
    assert wider["random_kl"] == pytest.approx(sum(moves) / (8 * 24), abs=1e-12)


@pytest.mark.parametrize("kind", get_args(FaultKind))
def test_a_fault_of_the_generator_scores_zero(kind: Any) -> None:
    check_zero(settled(CruxFault(kind=kind, detail="so it is")), kind)


@pytest.mark.parametrize(
    ("start", "end"), [("2025-02-28", "2025-03-07"), ("2025-03-01", "2025-03-09"), ("2025-03-05", "2025-03-04")]
)
def test_dates_outside_of_the_stretch_score_zero(start: str, end: str) -> None:
    faulty = crux(start_date=start, end_date=end)
    fault = fault_of(QUESTION, faulty)
    assert fault is not None and fault.kind == "out_of_dates"
    check_zero(settled(faulty), "out_of_dates")
    assert fault_of(QUESTION, crux(start_date="2025-03-01", end_date="2025-03-08")) is None


@pytest.mark.parametrize("mode", ["data_availability", "temporal", "observability"])
def test_an_unresolvable_crux_scores_zero(mode: Any) -> None:
    check_zero(settled(resolution=Resolution.unresolvable(mode, "No one knows.")), "unresolvable")


def test_what_becomes_known_after_settlement_scores_zero_and_counts_as_resolved() -> None:
    known = Outcome(question_id=QUESTION.id, outcome="Yes", resolved_at=parse_utc("2025-03-06T12:00:00Z"))
    trusted = prices(last=parse_utc("2025-03-06T12:00:00Z"))
    assert trouble_with_prices(QUESTION, trusted, known, NOW) is None
    after = settle(QUESTION, crux(), resolved(parse_utc("2025-03-06T12:00:00Z")), trusted, known, 24)
    assert (after.reason, after.pivot) == ("after_settlement", parse_utc("2025-03-06T11:00:00Z"))
    assert [after.values[key] for key in ("voi_kl", "resolved", "coverage")] == [0.0, 1.0, 1.0]
    assert after.values["random_kl"] > 0
    assert after.values["excess_kl"] == -after.values["random_kl"]
    # All 24 hours after the pivot are there: scored. One hour later they are not.
    last = parse_utc("2025-03-05T13:00:00Z")
    assert settle(QUESTION, crux(), resolved(last), trusted, known, 24).reason is None
    assert settle(QUESTION, crux(), resolved(last + HOUR), trusted, known, 24).reason == "after_settlement"


def test_what_becomes_known_before_there_are_enough_prices_scores_zero_and_counts_as_resolved() -> None:
    trusted = prices(first=parse_utc("2025-03-01T00:00:00Z"))
    early = settled(resolution=resolved(parse_utc("2025-03-01T23:00:00Z")), trusted=trusted)
    assert (early.reason, early.pivot) == ("before_first_price", parse_utc("2025-03-01T22:00:00Z"))
    assert [early.values[key] for key in ("voi_kl", "resolved", "coverage")] == [0.0, 1.0, 1.0]
    assert early.values["oracle_kl"] == pytest.approx(kl(0.75, 0.25))
    assert settled(resolution=resolved(parse_utc("2025-03-02T00:00:00Z")), trusted=trusted).reason is None


@pytest.mark.parametrize("reason", [*get_args(GenerationTrouble), *get_args(PriceTrouble), *get_args(JudgeTrouble)])
def test_trouble_of_ours_is_no_score(reason: Any) -> None:
    check_unscored(unscored(reason), reason)


def test_the_window_and_the_time_for_its_evidence_have_to_be_over() -> None:
    over = parse_utc("2025-03-09T12:00:00Z")
    assert over == QUESTION.window.end + GRACE
    assert trouble_with_prices(QUESTION, prices(), CLOSED, over - timedelta(seconds=1)) == "window_open"
    assert trouble_with_prices(QUESTION, None, CLOSED, over - timedelta(seconds=1)) == "window_open"
    assert trouble_with_prices(QUESTION, prices(), CLOSED, over) is None


def test_a_series_too_short_for_both_means_is_pending_or_settled() -> None:
    trusted = prices(first=parse_utc("2025-03-01T12:00:00Z"), last=parse_utc("2025-03-02T08:00:00Z"))
    evening = resolved(parse_utc("2025-03-01T22:30:00Z"))
    check_unscored(settled(resolution=evening, trusted=trusted, known=OPEN), "prices_pending")
    check_unscored(settled(resolution=evening, trusted=trusted), "prices_pending")
    closed = closed_at("2025-03-02T08:30:00Z")
    assert settled(resolution=evening, trusted=trusted, known=closed).reason == "after_settlement"
    assert settled(resolution=evening, trusted=trusted, known=closed, width=6).reason is None


def test_a_series_that_begins_late_in_the_window_is_pending_whatever_its_end() -> None:
    in_time, late = parse_utc("2025-03-02T00:00:00Z"), parse_utc("2025-03-02T01:00:00Z")
    assert trouble_with_prices(QUESTION, prices(first=in_time), CLOSED, NOW) is None
    assert trouble_with_prices(QUESTION, prices(first=late), CLOSED, NOW) == "prices_pending"


def test_a_score_is_provisional_until_the_prices_are_final() -> None:
    assert not settled(known=OPEN).provisional
    assert settled(trusted=prices(last=LAST_HOUR), known=OPEN).provisional
    assert not settled(trusted=prices(last=LAST_HOUR), known=closed_at("2025-03-09T05:00:00Z")).provisional


def test_prices_are_missing() -> None:
    assert trouble_with_prices(QUESTION, None, CLOSED, NOW) == "prices_missing"


@pytest.mark.parametrize(
    ("last", "resolved_at", "answer", "trouble"),
    [
        # Whether the series ends inside the window because the market did, or because more is to come.
        ("2025-03-08T22:00:00Z", None, None, "prices_pending"),
        ("2025-03-08T23:00:00Z", None, None, None),
        ("2025-03-06T12:00:00Z", "2025-03-06T12:40:00Z", "Yes", None),
        ("2025-03-06T12:00:00Z", "2025-03-06T12:40:00Z", None, None),
        ("2025-03-05T12:00:00Z", "2025-03-06T12:40:00Z", "Yes", None),
        ("2025-03-05T11:00:00Z", "2025-03-06T12:40:00Z", "Yes", "prices_pending"),
        ("2025-03-05T11:00:00Z", "2025-05-06T12:40:00Z", "Yes", "prices_pending"),
        ("2025-03-05T11:00:00Z", None, "No", "prices_pending"),
    ],
)
def test_prices_are_pending(last: str, resolved_at: str | None, answer: Any, trouble: str | None) -> None:
    known = Outcome.model_validate({"question_id": QUESTION.id, "outcome": answer, "resolved_at": resolved_at})
    assert trouble_with_prices(QUESTION, prices(last=parse_utc(last)), known, NOW) == trouble


def test_hours_after_the_pivot_may_be_pending_although_the_window_is_covered() -> None:
    trusted = prices(last=LAST_HOUR)
    check_unscored(settled(resolution=resolved(LAST_HOUR), trusted=trusted, known=OPEN), "prices_pending")
    assert settled(resolution=resolved(LAST_HOUR), trusted=trusted, known=OPEN, width=1).reason is None
    assert settled(trusted=trusted, known=OPEN).reason is None


def test_an_unknown_outcome_does_not_block_a_score() -> None:
    assert settled(known=OPEN).values == settled().values
    assert trouble_with_prices(QUESTION, prices(), OPEN, NOW) is None


@pytest.mark.parametrize(
    ("answer", "yes_makes_u", "move"),
    [
        ("Yes", "more likely", 0.5),
        ("Yes", "less likely", -0.5),
        ("No", "more likely", -0.5),
        ("No", "less likely", 0.5),
    ],
)
def test_the_signed_move(answer: str, yes_makes_u: str, move: float) -> None:
    assert settled(crux(yes_makes_u=yes_makes_u), resolved(answer=answer)).values["signed_move"] == move


def test_no_signed_move_without_a_direction() -> None:
    undirected = crux().model_copy(update={"yes_makes_u": None})
    assert math.isnan(settled(undirected).values["signed_move"])


def test_a_pivot_after_the_window_may_exceed_the_oracle() -> None:
    late = parse_utc("2025-03-09T06:30:00Z")
    trusted = prices(
        price=lambda hour: 0.4 if hour < parse_utc("2025-03-04T00:00:00Z") else 0.5 if hour <= late else 0.9
    )
    settlement = settled(resolution=resolved(late), trusted=trusted)
    assert settlement.reason is None
    assert settlement.values["voi_kl"] == pytest.approx(kl(0.9, 0.5))
    assert settlement.values["voi_kl"] > settlement.values["oracle_kl"]
    assert settlement.values["timing_percentile"] == 1.0


def test_a_date_is_scored_at_every_hour_of_its_day() -> None:
    day = parse_utc("2025-03-04T00:00:00Z")
    settlement = settled(resolution=resolved(day, precision="date_only"))
    placed = [
        settled(resolution=resolved(day + number * HOUR + timedelta(minutes=30))).values["voi_kl"]
        for number in range(24)
    ]
    assert settlement.pivot == parse_utc("2025-03-03T23:00:00Z")
    assert settlement.sensitivity is not None
    assert settlement.sensitivity.lowest == min(placed) < settlement.sensitivity.highest == max(placed)
    assert settlement.sensitivity.mean == pytest.approx(sum(placed) / 24)
    assert settlement.sensitivity.highest == pytest.approx(kl(0.75, 0.25))
    assert settlement.values["voi_kl"] < settlement.sensitivity.highest


def test_hours_of_a_date_after_the_market_s_end_score_0_as_such_events_do() -> None:
    known = Outcome(question_id=QUESTION.id, outcome="Yes", resolved_at=parse_utc("2025-03-06T12:00:00Z"))
    trusted = prices(last=parse_utc("2025-03-06T12:00:00Z"))
    day = parse_utc("2025-03-05T00:00:00Z")
    settlement = settle(QUESTION, crux(), resolved(day, precision="date_only"), trusted, known, 24)
    assert settlement.sensitivity is not None
    placed = [
        settle(QUESTION, crux(), resolved(day + number * HOUR + timedelta(minutes=1)), trusted, known, 24).values[
            "voi_kl"
        ]
        for number in range(24)
    ]
    assert placed[5] > 0 and set(placed[13:]) == {0.0}
    assert settlement.sensitivity == pytest.approx((0.0, sum(placed) / 24, max(placed)))


def test_a_date_that_begins_before_the_first_price_is_placed_within_its_day_too() -> None:
    trusted = prices(first=parse_utc("2025-03-04T06:00:00Z"))
    day = parse_utc("2025-03-04T00:00:00Z")
    settlement = settle(QUESTION, crux(), resolved(day, precision="date_only"), trusted, CLOSED, 2)
    placed = [
        settle(QUESTION, crux(), resolved(day + number * HOUR + timedelta(minutes=1)), trusted, CLOSED, 2).values[
            "voi_kl"
        ]
        for number in range(24)
    ]
    assert settlement.reason == "before_first_price" and settlement.values["voi_kl"] == 0.0
    assert settlement.sensitivity == pytest.approx((0.0, sum(placed) / 24, max(placed)))


def test_hours_of_a_date_whose_prices_are_still_to_come_are_left_out() -> None:
    trusted = prices(last=parse_utc("2025-03-06T12:00:00Z"))
    day = parse_utc("2025-03-05T00:00:00Z")
    settlement = settle(QUESTION, crux(), resolved(day, precision="date_only"), trusted, OPEN, 24)
    placed = [
        settle(QUESTION, crux(), resolved(day + number * HOUR + timedelta(minutes=1)), trusted, OPEN, 24).values[
            "voi_kl"
        ]
        for number in range(13)
    ]
    assert settlement.provisional
    assert settlement.sensitivity == pytest.approx((min(placed), sum(placed) / 13, max(placed)))


def test_a_crux_without_a_fault_has_to_be_resolved_first() -> None:
    with pytest.raises(ValueError, match="needs a resolution"):
        settle(QUESTION, crux(), None, prices(), CLOSED, 24)


def test_the_window_of_these_tests() -> None:
    assert QUESTION.window.hours == (parse_utc("2025-03-01T00:00:00Z"), LAST_HOUR)
    assert format_utc(WINDOW_END) == "2025-03-08T00:00:00Z"
