"""Pages of today, for cutoffs that lie ahead."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from cruxbench_inspect import clock
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.fetching.live_fetch import LiveFetch
from cruxbench_inspect.evidence.fetching.refusal import FetchRefused
from cruxbench_inspect.evidence.pages.page import PageRefused
from cruxbench_inspect.evidence.pages.reading import read_page
from cruxbench_inspect.evidence.source import SearchOutcome
from cruxbench_inspect.utc import format_utc


class LiveSource:
    """Reads pages that other sources find, from their own sites.

    It is of use only as long as the cutoff has not passed: what is fetched now is a copy of now. For any other cutoff
    it contacts nobody.
    """

    name = "live"
    fingerprint = "live-1"

    def __init__(self, fetch: LiveFetch, *, now: Callable[[], datetime] = clock.now) -> None:
        self._fetch = fetch
        self._now = now

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Nothing: it has no index."""
        return SearchOutcome(hits=())

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The page as it is now, None for a cutoff that has passed and for a page that is refused.

        That a site does not answer is no failure of a source: most pages are simply not for robots.
        """
        if document.text and not document.excerpt:
            return document
        if self._now() >= before:
            return None
        try:
            fetched = await self._fetch.fetch(document.url)
            captured = self._now()
            page = await read_page(fetched.body, fetched.url, fetched.content_type, captured)
        except (FetchRefused, PageRefused):
            return None
        return Document.model_validate(
            {
                "url": fetched.url,
                "title": page.title,
                "source": page.site or urlsplit(fetched.url).hostname or "",
                "published": page.published,
                "modified": page.modified,
                "captured": format_utc(captured),
                "text": page.text,
                "proof": "A",
            }
        )
