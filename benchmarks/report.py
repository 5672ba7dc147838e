"""How long a report takes, and how much memory: one log, and many logs of a whole question set.

python -m benchmarks.report --logs 100 --questions 293
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from inspect_ai.log import read_eval_log, write_eval_log

from tests.synthetic_study import Subject, SyntheticStudy

_WRITTEN = 4
"""Logs that are written from scratch; the others are copies of them by other models."""


def main() -> None:
    """Make logs, and report them in processes of their own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=100)
    parser.add_argument("--questions", type=int, default=293)
    parser.add_argument("--folder", type=Path, help="Where the logs are, or are to be kept for the next time.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        if not (folder / "logs").is_dir():
            make_logs(folder, arguments.logs, arguments.questions)
        one = sorted((folder / "logs").iterdir())[0]
        for name, logs in ((f"{arguments.logs} logs", folder / "logs"), ("1 log", one)):
            for figures in (False, True):
                seconds, processor, peak = report(logs, folder / "report", figures)
                what = "tables and figures" if figures else "tables"
                print(
                    f"{name:>10}, {what:<18}: {seconds:6.1f} s ({processor:.1f} s of CPU), peak {peak:5.2f} GiB",
                    flush=True,
                )


def make_logs(folder: Path, logs: int, questions: int) -> None:
    """Write a synthetic question set and its logs."""
    study = SyntheticStudy(folder, questions)
    subjects = [Subject(f"lab/model-{number:03}", skill=0.03 * number) for number in range(min(logs, _WRITTEN))]
    written = study.write(subjects)
    for number in range(len(written), logs):
        log = read_eval_log(str(written[number % len(written)]))
        name = f"model-{number:03}"
        # What is the same in all of them would be compressed or remembered somewhere.
        text = log.model_dump_json(exclude={"location", "etag"}).replace(log.eval.model, f"lab/{name}")
        copy = type(log).model_validate(json.loads(text))
        copy.eval.eval_id, copy.eval.task_id = f"eval-{name}", f"task-{name}"
        write_eval_log(copy, str(folder / "logs" / f"2026-11-01T00-00-00-00-00_cruxbench_{name}.eval"))


def report(logs: Path, target: Path, figures: bool) -> tuple[float, float, float]:
    """Report logs in a process; its wall time and CPU time in seconds, and its peak memory in GiB."""
    command = [sys.executable, "-m", "benchmarks.report_process", str(logs), str(target), "1" if figures else "0"]
    begun = time.monotonic()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = time.monotonic() - begun
    processor, peak = map(float, done.stdout.split()[-2:])
    return seconds, processor, peak


if __name__ == "__main__":
    main()
