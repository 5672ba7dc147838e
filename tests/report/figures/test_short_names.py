"""Long names in little room are still told apart."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.report.figures.doubts import ROOM
from cruxbench_inspect.report.figures.short_names import short_names
from cruxbench_inspect.report.figures.voi_by_model import ModelMean, voi_by_model

LONG = "Qwen3-235B-A22B-Instruct-2507-FP8-throughput"
OTHER = "Qwen3-235B-A22B-Thinking-2507-FP8-throughput"


def test_short_ones_stay_and_long_ones_are_cut_in_the_middle() -> None:
    assert short_names(["gpt-5.4", "x" * 30], 30) == {}
    long = f"{'a' * 20}-{'b' * 20}"
    assert short_names(["gpt-5.4", long], 21) == {long: f"{'a' * 10}…{'b' * 10}"}


def test_what_differs_in_the_middle_is_shown() -> None:
    found = short_names([LONG, OTHER], 22)
    assert found[LONG] != found[OTHER] and "Instr" in found[LONG] and "Think" in found[OTHER]


@given(st.lists(st.text("ab", min_size=1, max_size=40), unique=True, max_size=12), st.integers(9, 30))
def test_all_that_is_shown_is_different_and_fits(names: list[str], most: int) -> None:
    shown = [short_names(names, most).get(name, name) for name in names]
    assert len(set(shown)) == len(names) and all(len(name) <= most for name in shown)


@pytest.mark.parametrize("names", [(LONG, OTHER)])
def test_a_figure_s_labels_are_short_and_its_tooltips_whole(names: tuple[str, str]) -> None:
    figure = voi_by_model([ModelMean(name, 0.1, 0.0, 0.2, 40, "") for name in names], None, None)
    text = json.dumps(figure.spec, ensure_ascii=False)
    for name, short in short_names(names, ROOM).items():
        assert json.dumps(short, ensure_ascii=False)[1:-1] in text and f'"model": "{name}"' in text
