"""The embedded set: equal to a rebuild, fictional, dated, and with every case that a judge has to know."""

import json
import re
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from cruxbench_inspect.demo.build import FOLDER, SCHEMA, DemoSet, build, main
from cruxbench_inspect.demo.text import MONTHS
from cruxbench_inspect.demo.world import PLACES
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import HOUR, floor_hour, parse_utc

DAY = timedelta(days=1)

REAL_NAMES = (
    "Trump Biden Putin Macron Merz Starmer Xi Modi Musk Altman Google Apple Amazon Microsoft Meta Nvidia Tesla Boeing"
    " OpenAI Anthropic America Britain England France Germany Italy Spain Russia China Japan India Brazil Canada"
    " Australia Ukraine Israel Europe European Congress Senate Parliament Fed ECB NATO UN Louvre Reuters Bloomberg BBC"
    " Polymarket Kalshi London Paris Berlin Vienna Tokyo Washington Brussels Dollar Euro Yen"
).split()


@pytest.fixture(scope="module")
def demo() -> DemoSet:
    return build()


@pytest.fixture(scope="module")
def questions(demo: DemoSet) -> dict[str, dict[str, Any]]:
    return {question["id"]: question for question in demo.questions}


def _window(question: dict[str, Any]) -> tuple[datetime, datetime]:
    return parse_utc(question["window"]["start"]), parse_utc(question["window"]["end"])


def _earliest(published: str) -> datetime:
    if "T" in published:
        return parse_utc(published)
    return datetime.combine(date.fromisoformat(published), datetime.min.time(), UTC)


def test_the_committed_set_equals_a_rebuild(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--output", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for name in ("questions.jsonl", "outcomes.jsonl", "evidence.jsonl"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name
    assert pl.read_parquet(tmp_path / "prices.parquet").equals(pl.read_parquet(FOLDER / "prices.parquet"))
    manifests = [json.loads((folder / "manifest.json").read_text("utf-8")) for folder in (tmp_path, FOLDER)]
    for manifest in manifests:
        # Another version of polars may write the same table in other bytes.
        del manifest["files"]["prices.parquet"]
    assert manifests[0] == manifests[1]


def test_another_seed_gives_another_set(tmp_path: Path, demo: DemoSet) -> None:
    result = CliRunner().invoke(main, ["--seed", "8", "--output", str(tmp_path / "other")])
    assert result.exit_code == 0, result.output
    other = QuestionSet.load(str(tmp_path / "other"))
    assert len(other.questions) == len(demo.questions)
    assert not pl.read_parquet(tmp_path / "other" / "prices.parquet").equals(demo.prices)


def test_a_bad_seed_is_refused() -> None:
    result = CliRunner().invoke(main, ["--seed", "-1"])
    assert result.exit_code == 2
    assert "--seed" in result.output


def test_it_loads_as_a_question_set() -> None:
    loaded = QuestionSet.load("demo")
    assert len(loaded.questions) == 40
    assert loaded.manifest.fictional
    assert "fictional" in loaded.manifest.description.lower()


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000


def test_dates_of_the_questions(questions: dict[str, dict[str, Any]]) -> None:
    starts = set()
    for question in questions.values():
        start, end = _window(question)
        starts.add(start)
        assert start == start.replace(hour=0, minute=0, second=0)
        assert end - start == 30 * DAY
        assert parse_utc(question["opened"]) < start
        assert parse_utc(question["closes"]) >= end + 3 * DAY
        assert 4 <= len(question["articles"]) <= 10
        assert all(parse_utc(article["published"]) < start for article in question["articles"])
    assert len(starts) == 36
    assert timedelta(days=230) < max(starts) - min(starts) < timedelta(days=260)


def test_some_markets_share_an_event(questions: dict[str, dict[str, Any]]) -> None:
    events = Counter(question["event_id"] for question in questions.values())
    assert events.pop(None) > 0
    assert set(events.values()) == {2}
    assert len(events) == 4


def test_addresses_are_unique_and_reserved(demo: DemoSet) -> None:
    urls = [document["url"] for document in demo.evidence]
    assert len(urls) == len(set(urls))
    assert all(re.match(r"https://[a-z-]+\.example/", url) for url in urls)


def test_every_document_is_dated(demo: DemoSet) -> None:
    date_only = [document for document in demo.evidence if "T" not in document["published"]]
    assert len(date_only) > 20
    for document in demo.evidence:
        earliest = _earliest(document["published"])
        assert document["text"].count(".") >= 1
        if "modified" in document:
            assert _earliest(document["modified"]) > earliest


def test_some_pages_were_changed_later(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    changed = [document for document in demo.evidence if "modified" in document]
    delays = [_earliest(document["modified"]) - _earliest(document["published"]) for document in changed]
    assert min(delays) < DAY
    assert sum("Update:" in document["text"] for document in changed) >= 2
    ends = [_window(question)[1] for question in questions.values()]
    for document in changed:
        if "Update:" in document["text"]:
            published, modified = _earliest(document["published"]), _earliest(document["modified"])
            # Its own window is the one whose last days it was published in.
            assert any(end - 3 * DAY < published < end and modified > end + 60 * HOUR for end in ends)


def test_outcomes_are_told_only_long_after_the_window(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    last_day = {
        outcome["question_id"]: parse_utc(outcome["resolved_at"]) for outcome in demo.outcomes if outcome["resolved_at"]
    }
    later = {qid: at for qid, at in last_day.items() if at > _window(questions[qid])[1]}
    told = 0
    for question_id, resolved_at in later.items():
        end = _window(questions[question_id])[1]
        assert resolved_at > end + 60 * HOUR
        told += any(
            _earliest(document["published"]) == resolved_at + timedelta(minutes=40) for document in demo.evidence
        )
    assert told >= 10


def test_outcomes(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    assert [outcome["question_id"] for outcome in demo.outcomes] == list(questions)
    counts = Counter(outcome["outcome"] for outcome in demo.outcomes)
    assert counts[None] == 2
    assert min(counts["Yes"], counts["No"]) >= 12
    for outcome in demo.outcomes:
        assert (outcome["resolved_at"] is None) == (outcome["outcome"] is None)


def test_prices(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    assert dict(demo.prices.schema) == SCHEMA
    resolved = {outcome["question_id"]: outcome["resolved_at"] for outcome in demo.outcomes}
    settled = 0
    for (question_id,), rows in demo.prices.group_by("question_id", maintain_order=True):
        question = questions[str(question_id)]
        start, end = _window(question)
        hours = rows["hour"].to_list()
        assert hours == sorted(set(hours))
        assert hours[0] == floor_hour(max(parse_utc(question["opened"]), start - 96 * HOUR))
        at = resolved[str(question_id)]
        if at and parse_utc(at) < end:
            settled += 1
            assert hours[-1] == floor_hour(parse_utc(at))
        else:
            assert end + (23 + 96) * HOUR < hours[-1] < end + (23 + 110) * HOUR
    assert demo.prices["price"].is_between(0.002, 0.998).all()
    assert (demo.prices["volume_usdc"] >= 0).all()
    assert 4 <= settled <= 8
    assert demo.prices["question_id"].unique(maintain_order=True).to_list() == list(questions)


def test_trading_is_thin_and_busy_and_has_gaps(demo: DemoSet) -> None:
    gaps, thin, busy = 0, 0, 0
    for _, rows in demo.prices.group_by("question_id", maintain_order=True):
        steps = rows["hour"].diff().drop_nulls()
        gaps += int((steps > HOUR).sum())
        daily = rows.group_by_dynamic("hour", every="1d").agg(pl.col("volume_usdc").sum())["volume_usdc"]
        thin += bool((daily < 100).sum() >= 2)
        busy += bool((daily > 1000).all())
    assert gaps > 500
    assert thin >= 5
    assert busy >= 5
    assert (demo.prices["volume_usdc"] == 0).sum() > 500


def test_prices_jump_when_the_news_come_out(demo: DemoSet) -> None:
    jumps: list[float] = []
    others: list[float] = []
    for (question_id,), rows in demo.prices.group_by("question_id", maintain_order=True):
        series = rows.select("hour", "price").upsample("hour", every="1h").fill_null(strategy="forward")
        moves = dict(zip(series["hour"].to_list()[1:], series["price"].diff().abs().to_list()[1:], strict=True))
        at_news = {
            floor_hour(fact.public_at)
            for fact in demo.facts
            if fact.question_id == question_id and fact.public_at and fact.reporting not in ("silent", "undated")
        }
        for hour, move in moves.items():
            (jumps if hour in at_news else others).append(move)
    assert len(jumps) > 100
    assert np.mean(jumps) > 20 * np.mean(others)


def test_every_case_occurs(demo: DemoSet) -> None:
    categories = Counter(fact.category for fact in demo.facts)
    assert categories["yes"] >= 40
    assert categories["no_deadline"] >= 40
    assert categories["no_irreversible"] >= 5
    assert categories["unreported"] >= 5
    assert categories["undated"] >= 2
    reporting = Counter(fact.reporting for fact in demo.facts)
    assert min(reporting[mode] for mode in ("stated", "convention", "dated")) >= 20
    schedules = Counter(fact.schedule for fact in demo.facts)
    assert min(schedules.values()) >= 20
    stories = {fact.question_id.split("-")[1] for fact in demo.facts if fact.category == "no_irreversible"}
    assert len(stories) >= 3


def test_facts_fall_into_their_windows(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    for fact in demo.facts:
        start, end = _window(questions[fact.question_id])
        assert fact.asks.startswith("Will ")
        assert (fact.answer is None) == (fact.category == "unreported")
        if fact.public_at:
            assert start < fact.public_at < end


def test_stated_times_are_the_facts(demo: DemoSet) -> None:
    """The clock times in the texts, converted by their zones, are the events' moments, in summer and in winter."""
    zones = "|".join(sorted({place.zone for place in PLACES.values()}))
    clock = re.compile(rf"(\d\d:\d\d)(?: UTC|[^.]*?\(({zones})\))")
    day = re.compile(rf"on (?:[A-Z][a-z]+day )?(\d+) ({'|'.join(MONTHS)}) (\d{{4}})")
    moments = {fact.public_at for fact in demo.facts if fact.reporting == "stated"}
    offsets: dict[str, set[timedelta | None]] = {}
    checked = 0
    for document in demo.evidence:
        for sentence in re.split(r"(?<=[.!?]) ", document["text"]):
            stated, on = clock.search(sentence), day.search(sentence)
            if not stated or not on:
                continue
            stated_day = date(int(on[3]), MONTHS.index(on[2]) + 1, int(on[1]))
            zone = stated[2] or "UTC"
            local = datetime.combine(stated_day, time.fromisoformat(stated[1]), ZoneInfo(zone))
            assert local.astimezone(UTC) in moments, sentence
            offsets.setdefault(zone, set()).add(local.utcoffset())
            checked += 1
    assert checked > 50
    assert len(offsets) >= 10
    assert sum(len(seen) == 2 for seen in offsets.values()) >= 2


def test_scheduled_events_are_announced_before_the_window(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    for fact in demo.facts:
        if fact.schedule == "scheduled":
            named = re.search(r"on or before (\d+ \w+ \d{4})", fact.asks)
            assert named, fact.asks
            texts = [article["summary"] for article in questions[fact.question_id]["articles"]]
            assert any("will" in text and named[1] in text for text in texts), fact.asks
        if fact.schedule == "repeated":
            texts = [article["summary"] for article in questions[fact.question_id]["articles"]]
            assert any("every" in text and "local time" in text for text in texts), fact.asks


def test_unreported_events_leave_no_trace(demo: DemoSet, questions: dict[str, dict[str, Any]]) -> None:
    checked = 0
    for fact in demo.facts:
        if fact.category != "unreported" or fact.schedule != "scheduled":
            continue
        named = re.search(r"on or before (\d+ \w+ \d{4})", fact.asks)
        assert named
        start, end = _window(questions[fact.question_id])
        names = [word for word in re.findall(r"[A-Z]\w+", fact.asks) if word != "Will" and len(word) > 4]
        for document in demo.evidence:
            if start <= _earliest(document["published"]) < end + 2 * DAY and named[1] in document["text"]:
                assert not all(name in document["text"] for name in names), document["text"]
        checked += 1
    assert checked >= 5


def test_nothing_real_is_named(demo: DemoSet) -> None:
    zones = re.compile("|".join(re.escape(place.zone) for place in PLACES.values()))
    texts = [document["title"] + " " + document["text"] for document in demo.evidence]
    texts += [question["question"] + " " + question["description"] for question in demo.questions]
    for text in texts:
        assert not set(re.findall(r"\w+", zones.sub("", text))) & set(REAL_NAMES), text


def test_no_template_is_left_unfilled(demo: DemoSet) -> None:
    for text in (document["title"] + document["text"] for document in demo.evidence):
        assert not re.search(r"[\[\]{}|]|\bNone\b|  ", text), text
