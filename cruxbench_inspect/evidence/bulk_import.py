"""Filling a local archive: from files, from GDELT's article lists, and with the stored texts of pages."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import anyio.to_thread

from cruxbench_inspect import clock
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.evidence_file import read_documents
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.page_archive import PageArchive
from cruxbench_inspect.evidence.services.article_lists import ArticleLists, minutes
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.side_by_side import Advanced, side_by_side
from cruxbench_inspect.utc import format_utc

_AT_ONCE = 4
_STILL_TO_COME = timedelta(days=1)
"""How long after its moment a list or a copy that is missing may still appear."""


@dataclass
class Imported:
    """What came of an import.

    Attributes:
        added: Documents that are new in the archive.
        looked_at: Lists or pages that were asked for.
        missing: Those among them that there are none of.
        unreadable: Lines that could not be read.
        damaged: Lists that could not be read as a whole; they are asked for again the next time.
    """

    added: int = 0
    looked_at: int = 0
    missing: int = 0
    unreadable: int = 0
    damaged: int = 0


def add_file(archive: LocalArchive, file: Path) -> int:
    """Add the documents of an ``evidence.jsonl``.

    Returns:
        How many were added.

    Raises:
        InputProblems: If lines of the file are wrong; what comes before them in whole batches stays added.
        InputError: If the file cannot be read, or the archive cannot be written.
    """
    try:
        lines = file.open("rb")
    except OSError as error:
        raise InputError(f"{file}: the file cannot be read: {error.strerror}. Name an evidence.jsonl") from error
    with lines:
        return archive.add(read_documents(lines, file))


async def add_article_lists(
    archive: LocalArchive,
    lists: ArticleLists,
    days: tuple[date, date],
    languages: Collection[str],
    matching: re.Pattern[str] | None,
    advanced: Advanced,
    now: datetime | None = None,
) -> Imported:
    """Add what GDELT saw on some days, title and description of each article.

    A list that was read with the same languages and pattern is not read again, so a run that was stopped goes on where
    it was. Minutes that have not come yet are left out, and a list that is missing on its own day is asked for again.

    Args:
        archive: Where to.
        lists: Where from.
        days: The first and the last day, both included.
        languages: Codes of the languages that are kept; none keeps all.
        matching: What a title or a description has to match.
        advanced: Is told of the progress.
        now: The present moment, by default that of the clock.

    Raises:
        SourceFailure: If the service could not answer.
        InputError: If the archive cannot be written.
    """
    imported = Imported()
    present = now or clock.now()
    filtered = f"{','.join(sorted(languages))} {matching.pattern if matching else ''}"

    async def read(minute: datetime) -> None:
        address = lists.address(minute)
        noting = f"{address} {filtered}"
        if archive.has_noted(noting):
            return
        imported.looked_at += 1
        try:
            found = await lists.read(minute, languages, matching)
        except SourceFailure as failure:
            if failure.kind != "bad_answer":
                raise
            imported.damaged += 1
            return
        imported.missing += found is None
        imported.unreadable += 0 if found is None else found.skipped
        documents = () if found is None else found.documents
        final = found is not None or minute < present - _STILL_TO_COME
        added = await anyio.to_thread.run_sync(archive.add, documents, noting if final else None)
        imported.added += added

    await side_by_side([minute for minute in minutes(*days) if minute < present], read, _AT_ONCE, advanced)
    return imported


async def add_texts(
    archive: LocalArchive, pages: PageArchive, before: datetime, advanced: Advanced, now: datetime | None = None
) -> Imported:
    """Add the text of each page in the archive of which there is only a title or an excerpt.

    Args:
        archive: The archive.
        pages: Where the texts are stored.
        before: The cutoff: the latest copy from before it is taken.
        advanced: Is told of the progress.
        now: The present moment, by default that of the clock.

    Raises:
        SourceFailure: If the archive of pages could not answer.
        InputError: If the local archive cannot be written.
    """
    imported = Imported()
    final = before < (now or clock.now()) - _STILL_TO_COME
    urls = dict.fromkeys(
        document.url for document in archive.documents(before) if document.excerpt or not document.text
    )

    async def get(url: str) -> None:
        noting = f"text before {format_utc(before)}: {url}"
        if archive.has_noted(noting):
            return
        document = await pages.page(url, before)
        admitted: Iterable[Document] = (document,) if document and rejection(document, before) is None else ()
        imported.looked_at += 1
        imported.missing += not admitted
        added = await anyio.to_thread.run_sync(archive.add, admitted, noting if final or admitted else None)
        imported.added += added

    await side_by_side(list(urls), get, _AT_ONCE, advanced)
    return imported
