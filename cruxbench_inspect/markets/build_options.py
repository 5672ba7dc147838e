"""What a question set is built from and how, and what came of it."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.candidates import Found
from cruxbench_inspect.markets.funnel import FunnelResult
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.questions import Judges, QuestionSet

SMALLEST_VOLUME = 10_000.0
"""Least traded USDC, as the exchange counts it, of markets that are listed; the paper's dump has the same bound."""


class BuildOptions(BaseModel):
    """What a question set is built from and how.

    Attributes:
        name: The set's name.
        version: Its version.
        description: What it is, for people; "" for a sentence that says how it came about.
        snapshot: A file of market records; None lists them at the exchange.
        live: The start of a live round, a midnight in UTC; None builds from closed markets.
        rules: The funnel's parameters.
        smallest_volume_usdc: Markets with less are not listed.
        articles: How many articles a question has at most.
        evidence: The set's default evidence source.
        judges: The set's default judges.
        skip_failed: Whether markets that the exchange does not answer about are left out, rather than nothing written.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    version: str = "1"
    description: str = ""
    snapshot: Path | None = None
    live: datetime | None = None
    rules: FunnelRules
    smallest_volume_usdc: float = SMALLEST_VOLUME
    articles: int = 10
    evidence: str = "web"
    judges: Judges | None = None
    skip_failed: bool = False


@dataclass
class Built:
    """What came of a build.

    Attributes:
        question_set: The set, None where nothing was to be written.
        funnel: What every stage left.
        found: What was listed.
        dropped: Why markets that passed the funnel are no questions, by market.
        problems: One line each for what went wrong besides.
        without_news: Questions whose articles the evidence source could not look for, and why.
        changed_rules: Markets whose rules the oracle says were changed.
        planned: For a dry run: how many requests of each kind a build would make at least.
    """

    question_set: QuestionSet | None
    funnel: FunnelResult
    found: Found
    dropped: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    changed_rules: list[str] = field(default_factory=list)
    without_news: dict[str, str] = field(default_factory=dict)
    planned: Counter[str] = field(default_factory=Counter)

    def explain(self, market_id: str) -> str:
        """Say in a sentence what became of a market, whatever it was."""
        for why in (self.found.failed.get(market_id), self.found.reasons.get(market_id), self.dropped.get(market_id)):
            if why is not None:
                return f"market {market_id} is left out: {why}"
        try:
            return self.funnel.explain(market_id)
        except InputError as error:
            return str(error)


class NothingBuilt(InputError):
    """A build came to no set; what it came to is told all the same.

    Attributes:
        built: How far it came.
    """

    def __init__(self, message: str, built: Built) -> None:
        self.built = built
        super().__init__(message)
