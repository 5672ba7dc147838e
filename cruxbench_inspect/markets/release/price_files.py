"""Prices of the release: the hourly trusted series, or raw prices with their volumes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.layout import ReleaseLayout
from cruxbench_inspect.markets.release.records import read_json, read_moment
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA
from cruxbench_inspect.prices import PriceRules, hourly_prices, hourly_volume, trusted_prices
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.questions import Question
from cruxbench_inspect.utc import HOUR, floor_hour

PriceKind = Literal["raw", "trusted"]


@dataclass(frozen=True)
class ReleasedPrices:
    """Prices of all questions.

    Attributes:
        kind: Trusted, where the release has any trusted series, else raw.
        table: Columns of a set's price file.
        last_hours: The last hour with a price, by question id.
        notes: What is missing.
    """

    kind: PriceKind
    table: pl.DataFrame
    last_hours: Mapping[str, datetime]
    notes: list[str]


def read_prices(layout: ReleaseLayout, questions: Mapping[str, Question]) -> ReleasedPrices:
    """Read the prices of markets; what is missing or damaged is noted.

    Where the release has trusted series, that of a market without one is computed of its raw prices and volumes.

    Args:
        layout: The release.
        questions: By market id.
    """
    kind: PriceKind = "trusted" if any(layout.trusted_prices(each).is_file() for each in questions) else "raw"
    rows: list[tuple[str, datetime, float | None, float | None]] = []
    last_hours: dict[str, datetime] = {}
    notes: list[str] = []
    for market_id, question in questions.items():
        volumes: Mapping[datetime, float] = {}
        try:
            if kind == "trusted":
                prices = _trusted(layout, question, notes)
            else:
                prices = _hourly_yes(layout.raw_prices(market_id))
                volumes = _hourly_volumes(layout.activity(market_id))
        except InputError as error:
            notes.append(f"question {market_id} has no {kind} prices: {error}")
            continue
        last_hours[market_id] = max(prices)
        rows += [(market_id, hour, prices.get(hour), volumes.get(hour)) for hour in sorted({*prices, *volumes})]
    return ReleasedPrices(kind, pl.DataFrame(rows, schema=PRICE_SCHEMA, orient="row"), last_hours, notes)


def _trusted(layout: ReleaseLayout, question: Question, notes: list[str]) -> dict[datetime, float]:
    try:
        return _hourly_yes(layout.trusted_prices(question.id))
    except InputError as error:
        try:
            raw, volumes = _hourly_yes(layout.raw_prices(question.id)), _hourly_volumes(layout.activity(question.id))
        except InputError as other:
            raise InputError(f"{error}; {other}") from None
        series = hourly_prices(list(raw), list(raw.values())).between(question.window.hours[0] - MARGIN, max(raw))
        if not len(series.values):
            raise InputError(f"{error}; its raw prices end before its window") from None
        reach = len(series.values) + PriceRules().half_window_hours
        volume = hourly_volume(list(volumes), list(volumes.values()), series.start, reach)
        notes.append(f"question {question.id}: its trusted prices are computed of raw ones and volumes, since {error}")
        values = trusted_prices(series.values, volume).tolist()
        return {series.start + number * HOUR: price for number, price in enumerate(values)}


def _hourly_yes(path: Path) -> dict[datetime, float]:
    """Yes prices by the hour; the last price of an hour counts."""
    content = read_json(path)
    history = content.get("Yes") if isinstance(content, dict) else None
    if not isinstance(history, dict) or not history:
        raise InputError(f"{path} has no Yes prices")
    try:
        points = sorted((read_moment(moment), float(price)) for moment, price in history.items() if price is not None)
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}, Yes: {error}") from None
    wrong = next((price for _, price in points if not 0 <= price <= 1), None)
    if wrong is not None or not points:
        raise InputError(f"{path}, Yes: {wrong} is not between 0 and 1" if points else f"{path} has no Yes prices")
    return {floor_hour(moment): price for moment, price in points}


def _hourly_volumes(path: Path) -> dict[datetime, float]:
    content = read_json(path)
    try:
        start, volumes = floor_hour(read_moment(content["t0"])), [float(volume) for volume in content["vol"]]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path} has no t0 and vol") from None
    if not volumes or not all(0 <= volume < float("inf") for volume in volumes):
        raise InputError(f"{path}, vol: volumes must be amounts of USDC, at least one")
    return {start + number * HOUR: volume for number, volume in enumerate(volumes)}
