"""Seconds by role, by hand: the judges' as scores tell them, the generator's as what is left."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample, read_eval_log, write_eval_log
from inspect_ai.model import ModelUsage

from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.table import Cell
from cruxbench_inspect.report.tables.costs import costs, role_costs
from tests.evaluating import samples_of
from tests.report.tables.sample_study import close
from tests.synthetic_study import Subject, SyntheticStudy

COUNT = 4
TOTALS = (10.0, 20.0, 30.0, 40.0)
JUDGES = (4.0, 5.0, 6.0, 9.0)
Change = Callable[[int, EvalSample, dict[str, Any]], None]


class Logs:
    """A log whose every sample was judged in its run, by a resolver and a verifier."""

    def __init__(self, folder: Path) -> None:
        subject = Subject("lab/one", resolvable=1.0, faulty=0.0)
        (path,) = SyntheticStudy(folder, COUNT).write([subject])
        self.log = str(path)

    def rows(self, folder: Path, change: Change = lambda number, sample, told: None) -> dict[str, Mapping[str, Cell]]:
        """The rows of the table by role, after a change to every sample and its score's metadata."""
        log = read_eval_log(self.log)
        for number, sample in enumerate(samples_of(log)):
            resolver = ModelUsage(input_tokens=900, output_tokens=100, input_tokens_cache_read=50)
            verifier = ModelUsage(input_tokens=90, output_tokens=10)
            sample.model_usage = {"lab/one": ModelUsage(input_tokens=70, output_tokens=7)}
            sample.role_usage = {"resolver": resolver, "verifier": verifier}
            sample.total_time = TOTALS[number]
            assert sample.scores is not None
            told = sample.scores["voi"].metadata
            assert told is not None
            told |= {"judge_seconds": JUDGES[number], "judge_tokens": 1150}
            change(number, sample, told)
        path = folder / "changed.eval"
        write_eval_log(log, str(path))
        study: Study = make_study([str(path)], {}, Options())
        return {str(row["role"]): row for row in costs(study, role_costs(study, PriceList({}))).rows}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return Logs(tmp_path_factory.mktemp("times"))


def seconds(rows: Mapping[str, Mapping[str, Cell]], roles: Sequence[str] = ("generator", "resolver", "all")) -> Any:
    return [rows[role]["seconds"] for role in roles]


def unknown() -> Any:
    return close(math.nan)


def test_the_generator_has_what_the_judges_leave(logs: Logs, tmp_path: Path) -> None:
    rows = logs.rows(tmp_path)
    assert list(rows) == ["generator", "resolver", "verifier", "all"]
    assert seconds(rows) == [close((6 + 15 + 24 + 31) / 4), close(24 / 4), close(100 / 4)]
    # The judges' time is that of both.
    assert rows["verifier"]["seconds"] is None


def test_what_was_not_judged_took_no_time_of_judges(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        if number == 2:
            for key in [key for key in told if key.startswith("judge") or key in ("resolver", "verifier")]:
                del told[key]
            sample.role_usage = {}

    assert seconds(logs.rows(tmp_path, change)) == [close((6 + 15 + 30 + 31) / 4), close(18 / 4), close(25)]


def test_older_logs_do_not_tell_it(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        del told["judge_seconds"]

    assert seconds(logs.rows(tmp_path, change)) == [unknown(), unknown(), close(25)]


def test_a_few_samples_are_not_taken_for_all(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        if number == 1:
            del told["judge_seconds"]

    assert seconds(logs.rows(tmp_path, change)) == [unknown(), unknown(), close(25)]


def test_a_run_that_was_scored_later_took_the_generator_all_its_time(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        sample.role_usage = {}

    rows = logs.rows(tmp_path, change)
    assert list(rows) == ["generator", "judges", "all"]
    assert seconds(rows, ("generator", "judges", "all")) == [close(25), close(6), close(25)]


def test_judgements_of_another_scoring_are_not_taken_off(logs: Logs, tmp_path: Path) -> None:
    def other_tokens(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        told["judge_tokens"] = 777

    assert seconds(logs.rows(tmp_path, other_tokens)) == [unknown(), close(6), close(25)]

    def longer(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        told["judge_seconds"] = TOTALS[number] + 1

    assert seconds(logs.rows(tmp_path, longer)) == [unknown(), close(26), close(25)]

    def later(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        if number == 3:
            sample.role_usage = {}

    assert seconds(logs.rows(tmp_path, later)) == [unknown(), close(6), close(25)]


def test_judges_that_do_not_tell_their_tokens_may_have_been_asked_in_the_run(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        sample.role_usage = {}
        told["judge_tokens"] = 0

    rows = logs.rows(tmp_path, change)
    assert seconds(rows, ("generator", "judges", "all")) == [unknown(), close(6), close(25)]


def test_of_several_cruxes_the_time_of_all_is_not_known(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        told["cruxes"] = 2

    assert seconds(logs.rows(tmp_path, change)) == [unknown(), unknown(), close(25)]


def test_without_times_nothing_is_shown(logs: Logs, tmp_path: Path) -> None:
    def change(number: int, sample: EvalSample, told: dict[str, Any]) -> None:
        sample.total_time = None
        del told["judge_seconds"]

    assert seconds(logs.rows(tmp_path, change)) == [unknown(), unknown(), unknown()]
