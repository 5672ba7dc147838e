"""The explanation of a score: one short Markdown table and a sparkline of the market."""

import re
from datetime import datetime
from urllib.parse import urlsplit

from cruxbench_inspect.crux import Crux, CruxFault
from cruxbench_inspect.prices import HourlySeries
from cruxbench_inspect.questions import Question
from cruxbench_inspect.resolution import Evidence, Resolution
from cruxbench_inspect.settlement import Settlement
from cruxbench_inspect.utc import HOUR

_BARS = "▁▂▃▄▅▆▇█"
_COLUMNS = 60

_REASONS = {
    "no_response": "the generator answered nothing",
    "no_crux": "no crux in the generator's answer",
    "truncated": "the generator's answer is cut off",
    "invalid_crux": "the crux is malformed",
    "refusal": "the generator refused",
    "out_of_dates": "the crux's dates are outside of the allowed stretch",
    "unresolvable": "the crux cannot be settled",
    "after_settlement": "it became known when the market had settled",
    "before_first_price": "it became known before the market had enough prices",
    "generation_failed": "not scored: the run of the generator ended in an error",
    "late_crux": "not scored: it was made too late for a live round",
    "prices_missing": "not scored: the set has no prices of this question",
    "prices_pending": "not scored yet: the prices are not complete",
    "window_open": "not scored yet: the window is not over",
    "no_evidence": "not scored: the judge was shown no admissible document",
    "search_outage": "not scored: the search did not answer",
    "rate_limit": "not scored: a rate limit",
    "judge_failed": "not scored: the judge failed",
}


def explain(
    question: Question,
    crux: Crux | CruxFault,
    resolution: Resolution | None,
    settlement: Settlement,
    trusted: HourlySeries | None,
    detail: str = "",
) -> str:
    """What a person needs to follow one score.

    Args:
        question: The ultimate question.
        crux: What was proposed.
        resolution: How it was settled, if it was.
        settlement: What it scored.
        trusted: The question's trusted prices, if there are any.
        detail: More about trouble.
    """
    rows = [("Market", question.question), *_crux_rows(crux)]
    if resolution is not None:
        rows += _resolution_rows(resolution)
    if settlement.reason is not None:
        told = _REASONS.get(settlement.reason, settlement.reason)
        rows.append(("Score", f"{told}{f' ({detail})' if detail else ''}"))
    if settlement.p_before is not None and settlement.p_after is not None:
        values = settlement.values
        rows += [
            ("Belief", f"{settlement.p_before:.3f} before, {settlement.p_after:.3f} after"),
            (
                "KL",
                f"{values['voi_kl']:.4f} bits; random timing {values['random_kl']:.4f}, "
                f"oracle {values['oracle_kl']:.4f}, percentile {100 * values['timing_percentile']:.0f}",
            ),
        ]
    if settlement.sensitivity is not None:
        lowest, mean, highest = settlement.sensitivity
        rows.append(("At any hour of the day", f"{lowest:.4f} to {highest:.4f} bits, mean {mean:.4f}"))
    if resolution is not None and resolution.evidence:
        rows.append(("Evidence", "; ".join(_link(item) for item in resolution.evidence)))
    table = ["| | |", "|---|---|", *(f"| {_cell(name)} | {text} |" for name, text in _escaped(rows))]
    if trusted is not None and len(trusted.values):
        table += ["", sparkline(question, trusted, settlement.pivot)]
    return "\n".join(table)


def sparkline(question: Question, trusted: HourlySeries, pivot: datetime | None) -> str:
    """The window's prices from 0 to 1 in 60 bars, with a stroke where the crux became known."""
    first, last = question.window.hours
    part = trusted.between(first, last)
    if not len(part.values):
        return ""
    count = len(part.values)
    columns = min(_COLUMNS, count)
    bars = []
    for column in range(columns):
        begin, end = column * count // columns, (column + 1) * count // columns
        bars.append(_BARS[min(int(part.values[begin:end].mean() * len(_BARS)), len(_BARS) - 1)])
    if pivot is not None and part.start <= pivot + HOUR:
        place = min(part.index(pivot + HOUR) * columns // count, columns)
        bars.insert(place, "┃")
    return "".join(bars)


def _crux_rows(crux: Crux | CruxFault) -> list[tuple[str, str]]:
    if isinstance(crux, CruxFault):
        return [("Fault", crux.detail)]
    return [("Crux", crux.question), ("Its dates", f"{crux.start_date} to {crux.end_date}")]


def _resolution_rows(resolution: Resolution) -> list[tuple[str, str]]:
    if resolution.moment is None:
        return [("Outcome", f"unresolvable: {resolution.failure_mode}"), ("Why", resolution.reasoning)]
    stated = "" if resolution.local_time is None else f" (stated: {resolution.local_time} {resolution.zone or ''})"
    rows = [
        ("Outcome", str(resolution.answer)),
        ("Resolved at", f"{resolution.moment:%Y-%m-%d %H:%M} UTC{stated}"),
        ("Precision, rule", f"{resolution.precision}, {resolution.rule}"),
    ]
    verification = resolution.verification
    if verification is not None and verification.moment_before is not None:
        rows.append(("Moved from", f"{verification.moment_before:%Y-%m-%d %H:%M} UTC: {verification.reason}"))
    return rows


def _link(item: Evidence) -> str:
    title = item.title or item.document_id
    # Only an ordinary address becomes a link: titles and addresses come from the web.
    if urlsplit(item.url).scheme in ("http", "https") and not re.search(r"[\s()<>|]", item.url):
        return f"[{title.translate(_BRACKETS)}]({item.url})"
    return title


_BRACKETS = str.maketrans({"[": "(", "]": ")"})


def _escaped(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, _cell(text)) for name, text in rows]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
