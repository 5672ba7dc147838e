"""The keyless source for real question sets: news indexes to find pages, archives for their text as it was."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from itertools import zip_longest
from urllib.parse import quote, urlsplit

import anyio
from pydantic import BaseModel, ConfigDict, TypeAdapter

from cruxbench_inspect import clock
from cruxbench_inspect.evidence.admitted_hits import admitted_hits
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.joined import in_turn, together
from cruxbench_inspect.evidence.page_archive import PageArchive
from cruxbench_inspect.evidence.pages.worker import WorkerFailed, in_worker
from cruxbench_inspect.evidence.ranking import best_matches
from cruxbench_inspect.evidence.results import Request, ResultStore
from cruxbench_inspect.evidence.services.current_events import NewsItem, read_day, title_of
from cruxbench_inspect.evidence.services.gdelt import GdeltDoc
from cruxbench_inspect.evidence.services.wikipedia import Revision, Wikipedia
from cruxbench_inspect.evidence.services.wikitext import plain_text
from cruxbench_inspect.evidence.source import Hit, PartFailure, SearchOutcome, SourceFailure
from cruxbench_inspect.evidence.stored_source import KeptAnswers
from cruxbench_inspect.utc import format_utc

LOOKBACK = timedelta(days=35)
"""How far before the cutoff is searched: an evaluation window of 30 days, the 36 hours after it, and some days more."""

_FORMAT = 1
_LEADS = 2  # pages, and articles, that one news item leads to
_BATCH = 3


class _Item(BaseModel):
    """A news item and what it leads to."""

    model_config = ConfigDict(frozen=True)

    document: Document
    leads: tuple[Document, ...]


_ITEMS: TypeAdapter[list[_Item]] = TypeAdapter(list[_Item])


class WebSource:
    """News found through GDELT's index and Wikipedia's Current events portal, read as archives stored it.

    GDELT answers for about the last three months, and is left out for earlier cutoffs. The portal has a few dozen
    items a day, as its revision of before the cutoff has them, with links to articles and to news pages. The text of
    an article is that of its revision, the text of any other page that of its latest capture, both from before the
    cutoff; the pages' own sites are never contacted.
    """

    name = "web"

    def __init__(
        self,
        gdelt: GdeltDoc,
        wikipedia: Wikipedia,
        pages: PageArchive,
        store: ResultStore,
        *,
        lookback: timedelta = LOOKBACK,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        """Put the source together.

        Args:
            gdelt: Finds news pages.
            wikipedia: Has the portal and the articles.
            pages: Has the text of news pages.
            store: Keeps the portal's days, which many searches look through.
            lookback: How far before the cutoff is searched.
            now: The time.
        """
        self._gdelt = gdelt
        self._wikipedia = wikipedia
        self._pages = pages
        self._kept = KeptAnswers(store)
        self._lookback = lookback
        self._now = now
        self.fingerprint = f"web-{_FORMAT}:{lookback.days}d:{wikipedia.site}"

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Search both indexes at the same time.

        Raises:
            SourceFailure: If nothing was found and an index could not answer.
        """
        found: dict[str, tuple[Hit, ...]] = {}
        failures: list[SourceFailure] = []

        async def from_portal() -> None:
            found["portal"] = await self._search_portal(query, before, limit, failures)

        async def from_gdelt() -> None:
            try:
                documents = await self._gdelt.search(query, before - self._lookback, before, 2 * limit)
            except SourceFailure as failure:
                failures.append(failure)
            else:
                found["gdelt"] = tuple(Hit(document=document, snippet="") for document in documents)

        async with anyio.create_task_group() as group:
            group.start_soon(from_portal)
            if self._gdelt.reaches(before, self._now()):
                group.start_soon(from_gdelt)
        # An index that heeds no dates must not push out what it should have found, nor hide the portal's leads.
        of_gdelt = admitted_hits(found.get("gdelt", ()), before, 2 * limit)
        hits = in_turn([of_gdelt.hits, found.get("portal", ())])
        if failures and not hits:
            raise together(self.name, failures)
        told = tuple(PartFailure.of(failure) for failure in failures)
        return SearchOutcome(hits=hits, rejected=of_gdelt.rejected, failures=told)

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The text of the article's revision, or of the page's latest copy, from before the cutoff.

        Raises:
            SourceFailure: If the archive could not answer.
        """
        if document.text and not document.excerpt:
            return document
        title = self._wikipedia.article_title(document.url)
        if title is None:
            return await self._pages.page(document.url, before)
        revision = await self._wikipedia.revision(title, before)
        return None if revision is None else await self._article(document.url, revision)

    async def _article(self, url: str, revision: Revision) -> Document | None:
        try:
            text = await in_worker(plain_text, revision.wikitext)
        except WorkerFailed:
            return None
        return Document.model_validate(
            {
                "url": url,
                "title": revision.title,
                "source": "Wikipedia",
                "published": None,
                "captured": format_utc(revision.timestamp),
                "text": text,
                "proof": "A",
                "version": revision.url,
            }
        )

    async def _search_portal(
        self, query: str, before: datetime, limit: int, failures: list[SourceFailure]
    ) -> tuple[Hit, ...]:
        days = [(before - timedelta(days=back)).date() for back in range(self._lookback.days + 1)]
        items: dict[date, list[_Item]] = {}
        of_portal: list[SourceFailure] = []

        async def read(day: date) -> None:
            try:
                items[day] = await self._day(day, before)
            except SourceFailure as failure:
                of_portal.append(failure)

        async with anyio.create_task_group() as group:
            for day in days:
                group.start_soon(read, day)
        if of_portal:
            failures.append(together("wikipedia", of_portal))
        every = [item for day in days for item in items.get(day, ())]
        ranked = best_matches(query, [item.document.text for item in every])[:limit]
        # Few items at a time, each time followed by what they lead to: a result has room for about eight hits.
        batches = [ranked[start : start + _BATCH] for start in range(0, len(ranked), _BATCH)]
        return tuple(hit for batch in batches for hit in in_turn([_hits(every[index]) for index in batch]))

    async def _day(self, day: date, before: datetime) -> list[_Item]:
        async def ask() -> list[_Item]:
            revision = await self._wikipedia.revision(title_of(day), before)
            if revision is None:
                return []
            try:
                news: Sequence[NewsItem] = await in_worker(read_day, revision.wikitext, day)
            except WorkerFailed as error:
                raise SourceFailure("wikipedia", "bad_answer", f"{revision.url}: {error}") from error
            return [self._item(one, day, revision) for one in news]

        return await self._kept.get(
            Request.of("wikipedia", self.fingerprint, before, "current events", day.isoformat()),
            ask,
            _ITEMS,
            lambda items: [item.document for item in items],
        )

    def _item(self, item: NewsItem, day: date, revision: Revision) -> _Item:
        def stored(url: str, title: str, source: str, text: str = "", published: str | None = None) -> Document:
            return Document.model_validate(
                {
                    "url": url,
                    "title": title,
                    "source": source,
                    "published": published,
                    "captured": format_utc(revision.timestamp),
                    "text": text,
                    "proof": "A",
                    "version": revision.url,
                }
            )

        text = f"{item.category}: {item.text}" if item.category else item.text
        portal = f"{self._wikipedia.site}/wiki/{quote(revision.title.replace(' ', '_'), safe=':/_')}"
        pages = [stored(link.url, item.text[:200], urlsplit(link.url).hostname or "") for link in item.links[:_LEADS]]
        articles = [
            stored(f"{self._wikipedia.site}/wiki/{quote(title.replace(' ', '_'))}", title, "Wikipedia")
            for title in item.articles[:_LEADS]
        ]
        leads = [lead for pair in zip_longest(pages, articles) for lead in pair if lead is not None]
        document = stored(portal, item.text[:200], "Wikipedia, Current events", text, day.isoformat())
        return _Item(document=document, leads=tuple(leads))


def _hits(item: _Item) -> tuple[Hit, ...]:
    return (
        Hit(document=item.document, snippet=item.document.text[:400]),
        *(Hit(document=lead, snippet="") for lead in item.leads),
    )
