"""The ``cruxbench archive`` commands: local archives of dated evidence, and the audit of what models were shown."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import click

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.utc import parse_utc


class Moment(click.ParamType):
    """A moment with its zone, or a date, which stands for its beginning in UTC."""

    name = "moment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read ``2025-10-27`` or ``2025-10-27T12:00:00Z``."""
        text = str(value)
        try:
            return parse_utc(f"{text}T00:00:00Z" if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text)
        except ValueError:
            self.fail(f"{text!r} is no moment such as 2025-10-27 or 2025-10-27T12:00:00Z", param, ctx)


class Days(click.ParamType):
    """A stretch of days, both included."""

    name = "days"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[date, date]:
        """Read ``2025-10-19..2025-10-26``, or one day."""
        if isinstance(value, tuple):
            return value
        first, _, last = str(value).partition("..")
        try:
            days = date.fromisoformat(first), date.fromisoformat(last or first)
        except ValueError:
            self.fail(f"{value!r} is no stretch of days such as 2025-10-19..2025-10-26", param, ctx)
        if days[0] > days[1]:
            self.fail(f"{value!r} ends before it begins", param, ctx)
        return days


_FILE = click.Path(path_type=Path)
_EXISTING = click.Path(path_type=Path, exists=True)


@click.group()
def archive() -> None:
    """Dated evidence: local archives, and the audit of what models were shown.

    \b
    Example:
      cruxbench archive add my.archive --gdelt 2025-10-19..2025-10-26 --match louvre
    """


@archive.command()
@click.argument("target", metavar="ARCHIVE", type=_FILE)
@click.argument("files", nargs=-1, type=_EXISTING)
@click.option("--gdelt", type=Days(), help="Add what GDELT's raw article lists have for these days.")
@click.option("--language", "languages", multiple=True, default=("en",), show_default=True, help="Of --gdelt.")
@click.option("--match", help="Of --gdelt: only articles whose title or description this expression matches.")
@click.option("--texts", type=Moment(), help="Add the stored text of each page that has none, as of this moment.")
def add(
    target: Path,
    files: tuple[Path, ...],
    gdelt: tuple[date, date] | None,
    languages: tuple[str, ...],
    match: str | None,
    texts: datetime | None,
) -> None:
    """Add documents to a local archive; it is created where it does not exist.

    FILES are evidence.jsonl files. Everything can be stopped at any time: the same command goes on where it was.

    \b
    Examples:
      cruxbench archive add my.archive my/set/evidence.jsonl
      cruxbench archive add my.archive --gdelt 2025-10-19..2025-10-26 --match "louvre|heist"
      cruxbench archive add my.archive --texts 2025-10-27
    """
    import anyio

    from cruxbench_inspect.evidence.bulk_import import add_article_lists, add_file, add_texts
    from cruxbench_inspect.evidence.local_archive import LocalArchive
    from cruxbench_inspect.evidence.sources import open_article_lists, open_page_archive

    if not files and gdelt is None and texts is None:
        raise click.UsageError("nothing to add: name files, or give --gdelt or --texts")
    try:
        pattern = None if match is None else re.compile(match, re.IGNORECASE)
    except re.error as error:
        raise click.BadParameter(f"{match!r} is no regular expression: {error}", param_hint="--match") from None
    opened = LocalArchive.create_or_open(target)
    for file in files:
        click.echo(f"{file}: {add_file(opened, file)}")
    if gdelt is not None:
        lists = open_article_lists()
        with _progress("article lists") as told:
            click.echo(anyio.run(add_article_lists, opened, lists, *gdelt, frozenset(languages), pattern, told))
    if texts is not None:
        with _progress("texts") as told:
            click.echo(anyio.run(add_texts, opened, open_page_archive(), texts, told))


@archive.command()
@click.argument("target", metavar="ARCHIVE", type=_EXISTING)
@click.argument("query")
@click.option("--before", type=Moment(), required=True, help="The cutoff: only what was public before it.")
@click.option("--limit", type=click.IntRange(1, 100), default=8, show_default=True)
def search(target: Path, query: str, before: datetime, limit: int) -> None:
    """Search an archive as a judge would: ARCHIVE is a local archive or an evidence.jsonl.

    \b
    Example:
      cruxbench archive search my.archive "louvre suspects arrested" --before 2025-10-27
    """
    import anyio

    from cruxbench_inspect.evidence.archive import Archive
    from cruxbench_inspect.evidence.session import EvidenceSession

    session = EvidenceSession(Archive.open(target), before, limit=limit)
    text = anyio.run(session.search, query)
    if session.failures:
        raise InputError(str(session.failures[0]))
    click.echo(text)
    for reason, count in session.counts.rejected.most_common():
        click.echo(f"withheld: {count} {reason}", err=True)
