"""The ``cruxbench archive`` commands: local archives of dated evidence, and the audit of what models were shown."""

import hashlib
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.utc import format_utc, parse_utc

if TYPE_CHECKING:
    from cruxbench_inspect.evidence.bulk_import import Imported


def read_moment(text: str) -> datetime:
    """Read ``2025-10-27T12:00:00Z``, or ``2025-10-27``, which stands for its beginning in UTC."""
    try:
        return parse_utc(f"{text}T00:00:00Z" if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no moment such as 2025-10-27 or 2025-10-27T12:00:00Z") from None


def read_days(text: str) -> tuple[date, date]:
    """Read a stretch of days, both included, such as ``2025-10-19..2025-10-26``, or one day."""
    first, _, last = text.partition("..")
    try:
        days = date.fromisoformat(first), date.fromisoformat(last or first)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no stretch of days such as 2025-10-19..2025-10-26") from None
    if days[0] > days[1]:
        raise click.BadParameter(f"{text!r} ends before it begins")
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
@click.option("--gdelt", type=read_days, help="Add what GDELT's raw article lists have for these days.")
@click.option("--language", "languages", multiple=True, default=("en",), show_default=True, help="Of --gdelt.")
@click.option("--match", help="Of --gdelt: only articles whose title or description this expression matches.")
@click.option("--texts", type=read_moment, help="Add the stored text of each page that has none, as of this moment.")
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
    from cruxbench_inspect.evidence.bulk_import import add_article_lists, add_file, add_texts
    from cruxbench_inspect.evidence.local_archive import LocalArchive
    from cruxbench_inspect.evidence.sources import open_article_lists, open_page_archive

    if not files and gdelt is None and texts is None:
        raise click.UsageError("nothing to add: name files, or give --gdelt or --texts")
    try:
        pattern = None if match is None else re.compile(match, re.IGNORECASE)
    except re.error as error:
        raise click.BadParameter(f"{match!r} is no regular expression: {error}", param_hint="--match") from None
    opened = LocalArchive(target)
    for file in files:
        click.echo(f"{file}: {add_file(opened, file)} documents added")
    if gdelt is not None:
        lists = open_article_lists()
        done = _run("article lists", lambda told: add_article_lists(opened, lists, gdelt, languages, pattern, told))
        click.echo(
            f"{done.added} documents added from {done.looked_at - done.missing - done.damaged} article lists; "
            f"{done.unreadable} lines could not be read"
        )
        if done.damaged:
            click.echo(f"{done.damaged} lists are damaged: the same command asks for them again")
    if texts is not None:
        pages = open_page_archive()
        done = _run("texts", lambda told: add_texts(opened, pages, texts, told))
        click.echo(f"{done.added} texts added; of {done.missing} pages there is no copy from before that can be read")


@archive.command()
@click.argument("target", metavar="ARCHIVE", type=_EXISTING)
@click.argument("query")
@click.option("--before", type=read_moment, required=True, help="The cutoff: only what was public before it.")
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


@archive.command()
@click.argument("target", metavar="ARCHIVE", type=_EXISTING)
def stats(target: Path) -> None:
    """Show what is in a local archive.

    \b
    Example:
      cruxbench archive stats my.archive
    """
    from cruxbench_inspect.evidence.local_archive import LocalArchive

    found = LocalArchive(target).statistics()
    classes = ", ".join(f"{count} of class {name}" for name, count in found.classes.items()) or "none"
    click.echo(f"documents     {found.documents} ({classes}), {found.texts} with a text")
    click.echo(f"published     {found.first or 'never'} to {found.last or 'never'}, {found.undated} undated")
    click.echo(f"looked up     {found.lists} article lists and texts")
    click.echo(f"size          {found.size / 1e6:.1f} MB")
    for source, count in found.sources.items():
        click.echo(f"{count:>9}     {source}")


@archive.command("export")
@click.argument("source", metavar="ARCHIVE", type=_EXISTING)
@click.argument("target", metavar="FILE", type=_FILE)
@click.option("--before", type=read_moment, help="Only what is certainly from before this moment.")
def export_command(source: Path, target: Path, before: datetime | None) -> None:
    """Write a local archive as the evidence.jsonl of a question set.

    \b
    Example:
      cruxbench archive export my.archive my/set/evidence.jsonl --before 2025-11-28T12:00:00Z
    """
    from cruxbench_inspect.evidence.archive_export import export
    from cruxbench_inspect.evidence.local_archive import LocalArchive

    opened = LocalArchive(source)
    written, left_out = export(opened.documents(before), target)
    click.echo(f"{target}: {written} documents, {left_out} left out (undated, or never evidence)")
    if before is not None:
        others = opened.statistics().documents - written - left_out
        click.echo(f"{others} others are not certainly from before {format_utc(before)}")
    if (target.parent / "manifest.json").is_file():
        with target.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        click.echo(f'manifest.json needs this among its files now: "{target.name}": "{digest}"')


def _run(label: str, work: "Callable[[Callable[[int, int], None]], Awaitable[Imported]]") -> "Imported":
    """Run an import with a bar that shows how far it is."""
    import anyio

    from cruxbench_inspect.evidence.source import SourceFailure

    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def advanced(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        try:
            return anyio.run(work, advanced)
        except SourceFailure as failure:
            raise InputError(f"{failure}. What was added stays: the same command goes on from there") from failure


@archive.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOGS...")
@click.option(
    "--questions", metavar="SET", help="Where outcomes are looked up; by default the sets that the logs name."
)
@click.option("--auditor", metavar="MODEL", help="A model that reads every item with its cutoff, not with the answer.")
@click.option("--json", "target", type=_FILE, help="Also write the whole result to this file.")
def audit(logs: tuple[str, ...], questions: str | None, auditor: str | None, target: Path | None) -> None:
    """Look through all that models were shown in logs for what is from after their cutoff.

    LOGS are log files or folders. Exit code 0 if nothing leaks; 1 if something does, something could not be audited, or
    there was nothing to audit.

    \b
    Examples:
      cruxbench archive audit logs
      cruxbench archive audit logs/THE_LOG.eval --auditor openai/gpt-5.4 --json audit.json
    """
    import anyio

    from cruxbench_inspect.audit.auditing import audit as look_through
    from cruxbench_inspect.audit.auditor import open_auditor
    from cruxbench_inspect.audit.rendering import render
    from cruxbench_inspect.questions import QuestionSet

    question_set = None if questions is None else QuestionSet.load(questions)
    model = None if auditor is None else open_auditor(auditor)
    result = anyio.run(look_through, logs, question_set, model)
    if target is not None:
        try:
            target.write_text(result.model_dump_json(indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{target}: the result cannot be written: {error.strerror}") from error
    click.echo(render(result))
    if result.exit_code:
        raise click.exceptions.Exit(result.exit_code)
