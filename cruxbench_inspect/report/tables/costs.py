"""What runs cost: tokens, money and time, by model and role, and what search services charge."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.study import Study, usage_of
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Table

GENERATOR = "generator"


@dataclass(frozen=True)
class RoleCost:
    """What one model used in one role of an entry.

    Attributes:
        entry: The entry's label.
        role: ``generator``, ``resolver``, ``verifier`` or ``search``.
        model: The model, or the evidence source.
        tokens_in: Tokens read.
        tokens_out: Tokens written.
        usd: What it cost; None where no price is known.
    """

    entry: str
    role: str
    model: str
    tokens_in: int
    tokens_out: int
    usd: float | None


def role_costs(study: Study, prices: PriceList) -> list[RoleCost]:
    """The costs of all entries, by role. A price in the list counts more than what a log has."""
    found = []
    for entry in study.entries:
        sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        unpriced: set[tuple[str, str]] = set()
        # Samples that were not scored used judges, too, and do not name them.
        judges = {role: getattr(run.terms, role) for run in entry.runs for role in ("resolver", "verifier")}
        for used in usage_of(entry):
            key = (used.role, used.model or judges.get(used.role) or "(not told)")
            usd = prices.usd(replace(used, model=key[1]))
            sums[key][0] += used.tokens_in
            sums[key][1] += used.tokens_out
            if usd is None:
                unpriced.add(key)
            else:
                sums[key][2] += usd
        for key in sorted(sums, key=lambda one: (one[0] != GENERATOR, one)):
            tokens_in, tokens_out, usd = sums[key]
            found.append(RoleCost(entry.label, *key, int(tokens_in), int(tokens_out), None if key in unpriced else usd))
        searches = sum(
            float(sample.told.get("searches", 0)) for run in entry.runs for sample in run.samples if sample.told
        )
        fee = prices.search
        if searches and fee is not None:
            found.append(RoleCost(entry.label, "search", f"{searches:,.0f} searches", 0, 0, searches * fee))
    return found


def usd_per_question(study: Study, costs: list[RoleCost]) -> Mapping[str, float | None]:
    """What an entry's generator cost for a question, by label; None where no price is known."""
    found: dict[str, float | None] = {}
    for entry in study.entries:
        own = [cost.usd for cost in costs if cost.entry == entry.label and cost.role == GENERATOR]
        samples = sum(len(run.samples) for run in entry.runs)
        found[entry.label] = sum(usd for usd in own if usd is not None) / samples if own and None not in own else None
    return found


def costs(study: Study, found: list[RoleCost]) -> Table:
    """The table of a study.

    Raises:
        ValueError: If logs do not tell what was used.
    """
    if not found:
        raise ValueError("Cost: these logs do not tell what was used.")
    seconds = {label: mean(study.of(label)["seconds"].to_list()) for label in study.labels}
    rows: list[dict[str, Cell]] = []
    for cost in found:
        samples = sum(len(run.samples) for entry in study.entries if entry.label == cost.entry for run in entry.runs)
        rows.append(
            {
                "model": cost.entry,
                "role": cost.role,
                "by": cost.model,
                "tokens_in": cost.tokens_in,
                "tokens_out": cost.tokens_out,
                "usd": cost.usd,
                "per_question": None if cost.usd is None or not samples else cost.usd / samples,
                "seconds": seconds[cost.entry] if cost.role == GENERATOR else None,
            }
        )
    columns = (
        Column("model", "Model"),
        Column("role", "Role"),
        Column("by", "Used"),
        Column("tokens_in", "Tokens read", "integer", help="Those from a cache included."),
        Column("tokens_out", "Tokens written", "integer"),
        Column("usd", "USD", "number", 2, help="By the price list, else as the log has it."),
        Column("per_question", "USD a question", "number", 4),
        Column("seconds", "Seconds a question", "number", 1, help="Mean time of a sample, judging included."),
    )
    return Table(
        "costs",
        "Tokens, money and time",
        columns,
        tuple(rows),
        ("Answers that came from Inspect's cache cost nothing when they were used, and are counted like others.",),
    )
