"""A question set from a fictional exchange: what is in it, twice the same, also when it is stopped, and offline."""

import gzip
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.source import Hit, SearchOutcome, SourceFailure
from cruxbench_inspect.markets.build_options import BuildOptions, Built, NothingBuilt
from cruxbench_inspect.markets.building import build
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.side_by_side import Advanced
from cruxbench_inspect.utc import HOUR, floor_hour, format_utc, parse_utc
from tests.loopback.polymarket_faults import Faults
from tests.loopback.polymarket_records import record
from tests.loopback.polymarket_world import MarketWorld
from tests.markets.polymarket.reaching import Reached, reach

FILES = ("manifest.json", "questions.jsonl", "outcomes.jsonl", "prices.parquet")


class Silent:
    """Shows nothing."""

    def step(self, label: str) -> Advanced:
        """Begin a step."""
        return lambda done, of: None


class News:
    """Finds a document for each question, dated some days before and some after the cutoff that it is asked with."""

    name = "news"
    fingerprint = "news-1"

    async def search(self, query: str, before: Any, limit: int) -> SearchOutcome:
        """Twelve documents, two of which are too late."""
        days = [*range(1, 10), 200, -1, -30]
        documents = [
            Document.model_validate(
                {
                    "url": f"https://courier.example/{len(query)}/{day}",
                    "title": f"News of {day} days before",
                    "source": "courier",
                    "published": format_utc(before - timedelta(days=day)),
                    "text": f"Something was said about it. {query}",
                    "proof": "B",
                }
            )
            for day in days
        ]
        return SearchOutcome(hits=tuple(Hit(document=one, snippet="") for one in documents))

    async def fetch(self, document: Document, before: Any) -> Document | None:
        """What it has already."""
        return document


def world(**more: Any) -> MarketWorld:
    return MarketWorld(**{"seed": 3, "markets": 60, "bulk": 8, **more})


def made(target: Path, reached: Reached, *, news: bool = False, **more: Any) -> Built:
    """Build over what a reached exchange has kept."""
    options = BuildOptions(**{"name": "trial", "rules": FunnelRules(), **more})
    source = News() if news else None

    async def run() -> Built:
        return await build(target, options, reached.exchange(), source, reached.world.now, Silent(), replace=True)

    return anyio.run(run)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, Reached, dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("reference")
    reached = reach(folder / "collection", world())
    built = made(folder / "set", reached, news=True)
    return built, reached, contents(folder / "set")


def test_the_set_is_what_the_world_says(reference: tuple[Built, Reached, dict[str, bytes]]) -> None:
    built, reached, _ = reference
    question_set = built.question_set
    assert question_set is not None and len(question_set.questions) > 6
    for question in question_set.questions:
        market = reached.world.by_id(question.market_id)
        assert market is not None and reached.world.is_closed(market) and not market.placeholder
        outcome = question_set.outcome(question.id)
        # Some records round the time of the close up to T24:00:00Z.
        closed_at = outcome.resolved_at if market.oddity == "odd_times" else market.closed_at
        assert (outcome.outcome, outcome.resolved_at) == (market.ending, closed_at)
        assert question.description == market.rules and question.question == market.question
        assert question.window.end <= question.closes - timedelta(days=3)
        # 11:59 PM in New York on the day that the record dates to noon.
        assert timedelta(hours=15) < question.closes - market.scheduled_close < timedelta(hours=17)
        series = question_set.trusted(question.id)
        assert series is not None and outcome.resolved_at is not None and series.last_hour < outcome.resolved_at
        rows = question_set.prices.filter(question_id=question.id)
        first, last = question.window.hours
        hours = rows["hour"].to_list()
        assert min(hours) == first - 96 * HOUR and max(hours) <= last + 96 * HOUR
        traded = dict.fromkeys(hours, 0.0)
        for trade in market.trades:
            hour = floor_hour(moment(trade.second))
            if hour in traded:
                traded[hour] += trade.price * trade.shares * (2 if trade.twin else 1)
        assert sum(traded.values()) == pytest.approx(rows["volume_usdc"].sum(), rel=0.02)


def test_no_prompt_tells_what_came_later(reference: tuple[Built, Reached, dict[str, bytes]]) -> None:
    """Of a market's record only what was known is taken, and settlement times of early ends are nowhere."""
    built, reached, written = reference
    assert built.question_set is not None
    early = 0
    for line, question in zip(written["questions.jsonl"].splitlines(), built.question_set.questions, strict=True):
        market = reached.world.by_id(question.market_id)
        assert market is not None
        known = set(json.loads(line))
        assert known == {
            *("id", "source", "market_id", "event_id", "question", "description", "opened", "closes", "window"),
            *("tags", "url", "articles"),
        }
        text = line.decode()
        assert "Additional context" not in text and "resolved" not in text.lower()
        if market.closed_at < market.scheduled_close - timedelta(days=1):
            early += 1
            assert f"{market.closed_at:%Y-%m-%d}" not in {
                question.closes.isoformat()[:10],
                str(question.window.end)[:10],
            }
    assert early > 1


def test_articles_are_from_before_the_window(reference: tuple[Built, Reached, dict[str, bytes]]) -> None:
    built, _, _ = reference
    assert built.question_set is not None
    for question in built.question_set.questions:
        assert 1 <= len(question.articles) <= 10
        ages = [question.window.start - article.published for article in question.articles]
        assert min(ages) > timedelta() and max(ages) <= timedelta(days=160)


def test_the_manifest_has_the_funnel_and_the_counts(reference: tuple[Built, Reached, dict[str, bytes]]) -> None:
    built, _, written = reference
    manifest = json.loads(written["manifest.json"])
    assert manifest["funnel"][-1]["left"] == manifest["counts"]["questions"] + sum(
        manifest["counts"]["dropped_after_the_funnel"].values()
    )
    assert manifest["volume_basis"] == "one_sided" and manifest["price_rules"]["volume_threshold_usdc"] == 500
    assert "approximat" in manifest["description"] or "about the paper" in manifest["description"]
    dropped = next(iter(built.funnel.dropped["id"]))
    assert built.funnel.explain(dropped).startswith(f"market {dropped} was dropped at stage")


def test_the_same_command_makes_the_same_bytes(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    _, reached, written = reference
    asked = len(reached.app.requests)
    made(tmp_path / "again", reached, news=True)
    assert contents(tmp_path / "again") == written
    assert len(reached.app.requests) == asked
    fresh = reach(tmp_path / "collection", world())
    made(tmp_path / "fresh", fresh, news=True)
    assert contents(tmp_path / "fresh") == written


def test_faults_of_every_kind_change_nothing(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    _, _, written = reference
    faulty = reach(tmp_path / "collection", world(), Faults(share=0.3, border_points=True, last_cursor=""))
    made(tmp_path / "set", faulty, news=True)
    assert contents(tmp_path / "set") == written


def write_snapshot(world: MarketWorld, file: Path) -> Path:
    """The records of all closed markets with a price for each day, as a dump has them."""
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        for market in world.all:
            if world.is_there(market) and world.is_closed(market):
                days = range(
                    int(market.opened.timestamp()) // 86_400 + 1, int(market.closed_at.timestamp()) // 86_400 + 1
                )
                prices = {format_utc(moment(86_400 * day)): market.yes_price(86_400 * day) for day in days}
                known = {} if market.oddity == "no_prices" else {"price_history": {"Yes": prices}}
                lines.write(json.dumps({**record(world, market), **known}) + "\n")
    return file


def moment(second: int) -> datetime:
    """A moment by its seconds since 1970."""
    return datetime.fromtimestamp(second, UTC)


class Stopped(BaseException):
    """Stands in for a kill: nothing catches it."""


@pytest.mark.parametrize("after", [2, 55, 90])
def test_a_build_that_is_stopped_goes_on_where_it_was(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path, after: int
) -> None:
    _, whole, written = reference
    reached = reach(tmp_path / "collection", world())
    reached.app.instead = stopping(after)
    with pytest.raises(BaseException) as caught:
        made(tmp_path / "set", reached, news=True)
    assert _holds(caught.value, Stopped)
    assert not (tmp_path / "set").exists()
    reached.app.instead = lambda request: None
    made(tmp_path / "set", reached, news=True)
    assert contents(tmp_path / "set") == written
    # The request under way was not answered, nor were those beside it.
    assert len(reached.app.requests) <= len(whole.app.requests) + 16


def stopping(after: int) -> Callable[[Request], Response | None]:
    """Kills whoever makes so many requests."""
    numbers = count()

    def stop(request: Request) -> Response | None:
        if next(numbers) >= after:
            raise Stopped
        return None

    return stop


def _holds(error: BaseException, kind: type[BaseException]) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return any(_holds(inner, kind) for inner in error.exceptions)
    return isinstance(error, kind)


def test_it_is_rebuilt_without_the_exchange(reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path) -> None:
    _, reached, written = reference
    asked = len(reached.app.requests)
    options = BuildOptions(name="trial", rules=FunnelRules())

    async def run() -> Built:
        offline = reached.exchange(offline=True)
        return await build(tmp_path / "set", options, offline, News(), reached.world.now, Silent())

    anyio.run(run)
    assert contents(tmp_path / "set") == written and len(reached.app.requests) == asked


def test_a_market_that_is_not_answered_about_stops_the_build_unless_it_may_be_left_out(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    first, reached, _ = reference
    assert first.question_set is not None
    lost = reached.world.by_id(first.question_set.questions[0].market_id)
    assert lost is not None
    again = reach(tmp_path / "other", world())
    again.app.instead = lambda request: Response(status_code=500) if lost.condition_id in str(request.url) else None
    with pytest.raises(InputError, match=rf"did not answer about 1 markets[\s\S]*market {lost.id}[\s\S]*--skip-failed"):
        made(tmp_path / "set", again)
    assert not (tmp_path / "set").exists()
    left = made(tmp_path / "set", again, skip_failed=True)
    assert left.question_set is not None
    assert {q.id for q in left.question_set.questions} == {
        q.id for q in first.question_set.questions if q.market_id != lost.id
    }
    assert (left.question_set.manifest.counts or {})["unanswered_markets"] == 1


def test_nothing_left_is_told_with_the_funnel(tmp_path: Path) -> None:
    reached = reach(tmp_path / "collection", world(markets=12))
    with pytest.raises(InputError, match="no market is left to ask about"):
        made(tmp_path / "set", reached, rules=FunnelRules(window_volume_usdc=1e12))
    empty = reach(tmp_path / "empty", world(markets=1, now=parse_utc("2020-01-01T00:00:00Z")))
    empty.world.now = parse_utc("2010-01-01T00:00:00Z")
    with pytest.raises(InputError, match="there is no market"):
        made(tmp_path / "set", empty)


def test_a_dry_run_asks_about_no_market_in_detail_and_writes_nothing(tmp_path: Path) -> None:
    reached = reach(tmp_path / "collection", world())
    options = BuildOptions(name="trial", rules=FunnelRules())

    async def run() -> Built:
        return await build(
            tmp_path / "set", options, reached.exchange(), None, reached.world.now, Silent(), dry_run=True
        )

    built = anyio.run(run)
    assert built.question_set is None and not (tmp_path / "set").exists()
    assert built.planned["price windows of 15 days"] >= built.funnel.kept.height
    assert not reached.asked("/data/v2/trades")


def test_a_snapshot_gives_the_same_questions_as_the_exchange(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    built, _, _ = reference
    reached = reach(tmp_path / "collection", world())
    file = write_snapshot(reached.world, tmp_path / "markets.jsonl.gz")
    from_file = made(tmp_path / "set", reached, news=True, snapshot=file, smallest_volume_usdc=0)
    assert from_file.question_set is not None and built.question_set is not None
    assert {question.id for question in built.question_set.questions} <= {
        question.id for question in from_file.question_set.questions
    }
    for question in built.question_set.questions:
        # The exchange tells half days, so its first price may be another one.
        ahead = from_file.question_set.question(question.id).window.start - question.window.start
        assert abs(ahead) <= timedelta(days=1)


def test_a_service_that_wants_a_key_ends_the_build(tmp_path: Path) -> None:
    reached = reach(tmp_path / "collection", world())
    reached.app.instead = lambda request: Response(status_code=401)
    with pytest.raises(SourceFailure, match="auth"):
        made(tmp_path / "set", reached)


def test_a_set_of_other_content_is_not_replaced_by_accident(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    _, reached, written = reference
    (tmp_path / "set").mkdir()
    for name, content in written.items():
        (tmp_path / "set" / name).write_bytes(content)
    options = BuildOptions(name="another", rules=FunnelRules())

    async def run() -> Built:
        return await build(tmp_path / "set", options, reached.exchange(), None, reached.world.now, Silent())

    with pytest.raises(InputError, match="set"):
        anyio.run(run)
    assert contents(tmp_path / "set") == written


def changed(reached: Reached, changes: Mapping[str, dict[str, Any]]) -> Callable[[Request], Response | None]:
    """Gives the records of some markets with other fields, wherever they are listed."""

    def instead(request: Request) -> Response | None:
        if not request.url.path.endswith("/markets/keyset"):
            return None
        page = json.loads(bytes(reached.app.listing(request).body))
        for row in page["markets"]:
            row.update(changes.get(row["id"], {}))
        return JSONResponse(page)

    return instead


ABSURD: tuple[dict[str, Any], ...] = (
    {"umaEndDate": "0001-01-01T00:00:00Z", "closedTime": "0001-01-01 00:00:00+00"},
    {"umaEndDate": "9999-12-31T23:59:59Z"},
    {"endDate": "9999-12-31T23:59:59Z", "endDateIso": "9999-12-31"},
    {"startDate": "0001-01-01T00:00:00Z", "createdAt": "0001-01-01T00:00:00Z"},
    {"volumeNum": None},
    {"question": "Will \ud83d it happen by then?", "description": "\ud83d\x00"},
    {"events": "[]", "tags": {"a": 1}, "outcomes": 7},
)


def test_absurd_records_harm_no_other(reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path) -> None:
    built, _, _ = reference
    assert built.question_set is not None
    ids = [question.market_id for question in built.question_set.questions]
    hit, others = ids[: len(ABSURD)], ids[len(ABSURD) :]
    assert len(others) >= 3
    reached = reach(tmp_path / "collection", world())
    reached.app.instead = changed(reached, dict(zip(hit, ABSURD, strict=True)))
    made_of_it = made(tmp_path / "set", reached)
    assert made_of_it.question_set is not None
    assert set(others) <= {question.market_id for question in made_of_it.question_set.questions}
    assert all(made_of_it.explain(id) for id in hit)


def test_what_the_oracle_does_not_answer_stops_the_build_and_changes_nothing_later(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    _, _, written = reference
    reached = reach(tmp_path / "collection", world())
    reached.app.instead = lambda request: Response(status_code=503) if "resolutions" in request.url.path else None
    with pytest.raises(NothingBuilt, match="no second opinion") as caught:
        made(tmp_path / "set", reached, news=True)
    assert caught.value.built.funnel.markets > 10
    reached.app.instead = lambda request: None
    made(tmp_path / "set", reached, news=True)
    assert contents(tmp_path / "set") == written


def test_news_that_cannot_be_looked_for_stop_the_build_unless_it_may_go_without(
    reference: tuple[Built, Reached, dict[str, bytes]], tmp_path: Path
) -> None:
    class Broken(News):
        async def search(self, query: str, before: Any, limit: int) -> SearchOutcome:
            raise SourceFailure("news", "outage", "HTTP 503")

    _, reached, _ = reference

    async def run(skip_failed: bool) -> Built:
        options = BuildOptions(name="trial", rules=FunnelRules(), skip_failed=skip_failed)
        return await build(
            tmp_path / "set", options, reached.exchange(), Broken(), reached.world.now, Silent(), replace=True
        )

    with pytest.raises(NothingBuilt, match=r"the evidence source did not answer about \d+ markets[\s\S]*HTTP 503"):
        anyio.run(run, False)
    assert not (tmp_path / "set").exists()
    without = anyio.run(run, True)
    assert without.question_set is not None and without.question_set.manifest.counts is not None
    count_without = without.question_set.manifest.counts["questions_without_all_article_searches"]
    assert count_without == len(without.question_set.questions)


def test_every_market_is_explained(reference: tuple[Built, Reached, dict[str, bytes]]) -> None:
    built, reached, _ = reference
    for market in reached.world.all:
        if reached.world.is_there(market) and reached.world.is_closed(market) and market.volume_usdc(10**10) > 10_000:
            assert f"market {market.id} " in built.explain(market.id)
    teams = next(market for market in reached.world.all if market.oddity in ("teams", "up_down", "no_outcomes"))
    assert "its record cannot be used" in built.explain(teams.id) or "not among" in built.explain(teams.id)
    assert "is not among" in built.explain("7")
