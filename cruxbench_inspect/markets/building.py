"""Building a question set from real markets: collect, filter, choose windows, find articles, write."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
from pydantic import ValidationError

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.source import EvidenceSource, SourceFailure
from cruxbench_inspect.markets.articles import find_articles
from cruxbench_inspect.markets.build_options import BuildOptions, Built, NothingBuilt
from cruxbench_inspect.markets.built_manifest import built_manifest
from cruxbench_inspect.markets.candidates import AT_ONCE, Found, from_exchange, from_snapshot
from cruxbench_inspect.markets.funnel import FunnelResult, run_funnel
from cruxbench_inspect.markets.funnel_frame import funnel_frame
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stages import live_stages, stages, trailing_volume, window_volume
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.market_data import MarketData, collect, stretch, volume_between
from cruxbench_inspect.markets.polymarket.listing import Filters
from cruxbench_inspect.markets.polymarket.resolutions import resolutions
from cruxbench_inspect.markets.polymarket.settings import Polymarket
from cruxbench_inspect.markets.rules_text import as_of_rules
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA, write_set
from cruxbench_inspect.prices import window_hours
from cruxbench_inspect.questions import Article, Outcome, Question, Window
from cruxbench_inspect.settlement import IN_TIME, complete
from cruxbench_inspect.side_by_side import Progress, side_by_side
from cruxbench_inspect.utc import HOUR, format_utc


async def build(
    target: Path,
    options: BuildOptions,
    exchange: Polymarket,
    articles_from: EvidenceSource | None,
    now: datetime,
    progress: Progress,
    *,
    dry_run: bool = False,
    replace: bool = False,
) -> Built:
    """Build a question set.

    What the exchange and the evidence source answer is kept by whoever made them, so the same call goes on where an
    earlier one was stopped, and comes to the same bytes.

    Args:
        target: The set's folder.
        options: What and how.
        exchange: Asks the exchange.
        articles_from: Where articles are looked for; None for none.
        now: The present, as far as the set is concerned: the beginning of the collection.
        progress: Shows how far it is.
        dry_run: Only list and filter, as far as prices and volumes are not needed, and say what would be asked.
        replace: Whether another set at ``target`` may be replaced.

    Raises:
        NothingBuilt: If nothing is left, or something was not answered.
        InputError: If the input is wrong, or the set cannot be written.
        SourceFailure: If the exchange does not answer.
    """
    if options.live is not None and now > options.live + IN_TIME:
        raise InputError(
            f"a live round that started at {format_utc(options.live)} cannot be built at {format_utc(now)}: markets "
            "that closed since are not listed any more, and no crux could count. Choose a later start"
        )
    rules = options.rules.model_copy(update={"volume_basis": "one_sided"})
    found, funnel = await _chosen(options, rules, exchange, now, progress)
    built = Built(None, funnel, found)
    windows = {row["id"]: (row["window_start"], row["window_end"]) for row in funnel.kept.iter_rows(named=True)}
    markets = {row[0].id: row[0] for row in found.rows if isinstance(row, tuple) and row[0].id in windows}
    first_prices = dict(funnel.kept.select("id", "first_point").iter_rows())
    deadlines = dict(funnel.kept.select("id", "deadline").iter_rows())
    if dry_run:
        built.planned = _planned(markets, windows, options, now)
        return built

    collected = await _collected(markets, windows, options, exchange, now, found, progress)
    built.problems += exchange.damaged
    if found.failed and not options.skip_failed:
        raise NothingBuilt(_unanswered("the exchange", found.failed), built)
    await _note_changed_rules(markets, options, exchange, built)
    volumes = {id: _volume(data, windows[id], options, now) for id, data in collected.items()}
    missing = set(funnel.kept["id"]) - set(volumes)
    funnel = _without(funnel, missing)
    enough = trailing_volume(rules, volumes) if options.live else window_volume(rules, volumes)
    built.funnel = funnel = funnel.then(enough)

    questions: dict[str, Question] = {}
    for id in funnel.kept["id"]:
        question = _question(markets[id], windows[id], deadlines[id])
        if isinstance(question, str):
            built.dropped[id] = question
        elif (hourly := collected[id].prices) is None:
            built.dropped[id] = "no price data around its window"
        elif options.live is None and not complete(question, hourly.series, _outcome(markets[id], question, options)):
            built.dropped[id] = "its prices are not told for all of its window"
        else:
            questions[id] = question
    if articles_from is not None:
        await _add_articles(questions, first_prices, articles_from, options.articles, built, progress)
    if built.without_news and not options.skip_failed:
        raise NothingBuilt(_unanswered("the evidence source", built.without_news), built)
    if not questions:
        raise NothingBuilt("no market is left to ask about: the table shows what every stage left", built)
    told = [*exchange.damaged, *(line for data in collected.values() for line in data.problems)]
    built.problems += [line for line in told if line not in built.problems]
    kept = {id: collected[id] for id in questions}
    built.question_set = write_set(
        target,
        built_manifest(options, rules, built, kept, markets, questions, now),
        questions.values(),
        [_outcome(markets[id], question, options) for id, question in questions.items()],
        _prices(questions, kept, windows, now),
        replace=replace,
    )
    return built


async def _chosen(
    options: BuildOptions, rules: FunnelRules, exchange: Polymarket, now: datetime, progress: Progress
) -> tuple[Found, FunnelResult]:
    """All markets, and the funnel up to the choice of windows."""
    if options.live is not None:
        filters = Filters(closed=False, volume_min=options.smallest_volume_usdc, ends_after=options.live)
        found = await from_exchange(exchange, filters, rules, progress, options.live, now)
        _check_any(found)
        return found, run_funnel(funnel_frame(found.rows, options.live), live_stages(rules, options.live))
    if options.snapshot is not None:
        found = await from_snapshot(options.snapshot, exchange, progress.step("records"))
    else:
        filters = Filters(closed=True, volume_min=options.smallest_volume_usdc)
        found = await from_exchange(exchange, filters, rules, progress)
    _check_any(found)
    return found, run_funnel(funnel_frame(found.rows), stages(rules))


def _check_any(found: Found) -> None:
    if not found.rows:
        skipped = ", ".join(f"{count} {reason}" for reason, count in sorted(found.skipped.items()))
        why = f"none of the records can be used ({skipped})" if skipped else "the dump or the answer was empty"
        raise InputError("\n".join([f"there is no market to build a question set from: {why}", *found.problems[:5]]))


async def _collected(
    markets: Mapping[str, Market],
    windows: Mapping[str, tuple[datetime, datetime]],
    options: BuildOptions,
    exchange: Polymarket,
    now: datetime,
    found: Found,
    progress: Progress,
) -> dict[str, MarketData]:
    collected: dict[str, MarketData] = {}
    trades_from = None if options.live is None else options.live - _days(options)

    async def get(id: str) -> None:
        try:
            collected[id] = await collect(exchange, markets[id], windows[id], now, trades_from=trades_from)
        except SourceFailure as failure:
            if failure.kind in ("auth", "quota"):
                raise
            found.failed[id] = str(failure)

    await side_by_side(sorted(markets), get, AT_ONCE, progress.step("prices and trades"))
    return {id: collected[id] for id in sorted(collected)}


async def _note_changed_rules(
    markets: Mapping[str, Market], options: BuildOptions, exchange: Polymarket, built: Built
) -> None:
    """Note the markets whose rules were changed by the oracle's word, which tells of most changes, not of all."""
    conditions = {market.condition_id: id for id, market in markets.items() if market.condition_id is not None}
    failed: dict[str, str] = {}
    told = await resolutions(exchange.data, conditions, problems=built.problems, failed=failed)
    if failed and not options.skip_failed:
        causes = {conditions[name]: cause for name, cause in failed.items()}
        raise NothingBuilt(_unanswered("the oracle", causes), built)
    built.changed_rules = sorted(conditions[name] for name, resolution in told.items() if resolution.rules_updated)


async def _add_articles(
    questions: dict[str, Question],
    first_prices: Mapping[str, datetime],
    source: EvidenceSource,
    most: int,
    built: Built,
    progress: Progress,
) -> None:
    articles: dict[str, tuple[Article, ...]] = {}
    told: dict[str, tuple[str, ...]] = {}

    async def get(id: str) -> None:
        question = questions[id]
        search = await find_articles(
            source, question.question, question.description, first_prices[id], question.window.start, most
        )
        articles[id] = search.articles
        told[id] = search.failures

    await side_by_side(sorted(questions), get, AT_ONCE, progress.step("articles"))
    for id in sorted(questions):
        questions[id] = questions[id].model_copy(update={"articles": articles[id]})
        if told[id]:
            built.without_news[id] = "; ".join(told[id])


def _question(market: Market, window: tuple[datetime, datetime], closes: datetime) -> Question | str:
    """What was known of a market, by a list of fields: its record would tell the answer. Or why it is no question."""
    rules = as_of_rules(market.description)
    if not rules.text:
        return "its rules cannot be told apart from a note that was added to them later"
    try:
        return Question(
            id=f"{market.source}-{market.id}",
            source=market.source,
            market_id=market.id,
            event_id=market.event_id,
            question=market.question,
            description=rules.text,
            opened=market.opened,
            closes=closes,
            window=Window(start=window[0], end=window[1]),
            tags=market.tags,
            url=f"https://polymarket.com/market/{market.slug}" if market.slug else None,
        )
    except ValidationError as error:
        return "; ".join(detail["msg"].removeprefix("Value error, ") for detail in error.errors(include_url=False))


def _outcome(market: Market, question: Question, options: BuildOptions) -> Outcome:
    if options.live is not None:
        return Outcome(question_id=question.id, outcome=None)
    return Outcome(question_id=question.id, outcome=market.outcome, resolved_at=market.closed_at)


def _prices(
    questions: Mapping[str, Question],
    collected: Mapping[str, MarketData],
    windows: Mapping[str, tuple[datetime, datetime]],
    now: datetime,
) -> pl.DataFrame:
    tables = [pl.DataFrame(schema=PRICE_SCHEMA)]
    for id, question in questions.items():
        tables.append(collected[id].rows(question.id, *stretch(*windows[id], now)))
    return pl.concat(tables)


def _volume(data: MarketData, window: tuple[datetime, datetime], options: BuildOptions, now: datetime) -> float:
    if options.live is None:
        return volume_between(data.volume_usdc, *window_hours(*window))
    first, last = options.live - _days(options), options.live - HOUR
    return volume_between(data.volume_usdc, first, last)


def _without(funnel: FunnelResult, missing: set[str]) -> FunnelResult:
    """The funnel without markets that the exchange did not answer about; ``failed`` has them."""
    if not missing:
        return funnel
    kept = funnel.kept.filter(~pl.col("id").is_in(sorted(missing)))
    return FunnelResult(kept, funnel.markets, funnel.stages, (*funnel.left[:-1], kept.height), funnel.dropped)


def _unanswered(who: str, failed: Mapping[str, str]) -> str:
    lines = [f"  - market {id}: {cause}" for id, cause in sorted(failed.items())[:10]]
    more = f"\n  - and {len(failed) - 10} more" if len(failed) > 10 else ""
    return (
        f"{who} did not answer about {len(failed)} markets, so no set is written:\n"
        + "\n".join(lines)
        + f"{more}\nRun the same command again: it goes on from here. Or go without these answers with --skip-failed"
    )


def _planned(
    markets: Mapping[str, Market],
    windows: Mapping[str, tuple[datetime, datetime]],
    options: BuildOptions,
    now: datetime,
) -> Counter[str]:
    planned: Counter[str] = Counter()
    for id in markets:
        first, last = stretch(*windows[id], now)
        planned["price windows of 15 days"] += max(1, -(-(last - first).days // 15))
        planned["pages of trades, at least"] += 1
        planned["article searches"] += 2 if options.articles else 0
    return planned


def _days(options: BuildOptions) -> timedelta:
    return timedelta(days=options.rules.period_days)
