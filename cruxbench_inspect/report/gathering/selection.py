"""Which of several logs stand for a model: the newest scores of a run, the fullest of its retries."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import fsspec

from cruxbench_inspect.report.gathering.newest_event import newest_event
from cruxbench_inspect.report.gathering.run import Run

_Key = tuple[str, str | None, str, int]


@dataclass(frozen=True, eq=False)
class Entry:
    """A row of a report: a model with a strategy, and its runs.

    Attributes:
        label: What it is called, different from all others.
        model: The model under test.
        solver: The strategy, None for the task's own.
        runs: One run for each question set.
    """

    label: str
    model: str
    solver: str | None
    runs: tuple[Run, ...]


@dataclass
class Selection:
    """What was chosen.

    Attributes:
        entries: By label.
        left_out: One line for each log that another one stands for.
    """

    entries: list[Entry]
    left_out: list[str] = field(default_factory=list)


def select(
    runs: Sequence[Run], names: Callable[[str], str | None] = lambda model: None, *, pooled: bool = False
) -> Selection:
    """Choose the runs that count.

    Of copies of one evaluation the one in which anything happened last counts, since it has the newest scores; of
    retries the one with most scores, then the later one. Further runs of a model are entries of their own.

    Args:
        runs: All runs, of any number of models and question sets.
        names: What a model is to be called, None for its own name.
        pooled: Whether the runs of a model over different sets make one entry.
    """
    left_out: list[str] = []
    newest = _best(runs, lambda run: run.eval_id, lambda run: (_written(run), run.location), "newer scores", left_out)
    fullest = _best(
        newest,
        lambda run: (run.task_id, run.model),
        lambda run: (sum(sample.values["coverage"] == 1.0 for sample in run.samples), run.created),
        "a fuller try",
        left_out,
    )
    groups: dict[_Key, list[Run]] = {}
    seen: dict[tuple[str, str | None, str], int] = {}
    for run in sorted(fullest, key=lambda run: (run.model, run.created, run.location)):
        kind = (run.model, run.solver, run.terms.questions)
        number = seen[kind] = seen.get(kind, 0) + 1
        # Pooled, the first runs over all sets belong together, then the second ones.
        groups.setdefault((run.model, run.solver, "" if pooled else run.terms.questions, number), []).append(run)
    labels = _labels(groups, names)
    entries = [Entry(labels[key], key[0], key[1], tuple(found)) for key, found in groups.items()]
    return Selection(sorted(entries, key=lambda entry: entry.label), left_out)


def _best(
    runs: Iterable[Run], by: Callable[[Run], object], rank: Callable[[Run], Any], why: str, left_out: list[str]
) -> list[Run]:
    groups: dict[object, list[Run]] = {}
    for run in runs:
        groups.setdefault(by(run), []).append(run)
    chosen = []
    for group in groups.values():
        # Ranks are asked for where there is a choice: they may take reading whole logs.
        *others, best = sorted(group, key=rank) if len(group) > 1 else group
        chosen.append(best)
        left_out += [f"{other.location}: {best.location} has {why}" for other in others]
    return chosen


def _written(run: Run) -> datetime:
    """When a log was last changed; of one without events, as imports may be, when its file was."""
    moment = newest_event(run.location)
    if moment is not None:
        return moment
    files, path = fsspec.core.url_to_fs(run.location)
    try:
        changed: datetime = files.modified(path)
    except (NotImplementedError, OSError):
        return run.created
    return changed if changed.tzinfo is not None else changed.replace(tzinfo=UTC)


def _labels(groups: Mapping[_Key, list[Run]], called: Callable[[str], str | None]) -> dict[_Key, str]:
    models = {key[0] for key in groups}
    short = {model: called(model) or model.rsplit("/", 1)[-1] for model in models}
    names = {model: name if list(short.values()).count(name) == 1 else model for model, name in short.items()}
    sets = {key[2] for key in groups}
    suffixes = {}
    for key, runs in groups.items():
        _, solver, _, number = key
        suffix = f" ({solver})" if solver else ""
        if len({other[2] for other in groups if other[:2] == key[:2]}) > 1 and len(sets) > 1:
            suffix += f" [{runs[0].terms.question_set}]"
        suffixes[key] = suffix + (f" #{number}" if number > 1 else "")
    labels = {key: names[key[0]] + suffix for key, suffix in suffixes.items()}
    # A name that a user gives may be what another entry is called.
    many = {label for label, count in Counter(labels.values()).items() if count > 1}
    return {key: key[0] + suffixes[key] if label in many else label for key, label in labels.items()}
