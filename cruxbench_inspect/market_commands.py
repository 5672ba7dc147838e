"""The ``cruxbench questions`` commands that make question sets of real markets."""

import signal
import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cruxbench_inspect.command_options import EXISTING, PATH, beside, judges_of
from cruxbench_inspect.errors import InputError

if TYPE_CHECKING:
    from cruxbench_inspect.evidence.source import EvidenceSource
    from cruxbench_inspect.markets.build_options import Built
    from cruxbench_inspect.markets.collection import Collection
    from cruxbench_inspect.markets.watching import Recorded
    from cruxbench_inspect.side_by_side import Advanced

_SHOWN_PROBLEMS = 20


def read_day(_: click.Context, __: click.Parameter, text: str | None) -> datetime | None:
    """Read a day, whose beginning in UTC is meant."""
    if text is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(text), time(), UTC)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no day such as 2026-12-01") from None


@click.command()
@click.argument("target", metavar="SET", type=PATH)
@click.option("--snapshot", type=EXISTING, help="A file of market records (JSON lines, also .gz or .zst).")
@click.option("--live", callback=read_day, help="Build a live round that starts on this day at 00:00 UTC.")
@click.option("--collection", type=PATH, help="Where answers are kept; by default SET-collection.")
@click.option("--offline", is_flag=True, help="Use only answers that are kept.")
@click.option("--dry-run", is_flag=True, help="Filter, say what would be asked, and write nothing.")
@click.option("--explain", "explained", multiple=True, metavar="ID", help="Say what became of a market.")
@click.option("--substrings", is_flag=True, help="Match keywords as the authors' release does.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the choice of markets and windows.")
@click.option("--name", help="The set's name; by default SET's.")
@click.option("--articles", type=click.IntRange(0), default=10, show_default=True, help="Articles of a question.")
@click.option("--articles-from", default="web", show_default=True, help="Where articles are looked for.")
@click.option("--evidence", default="web", show_default=True, help="The set's default source for judges.")
@click.option("--resolver", help="The set's default judge, with --verifier.")
@click.option("--verifier", help="The model that checks the judge's times.")
@click.option("--min-volume", type=float, default=10_000, show_default=True, help="Least USDC of a listed market.")
@click.option("--skip-failed", is_flag=True, help="Leave out markets that the exchange does not answer about.")
@click.option("--replace", is_flag=True, help="Replace another set of that name.")
def build(
    target: Path,
    snapshot: Path | None,
    live: datetime | None,
    collection: Path | None,
    offline: bool,
    dry_run: bool,
    explained: tuple[str, ...],
    substrings: bool,
    seed: int,
    name: str | None,
    articles: int,
    articles_from: str,
    evidence: str,
    resolver: str | None,
    verifier: str | None,
    min_volume: float,
    skip_failed: bool,
    replace: bool,
) -> None:
    """Build a question set of markets at Polymarket.

    All answers are kept in the collection: the same command goes on where it was stopped, and comes to the same set.

    \b
    Examples:
      cruxbench questions build my-set
      cruxbench questions build my-set --snapshot markets.jsonl.zst --dry-run --explain 640486
      cruxbench questions build december --live 2026-12-01
    """
    import anyio

    from cruxbench_inspect.evidence.source import SourceFailure
    from cruxbench_inspect.evidence.sources import check_name
    from cruxbench_inspect.markets.build_options import BuildOptions, NothingBuilt
    from cruxbench_inspect.markets.building import build as build_set
    from cruxbench_inspect.markets.funnel_rules import FunnelRules

    if live is not None and snapshot is not None:
        raise click.UsageError("a live round is built from open markets at the exchange, not from a snapshot")
    check_name(evidence)
    if not min_volume >= 0:
        raise click.BadParameter(f"{min_volume} is no amount of USDC", param_hint="--min-volume")
    options = BuildOptions(
        name=name or target.resolve().name,
        snapshot=snapshot,
        live=live,
        rules=FunnelRules(seed=seed, matching="substrings" if substrings else "words"),
        smallest_volume_usdc=min_volume,
        articles=articles,
        evidence=evidence,
        judges=judges_of(resolver, verifier),
        skip_failed=skip_failed,
    )
    kept = _collection(collection, target)
    exchange = _exchange(kept, offline)
    source = _source(articles_from, kept, offline) if articles and not dry_run else None
    try:
        built = anyio.run(
            lambda: build_set(
                target, options, exchange, source, kept.started, _Bars(), dry_run=dry_run, replace=replace
            )
        )
    except NothingBuilt as nothing:
        _tell(nothing.built, explained)
        raise
    except SourceFailure as failure:
        raise InputError(f"{failure}. What was answered is kept: the same command goes on from there") from failure
    _tell(built, explained)
    if dry_run:
        for kind, count in built.planned.items():
            click.echo(f"{count:>9,}  {kind}")
        click.echo(f"No set was written (--dry-run); what was listed is kept in {kept.folder}.")
    elif built.question_set is not None:
        click.echo(f"{built.question_set.folder}: {len(built.question_set.questions)} questions")


@click.command()
@click.argument("target", metavar="SET", type=EXISTING)
@click.option("--collection", type=PATH, help="Where answers are kept; by default SET-collection.")
@click.option("--once", is_flag=True, help="Make one pass, and end.")
@click.option("--every", type=click.FloatRange(0.05), default=24, show_default=True, help="Hours between two passes.")
@click.option("--news-from", default="web", show_default=True, help="Where news are looked for; none for none.")
def watch(target: Path, collection: Path | None, once: bool, every: float, news_from: str) -> None:
    """Record what happens in a live round: prices, trades, rules, resolutions, and news.

    Leave it running until the round is over, or start it once a day. It may be stopped at any time. The news are in
    SET-collection/evidence.archive, for -T evidence=archive:FILE.

    \b
    Examples:
      cruxbench questions watch december
      cruxbench questions watch december --once
    """
    import anyio

    from cruxbench_inspect.clock import now
    from cruxbench_inspect.markets.watching import Recorded, record_once
    from cruxbench_inspect.markets.watching import watch as watch_round
    from cruxbench_inspect.questions import QuestionSet

    question_set = QuestionSet.load(target)
    kept = _collection(collection, target)
    exchange = _exchange(kept, offline=False)
    source = None if news_from == "none" else _source(news_from, None, offline=False)

    async def one_pass() -> Recorded:
        return await record_once(question_set, kept, exchange, source, now(), _Bars())

    def told(recorded: Recorded) -> None:
        _tell_recorded(recorded)

    async def run() -> None:
        if once:
            told(await one_pass())
        else:
            await watch_round(question_set, one_pass, now, timedelta(hours=every), anyio.sleep, told)

    # A service manager stops what it runs with SIGTERM: then the pass ends as with Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        anyio.run(run)
    except KeyboardInterrupt:
        click.echo("stopped; what was recorded is kept, and the same command goes on", err=True)


@click.command()
@click.argument("target", metavar="SET", type=EXISTING)
@click.option("--collection", type=PATH, help="Where answers are kept; by default SET-collection.")
@click.option("--offline", is_flag=True, help="Use only what the recorder has kept.")
def update(target: Path, collection: Path | None, offline: bool) -> None:
    """Fill prices and outcomes into a live round, as a new version of its set.

    Questions stay what they were. Logs of earlier versions can be scored by the new one.

    \b
    Example:
      cruxbench questions update december
    """
    import anyio

    from cruxbench_inspect.clock import now
    from cruxbench_inspect.markets.updating import update as update_set
    from cruxbench_inspect.questions import QuestionSet

    kept = _collection(collection, target)
    exchange = _exchange(kept, offline)
    question_set = QuestionSet.load(target)
    updated = anyio.run(lambda: update_set(question_set, exchange, now(), _Bars(), ask=not offline))
    _problems(updated.problems)
    for id in updated.stale:
        click.echo(f"{id}: the exchange does not list it any more; what was recorded of it counts", err=True)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(updated.outcomes.items()))
    manifest = updated.question_set.manifest
    version = f"version {manifest.version}" if updated.is_new else f"still version {manifest.version}: nothing is new"
    click.echo(f"{manifest.name}: {version}; outcomes: {outcomes}")


COMMANDS = (build, watch, update)


class _Bars:
    """Progress as bars on standard error, one a step."""

    def step(self, label: str) -> "Advanced":
        """Begin a step; on a terminal a bar follows it, else a line tells of it."""
        if not sys.stderr.isatty():
            click.echo(label, err=True)
            return lambda done, of: None
        bar = click.progressbar(length=1, label=label, file=sys.stderr, show_pos=True, show_eta=False)
        bar.render_progress()

        def advanced(done: int, of: int) -> None:
            bar.length = max(of, 1)
            bar.pos = min(done, bar.length)
            bar.render_progress()
            if done >= of:
                bar.render_finish()

        return advanced


def _collection(folder: Path | None, target: Path) -> "Collection":
    from cruxbench_inspect.clock import now
    from cruxbench_inspect.markets.collection import Collection

    return Collection.open(folder or beside(target, "collection"), now)


def _exchange(kept: "Collection", offline: bool) -> Any:
    from cruxbench_inspect.clock import now
    from cruxbench_inspect.markets.polymarket.settings import Polymarket

    return Polymarket.of_environment(kept.answers, now, offline=offline)


def _source(name: str, kept: "Collection | None", offline: bool) -> "EvidenceSource":
    from cruxbench_inspect.evidence.sources import check_name, open_source

    if offline and kept is not None:
        check_name(name)
        if not kept.evidence_record.is_file():
            raise InputError(f"{kept.folder} has no answers of an evidence source: build with --articles 0, or online")
        return open_source(f"replay:{kept.evidence_record}#{name}", None)
    return open_source(name, None, None if kept is None else str(kept.evidence_record))


def _tell(built: "Built", explained: tuple[str, ...]) -> None:
    for reason, count in sorted(built.found.skipped.items()):
        click.echo(f"{count:>9,}  records skipped: {reason}", err=True)
    _problems([*built.found.problems, *built.problems])
    for id, cause in sorted(built.found.failed.items()):
        click.echo(f"market {id} is left out: {cause}", err=True)
    for id, cause in sorted(built.without_news.items()):
        click.echo(f"market {id} has not all articles: {cause}", err=True)
    click.echo(built.funnel.table())
    for id in explained:
        click.echo(built.explain(id))
    for cause in sorted(set(built.dropped.values())):
        ids = sorted(id for id, why in built.dropped.items() if why == cause)
        click.echo(f"{len(ids)} left out after the funnel, because {cause}: {', '.join(ids[:5])}", err=True)


def _tell_recorded(recorded: "Recorded") -> None:
    _problems(recorded.problems)
    for id in recorded.changed_rules:
        click.echo(f"{id}: its rules read otherwise now, or have a note", err=True)
    for id in recorded.stale:
        click.echo(f"{id}: the exchange does not list it any more; what was recorded stays", err=True)
    click.echo(f"{recorded.questions} questions, {recorded.closed} closed, {recorded.documents} new documents")


def _problems(problems: list[str]) -> None:
    for line in problems[:_SHOWN_PROBLEMS]:
        click.echo(line, err=True)
    if len(problems) > _SHOWN_PROBLEMS:
        click.echo(f"and {len(problems) - _SHOWN_PROBLEMS} more like these", err=True)
