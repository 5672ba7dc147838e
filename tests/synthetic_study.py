"""Question sets and logs whose truth is known: how often a model finds the hour that mattered."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from inspect_ai.log import EvalSample, read_eval_log, write_eval_log

from cruxbench_inspect.crux import Crux, CruxFault
from cruxbench_inspect.judge.judgement import Judgement, Terms
from cruxbench_inspect.markets.release.log_files import LogHeader, build_sample, write_log
from cruxbench_inspect.markets.release.log_terms import about_set, sample_metadata, task_version
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA, write_set
from cruxbench_inspect.prices import HourlySeries
from cruxbench_inspect.questions import Judges, Manifest, Outcome, Question, QuestionSet, Window
from cruxbench_inspect.resolution import GRACE, Resolution
from cruxbench_inspect.score_record import ScoredCrux, metrics, score_of
from cruxbench_inspect.settlement import Settlement, baseline_hours, settle, unscored
from cruxbench_inspect.utc import HOUR, floor_hour, parse_utc
from cruxbench_inspect.voi import InformationValues

START = parse_utc("2026-01-05T00:00:00Z")
DAY = timedelta(days=1)
NOW = parse_utc("2026-11-01T00:00:00Z")
_CRITERIA = (
    "A report.",
    "A report by Reuters, or the court docket.",
    "A ruling.",
    "An official statement, by Reuters.",
)
_TAGS = (("Politics",), ("Economy",), ("Courts", "Politics"), ("Technology",))


@dataclass(frozen=True)
class Subject:
    """A model and what it is good at.

    Attributes:
        name: The model.
        skill: The share of its cruxes that hit an hour among the best of the window; the others are at any hour.
        resolvable: The share of its cruxes that can be resolved.
        informative: How much likelier a crux is Yes where the question is.
        unscored: The share of samples without a score.
        judge: The resolver.
        faulty: The share of samples without a crux.
        date_only: The share of its events of which only the day is known.
        late: The share of its cruxes that are settled at the window's end.
        epochs: Samples a question.
    """

    name: str
    skill: float = 0.0
    resolvable: float = 0.9
    informative: float = 0.1
    unscored: float = 0.0
    judge: str = "judge/resolver"
    faulty: float = 0.03
    date_only: float = 0.0
    late: float = 0.0
    epochs: int = 1


class SyntheticStudy:
    """A question set in a folder, and logs of subjects."""

    def __init__(
        self,
        folder: Path,
        questions: int = 40,
        seed: int = 1,
        name: str = "synthetic",
        early: int = 0,
        prices: Literal["raw", "trusted"] = "raw",
        fictional: bool = False,
    ) -> None:
        """Write the set: random walks with jumps, two questions an event now and then.

        Args:
            folder: Where the set and the logs go.
            questions: How many.
            seed: Of everything in the set.
            name: Name of the set.
            early: How many of the last questions' markets close 20 days after the window's start.
            prices: What the set says of its prices.
            fictional: What the set says of its questions.
        """
        self.folder = folder
        self.seed = seed
        dice = random.Random(seed)
        made = [_question(number, dice) for number in range(questions)]
        rows = [_prices(question, np.random.default_rng(seed * 1000 + number)) for number, question in enumerate(made)]
        closed = {question.id: question.window.start + 20 * DAY for question in made[questions - early :]}
        rows = [
            table.filter(pl.col("hour") <= closed.get(question.id, question.closes))
            for question, table in zip(made, rows, strict=True)
        ]
        outcomes = [
            Outcome(
                question_id=question.id,
                outcome=dice.choice(("Yes", "No")),
                resolved_at=closed.get(question.id, question.closes),
            )
            for question in made
        ]
        manifest = Manifest(
            format=1, name=name, version="1", description="Random walks.", fictional=fictional, prices=prices,
            evidence="archive", judges=Judges(resolver="judge/resolver", verifier="judge/verifier"), files={},
            volume_basis="one_sided",
            funnel=[{"stage": "markets", "left": 3000}, {"stage": "long enough", "left": 200},
                    {"stage": "chosen", "left": questions}],
        )  # fmt: skip
        self.set: QuestionSet = write_set(folder / name, manifest, made, outcomes, pl.concat(rows))

    def write(self, subjects: Sequence[Subject], logs: str = "logs", width: int = 24) -> list[Path]:
        """Write a log for each subject."""
        return [self._log(subject, self.folder / logs, width) for subject in subjects]

    @cached_property
    def trusted(self) -> dict[str, HourlySeries]:
        """Trusted prices of every question."""
        found = {question.id: self.set.trusted(question.id) for question in self.set.questions}
        return {key: series for key, series in found.items() if series is not None}

    @cached_property
    def timing(self) -> dict[str, InformationValues]:
        """What gives every score of a question."""
        return {
            question.id: InformationValues(
                self.trusted[question.id], *baseline_hours(question, self.set.outcome(question.id))
            )
            for question in self.set.questions
        }

    def _log(self, subject: Subject, folder: Path, width: int) -> Path:
        header = log_header(self.set, subject.name, width)
        dice = random.Random(f"{self.seed} {subject.name}")
        samples = []
        for epoch in range(1, subject.epochs + 1):
            for question in self.set.questions:
                sample = self._sample(header, subject, question, width, dice)
                samples.append(sample.model_copy(update={"epoch": epoch, "uuid": f"{sample.uuid}{epoch}"}))
        path = write_log(header, samples, folder)
        if subject.epochs > 1:
            log = read_eval_log(str(path))
            log.eval.config.epochs = subject.epochs
            log.eval.dataset.samples = len(self.set.questions)
            log.eval.dataset.sample_ids = [question.id for question in self.set.questions]
            write_eval_log(log, str(path))
        return path

    def _sample(self, header: LogHeader, subject: Subject, question: Question, width: int, dice: Any) -> EvalSample:
        moment = self._moment(question, subject, width, dice)
        yes = self.set.outcome(question.id).outcome == "Yes"
        answer = "Yes" if dice.random() < 0.3 + subject.informative * yes else "No"
        crux = Crux(
            question=f"Will {subject.name.split('/')[-1]} see the matter of {question.id} decided, by more than 5%?",
            resolution_criteria=_CRITERIA[len(subject.name) % 2 + int(question.id[-1]) % 3],
            start_date=question.window.start.date(),
            end_date=moment.date(), yes_makes_u=dice.choice(("more likely", "less likely")),
        )  # fmt: skip
        resolution = self._resolution(subject, answer, moment, dice)
        proposed: Crux | CruxFault = crux
        if dice.random() < subject.faulty:
            proposed, resolution_of = CruxFault(kind="no_crux", detail="no object"), None
        else:
            resolution_of = resolution
        settlement: Settlement = settle(
            question, proposed, resolution_of, self.trusted[question.id], self.set.outcome(question.id), width
        )
        if dice.random() < subject.unscored:
            settlement, resolution_of = unscored("search_outage"), None
        return judged_sample(header, question, proposed, resolution_of, settlement, subject.judge)

    def _moment(self, question: Question, subject: Subject, width: int, dice: Any) -> datetime:
        if subject.late and dice.random() < subject.late:
            return question.window.end
        hours = self.timing[question.id].at_every_hour(width).kl
        valid = np.flatnonzero(~np.isnan(hours))
        best = valid[np.argsort(hours[valid])[-24:]]
        place = int(dice.choice(best if dice.random() < subject.skill else valid))
        return question.window.hours[0] + (place + 1) * HOUR

    def _resolution(self, subject: Subject, answer: str, moment: datetime, dice: Any) -> Resolution:
        if dice.random() > subject.resolvable:
            mode = dice.choice(("data_availability", "temporal", "observability"))
            return Resolution(resolvable=False, failure_mode=mode)
        rule = "yes_event" if answer == "Yes" else dice.choice(("no_deadline", "no_irreversible"))
        precision = "deadline" if rule == "no_deadline" else "stated"
        if precision == "stated" and subject.date_only and dice.random() < subject.date_only:
            precision, moment = "date_only", floor_hour(moment).replace(hour=0)
        return Resolution(resolvable=True, answer=answer, moment=moment, rule=rule, precision=precision)


def log_header(question_set: QuestionSet, model: str, width: int = 24) -> LogHeader:
    """The header of a model's log over a question set."""
    about = {**about_set(question_set), "width": width, "verify": True, "k": 1, "evidence": "archive"}
    return LogHeader(
        task="cruxbench", version=task_version(question_set), task_file="tasks/cruxbench.py", model=model,
        created=NOW, dataset=question_set.name, arguments={}, metadata=about, scorer="voi", metrics=metrics(),
        headline="voi_kl",
    )  # fmt: skip


def judged_sample(
    header: LogHeader,
    question: Question,
    proposed: Crux | CruxFault,
    resolution: Resolution | None,
    settlement: Settlement,
    judge: str = "judge/resolver",
) -> EvalSample:
    """A sample of a log with its score; without a resolution nothing was judged."""
    judgement = None
    if resolution is not None:
        terms = Terms(
            resolver=judge, verifier="judge/verifier", prompts=("resolver-1",),
            cutoff=question.window.end + GRACE, evidence="archive",
        )  # fmt: skip
        judgement = Judgement(crux_key="0", terms=terms, resolution=resolution, tokens=1200, searches=3)
    scored = [ScoredCrux(proposed, judgement, settlement)]
    score = score_of(question, scored, "", header.model, int(header.metadata["width"]))
    text = json.dumps(proposed.model_dump(mode="json"))
    metadata = sample_metadata(question, header.metadata)
    return build_sample(header, question.id, question.question, text, metadata, score)


def _question(number: int, dice: random.Random) -> Question:
    start = START + dice.randrange(60) * DAY
    event = f"event-{number // 2}" if number % 7 == 0 or number % 7 == 1 else None
    return Question(
        id=f"q{number:03}", source="synthetic", market_id=str(number), event_id=event,
        question=f"Will matter {number} be decided?", description="Resolves Yes if it is.",
        opened=start - 30 * DAY, closes=start + 60 * DAY, window=Window(start=start, end=start + 30 * DAY),
        tags=_TAGS[number % len(_TAGS)],
    )  # fmt: skip


def _prices(question: Question, chance: np.random.Generator) -> pl.DataFrame:
    first = floor_hour(question.window.start) - 100 * HOUR
    count = 31 * 24 + 200
    steps = chance.normal(0, 0.03, count) * (chance.random(count) < 0.3)
    steps += chance.normal(0, 0.9, count) * (chance.random(count) < 0.004)
    odds = np.clip(chance.uniform(-1.5, 1.5) + np.cumsum(steps), -4, 4)
    columns = {
        "question_id": [question.id] * count,
        "hour": [first + number * HOUR for number in range(count)],
        "price": np.round(1 / (1 + np.exp(-odds)), 4),
        "volume_usdc": np.round(chance.exponential(120, count) * (chance.random(count) < 0.8), 2),
    }
    return pl.DataFrame(columns, schema=PRICE_SCHEMA)
