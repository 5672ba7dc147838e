"""A binary market as it was collected: what the funnel sees of it, whatever exchange it comes from."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from cruxbench_inspect.utc import UtcDatetime

Settled = Literal["confirmed", "unconfirmed", "disputed", "split", "no_label", "open"]
"""How sure a market's outcome is.

``confirmed``: the record itself proves it (closed, the oracle's status is "resolved", prices at 1 and 0).
``unconfirmed``: closed with prices at 1 and 0, but without the oracle's status: a second opinion is needed.
``disputed``: closed or open in the middle of a dispute or a proposal. ``split``: paid half to each side.
``no_label``: closed with prices that are no label (0 and 0, or fractions). ``open``: still trading.
"""


class Market(BaseModel):
    """A market with the outcomes Yes and No.

    Attributes:
        id: The market's id at its source.
        source: The exchange, ``polymarket`` or a name of the user's.
        condition_id: The key of its trades and resolutions.
        description: The resolution rules as they were collected, later notes included.
        event_id: The event that it shares with other markets, None where there is none.
        opened: When it opened.
        closes: The scheduled close as the exchange states it, None where there is none or a nonsense year.
        closes_whole_day: Whether only the day of the scheduled close is known.
        closed_at: When it closed for good, None while it is open.
        settled: How sure the outcome is.
        outcome: The outcome, only where ``settled`` is ``confirmed`` or ``unconfirmed``.
        resolution_status: The oracle's word, as collected.
        volume_usdc: All that was traded, as the exchange counts it.
        yes_token: The token whose price is the Yes price.
        no_token: The other one.
        yes_first: Whether Yes is the first of the outcomes as collected; payouts come in that order.
        exclusive_group: The id that it shares with markets of which at most one becomes Yes.
        placeholder: Whether it stands for "Other", or for someone who is not named yet.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    source: str
    condition_id: str | None = None
    question: str = Field(min_length=1)
    description: str
    slug: str | None = None
    tags: tuple[str, ...] = ()
    event_id: str | None = None
    opened: UtcDatetime
    closes: UtcDatetime | None = None
    closes_whole_day: bool = False
    closed_at: UtcDatetime | None = None
    settled: Settled
    outcome: Literal["Yes", "No"] | None = None
    resolution_status: str | None = None
    volume_usdc: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    yes_token: str | None = None
    no_token: str | None = None
    yes_first: bool = True
    exclusive_group: str | None = None
    placeholder: bool = False


class PricePoint(BaseModel):
    """One observed Yes price.

    Attributes:
        moment: When it was observed, at the latest ``resolution_seconds`` later.
        price: The Yes price in [0, 1].
        resolution_seconds: Width of the bucket that it stands for; 0 is an exact tick.
        source: ``data_v2``, ``clob``, ``trades`` or ``file``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    moment: UtcDatetime
    price: float = Field(ge=0, le=1, allow_inf_nan=False)
    resolution_seconds: int = Field(default=0, ge=0)
    source: str = "file"


class Trade(BaseModel):
    """One fill.

    Attributes:
        moment: When it happened.
        token: Yes or No, None where the exchange does not say.
        price: USDC per share of that token.
        shares: How many.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    moment: UtcDatetime
    token: Literal["Yes", "No"] | None
    price: float = Field(ge=0, le=1, allow_inf_nan=False)
    shares: float = Field(ge=0, allow_inf_nan=False)
