"""Stages of the funnel that judge a market by its record, its texts and the number of its prices."""

from datetime import datetime

import polars as pl

from cruxbench_inspect.markets.deadlines import stated_deadline
from cruxbench_inspect.markets.funnel_stage import Stage, keep_where, shown, shown_time
from cruxbench_inspect.markets.keywords import KeywordList, Matching
from cruxbench_inspect.markets.periods import rank
from cruxbench_inspect.markets.rules_text import as_of_rules

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"


def one_record() -> Stage:
    return Stage(
        "one record per market",
        "The first record of every market id.",
        keep_where(pl.col("id").is_first_distinct(), pl.lit("an earlier record has the same id")),
    )


def history_reaches(earliest: datetime) -> Stage:
    return Stage(
        f"price history ends on or after {earliest:%Y-%m-%d}",
        "Markets whose last price is not too old.",
        keep_where(
            pl.col("last_point") >= earliest,
            pl.format("its last price is {}", shown_time(pl.col("last_point"), "missing")),
        ),
        {"earliest": earliest.isoformat()},
    )


def has_resolution() -> Stage:
    return Stage(
        "has a resolution",
        "Markets that closed and paid one outcome in full.",
        keep_where(
            pl.col("settled").is_in(["confirmed", "unconfirmed"]),
            pl.format(
                "its outcome is {}",
                pl.col("settled").replace({"split": "a split payout", "no_label": "none of its labels"}),
            ),
        ),
    )


def is_open() -> Stage:
    return Stage(
        "open",
        "Markets that still trade.",
        keep_where(pl.col("settled") == "open", pl.format("its outcome is {}", pl.col("settled"))),
    )


def first_of_equal_questions() -> Stage:
    return Stage(
        "first of equal question texts",
        "The first market, as they were listed, of every text.",
        keep_where(
            pl.col("question").is_first_distinct(),
            pl.format("market {} asks the same", pl.col("id").first().over("question")),
        ),
    )


def confirmed_resolution() -> Stage:
    return Stage(
        "resolution status resolved",
        "Markets whose resolution is proven, by the oracle's status in the record or by a second opinion.",
        keep_where(
            pl.col("settled") == "confirmed",
            pl.format(
                "its status is {}, and no second opinion confirms its outcome",
                shown(pl.col("resolution_status"), "missing"),
            ),
        ),
    )


def has_yes() -> Stage:
    return Stage(
        "has a Yes outcome",
        "Markets with the outcomes Yes and No.",
        keep_where(pl.col("has_yes"), pl.lit("its outcomes are not Yes and No")),
    )


def no_tag(excluded: tuple[str, ...]) -> Stage:
    tag = pl.element().str.strip_chars().str.to_lowercase()
    hit = pl.col("tags").list.eval(pl.element().filter(tag.is_in([name.lower() for name in excluded]))).list.first()
    return Stage(
        f"no tag of {', '.join(excluded)}",
        "Markets without an excluded tag, in any case.",
        keep_where(hit.is_null(), pl.format("it has the tag {}", shown(hit, ""))),
        {"excluded_tags": list(excluded)},
    )


def no_keyword(name: str, lists: tuple[KeywordList, ...], matching: Matching, *, in_description: bool = False) -> Stage:
    text = pl.concat_str("description", "question", separator=" ") if in_description else pl.col("question")
    where = "description or question" if in_description else "question"
    hits = [pl.format(f'"{{}}" ({keywords.name})', keywords.first_in(text, matching)) for keywords in lists]
    hit = pl.coalesce(hits) if hits else pl.lit(None, dtype=pl.String)
    return Stage(
        f"no {name} in the {where}",
        f"Markets whose {where} has no word or phrase of the lists.",
        keep_where(hit.is_null(), pl.format(f"the {where} has {{}}", shown(hit, ""))),
        {"lists": [keywords.name for keywords in lists], "matching": matching},
    )


def scheduled_close() -> Stage:
    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        rows = frame.select("description", "question", "opened", "closes").iter_rows()
        stated = [
            stated_deadline(as_of_rules(description).text, question, opened, closes) or closes
            for description, question, opened, closes in rows
        ]
        deadlines = pl.Series("deadline", stated, pl.Datetime("us", "UTC"))
        known = pl.col("deadline").is_not_null()
        return keep_where(known, pl.lit("it has no scheduled close, and its rules state no deadline"))(
            frame.with_columns(deadlines)
        )

    return Stage(
        "has a scheduled close",
        "Markets whose rules state a deadline, which is the one that binds, or whose record has a scheduled close.",
        judge,
    )


def horizon(shortest_days: int) -> Stage:
    opened, closes = pl.col("opened"), pl.coalesce("closes", "deadline")
    days = (closes - opened).dt.total_days()
    times = (shown_time(moment, "unknown") for moment in (opened, closes))
    lasts = pl.format("it runs {} whole days, from {} to {}", days, *times)
    return Stage(
        f"scheduled to run at least {shortest_days} whole days",
        "Markets with enough time from their opening to their scheduled close.",
        keep_where(days >= shortest_days, lasts),
        {"shortest_horizon_days": shortest_days},
    )


def enough_points(fewest: int) -> Stage:
    return Stage(
        f"at least {fewest} points in the Yes history",
        "Markets with enough prices.",
        keep_where(pl.col("points") >= fewest, pl.format("its Yes history has {} points", pl.col("points"))),
        {"fewest_points": fewest},
    )


def no_placeholder(kept: bool) -> Stage:
    return Stage(
        "placeholders kept" if kept else "no placeholder",
        'Markets that stand for something of their own, not for "Other" or for someone who is not named yet.',
        keep_where(pl.lit(kept) | ~pl.col("placeholder"), pl.lit("it is a placeholder of its group")),
        {"placeholders": kept},
    )


def one_per_event(seed: int) -> Stage:
    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        ranks = pl.Series("rank", [rank(seed, market) for market in frame["id"]], dtype=pl.String)
        drawn = pl.col("id").sort_by("rank").first().over("event_id")
        kept = pl.col("event_id").is_null() | (pl.col("id") == drawn)
        why = pl.format("market {} was drawn of event {}", drawn, shown(pl.col("event_id"), ""))
        return keep_where(kept, why)(frame.with_columns(ranks)).drop("rank")

    return Stage("one market per event", "A market of every event, drawn by the seed.", judge, {"seed": seed})


def largest_of_similar_questions() -> Stage:
    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        ordered = frame.sort("volume_usdc", descending=True, nulls_last=True, maintain_order=True)
        ordered = ordered.with_columns(similar_text(pl.col("question")).alias("similar"))
        why = pl.format(
            "market {} asks the same but for dates and numbers, and more was traded in it",
            pl.col("id").first().over("similar"),
        )
        return keep_where(pl.col("similar").is_first_distinct(), why)(ordered).drop("similar")

    return Stage(
        "largest of similar question texts",
        "Of the questions that are equal without months, numbers and punctuation, the one most traded.",
        judge,
    )


def similar_text(question: pl.Expr) -> pl.Expr:
    """What is left of a question without months, numbers, punctuation and case."""
    return (
        question.str.to_lowercase()
        .str.replace_all(rf"\b(?:{_MONTHS})\b", "")
        .str.replace_all(r"\b\d+\b", "")
        .str.replace_all(r"[^\w\s]", "")
        .str.replace_all(r"\s+", " ")
        .str.strip_chars()
    )
