"""Whether a crux is the ultimate question again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.crux import Crux, restates
from tests.test_crux import CRUX, FINAL

JEWELS = "Will any of the stolen Louvre jewels be returned by December 31?"
FED = "Will the Fed cut rates by 25 bp in December?"


@pytest.mark.parametrize(
    ("question", "ultimate", "reason"),
    [
        (JEWELS, JEWELS, "same words"),
        ("will any of the stolen Louvre jewels be returned by december 31", JEWELS, "same words"),
        ("Will any of the stolen Louvre jewels be returned by November 20, 2025?", JEWELS, "another deadline"),
        ("Will any of the stolen Louvre jewels be returned on or before 1 Nov?", JEWELS, "another deadline"),
        ("By 2025-11-20, will any stolen Louvre jewel be returned?", JEWELS, "another deadline"),
        ("Will any of the jewels stolen from the Louvre be returned in November?", JEWELS, "another deadline"),
        ("Will at least one of the stolen Louvre jewels be returned within the evaluation window?", JEWELS, "deadline"),
        (
            "Will any of the stolen Louvre jewels be returned between 21 October and 20 November 2025?",
            JEWELS,
            "deadline",
        ),
        ("Will any stolen Louvre jewels be returned no later than 11:59 PM ET on November 20?", JEWELS, "deadline"),
        ("Will any of the stolen Louvre jewels be officially returned by 1 November?", JEWELS, "deadline"),
        ("Will any of the stolen Louvre jewels not be returned by December 31?", JEWELS, "negated"),
        ("Won't any of the stolen Louvre jewels be returned by November 20?", JEWELS, "negated"),
        ("Will none be?", "Will none not be?", "negated"),
        ("Will no stolen Louvre jewels be returned by 20 November 2025?", JEWELS, "negated"),
        ("Will Ann Lee fail to resign by 1 May?", "Will Ann Lee resign in 2026?", "negated"),
        ("Will the Fed cut rates by 25 bps in December?", FED, "deadline"),
        ("Will the market price of this question be above 90% on November 1?", JEWELS, "market"),
        ("Will the market price of the Louvre jewels returning be above 90% by 1 November?", JEWELS, "market"),
        ("Will the Polymarket question on the Louvre jewels resolve Yes?", JEWELS, "market"),
        ("Will this market resolve to “No”?", JEWELS, "market"),
        ("Will Polymarket odds for a return of the jewels go over 50 percent?", JEWELS, "market"),
        ("Will Yes shares trade over 40 cents?", JEWELS, "market"),
        ("Will the probability that any stolen Louvre jewels are returned exceed 20%?", JEWELS, "market"),
    ],
)
def test_the_ultimate_question_again(question: str, ultimate: str, reason: str) -> None:
    found = restates(Crux.model_validate({**FINAL, "question": question}), ultimate)
    assert found is not None
    assert reason in found


@pytest.mark.parametrize(
    ("question", "ultimate"),
    [
        (FINAL["question"], JEWELS),
        ("Will any of the stolen Louvre paintings be returned by December 31?", JEWELS),
        ("Will all of the stolen Louvre jewels be returned by December 31?", JEWELS),
        ("Will any of the stolen Louvre jewels be found by November 20?", JEWELS),
        ("Will any of the stolen Louvre jewels be returned after a ransom is paid?", JEWELS),
        ("Will the Fed cut rates by 50 bp in December?", FED),
        ("Will the Fed cut rates by 25 bp in October?", FED),
        ("Will the Fed raise rates by 25 bp in December?", FED),
        ("Will the ECB cut rates by 25 bp in December?", FED),
        ("Will the 2025 budget pass by 1 March?", "Will the 2026 budget pass by 1 March?"),
        ("Will Ukraine attack Russia by 1 May?", "Will Russia attack Ukraine by 1 June?"),
        ("Will gold close above $4,000 by 1 May?", "Will gold close above $5,000 by 1 May?"),
        ("Will gold close below $4,000 by 1 May?", "Will gold close above $4,000 by 1 May?"),
        ("Will CPI for October exceed 3%?", "Will CPI for November exceed 3%?"),
        ("Will Ann Lee resign after the vote?", "Will Ann Lee resign before the vote?"),
        ("Will the market price of oil exceed $90 by 1 May?", "Will OPEC cut output by 1 June?"),
        ("Will the stock market fall by 10%?", "Will a recession be declared in 2026?"),
        ("Will Polymarket's token trade by 1 May?", "Will Polymarket launch a token in 2026?"),
        ("Will the Senate question the minister on 1 May?", "Will the minister resign by 1 June?"),
    ],
)
def test_another_question_is_not_flagged(question: str, ultimate: str) -> None:
    assert restates(Crux.model_validate({**FINAL, "question": question}), ultimate) is None


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=1).filter(str.strip), st.text())
def test_restatement_is_decided_for_any_text(question: str, ultimate: str) -> None:
    reason = restates(CRUX.model_copy(update={"question": question}), ultimate)
    assert reason is None or "\n" not in reason


def test_an_endless_question_is_compared_by_its_beginning() -> None:
    crux = CRUX.model_copy(update={"question": "market price above " * 50_000})
    assert restates(crux, JEWELS) is None
    assert restates(crux, crux.question) is not None
