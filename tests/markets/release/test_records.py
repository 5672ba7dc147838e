from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.records import (
    ReleasedCrux,
    ReleasedForecast,
    ReleasedQuestion,
    read_moment,
    read_records,
)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2025-09-18T00:00:10+00:00", "2025-09-18T00:00:10+00:00"),
        ("2026-01-28 22:53:04+00", "2026-01-28T22:53:04+00:00"),
        ("2025-09-17T19:03:50.0129881Z", "2025-09-17T19:03:50.012988+00:00"),
        ("2025-09-16T14:00:00", "2025-09-16T14:00:00+00:00"),
        ("2025-09-16", "2025-09-16T00:00:00+00:00"),
        ("2025-09-16T20:00:00-04:00", "2025-09-17T00:00:00+00:00"),
        ("Tue, 16 Sep 2025 14:00:00 GMT", "2025-09-16T14:00:00+00:00"),
        (1758153610000, "2025-09-18T00:00:10+00:00"),
        (1758153610000.0, "2025-09-18T00:00:10+00:00"),
        (1758153610, "2025-09-18T00:00:10+00:00"),
    ],
)
def test_moments_in_all_their_forms(written: object, moment: str) -> None:
    assert read_moment(written) == datetime.fromisoformat(moment)


@pytest.mark.parametrize("value", ["some day", "", "2025-13-01", None, True, float("nan"), float("inf"), 1e300, []])
def test_what_is_no_moment(value: object) -> None:
    with pytest.raises(ValueError, match="is no date and time|too near"):
        read_moment(value)


@given(st.integers(315532800, 4102444800), st.integers(-14, 14))
def test_moments_survive_milliseconds_and_zones(seconds: int, offset: int) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    assert read_moment(1000 * seconds) == moment
    assert (
        read_moment((moment + timedelta(hours=offset)).replace(tzinfo=None).isoformat() + f"{offset:+03d}:00") == moment
    )


def question(**changes: Any) -> dict[str, Any]:
    window = {"period_idx": 0, "start": "2025-09-18T00:00:10+00:00", "end": "2025-10-18T00:00:10+00:00"}
    return {"id": 601697, "question": "Will it?", "active_windows": [window], **changes}


def test_a_data_frame_leaves_numbers_and_nulls() -> None:
    record = ReleasedQuestion.model_validate(
        question(id=601697.0, description=None, tags=None, events=None, closedTime=float("nan"), negRisk=1.0)
    )
    assert (record.id, record.description, record.tags, record.events, record.closed) == ("601697", "", (), (), None)


@pytest.mark.parametrize(
    ("value", "flag"), [(True, True), (1.0, True), (0, False), ("False", False), (None, None), (float("nan"), None)]
)
def test_flags(value: object, flag: bool | None) -> None:
    assert ReleasedCrux.model_validate({"resolvable": value}).resolvable is flag


def test_texts_that_are_none() -> None:
    crux = ReleasedCrux.model_validate({"background_information": ["a", "b"], "rationale": None, "source_urls": None})
    assert (crux.background_information, crux.rationale, crux.source_urls) == ('["a", "b"]', "", ())


def test_a_bad_record_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    file = tmp_path / "forecasts.json"
    rows = '{"ultimate_question": "U", "period_idx": 0, "p_u": %s}'
    file.write_text(f"[{rows % '0.5'}, {rows % '1.5'}, 7, {rows % 1}]", encoding="utf-8")
    records, problems = read_records(file, ReleasedForecast)
    assert [record.p_u for record in records] == [0.5, 1.0]
    assert [problem.split(":")[0] for problem in problems] == [
        "forecasts.json, record 1, p_u",
        "forecasts.json, record 2, ",
    ]


@pytest.mark.parametrize("content", [b"{}", b"[1", b"", b"\xff"])
def test_files_that_are_no_list(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "forecasts.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"forecasts\.json"):
        read_records(file, ReleasedForecast)
    with pytest.raises(InputError, match="cannot be read"):
        read_records(tmp_path / "missing.json", ReleasedForecast)


@pytest.mark.parametrize("told", ["https://courier.example/a", ["https://courier.example/a"]])
@pytest.mark.parametrize("name", ["source_url", "source_urls"])
def test_case_25_a_source_under_either_name(name: str, told: Any) -> None:
    assert ReleasedCrux.model_validate({name: told}).source_urls == ("https://courier.example/a",)
