"""Stages of the funnel that find a market's evaluation window, and judge it by prices and volume."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

import polars as pl

from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stage import Stage, keep_where, shown, shown_time, with_whys
from cruxbench_inspect.markets.periods import Period, choose_window, is_active, live_window, periods, windows

_MOMENT = pl.Datetime("us", "UTC")


def active_period(rules: FunnelRules) -> Stage:
    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        active, whys = [], []
        histories = zip(frame["day_seconds"], frame["day_prices"], strict=True)
        for laid, (seconds, prices) in zip(_laid(frame, rules), histories, strict=True):
            moments, values = seconds.to_numpy(), prices.to_numpy()
            found = [period.index for period in laid if is_active(period, moments, values, rules.certain)]
            active.append(found)
            whys.append(
                None if found else f"its daily prices are decided throughout each period (periods: {len(laid)})"
            )
        column = pl.Series("active_periods", active, dtype=pl.List(pl.Int64))
        return with_whys(frame.with_columns(column), whys)

    return Stage(
        f"an active period of {rules.period_days} days",
        f"Markets with a period of prices neither all at most {rules.certain} nor all at least {1 - rules.certain}.",
        judge,
        {"earliest": rules.earliest.isoformat(), "period_days": rules.period_days, "certain": rules.certain},
    )


def long_window(rules: FunnelRules) -> Stage:
    shortest, margin = timedelta(days=rules.shortest_window_days), timedelta(days=rules.margin_days)
    scheduled = rules.window_end == "scheduled_close"

    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        found = []
        rows = frame.select("active_periods", "last_point", "deadline").iter_rows()
        for laid, (active, last, closes) in zip(_laid(frame, rules), rows, strict=True):
            chosen = [laid[index] for index in active]
            found.append(windows(chosen, last, closes if scheduled else None, shortest, margin))
        columns = [
            pl.Series("window_periods", [[window.index for window in each] for each in found], pl.List(pl.Int64)),
            pl.Series("window_starts", [[window.start for window in each] for each in found], pl.List(_MOMENT)),
            pl.Series("window_ends", [[window.end for window in each] for each in found], pl.List(_MOMENT)),
        ]
        why = pl.format(
            "no active period (of {}) has enough days before its last price ({}) and its scheduled close ({})",
            pl.col("active_periods").list.len(),
            shown_time(pl.col("last_point"), ""),
            shown_time(pl.col("deadline"), "none"),
        )
        return keep_where(pl.col("window_periods").list.len() > 0, why)(frame.with_columns(columns))

    return Stage(
        f"an active window of at least {rules.shortest_window_days} days",
        f"Markets with such a window that ends {rules.margin_days} days before the last price and the scheduled close.",
        judge,
        {
            "shortest_window_days": rules.shortest_window_days,
            "margin_days": rules.margin_days,
            "window_end": rules.window_end,
        },
    )


def one_window(seed: int) -> Stage:
    names = ("window_periods", "window_starts", "window_ends")

    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        drawn = [
            choose_window([Period(*window) for window in zip(*choices, strict=True)], seed, market)
            for market, *choices in frame.select("id", *names).iter_rows()
        ]
        return with_whys(_with_windows(frame.drop(names), drawn), [None] * len(drawn))

    return Stage(
        "one window per question", "All of them, each with one window, drawn by the seed.", judge, {"seed": seed}
    )


def undecided(certain: float, start: datetime) -> Stage:
    price = pl.col("day_prices").list.last()

    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        if frame.filter(pl.col("last_point") >= start).height:
            raise ValueError("the frame has prices at or after the round's start: build it with before=start")
        kept = (price > certain) & (price < 1 - certain)
        return keep_where(kept, pl.format("its last price before the start is {}", shown(price, "missing")))(frame)

    return Stage(
        f"price between {certain} and {1 - certain}",
        "Markets that are undecided by their last price before the round's start.",
        judge,
        {"certain": certain, "start": start.isoformat()},
    )


def window_before_close(rules: FunnelRules, start: datetime) -> Stage:
    shortest, margin = timedelta(days=rules.shortest_window_days), timedelta(days=rules.margin_days)
    length = timedelta(days=rules.period_days)

    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        found = [live_window(start, closes, length, shortest, margin) for closes in frame["deadline"]]
        ends = pl.Series("window_end", [window and window.end for window in found], _MOMENT)
        columns = frame.with_columns(pl.lit(0).alias("period"), pl.lit(start).cast(_MOMENT).alias("window_start"), ends)
        why = pl.format("its scheduled close, {}, comes too soon", shown_time(pl.col("deadline"), ""))
        return keep_where(pl.col("window_end").is_not_null(), why)(columns)

    return Stage(
        f"a window of at least {rules.shortest_window_days} days",
        f"Markets whose scheduled close leaves such a window, {rules.margin_days} days before it.",
        judge,
        {"start": start.isoformat(), "shortest_window_days": rules.shortest_window_days},
    )


def traded(name: str, where: str, rules: FunnelRules, volumes_usdc: Mapping[str, float]) -> Stage:
    smallest = rules.smallest_volume_usdc
    amount = pl.col("window_volume_usdc")

    def judge(frame: pl.DataFrame) -> pl.DataFrame:
        column = pl.Series(amount.meta.output_name(), [volumes_usdc[market] for market in frame["id"]], pl.Float64)
        why = pl.format("{} USDC were traded " + where, amount.round(2))
        return keep_where(amount > smallest, why)(frame.with_columns(column))

    return Stage(
        f"{name} above {smallest:,.0f} USDC ({rules.volume_basis.replace('_', '-')})",
        f"Markets in which enough was traded {where}.",
        judge,
        {"window_volume_usdc": smallest, "volume_basis": rules.volume_basis},
    )


def _laid(frame: pl.DataFrame, rules: FunnelRules) -> Iterable[tuple[Period, ...]]:
    length = timedelta(days=rules.period_days)
    for first, last in frame.select("first_point", "last_point").iter_rows():
        yield periods(first, last, rules.earliest, length)


def _with_windows(frame: pl.DataFrame, chosen: list[Period]) -> pl.DataFrame:
    return frame.with_columns(
        pl.Series("period", [window.index for window in chosen], pl.Int64),
        pl.Series("window_start", [window.start for window in chosen], _MOMENT),
        pl.Series("window_end", [window.end for window in chosen], _MOMENT),
    )
