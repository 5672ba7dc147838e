"""The ``cruxbench questions`` commands that bring in questions, prices and runs from elsewhere."""

from pathlib import Path
from typing import Any

import click

from cruxbench_inspect.command_options import EXISTING, PATH, beside, judges_of


@click.command("import-release")
@click.argument("source", metavar="RELEASE", type=EXISTING)
@click.argument("target", metavar="SET", type=PATH)
@click.option("--logs", type=PATH, help="Where the runs are written as Inspect logs; by default SET-logs.")
@click.option("--no-logs", is_flag=True, help="Import only the questions.")
@click.option("--replace", is_flag=True, help="Replace another set of that name.")
def import_release(source: Path, target: Path, logs: Path | None, no_logs: bool, replace: bool) -> None:
    """Import the authors' public release: its questions, and every run as a log.

    \b
    Example:
      cruxbench questions import-release cruxbench-main paper-set
    """
    from cruxbench_inspect.clock import now
    from cruxbench_inspect.markets.release.importing import import_release as import_all

    log_dir = None if no_logs else logs or beside(target, "logs")
    report = import_all(source, target, log_dir, now=now(), replace=replace)
    for note in report.notes:
        click.echo(note, err=True)
    for label, count in report.counts.items():
        click.echo(f"{count:>8,}  {label.replace('_', ' ')}")
    for log in report.logs:
        click.echo(str(log))
    click.echo(f"{report.question_set.folder}: {len(report.question_set.questions)} questions")


@click.command("import-csv")
@click.argument("questions", type=EXISTING)
@click.argument("prices", type=EXISTING)
@click.option("--articles", type=EXISTING, help="A table of articles.")
@click.option("-o", "--output", "target", metavar="SET", type=PATH, required=True, help="The folder to write.")
@click.option(
    "--volume-basis",
    type=click.Choice(["one_sided", "two_sided", "none"]),
    required=True,
    help="Whether a volume counts a match once or for both sides.",
)
@click.option("--name", help="The set's name; by default SET's.")
@click.option("--evidence", default="web", show_default=True, help="The set's default source for judges.")
@click.option("--resolver", help="The set's default judge, with --verifier.")
@click.option("--verifier", help="The model that checks the judge's times.")
@click.option("--replace", is_flag=True, help="Replace another set of that name.")
def import_csv(
    questions: Path,
    prices: Path,
    articles: Path | None,
    target: Path,
    volume_basis: Any,
    name: str | None,
    evidence: str,
    resolver: str | None,
    verifier: str | None,
    replace: bool,
) -> None:
    """Make a question set of tables, CSV or Parquet; docs/csv-import.md describes their columns.

    \b
    Example:
      cruxbench questions import-csv questions.csv prices.csv --volume-basis one_sided -o bridge-set
    """
    from cruxbench_inspect.evidence.sources import check_name
    from cruxbench_inspect.markets.csv_import import import_table

    check_name(evidence)
    made = import_table(
        questions,
        prices,
        target,
        volume_basis=volume_basis,
        articles=articles,
        name=name,
        evidence=evidence,
        judges=judges_of(resolver, verifier),
        replace=replace,
    )
    for id, hourly in made.prices.items():
        if hourly is None:
            click.echo(f"{id}: no price near its window, so it cannot be scored", err=True)
        else:
            gaps = f"{hourly.filled_hours} hours filled, longest gap {hourly.longest_gap_hours} hours"
            click.echo(f"{id}: {len(hourly.series.values)} hourly prices, {gaps}")
    click.echo(f"{made.questions.folder}: {len(made.questions.questions)} questions")


COMMANDS = (import_release, import_csv)
