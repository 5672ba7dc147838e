"""Reading a snapshot file: records of markets as the exchange lists them, with their daily prices."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.packed_file import CutOff, records_in
from cruxbench_inspect.markets.polymarket.fields import labels_of, moment_of, number_of, object_of
from cruxbench_inspect.markets.polymarket.records import Skipped, read_market
from cruxbench_inspect.markets.tolerant_json import tolerant_json

Seconds = NDArray[np.int64]
Prices = NDArray[np.float64]

_ZONES = frozenset(("Z", "+00:00", "+0000", "+00", ""))


@dataclass(frozen=True, eq=False)
class SnapshotLine:
    """What one record of a snapshot holds.

    Attributes:
        market: The market, None where the record is none that can be used.
        skipped: Why not.
        days: The moments of its Yes prices, in seconds since 1970, growing.
        prices: The Yes prices at these moments.
        raw: The record.
        unread: How many prices of Yes could not be read; a whole history that cannot be read counts as one.
    """

    market: Market | None
    skipped: Skipped | None
    days: Seconds = field(default_factory=lambda: np.empty(0, np.int64))
    prices: Prices = field(default_factory=lambda: np.empty(0, np.float64))
    raw: Mapping[str, Any] = field(default_factory=dict)
    unread: int = 0


def read_snapshot(path: Path) -> Iterator[SnapshotLine]:
    """The records of a snapshot file, in its order, one at a time.

    A record is a market as the exchange lists it. ``price_history`` in it holds its prices, also as JSON in a text:
    ``{"Yes": {"2026-01-31T00:00:00+00:00": 0.25}, "No": {}}``. What cannot be read is skipped and said; if the file
    ends too early, the last line says so. A second record of a market is skipped.

    Args:
        path: JSON lines, or one JSON array; plain, gzip or zstd.

    Raises:
        InputError: If there is no such file, or no record in it.
    """
    seen: set[str] = set()
    any_record = False
    try:
        for _, record, name in records_in(path):
            any_record = True
            line = _line(record, name)
            id = None if line.market is None else line.market.id
            if id in seen:
                line = SnapshotLine(None, Skipped("duplicate_id", f"{name}: market {id} came before"), raw=line.raw)
            elif id is not None:
                seen.add(id)
            yield line
    except CutOff as error:
        yield SnapshotLine(None, Skipped("cut_off", f"{path.name}: {error}. What came before is used"))
        return
    if not any_record:
        raise InputError(
            f"{path}: there is no record in it. A file of market records is wanted, one JSON object a line"
        )


def _line(record: bytes, name: str) -> SnapshotLine:
    try:
        raw = tolerant_json(record)
    except ValueError as error:
        return SnapshotLine(None, Skipped("bad_json", f"{name}: it is no whole JSON: {error}"))
    found = read_market(raw)
    if isinstance(found, Skipped):
        said = Skipped(found.reason, f"{name}: {found.detail}")
        return SnapshotLine(None, said, raw=raw if isinstance(raw, dict) else {})
    days, prices, unread = _history(raw.get("price_history"))
    return SnapshotLine(found, None, days, prices, raw, unread)


def _history(value: object) -> tuple[Seconds, Prices, int]:
    history = object_of(value)
    side = next((side for label, side in history.items() if labels_of([label]) == ["yes"]), None)
    points = object_of(side)
    if not points:
        return np.empty(0, np.int64), np.empty(0, np.float64), int(_is_garbled(value) or _is_garbled(side))
    seconds, prices = _seconds(list(points)), _numbers(list(points.values()))
    good = (seconds > 0) & (prices >= 0) & (prices <= 1)  # not a number is none of these
    unread = int(len(good) - np.count_nonzero(good))
    if unread:
        seconds, prices = seconds[good], prices[good]
    if len(seconds) > 1 and not np.all(seconds[1:] > seconds[:-1]):
        order = np.argsort(seconds, kind="stable")
        seconds, prices = seconds[order], prices[order]
        last = np.append(seconds[1:] != seconds[:-1], True)
        seconds, prices = seconds[last], prices[last]
    return seconds, prices, unread


def _is_garbled(value: object) -> bool:
    """Whether a value that should be an object, or JSON of one in a text, is neither that nor empty."""
    if isinstance(value, str):
        try:
            value = tolerant_json(value) if value.strip() else None
        except ValueError:
            return True
    empty_cell = isinstance(value, float) and math.isnan(value)
    return bool(value) and not isinstance(value, dict) and not empty_cell


def _seconds(texts: list[str]) -> Seconds:
    """Moments as seconds since 1970, 0 for what is none."""
    if all(text[19:] in _ZONES and len(text) >= 19 for text in texts):
        try:
            return np.array([text[:19] for text in texts], dtype="datetime64[s]").astype(np.int64)
        except ValueError:
            pass
    moments = [moment_of(int(text) if text.isdecimal() and len(text) < 16 else text) for text in texts]
    return np.array([0 if moment is None else int(moment.timestamp()) for moment in moments], dtype=np.int64)


def _numbers(values: list[Any]) -> Prices:
    numbers = [value if type(value) is float else number_of(value) for value in values]
    return np.array([np.nan if number is None else number for number in numbers], dtype=np.float64)
