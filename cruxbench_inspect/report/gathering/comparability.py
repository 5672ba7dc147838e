"""Whether runs may stand in one table: only if the same was asked, and judged and scored in the same way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cruxbench_inspect.report.gathering.run import MIXED, Run


@dataclass(frozen=True)
class Difference:
    """Something in which runs differ that decides scores.

    Attributes:
        what: In a word or two.
        groups: The values, and how many runs have each.
    """

    what: str
    groups: Mapping[str, int]

    def line(self) -> str:
        """It as a sentence."""
        parts = ", ".join(f"{value or 'none'} ({count})" for value, count in self.groups.items())
        return f"The logs differ by {self.what}: {parts}."


def differences(runs: Sequence[Run], *, pooled: bool = False) -> list[Difference]:
    """In what runs differ that decides scores, or one of them differs within itself.

    Args:
        runs: The runs.
        pooled: Whether different question sets are meant to stand together.
    """
    found = {
        "question set": [run.terms.question_set for run in runs] if not pooled else [],
        "averaging width in hours": [
            MIXED.join(map(str, run.terms.widths)) if len(run.terms.widths) > 1 else str(run.terms.width)
            for run in runs
        ],
        # Where all cruxes of a run had faults, nobody judged.
        "resolver": [run.terms.resolver for run in runs if run.terms.resolver],
        "verifier": [run.terms.verifier for run in runs if run.terms.resolver],
        "judges' prompts": [run.terms.prompts for run in runs if run.terms.prompts],
        "number of cruxes": [str(run.terms.k) for run in runs],
        "benchmark version": [run.benchmark.split("-")[0] for run in runs],
    }
    return [
        Difference(what, {value: values.count(value) for value in sorted(set(values), key=_in_order)})
        for what, values in found.items()
        if len(set(values)) > 1 or (what in _MAY_BE_MIXED and any(MIXED in value for value in values))
    ]


_MAY_BE_MIXED = ("averaging width in hours", "resolver", "verifier", "judges' prompts")


def _in_order(value: str) -> tuple[int, str]:
    return (len(value) if value.isdigit() else 0, value)
