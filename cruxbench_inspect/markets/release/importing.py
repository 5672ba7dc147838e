"""The import of a whole release."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.markets.release.capability_scores import write_capability_scores
from cruxbench_inspect.markets.release.forecaster_logs import read_forecaster, write_forecaster_log
from cruxbench_inspect.markets.release.generator_logs import write_generator_log
from cruxbench_inspect.markets.release.generator_runs import GeneratorRun, read_generator
from cruxbench_inspect.markets.release.layout import ReleaseLayout
from cruxbench_inspect.markets.release.names import match_name
from cruxbench_inspect.markets.release.price_files import ReleasedPrices, read_prices
from cruxbench_inspect.markets.release.question_import import ImportedQuestion, ImportedQuestions, import_questions
from cruxbench_inspect.markets.release.records import (
    ReleasedQuestion,
    VerifiedMarket,
    VerifiedTime,
    read_records,
)
from cruxbench_inspect.markets.release.similarity_pairs import write_similarity_pairs
from cruxbench_inspect.markets.set_writer import write_set
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.questions import Judges, Manifest, Outcome, QuestionSet
from cruxbench_inspect.settlement import EDGE
from cruxbench_inspect.utc import floor_hour
from cruxbench_inspect.working_directory import user_path

JUDGES = Judges(resolver="anthropic/claude-sonnet-4-6", verifier="anthropic/claude-sonnet-5")
"""The models that judged the paper's cruxes."""


@dataclass(frozen=True)
class ImportReport:
    """What an import made.

    Attributes:
        question_set: The set.
        logs: Paths of the logs, generators before forecasters.
        counts: Of questions, windows and articles, by name.
        notes: A line for everything that is missing, left out or changed.
    """

    question_set: QuestionSet
    logs: tuple[Path, ...]
    counts: Mapping[str, int]
    notes: tuple[str, ...]


def import_release(
    source: Path,
    target: Path,
    log_dir: Path | None,
    *,
    now: datetime,
    name: str = "cruxbench-release",
    version: str = "1",
    replace: bool = False,
) -> ImportReport:
    """Make a question set of a release, and an Inspect log of each generator's and each forecaster's run.

    Args:
        source: The folder with the release's ``data`` and ``outputs``.
        target: Folder of the question set.
        log_dir: Folder of the logs; None makes none.
        now: The present moment: windows that are not over yet are unscored.
        name: Name of the set.
        version: Version of the set.
        replace: Whether another set at ``target`` may be replaced.

    Raises:
        InputError: If the source is no release, holds no usable question, or something cannot be written. What is
            missing or damaged in it otherwise is left out, and noted.
    """
    layout = ReleaseLayout.of(user_path(str(source)))
    questions, notes = _questions(layout)
    prices = read_prices(layout, {id_: imported.question for id_, imported in questions.by_id.items()})
    notes += [*questions.notes, *prices.notes]
    question_set = _write_set(target, questions, prices, notes, name=name, version=version, replace=replace)
    logs = [] if log_dir is None else _write_logs(layout, questions.by_id, question_set, now, log_dir, notes)
    return ImportReport(question_set, tuple(logs), questions.counts, tuple(notes))


def _questions(layout: ReleaseLayout) -> tuple[ImportedQuestions, list[str]]:
    """The questions of the first file that is whole, the one with articles first."""
    notes: list[str] = []
    for path in layout.question_files:
        try:
            records, problems = read_records(path, ReleasedQuestion)
        except InputError as error:
            notes.append(str(error))
            continue
        questions = import_questions(records)
        notes += problems
        if not questions.by_id:
            raise InputProblems(f"{path} holds no usable question", [*problems, *questions.notes] or ["it is empty"])
        if not any(imported.question.articles for imported in questions.by_id.values()):
            notes.append(f"{path.name} holds no articles: models are shown the questions alone")
        return questions, notes
    raise InputProblems(f"the questions of {layout.root} cannot be read", notes)


def _write_set(
    target: Path,
    questions: ImportedQuestions,
    prices: ReleasedPrices,
    notes: list[str],
    *,
    name: str,
    version: str,
    replace: bool,
) -> QuestionSet:
    outcomes, ended = [], 0
    for question_id, imported in questions.by_id.items():
        outcome = _with_known_end(imported, prices.last_hours.get(question_id))
        ended += outcome != imported.outcome
        outcomes.append(outcome)
    if ended:
        notes.append(f"{ended} markets count as closed at their last price, which is long before the stated closing")
    manifest = Manifest(
        format=1,
        name=name,
        version=version,
        description=(
            "Imported from the public CruxBench release. Its windows were chosen with knowledge of when the markets "
            "ended (hindsight_dates); the scheduled closes are shown in place of the actual ends."
        ),
        fictional=False,
        prices=prices.kind,
        evidence="web",
        judges=JUDGES,
        files={},
        volume_basis="two_sided",
        counts=dict(questions.counts),
        flags=("hindsight_dates",),
    )
    every = [imported.question for imported in questions.by_id.values()]
    return write_set(target, manifest, every, outcomes, prices.table, replace=replace)


def _with_known_end(imported: ImportedQuestion, last_hour: datetime | None) -> Outcome:
    """The outcome; where no prices follow the release's, the market counts as closed with them."""
    outcome, last_price = imported.outcome, imported.last_price
    if last_hour is None or last_price is None or outcome.outcome is None:
        return outcome
    closure = floor_hour(outcome.resolved_at or imported.question.closes)
    is_complete = last_hour >= min(imported.question.window.hours[1] + MARGIN, closure - EDGE)
    if is_complete or last_price > last_hour + EDGE:
        return outcome
    return outcome.model_copy(update={"resolved_at": last_hour})


def _write_logs(
    layout: ReleaseLayout,
    questions: Mapping[str, ImportedQuestion],
    question_set: QuestionSet,
    now: datetime,
    log_dir: Path,
    notes: list[str],
) -> list[Path]:
    folder = user_path(str(log_dir))
    verified = _verified(layout, notes)
    generators: dict[str, GeneratorRun] = {}
    logs = []
    for name, place in layout.generators.items():
        try:
            run = read_generator(name, place, questions, verified.get(name, {}))
        except InputError as error:
            notes.append(f"generator {name} is left out: {error}")
            continue
        generators[name] = run
        notes += [f"generator {name}: {note}" for note in run.notes]
        logs.append(write_generator_log(run, question_set, now, folder))
    if not layout.generators:
        notes.append("the release holds no generator's outputs")
    for name, place in layout.forecasters.items():
        try:
            forecaster = read_forecaster(name, place, questions, layout.generators)
        except InputError as error:
            notes.append(f"forecaster {name} is left out: {error}")
            continue
        notes += [f"forecaster {name}: {note}" for note in forecaster.notes]
        logs.append(write_forecaster_log(forecaster, generators, questions, question_set, now, folder))
    if not layout.forecasters:
        notes.append("the release holds no forecasts")
    notes += write_similarity_pairs(layout, questions, folder)
    notes += write_capability_scores(layout, generators, folder)
    return logs


def _verified(layout: ReleaseLayout, notes: list[str]) -> dict[str, dict[str, VerifiedTime]]:
    """The verifier's entries by generator and question id."""
    found: dict[str, dict[str, VerifiedTime]] = defaultdict(dict)
    if not layout.verifications.is_file():
        notes.append(f"there is no {layout.verifications.name}: rules and precisions follow from the times alone")
        return found
    try:
        markets, problems = read_records(layout.verifications, VerifiedMarket)
    except InputError as error:
        notes.append(f"{error}: rules and precisions follow from the times alone")
        return found
    notes += problems
    short_names = {entry.model for market in markets for entry in market.entries}
    names = {short: match_name(short, layout.generators) for short in sorted(short_names)}
    notes += [f"{layout.verifications.name} names {short!r}, no generator" for short in names if names[short] is None]
    for market in markets:
        for entry in market.entries:
            name = names[entry.model]
            if name is not None:
                found[name][market.market_id] = entry
    return found
