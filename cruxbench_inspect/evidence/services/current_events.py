"""Wikipedia's Current events portal: one page for each day, with a few dozen news items that name their sources."""

import calendar
import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from cruxbench_inspect.evidence.services.wikitext import ExternalLink, Passage, is_web_address, read_passage
from cruxbench_inspect.evidence.services.wikitext_tree import without_comments

MAX_ITEMS = 500
"""Items of a day that are read; real days have a few dozen."""

_MAX_CHARACTERS = 500_000
_MAX_LINE = 20_000
_MAX_TOPICS = 4
_MAX_TOPIC_CHARACTERS = 200
_MAX_TEXT = 2_000
_MAX_LINKS = 20


@dataclass(frozen=True)
class NewsItem:
    """One piece of news.

    Attributes:
        category: The heading that it stands under, such as ``Armed conflicts and attacks``; may be "".
        text: The news on one line, after the topics that it belongs to: ``Topic: news``.
        articles: Titles of the articles that its topics (the nearest first) and its own text link to.
        links: The pages that it names as its sources, as they were first published (not an archive's copies).
    """

    category: str
    text: str
    articles: tuple[str, ...]
    links: tuple[ExternalLink, ...]


def title_of(day: date) -> str:
    """The title of a day's page, such as ``Portal:Current events/2025 October 26``."""
    return f"Portal:Current events/{day.year} {calendar.month_name[day.month]} {day.day}"


def read_day(wikitext: str, day: date) -> list[NewsItem]:
    """The news items of a day's page, in their order.

    Where the page holds several days, as the portal's monthly pages do, only the asked one. Never raises.
    """
    items: list[NewsItem] = []
    category = ""
    topics: list[_Bullet] = []
    bullets = _bullets(_news_of(without_comments(wikitext[:_MAX_CHARACTERS]), day))
    for index, bullet in enumerate(bullets):
        if isinstance(bullet, str):
            category, topics = bullet, []
            continue
        while topics and topics[-1].depth >= bullet.depth:
            topics.pop()
        following = bullets[index + 1] if index + 1 < len(bullets) else None
        is_topic = isinstance(following, _Bullet) and following.depth > bullet.depth
        if bullet.passage.links or not is_topic:
            items.append(_item(category, topics, bullet.passage))
            if len(items) == MAX_ITEMS:
                break
        topics.append(bullet)
    return items


@dataclass(frozen=True)
class _Bullet:
    depth: int
    passage: Passage


_WRAPPER = re.compile(r"\{\{\s*Current[ _]events\b([^{}]{0,400}?)(?:\|\s*content\s*=|\}\})", re.IGNORECASE)
_DATE = re.compile(
    r"(?:year\s*=)?\s*(\d{4})\s*\|\s*(?:month\s*=)?\s*(\d{1,2})\s*\|\s*(?:day\s*=)?\s*(\d{1,2})\s*(?=\||$)"
)
_BULLET = re.compile(r"\s*([*#:]+)(.*)")
_CATEGORY = re.compile(r"\s*(?:;(.*)|'''(?!')(.*?)'''\s*:?|={2,6}(.*?)={2,6})\s*")


def _news_of(text: str, day: date) -> str:
    """The wikitext between the templates that frame a day."""
    wrappers = list(_WRAPPER.finditer(text))
    days = [_stated_day(wrapper[1]) for wrapper in wrappers]
    if not wrappers:
        return text
    several = len({stated for stated in days if stated is not None}) > 1
    pieces = [] if several else [text[: wrappers[0].start()]]
    for index, (wrapper, stated) in enumerate(zip(wrappers, days, strict=True)):
        end = wrappers[index + 1].start() if index + 1 < len(wrappers) else len(text)
        if not several or stated == (day.year, day.month, day.day):
            pieces.append(text[wrapper.end() : end])
    return "\n".join(pieces)


def _stated_day(parameters: str) -> tuple[int, ...] | None:
    match = _DATE.search(parameters)
    return None if match is None else tuple(map(int, match.groups()))


def _bullets(text: str) -> list["str | _Bullet"]:
    """Categories, as text, and bullets."""
    found: list[str | _Bullet] = []
    for line in text.splitlines():
        line = _without_frame_end(line[:_MAX_LINE])
        if not line:
            continue
        bullet = _BULLET.fullmatch(line)
        category = None if bullet else _CATEGORY.fullmatch(line)
        if category:
            found.append(read_passage(next(filter(None, category.groups()), "")).text.strip(" :"))
            continue
        passage = read_passage(bullet[2] if bullet else line)
        # A line that is no bullet is news if it names a source, as on the oldest pages; else it is some decoration.
        if passage.text and (bullet or passage.links):
            found.append(_Bullet(len(bullet[1]) if bullet else 1, passage))
    return found


def _without_frame_end(line: str) -> str:
    """The line without the brackets that close the day's frame."""
    line = line.rstrip()
    if line.strip() in {"|}", "}}", "|}}"}:
        return ""
    while line.endswith("}}") and line.count("}}") > line.count("{{"):
        line = line[:-2].rstrip()
    return line


def _item(category: str, topics: list[_Bullet], own: Passage) -> NewsItem:
    nearest = topics[-_MAX_TOPICS:]
    names = [topic.passage.text[:_MAX_TOPIC_CHARACTERS].rstrip(" :.") for topic in nearest]
    articles = [title for topic in reversed(nearest) for title in topic.passage.articles[:_MAX_LINKS]]
    links = {link.url: link for link in (ExternalLink(_first_published(one.url), one.name) for one in own.links)}
    return NewsItem(
        category=category,
        text=": ".join([*filter(None, names), own.text])[:_MAX_TEXT],
        articles=tuple(dict.fromkeys([*articles, *own.articles]))[:_MAX_LINKS],
        links=tuple(links.values())[:_MAX_LINKS],
    )


_ARCHIVES = frozenset(
    "web.archive.org archive.org www.archive.org archive.today archive.ph archive.is archive.li archive.md archive.vn"
    " archive.fo ghostarchive.org webcache.googleusercontent.com".split()
)
_COPIED = re.compile(r"/(?:web/)?\d{4,14}(?:[a-z]{2}_|\*)?/(.+)")


def _first_published(url: str) -> str:
    """The address of the page itself where the link is to an archive's copy of it."""
    parts = urlsplit(url)
    copied = _COPIED.fullmatch(parts.path) if parts.hostname in _ARCHIVES else None
    if copied is None:
        return url
    address = re.sub(r"^(https?):/+", r"\1://", copied[1], flags=re.IGNORECASE)
    if not re.match(r"https?://", address, re.IGNORECASE):
        address = f"http://{address}"
    if parts.query:
        address = f"{address}?{parts.query}"
    return address if is_web_address(address) else url
