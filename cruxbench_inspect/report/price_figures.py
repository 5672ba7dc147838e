"""The price of one question with every model's resolution: the paper's figures 6 and 7."""

import math
from collections.abc import Sequence

from cruxbench_inspect.report.case_samples import CaseSamples, SettledCrux
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.price_history import ModelResolution, PriceHistory, price_history
from cruxbench_inspect.report.gathering.study import Study


def price_figures(study: Study, shown: Sequence[str], key: str, samples: CaseSamples, name: str) -> list[Figure]:
    """The figure of a question, none where its prices are not known.

    Args:
        study: The study.
        shown: The entries whose resolutions are shown.
        key: The question.
        samples: What whole samples have of the question.
        name: The figure's name.
    """
    history = _history(study, key)
    if history is None:
        return []
    resolutions = _resolutions(study, shown, key, samples)
    return [price_history(history, resolutions, name=name, models=shown, paper="Figures 6 and 7")]


def _history(study: Study, key: str) -> PriceHistory | None:
    question = study.question(key)
    loaded = next((one for one in study.sets.values() if question in one.questions), None)
    if question is None or loaded is None:
        return None
    raw, trusted = loaded.untreated(question.id), loaded.trusted(question.id)
    if raw is None or trusted is None:
        return None
    return PriceHistory(
        question.question,
        trusted.start,
        raw.values.tolist() if loaded.manifest.prices == "raw" else None,
        trusted.values.tolist(),
        question.window.start,
        question.window.hours[1],
    )


def _resolutions(study: Study, shown: Sequence[str], key: str, samples: CaseSamples) -> list[ModelResolution]:
    found = []
    for entry in [entry for entry in study.entries if entry.label in shown]:
        for row in study.told(entry.label).iter_rows(named=True):
            if row["question"] != key:
                continue
            found.append(
                ModelResolution(
                    model=entry.label,
                    crux=row["crux"] or "no crux",
                    time=row["resolved_at"],
                    answer=row["outcome"] or (row["reason"] or "").replace("_", " "),
                    rule=(row["rule"] or "").replace("_", " "),
                    precision=(row["precision"] or "").replace("_", " "),
                    before=_number(row["p_before"]),
                    after=_number(row["p_after"]),
                    kl=_number(row["voi_kl"]),
                    evidence=_evidence(samples.get(entry.label, ())),
                )
            )
    return found


def _evidence(cruxes: Sequence[SettledCrux]) -> str:
    """The title of the first document that a judge cited; empty where there is none."""
    for cited in (one.resolution.evidence for one in cruxes if one.resolution is not None):
        if cited:
            date = cited[0].published[:10]
            return cited[0].title + (f" ({date})" if date else "")
    return ""


def _number(value: float | None) -> float:
    return math.nan if value is None else value
