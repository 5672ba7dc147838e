"""Prices of the release: the hourly trusted series, or raw prices with their volumes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

import polars as pl

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.layout import ReleaseLayout
from cruxbench_inspect.markets.release.records import read_json, read_moment
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA
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


def read_prices(layout: ReleaseLayout, market_ids: Iterable[str]) -> ReleasedPrices:
    """Read the prices of markets; one whose file is missing or damaged has none, and a note says so."""
    market_ids = list(market_ids)
    kind: PriceKind = "trusted" if any(layout.trusted_prices(each).is_file() for each in market_ids) else "raw"
    rows: list[tuple[str, datetime, float | None, float | None]] = []
    last_hours, notes = {}, []
    for market_id in market_ids:
        try:
            prices = _hourly_yes(
                layout.trusted_prices(market_id) if kind == "trusted" else layout.raw_prices(market_id)
            )
            volumes = {} if kind == "trusted" else _hourly_volumes(layout.activity(market_id))
        except InputError as error:
            notes.append(f"question {market_id} has no {kind} prices: {error}")
            continue
        last_hours[market_id] = max(prices)
        rows += [(market_id, hour, prices.get(hour), volumes.get(hour)) for hour in sorted({*prices, *volumes})]
    return ReleasedPrices(kind, pl.DataFrame(rows, schema=PRICE_SCHEMA, orient="row"), last_hours, notes)


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
