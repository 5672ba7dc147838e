"""The manifest of a set that was built: what it is, and the counts of how it came about."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from cruxbench_inspect.markets.build_options import BuildOptions, Built
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.hourly import volume_threshold_usdc
from cruxbench_inspect.markets.market import Market
from cruxbench_inspect.markets.market_data import MarketData
from cruxbench_inspect.markets.rules_text import as_of_rules
from cruxbench_inspect.prices import PriceRules
from cruxbench_inspect.questions import Manifest, Question
from cruxbench_inspect.utc import format_utc


def built_manifest(
    options: BuildOptions,
    rules: FunnelRules,
    built: Built,
    collected: Mapping[str, MarketData],
    markets: Mapping[str, Market],
    questions: Mapping[str, Question],
    now: datetime,
) -> Manifest:
    """The manifest without the digests of the files, which come when these are written."""
    series = [data.prices for data in collected.values() if data.prices is not None]
    sources: Counter[str] = Counter()
    for prices in series:
        sources.update(prices.sources)
    counts: dict[str, JsonValue] = {
        "collected": format_utc(now),
        "records": built.found.skipped.total() + len(built.found.rows),
        "skipped_records": dict(sorted(built.found.skipped.items())),
        "unanswered_markets": len(built.found.failed),
        "dropped_after_the_funnel": dict(Counter(sorted(built.dropped.values()))),
        "questions": len(questions),
        "articles": sum(len(question.articles) for question in questions.values()),
        "questions_without_all_article_searches": len(built.without_news),
        "rules_changed_by_the_oracle": [id for id in built.changed_rules if id in questions],
        "rules_with_later_notes": sum(bool(as_of_rules(markets[id].description).removed) for id in questions),
        "hours_by_price_source": dict(sorted(sources.items())),
        "filled_hours": sum(prices.filled_hours for prices in series),
        "longest_gap_hours": max((prices.longest_gap_hours for prices in series), default=0),
        "granularity_seconds": max((prices.granularity_seconds for prices in series), default=0),
        "unlabelled_trades": sum(data.unlabelled for data in collected.values()),
        "rules": rules.model_dump(mode="json", exclude={"question_words", "subjects", "description_phrases"}),
    }
    source = f"the snapshot {options.snapshot.name}" if options.snapshot else "Polymarket's listing"
    kind = f"Open markets at {format_utc(options.live)}" if options.live else "Closed markets"
    description = options.description or (
        f"{kind} from {source}, collected {now:%Y-%m-%d}. Volumes count each match once; the threshold of "
        f"{volume_threshold_usdc('one_sided'):g} USDC is about the paper's 1,000, which counts both sides."
    )
    return Manifest(
        format=1,
        name=options.name,
        version=options.version,
        description=description,
        fictional=False,
        prices="raw",
        evidence=options.evidence,
        judges=options.judges,
        files={},
        price_rules=PriceRules(volume_threshold_usdc=volume_threshold_usdc("one_sided")),
        volume_basis="one_sided",
        counts=counts,
        funnel=built.funnel.record(),
        flags=("live",) if options.live else (),
    )
