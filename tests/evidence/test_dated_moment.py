from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.dated_moment import DatedMoment

MICROSECOND = timedelta(microseconds=1)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def test_a_date_ends_when_it_ends_in_the_last_zone() -> None:
    moment = DatedMoment.parse("2026-01-10")
    assert moment.date_only
    assert moment.earliest == utc(2026, 1, 10)
    assert moment.latest == utc(2026, 1, 11, 12) - MICROSECOND
    assert str(moment) == "2026-01-10"


@pytest.mark.parametrize(
    ("text", "instant", "shown"),
    [
        ("2026-01-10T23:30:00-05:00", utc(2026, 1, 11, 4, 30), "2026-01-11T04:30:00Z"),
        ("2025-10-26T00:00:00Z", utc(2025, 10, 26), "2025-10-26T00:00:00Z"),
        ("2026-01-10 10:00+00:00", utc(2026, 1, 10, 10), "2026-01-10T10:00:00Z"),
    ],
)
def test_a_time_with_an_offset_is_one_instant(text: str, instant: datetime, shown: str) -> None:
    moment = DatedMoment.parse(text)
    assert moment.earliest == moment.latest == instant
    assert not moment.date_only
    assert moment.text == text
    assert str(moment) == shown


@pytest.mark.parametrize("text", ["2026-01-10T11Z", "2026-01-10 11Z", "2026-01-10T12+01", "2026-01-10T06-05:00"])
def test_a_time_without_minutes_may_be_any_of_its_hour(text: str) -> None:
    moment = DatedMoment.parse(text)
    assert (moment.earliest, moment.latest) == (utc(2026, 1, 10, 11), utc(2026, 1, 10, 12) - MICROSECOND)
    assert not moment.date_only and str(moment) == text
    local = DatedMoment.parse("2026-01-10T11")
    assert local.latest == utc(2026, 1, 11, 0) - MICROSECOND


def test_a_time_without_a_zone_may_be_in_any() -> None:
    moment = DatedMoment.parse("2026-01-10T23:30:00")
    assert moment.earliest == utc(2026, 1, 10, 9, 30)
    assert moment.latest == utc(2026, 1, 11, 11, 30)
    assert not moment.date_only
    assert str(moment) == "2026-01-10T23:30:00"


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "3 days ago", "03/04/2026", "2026-13-01", "2026-02-30", "2026-01-10T25:00:00Z", "1761436800",
     "9999-12-31", "0001-01-01T00:00:00", "9999-12-31T23:00:00-05:00", "2026-01-10T24:00:00Z", "© 2026",
     "2026-W02", "2026-W02-1", "20260110", "2026W021T120000Z", "2026-01-10\n12:00:00", "２026-01-10",
     "2026-01-10T12:00:00." + "0" * 1000],
)  # fmt: skip
def test_anything_else_is_refused_with_the_value(text: str) -> None:
    with pytest.raises(ValueError, match="is no date such as") as caught:
        DatedMoment.parse(text)
    assert repr(text) in str(caught.value)


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.integers(-12 * 60, 14 * 60),
)
def test_every_reading_of_a_moment_lies_within_it(instant: datetime, offset: int) -> None:
    local = instant.astimezone(timezone(timedelta(minutes=offset)))
    for text in (local.date().isoformat(), local.replace(tzinfo=None).isoformat(), local.isoformat()):
        moment = DatedMoment.parse(text)
        assert instant <= moment.latest
        if not moment.date_only:
            assert moment.earliest <= instant
