"""How long the funnel takes over a dump of the paper's size, and how much memory.

Run it with ``python -m benchmarks.funnel``. The dump is invented (``market_dump``), and made on the first run. The time
is that of reading the compressed JSON lines, building the frame and applying all stages; the goal is less than 60 s
and less than 2 GiB on 2 cores. Exit code 1 if it is missed.
"""

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from benchmarks.market_dump import MARKETS, window_volume_usdc, write_dump
from cruxbench_inspect.markets.funnel import run_funnel
from cruxbench_inspect.markets.funnel_frame import Row, funnel_frame
from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stages import stages, window_volume
from cruxbench_inspect.markets.snapshot import read_snapshot
from cruxbench_inspect.markets.snapshot_rows import row_of

MOST_SECONDS = 60.0
MOST_GIB = 2.0


def main() -> None:
    """Print the funnel's table, its time and its peak memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markets", type=int, default=MARKETS, help="markets in the dump (default %(default)s)")
    parser.add_argument("--folder", type=Path, default=platformdirs.user_cache_path("cruxbench") / "benchmarks")
    parser.add_argument("--substrings", action="store_true", help="match keywords as the authors' release does")
    arguments = parser.parse_args()
    dump = arguments.folder / f"markets-{arguments.markets}.jsonl.zst"
    if not dump.exists():
        dump.parent.mkdir(parents=True, exist_ok=True)
        start = time.perf_counter()
        write_dump(dump, arguments.markets)
        print(f"{dump} made in {time.perf_counter() - start:.0f} s", flush=True)
    rules = FunnelRules(matching="substrings" if arguments.substrings else "words")
    start, start_of_work = time.perf_counter(), time.process_time()
    unread: Counter[str] = Counter()
    frame = funnel_frame(_rows(dump, unread))
    read_at = time.perf_counter()
    result = run_funnel(frame, stages(rules))
    result = result.then(window_volume(rules, {market: window_volume_usdc(market) for market in result.kept["id"]}))
    seconds, work = time.perf_counter() - start, time.process_time() - start_of_work
    gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(result.table())
    print(f"not read: {dict(unread)}")
    reading = read_at - start
    print(f"read {reading:.1f} s, funnel {seconds - reading:.1f} s, in all {seconds:.1f} s (CPU {work:.1f} s)")
    print(f"peak memory {gib:.2f} GiB; the dump is {dump.stat().st_size / 2**20:.0f} MiB")
    sys.exit(seconds > MOST_SECONDS or gib > MOST_GIB)


def _rows(dump: Path, unread: Counter[str]) -> Iterator[Row]:
    for line in read_snapshot(dump):
        row = row_of(line)
        if row is not None:
            yield row
        elif line.skipped is not None:
            unread[line.skipped.reason] += 1


if __name__ == "__main__":
    main()
