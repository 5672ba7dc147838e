"""All that tables and figures are made of: entries, their scores by question, and the question sets' prices."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.report.gathering.comparability import differences
from cruxbench_inspect.report.gathering.facts import ModelFacts, facts_of
from cruxbench_inspect.report.gathering.forecast_run import ForecastRun
from cruxbench_inspect.report.gathering.logs import read_logs
from cruxbench_inspect.report.gathering.question_sets import newest_digest, of_newest_version, question_sets
from cruxbench_inspect.report.gathering.run import Run, ScoredSample, Usage
from cruxbench_inspect.report.gathering.score_rows import SCORES_SCHEMA, question_key, score_rows
from cruxbench_inspect.report.gathering.selection import Entry, Selection, select
from cruxbench_inspect.report.numbers import mean

ENOUGH = 0.95
"""The least share of scored questions with which an entry is ranked."""


@dataclass(frozen=True, eq=False)
class Study:
    """What a report is about.

    Attributes:
        entries: The rows of tables, the highest mean score first.
        scores: As ``SCORES_SCHEMA`` says.
        facts: What is known of the models, by label.
        sets: The question sets that could be loaded, by digest.
        questions: All questions that were to be asked, by key; those of sets that could not be loaded as far as logs
            name them.
        warnings: What a reader has to know first, one sentence each.
        left_out: Logs that do not count, and why.
        rank_all: Whether entries are ranked however many scores are missing and whatever their models know.
        forecasts: The forecasters' runs.
        locations: All logs that were named.
    """

    entries: tuple[Entry, ...]
    scores: pl.DataFrame
    facts: Mapping[str, ModelFacts]
    sets: Mapping[str, QuestionSet]
    questions: tuple[str, ...]
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]
    rank_all: bool = False
    forecasts: tuple[ForecastRun, ...] = ()
    locations: tuple[str, ...] = ()

    @property
    def labels(self) -> list[str]:
        """The entries' labels, the highest mean score first."""
        return [entry.label for entry in self.entries]

    @cached_property
    def width(self) -> int:
        """The averaging width of the logs in hours, the commonest one where they differ."""
        widths = [run.terms.width for entry in self.entries for run in entry.runs]
        return max(sorted(set(widths)), key=widths.count)

    @property
    def has_one_width(self) -> bool:
        """Whether all scores have one averaging width."""
        return len({width for entry in self.entries for run in entry.runs for width in _widths(run)}) == 1

    def of(self, label: str) -> pl.DataFrame:
        """The rows of an entry, by question."""
        return self._by_entry[label]

    def scored(self, label: str) -> pl.DataFrame:
        """The rows of an entry that have a score."""
        return self.of(label).filter(pl.col("coverage") > 0, pl.col("voi_kl").is_not_nan())

    def coverage(self, label: str) -> float:
        """The share of all questions for which an entry has a score."""
        return self.scored(label).height / len(self.questions) if self.questions else math.nan

    def knew(self, label: str) -> int:
        """Of how many of an entry's questions the window begins before its model is sure not to know what happens."""
        until = self.facts[label].knows_until
        return 0 if until is None else self.of(label).filter(pl.col("window_start").dt.date() < until).height

    def why_unranked(self, label: str) -> str | None:
        """Why an entry has no rank, None where it has one."""
        return None if self.rank_all else self.doubts(label)

    def doubts(self, label: str) -> str | None:
        """What speaks against comparing an entry with others, as the rest of a sentence that begins with it."""
        found = []
        if self.coverage(label) < ENOUGH:
            scored, of = self.scored(label).height, len(self.questions)
            found.append(
                f"was scored on {scored} of {of} questions ({self.coverage(label):.1%}, and {ENOUGH:.0%} are wanted)"
            )
        knew = self.knew(label)
        if knew:
            found.append(f"may have known what happened in {knew} of its windows")
        return " and ".join(found) or None

    def question(self, key: str) -> Question | None:
        """A question by its key, None where its set could not be loaded."""
        return self._questions.get(key)

    @cached_property
    def _by_entry(self) -> dict[str, pl.DataFrame]:
        empty = self.scores.clear()
        found = {str(key[0]): rows for key, rows in self.scores.partition_by("entry", as_dict=True).items()}
        return {label: found.get(label, empty).sort("question") for label in self.labels}

    @cached_property
    def _questions(self) -> dict[str, Question]:
        return {
            question_key(loaded.digest, question.id, len(self.sets)): question
            for loaded in self.sets.values()
            for question in loaded.questions
        }


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
        raise InputError(f"none of the {len(locations)} logs can be reported:\n{shown}{more}")
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
    forecasts, repeated = _fullest(forecasts, sets)
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
    asked = {question_key(digest, id_, counts[digest]) for digest, found in ids.items() for id_ in found}
    warnings = [*told, *_told_of_runs(runs)]
    values: dict[str, list[float]] = {entry.label: [] for entry in entries}
    for row in rows:
        values[row["entry"]].append(row["voi_kl"])
    means = {label: mean(own) for label, own in values.items()}
    entries = tuple(sorted(entries, key=lambda one: (math.isnan(means[one.label]), -means[one.label], one.label)))
    own_facts = {entry.label: facts_of(entry.model, facts) for entry in entries}
    return Study(
        entries,
        pl.DataFrame(rows, schema=SCORES_SCHEMA),
        own_facts,
        sets,
        tuple(sorted(asked)),
        tuple(warnings),
        tuple(left_out),
    )


def _told_of_runs(runs: Sequence[Run]) -> list[str]:
    warnings = []
    unfinished = [run for run in runs if run.status != "success"]
    if unfinished:
        kinds = ", ".join(sorted({run.status for run in unfinished}))
        models = ", ".join(sorted({run.model for run in unfinished}))
        warnings.append(f"Not finished ({kinds}): the runs of {models}.")
    limited = sorted({run.model for run in runs if run.limited})
    if limited:
        warnings.append(f"Only a part of the questions was run by {', '.join(limited)}.")
    provisional = sum(bool(sample.told.get("provisional")) for run in runs for sample in run.samples)
    if provisional:
        warnings.append(f"{provisional} scores are provisional: prices of their windows are not final yet.")
    own_judge = sorted({run.model for run in runs if any(_judged_itself(sample) for sample in run.samples)})
    if own_judge:
        warnings.append(f"Judged by the model itself: {', '.join(own_judge)}.")
    return warnings


def _judged_itself(sample: ScoredSample) -> bool:
    return bool(sample.told.get("resolver_is_subject") or sample.told.get("verifier_is_subject"))


def usage_of(entry: Entry) -> list[Usage]:
    """All that an entry's samples used."""
    return [used for run in entry.runs for sample in run.samples for used in sample.usage]


def _fullest(forecasts: Sequence[ForecastRun], sets: Mapping[str, QuestionSet]) -> tuple[list[ForecastRun], list[str]]:
    """One run of each forecaster on each set, the one with most forecasts, and a line for each of the others.

    Versions of one live round are one set.
    """
    kinds = {one: (one.model, newest_digest(one.questions, sets)) for one in forecasts}
    best: dict[tuple[str, str], ForecastRun] = {}
    for one in sorted(forecasts, key=lambda run: (len(run.baseline), sum(map(len, run.given.values())), run.location)):
        best[kinds[one]] = one
    stands_for = {one: best[kind] for one, kind in kinds.items()}
    return [one for one in forecasts if stands_for[one] is one], [
        f"{one.location}: {stands_for[one].location} has no fewer of its forecasts"
        for one in forecasts
        if stands_for[one] is not one
    ]


def _widths(run: Run) -> tuple[int, ...]:
    return run.terms.widths or (run.terms.width,)
