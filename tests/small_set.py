"""A small question set in a folder of its own, with prices, outcomes and evidence that a test chooses."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from cruxbench_inspect.utc import HOUR, format_utc, parse_utc

WINDOW_START = parse_utc("2025-03-01T00:00:00Z")
WINDOW_END = parse_utc("2025-03-08T00:00:00Z")
FIRST_PRICE = parse_utc("2025-02-25T00:00:00Z")
LAST_PRICE = parse_utc("2025-03-12T23:00:00Z")
"""96 hours after the window's last hour: a complete series."""

RULING = parse_utc("2025-03-04T12:30:00Z")
"""When the court of the evidence rules, and the market jumps in the hour after."""

QUOTE = "the Alvara harbour court upheld the licence"
RESOLVED_AT = "2025-03-20T07:07:07Z"

Prices = Callable[[datetime], float]


def jump(before: float = 0.3125, after: float = 0.6875, at: datetime = RULING) -> Prices:
    """Prices that are one number up to a moment and another one from then on."""
    return lambda hour: after if hour > at else before


def question(name: str = "harbour", **changes: Any) -> dict[str, Any]:
    """A line of ``questions.jsonl``."""
    return {
        "id": name,
        "source": "invented",
        "market_id": f"market-{name}",
        "event_id": None,
        "question": f"Will the Alvara {name} crossing open by 30 June?",
        "description": "Resolves Yes if the crossing carries paying traffic by 30 June 2025.",
        "opened": "2025-02-20T00:00:00Z",
        "closes": "2025-07-01T00:00:00Z",
        "window": {"start": format_utc(WINDOW_START), "end": format_utc(WINDOW_END)},
        "tags": ["transport"],
        "url": None,
        "articles": [
            {
                "title": "Court to rule on the licence",
                "url": f"https://courier.example/{name}/preview",
                "source": "courier",
                "published": "2025-02-28T09:00:00Z",
                "summary": "The Alvara harbour court is to rule on the licence of the crossing in the coming week.",
            }
        ],
        **changes,
    }


def outcome(name: str = "harbour", **changes: Any) -> dict[str, Any]:
    """A line of ``outcomes.jsonl``."""
    return {"question_id": name, "outcome": "Yes", "resolved_at": RESOLVED_AT, **changes}


def report(**changes: Any) -> dict[str, Any]:
    """A line of ``evidence.jsonl``: the report of the ruling."""
    return {
        "url": "https://courier.example/ruling",
        "title": "Harbour licence upheld",
        "source": "courier",
        "published": format_utc(RULING),
        "text": f"At half past twelve on Tuesday {QUOTE} of the crossing, in a ruling that cannot be appealed.",
        **changes,
    }


def write_set(
    folder: Path,
    questions: Sequence[Mapping[str, Any]] = (question(),),
    *,
    judge: str | None,
    outcomes: Sequence[Mapping[str, Any]] | None = None,
    prices: Prices | Mapping[str, Prices | None] | None = None,
    last_price: datetime = LAST_PRICE,
    evidence: Sequence[Mapping[str, Any]] = (report(),),
    **about: Any,
) -> Path:
    """Write a set with trusted prices.

    Args:
        folder: Where to; it is created.
        questions: Lines of ``questions.jsonl``.
        judge: The model that resolves and verifies by default; None names none.
        outcomes: Lines of ``outcomes.jsonl``, by default Yes for each question.
        prices: Prices of each hour, of all questions or by question id; None for a question leaves it without any.
        last_price: The last hour with a price.
        evidence: Lines of ``evidence.jsonl``.
        about: Changes to ``manifest.json``.

    Returns:
        The folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [str(line["id"]) for line in questions]
    lines: dict[str, Sequence[Mapping[str, Any]]] = {
        "questions.jsonl": questions,
        "outcomes.jsonl": [outcome(name) for name in names] if outcomes is None else outcomes,
        "evidence.jsonl": evidence,
    }
    for file, rows in lines.items():
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    by_name = prices if isinstance(prices, Mapping) else dict.fromkeys(names, prices or jump())
    _price_table(by_name, last_price).write_parquet(folder / "prices.parquet")
    files = [*lines, "prices.parquet"]
    manifest = {
        "format": 1,
        "name": folder.name,
        "version": "1",
        "description": "Invented for a test.",
        "fictional": True,
        "prices": "trusted",
        "evidence": "archive",
        "judges": None if judge is None else {"resolver": judge, "verifier": judge},
        "files": {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files},
        **about,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def _price_table(prices: Mapping[str, Prices | None], last: datetime) -> pl.DataFrame:
    count = (last - FIRST_PRICE) // HOUR + 1
    hours = [FIRST_PRICE + number * HOUR for number in range(count)]
    rows = [(name, hour, price(hour), None) for name, price in prices.items() if price for hour in hours]
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "question_id": pl.String,
        "hour": pl.Datetime("us", "UTC"),
        "price": pl.Float64,
        "volume_usdc": pl.Float64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")
