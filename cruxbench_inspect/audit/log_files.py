"""The logs of an audit: files and folders, read sample by sample."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log, read_eval_log_samples

from cruxbench_inspect.working_directory import user_path

TASK = "cruxbench"
"""The task whose logs are audited."""


def log_addresses(paths: Sequence[str | Path]) -> tuple[list[str], list[str]]:
    """The logs that paths stand for, each once: files as they are, folders with all logs in them.

    Returns:
        The addresses, and one line for each path without a log.
    """
    found: dict[str, None] = {}
    problems = []
    for path in paths:
        text = str(path)
        local = "://" not in text
        place = user_path(text) if local else None
        if place is not None and not place.exists():
            problems.append(f"{text}: there is no such file or folder")
        elif place is not None and not place.is_dir():
            found[str(place)] = None
        else:
            logs = list_eval_logs(str(place or text), descending=False) if place or text.endswith("/") else [text]
            addresses = [_plain(log if isinstance(log, str) else log.name) for log in logs]
            found.update(dict.fromkeys(addresses))
            if not addresses:
                problems.append(f"{text}: there is no log in it")
    return list(found), problems


def samples_of(log: str, problems: list[str]) -> Iterator[EvalSample]:
    """The samples of a log of the benchmark, with their events.

    Args:
        log: Its address.
        problems: A line is added for what cannot be read, and for a log of another task.
    """
    try:
        header = read_eval_log(log, header_only=True)
        if header.eval.task.rpartition("/")[2] != TASK:
            problems.append(f"{log}: is a log of the task {header.eval.task!r}, not of {TASK!r}")
            return
        if header.status != "success":
            problems.append(f"{log}: the evaluation ended with status {header.status!r}; what it has is audited")
        count = 0
        for sample in read_eval_log_samples(log, all_samples_required=False, resolve_attachments="core"):
            count += 1
            yield sample
        if not count:
            problems.append(f"{log}: has no samples")
    except Exception as error:  # A log that is cut off or none at all fails in many ways, and is no reason to stop.
        problems.append(f"{log}: cannot be read: {type(error).__name__}: {' '.join(str(error).split())[:300]}")


def _plain(address: str) -> str:
    return address.removeprefix("file://")
