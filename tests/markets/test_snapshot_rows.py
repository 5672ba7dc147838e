import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cruxbench_inspect.markets.funnel_frame import OtherMarket, Row
from cruxbench_inspect.markets.snapshot import read_snapshot
from cruxbench_inspect.markets.snapshot_rows import row_of

RECORD: dict[str, Any] = {
    "id": "7",
    "question": "Harbour against Valley?",
    "outcomes": '["Harbour", "Valley"]',
    "outcomePrices": '["0", "1"]',
    "closed": True,
    "umaResolutionStatus": "resolved",
    "startDate": "2025-09-01T00:00:00Z",
    "endDate": "2025-12-01T00:00:00Z",
    "price_history": {
        "Harbour": {"2025-09-02T00:00:07+00:00": 0.4, "2025-09-04T00:00:07+00:00": 0.2, "2025-09-03T00:00:07+00:00": 1},
        "Valley": {"2025-09-09T00:00:07+00:00": 0.6},
    },
}


def read(folder: Path, **fields: Any) -> Row | None:
    file = folder / "markets.jsonl"
    file.write_text(json.dumps(RECORD | fields) + "\n", encoding="utf-8")
    (line,) = read_snapshot(file)
    return row_of(line)


def test_a_market_comes_with_its_yes_prices_whatever_the_order_of_outcomes(tmp_path: Path) -> None:
    row = read(tmp_path, outcomes='["No", "Yes"]', price_history={"No": {}, "Yes": {"2025-09-02T00:00:07+00:00": 0.4}})
    assert isinstance(row, tuple)
    market, seconds, prices = row
    assert market.outcome == "Yes"
    assert (seconds.tolist(), prices.tolist()) == ([1756771207], [0.4])


def test_a_market_without_yes_is_counted_with_the_last_price_of_its_first_outcome(tmp_path: Path) -> None:
    last = datetime(2025, 9, 4, 0, 0, 7, tzinfo=UTC)
    assert read(tmp_path) == OtherMarket("7", "Harbour against Valley?", "confirmed", "resolved", last)
    assert read(tmp_path, price_history=json.dumps(RECORD["price_history"])) == read(tmp_path)


@pytest.mark.parametrize(
    ("fields", "settled"),
    [
        ({"closed": False}, "open"),
        ({"outcomePrices": '["0.5", "0.5"]'}, "no_label"),
        ({"outcomePrices": None}, "no_label"),
        ({"umaResolutionStatus": None}, "unconfirmed"),
        ({"umaResolutionStatus": "disputed"}, "unconfirmed"),
        ({"outcomePrices": [1, 0]}, "confirmed"),
    ],
)
def test_how_sure_the_payout_of_another_market_is(tmp_path: Path, fields: dict[str, Any], settled: str) -> None:
    row = read(tmp_path, **fields)
    assert isinstance(row, OtherMarket) and row.settled == settled


@pytest.mark.parametrize("history", [None, {}, "", "{", {"Harbour": {}}, {"Harbour": {"soon": 0.5}}, [1]])
def test_a_market_without_a_readable_price_has_no_last_one(tmp_path: Path, history: object) -> None:
    row = read(tmp_path, outcomes="[]", price_history=history)
    assert isinstance(row, OtherMarket) and row.last_point is None


@pytest.mark.parametrize("fields", [{"id": None}, {"question": " "}, {"outcomes": ["Yes", "No"], "startDate": "soon"}])
def test_a_record_that_cannot_be_used_is_no_row(tmp_path: Path, fields: dict[str, Any]) -> None:
    assert read(tmp_path, **fields) is None
