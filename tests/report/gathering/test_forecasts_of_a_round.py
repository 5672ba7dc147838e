"""A forecaster's logs on several versions of one live round: one of them counts, the fullest."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from cruxbench_inspect.markets.release.importing import import_release
from cruxbench_inspect.markets.set_writer import write_set
from cruxbench_inspect.questions import EarlierVersion, QuestionSet
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.utc import parse_utc
from tests.evaluating import samples_of
from tests.mini_release import MiniRelease

NOW = parse_utc("2026-11-05T06:07:08Z")


class Round:
    """Logs of a release's generators and one forecaster, and a later version of their question set."""

    def __init__(self, folder: Path) -> None:
        MiniRelease(folder / "release")
        made = import_release(folder / "release", folder / "first", folder / "logs", now=NOW)
        self.first = made.question_set
        self.cruxes = [str(path) for path in made.logs if "_cruxbench_" in path.name]
        self.forecast = next(str(path) for path in made.logs if "_forecast_" in path.name)
        before = self.first.manifest
        last = EarlierVersion(version="1", digest=before.digest, questions=before.files["questions.jsonl"])
        self.second: QuestionSet = write_set(
            folder / "second",
            before.model_copy(update={"version": "2", "earlier": (last,)}),
            self.first.questions,
            list(self.first.outcomes.values()),
            self.first.prices.head(-50),
        )

    def again(self, path: Path, *, shorter: int, of: str) -> str:
        """The forecaster's log as another run, with fewer samples, on a version of the set or another set."""
        log = read_eval_log(self.forecast)
        log.eval.eval_id, log.eval.task_id = f"eval of {path}", f"task of {path}"
        log.samples = samples_of(log)[: len(samples_of(log)) - shorter]
        assert log.eval.metadata is not None
        log.eval.metadata |= {"set_digest": of}
        write_eval_log(log, str(path))
        return str(path)

    def study(self, *forecasts: str) -> Study:
        """The study of the cruxes with forecasters' logs, with the set's later version at hand."""
        return make_study([*self.cruxes, *forecasts], {}, Options(questions=[self.second.location]))


@pytest.fixture(scope="module")
def live_round(tmp_path_factory: pytest.TempPathFactory) -> Round:
    return Round(tmp_path_factory.mktemp("round"))


def test_the_fullest_forecasts_on_any_version_of_a_round_count(live_round: Round, tmp_path: Path) -> None:
    assert live_round.second.stands_for(live_round.first.digest)
    on_second = live_round.again(tmp_path / "second.eval", shorter=1, of=live_round.second.digest)
    for logs in ([live_round.forecast, on_second], [on_second, live_round.forecast]):
        study = live_round.study(*logs)
        assert [one.location for one in study.forecasts] == [live_round.forecast]
        assert study.left_out == (f"{on_second}: {live_round.forecast} has no fewer of its forecasts",)
    # It is the number of forecasts that decides, not which version is newer.
    on_first = live_round.again(tmp_path / "first.eval", shorter=2, of=live_round.first.digest)
    assert [one.location for one in live_round.study(on_first, on_second).forecasts] == [on_second]


def test_forecasters_are_told_apart_on_each_version(live_round: Round, tmp_path: Path) -> None:
    other = live_round.again(tmp_path / "other.eval", shorter=1, of=live_round.second.digest)
    log = read_eval_log(other)
    log.eval.model = "lab/another"
    write_eval_log(log, other)
    study = live_round.study(live_round.forecast, other)
    assert {one.location for one in study.forecasts} == {live_round.forecast, other}
    assert study.left_out == ()


def test_forecasts_on_a_set_that_is_none_of_its_versions_do_not_count(live_round: Round, tmp_path: Path) -> None:
    strange = live_round.again(tmp_path / "strange.eval", shorter=0, of="f" * 64)
    study = live_round.study(live_round.forecast, strange)
    assert [one.location for one in study.forecasts] == [live_round.forecast]
    assert study.left_out == (f"{strange}: its question set is not that of the cruxes",)
