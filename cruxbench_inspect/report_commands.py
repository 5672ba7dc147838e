"""The ``cruxbench report`` command."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cruxbench_inspect.command_options import EXISTING

if TYPE_CHECKING:
    from cruxbench_inspect.report.embeddings.asking import Embeddings
    from cruxbench_inspect.report.embeddings.service import EmbeddingService
    from cruxbench_inspect.report.gathering.price_list import PriceList
    from cruxbench_inspect.report.gathering.study import Study


@click.command()
@click.argument("logs", metavar="LOGS...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "target",
    metavar="DIR",
    callback=lambda context, option, value: _local(value),
    help="Where the page, tables and figures go.",
)
@click.option("--compare", nargs=2, metavar="A B", help="Say in words whether model A is better than model B.")
@click.option("--questions", multiple=True, metavar="SET", help="Where a question set of the logs is now; repeatable.")
@click.option(
    "--models", "facts_file", type=EXISTING, help="CSV of models: label, knowledge_cutoff, released, capability."
)
@click.option(
    "--prices", "prices_file", type=EXISTING, help="CSV of prices: model, input, output (USD a million tokens)."
)
@click.option(
    "--embeddings",
    metavar="MODEL",
    help="Compare cruxes by this model's embeddings, from an OpenAI-compatible endpoint.",
)
@click.option("--title", help="The page's title.")
@click.option("--leaderboard", is_flag=True, help="Only what a group publishes: ranking, methods, main figures.")
@click.option("--cases", type=click.IntRange(0), default=6, show_default=True, help="Questions shown one by one.")
@click.option("--allow-mixed", is_flag=True, help="Report logs together that differ in set, width or judges.")
@click.option("--pool", "pooled", is_flag=True, help="Take a model's runs over different question sets together.")
@click.option("--rank-all", is_flag=True, help="Rank models also below 95% coverage, or that may have known outcomes.")
@click.option("--no-figures", is_flag=True, help="Tables alone, which take a fraction of the time.")
def report(
    logs: tuple[str, ...],
    target: Path | None,
    compare: tuple[str, str] | None,
    questions: tuple[str, ...],
    facts_file: Path | None,
    prices_file: Path | None,
    embeddings: str | None,
    title: str | None,
    leaderboard: bool,
    cases: int,
    allow_mixed: bool,
    pooled: bool,
    rank_all: bool,
    no_figures: bool,
) -> None:
    """Make tables, figures and one page of the logs of any number of models.

    LOGS are log files, folders, patterns, or addresses as Inspect takes them.

    Embeddings are asked for at CRUXBENCH_EMBEDDINGS_URL (https://api.openai.com/v1 where it is not set) with the key in
    CRUXBENCH_EMBEDDINGS_KEY, or for OpenAI in OPENAI_API_KEY. They are kept in the cache folder and asked for once.

    \b
    Examples:
      cruxbench report logs -o report
      cruxbench report logs/december -o board --leaderboard --title "December round"
      cruxbench report logs --compare gpt-5.4 claude-opus-4-6
      cruxbench report logs -o report --embeddings text-embedding-3-large
    """
    from cruxbench_inspect.clock import now
    from cruxbench_inspect.report.building import Choices, build_report
    from cruxbench_inspect.report.comparing import compare_in_words
    from cruxbench_inspect.report.figures.wording import counted
    from cruxbench_inspect.report.gathering.facts import read_facts
    from cruxbench_inspect.report.gathering.log_finding import find_logs
    from cruxbench_inspect.report.gathering.price_list import read_prices
    from cruxbench_inspect.report.gathering.study_making import Options, make_study
    from cruxbench_inspect.report.page.files import check_place, write_files

    if target is None and compare is None:
        raise click.UsageError("say where the report goes with -o DIR, or what to compare with --compare A B")
    if embeddings is not None and (leaderboard or target is None):
        raise click.UsageError(
            "--embeddings compares cruxes, which only a report with -o and without --leaderboard does"
        )
    if target is not None:
        check_place(target)
    service = None if embeddings is None else _service(embeddings)
    found_logs = find_logs(logs)
    facts, prices = read_facts(facts_file, found_logs), read_prices(prices_file)
    options = Options(questions, allow_mixed, pooled, rank_all, processes=min(os.cpu_count() or 1, 8))
    study = make_study(found_logs, facts, options, _Bar("logs").advanced)
    for line in study.left_out:
        click.echo(f"left out: {line}", err=True)
    for line in _unused(facts_file, prices_file, prices, study):
        click.echo(line, err=True)
    for line in study.warnings:
        click.echo(line, err=True)
    if compare is not None:
        click.echo(compare_in_words(study, *compare))
    if target is not None:
        choices = Choices(title=title, leaderboard=leaderboard, cases=cases, figures=not no_figures)
        found = None if service is None else _embedded(study, service)
        made = build_report(study, prices, choices, now(), target, found)
        page = write_files(made, target, progress=_Bar("files").advanced)[0]
        counts = {"table": len(made.tables), "figure": len(made.figures), "model": len(study.labels)}
        click.echo(f"{page}: {', '.join(counted(count, name) for name, count in counts.items())}")


def _service(model: str) -> "EmbeddingService":
    from cruxbench_inspect.report.embeddings.service import EmbeddingService

    return EmbeddingService.of_environment(model)


def _embedded(study: "Study", service: "EmbeddingService") -> "Embeddings | None":
    """Embeddings of the cruxes that are compared, if any are."""
    # These take as long to load as a table report of one log takes else.
    import anyio

    from cruxbench_inspect.report.crux_similarity import compared_cruxes
    from cruxbench_inspect.report.embeddings.asking import embed

    cruxes = compared_cruxes(study)
    return anyio.run(embed, cruxes, service, _Bar("embeddings").advanced) if cruxes else None


def _unused(facts_file: Path | None, prices_file: Path | None, prices: "PriceList", study: "Study") -> list[str]:
    """Names in a user's files that no model of these logs has."""
    from cruxbench_inspect.report.gathering.facts import names_without
    from cruxbench_inspect.report.gathering.study import usage_of

    models = {entry.model for entry in study.entries}
    used = models | {one.model for entry in study.entries for one in usage_of(entry)}
    found = {
        facts_file: names_without(facts_file, models) if facts_file else [],
        prices_file: prices.names_without(used) if prices_file else [],
    }
    return [f"{path}: no model of these logs is called {', '.join(names)}" for path, names in found.items() if names]


def _local(value: str | None) -> Path | None:
    """The folder for a report, which is on a disk."""
    if value is None:
        return None
    if not value.strip() or "://" in value:
        raise click.BadParameter(f"{value!r} is no folder on a disk. Write the report to one, and copy it from there.")
    return Path(value)


class _Bar:
    """A bar on standard error where that is a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label

    def advanced(self, done: int, of: int) -> None:
        """Show how far it is."""
        if sys.stderr.isatty():
            click.echo(f"\r{self._label}: {done} of {of}", err=True, nl=done == of)
