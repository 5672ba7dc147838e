"""What runs cost: tokens, money and time, by model and role, and what search services charge."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.selection import Entry
from cruxbench_inspect.report.gathering.study import Study, usage_of
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.tables.role_times import role_times

GENERATOR, SEARCH, ALL = "generator", "search", "all"
"""Roles that are no judge's: the model under test, the evidence source, and the total of all."""


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
        searches = _searches([entry])
        fee = prices.search
        if searches and fee is not None:
            found.append(RoleCost(entry.label, SEARCH, f"{searches:,.0f} searches", 0, 0, searches * fee))
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
    """The table of a study: each entry's roles and their total, and the total of all entries.

    Raises:
        ValueError: If logs do not tell what was used.
    """
    if not found:
        raise ValueError("Cost: these logs do not tell what was used.")
    rows: list[dict[str, Cell]] = []
    totals = []
    for entry in study.entries:
        own = [cost for cost in found if cost.entry == entry.label]
        if own:
            rows += _rows(entry, own)
            totals.append(len(rows) - 1)
    if len(totals) > 1:
        rows.append({"model": "all models", "role": ALL, **_total(found)})
        totals.append(len(rows) - 1)
    columns = (
        Column("model", "Model"),
        Column("role", "Role"),
        Column("by", "Used"),
        Column("tokens_in", "Tokens read", "integer", help="Those from a provider's cache included."),
        Column("tokens_out", "Tokens written", "integer"),
        Column(
            "usd",
            "USD",
            "number",
            2,
            help="By the price list, else as the log has it. A total is known if all that is in it is.",
        ),
        Column("per_question", "USD a question", "number", 4, help="Of several epochs, for each of them."),
        Column(
            "seconds",
            "Seconds a question",
            "number",
            1,
            help="Mean over samples; in the total, from a sample's beginning to its end. Resolver and verifier have "
            "one time together, of the run that asked them; the generator has what is left, if that was its own run.",
        ),
    )
    notes = ["Answers that came from Inspect's cache cost nothing, and are not counted."]
    if _searches(study.entries) and not any(cost.role == SEARCH for cost in found):
        notes.append("What searches cost is not in it: their fee is not known, and can be given with --prices.")
    return Table("costs", "Tokens, money and time", columns, tuple(rows), tuple(notes), emphasised=frozenset(totals))


def _rows(entry: Entry, own: list[RoleCost]) -> list[dict[str, Cell]]:
    """An entry's roles, and their total as the last row."""
    samples = sum(len(run.samples) for run in entry.runs)
    times = role_times(entry)
    rows: list[dict[str, Cell]] = [
        {
            "model": cost.entry,
            "role": cost.role,
            "by": cost.model,
            "tokens_in": cost.tokens_in,
            "tokens_out": cost.tokens_out,
            "usd": cost.usd,
            "per_question": None if cost.usd is None else cost.usd / samples,
            "seconds": times.generator if cost.role == GENERATOR else None,
        }
        for cost in own
    ]
    judges = next((row for row in rows if row["role"] in ("resolver", "verifier")), None)
    if judges is not None:
        judges["seconds"] = times.judges
    elif times.judges > 0:
        rows.append({"model": entry.label, "role": "judges", "seconds": times.judges})
    total = _total(own)
    usd = total["usd"]
    per_question = usd / samples if isinstance(usd, float) else None
    return [*rows, {"model": entry.label, "role": ALL, **total, "per_question": per_question, "seconds": times.whole}]


def _total(costs: list[RoleCost]) -> dict[str, Cell]:
    usd = [cost.usd for cost in costs]
    return {
        "tokens_in": sum(cost.tokens_in for cost in costs),
        "tokens_out": sum(cost.tokens_out for cost in costs),
        "usd": None if None in usd else math.fsum(one for one in usd if one is not None),
    }


def _searches(entries: Iterable[Entry]) -> float:
    return sum(float(sample.told.get("searches", 0)) for one in entries for run in one.runs for sample in run.samples)
