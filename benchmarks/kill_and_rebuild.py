"""Is a build that is killed again and again the same as one that is not?

Run it with ``python -m benchmarks.kill_and_rebuild --markets 2500 --kills 8``. A fictional exchange with faults of all
kinds answers on loopback. One build runs undisturbed, another is killed with SIGKILL after random times and started
again until it is done. Exit code 1 if a byte of the two sets differs.
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.loopback.polymarket import exchange
from tests.loopback.polymarket_faults import Faults
from tests.loopback.polymarket_world import MarketWorld
from tests.loopback.server import serve

FILES = ("manifest.json", "questions.jsonl", "outcomes.jsonl", "prices.parquet")


def main() -> int:
    """Print how often the build was killed, what it asked, and whether the sets are equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markets", type=int, default=2000, help="markets of the exchange (default %(default)s)")
    parser.add_argument("--kills", type=int, default=8, help="how often the build is killed (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    world = MarketWorld(seed=arguments.seed, markets=arguments.markets, now=datetime.now(UTC).replace(microsecond=0))
    app = exchange(world, Faults(share=0.05))
    with tempfile.TemporaryDirectory() as name, serve(app) as base_url:
        folder = Path(name)
        environment = os.environ | {
            "CRUXBENCH_CACHE_DIR": str(folder / "cache"),
            "CRUXBENCH_GAMMA_URL": f"{base_url}/gamma",
            "CRUXBENCH_POLYMARKET_DATA_URL": f"{base_url}/data",
            "CRUXBENCH_CLOB_URL": f"{base_url}/clob",
        }
        start = time.perf_counter()
        undisturbed = _build(folder / "undisturbed" / "set", folder / "one", environment)
        output = undisturbed.communicate()[0]
        seconds, asked = time.perf_counter() - start, len(app.requests)
        print(output.decode(), f"undisturbed: {seconds:.0f} s, {asked:,} requests", sep="", flush=True)
        if undisturbed.returncode:
            return 1

        # The same present for both: the collection's beginning is part of what a set is made from.
        (folder / "two").mkdir()
        (folder / "two" / "collection.json").write_bytes((folder / "one" / "collection.json").read_bytes())
        kills, app.requests[:] = 0, []
        while True:
            process = _build(folder / "killed" / "set", folder / "two", environment)
            try:
                process.communicate(
                    timeout=chance.uniform(1.5, max(3.0, seconds / 3)) if kills < arguments.kills else None
                )
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                continue
            break
        again = len(app.requests) - asked
        print(f"killed {kills} times: {len(app.requests):,} requests, {again:,} more than undisturbed", flush=True)
        digests = [_digests(folder / way / "set") for way in ("undisturbed", "killed")]
        equal = digests[0] == digests[1]
        print("the sets are equal, byte by byte" if equal else f"the sets differ: {digests}")
        return 0 if equal and not process.returncode else 1


def _build(target: Path, collection: Path, environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    command = "from cruxbench_inspect.cli import main; main()"
    arguments = [
        "questions",
        "build",
        str(target),
        "--articles",
        "0",
        "--collection",
        str(collection),
        "--name",
        "trial",
    ]
    return subprocess.Popen(
        [sys.executable, "-c", command, *arguments, "--min-volume", "100"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def _digests(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}


if __name__ == "__main__":
    sys.exit(main())
