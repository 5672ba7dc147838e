"""Imports that are run again: what was not there yet is asked for again, and nothing that was there."""

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import cast

import anyio
import pytest

from cruxbench_inspect.evidence.bulk_import import Imported, add_article_lists
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.services.article_lists import ArticleList, ArticleLists
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import make_document

DAY = date(2025, 3, 4)


class Lists:
    """Article lists by their 14 digits; a fault stands for a list that is damaged."""

    def __init__(self) -> None:
        self.lists: dict[str, list[str] | SourceFailure] = {}
        self.asked: list[datetime] = []

    def address(self, minute: datetime) -> str:
        """The address of a list."""
        return f"http://lists.example/{minute:%Y%m%d%H%M}00"

    async def read(self, minute: datetime, languages: object = (), matching: object = None) -> ArticleList | None:
        """The list of a minute."""
        self.asked.append(minute)
        found = self.lists.get(f"{minute:%Y%m%d%H%M}00")
        if isinstance(found, SourceFailure):
            raise found
        if found is None:
            return None
        documents = (make_document("2025-03-04T12:40:00Z", url=url, title=url) for url in found)
        return ArticleList(self.address(minute), tuple(documents), 0)


@pytest.fixture
def lists() -> Lists:
    return Lists()


def add(archive: LocalArchive, lists: Lists, now: str) -> Imported:
    async def run() -> Imported:
        source = cast(ArticleLists, lists)
        return await add_article_lists(
            archive, source, (DAY, DAY), ("en",), None, lambda done, of: None, parse_utc(now)
        )

    return anyio.run(run)


def test_minutes_to_come_are_not_asked_for_and_missing_ones_of_today_once_more(tmp_path: Path, lists: Lists) -> None:
    archive = LocalArchive(tmp_path / "my.archive")
    lists.lists = {"20250304081500": ["https://courier.news/a"]}
    assert add(archive, lists, "2025-03-04T08:20:00Z").added == 1
    assert max(lists.asked) < parse_utc("2025-03-04T08:20:00Z")
    lists.lists |= {"20250304080000": ["https://courier.news/late"], "20250304234500": ["https://courier.news/night"]}
    lists.asked.clear()
    assert add(archive, lists, "2025-03-05T00:10:00Z").added == 2
    assert parse_utc("2025-03-04T08:15:00Z") not in lists.asked
    lists.asked.clear()
    assert add(archive, lists, "2025-03-09T00:00:00Z").added == 0
    asked = len(lists.asked)
    assert asked > 300
    assert add(archive, lists, "2025-03-09T00:00:00Z") == Imported() and len(lists.asked) == asked


def test_a_damaged_list_is_passed_over_and_asked_for_again(tmp_path: Path, lists: Lists) -> None:
    archive = LocalArchive(tmp_path / "my.archive")
    later = parse_utc("2025-03-04T09:00:00Z")
    for number in range(4):
        minute = later + timedelta(minutes=15 * number)
        lists.lists[f"{minute:%Y%m%d%H%M}00"] = [f"https://courier.news/{number}"]
    lists.lists["20250304080000"] = SourceFailure("gdelt-lists", "bad_answer", "no line can be read")
    first = add(archive, lists, "2025-03-09T00:00:00Z")
    assert (first.added, first.damaged) == (4, 1)
    lists.asked.clear()
    lists.lists["20250304080000"] = ["https://courier.news/a"]
    assert (add(archive, lists, "2025-03-09T00:00:00Z").added, len(lists.asked)) == (1, 1)


def test_a_service_that_fails_ends_the_import(tmp_path: Path, lists: Lists) -> None:
    archive = LocalArchive(tmp_path / "my.archive")
    lists.lists = {"20250304080000": SourceFailure("gdelt-lists", "outage", "HTTP 503")}
    with pytest.raises(SourceFailure, match="HTTP 503"):
        add(archive, lists, "2025-03-09T00:00:00Z")
