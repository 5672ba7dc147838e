import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.loopback.wayback import StoredCapture, WaybackServer

DIGITS = ["20251231235959", "20260101000000", "20260131120000", "20260201000000"]


def rows(query: str) -> Any:
    captures = [
        StoredCapture("http://www.a.example/x", digits, b"same" if "2026" in digits else b"") for digits in DIGITS
    ]
    client = TestClient(WaybackServer([*captures, StoredCapture("http://a.example/y", DIGITS[0])]).app)
    answer = client.get(f"/cdx/search/cdx?url=https://a.example/x&fl=timestamp&output=json&{query}").text
    return [row[0] if row else "" for row in json.loads(answer)[1:]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", DIGITS),
        ("to=2026", DIGITS),
        ("to=20260131", DIGITS[:3]),
        ("to=20260131115959", DIGITS[:2]),
        ("from=2026", DIGITS[1:]),
        ("limit=1", DIGITS[:1]),
        ("limit=-1", DIGITS[-1:]),
        ("collapse=digest", DIGITS[:2]),
        ("collapse=timestamp:6", [DIGITS[0], DIGITS[1], DIGITS[3]]),
        ("filter=timestamp:2026.*&filter=!timestamp:.*01000000", DIGITS[2:3]),
        ("limit=2&showResumeKey=true", [*DIGITS[:2], "", "example%2Ca%29%2Fx+20260101000000%21"]),
        ("limit=2&showResumeKey=true&resumeKey=example%252Ca%2529%252Fx%2B20260101000000%2521", DIGITS[2:]),
    ],
)
def test_the_index_follows_its_manual(query: str, found: list[str]) -> None:
    assert rows(query) == found


def test_rows_as_plain_text() -> None:
    client = TestClient(WaybackServer([StoredCapture("http://a.example/x", DIGITS[0], revisit=True)]).app)
    answer = client.get("/cdx/search/cdx?url=a.example/x&fl=timestamp,mimetype,statuscode").text
    assert answer == f"{DIGITS[0]} warc/revisit -"
