"""The news that a generator is shown: found by the question and its rules, and from before the window alone."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from cruxbench_inspect.evidence.admitted_hits import admitted_hits
from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import EvidenceSource, SourceFailure
from cruxbench_inspect.questions import Article

LOOKBACK = timedelta(days=160)
"""How old an article may be."""

SUMMARY = 1_200
"""Characters of a text that are shown."""

_FOUND = 20  # hits of one search


@dataclass(frozen=True)
class ArticleSearch:
    """What came of looking for articles.

    Attributes:
        articles: The articles, the latest first.
        rejected: Results that the date rules withheld.
        failures: What the source could not answer.
    """

    articles: tuple[Article, ...]
    rejected: int = 0
    failures: tuple[str, ...] = ()


async def find_articles(
    source: EvidenceSource, question: str, rules: str, opened_at: datetime, start: datetime, most: int
) -> ArticleSearch:
    """Look for articles by the question, and by the question with the beginning of its rules.

    Args:
        source: Where to look; the admission rule is applied here as everywhere.
        question: The question's text.
        rules: The resolution rules.
        opened_at: The market's first price. Older articles count only where the window opens with it.
        start: The window's start: an article is older.
        most: How many at most.

    Returns:
        What was found; an article has a title and a text, and no two have the same address or title.
    """
    if not most:
        return ArticleSearch(())
    earliest = start - LOOKBACK
    if opened_at < start - timedelta(days=1):
        earliest = max(earliest, opened_at)
    found: dict[str, Document] = {}
    rejected, failures = 0, []
    for query in (question, f"{question} {rules[:300]}"):
        try:
            outcome = await source.search(query, start, _FOUND)
        except SourceFailure as failure:
            failures.append(str(failure))
            continue
        admitted = admitted_hits(outcome.hits, start, _FOUND)
        rejected += sum(admitted.rejected.values()) + sum(outcome.rejected.values())
        failures += [str(part.failure) for part in outcome.failures]
        for hit in admitted.hits:
            found.setdefault(hit.document.url, hit.document)
    articles: dict[str, Article] = {}
    for document in found.values():
        if len(articles) == most:
            break
        try:
            article = await _article(source, document, earliest, start)
        except SourceFailure as failure:
            failures.append(str(failure))
            continue
        if article is not None:
            articles.setdefault(" ".join(article.title.casefold().split()), article)
    latest_first = sorted(articles.values(), key=lambda article: (article.published, article.url), reverse=True)
    return ArticleSearch(tuple(latest_first), rejected, tuple(dict.fromkeys(failures)))


async def _article(source: EvidenceSource, document: Document, earliest: datetime, start: datetime) -> Article | None:
    """The article of a document, None if it is too old, or there is no text of it from before the start."""
    if _published(document, start) is None:
        return None
    whole = document if document.text and not document.excerpt else await source.fetch(document, start)
    shown = whole if whole is not None and rejection(whole, start) is None and whole.text else document
    published = _published(document, start)
    if not shown.text or not (shown.title or document.title) or published is None or published < earliest:
        return None
    return Article(
        title=shown.title or document.title,
        url=document.url,
        source=shown.source or document.source,
        published=published,
        summary=summary_of(shown.text),
    )


def _published(document: Document, start: datetime) -> datetime | None:
    """When a document was public at the latest as far as it says; a date alone stands for its beginning."""
    moments = [moment.earliest for moment in (document.published, document.captured) if moment is not None]
    return moments[0] if moments and moments[0] < start else None


def summary_of(text: str) -> str:
    """The beginning of a text, up to the end of a sentence where there is one."""
    plain = " ".join(text.split())
    if len(plain) <= SUMMARY:
        return plain
    cut = plain[:SUMMARY]
    end = max(cut.rfind(sign) for sign in (". ", "! ", "? "))
    return cut[: end + 1] if end > SUMMARY // 2 else cut[: cut.rfind(" ")] + " …"
