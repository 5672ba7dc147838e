"""Imports that are run again: what was not there yet is asked for again, and nothing that was there."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.evidence.bulk_import import Imported, add_article_lists
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.services.article_lists import article_lists
from cruxbench_inspect.utc import parse_utc
from tests.loopback.gdelt import GdeltServer
from tests.loopback.server import serve

DAY = date(2025, 3, 4)
ROW = {"date": "2025-03-04T12:40:00Z", "url": "https://courier.news/a", "title": "A ruling", "lang": "en"}


@pytest.fixture
def gdelt() -> GdeltServer:
    return GdeltServer()


@pytest.fixture
def base_url(gdelt: GdeltServer) -> Iterator[str]:
    with serve(gdelt.app) as address:
        yield address


def add(archive: LocalArchive, base_url: str, now: str) -> Imported:
    async def run() -> Imported:
        return await add_article_lists(
            archive, article_lists(base_url), (DAY, DAY), ("en",), None, lambda done, of: None, parse_utc(now)
        )

    return anyio.run(run)


def digits(requests: list[dict[str, str]]) -> list[datetime]:
    return [parse_utc(f"{one['list'][:8]}T{one['list'][8:]}Z") for one in requests]


def test_minutes_to_come_are_not_asked_for_and_missing_ones_of_today_once_more(
    tmp_path: Path, gdelt: GdeltServer, base_url: str
) -> None:
    archive = LocalArchive(tmp_path / "my.archive")
    gdelt.lists = {"20250304081500": [ROW]}
    assert add(archive, base_url, "2025-03-04T08:20:00Z").added == 1
    assert max(digits(gdelt.requests)) < parse_utc("2025-03-04T08:20:00Z")
    gdelt.lists = {**gdelt.lists, "20250304080000": [{**ROW, "url": "https://courier.news/late"}]}
    gdelt.lists = {**gdelt.lists, "20250304234500": [{**ROW, "url": "https://courier.news/night"}]}
    gdelt.requests.clear()
    assert add(archive, base_url, "2025-03-05T00:10:00Z").added == 2
    assert parse_utc("2025-03-04T08:15:00Z") not in digits(gdelt.requests)
    gdelt.requests.clear()
    assert add(archive, base_url, "2025-03-09T00:00:00Z").added == 0
    asked = len(gdelt.requests)
    assert asked > 300
    assert add(archive, base_url, "2025-03-09T00:00:00Z") == Imported() and len(gdelt.requests) == asked


def test_a_damaged_list_is_passed_over_and_asked_for_again(tmp_path: Path, gdelt: GdeltServer, base_url: str) -> None:
    archive = LocalArchive(tmp_path / "my.archive")
    later = parse_utc("2025-03-04T09:00:00Z")
    rows = {
        f"{later + timedelta(minutes=15 * number):%Y%m%d%H%M%S}": [{**ROW, "url": f"https://courier.news/{number}"}]
        for number in range(4)
    }
    gdelt.lists = {"20250304080000": b"\x1f\x8bno gzip", **rows}
    first = add(archive, base_url, "2025-03-09T00:00:00Z")
    assert (first.added, first.damaged) == (4, 1)
    gdelt.requests.clear()
    gdelt.lists = {"20250304080000": [ROW], **rows}
    assert (add(archive, base_url, "2025-03-09T00:00:00Z").added, len(gdelt.requests)) == (1, 1)
