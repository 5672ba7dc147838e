"""What a sample costs, against a bare Inspect task that makes the same model calls.

Run it with ``python -m benchmarks.sample_cost``. Question sets of several sizes are made of demo worlds with different
seeds, 40 questions each: repeating questions would find the judge's answers in its cache. ``tasks/cruxbench.py`` with
the model ``cruxbench/keyword`` and ``benchmarks/bare_task.py``, which replays the calls recorded from it, are run in
turn, as processes of their own with empty caches. The cost per sample is the slope of the seconds over the number of
samples, so that what starting up takes does not count.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import linear_regression, median
from typing import NamedTuple

import polars as pl
from inspect_ai.log import read_eval_log

from benchmarks.bare_task import Recording
from cruxbench_inspect.demo.build import SEED, DemoSet, build, write

ROOT = Path(__file__).parent.parent
LIMIT = 1.5
"""The highest ratio of the two slopes of CPU time that passes."""


class Cost(NamedTuple):
    """Seconds of one run: by the clock, and of the processor."""

    wall: float
    cpu: float


def main(options: Sequence[str] | None = None) -> int:
    """Print the cost per sample of both, and their ratio.

    Returns:
        1 if the ratio of CPU time is above the limit, else 0.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 2, 4], help="sizes in worlds (default 1 2 4)")
    parser.add_argument("--runs", type=int, default=3, help="of each size and task (default %(default)s)")
    arguments = parser.parse_args(options)
    with tempfile.TemporaryDirectory() as folder:
        sizes, commands = {}, {}
        for count in arguments.worlds:
            place = Path(folder) / str(count)
            demo = worlds(count)
            sizes[count] = len(demo.questions)
            commands[count] = _prepared(demo, place)
        costs: dict[tuple[int, int], list[Cost]] = {}
        for _ in range(arguments.runs):
            for count, pair in commands.items():
                for which, command in enumerate(pair):
                    costs.setdefault((count, which), []).append(run(command))
    medians = {key: Cost(*map(median, zip(*values, strict=True))) for key, values in costs.items()}
    ours, bare = ([medians[count, which] for count in sizes] for which in (0, 1))
    for count, mine, other in zip(sizes.values(), ours, bare, strict=True):
        print(
            f"{count} samples: cruxbench {mine.wall:.1f} s wall, {mine.cpu:.1f} s CPU; "
            f"bare {other.wall:.1f} s wall, {other.cpu:.1f} s CPU (medians of {arguments.runs})"
        )
    ratios = {}
    for name in Cost._fields:
        slope, yardstick = (_slope(sizes, costs_of_task, name) for costs_of_task in (ours, bare))
        ratios[name] = slope / yardstick
        # One repetition alone, to show how far noise moves the ratio.
        single = [
            _slope(sizes, [costs[count, 0][number] for count in sizes], name)
            / _slope(sizes, [costs[count, 1][number] for count in sizes], name)
            for number in range(arguments.runs)
        ]
        print(
            f"{name} per sample: cruxbench {slope * 1e3:.0f} ms, bare {yardstick * 1e3:.0f} ms: "
            f"{ratios[name]:.2f} times ({min(single):.2f} to {max(single):.2f} in single repetitions)"
        )
    return 0 if ratios["cpu"] <= LIMIT else 1


def worlds(count: int) -> DemoSet:
    """A set of several demo worlds, the embedded one first. Ids and addresses name their world."""
    built = [build(SEED + number) for number in range(count)]
    tables = [demo.prices.with_columns(_of_world(number)) for number, demo in enumerate(built)]
    return DemoSet(
        questions=[
            question | {"id": f"{question['id']}-{number}"}
            for number, demo in enumerate(built)
            for question in demo.questions
        ],
        outcomes=[
            outcome | {"question_id": f"{outcome['question_id']}-{number}"}
            for number, demo in enumerate(built)
            for outcome in demo.outcomes
        ],
        evidence=[
            document | {"url": f"{document['url']}?world={number}"}
            for number, demo in enumerate(built)
            for document in demo.evidence
        ],
        prices=pl.concat(tables),
        facts=(),
    )


def run(command: Sequence[str]) -> Cost:
    """Run ``inspect`` with empty caches and a log folder of its own; what it costs.

    Raises:
        RuntimeError: If it fails, with what it printed.
    """
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        process = _start(command, Path(folder), Path(folder) / "logs")
        printed = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{printed.decode(errors='replace')}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)


def _prepared(demo: DemoSet, place: Path) -> tuple[list[str], list[str]]:
    """The commands of both tasks, after a run that is recorded and warms up what is not measured."""
    write(demo, place / "set")
    ours = ["eval", "tasks/cruxbench.py", "-T", f"questions={place / 'set'}", "--model", "cruxbench/keyword"]
    with tempfile.TemporaryDirectory() as caches:
        process = _start(ours, Path(caches), place / "recorded")
        printed, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{' '.join(ours)} failed:\n{printed.decode(errors='replace')}")
    (log,) = (place / "recorded").glob("*.eval")
    recording = Recording.of(read_eval_log(str(log), resolve_attachments="full"))
    file = place / "recording.json"
    file.write_text(recording.model_dump_json(), encoding="utf-8")
    return ours, ["eval", "benchmarks/bare_task.py", "-T", f"recording={file}"]


def _start(command: Sequence[str], caches: Path, logs: Path) -> "subprocess.Popen[bytes]":
    environment = os.environ | {
        "INSPECT_CACHE_DIR": str(caches / "inspect"),
        "CRUXBENCH_CACHE_DIR": str(caches / "cruxbench"),
        "INSPECT_LOG_DIR": str(logs),
        "INSPECT_DISPLAY": "none",
    }
    # Compiling every module again at each start would only add noise.
    for name in ("INSPECT_EVAL_MODEL", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    inspect = Path(sys.executable).parent / "inspect"
    return subprocess.Popen(
        [str(inspect), *command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _slope(sizes: Mapping[int, int], costs: Sequence[Cost], name: str) -> float:
    """Seconds per sample."""
    return linear_regression(list(sizes.values()), [getattr(cost, name) for cost in costs]).slope


def _of_world(number: int) -> pl.Expr:
    return pl.format("{}-{}", pl.col("question_id"), pl.lit(number)).alias("question_id")


if __name__ == "__main__":
    sys.exit(main())
