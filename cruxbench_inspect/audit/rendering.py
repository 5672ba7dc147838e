"""The result of an audit as a text for the terminal."""

from cruxbench_inspect.audit.results import Audit, FlaggedItem, Share
from cruxbench_inspect.utc import format_utc


def render(audit: Audit) -> str:
    """The rates by part, then each item that leaks with what shows it, then what could not be audited."""
    lines = [
        f"{_number(len(audit.logs), 'log')}, {_number(audit.samples, 'sample')}: models were shown "
        f"{_number(audit.everything.items, 'distinct item')}, {audit.shown} in all with repeats",
        "",
        f"{'':<22}{'items':>7}{'flagged':>9}{'rate':>9}   95% (Wilson)",
        _row("everything", audit.everything),
        *(_row(f"  {name}", share) for name, share in audit.by_role.items()),
        *(_row(f"  {name}", share) for name, share in audit.by_kind.items()),
        *(_row(f"  class {name}", share) for name, share in audit.by_class.items()),
    ]
    if audit.everything.rate is None:
        lines += ["", "Nothing was checked: the rate is not defined."]
    if audit.auditor is not None:
        use = audit.auditor
        lines += [
            "",
            f"auditor {use.model}: {_number(use.judged, 'item')} judged, {use.unjudged} without a verdict (about these "
            f"the other checks alone decide), {use.tokens} tokens",
            *(f"  {trouble}" for trouble in use.troubles),
        ]
    for item in audit.flagged:
        lines += ["", *_flagged(item)]
    if audit.problems:
        lines += ["", "Not audited in full:", *(f"  - {problem}" for problem in audit.problems)]
    return "\n".join(lines)


def _row(name: str, share: Share) -> str:
    if share.rate is None or share.interval is None:
        return f"{name:<22}{share.items:>7}{share.flagged:>9}{'-':>9}   -"
    low, high = share.interval
    return f"{name:<22}{share.items:>7}{share.flagged:>9}{share.rate:>9.2%}   {low:.2%} to {high:.2%}"


def _flagged(item: FlaggedItem) -> list[str]:
    name = " ".join(part for part in (item.kind, item.document_id, item.url) if part)
    by = f" by {item.tool}" if item.tool else ""
    repeats = f", {item.count} times" if item.count > 1 else ""
    return [
        f"{item.sample}: {name} shown to the {item.role}{by}{repeats}, cutoff {format_utc(item.cutoff)}",
        f"  in {item.log}",
        *(
            f"  {finding.kind}: {finding.excerpt}" + (f" ({finding.reason})" if finding.reason else "")
            for finding in item.findings
        ),
    ]


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
