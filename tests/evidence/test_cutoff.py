import pytest

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import make_document

CUTOFF = "2026-01-11T12:00:00Z"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"published": "2026-01-11T11:59:59Z"}, None),
        ({"published": "2026-01-11T12:00:00Z"}, "published_after_cutoff"),
        ({"published": "2026-01-11T07:00:00-05:00"}, "published_after_cutoff"),
        ({"published": "2026-01-11T13:59:00+02:00"}, None),
        ({"published": None}, "undated"),
        ({"published": None, "modified": "2026-01-01"}, "undated"),
        ({"published": None, "captured": "2026-01-01T00:00:00Z"}, "undated"),
        ({"published": "2026-01-10"}, None),
        ({"published": "2026-01-11"}, "date_only_not_provably_before"),
        ({"published": "2026-01-12"}, "published_after_cutoff"),
        ({"published": "2026-01-10T23:59:59"}, None),
        ({"published": "2026-01-11T00:00:00"}, "date_only_not_provably_before"),
        ({"published": "2026-01-01", "modified": "2026-01-11T12:00:00Z"}, "modified_after_cutoff"),
        ({"published": "2026-01-01", "modified": "2026-01-11T11:59:59Z"}, None),
        ({"published": "2026-01-01", "modified": "2026-01-11"}, "date_only_not_provably_before"),
        ({"published": "2026-02-01", "modified": "2026-01-01"}, "published_after_cutoff"),
        ({"published": "2026-01-01", "captured": "2026-01-11T11:59:59Z"}, None),
        ({"published": "2026-01-01", "captured": "2026-06-01T00:00:00Z"}, "captured_after_cutoff"),
    ],
)
@pytest.mark.parametrize("proof", ["B", "C"])
def test_a_claimed_date_counts_with_the_last_change(fields: dict[str, str], reason: str | None, proof: str) -> None:
    assert rejection(make_document(**fields, proof=proof), parse_utc(CUTOFF)) == reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"published": None, "captured": "2026-01-11T11:59:59Z"}, None),
        ({"published": None, "captured": "2026-01-11T12:00:00Z"}, "captured_after_cutoff"),
        ({"published": None, "captured": None}, "undated"),
        ({"published": "2026-01-01", "captured": None}, "undated"),
        ({"published": "2026-01-11", "captured": "2026-01-11T11:00:00Z"}, None),
        ({"published": "2026-01-12", "captured": "2026-01-11T11:00:00Z"}, "published_after_cutoff"),
        ({"published": None, "modified": "2026-01-12", "captured": "2026-01-11T11:00:00Z"}, "modified_after_cutoff"),
        ({"published": "2026-01-01", "captured": "2026-01-11"}, "date_only_not_provably_before"),
    ],
)
def test_a_stored_copy_counts_by_its_capture(fields: dict[str, str], reason: str | None) -> None:
    assert rejection(make_document(**fields, proof="A"), parse_utc(CUTOFF)) == reason
