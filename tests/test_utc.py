"""Moments: parsed with their zone, printed with a Z."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from cruxbench_inspect.utc import UtcDatetime, floor_hour, format_utc, parse_utc


class Holder(BaseModel):
    moment: UtcDatetime


@given(st.datetimes(timezones=st.timezones()))
def test_what_is_printed_reads_back_as_the_same_moment(moment: datetime) -> None:
    assert parse_utc(format_utc(moment)) == moment.astimezone(UTC)
    assert format_utc(moment).endswith("Z")


@pytest.mark.parametrize("text", ["2025-10-26T00:00:00", "2025-10-26", "soon", "", "2025-13-01T00:00:00Z"])
def test_a_moment_without_a_zone_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"names no time zone|is no ISO 8601"):
        parse_utc(text)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00"])
def test_a_moment_out_of_all_calendars_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is before the year 1 or after the year 9999 in UTC"):
        parse_utc(text)
    for value in (text, datetime.fromisoformat(text)):
        with pytest.raises(ValidationError):
            Holder.model_validate({"moment": value})


@given(st.datetimes(timezones=st.timezones(), min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)))  # noqa: DTZ001
def test_a_field_takes_an_aware_moment_as_it_takes_its_text(moment: datetime) -> None:
    held = Holder.model_validate({"moment": moment}).moment
    assert held == Holder.model_validate({"moment": moment.isoformat()}).moment and held.tzinfo is UTC


@pytest.mark.parametrize("value", [1_700_000_000, None, datetime(2025, 1, 1), "2025-10-26T00:00:00"])  # noqa: DTZ001
def test_a_field_takes_neither_numbers_nor_naive_moments(value: object) -> None:
    with pytest.raises(ValidationError):
        Holder.model_validate({"moment": value})


def test_a_field_holds_utc() -> None:
    held = Holder.model_validate({"moment": "2025-10-26T01:30:00+05:30"}).moment
    assert held == datetime(2025, 10, 25, 20, tzinfo=UTC)
    assert held.tzinfo is UTC
    assert floor_hour(held.replace(minute=59)) == held
