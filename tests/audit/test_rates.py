"""How many planted leaks are found and how many clean items are flagged, on wordings that were tuned on and others."""

from collections.abc import Sequence

import pytest

from cruxbench_inspect.audit.checks import findings_of
from tests.audit.synthetic_items import samples
from tests.audit.wordings import CLEAN, HELD_OUT_CLEAN, HELD_OUT_LEAKS, LEAKS

SEED = 20_260_301


def flagged_part(wordings: Sequence[str], count: int) -> tuple[float, list[str]]:
    """The part of synthetic items that is flagged, and the wordings of the items."""
    made = list(samples(wordings, count, SEED))
    flagged = [bool(findings_of(sample.item, sample.ultimate)) for sample in made]
    return sum(flagged) / count, [f"{sample.wording}: {hit}" for sample, hit in zip(made, flagged, strict=True)]


@pytest.mark.parametrize("wordings", [LEAKS, HELD_OUT_LEAKS], ids=["tuned", "held out"])
def test_planted_leaks_are_found(wordings: Sequence[str]) -> None:
    recall, told = flagged_part(wordings, 800)
    assert recall >= 0.95, sorted({line for line in told if line.endswith("False")})


@pytest.mark.parametrize("wordings", [CLEAN, HELD_OUT_CLEAN], ids=["tuned", "held out"])
def test_clean_items_are_hardly_ever_flagged(wordings: Sequence[str]) -> None:
    false_flags, told = flagged_part(wordings, 1200)
    assert false_flags <= 0.02, sorted({line for line in told if line.endswith("True")})


def test_the_held_out_wordings_are_others() -> None:
    assert not set(LEAKS) & set(HELD_OUT_LEAKS)
    assert not set(CLEAN) & set(HELD_OUT_CLEAN)
