from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.providers.stated_date import stated_date

ZONES = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.builds(datetime.fromtimestamp, st.integers(631_152_000, 3_786_912_000), ZONES)
MIDNIGHTS = st.integers(7_305, 43_830).map(lambda days: datetime.fromtimestamp(86_400 * days, UTC))


@given(MOMENTS | MIDNIGHTS)
def test_both_forms_give_the_same_moment(moment: datetime) -> None:
    from_mail, from_iso = stated_date(format_datetime(moment)), stated_date(moment.isoformat())
    assert from_mail is not None and from_iso is not None
    assert (from_mail.earliest, from_mail.latest) == (from_iso.earliest, from_iso.latest)
    assert from_mail.earliest <= moment <= from_mail.latest
    assert from_mail.date_only == (moment.astimezone(UTC).time() == datetime.min.time())


@given(MIDNIGHTS.map(datetime.date))
def test_a_day_is_the_whole_day_in_all_forms(day: date) -> None:
    forms = [f"{day}", f"{day}T00:00:00Z", f"{day}T00:00:00.000Z", f"{day:%a, %d %b %Y}", f"{day:%d %b %Y} 00:00 GMT"]
    moments = {(moment.text, moment.date_only) for form in forms if (moment := stated_date(form))}
    assert moments == {(f"{day}", True)}


@given(st.text() | st.text("0123456789 :+-TZGMTJan,/"))
def test_any_text_is_read_or_undated(text: str) -> None:
    moment = stated_date(text)
    assert moment is None or moment.earliest <= moment.latest


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "yesterday",
        "3 days ago",
        "03/04/2026",
        "Oct 8, 2026",
        "2026",
        "2026-02",
        "2026-W05-1",
        "30 Feb 2026",
        "Tue, 20 Jan 26 09:30:00 GMT",
        "Tue, 20 Jan 2026 25:30:00 GMT",
        "Tue, 20 Jan 2026 09:30:00 GMT and later",
        "1700000000",
    ],
)
def test_what_is_no_date(text: str | None) -> None:
    assert stated_date(text) is None


@pytest.mark.parametrize("zone", ["", " CEST", " -0000", " XYZ"])
def test_a_zone_that_is_not_known(zone: str) -> None:
    moment = stated_date(f"Tue, 20 Jan 2026 09:30:00{zone}")
    assert moment is not None
    assert moment.earliest == datetime(2026, 1, 19, 19, 30, tzinfo=UTC)
    assert moment.latest == datetime(2026, 1, 20, 21, 30, tzinfo=UTC)
