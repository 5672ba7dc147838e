"""From logs to a study: reading them, choosing and checking what counts."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.gathering.comparability import differences
from cruxbench_inspect.report.gathering.facts import ModelFacts, facts_of
from cruxbench_inspect.report.gathering.forecast_run import ForecastRun
from cruxbench_inspect.report.gathering.forecast_selection import fullest
from cruxbench_inspect.report.gathering.logs import read_logs
from cruxbench_inspect.report.gathering.question_sets import newest_digest, of_newest_version, question_sets
from cruxbench_inspect.report.gathering.run import Run
from cruxbench_inspect.report.gathering.run_warnings import told_of_runs, told_of_sets
from cruxbench_inspect.report.gathering.score_rows import SCORES_SCHEMA, question_key, sample_rows, score_rows
from cruxbench_inspect.report.gathering.selection import Selection, select
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean


@dataclass
class Options:
    """How a study is made.

    Attributes:
        questions: Folders or names of question sets, in place of where logs say they are.
        allow_mixed: Whether logs may differ in what decides scores.
        pooled: Whether a model's runs over different question sets are one entry.
        rank_all: Whether entries are ranked in any case.
        processes: How many processes may read logs.
    """

    questions: Sequence[str] = ()
    allow_mixed: bool = False
    pooled: bool = False
    rank_all: bool = False
    processes: int = 1


def make_study(
    locations: Sequence[str],
    facts: Mapping[str, ModelFacts],
    options: Options,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Study:
    """Read logs, and choose and check what counts.

    Args:
        locations: The logs.
        facts: What is known of models.
        options: How.
        progress: Is told how many logs have been read.

    Raises:
        InputError: If no log can be used, or logs differ in what decides scores and may not.
    """
    runs: list[Run] = []
    forecasts: list[ForecastRun] = []
    left_out: list[str] = []
    for read in read_logs(locations, progress, options.processes):
        if isinstance(read, Run):
            runs.append(read)
        elif isinstance(read, ForecastRun):
            forecasts.append(read)
        else:
            left_out.append(f"{read.location}: {read.reason}")
    if not runs:
        left_out += [f"{forecast.location}: it has forecasts, and no cruxes" for forecast in forecasts]
        shown = "\n".join(f"  - {line}" for line in left_out[:10])
        more = f"\n  - and {len(left_out) - 10} more" if len(left_out) > 10 else ""
        none = "the log cannot" if len(locations) == 1 else f"none of the {len(locations)} logs can"
        raise InputError(f"{none} be reported:\n{shown}{more}")
    sets, missing = question_sets(runs, options.questions)
    runs = [of_newest_version(run, sets) for run in runs]
    chosen = select(runs, lambda model: facts_of(model, facts).label, pooled=options.pooled)
    left_out += chosen.left_out
    counted = [run for entry in chosen.entries for run in entry.runs]
    different = differences(counted, pooled=options.pooled)
    if different and not options.allow_mixed:
        raise InputError(
            " ".join(one.line() for one in different)
            + " Scores would not belong together: report them apart, or add --allow-mixed"
            + (" or --pool" if any(one.what == "question set" for one in different) else "")
        )
    digests = {run.terms.questions for run in counted}
    forecasts, repeated = fullest(forecasts, sets)
    left_out += repeated
    left_out += [
        f"{forecast.location}: its question set is not that of the cruxes"
        for forecast in forecasts
        if newest_digest(forecast.questions, sets) not in digests
    ]
    told = [one.line() for one in different] + [text for digest, text in missing.items() if digest in digests]
    own_sets = {digest: loaded for digest, loaded in sets.items() if digest in digests}
    study = _study(chosen, facts, own_sets, told, left_out)
    return replace(
        study,
        pooled=options.pooled,
        rank_all=options.rank_all,
        forecasts=tuple(one for one in forecasts if newest_digest(one.questions, sets) in digests),
        locations=tuple(locations),
    )


def _study(
    chosen: Selection,
    facts: Mapping[str, ModelFacts],
    sets: Mapping[str, QuestionSet],
    told: Sequence[str],
    left_out: Sequence[str],
) -> Study:
    entries = tuple(chosen.entries)
    runs = [run for entry in entries for run in entry.runs]
    unknown = {run.terms.questions for run in runs} - set(sets)
    # Tables call the questions of loaded sets by the number of those; only the others can be mistaken for them.
    counts = {**dict.fromkeys(sets, len(sets)), **dict.fromkeys(unknown, len(sets) + len(unknown))}
    rows = [row for entry in entries for run in entry.runs for row in score_rows(entry.label, run, counts)]
    ids = {digest: {question.id for question in loaded.questions} for digest, loaded in sets.items()}
    for run in runs:
        ids.setdefault(run.terms.questions, set()).update(
            () if run.terms.questions in sets else run.asked, (sample.question_id for sample in run.samples)
        )
    asked = {
        digest: frozenset(question_key(digest, id_, counts[digest]) for id_ in found) for digest, found in ids.items()
    }
    warnings = [*told_of_sets(sets.values()), *told, *told_of_runs(runs)]
    values: dict[str, list[float]] = {entry.label: [] for entry in entries}
    for row in rows:
        values[row["entry"]].append(row["voi_kl"])
    means = {label: mean(own) for label, own in values.items()}
    entries = tuple(sorted(entries, key=lambda one: (math.isnan(means[one.label]), -means[one.label], one.label)))
    own_facts = {entry.label: facts_of(entry.model, facts) for entry in entries}
    scores = pl.DataFrame(rows, schema=SCORES_SCHEMA)
    samples = scores
    if (scores["epochs"] > 1).any():
        of_samples = [row for entry in entries for run in entry.runs for row in sample_rows(entry.label, run, counts)]
        samples = pl.DataFrame(of_samples, schema=SCORES_SCHEMA)
    return Study(
        entries,
        scores,
        samples,
        own_facts,
        sets,
        asked,
        tuple(warnings),
        tuple(left_out),
    )
