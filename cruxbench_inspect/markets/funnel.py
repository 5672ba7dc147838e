"""The funnel from all markets to the questions of a set: what every stage leaves, and why it drops the rest."""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl
from pydantic import JsonValue

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.funnel_stage import WHY, Stage


@dataclass(frozen=True)
class FunnelResult:
    """What the funnel has done so far.

    Attributes:
        kept: The markets that are left, with their windows once those are chosen.
        markets: How many there were at first.
        stages: The stages that were applied.
        left: After each of them, how many markets were left.
        dropped: The others: columns ``id``, ``stage`` (number, from 0) and ``why``.
    """

    kept: pl.DataFrame
    markets: int
    stages: tuple[Stage, ...]
    left: tuple[int, ...]
    dropped: pl.DataFrame

    @property
    def counts(self) -> list[tuple[str, int]]:
        """Names of the stages with the markets that were left, the first line being all markets."""
        return [("markets", self.markets), *zip((stage.name for stage in self.stages), self.left, strict=True)]

    def then(self, stage: Stage) -> "FunnelResult":
        """Apply one more stage."""
        judged = stage.judge(self.kept)
        gone = judged.filter(pl.col(WHY).is_not_null())
        gone = gone.select("id", pl.lit(len(self.stages)).cast(pl.Int64).alias("stage"), WHY)
        kept = judged.filter(pl.col(WHY).is_null()).drop(WHY)
        return FunnelResult(
            kept, self.markets, (*self.stages, stage), (*self.left, kept.height), pl.concat([self.dropped, gone])
        )

    def explain(self, market_id: str) -> str:
        """Say in a sentence what became of a market.

        Raises:
            InputError: If the funnel never saw it.
        """
        if market_id in self.kept["id"]:
            return f"market {market_id} is left after {len(self.stages)} stages"
        # The latest stage counts: the first one also drops further records of a market.
        gone = self.dropped.filter(pl.col("id") == market_id).tail(1)
        if gone.is_empty():
            raise InputError(f"market {market_id} is not among the {self.markets:,} markets of the funnel")
        number, why = gone["stage"][0], gone[WHY][0]
        return f"market {market_id} was dropped at stage {number + 1} ({self.stages[number].name}): {why}"

    def table(self) -> str:
        """The counts as text, one stage a line."""
        width = max(len(name) for name, _ in self.counts)
        lines, before = [], self.markets
        for name, left in self.counts:
            lines.append(f"{name:<{width}}  {left:>9,}  {f'-{before - left:,}' if before - left else '':>9}".rstrip())
            before = left
        return "\n".join(lines)

    def record(self) -> JsonValue:
        """The stages with their parameters and counts, for a manifest."""
        lines: list[JsonValue] = [{"stage": "markets", "left": self.markets}]
        for stage, left in zip(self.stages, self.left, strict=True):
            parameters = dict(stage.parameters)
            lines.append({"stage": stage.name, "keeps": stage.keeps, "parameters": parameters, "left": left})
        return lines


def run_funnel(frame: pl.DataFrame, stages: Iterable[Stage]) -> FunnelResult:
    """Apply stages to a frame of markets.

    Args:
        frame: As ``funnel_frame`` makes it.
        stages: As ``stages(rules)`` or ``live_stages(rules, start)`` list them; ``FunnelResult.then`` adds the one that
            needs volumes, which are asked for the markets that are left.

    Raises:
        InputError: If the frame has no market.
    """
    if frame.is_empty():
        raise InputError("there is no market to build a question set from: the dump or the answer was empty")
    nothing = pl.DataFrame(schema={"id": pl.String, "stage": pl.Int64, WHY: pl.String})
    result = FunnelResult(frame, frame.height, (), (), nothing)
    for stage in stages:
        result = result.then(stage)
    return result
