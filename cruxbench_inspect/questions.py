"""Question sets: what was known at a moment (questions), and what only a scorer may see (outcomes, prices)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, field_validator, model_validator

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.prices import HourlySeries, PriceRules, window_hours
from cruxbench_inspect.question_prices import PriceTable
from cruxbench_inspect.utc import UtcDatetime, format_utc

BUILT_IN = {"demo": Path(__file__).parent / "demo" / "set"}
"""Question sets that come with the package."""

LIVE = "live"
"""The flag of a set whose windows began when it was built: its cruxes have to be made in time."""


Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 digest in lower-case hexadecimal digits."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Article(_Frozen):
    """A news article that was public before the window.

    Attributes:
        published: When it became public.
        summary: What the generator is shown of it.
    """

    title: str
    url: str
    source: str
    published: UtcDatetime
    summary: str


class Window(_Frozen):
    """An evaluation window, at most 30 days.

    Attributes:
        start: The moment of the prediction; what is later than this is the future.
        end: The last moment; the window's hours run to this hour plus 23.
    """

    start: UtcDatetime
    end: UtcDatetime

    @model_validator(mode="after")
    def _ordered(self) -> "Window":
        if not self.start < self.end <= self.start + timedelta(days=30):
            raise ValueError(f"ends at {format_utc(self.end)}, which is not within 30 days after its start")
        return self

    @property
    def hours(self) -> tuple[datetime, datetime]:
        """First and last whole hour."""
        return window_hours(self.start, self.end)


class Question(_Frozen):
    """An ultimate question and everything about it that was known at the window's start.

    Attributes:
        id: Unique in its set; the sample id.
        market_id: The market's id at its source.
        event_id: The event that it shares with other markets, if any.
        description: The resolution rules.
        opened: When the market opened.
        closes: The scheduled close, not the actual one.
    """

    id: str = Field(min_length=1)
    source: str
    market_id: str
    event_id: str | None = None
    question: str = Field(min_length=1)
    description: str
    opened: UtcDatetime
    closes: UtcDatetime
    window: Window
    tags: tuple[str, ...] = ()
    url: str | None = None
    articles: tuple[Article, ...] = ()

    @model_validator(mode="after")
    def _nothing_from_the_future(self) -> "Question":
        if self.opened >= self.closes:
            raise ValueError(f"opened {format_utc(self.opened)} is not before closes {format_utc(self.closes)}")
        for number, article in enumerate(self.articles):
            if article.published >= self.window.start:
                raise ValueError(
                    f"articles.{number}.published {format_utc(article.published)} is not before the window's start "
                    f"{format_utc(self.window.start)}"
                )
        return self

    @property
    def event(self) -> str:
        """The cluster of this question: its event, or itself where it shares none."""
        return self.event_id or self.id


class Outcome(_Frozen):
    """How the ultimate question was settled; for scorers only.

    Attributes:
        outcome: None while it is open.
        resolved_at: When the market closed for good, if known.
        window_end: The end of the window that baselines are taken over, where an imported set has them over another one
            than the question's own, which must not tell when the market ended.
    """

    question_id: str
    outcome: Literal["Yes", "No"] | None
    resolved_at: UtcDatetime | None = None
    window_end: UtcDatetime | None = None


class Judges(_Frozen):
    """Names of the models that judge a set unless a run names others."""

    resolver: str
    verifier: str


class EarlierVersion(_Frozen):
    """A version of a set that it takes the place of: logs of that one can be scored with this one.

    Attributes:
        version: Its version.
        digest: Its digest.
        questions: The SHA-256 digest (hex) of its ``questions.jsonl``.
    """

    version: str = Field(min_length=1)
    digest: Sha256
    questions: Sha256


class Manifest(_Frozen):
    """manifest.json of a question-set folder."""

    format: Literal[1]
    name: str = Field(min_length=1)
    version: str
    description: str
    fictional: bool
    prices: Literal["raw", "trusted"]
    evidence: str
    judges: Judges | None = None
    files: dict[str, str]
    price_rules: PriceRules = PriceRules()
    volume_basis: str | None = None
    counts: dict[str, JsonValue] | None = None
    funnel: JsonValue = None
    flags: tuple[str, ...] = ()
    earlier: tuple[EarlierVersion, ...] = ()

    @field_validator("price_rules")
    @classmethod
    def _sensible(cls, rules: PriceRules) -> PriceRules:
        if rules.volume_threshold_usdc <= 0 or rules.half_window_hours < 0 or (rules.round_decimals or 0) < 0:
            raise ValueError("needs a threshold above 0, and a half window and decimals of 0 or more")
        return rules

    @model_validator(mode="after")
    def _versions_are_different(self) -> "Manifest":
        versions = [self.version, *(earlier.version for earlier in self.earlier)]
        digests = [self.digest, *(earlier.digest for earlier in self.earlier)]
        for kind, names in (("version", versions), ("digest", digests)):
            twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
            if twice is not None:
                raise ValueError(f"earlier names the {kind} {twice!r}, which is another version's or the set's own")
        return self

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of all that decides scores: the files, the kind of prices and their rules."""
        decisive = self.model_dump(mode="json", include={"format", "files", "prices", "price_rules"})
        return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode("utf-8")).hexdigest()


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """A question set, loaded and checked.

    Attributes:
        manifest: Name, version, judges, rules.
        folder: Where it lies.
        location: What to load it by again, here or elsewhere: a built-in name, or the folder's absolute path.
        questions: In the order of the file.
        outcomes: By question id; for scorers only.
        prices: Columns question_id, hour, price, volume_usdc; for scorers only.
    """

    manifest: Manifest
    folder: Path
    location: str
    questions: tuple[Question, ...]
    outcomes: Mapping[str, Outcome]
    prices: pl.DataFrame

    @classmethod
    def load(cls, source: str | Path) -> "QuestionSet":
        """Load and check a question set.

        Args:
            source: The name of a built-in set, or a folder; a relative one is read from where the user stands.

        Raises:
            InputError: If there is no such set, or with every problem that its files have.
        """
        from cruxbench_inspect.question_files import load_folder

        return load_folder(*locate(source))

    @property
    def name(self) -> str:
        """The set's name."""
        return self.manifest.name

    @cached_property
    def digest(self) -> str:
        """The manifest's digest: it is in every log."""
        return self.manifest.digest

    @property
    def is_live(self) -> bool:
        """Whether it is a live round: cruxes have to be made in time, and earlier events do not count."""
        return LIVE in self.manifest.flags

    def stands_for(self, digest: str) -> bool:
        """Whether logs of a set with this digest can be scored with this one.

        It is that very set, or a later version of it that asks the same: prices, outcomes and evidence may be added,
        the questions may not have been changed.
        """
        questions = self.manifest.files["questions.jsonl"]
        return digest == self.digest or any(
            (earlier.digest, earlier.questions) == (digest, questions) for earlier in self.manifest.earlier
        )

    @property
    def evidence_file(self) -> Path | None:
        """The dated documents that the set ships, if any."""
        return self.folder / "evidence.jsonl" if "evidence.jsonl" in self.manifest.files else None

    def question(self, question_id: str) -> Question:
        """The question of an id.

        Raises:
            InputError: If the set has none.
        """
        try:
            return self._by_id[question_id]
        except KeyError:
            raise InputError(f"question set {self.name!r} has no question {question_id!r}") from None

    def outcome(self, question_id: str) -> Outcome:
        """What is known of a question's outcome; for scorers only."""
        return self.outcomes.get(question_id) or Outcome(question_id=question_id, outcome=None)

    def trusted(self, question_id: str) -> HourlySeries | None:
        """Trusted hourly prices of a question, from 96 hours before its window to 96 hours after it.

        The stretch is cut to the life of the market. For scorers only.

        Returns:
            The series, or None where the set has no price of the question.
        """
        return self._price_table.trusted(question_id, self.question(question_id).window.hours)

    def untreated(self, question_id: str) -> HourlySeries | None:
        """Hourly prices of a question as the set has them, over the same stretch: raw ones, unless it has others.

        For scorers and reports only.
        """
        return self._price_table.untreated(question_id, self.question(question_id).window.hours)

    def traded_usdc(self, question_id: str) -> float:
        """What was traded inside of a question's window in USDC, on the set's volume basis; NaN where it is not known.

        For scorers and reports only.
        """
        return self._price_table.traded_usdc(question_id, self.question(question_id).window.hours)

    @cached_property
    def _price_table(self) -> PriceTable:
        return PriceTable(self.prices, self.manifest.prices, self.manifest.price_rules)

    @cached_property
    def _by_id(self) -> dict[str, Question]:
        return {question.id: question for question in self.questions}


def locate(source: str | Path) -> tuple[Path, str]:
    """Find a question set.

    Args:
        source: The name of a built-in set, or a folder; a relative one is read from where the user stands.

    Returns:
        The folder, and the name or absolute path to load the set by again.

    Raises:
        InputError: If there is no such set.
    """
    from cruxbench_inspect.working_directory import user_path

    if str(source) in BUILT_IN:
        return BUILT_IN[str(source)], str(source)
    folder = user_path(str(source))
    if not folder.is_dir():
        raise InputError(
            f"there is no question set {str(source)!r}: it is neither a built-in name ({', '.join(BUILT_IN)}) "
            f"nor a folder ({folder}). `cruxbench questions list` shows the built-in ones."
        )
    return folder, folder.as_posix()
