"""Reading the prompts: the tagged sections that every model of the benchmark is shown."""

import html
import json
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from pydantic import BaseModel, ConfigDict, ValidationError

_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_DATE_LINE = re.compile(r"^(?P<label>[a-z ]+):\s*(?P<value>\d{4}-\d{2}-\d{2})", re.MULTILINE)
_WINDOW_LINE = re.compile(r"window of the crux:\s*(\S+) to (\S+)")
_AVAILABLE_LINE = re.compile(r"evidence is available up to:\s*(\S+)")


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class ShownArticle(_Read):
    """An article as the generator is shown it; `published` is the day, in UTC."""

    title: str
    source: str
    published: date
    text: str


class GeneratorPrompt(_Read):
    """What the generator is asked: the ultimate question, the stretch that a crux may cover, and the articles."""

    question: str
    rules: str
    earliest: date
    latest: date
    articles: tuple[ShownArticle, ...]
    several: bool


class ShownCrux(_Read):
    """A crux as the judge is shown it, with its window and the last moment of the evidence, in UTC."""

    question: str
    background: str = ""
    resolution_criteria: str = ""
    opens: datetime
    deadline: datetime
    available: datetime


class ShownDocument(_Read):
    """A search result (whose text is a snippet) or a fetched document.

    `published` is what the source states; `moment` the same in UTC, midnight where only a date is known.
    """

    id: str
    title: str
    published: str
    text: str

    @property
    def moment(self) -> datetime | None:
        """The publication in UTC, or None if the document states none that can be read."""
        return read_moment(self.published)

    @property
    def dated_only(self) -> bool:
        """Whether the publication is known to the day only."""
        return len(self.published) == len("2025-01-31")


def read_generator_prompt(text: str) -> GeneratorPrompt | None:
    """Read the generator's prompt, or None if the text has no question or no dates."""
    days = {match["label"].strip(): match["value"] for match in _DATE_LINE.finditer(_section(text, "dates"))}
    question = html.unescape(_section(text, "question"))
    try:
        return GeneratorPrompt(
            question=question,
            rules=html.unescape(_section(text, "resolution_rules")),
            earliest=date.fromisoformat(days["earliest start date"]),
            latest=date.fromisoformat(days["latest end date"]),
            articles=tuple(_articles(_section(text, "articles"))),
            several='"cruxes"' in html.unescape(text),
        )
    except (KeyError, ValueError):
        return None


def read_crux(text: str) -> ShownCrux | None:
    """Read the crux and its dates from a judge's prompt, or None if either is missing."""
    fields = read_object(text, "crux")
    window = _WINDOW_LINE.search(text)
    available = _AVAILABLE_LINE.search(text)
    if fields is None or window is None:
        return None
    try:
        opens, deadline = (datetime.fromisoformat(end) for end in window.groups())
        until = datetime.fromisoformat(available[1]) if available else deadline + timedelta(hours=36)
        return ShownCrux.model_validate({**fields, "opens": opens, "deadline": deadline, "available": until})
    except (ValueError, ValidationError):
        return None


def read_object(text: str, tag: str) -> dict[str, object] | None:
    """Read the JSON object in a tag's section, also one that is escaped as markup; None if there is none."""
    section = _section(text, tag)
    for candidate in (section, html.unescape(section)):
        try:
            fields = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(fields, dict):
            return fields
    return None


def read_documents(text: str) -> list[ShownDocument]:
    """Read the search results or fetched documents that a tool's text shows."""
    found: list[ShownDocument] = []
    for tag in ("result", "document"):
        for attributes, body in re.findall(rf"<{tag}\s([^>]*)>\n?(.*?)\n?</{tag}>", text, re.DOTALL):
            fields = _attributes(attributes)
            if fields.get("id"):
                found.append(
                    ShownDocument(
                        id=fields["id"],
                        title=fields.get("title", ""),
                        published=fields.get("published", ""),
                        text=html.unescape(body),
                    )
                )
    return found


def read_moment(text: str) -> datetime | None:
    """A moment as the source states it, in UTC; a date alone is its midnight, a time without a zone is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) == len("2025-01-31"):
        return moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC) if moment.tzinfo else None


def start_of(day: date) -> datetime:
    """The first moment of a day, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _section(text: str, tag: str) -> str:
    match = re.search(rf"^<{tag}>\s*(.*?)\s*</{tag}>\s*$", text, re.DOTALL | re.MULTILINE)
    return match[1] if match else ""


def _articles(text: str) -> Iterable[ShownArticle]:
    for attributes, body in re.findall(r"<article\s([^>]*)>\s*(.*?)\s*</article>", text, re.DOTALL):
        fields = _attributes(attributes)
        published = read_moment(fields.get("published", ""))
        if published is not None:
            yield ShownArticle(
                title=fields.get("title", ""),
                source=fields.get("source", ""),
                published=published.date(),
                text=html.unescape(body),
            )


def _attributes(text: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(text)}
