"""From a study to a report: which tables and figures there are, in which order, and what is missing and why."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cruxbench_inspect.inference.corrections import holm
from cruxbench_inspect.report.baselines import baseline_values
from cruxbench_inspect.report.crux_similarity import method
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.wording import counted
from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.material import MOST_SHOWN, Material
from cruxbench_inspect.report.methods_text import methods_text
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.report import Report, Section
from cruxbench_inspect.report.sections import PLANS, Part
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.tables.comparisons import difference
from cruxbench_inspect.report.tables.value_of_information import model_row
from cruxbench_inspect.report.viewer_links import Viewer, with_links
from cruxbench_inspect.report.widths import width_scores
from cruxbench_inspect.utc import format_utc

if TYPE_CHECKING:
    from cruxbench_inspect.report.embeddings.asking import Embeddings


@dataclass(frozen=True)
class Choices:
    """What a report has.

    Attributes:
        title: Its title, None for one of the question sets' names.
        leaderboard: Whether it has only what is published.
        cases: How many questions are shown one by one.
        figures: Whether it has figures.
    """

    title: str | None = None
    leaderboard: bool = False
    cases: int = 6
    figures: bool = True


def build_report(
    study: Study,
    prices: PriceList,
    choices: Choices,
    now: datetime,
    folder: Path,
    embeddings: "Embeddings | None" = None,
) -> Report:
    """Make all tables and figures.

    A table or figure that cannot be made of these logs is missing with its reason; the others are not touched by it.

    Args:
        study: The study.
        prices: What models and searches cost.
        choices: What is wanted.
        now: The present.
        folder: Where the report will be; a bundled log viewer beside it is linked.
        embeddings: Embeddings of ``likeness.compared_cruxes``, None where none were asked for.
    """
    material = Material(study, width_scores(study), prices, choices.cases, embeddings, choices.figures)
    viewer = Viewer.beside(folder)
    sections: list[Section] = []
    for plan in PLANS:
        if choices.leaderboard and not plan.published:
            continue
        made, missing = _made((*plan.tables, *(_drawing(name) for name in plan.figures if choices.figures)), material)
        if viewer is not None:
            made = tuple(with_links(one, study, viewer) if isinstance(one, Table) else one for one in made)
        if choices.leaderboard:
            # Its readers cannot add what is missing.
            missing = ()
        if made or missing:
            sections.append(Section(plan.name, plan.title, plan.text, made, missing))
    if choices.figures and len(study.labels) > MOST_SHOWN:
        first = sections[0]
        told = f"Figures that tell models apart show the {MOST_SHOWN} with the highest VOI."
        sections[0] = replace(first, missing=(*first.missing, told))
    alike = any(part.name == "likeness" for section in sections for part in section.parts)
    methods = methods_text(study, material.widths, method(material) if alike else "")
    sections.append(Section("methods", "Methods", methods))
    if study.left_out and not choices.leaderboard:
        listed = "\n".join(f"- {_plain(line)}" for line in study.left_out)
        sections.append(Section("left_out", "Logs that do not count", listed))
    names = sorted({run.set_name for entry in study.entries for run in entry.runs})
    return Report(
        choices.title or f"CruxBench: {', '.join(names)}",
        _lead(material),
        tuple(sections),
        (*study.warnings, *_known_to_models(study)),
        format_utc(now.replace(microsecond=0)),
        None if viewer is None else viewer.address,
    )


def _made(parts: Sequence[Part], material: Material) -> tuple[tuple[Table | Figure, ...], tuple[str, ...]]:
    made: list[Table | Figure] = []
    missing: list[str] = []
    for part in parts:
        try:
            made += part(material)
        except ValueError as error:
            missing.append(str(error))
    return tuple(made), tuple(missing)


def _drawing(name: str) -> Part:
    from cruxbench_inspect.report import drawings

    part: Part = getattr(drawings, name)
    return part


def _known_to_models(study: Study) -> list[str]:
    knew = [f"{label} ({study.knew(label)})" for label in study.labels if study.knew(label)]
    unknown = [label for label in study.labels if study.facts[label].knows_until is None]
    told = []
    if knew:
        told.append(f"Models that may have known what happened, with the number of such windows: {', '.join(knew)}.")
    if unknown:
        told.append(
            f"Of {', '.join(unknown)} neither knowledge cutoff nor release is known, and so not whether they may have "
            "known what happened."
        )
    return told


def _lead(material: Material) -> str:
    study = material.study
    rows = [row for row in (model_row(study, label) for label in study.labels) if not math.isnan(row.voi)]
    asked = counted(len(study.questions), "question")
    if not rows:
        return f"{counted(len(study.labels), 'model')} on {asked}, and no score."
    ranked = sorted((row for row in rows if row.unranked is None), key=lambda row: -row.voi)
    others = counted(len(rows) - len(ranked), "model")
    if not ranked:
        return f"{counted(len(rows), 'model')} on {asked}; none of them can be ranked."
    best = ranked[0]
    doubt = f" It {best.doubts}." if best.doubts else ""
    # Entries of several sets, or widths, have no baseline in common.
    has_one = study.has_one_width and len(study.questions_of(best.label)) == len(study.questions)
    random = mean(baseline_values(study, "random_kl").values()) if has_one else best.voi - best.excess
    asked = counted(len(study.questions_of(best.label)), "question")
    told = f"{best.voi:.4f} bits a question, where random timing has {random:.4f}"
    if len(ranked) == 1:
        lead = f"On {asked}, {best.label} scores {told}."
    else:
        significant = sum(row.p < 0.05 for row in ranked)
        second = ranked[1].label
        apart = (
            "is told apart from" if _corrected_p(material, best.label, second) < 0.05 else "cannot be told apart from"
        )
        compared = f" It {apart} the second, {second} (by p after Holm's correction);"
        has = "has"
        if best.voi == ranked[1].voi:
            compared, has = "", f"and {second} share"
        lead = (
            f"On {asked}, {best.label} {has} the highest mean of {len(ranked)} ranked models: {told}.{compared} "
            f"{significant} of them {'is' if significant == 1 else 'are'} above random timing (p < 0.05, one-sided, "
            "uncorrected)."
        )
    unranked = f" {others} without a rank {'is' if len(rows) - len(ranked) == 1 else 'are'} not in this comparison."
    return lead + doubt + (unranked if len(rows) > len(ranked) else "")


def _corrected_p(material: Material, first: str, second: str) -> float:
    """The p value of two models' difference as the table of pairs has it; of others, uncorrected."""
    corrected = holm([one.p for _, _, one in material.pairs])
    of_pairs = {frozenset((one, other)): p for (one, other, _), p in zip(material.pairs, corrected, strict=True)}
    found = of_pairs.get(frozenset((first, second)))
    return difference(material.study, first, second).p if found is None else found


def _plain(text: str) -> str:
    return text.replace("*", "\\*").replace("`", "'")
