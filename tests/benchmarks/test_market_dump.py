import json
from pathlib import Path

import pytest
import zstandard

from benchmarks.market_dump import raw_market, window_volume_usdc, write_dump
from cruxbench_inspect.markets.funnel import run_funnel
from cruxbench_inspect.markets.funnel_frame import funnel_frame
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stages import stages, window_volume
from cruxbench_inspect.markets.snapshot import read_snapshot
from cruxbench_inspect.markets.snapshot_rows import row_of


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dump") / "markets.jsonl.zst"
    write_dump(path, markets=6000)
    return path


def test_every_stage_of_the_funnel_has_something_to_drop(dump: Path) -> None:
    rules = FunnelRules()
    rows = [row for line in read_snapshot(dump) if (row := row_of(line)) is not None]
    result = run_funnel(funnel_frame(rows), stages(rules))
    result = result.then(window_volume(rules, {market: window_volume_usdc(market) for market in result.kept["id"]}))
    dropping = set(result.dropped["stage"])
    assert [stage.name for number, stage in enumerate(result.stages) if number not in dropping] == [
        "has a scheduled close",  # the rules of those whose record has none state a deadline
        "one window per question",
    ]
    assert result.kept.height > 50


def test_a_market_depends_on_seed_and_number_alone(dump: Path) -> None:
    lines = zstandard.ZstdDecompressor().stream_reader(dump.read_bytes()).read().decode("utf-8").splitlines()
    assert len(lines) == 6000
    assert json.loads(lines[4321]) == raw_market(4321, seed=1) != raw_market(4321, seed=2)
    assert json.loads(lines[4000]) == raw_market(3000, seed=1)
    assert [path.name for path in dump.parent.iterdir()] == [dump.name]
