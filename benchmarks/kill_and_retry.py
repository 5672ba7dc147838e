"""Kill runs in the middle of judging, retry them, and see that no answered judge call is made twice.

Run it with ``python -m benchmarks.kill_and_retry``. The judge is a slow one behind a loopback port, the generator
``cruxbench/keyword``. After an undisturbed run, an eval is killed with SIGKILL and retried with ``inspect eval-retry``,
ten times, before it may finish. Then the same is done to ``inspect score`` on a log of ``inspect eval --no-score``.
Each starts with empty caches. Scores have to be those of the undisturbed run.

A call counts as answered when its answer was sent a second before the kill. One that was younger may not have reached
the cache, and may be asked again; a cache file that the kill cut off in the middle is counted as torn.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inspect_ai.log import read_eval_log

from benchmarks.slow_judge import SlowJudge

ROOT = Path(__file__).parent.parent
GRACE = 1.0
"""Seconds after which an answer that was sent counts as answered."""


@dataclass
class Disturbed:
    """What came of a run that was killed again and again.

    Attributes:
        kills: How often it was killed.
        answers: Answers that the judge gave.
        repeated: Requests asked again although they had been answered.
        interrupted: Requests asked again whose answers were younger than the grace at the kill.
        torn: Cache files that a kill cut off.
        different: Ids of samples whose scores differ from those of the undisturbed run.
    """

    kills: int = 0
    answers: int = 0
    repeated: int = 0
    interrupted: int = 0
    torn: int = 0
    different: list[str] = field(default_factory=list)


def main(options: Sequence[str] | None = None) -> int:
    """Print what came of both forms.

    Returns:
        1 if an answered call was made twice or a score differs, else 0.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10, help="(default %(default)s)")
    parser.add_argument("--questions", type=int, default=12, help="of the demo set (default %(default)s)")
    parser.add_argument("--delay", type=float, default=0.4, help="seconds per judge call (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(options)
    draw = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder, SlowJudge(arguments.delay) as judge:
        undisturbed = Place(Path(folder) / "undisturbed", judge)
        undisturbed.finish(_eval(arguments.questions))
        expected, calls = undisturbed.scores(), len(judge.answered)
        print(f"undisturbed: {len(expected)} samples, {calls} judge calls")

        killed = Place(Path(folder) / "eval", judge)

        def eval_or_retry() -> list[str]:
            log = killed.log()
            return _eval(arguments.questions) if log is None else ["eval-retry", str(log)]

        outcomes = {"eval, eval-retry": disturbed(killed, eval_or_retry, arguments.kills, calls, draw)}
        outcomes["eval, eval-retry"].different = _differences(expected, killed.scores())

        deferred = Place(Path(folder) / "score", judge)
        deferred.finish([*_eval(arguments.questions), "--no-score"])
        unscored, scored = str(deferred.log()), deferred.folder / "logs" / "scored.eval"
        score = ["score", unscored, "--action", "append", "--output-file", str(scored), "--model", "none"]
        outcomes["eval --no-score, score"] = disturbed(deferred, lambda: score, arguments.kills, calls, draw)
        outcomes["eval --no-score, score"].different = _differences(expected, deferred.scores())
    for name, outcome in outcomes.items():
        print(
            f"{name}: {outcome.kills} kills, {outcome.answers} answers; asked again: {outcome.repeated} answered, "
            f"{outcome.interrupted} interrupted; {outcome.torn} torn cache files; "
            f"{len(outcome.different)} of {len(expected)} scores differ {' '.join(outcome.different)}".rstrip()
        )
    return int(any(outcome.repeated or outcome.different for outcome in outcomes.values()))


def disturbed(
    place: "Place", command: Callable[[], list[str]], kills: int, calls: int, draw: random.Random
) -> Disturbed:
    """Kill and retry, then let it finish.

    Args:
        place: Where it runs.
        command: The command of the next try.
        kills: How often to kill.
        calls: How many judge calls an undisturbed run makes.
        draw: Where the moments come from.

    Raises:
        RuntimeError: If a run ended before it could be killed, or failed.
    """
    judge, outcome = place.judge, Disturbed()
    offset = len(judge.answered)
    safe: set[str] = set()
    young: set[str] = set()
    for left in range(kills, -1, -1):
        start = len(judge.answered)
        known = {answer.digest for answer in judge.answered[offset:]}
        if left:
            # As many answers that, on average, the calls last for all kills to come.
            share = max(1, 2 * (calls - len(known)) // (left + 1) - 2)
            killed_at = place.kill(command(), draw.randint(1, share), draw.uniform(0.0, judge.delay))
            outcome.kills += 1
        else:
            place.finish(command())
            killed_at = float("inf")
        for answer in judge.answered[start:]:
            outcome.answers += 1
            outcome.repeated += answer.digest in safe
            outcome.interrupted += answer.digest in young
            if answer.at < killed_at - GRACE:
                safe.add(answer.digest)
                young.discard(answer.digest)
            elif answer.digest not in safe:
                young.add(answer.digest)
        outcome.torn += sum(1 for _ in place.torn())
    return outcome


class Place:
    """Caches and logs of one form, and the runs that use them.

    Attributes:
        folder: Where they lie.
        judge: The judge that all runs ask.
    """

    def __init__(self, folder: Path, judge: SlowJudge) -> None:
        self.folder = folder
        self.judge = judge
        folder.mkdir()
        self._torn: set[Path] = set()

    def finish(self, command: list[str]) -> None:
        """Run to the end.

        Raises:
            RuntimeError: If it fails, with what it printed.
        """
        process = self._start(command)
        if process.wait():
            raise RuntimeError(f"{' '.join(command)} failed:\n{self._printed()}")

    def kill(self, command: list[str], answers: int, delay: float) -> float:
        """Run until the judge has given so many more answers, wait ``delay`` seconds more, and kill.

        Returns:
            When it was killed, on the monotonic clock, seconds.

        Raises:
            RuntimeError: If it ended by itself, with what it printed.
        """
        goal = len(self.judge.answered) + answers
        process = self._start(command)
        while len(self.judge.answered) < goal and process.poll() is None:
            time.sleep(0.01)
        time.sleep(delay)
        if process.poll() is not None:
            raise RuntimeError(f"{' '.join(command)} ended before its kill:\n{self._printed()}")
        killed_at = time.monotonic()
        process.kill()
        process.wait()
        self.judge.wait_until_idle()
        return killed_at

    def log(self) -> Path | None:
        """The newest log, if there is one."""
        return max((self.folder / "logs").glob("*.eval"), key=lambda log: log.stat().st_mtime_ns, default=None)

    def scores(self) -> dict[str, str]:
        """The whole scores of the newest log, as text, by sample."""
        log = read_eval_log(str(self.log()))
        if log.status != "success":
            raise RuntimeError(f"{log.location} is not finished: its status is {log.status}")
        return {
            str(sample.id): "\n".join(score.model_dump_json(exclude={"history"}) for score in sample.scores.values())
            for sample in log.samples or ()
            if sample.scores is not None
        }

    def torn(self) -> Iterator[Path]:
        """Cache files that are cut off and were not seen so before: a whole pickle ends in its STOP opcode, a dot."""
        for file in (self.folder / "inspect").rglob("*"):
            if file.is_file() and file not in self._torn and not file.read_bytes().endswith(b"."):
                self._torn.add(file)
                yield file

    def _printed(self) -> str:
        return (self.folder / "printed").read_text(encoding="utf-8", errors="replace")

    def _start(self, command: list[str]) -> "subprocess.Popen[bytes]":
        environment = os.environ | {
            "INSPECT_CACHE_DIR": str(self.folder / "inspect"),
            "CRUXBENCH_CACHE_DIR": str(self.folder / "cruxbench"),
            "INSPECT_LOG_DIR": str(self.folder / "logs"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "INSPECT_DISPLAY": "plain",
            "LOOP_BASE_URL": self.judge.url,
            "LOOP_API_KEY": "none",
        }
        inspect = Path(sys.executable).parent / "inspect"
        # What it prints goes to a file: nobody reads a pipe while it runs.
        with (self.folder / "printed").open("wb") as printed:
            return subprocess.Popen(
                [str(inspect), *command], cwd=ROOT, env=environment, stdout=printed, stderr=subprocess.STDOUT
            )


def _eval(questions: int) -> list[str]:
    roles = [f"--model-role={role}=openai-api/loop/judge" for role in ("resolver", "verifier")]
    return ["eval", "tasks/cruxbench.py", "--model", "cruxbench/keyword", "--limit", str(questions), *roles]


def _differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    return [sample for sample in expected | found if expected.get(sample) != found.get(sample)]


if __name__ == "__main__":
    sys.exit(main())
