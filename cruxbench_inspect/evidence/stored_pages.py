"""The text of a web page as an archive stored it before a moment."""

from datetime import datetime
from urllib.parse import urlsplit

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.excluded_sites import is_excluded
from cruxbench_inspect.evidence.pages.page import PageRefused
from cruxbench_inspect.evidence.pages.reading import read_page
from cruxbench_inspect.evidence.services.wayback import Replayed, Wayback
from cruxbench_inspect.utc import format_utc


class StoredPages:
    """Pages from the Wayback Machine. The page's own site is never contacted."""

    def __init__(self, wayback: Wayback, *, captures: int = 3) -> None:
        """Read from an archive.

        Args:
            wayback: The archive.
            captures: How many captures are tried, the latest first, until one can be read.
        """
        self._wayback = wayback
        self._captures = captures

    async def page(self, url: str, before: datetime) -> Document | None:
        """The latest copy from before a cutoff that has a text and claims no later date.

        Where all readable copies claim dates on or after the cutoff, the first of them: the guard will withhold it
        and count why.

        Raises:
            SourceFailure: If the archive could not answer.
        """
        if is_excluded(url):
            return None
        withheld: Document | None = None
        for capture in await self._wayback.captures(url, before, self._captures):
            replayed = await self._wayback.replay(capture, before)
            document = None if replayed is None else await _read(url, replayed)
            if document is not None and rejection(document, before) is None:
                return document
            withheld = withheld or document
        return withheld


async def _read(url: str, replayed: Replayed) -> Document | None:
    try:
        page = await read_page(replayed.body, url, replayed.content_type, replayed.timestamp)
    except PageRefused:
        return None
    return Document.model_validate(
        {
            "url": url,
            "title": page.title,
            "source": page.site or urlsplit(url).hostname or "",
            "published": page.published,
            "modified": page.modified,
            "captured": format_utc(replayed.timestamp),
            "text": page.text,
            "proof": "A",
            "version": replayed.version,
        }
    )
