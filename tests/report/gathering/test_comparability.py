"""In what runs may not differ, and what is said where they do."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from cruxbench_inspect.report.gathering.comparability import Difference, differences
from cruxbench_inspect.report.gathering.run import Run, Terms

TERMS = Terms(
    question_set="round 1 (aaaaaaaaaaaa)",
    questions="a" * 64,
    width=24,
    resolver="judge/one",
    verifier="judge/two",
    prompts="resolver-1 verifier-1",
    k=1,
)
UNJUDGED = {"resolver": "", "verifier": "", "prompts": ""}


def run(benchmark: str = "1-A", **terms: Any) -> Run:
    return Run(
        location="a.eval",
        eval_id="a",
        task_id="a",
        model="lab/a",
        solver=None,
        created=datetime(2026, 1, 1, tzinfo=UTC),
        status="success",
        set_path="",
        set_name="round",
        expected=0,
        limited=False,
        imported=False,
        benchmark=benchmark,
        terms=replace(TERMS, **terms),
        samples=(),
    )


def lines(*runs: Run, pooled: bool = False) -> list[str]:
    return [one.line() for one in differences(runs, pooled=pooled)]


def test_equal_runs_do_not_differ() -> None:
    assert differences([]) == []
    assert differences([run()]) == []
    assert differences([run(), run(), run()]) == []


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"question_set": "round 2 (bbbbbbbbbbbb)", "questions": "b" * 64},
            "The logs differ by question set: round 1 (aaaaaaaaaaaa) (2), round 2 (bbbbbbbbbbbb) (1).",
        ),
        ({"width": 6}, "The logs differ by averaging width in hours: 6 (1), 24 (2)."),
        ({"resolver": "judge/x"}, "The logs differ by resolver: judge/one (2), judge/x (1)."),
        ({"verifier": "judge/x"}, "The logs differ by verifier: judge/two (2), judge/x (1)."),
        ({"verifier": ""}, "The logs differ by verifier: none (1), judge/two (2)."),
        (
            {"prompts": "resolver-2 verifier-1"},
            "The logs differ by judges' prompts: resolver-1 verifier-1 (2), resolver-2 verifier-1 (1).",
        ),
        ({"k": 10}, "The logs differ by number of cruxes: 1 (2), 10 (1)."),
        ({"benchmark": "2-A"}, "The logs differ by benchmark version: 1 (2), 2 (1)."),
    ],
)
def test_every_kind_of_difference(changes: dict[str, Any], line: str) -> None:
    assert lines(run(), run(**changes), run()) == [line]


def test_several_differences_are_a_line_each() -> None:
    assert [one.what for one in differences([run(), run(width=6, k=2, resolver="judge/x")])] == [
        "averaging width in hours",
        "resolver",
        "number of cruxes",
    ]


@pytest.mark.parametrize(
    ("terms", "line"),
    [
        ({"widths": (6, 24)}, "The logs differ by averaging width in hours: 6 and 24 (1)."),
        ({"resolver": "judge/one and judge/x"}, "The logs differ by resolver: judge/one and judge/x (1)."),
        ({"verifier": "judge/two and judge/x"}, "The logs differ by verifier: judge/two and judge/x (1)."),
        (
            {"prompts": "resolver-1 and resolver-2"},
            "The logs differ by judges' prompts: resolver-1 and resolver-2 (1).",
        ),
    ],
)
def test_a_run_may_not_differ_within_itself(terms: dict[str, Any], line: str) -> None:
    assert lines(run(**terms)) == lines(run(**terms), pooled=True) == [line]
    # Two runs that are mixed in the same way do not belong together, either.
    assert lines(run(**terms), run(**terms)) == [line.replace("(1)", "(2)")]


def test_one_width_of_all_scores_is_no_difference() -> None:
    assert differences([run(widths=(24,)), run(widths=(24,)), run(widths=())]) == []


def test_numbers_stand_in_their_order() -> None:
    assert lines(run(width=48), run(width=6), run(width=24)) == [
        "The logs differ by averaging width in hours: 6 (1), 24 (1), 48 (1)."
    ]


def test_a_run_in_which_nothing_was_judged_does_not_differ_by_judges() -> None:
    assert differences([run(), run(**UNJUDGED)]) == []
    assert differences([run(**UNJUDGED), run(**UNJUDGED)]) == []
    assert [one.what for one in differences([run(), run(**UNJUDGED), run(verifier="")])] == ["verifier"]


def test_question_sets_may_differ_where_runs_are_pooled() -> None:
    other = run(question_set="round 2 (bbbbbbbbbbbb)", questions="b" * 64)
    assert differences([run(), other], pooled=True) == []
    assert [one.what for one in differences([run(), replace(other, benchmark="2-A")], pooled=True)] == [
        "benchmark version"
    ]


def test_versions_that_leave_scores_as_they_are_do_not_count() -> None:
    assert differences([run(), run(benchmark="1-B")]) == []


def test_a_difference_tells_how_many_runs_have_each_value() -> None:
    assert differences([run(), run(k=3), run()]) == [Difference("number of cruxes", {"1": 2, "3": 1})]
