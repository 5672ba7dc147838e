"""All that tables and figures are made of: entries, their scores by question, and the question sets' prices."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.report.gathering.comparability import differences
from cruxbench_inspect.report.gathering.facts import ModelFacts, facts_of
from cruxbench_inspect.report.gathering.forecast_run import ForecastRun
from cruxbench_inspect.report.gathering.logs import read_logs
from cruxbench_inspect.report.gathering.run import Run, ScoredSample, Usage
from cruxbench_inspect.report.gathering.selection import Entry, Selection, select
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.utc import parse_utc

ENOUGH = 0.95
"""The least share of scored questions with which an entry is ranked."""

_TOLD_TEXT = ("outcome", "rule", "precision", "failure_mode", "event_group", "yes_makes_u")
_TOLD_NUMBERS = (
    "p_before",
    "p_after",
    "date_only_kl_lowest",
    "date_only_kl_mean",
    "date_only_kl_highest",
    "judge_tokens",
    "searches",
)
SCORES_SCHEMA: dict[str, pl.DataType] = {
    "entry": pl.String(),
    "question": pl.String(),
    "question_id": pl.String(),
    "set": pl.String(),
    "event": pl.String(),
    "tags": pl.List(pl.String()),
    "window_start": pl.Datetime("us", "UTC"),
    "window_end": pl.Datetime("us", "UTC"),
    **{key: pl.Float64() for key in VALUES},
    "reason": pl.String(),
    "crux": pl.String(),
    "resolved_at": pl.Datetime("us", "UTC"),
    "moments": pl.List(pl.Datetime("us", "UTC")),
    **{key: pl.String() for key in _TOLD_TEXT},
    **{key: pl.Float64() for key in _TOLD_NUMBERS},
    "provisional": pl.Boolean(),
    "imported": pl.Boolean(),
    "seconds": pl.Float64(),
    "epochs": pl.Int64(),
}
"""One row for each entry and question: numbers are means over the epochs that have them, texts are the first's.
``moments`` are the times of resolution of all scored epochs, null where nothing was resolved."""


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


def question_key(digest: str, question_id: str, sets: int) -> str:
    """What a question is called in a study: its id, with its set's digest where there are several sets."""
    return question_id if sets <= 1 else f"{question_id} ({digest[:6]})"


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
    sets, missing = _question_sets(runs, options.questions)
    runs = [_of_newest_version(run, sets) for run in runs]
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
    forecasts, repeated = _fullest(forecasts)
    left_out += repeated
    left_out += [
        f"{forecast.location}: its question set is not that of the cruxes"
        for forecast in forecasts
        if _digest(forecast.questions, sets) not in digests
    ]
    told = [one.line() for one in different] + [text for digest, text in missing.items() if digest in digests]
    own_sets = {digest: loaded for digest, loaded in sets.items() if digest in digests}
    study = _study(chosen, facts, own_sets, told, left_out)
    return replace(
        study,
        rank_all=options.rank_all,
        forecasts=tuple(one for one in forecasts if _digest(one.questions, sets) in digests),
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
    rows = [row for entry in entries for run in entry.runs for row in _rows(entry.label, run, counts)]
    ids = {digest: {question.id for question in loaded.questions} for digest, loaded in sets.items()}
    for run in runs:
        ids.setdefault(run.terms.questions, set()).update(
            () if run.terms.questions in sets else run.asked, (sample.question_id for sample in run.samples)
        )
    asked = {question_key(digest, id_, counts[digest]) for digest, found in ids.items() for id_ in found}
    warnings = [*told, *_told_of_runs(runs)]
    means = {entry.label: _mean([row["voi_kl"] for row in rows if row["entry"] == entry.label]) for entry in entries}
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


def _question_sets(runs: Sequence[Run], places: Sequence[str]) -> tuple[dict[str, QuestionSet], dict[str, str]]:
    """The sets of runs by their digests and those of the versions before them; why others are missing, by digest."""
    loaded = [QuestionSet.load(place) for place in places]
    troubles: dict[str, str] = {}
    for run in runs:
        digest = run.terms.questions
        if digest in troubles or any(one.stands_for(digest) for one in loaded):
            continue
        name = run.terms.question_set
        try:
            own = QuestionSet.load(run.set_path)
        except InputError as error:
            cause = str(error).splitlines()[0].partition(". ")[0].rstrip(".")
            troubles[digest] = f"The question set {name} could not be loaded: {cause}"
            continue
        if own.stands_for(digest):
            loaded.append(own)
        else:
            troubles[digest] = f"The question set at {run.set_path} is not the one that was run, {name}"
    found: dict[str, QuestionSet] = {}
    for one in sorted(loaded, key=lambda one: len(one.manifest.earlier)):
        earlier = [version.digest for version in one.manifest.earlier]
        found |= {digest: one for digest in (*earlier, one.digest) if one.stands_for(digest)}
    advice = "None of --questions is that set." if places else "Name it with --questions FOLDER."
    return found, {
        digest: f"{trouble}; what needs its prices is left out. {advice}"
        for digest, trouble in troubles.items()
        if digest not in found
    }


def _digest(questions: str, sets: Mapping[str, QuestionSet]) -> str:
    """The digest of the newest version of a set, as far as that could be loaded."""
    return sets[questions].digest if questions in sets else questions


def _of_newest_version(run: Run, sets: Mapping[str, QuestionSet]) -> Run:
    """The run as if it was of its set's newest version, which asks the same."""
    newest = sets.get(run.terms.questions)
    if newest is None:
        return run
    named = f"{newest.name} {newest.manifest.version} ({newest.digest[:12]})"
    return replace(run, terms=replace(run.terms, questions=newest.digest, question_set=named))


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


def _rows(label: str, run: Run, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    by_question: dict[str, list[ScoredSample]] = {}
    for sample in run.samples:
        by_question.setdefault(sample.question_id, []).append(sample)
    return [_row(label, run, counts[run.terms.questions], samples) for samples in by_question.values()]


def _row(label: str, run: Run, sets: int, samples: Sequence[ScoredSample]) -> dict[str, Any]:
    # Of epochs the first that has a score tells, so that numbers and words are of one crux where there is one.
    first = next((sample for sample in samples if sample.values["coverage"] == 1.0), samples[0])
    about, told = first.metadata, first.told
    return {
        "entry": label,
        "question": question_key(run.terms.questions, first.question_id, sets),
        "question_id": first.question_id,
        "set": run.terms.questions,
        "event": str(about.get("event", first.question_id)),
        "tags": [str(tag) for tag in about.get("tags", [])],
        "window_start": _moment(about.get("window_start")),
        "window_end": _moment(about.get("window_end")),
        **{key: _mean([sample.values[key] for sample in samples]) for key in VALUES},
        "reason": first.reason,
        "crux": first.crux,
        "resolved_at": _resolved_at(first),
        "moments": [_resolved_at(sample) for sample in samples if sample.values["coverage"] == 1.0],
        **{key: told.get(key) for key in _TOLD_TEXT},
        **{key: _mean([_float(sample.told.get(key)) for sample in samples]) for key in _TOLD_NUMBERS},
        "provisional": bool(told.get("provisional")),
        "imported": run.imported,
        "seconds": _mean([math.nan if sample.seconds is None else sample.seconds for sample in samples]),
        "epochs": len(samples),
    }


def usage_of(entry: Entry) -> list[Usage]:
    """All that an entry's samples used."""
    return [used for run in entry.runs for sample in run.samples for used in sample.usage]


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _fullest(forecasts: Sequence[ForecastRun]) -> tuple[list[ForecastRun], list[str]]:
    """One run of each forecaster on each set, the one with most forecasts, and a line for each of the others."""
    best: dict[tuple[str, str], ForecastRun] = {}
    for one in sorted(forecasts, key=lambda run: (len(run.baseline), sum(map(len, run.given.values())), run.location)):
        best[one.model, one.questions] = one
    kept = [one for one in forecasts if best[one.model, one.questions] is one]
    others = [one for one in forecasts if best[one.model, one.questions] is not one]
    return kept, [
        f"{one.location}: {best[one.model, one.questions].location} has no fewer of its forecasts" for one in others
    ]


def _widths(run: Run) -> tuple[int, ...]:
    return run.terms.widths or (run.terms.width,)


def _resolved_at(sample: ScoredSample) -> datetime | None:
    """When a crux was resolved, as far as its score counts it as resolved."""
    return _moment(sample.told.get("resolved_at")) if sample.values["resolved"] > 0 else None


def _moment(text: object) -> datetime | None:
    return parse_utc(text) if isinstance(text, str) else None
