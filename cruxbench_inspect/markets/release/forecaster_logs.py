"""A forecaster's run as an Inspect log: P(U) at the window's start, without a crux and given each generator's."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from inspect_ai.log import EvalSample
from inspect_ai.scorer import Metric, Score, ci, mean, stderr

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.generator_runs import GeneratorRun
from cruxbench_inspect.markets.release.layout import BASELINE, WITH_CRUX
from cruxbench_inspect.markets.release.log_files import LogHeader, build_sample, write_log
from cruxbench_inspect.markets.release.log_terms import about_set, sample_metadata, shown_text, task_version
from cruxbench_inspect.markets.release.names import match_name, model_name
from cruxbench_inspect.markets.release.question_import import ImportedQuestion
from cruxbench_inspect.markets.release.records import ReleasedForecast, read_records
from cruxbench_inspect.questions import Outcome, QuestionSet


@dataclass(frozen=True)
class ForecasterRun:
    """A forecaster's forecasts.

    Attributes:
        name: The forecaster.
        baseline: P(U) without a crux, by question id.
        with_crux: P(U) given the crux of a generator, by the generator's name and question id.
        notes: What is missing or wrong.
    """

    name: str
    baseline: Mapping[str, float]
    with_crux: Mapping[str, Mapping[str, float]]
    notes: list[str]


def read_forecaster(
    name: str, folder: Path, questions: Mapping[str, ImportedQuestion], generators: Iterable[str]
) -> ForecasterRun:
    """Read a forecaster's folder. A damaged file of forecasts given cruxes is left out, and a note says so.

    Args:
        name: The folder's name.
        folder: The folder.
        questions: All questions, by id.
        generators: Names of all generators; a forecaster that is one of them gets its name.

    Raises:
        InputError: If the forecasts without a crux cannot be read.
    """
    generators = list(generators)
    ids = {(_folded(each.question.question), each.period): id_ for id_, each in questions.items()}
    baseline, notes = _forecasts(folder / BASELINE, ids)
    with_crux = {}
    for path in sorted(folder.glob(f"{WITH_CRUX}*.json")):
        generator = match_name(path.stem.removeprefix(WITH_CRUX), generators)
        if generator is None:
            notes.append(f"{path.name} names no generator of the release: it is left out")
            continue
        try:
            with_crux[generator], problems = _forecasts(path, ids)
        except InputError as error:
            problems = [str(error)]
        notes += problems
    same = next((generator for generator in generators if generator.replace("/", "_") == name), None)
    return ForecasterRun(same or model_name(name), baseline, with_crux, notes)


def write_forecaster_log(
    run: ForecasterRun,
    generators: Mapping[str, GeneratorRun],
    questions: Mapping[str, ImportedQuestion],
    question_set: QuestionSet,
    now: datetime,
    folder: Path,
) -> Path:
    """Write a forecaster's log.

    A crux that cannot be settled, or is settled after the market's last price, leaves the forecast as it was. Another
    forecast that is missing is NaN.

    Args:
        run: Its forecasts.
        generators: What is known of the cruxes, by the generator's name.
        questions: All questions, by id.
        question_set: The imported set.
        now: The time of the import.
        folder: The log folder.

    Raises:
        InputError: If it cannot be written.
    """
    keys = ["p_u", "brier", *(f"{kind}:{name}" for name in run.with_crux for kind in _GIVEN)]
    metrics: dict[str, list[Metric]] = {key: [mean(), stderr(), ci()] for key in keys}
    about = about_set(question_set)
    header = LogHeader(
        task="forecast",
        version=task_version(question_set),
        task_file=None,
        model=run.name,
        created=now,
        dataset=question_set.name,
        arguments={"questions": question_set.location},
        metadata={"imported_from": BASELINE, "generators": list(run.with_crux), **about},
        scorer="forecast",
        metrics=metrics,
        headline="brier",
    )
    samples: list[EvalSample] = []
    for question in question_set.questions:
        if question.id not in run.baseline:
            continue
        forecast = run.baseline[question.id]
        samples.append(
            build_sample(
                header,
                question.id,
                shown_text(question),
                json.dumps({"p_u": forecast}),
                sample_metadata(question, about),
                _score(run, generators, questions[question.id], question_set.outcome(question.id)),
            )
        )
    return write_log(header, samples, folder)


_GIVEN = ("p_u_given_crux", "brier_given_crux")


def _score(
    run: ForecasterRun, generators: Mapping[str, GeneratorRun], imported: ImportedQuestion, outcome: Outcome
) -> Score:
    question_id = imported.question.id
    baseline = run.baseline[question_id]
    values = {"p_u": baseline, "brier": _brier(baseline, outcome)}
    kept, missing = [], []
    for generator, forecasts in run.with_crux.items():
        forecast = forecasts.get(question_id)
        if forecast is None and generator in generators and _informs_nothing(generators[generator], imported):
            kept.append(generator)
            forecast = baseline
        elif forecast is None:
            missing.append(generator)
            forecast = math.nan
        for kind, value in zip(_GIVEN, (forecast, _brier(forecast, outcome)), strict=True):
            values[f"{kind}:{generator}"] = value
    told = {"outcome": outcome.outcome, "keeps_baseline": " ".join(kept), "missing": " ".join(missing)}
    return Score(value=values, answer=f"{baseline:g}", metadata={key: value for key, value in told.items() if value})


def _informs_nothing(generator: GeneratorRun, imported: ImportedQuestion) -> bool:
    crux = generator.cruxes.get(imported.question.id)
    if crux is None or crux.resolution is None or crux.resolution.moment is None:
        return True
    return imported.last_price is not None and crux.resolution.moment > imported.last_price


def _brier(forecast: float, outcome: Outcome) -> float:
    return math.nan if outcome.outcome is None else (forecast - (outcome.outcome == "Yes")) ** 2


def _forecasts(path: Path, ids: Mapping[tuple[str, int], str]) -> tuple[dict[str, float], list[str]]:
    records, problems = read_records(path, ReleasedForecast)
    forecasts, unknown = {}, 0
    for record in records:
        question_id = ids.get((_folded(record.ultimate_question), record.period_idx))
        if question_id is None:
            unknown += 1
        else:
            forecasts[question_id] = record.p_u
    if unknown:
        problems.append(f"{path.name}: {unknown} forecasts are of no question of the release")
    return forecasts, problems


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
