"""A crux in full: its texts, the evidence that settled it, and why its time was moved, for data files and for notes."""

from collections.abc import Iterable, Sequence

from cruxbench_inspect.report.case_samples import SettledCrux
from cruxbench_inspect.report.page.prose import link, literal
from cruxbench_inspect.report.table import Cell
from cruxbench_inspect.resolution import Evidence, Resolution

MOST_CHARACTERS = 3_000
"""How much of a text is shown; data files have all of it."""

MOST_CITED = 8
"""How many documents are shown of those that a judge cites."""


def crux_data(cruxes: Sequence[SettledCrux]) -> dict[str, Cell]:
    """The texts of an entry's cruxes for data files, with a blank line between those of several; without empty ones."""
    texts = {
        "background": (one.crux.background for one in cruxes),
        "resolution_criteria": (one.crux.resolution_criteria for one in cruxes),
        "rationale": (one.crux.rationale for one in cruxes),
        "evidence": ("\n".join(map(_cited, _evidence(one.resolution))) for one in cruxes),
        "time_moved": (_moved(one.resolution) for one in cruxes),
    }
    joined = {key: _joined(found) for key, found in texts.items()}
    return {key: text for key, text in joined.items() if text}


def crux_note(label: str, cruxes: Sequence[SettledCrux]) -> str:
    """The same as a note in markdown: a paragraph that names the entry, and the texts as those that it opens."""
    blocks = [f"**{literal(label)}**: the whole crux and what settled it"]
    for number, one in enumerate(cruxes, start=1):
        if len(cruxes) > 1:
            blocks.append(f"Crux {number} of {len(cruxes)}: {_shown(one.crux.question)}")
        blocks.append("\n".join(f"- {line}" for line in _lines(one)))
    return "\n\n".join(blocks)


def _lines(one: SettledCrux) -> list[str]:
    crux, resolution = one.crux, one.resolution
    named = {
        "Background": crux.background,
        "Resolution criteria": crux.resolution_criteria,
        "Days that count": f"{crux.start_date} to {crux.end_date}",
        "Rationale": crux.rationale,
        "Time moved by the verifier": _moved(resolution),
    }
    lines = [f"*{name}*: {_shown(text)}" for name, text in named.items() if text.strip()]
    cited = _evidence(resolution)
    lines += [f"*Evidence*: {_linked(document)}" for document in cited[:MOST_CITED]]
    if len(cited) > MOST_CITED:
        lines.append(f"*Evidence*: {len(cited) - MOST_CITED} more documents")
    return lines


def _evidence(resolution: Resolution | None) -> tuple[Evidence, ...]:
    return () if resolution is None else resolution.evidence


def _linked(cited: Evidence) -> str:
    title = cited.title if len(cited.title) <= MOST_CHARACTERS else f"{cited.title[:MOST_CHARACTERS]}…"
    date = f", {literal(cited.published[:10])}" if cited.published.strip() else ""
    quote = f": “{_shown(cited.quote)}”" if cited.quote.strip() else ""
    return f"{link(title, cited.url) or 'a document without a title'}{date}{quote}"


def _cited(cited: Evidence) -> str:
    parts = (cited.title, cited.published, cited.url, cited.quote and f"“{cited.quote}”")
    return ", ".join(dict.fromkeys(" ".join(part.split()) for part in parts if part.strip()))


def _moved(resolution: Resolution | None) -> str:
    """From when to when the verifier moved the time, and why; empty where it did not."""
    verification = None if resolution is None else resolution.verification
    if resolution is None or verification is None or verification.moment_before is None or resolution.moment is None:
        return ""
    before, after = (f"{moment:%Y-%m-%d %H:%M} UTC" for moment in (verification.moment_before, resolution.moment))
    return f"from {before} to {after}. {verification.reason}".strip()


def _shown(text: str) -> str:
    whole = " ".join(text.split())
    return literal(whole if len(whole) <= MOST_CHARACTERS else f"{whole[:MOST_CHARACTERS]}…")


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())
