"""Every parameter of the funnel, as it goes into a manifest."""

from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from cruxbench_inspect.markets.hourly import VolumeBasis
from cruxbench_inspect.markets.keywords import KeywordList, Matching
from cruxbench_inspect.markets.periods import CERTAIN, LAST_MOVE, PERIOD, SHORTEST_WINDOW
from cruxbench_inspect.utc import UtcDatetime

WINDOW_VOLUME_USDC: dict[VolumeBasis, float] = {"one_sided": 500.0, "two_sided": 1000.0}
"""The paper's 1,000 USDC are two-sided; half of it is about the same amount of trading, counted once."""


def _lists(*names: str) -> tuple[KeywordList, ...]:
    return tuple(KeywordList.read(name) for name in names)


class FunnelRules(BaseModel):
    """Parameters of the funnel, the paper's by default, except where its own choices are known to be wrong.

    Attributes:
        seed: Of the choice of a market per event and of a window per market.
        earliest: The price history has to reach this moment, and no window starts before it.
        excluded_tags: In lower case.
        question_words: Lists of words that exclude a question by its text, before the subjects.
        subjects: Lists of keywords that exclude a question by its text.
        description_phrases: Lists of phrases that exclude a market by its question or its description.
        matching: Whether keywords are whole words, or substrings as in the authors' release.
        shortest_horizon_days: Whole days from the market's opening to its scheduled close.
        fewest_points: Points of the Yes history.
        placeholders: Whether markets for "Other" and for unnamed candidates are kept, as the release keeps them.
        period_days: The length of a period, and the longest window.
        certain: The price that counts as decided.
        shortest_window_days: In whole days.
        margin_days: Between a window's end and the last price, and between it and the scheduled close.
        window_end: ``scheduled_close``, or ``last_price`` as in the release, which tells of an early settlement.
        volume_basis: How the volume inside a window is counted.
        window_volume_usdc: More than this has to be traded inside a window; None is the paper's amount on this basis.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 42
    earliest: UtcDatetime = datetime(2025, 9, 1, tzinfo=UTC)
    excluded_tags: tuple[str, ...] = ("sports", "crypto", "weather")
    question_words: tuple[KeywordList, ...] = Field(default_factory=lambda: _lists("words"))
    subjects: tuple[KeywordList, ...] = Field(default_factory=lambda: _lists("sports", "crypto", "awards"))
    description_phrases: tuple[KeywordList, ...] = Field(default_factory=lambda: _lists("description_phrases"))
    matching: Matching = "words"
    shortest_horizon_days: int = Field(default=60, ge=0)
    fewest_points: int = Field(default=30, ge=1)
    placeholders: bool = False
    period_days: int = Field(default=PERIOD.days, ge=1, le=PERIOD.days)
    certain: float = Field(default=CERTAIN, ge=0, lt=0.5)
    shortest_window_days: int = Field(default=SHORTEST_WINDOW.days, ge=1)
    margin_days: int = Field(default=LAST_MOVE.days, ge=0)
    window_end: Literal["scheduled_close", "last_price"] = "scheduled_close"
    volume_basis: VolumeBasis = "two_sided"
    window_volume_usdc: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @property
    def smallest_volume_usdc(self) -> float:
        """What has to be exceeded inside a window."""
        if self.window_volume_usdc is None:
            return WINDOW_VOLUME_USDC[self.volume_basis]
        return self.window_volume_usdc
