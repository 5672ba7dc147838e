"""All that tables and figures are made of: entries, their scores by question, and the question sets' prices."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.report.gathering.facts import ModelFacts
from cruxbench_inspect.report.gathering.forecast_run import ForecastRun
from cruxbench_inspect.report.gathering.run import Run, Usage
from cruxbench_inspect.report.gathering.score_rows import question_key
from cruxbench_inspect.report.gathering.selection import Entry

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
        wanted = self.wanted(label)
        return self.scored_samples(label).height / wanted if wanted else math.nan

    def wanted(self, label: str) -> int:
        """How many samples an entry was to have: its questions, as often as it was to be asked each."""
        runs = [run for entry in self.entries if entry.label == label for run in entry.runs]
        own = {run.terms.questions: run.epochs for run in runs}
        # Of a set that it has no run over, each question is missing once.
        questions = self.questions_of(label)
        return sum(own.get(digest, 1) * len(keys & questions) for digest, keys in self.asked.items())

    def epochs(self, label: str) -> list[int]:
        """How often an entry was to be asked each question, increasing; several numbers where its runs differ."""
        return sorted({run.epochs for entry in self.entries if entry.label == label for run in entry.runs})

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
            scored, of = self.scored_samples(label).height, self.wanted(label)
            what = "questions" if self.epochs(label) == [1] else "samples"
            found.append(
                f"was scored on {scored} of {of} {what} ({self.coverage(label):.1%}, and {ENOUGH:.0%} are wanted)"
            )
        knew = self.knew(label)
        if knew:
            found.append(f"may have known what happened in {knew} of its windows")
        return " and ".join(found) or None

    @cached_property
    def one_of_each_model(self) -> frozenset[str]:
        """One entry of each model, where models are what is counted: the first run, with the task's own strategy."""
        first: dict[str, Entry] = {}
        for entry in sorted(
            self.entries, key=lambda one: (one.solver is not None, min(run.created for run in one.runs))
        ):
            first.setdefault(entry.model, entry)
        return frozenset(entry.label for entry in first.values())

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


def usage_of(entry: Entry) -> list[Usage]:
    """All that an entry's samples used."""
    return [used for run in entry.runs for sample in run.samples for used in sample.usage]


def _widths(run: Run) -> tuple[int, ...]:
    return run.terms.widths or (run.terms.width,)
