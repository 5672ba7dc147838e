"""Whether the result rests on few questions, on thin markets, or on how prices are treated."""

import math
from collections.abc import Mapping
from datetime import timedelta

import numpy as np
import polars as pl
from numpy.typing import NDArray

from cruxbench_inspect.inference.concentration import tercile_means, top_share
from cruxbench_inspect.inference.paired import sign_flip_p
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.score_rows import question_key
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import mean
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.widths import WidthScores, of_single_cruxes
from cruxbench_inspect.settlement import baseline_hours
from cruxbench_inspect.utc import HOUR
from cruxbench_inspect.voi import InformationValues

Mask = NDArray[np.bool_]

PINNED = (0.1, 0.9)
"""Prices up to the first or from the second on are called pinned."""

FIRST_HOURS = timedelta(hours=48)
"""The beginning of a window that is left out: its moves may be late reactions to what was known before."""

_DIGITS = 12
"""Decimals of prices that are compared: a mean of equal prices differs from them by rounding."""

_TOP = 10
_FLIPS = 2_000


def robustness(study: Study, widths: WidthScores) -> Table:
    """The table of a study: mean VOI over random timing in bits, under other choices."""
    late = pl.col("resolved_at").is_null() | (pl.col("resolved_at") > pl.col("window_start") + FIRST_HOURS)
    moving = pl.col("p_before").round(_DIGITS).is_between(*PINNED, closed="none")
    used = {width for label in study.labels if (width := study.width_of(label)) is not None}
    random = {width: _random_in_parts(widths, width) for width in used}
    raw = _raw_excess(study)
    volumes = _volumes(study)
    rows: list[dict[str, Cell]] = []
    for label in study.labels:
        scored = study.scored(label).filter(pl.col("excess_kl").is_not_nan())
        samples = study.scored_samples(label).filter(pl.col("excess_kl").is_not_nan())
        above, events = scored["excess_kl"].to_list(), event_clusters(scored)
        row: dict[str, Cell] = {
            "model": label,
            "above": mean(above),
            "flip": sign_flip_p(above, events, _FLIPS, two_sided=False) if above else None,
            "top": top_share(scored["voi_kl"].to_list(), _TOP) if above else None,
            "raw": mean(raw.get((label, question)) for question in scored["question"].to_list()) if raw else None,
        }
        if (width := study.width_of(label)) is not None:
            late_random, moving_random = random[width]
            row["late"] = _over_part(samples.filter(late), late_random)
            row["moving"] = _over_part(samples.filter(moving), moving_random)
        traded = [
            (value, volumes.get(question, math.nan)) for question, value in zip(scored["question"], above, strict=True)
        ]
        known = [(value, volume) for value, volume in traded if not math.isnan(volume)]
        if len(known) >= 3:
            thirds = tercile_means(*(np.array(part) for part in zip(*known, strict=True)))
            row |= {name: third.mean for name, third in zip(("thin", "middle", "thick"), thirds, strict=True)}
        rows.append(row)
    columns = (
        Column("model", "Model"),
        Column("above", "Over random", "number", 4, help="Mean difference to random timing in bits, as in table 1."),
        Column("flip", "p (sign flips)", "p_value", help="One-sided, whole events are flipped."),
        Column("top", f"Top {_TOP}", "share", 0, help=f"Share of the sum of VOI that {_TOP} questions have."),
        Column("raw", "Raw prices", "number", 4, help="Over random, with prices as traded instead of trusted ones."),
        Column("thin", "Thin third", "number", 4, help="Over random, in the third of questions with least volume."),
        Column("middle", "Middle third", "number", 4, help="The same in the middle third."),
        Column("thick", "Thick third", "number", 4, help="The same in the third with most volume."),
        Column(
            "late",
            "After 48 hours",
            "number",
            4,
            help="Without the first 48 hours, in cruxes and in random timing.",
        ),
        Column(
            "moving",
            "Not pinned",
            "number",
            4,
            help="Where the price before is between 0.1 and 0.9, in cruxes and in random timing.",
        ),
    )
    return Table("robustness", "What the result rests on", columns, tuple(rows))


def _over_part(counted: pl.DataFrame, random: Mapping[str, float]) -> float:
    """Mean VOI of the cruxes that count over random timing in a part of the window's hours, by question."""
    return mean(
        voi - random[question]
        for question, voi in counted.select("question", "voi_kl").iter_rows()
        if question in random
    )


def _random_in_parts(widths: WidthScores, width: int) -> tuple[dict[str, float], dict[str, float]]:
    """Random timing at a width without the first hours, and where prices move, by question."""
    timings = widths.timing.items()
    return (
        {question: _random(timing, width, _late_hours(timing)) for question, timing in timings},
        {question: _random(timing, width, _moving_hours(timing, width)) for question, timing in timings},
    )


def _random(timing: InformationValues, width: int, hours: Mask) -> float:
    """Random timing in a part of the window's hours."""
    return mean(timing.at_every_hour(width).kl[hours].tolist())


def _late_hours(timing: InformationValues) -> Mask:
    return np.arange(len(timing.at_every_hour(1).kl)) >= FIRST_HOURS // HOUR


def _moving_hours(timing: InformationValues, width: int) -> Mask:
    before = np.round(timing.before_at_every_hour(width), _DIGITS)
    return np.asarray((before > PINNED[0]) & (before < PINNED[1]))


def _raw_excess(study: Study) -> dict[tuple[str, str], float]:
    """VOI over random timing on raw prices, by entry and question; without entries with several cruxes or widths.

    Empty where no set has raw prices.
    """
    widths = {label: width for label in of_single_cruxes(study) if (width := study.width_of(label)) is not None}
    rows = study.scores.filter(pl.col("coverage") > 0, pl.col("entry").is_in(list(widths)))
    by_question = rows.select("question", "entry", "moments").partition_by("question", as_dict=True, include_key=False)
    found: dict[tuple[str, str], float] = {}
    for loaded in study.sets.values():
        if loaded.manifest.prices != "raw":
            continue
        for question in loaded.questions:
            key = question_key(loaded.digest, question.id, len(study.sets))
            series = loaded.untreated(question.id) if (key,) in by_question else None
            if series is None:
                continue
            hours = baseline_hours(question, loaded.outcome(question.id))
            timing = InformationValues(series, *hours, widest=max(widths.values()))
            entries = list(by_question[key,].iter_rows())
            moments = [moment for _, own in entries for moment in own if moment is not None]
            scores = np.nan_to_num(timing.at(moments).values.kl) if moments else np.empty((0, 0))
            columns = iter(range(len(moments)))
            for entry, own in entries:
                row = widths[entry] - 1
                total = math.fsum(0.0 if moment is None else float(scores[row, next(columns)]) for moment in own)
                found[entry, key] = total / len(own) - float(timing.random_timing.kl[row]) if own else math.nan
    return found


def _volumes(study: Study) -> dict[str, float]:
    return {
        question_key(loaded.digest, question.id, len(study.sets)): loaded.traded_usdc(question.id)
        for loaded in study.sets.values()
        for question in loaded.questions
    }
