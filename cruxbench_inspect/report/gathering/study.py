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
from cruxbench_inspect.report.gathering.forecast_selection import fullest
from cruxbench_inspect.report.gathering.logs import read_logs
from cruxbench_inspect.report.gathering.question_sets import newest_digest, of_newest_version, question_sets
from cruxbench_inspect.report.gathering.run import Run, Usage
from cruxbench_inspect.report.gathering.run_warnings import told_of_runs, told_of_sets
from cruxbench_inspect.report.gathering.score_rows import SCORES_SCHEMA, question_key, sample_rows, score_rows
from cruxbench_inspect.report.gathering.selection import Entry, Selection, select
from cruxbench_inspect.report.numbers import mean

ENOUGH = 0.95
"""The least share of scored questions with which an entry is ranked."""


@dataclass(frozen=True, eq=False)
class Study:
    """What a report is about.

    Attributes:
        entries: The rows of tables, the highest mean score first.
        scores: As ``SCORES_SCHEMA`` says, a row for each entry and question.
        samples: The same, a row for each sample.
        facts: What is known of the models, by label.
        sets: The question sets that could be loaded, by digest.
        asked: All questions that were to be asked, by their set's digest, as keys; those of sets that could not be
            loaded as far as logs name them.
        warnings: What a reader has to know first, one sentence each.
        left_out: Logs that do not count, and why.
        pooled: Whether entries are about all sets together.
        rank_all: Whether entries are ranked however many scores are missing and whatever their models know.
        forecasts: The forecasters' runs.
        locations: All logs that were named.
    """

    entries: tuple[Entry, ...]
    scores: pl.DataFrame
    samples: pl.DataFrame
    facts: Mapping[str, ModelFacts]
    sets: Mapping[str, QuestionSet]
    asked: Mapping[str, frozenset[str]]
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]
    pooled: bool = False
    rank_all: bool = False
    forecasts: tuple[ForecastRun, ...] = ()
    locations: tuple[str, ...] = ()

    @property
    def labels(self) -> list[str]:
        """The entries' labels, the highest mean score first."""
        return [entry.label for entry in self.entries]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """All questions that were to be asked, by key."""
        return tuple(sorted(frozenset[str]().union(*self.asked.values())))

    def questions_of(self, label: str) -> frozenset[str]:
        """The questions that an entry is about: those of its own sets, or pooled, of all."""
        sets = {run.terms.questions for entry in self.entries if entry.label == label for run in entry.runs}
        return frozenset[str]().union(*(keys for digest, keys in self.asked.items() if self.pooled or digest in sets))

    @cached_property
    def width(self) -> int:
        """The averaging width of the logs in hours, the commonest one where they differ."""
        widths = [run.terms.width for entry in self.entries for run in entry.runs]
        return max(sorted(set(widths)), key=widths.count)

    def width_of(self, label: str) -> int | None:
        """The averaging width of an entry's scores in hours, None where they differ."""
        runs = [run for entry in self.entries if entry.label == label for run in entry.runs]
        widths = {width for run in runs for width in _widths(run)}
        return widths.pop() if len(widths) == 1 else None

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

    def scored_samples(self, label: str) -> pl.DataFrame:
        """The samples of an entry that have a score."""
        own = pl.col("entry") == label
        return self.samples.filter(own, pl.col("coverage") > 0, pl.col("voi_kl").is_not_nan())

    def told(self, label: str) -> pl.DataFrame:
        """Of each of an entry's questions the sample whose words tables tell, the first with a score if one has."""
        return self._told.filter(pl.col("entry") == label)

    def coverage(self, label: str) -> float:
        """The share of all questions for which an entry has a score; with several epochs, of all their samples."""
        wanted = len(self.questions_of(label)) * self.epochs(label)
        return self.scored_samples(label).height / wanted if wanted else math.nan

    def epochs(self, label: str) -> int:
        """How often an entry was to be asked each question."""
        return max(run.epochs for entry in self.entries if entry.label == label for run in entry.runs)

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
            epochs = self.epochs(label)
            scored, of = self.scored_samples(label).height, len(self.questions_of(label)) * epochs
            what = "questions" if epochs == 1 else f"samples, {epochs} a question"
            found.append(
                f"was scored on {scored} of {of} {what} ({self.coverage(label):.1%}, and {ENOUGH:.0%} are wanted)"
            )
        knew = self.knew(label)
        if knew:
            found.append(f"may have known what happened in {knew} of its windows")
        return " and ".join(found) or None

    def entries_of(self, model: str) -> list[str]:
        """The entries whose cruxes are meant where a file that came with logs names a model.

        An import brings forecasts and similarities of its own cruxes: a later run of the model has others.
        """
        own = [entry for entry in self.entries if entry.model == model]
        imported = [entry for entry in own if all(run.imported for run in entry.runs)]
        return [entry.label for entry in imported or own]

    def question(self, key: str) -> Question | None:
        """A question by its key, None where its set could not be loaded."""
        return self._questions.get(key)

    @cached_property
    def _told(self) -> pl.DataFrame:
        scored_first = self.samples.sort(pl.col("coverage") > 0, descending=True, maintain_order=True)
        return scored_first.unique(["entry", "question"], keep="first", maintain_order=True).sort("question")

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


def usage_of(entry: Entry) -> list[Usage]:
    """All that an entry's samples used."""
    return [used for run in entry.runs for sample in run.samples for used in sample.usage]


def _widths(run: Run) -> tuple[int, ...]:
    return run.terms.widths or (run.terms.width,)
