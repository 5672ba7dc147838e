import random
from pathlib import Path

from benchmarks.kill_and_retry import GRACE, Disturbed, Place, disturbed
from benchmarks.slow_judge import Answered, SlowJudge


class _Script(Place):
    """Runs that are lists of requests with their age at the kill, in seconds."""

    def __init__(self, folder: Path, judge: SlowJudge, runs: list[list[tuple[str, float]]]) -> None:
        super().__init__(folder, judge)
        self._runs = iter(runs)
        self._clock = 0.0

    def kill(self, command: list[str], answers: int, delay: float) -> float:
        self._clock += 100.0
        self.judge.answered += [Answered(digest, self._clock - age) for digest, age in next(self._runs)]
        return self._clock

    def finish(self, command: list[str]) -> None:
        self.kill(command, 0, 0.0)


def _outcome(folder: Path, *runs: list[tuple[str, float]]) -> Disturbed:
    with SlowJudge(0.0) as judge:
        place = _Script(folder / "place", judge, list(runs))
        return disturbed(place, lambda: [], len(runs) - 1, 3, random.Random(1))


def test_a_call_that_was_answered_and_is_made_again_is_counted(tmp_path: Path) -> None:
    outcome = _outcome(tmp_path, [("a", 2 * GRACE)], [("b", 2 * GRACE), ("a", 2 * GRACE)])
    assert (outcome.kills, outcome.answers, outcome.repeated, outcome.interrupted) == (1, 3, 1, 0)


def test_a_call_that_the_kill_may_have_cut_off_is_told_apart_once(tmp_path: Path) -> None:
    outcome = _outcome(tmp_path, [("a", GRACE / 2)], [("a", 2 * GRACE)], [("a", 2 * GRACE)])
    assert (outcome.repeated, outcome.interrupted) == (1, 1)


def test_a_call_made_twice_within_a_run_is_counted(tmp_path: Path) -> None:
    assert _outcome(tmp_path, [("a", 3 * GRACE), ("a", 2 * GRACE)], []).repeated == 1


def test_torn_cache_files_are_counted_once(tmp_path: Path) -> None:
    with SlowJudge(0.0) as judge:
        place = Place(tmp_path / "place", judge)
        cache = place.folder / "inspect"
        cache.mkdir()
        (cache / "whole").write_bytes(b"\x80\x04.")
        (cache / "torn").write_bytes(b"\x80\x04")
        (cache / "empty").write_bytes(b"")
        assert {file.name for file in place.torn()} == {"torn", "empty"}
        assert not list(place.torn())
