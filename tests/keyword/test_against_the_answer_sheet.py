"""The offline judge on cruxes that the demo set's builder worded, against what the builder knows to be true."""

from functools import partial

import anyio

from benchmarks.keyword_judge import agreement, settle
from cruxbench_inspect.demo.build import build


def test_it_is_right_far_more_often_than_not() -> None:
    facts = build().facts[::3]
    counts = anyio.run(partial(settle, facts))
    assert counts.total() == len(facts) > 50
    assert agreement(counts) > 0.7
    answers = [fact.answer for fact in facts]
    assert agreement(counts) > 1.3 * max(answers.count(answer) for answer in set(answers)) / len(answers)
