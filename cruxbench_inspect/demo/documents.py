"""The articles before a window, and the dated evidence inside and after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

from cruxbench_inspect.demo.beliefs import Answer
from cruxbench_inspect.demo.draws import Draws
from cruxbench_inspect.demo.fillers import FILLERS
from cruxbench_inspect.demo.script import Occurrence, Script, figures
from cruxbench_inspect.demo.story import Report
from cruxbench_inspect.demo.text import in_words, render, slug, weekday
from cruxbench_inspect.utc import format_utc


@dataclass(frozen=True)
class Document:
    """A piece of evidence as the set's file has it; ``published`` and ``modified`` are dates or moments."""

    url: str
    title: str
    source: str
    published: str
    text: str
    modified: str | None = None


def articles(script: Script, draws: Draws) -> list[Document]:
    """What was known before the window, oldest first."""
    templates = script.story.articles
    core = script.story.core
    extra = draws.sample(templates[core:], draws.integer(0, len(templates) - core))
    written = []
    for index, template in enumerate((*templates[:core], *extra)):
        moment = _by_day(script, -draws.integer(2, 10) if index < 3 else -draws.integer(7, 31), draws)
        for occurrence in script.occurrences:
            if f"{{{occurrence.beat.key}_last}}" in template.text:
                # The latest figure is news on the day of its release, a week before the next one.
                moment = min(_next_hour(occurrence, draws), _to_minute(script.start - timedelta(hours=2)))
                break
        written.append(_write(script, template, script.fields, moment, draws))
    return sorted(written, key=lambda document: document.published)


def evidence(
    script: Script, answers: Sequence[tuple[Occurrence, Answer | None]], settled: datetime | None, draws: Draws
) -> tuple[list[Document], list[dict[str, str]]]:
    """What is published inside the window.

    Args:
        script: The story.
        answers: Each event in the order of time, with its answer; None if it never happens.
        settled: When the story ended for good, if it did.
        draws: The random choices.

    Returns:
        The documents, and for each event the fields of its own templates.
    """
    written: list[Document] = []
    event_fields = []
    latest = {key.removesuffix("_last"): value for key, value in script.fields.items() if key.endswith("_last")}
    for occurrence, answer in answers:
        beat = occurrence.beat
        fields = script.fields | _times(script, occurrence, draws)
        if beat.series:
            fields["previous"] = latest[beat.key]
            if answer:
                fields["value"] = latest[beat.key] = figures(beat.series, fields["previous"], answer, draws)
        event_fields.append(fields)
        if occurrence.reporting == "silent":
            continue
        if answer:
            for report in beat.yes if answer == "Yes" else beat.no:
                written.append(_report(script, report, fields, occurrence, draws))
        elif beat.called_off and settled:
            moment = settled + timedelta(minutes=draws.integer(*beat.called_off.delay))
            written.append(_write(script, beat.called_off, fields, moment, draws))
    written.append(_filler(script, draws))
    return written, event_fields


def still_open(script: Script, draws: Draws) -> Document:
    """The document late in the window that says that nothing is decided."""
    moment = _by_day(script, draws.integer(27, 29), draws)
    return _write(script, script.story.waiting, script.fields | _day(script, moment), moment, draws)


def aftermath(script: Script, outcome: Answer, moment: datetime, draws: Draws) -> Document:
    """The document that tells U's outcome, which no search limited to the window may show."""
    fields = script.fields | _day(script, moment)
    return _write(script, script.story.aftermath[outcome], fields, _to_minute(moment), draws)


def updated(document: Document, news: Document) -> Document:
    """A page that was changed after later news: its old date, with the news in its text."""
    return replace(document, text=f"{document.text} Update: {news.text}", modified=news.published)


def corrected(document: Document, hours: int) -> Document:
    """A page that was corrected some hours after its publication."""
    modified = datetime.fromisoformat(document.published) + timedelta(hours=hours)
    note = "An earlier version misspelt a name."
    return replace(document, text=f"{document.text} {note}", modified=format_utc(modified))


def _report(
    script: Script, report: Report, fields: Mapping[str, str], occurrence: Occurrence, draws: Draws
) -> Document:
    moment = occurrence.at + timedelta(minutes=draws.integer(*report.delay))
    document = _write(script, report, fields, moment, draws)
    if occurrence.reporting in ("stated", "undated"):
        return document
    return replace(document, published=_local(script, moment).date().isoformat())


def _times(script: Script, occurrence: Occurrence, draws: Draws) -> dict[str, str]:
    """How reports speak of the event's time."""
    local = _local(script, occurrence.at)
    on = f"on {draws.pick(('', weekday(local.date()) + ' '))}{in_words(local.date())}"
    at = on
    if occurrence.reporting == "stated":
        clock, zone = f"{local:%H:%M}", script.place.zone
        at = draws.pick(
            (
                f"at {clock} {script.place.city} time ({zone}) {on}",
                f"{on} at {clock} local time ({zone})",
                f"{on} at {clock} ({zone})",
                f"{on} at {clock} {script.place.city} time ({zone})",
                f"at {occurrence.at:%H:%M} UTC on {in_words(occurrence.at.date())}",
            )
        )
    return {"at": at, "on": in_words(local.date())}


def _day(script: Script, moment: datetime) -> dict[str, str]:
    return {"on": in_words(_local(script, moment).date())}


def _filler(script: Script, draws: Draws) -> Document:
    moment = _by_day(script, draws.integer(2, 28), draws)
    return _write(script, draws.pick(FILLERS), script.fields | _day(script, moment), moment, draws)


def _write(script: Script, report: Report, fields: Mapping[str, str], moment: datetime, draws: Draws) -> Document:
    title, text = render(report.title, fields, draws), render(report.text, fields, draws)
    source = draws.pick(script.place.papers)
    number = sha256(text.encode()).hexdigest()[:6]
    return Document(
        url=f"https://{slug(source)}.example/{moment:%Y/%m/%d}/{slug(title)}-{number}",
        title=title,
        source=source,
        published=format_utc(moment),
        text=text,
    )


def _local(script: Script, moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(script.place.zone))


def _by_day(script: Script, days: int, draws: Draws) -> datetime:
    """A moment between 07:00 and 22:00 at the place, so many days after the window's first one."""
    day = script.start.date() + timedelta(days=days)
    clock = time(draws.integer(7, 21), draws.integer(0, 59))
    return datetime.combine(day, clock, ZoneInfo(script.place.zone)).astimezone(UTC)


def _to_minute(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def _next_hour(occurrence: Occurrence, draws: Draws) -> datetime:
    return occurrence.at - timedelta(days=7) + timedelta(minutes=draws.integer(20, 400))
