"""The result of an audit: how much of what models were shown leaks, and what."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.audit.findings import Finding
from cruxbench_inspect.audit.items import Item, ItemKind, Role
from cruxbench_inspect.statistics import wilson_interval
from cruxbench_inspect.utc import UtcDatetime


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class CheckedItem:
    """An item with what was found in it.

    Attributes:
        item: The item.
        findings: Its leaks.
        unjudged: Whether the auditor was asked about it and came to no verdict.
    """

    item: Item
    findings: tuple[Finding, ...]
    unjudged: bool = False


class Share(_Frozen):
    """How many items leak.

    Attributes:
        items: Items that were checked, whether or not an auditor came to a verdict on them as well.
        flagged: Those among them with a leak.
        rate: Their part; None without items.
        interval: Its Wilson interval at 95 percent; None without items.
    """

    items: int
    flagged: int
    rate: float | None
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, checked: Iterable[CheckedItem]) -> "Share":
        """The share of leaking items."""
        leaks = [bool(one.findings) for one in checked]
        if not leaks:
            return cls(items=0, flagged=0, rate=None, interval=None)
        flagged = sum(leaks)
        return cls(
            items=len(leaks),
            flagged=flagged,
            rate=flagged / len(leaks),
            interval=wilson_interval(flagged, len(leaks)),
        )


class FlaggedItem(_Frozen):
    """An item that leaks.

    Attributes:
        log: The log.
        sample: The sample's id.
        role: Who was shown it.
        kind: What it is.
        document_id: Its id, "" if it has none.
        url: Its address, "" if it was not shown.
        title: Its title, "" if it has none.
        tool: The tool that showed it, None for a prompt.
        cutoff: The first moment that is too late for it.
        count: How often it was shown.
        findings: Its leaks.
    """

    log: str
    sample: str
    role: Role
    kind: ItemKind
    document_id: str
    url: str
    title: str
    tool: str | None
    cutoff: UtcDatetime
    count: int
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, checked: CheckedItem) -> "FlaggedItem":
        """The item without its text."""
        item = checked.item
        return cls(
            log=item.log,
            sample=item.sample,
            role=item.role,
            kind=item.kind,
            document_id=item.document_id,
            url=item.url,
            title=item.title,
            tool=item.tool,
            cutoff=item.cutoff,
            count=item.count,
            findings=checked.findings,
        )


class AuditorUse(_Frozen):
    """What the auditor was used for.

    Attributes:
        model: Its name.
        prompts: Versions of its prompts.
        judged: Items on which it came to a verdict.
        unjudged: Items on which it did not: for them the other checks alone decide.
        tokens: Tokens of its calls, cached ones included.
        troubles: What stopped it, each kind once.
    """

    model: str
    prompts: tuple[str, ...]
    judged: int
    unjudged: int
    tokens: int
    troubles: tuple[str, ...] = ()


class Audit(_Frozen):
    """The result of an audit.

    Attributes:
        logs: The logs that were read.
        samples: How many samples.
        shown: How often anything was shown; an item that was shown several times counts once among the items.
        everything: The share over all items.
        by_role: The shares of what the generator and what the judges were shown.
        by_kind: The shares by kind of item.
        by_class: The shares by proof class, ``unknown`` where the log does not tell it.
        flagged: The items that leak.
        problems: What could not be audited, one line each.
        auditor: What the auditor was used for, None if there was none.
    """

    logs: tuple[str, ...]
    samples: int
    shown: int
    everything: Share
    by_role: dict[str, Share]
    by_kind: dict[str, Share]
    by_class: dict[str, Share]
    flagged: tuple[FlaggedItem, ...]
    problems: tuple[str, ...] = ()
    auditor: AuditorUse | None = None

    @classmethod
    def of(
        cls,
        logs: Sequence[str],
        samples: int,
        checked: Sequence[CheckedItem],
        problems: Sequence[str],
        auditor: AuditorUse | None,
    ) -> "Audit":
        """Sum up checked items."""
        return cls(
            logs=tuple(logs),
            samples=samples,
            shown=sum(one.item.count for one in checked),
            everything=Share.of(checked),
            by_role=_shares(checked, lambda one: one.item.role),
            by_kind=_shares(checked, lambda one: one.item.kind),
            by_class=_shares(checked, lambda one: one.item.proof or "unknown"),
            flagged=tuple(FlaggedItem.of(one) for one in checked if one.findings),
            problems=tuple(problems),
            auditor=auditor,
        )

    @property
    def exit_code(self) -> int:
        """1 if something leaks, something could not be audited, or nothing was there to audit; else 0."""
        return int(bool(self.flagged or self.problems) or not self.everything.items)


def _shares(checked: Sequence[CheckedItem], part: Callable[[CheckedItem], str]) -> dict[str, Share]:
    grouped = groupby(sorted(checked, key=part), key=part)
    return {name: Share.of(list(group)) for name, group in grouped}
