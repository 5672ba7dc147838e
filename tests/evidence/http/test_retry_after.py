from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.http.retry_after import retry_after

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@given(st.integers(min_value=0, max_value=10**12))
def test_seconds(seconds: int) -> None:
    assert retry_after(str(seconds), NOW) == seconds


@given(st.integers(min_value=-(10**8), max_value=10**8))
def test_a_date_counts_from_now_and_never_below_zero(seconds: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after(date, NOW) == max(0, seconds)


@pytest.mark.parametrize(
    "value",
    [
        "Sat, 31 Jan 2026 12:00:30 GMT",
        "Saturday, 31-Jan-26 12:00:30 GMT",
        "Sat Jan 31 12:00:30 2026",
        "Sat, 31 Jan 2026 13:00:30 +0100",
        " 30 ",
        "30.0",
        "30, 5",
        "1,30",
    ],
)
def test_forms_that_are_in_use(value: str) -> None:
    assert retry_after(value, NOW) == 30


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "soon",
        "-5",
        "+5",
        "1_000",
        "1e3",
        "nan",
        "inf",
        "٣٠",
        "30 s",
        "2026-01-31T12:00:30Z",
        "Sat, 31 Jan 99999 12:00:30 GMT",
        "Sat, 31 Foo 2026 12:00:30 GMT",
        "Sat, 31 Jan 2026 12:00:30 +9999999999",
    ],
)
def test_anything_else_says_nothing(value: str | None) -> None:
    assert retry_after(value, NOW) is None


def test_an_enormous_number_stays_one() -> None:
    assert retry_after("9" * 200, NOW) == float("9" * 200)


@given(st.text() | st.text(alphabet="0123456789 :-+,.JanFebSunMonGMT"))
def test_no_text_makes_it_fail(value: str) -> None:
    seconds = retry_after(value, NOW)
    assert seconds is None or seconds >= 0
