import gzip
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.polymarket.records import read_market
from cruxbench_inspect.markets.snapshot import SnapshotLine, read_snapshot
from tests.loopback.polymarket_records import record
from tests.loopback.polymarket_world import MarketWorld

T0 = datetime(2025, 12, 24, tzinfo=UTC)
DAY = timedelta(days=1)
WORLD = MarketWorld(markets=60, odd=False)
RECORDS = [record(WORLD, market) for market in WORLD.all]


def with_history(raw: dict[str, Any], days: int = 5) -> dict[str, Any]:
    yes = {(T0 + day * DAY + timedelta(seconds=7)).isoformat(): day / 100 for day in range(days)}
    return {**raw, "price_history": {"Yes": yes, "No": {moment: 1 - price for moment, price in yes.items()}}}


ROWS = [with_history(raw, days) for days, raw in enumerate(RECORDS)]


def as_lines(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_array(rows: list[Any]) -> bytes:
    return json.dumps(rows, separators=(",", ":")).encode()


def as_pretty_array(rows: list[Any]) -> bytes:
    return b"\xef\xbb\xbf \n" + json.dumps(rows, indent=2, ensure_ascii=False).encode() + b"\n"


def as_windows_lines(rows: list[Any]) -> bytes:
    return b"\n" + "\r\n\r\n".join(json.dumps(row) for row in rows).encode()


def plain(content: bytes) -> bytes:
    return content


def two_frames(content: bytes) -> bytes:
    half = len(content) // 2
    return zstandard.compress(content[:half]) + zstandard.compress(content[half:])


def two_members(content: bytes) -> bytes:
    return gzip.compress(content[:100], mtime=0) + gzip.compress(content[100:], mtime=0)


def read(folder: Path, content: bytes, name: str = "snapshot.jsonl") -> list[SnapshotLine]:
    path = folder / name
    path.write_bytes(content)
    return list(read_snapshot(path))


def good(lines: list[SnapshotLine]) -> list[SnapshotLine]:
    return [line for line in lines if line.market is not None]


def told(lines: list[SnapshotLine]) -> list[tuple[str, str]]:
    return [(line.skipped.reason, line.skipped.detail) for line in lines if line.skipped is not None]


@pytest.mark.parametrize("form", [as_lines, as_array, as_pretty_array, as_windows_lines])
@pytest.mark.parametrize("pack", [plain, gzip.compress, zstandard.compress, two_frames, two_members])
def test_all_forms_of_the_file_hold_the_same(
    tmp_path: Path, form: Callable[[list[Any]], bytes], pack: Callable[[bytes], bytes]
) -> None:
    lines = read(tmp_path, pack(form(ROWS)))
    assert [line.market for line in lines] == [read_market(row) for row in ROWS]
    assert [dict(line.raw) for line in lines] == ROWS
    for days, line in enumerate(lines):
        assert line.days.dtype == np.int64
        assert line.prices.dtype == np.float64
        assert line.days.tolist() == [int((T0 + day * DAY).timestamp()) + 7 for day in range(days)]
        assert line.prices.tolist() == [day / 100 for day in range(days)]
        assert line.unread == 0


def test_a_line_that_is_none_is_told_by_its_number_and_never_the_end(tmp_path: Path) -> None:
    content = b"\n".join(
        [as_lines(ROWS[:1]).strip(), b'{"id": "7", "question": "Wi', b"", b"null", b"\xff\xfe", as_lines(ROWS[1:2])]
    )
    lines = read(tmp_path, content)
    assert [line.market.id for line in good(lines) if line.market] == [ROWS[0]["id"], ROWS[1]["id"]]
    reasons = told(lines)
    assert [reason for reason, _ in reasons] == ["bad_json", "no_object", "bad_json"]
    assert reasons[0][1].startswith("line 2: it is no whole JSON: Unterminated string")
    assert reasons[1][1] == "line 4: no object but None"
    assert reasons[2][1].startswith("line 5:")


def test_a_record_of_a_list_that_is_none_is_told_by_its_number(tmp_path: Path) -> None:
    content = b"[" + b",".join([as_lines(ROWS[:1]).strip(), b'{"id": 7, "question": nope}', as_lines(ROWS[1:2])]) + b"]"
    lines = read(tmp_path, content)
    assert len(good(lines)) == 2
    assert told(lines)[0][0] == "bad_json"
    assert told(lines)[0][1].startswith("record 2:")


def test_a_market_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    lines = read(tmp_path, as_lines([{**ROWS[0], "outcomes": '["Up", "Down"]'}, ROWS[1]]))
    assert told(lines) == [("not_yes_no", f"line 1: market {ROWS[0]['id']}: outcomes: ['Up', 'Down']")]
    assert len(good(lines)) == 1


def test_the_second_record_of_a_market_is_skipped(tmp_path: Path) -> None:
    lines = read(tmp_path, as_lines([ROWS[3], ROWS[4], {**ROWS[3], "question": "Will it?"}]))
    assert told(lines) == [("duplicate_id", f"line 3: market {ROWS[3]['id']} came before")]
    assert lines[0].market is not None
    assert lines[0].market.question == ROWS[3]["question"]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("form", [as_lines, as_array])
def test_what_is_readable_of_a_file_that_is_cut_off_is_used(
    tmp_path: Path, pack: Callable[[bytes], bytes], form: Callable[[list[Any]], bytes]
) -> None:
    noisy = [{**row, "noise": np.random.default_rng(place).bytes(60_000).hex()} for place, row in enumerate(ROWS)]
    packed = pack(form(noisy))
    lines = read(tmp_path, packed[: len(packed) * 2 // 3])
    assert 10 < len(good(lines)) < len(ROWS)
    assert told(lines)[-1][0] == "cut_off"
    assert "What came before is used" in told(lines)[-1][1]


@pytest.mark.parametrize("keep", [-1, -2, -300, 1_000])
def test_a_list_that_is_not_closed_is_told(tmp_path: Path, keep: int) -> None:
    lines = read(tmp_path, as_array(ROWS)[:keep])
    assert told(lines)[-1][0] == "cut_off"
    assert len(good(lines)) == (60 if keep == -1 else 59 if keep < 0 else 0)


def test_half_a_last_line_is_told(tmp_path: Path) -> None:
    lines = read(tmp_path, as_lines(ROWS)[:-300])
    assert len(good(lines)) == 59
    assert told(lines)[0][0] == "bad_json"
    assert told(lines)[0][1].startswith("line 60:")


def test_damage_within_packed_data_is_told(tmp_path: Path) -> None:
    for pack in (gzip.compress, zstandard.compress):
        packed = bytearray(pack(as_lines(ROWS)))
        packed[len(packed) // 2] ^= 0xFF
        packed[len(packed) // 2 + 1] ^= 0xFF
        try:
            lines = read(tmp_path, bytes(packed))
        except InputError as error:
            assert "no record" in str(error) or "empty" in str(error)
        else:
            assert told(lines)


@pytest.mark.parametrize("content", [b"", b" \n\n", b"[]", b"[ ]\n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("pack", [plain, gzip.compress, zstandard.compress])
def test_an_empty_file_is_an_error(tmp_path: Path, content: bytes, pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InputError, match="one JSON object a line"):
        read(tmp_path, pack(content))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_snapshot(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_snapshot(tmp_path))


def history_of(folder: Path, history: Any) -> SnapshotLine:
    (line,) = read(folder, as_lines([{**RECORDS[0], "price_history": history}]))
    return line


SECOND = int(datetime(2026, 1, 31, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    "moment",
    ["2026-01-31T00:00:00+00:00", "2026-01-31T00:00:00Z", "2026-01-31 00:00:00+00", "2026-01-31T00:00:00",
     "2026-01-31T00:00:00.000Z", "2026-01-30T24:00:00Z", "2026-01-31T01:00:00+01:00", "2026-01-31", str(SECOND),
     f"{SECOND}000"],
)  # fmt: skip
@pytest.mark.parametrize("label", ["Yes", "yes", "YES "])
def test_moments_in_all_forms(tmp_path: Path, moment: str, label: str) -> None:
    for history in (
        {label: {moment: 0.25}},
        json.dumps({label: {moment: "0.25"}}),
        {label: json.dumps({moment: 0.25})},
    ):
        line = history_of(tmp_path, history)
        assert (line.days.tolist(), line.prices.tolist(), line.unread) == ([SECOND], [0.25], 0)


def test_prices_come_by_time_and_what_is_none_is_counted(tmp_path: Path) -> None:
    yes = {
        "2026-01-03T00:00:00Z": 0.3,
        "2026-01-01T00:00:00Z": 0,
        "2026-01-02T00:00:00Z": 1,
        "2026-01-03T00:00:00+00:00": 0.4,
        "2026-01-04T00:00:00Z": None,
        "2026-01-05T00:00:00Z": 1.01,
        "2026-01-06T00:00:00Z": float("nan"),
        "2026-01-07T00:00:00Z": "much",
        "soon": 0.5,
    }
    line = history_of(tmp_path, {"Yes": yes})
    assert line.prices.tolist() == [0, 1, 0.4]
    assert np.all(np.diff(line.days) == 86_400)
    assert line.unread == 5


@pytest.mark.parametrize(
    "history",
    [
        None,
        {},
        [],
        "",
        " ",
        "{}",
        "null",
        math.nan,
        {"No": {"2026-01-01T00:00:00Z": 0.5}},
        {"Yes": None},
        {"Yes": "{}"},
    ],
)
def test_a_market_without_a_history_of_yes_has_no_prices(tmp_path: Path, history: Any) -> None:
    line = history_of(tmp_path, history)
    assert line.market is not None
    assert len(line.days) == len(line.prices) == line.unread == 0


@pytest.mark.parametrize("history", ["{", '{"Yes": {"2026-01-01T00:00:00Z": 0.5', "[0.5]", [0.5], 7, {"Yes": [0.5]}])
def test_a_history_that_cannot_be_read_at_all_is_counted(tmp_path: Path, history: Any) -> None:
    line = history_of(tmp_path, history)
    assert line.market is not None
    assert (len(line.days), len(line.prices), line.unread) == (0, 0, 1)


@pytest.mark.parametrize("bad", [b"\\ud83d", b"\x0b", b"\xff"])
@pytest.mark.parametrize("form", [as_lines, as_array])
def test_a_sign_that_json_forbids_costs_no_record(
    tmp_path: Path, form: Callable[[list[Any]], bytes], bad: bytes
) -> None:
    named = [{**row, "question": f"{row['question']} SIGN"} for row in ROWS[:3]]
    lines = read(tmp_path, form(named).replace(b"SIGN", bad, 1))
    assert [line.raw["id"] for line in lines] == [row["id"] for row in named]
    assert "bad_json" not in dict(told(lines))
    lines[0].raw["question"].encode("utf-8")


TEXTS = st.text(alphabet='"\\{}[],:\n a\u00e9', max_size=12)
OBJECTS = st.dictionaries(
    TEXTS, TEXTS | st.lists(TEXTS, max_size=2) | st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=3
)


@settings(max_examples=100)
@given(rows=st.lists(OBJECTS, min_size=1, max_size=5))
def test_whatever_stands_in_texts_records_are_told_apart(
    rows: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    named = [{"id": str(place), "extra": row} for place, row in enumerate(rows)]
    for form in (as_lines, as_array, as_pretty_array):
        assert [dict(line.raw) for line in read(folder, form(named), "texts.json")] == named


def test_a_list_is_split_the_same_wherever_it_is_cut_into_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": "1", "a": 'x"\\', "b": {"c\\\\": "}{"}}, {"id": "2", "e": '[\\"]'}]
    for size in (1, 2, 3, 5, 7, 11):
        monkeypatch.setattr("cruxbench_inspect.markets.packed_file._PIECE", size)
        assert [dict(line.raw) for line in read(tmp_path, as_array(rows))] == rows
        assert [dict(line.raw) for line in read(tmp_path, as_lines(rows))] == rows
