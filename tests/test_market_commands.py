"""The ``cruxbench questions`` commands that make sets, as a user runs them, against an exchange on loopback."""

import gzip
import io
import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cruxbench_inspect import clock, market_commands
from cruxbench_inspect.cli import main
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import parse_utc
from tests.loopback.polymarket import exchange
from tests.loopback.polymarket_world import MarketWorld
from tests.loopback.server import serve
from tests.markets.test_building import write_snapshot
from tests.mini_release import MiniRelease

START = parse_utc("2026-03-26T00:00:00Z")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[MarketWorld]:
    world = MarketWorld(seed=3, markets=40, bulk=8)
    with serve(exchange(world)) as base_url, clock.at(lambda: world.now):
        for name, path in (("GAMMA", "gamma"), ("POLYMARKET_DATA", "data"), ("CLOB", "clob")):
            monkeypatch.setenv(f"CRUXBENCH_{name}_URL", f"{base_url}/{path}")
        yield world


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["questions", *map(str, arguments)])
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_a_set_is_built_and_validated(world: MarketWorld, tmp_path: Path) -> None:
    built = run("build", tmp_path / "mine", "--articles", "0")
    assert "one market per event" in built.stdout and "questions" in built.stdout.splitlines()[-1]
    assert "No problem found" in run("validate", tmp_path / "mine").output
    assert "polymarket-" in run("show", tmp_path / "mine").output
    assert (tmp_path / "mine-collection" / "collection.json").is_file()
    before = (tmp_path / "mine" / "manifest.json").read_bytes()
    world.now += timedelta(days=3)
    run("build", tmp_path / "mine", "--articles", "0", "--offline")
    assert (tmp_path / "mine" / "manifest.json").read_bytes() == before


def test_a_dry_run_tells_what_would_be_asked_and_why_a_market_is_out(world: MarketWorld, tmp_path: Path) -> None:
    file = write_snapshot(world, tmp_path / "markets.jsonl.gz")
    sport = next(market for market in world.all if "Sports" in market.tags and world.is_closed(market))
    result = run("build", tmp_path / "mine", "--snapshot", file, "--dry-run", "--explain", sport.id)
    assert f"market {sport.id} was dropped at stage" in result.output
    assert "pages of trades, at least" in result.output and "No set was written" in result.output
    assert not (tmp_path / "mine").exists()
    assert "is not among" in run("build", tmp_path / "x", "--snapshot", file, "--dry-run", "--explain", "7").output


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("build", "x", "--live", "tomorrow"), 2, "is no day such as 2026-12-01"),
        (("build", "x", "--live", "2026-03-26", "--snapshot", "."), 2, "not from a snapshot"),
        (("build", "x", "--snapshot", "missing"), 2, "does not exist"),
        (("build", "x", "--evidence", "wbe"), 1, "unknown evidence source"),
        (("build", "x", "--resolver", "openai/a"), 2, "name both judges"),
        (("build", "x", "--offline", "--articles", "0"), 1, "no answer is kept"),
        (("watch", "missing"), 2, "does not exist"),
        (("update", "missing"), 2, "does not exist"),
        (("import-csv", "missing", "missing", "-o", "x", "--volume-basis", "none"), 2, "does not exist"),
        (("import-release", ".", "x"), 1, "ultimates"),
    ],
)
def test_bad_arguments_are_told_in_a_line(
    world: MarketWorld, arguments: tuple[str, ...], code: int, message: str
) -> None:
    result = run(*arguments, code=code)
    assert message in result.output and "Traceback" not in result.output


@pytest.mark.parametrize("text", ["", "\n", '{"id": "1", "question"', "[]", "null\n"])
def test_a_snapshot_without_markets_is_told(world: MarketWorld, tmp_path: Path, text: str) -> None:
    file = tmp_path / "markets.jsonl"
    file.write_text(text, encoding="utf-8")
    result = run("build", tmp_path / "mine", "--snapshot", file, "--articles", "0", code=1)
    assert "market" in result.output and "Traceback" not in result.output
    assert not (tmp_path / "mine").exists()


def test_half_a_line_at_the_end_of_a_snapshot_is_told_and_the_rest_is_used(world: MarketWorld, tmp_path: Path) -> None:
    whole = write_snapshot(world, tmp_path / "whole.jsonl.gz")
    text = gzip.decompress(whole.read_bytes())
    half = tmp_path / "half.jsonl"
    half.write_bytes(text[: -len(text.splitlines()[-1]) // 2])
    result = run("build", tmp_path / "mine", "--snapshot", half, "--articles", "0")
    assert "bad_json" in result.output and QuestionSet.load(tmp_path / "mine").questions


def test_a_release_becomes_a_set_and_logs(tmp_path: Path) -> None:
    MiniRelease(tmp_path / "release")
    result = run("import-release", tmp_path / "release", tmp_path / "paper")
    assert "12 questions" in result.output
    assert len(list((tmp_path / "paper-logs").glob("*.eval"))) == 5
    assert "hindsight_dates" in run("show", tmp_path / "paper").output


def test_tables_become_a_set(tmp_path: Path) -> None:
    (tmp_path / "questions.csv").write_text(
        "id,question,description,opened,closes,window_start,window_end\n"
        "bridge,Will it open?,Yes if it opens.,2026-01-01T00:00:00Z,2026-06-01T00:00:00Z,"
        "2026-02-01T00:00:00Z,2026-02-20T00:00:00Z\n",
        encoding="utf-8",
    )
    (tmp_path / "prices.csv").write_text(
        "question_id,moment,yes_price\nbridge,2026-01-30T00:00:00Z,0.5\nbridge,2026-02-25T00:00:00Z,0.6\n",
        encoding="utf-8",
    )
    tables = tmp_path / "questions.csv", tmp_path / "prices.csv"
    result = run("import-csv", *tables, "-o", tmp_path / "bridge-set", "--volume-basis", "none")
    assert "1 questions" in result.output and "longest gap" in result.output
    assert "No problem found" in run("validate", tmp_path / "bridge-set").output
    wrong = run("import-csv", *tables[::-1], "-o", tmp_path / "other", "--volume-basis", "none", code=1)
    assert "column" in wrong.output and "Traceback" not in wrong.output


def test_a_live_round_from_its_first_command_to_its_last_version(world: MarketWorld, tmp_path: Path) -> None:
    """Open markets, no outcome, no future price; watched and updated, it gets both, and names what it was."""
    built = run("build", tmp_path / "round", "--live", "2026-03-26", "--articles", "0")
    assert "open" in built.output
    first = QuestionSet.load(tmp_path / "round")
    assert first.manifest.flags == ("live",) and first.manifest.earlier == ()
    assert all(question.window.start == START for question in first.questions)
    assert all(outcome.outcome is None for outcome in first.outcomes.values())
    assert max(first.prices["hour"].to_list()) < world.now
    questions = (tmp_path / "round" / "questions.jsonl").read_bytes()

    for days in (1, 10, 45):
        world.now = START + timedelta(days=days)
        told = run("watch", tmp_path / "round", "--once", "--news-from", "none")
        assert f"{len(first.questions)} questions" in told.output
    updated = run("update", tmp_path / "round", "--offline")
    assert "version 2" in updated.output
    later = QuestionSet.load(tmp_path / "round")
    assert (tmp_path / "round" / "questions.jsonl").read_bytes() == questions
    assert [(one.version, one.digest) for one in later.manifest.earlier] == [("1", first.digest)]
    for question in later.questions:
        market = world.by_id(question.market_id)
        assert market is not None
        outcome = later.outcome(question.id)
        assert outcome.outcome == (market.ending if world.is_closed(market) else None)
        series = later.trusted(question.id)
        assert series is not None and series.last_hour > START
    assert "still version 2" in run("update", tmp_path / "round", "--offline").output
    closed = json.loads((tmp_path / "round" / "manifest.json").read_text(encoding="utf-8"))
    assert closed["counts"]["updated"] == "2026-05-10T00:00:00Z"


def test_a_live_round_is_built_at_its_start_or_never(world: MarketWorld, tmp_path: Path) -> None:
    world.now = START + timedelta(hours=25)
    late = run("build", tmp_path / "round", "--live", "2026-03-26", "--articles", "0", code=1)
    assert "cannot be built at 2026-03-27T01:00:00Z" in late.output and not (tmp_path / "round").exists()
    world.now = START + timedelta(hours=23)
    run("build", tmp_path / "other", "--live", "2026-03-26", "--articles", "0")


def test_only_a_live_round_is_updated(world: MarketWorld, tmp_path: Path) -> None:
    run("build", tmp_path / "mine", "--articles", "0")
    assert "is no live round" in run("update", tmp_path / "mine", code=1).output


@pytest.mark.parametrize("command", ["build", "watch", "update", "import-release", "import-csv"])
def test_help_shows_an_example(command: str) -> None:
    assert f"cruxbench questions {command} " in run(command, "--help").output.split("xample", 1)[1]


def test_bars_move_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    advanced = market_commands._Bars().step("markets")
    for done in range(1, 47):
        advanced(done, 46)
    shown = screen.getvalue()
    assert "23/46" in shown and "46/46" in shown
    assert "-1/" not in shown
