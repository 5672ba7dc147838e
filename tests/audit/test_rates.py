"""How many planted leaks are found and how many clean items are flagged.

Two kinds of items: wordings with dates drawn by a seed, and texts about questions on many topics, in every place.
"""

from collections.abc import Sequence
from functools import cache

import pytest

from cruxbench_inspect.audit.checks import findings_of
from tests.audit.synthetic_items import samples
from tests.audit.topics import LISTS, Kind, planted, texts_of
from tests.audit.wordings import CLEAN, HELD_OUT_CLEAN, HELD_OUT_LEAKS, LEAKS
from tests.extent import cases

SEEDS = (20_260_301, 7)[: cases(1, 2)]
RECALL = 0.95
FALSE_FLAGS = 0.02


def flagged_part(wordings: Sequence[str], count: int, seed: int) -> tuple[float, list[str]]:
    """The part of synthetic items that is flagged, and the wordings of the items."""
    made = list(samples(wordings, count, seed))
    flagged = [bool(findings_of(sample.item, sample.ultimate)) for sample in made]
    return sum(flagged) / count, [f"{sample.wording}: {hit}" for sample, hit in zip(made, flagged, strict=True)]


def flagged_topics(lists: Sequence[str], kinds: Sequence[Kind]) -> tuple[float, list[str]]:
    """The part of the items of lists that is flagged, and each item with whether it is."""
    told = [one for name in lists for kind in kinds for one in _flagged(name, kind)]
    return sum(hit for hit, _ in told) / len(told), [f"{text}: {hit}" for hit, text in told]


@cache
def _flagged(name: str, kind: Kind) -> tuple[tuple[bool, str], ...]:
    return tuple(
        (bool(findings_of(made.item, made.ultimate)), f"{made.place}: {made.text}") for made in planted(name, kind)
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wordings", [LEAKS, HELD_OUT_LEAKS], ids=["tuned", "held out"])
def test_planted_leaks_are_found(wordings: Sequence[str], seed: int) -> None:
    recall, told = flagged_part(wordings, 450, seed)
    assert recall >= RECALL, sorted({line for line in told if line.endswith("False")})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wordings", [CLEAN, HELD_OUT_CLEAN], ids=["tuned", "held out"])
def test_clean_items_are_hardly_ever_flagged(wordings: Sequence[str], seed: int) -> None:
    false_flags, told = flagged_part(wordings, 600, seed)
    assert false_flags <= FALSE_FLAGS, sorted({line for line in told if line.endswith("True")})


def test_the_held_out_wordings_are_others() -> None:
    assert not set(LEAKS) & set(HELD_OUT_LEAKS)
    assert not set(CLEAN) & set(HELD_OUT_CLEAN)


@pytest.mark.parametrize("kind", ["dates", "outcomes"])
def test_leaks_of_many_topics_are_found_in_every_place(kind: Kind) -> None:
    recall, told = flagged_topics(LISTS, [kind])
    assert recall >= RECALL, [line for line in told if line.endswith("False")]


@pytest.mark.parametrize("name", LISTS)
def test_leaks_of_each_list_are_found(name: str) -> None:
    recall, told = flagged_topics([name], ["dates", "outcomes"])
    # The fifth has texts that no rule of this kind can tell, such as "refused to".
    assert recall >= (0.9 if name == "fifth" else RECALL), [line for line in told if line.endswith("False")]


@pytest.mark.parametrize("name", LISTS)
def test_clean_items_of_each_list_are_hardly_ever_flagged(name: str) -> None:
    false_flags, told = flagged_topics([name], ["clean"])
    assert false_flags <= FALSE_FLAGS, [line for line in told if line.endswith("True")]


def test_the_lists_are_long_enough() -> None:
    assert len(set(texts_of("dates")) | set(texts_of("outcomes"))) >= 400
    assert len(set(texts_of("clean"))) >= 400
