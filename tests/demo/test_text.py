"""Templates and seeded draws."""

import re
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.demo.draws import Draws
from cruxbench_inspect.demo.text import in_words, render, slug, weekday


def test_alternatives_are_drawn_and_fields_filled_in() -> None:
    texts = {render("[the {thing}|[one|two] things] fell. it broke.", {"thing": "vase"}, Draws(s)) for s in range(60)}
    assert texts == {"The vase fell. It broke.", "One things fell. It broke.", "Two things fell. It broke."}


def test_a_field_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="thing"):
        render("A {thing}.", {}, Draws(0))


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)))
def test_dates_in_words(day: date) -> None:
    assert re.fullmatch(r"[1-9]\d? [A-Z][a-z]+ \d{4}", in_words(day))
    assert weekday(day) == weekday(day + timedelta(days=7)) != weekday(day + timedelta(days=1))


def test_a_date_in_words() -> None:
    assert f"{weekday(date(2025, 6, 9))} {in_words(date(2025, 6, 9))}" == "Monday 9 June 2025"


def test_slug() -> None:
    assert slug("Court blocks Orvella's deal: 2.4 billion") == "court-blocks-orvella-s-deal-2-4-billion"


@given(seed=st.integers(0, 2**32), low=st.integers(-50, 50), span=st.integers(0, 30))
def test_draws_stay_in_range_and_repeat(seed: int, low: int, span: int) -> None:
    draws, again = Draws(seed), Draws(seed)
    values = [draws.integer(low, low + span) for _ in range(20)]
    assert all(low <= value <= low + span for value in values)
    assert values == [again.integer(low, low + span) for _ in range(20)]
    assert 0 <= draws.uniform() < 1


@given(seed=st.integers(0, 2**32), count=st.integers(0, 6))
def test_a_sample_keeps_the_order(seed: int, count: int) -> None:
    options = "abcdef"
    chosen = Draws(seed).sample(options, count)
    assert len(chosen) == count
    assert chosen == sorted(set(chosen))


def test_the_bell_has_mean_0_and_variance_1() -> None:
    draws = Draws(1)
    values = [draws.bell() for _ in range(4000)]
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    assert abs(mean) < 0.05
    assert abs(variance - 1) < 0.1


def test_uniforms_are_those_of_numpy() -> None:
    draws = Draws(2025, 4)
    numpy = np.random.Generator(np.random.PCG64(np.random.SeedSequence((2025, 4))))
    assert [draws.uniform() for _ in range(100)] == numpy.random(100).tolist()
